// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A main loop with an inference in slices: between two slices, it feeds a watchdog and reads a sensor. The sensor is simulated. It delivers
// the bytes of input.bin, and while one inference runs, those of the next. The program writes output.bin, and prints how long the watchdog
// must wait, and how many bytes the queue of the sensor must hold.
#include "inference.hpp"
#include "measure.hpp"
#include "semihosting.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace {

auto now() -> std::uint64_t { return firmware::instruction_counter::count(); }

struct watchdog {
  static inline std::uint64_t fed_at = 0;
  static inline std::uint64_t max_age = 0;

  static void feed() {
    const auto at = now();
    max_age = std::max(max_age, at - fed_at);
    fed_at = at;
  }
};

/// A sensor that delivers a byte every `period` instructions, until the frame of the next inference is complete.
class sensor {
 public:
  explicit sensor(firmware::host_file& from) : from_(from) {}

  /// The size of a frame in bytes: all inputs of an inference.
  static auto frame_bytes() -> std::size_t {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < inference::input_count(); ++i) bytes += inference::next_input(i).size();
    return bytes;
  }
  void begin_frame(std::uint64_t period) {
    began_at_ = now();
    period_ = std::max<std::uint64_t>(1, period);
    read_ = 0;
  }
  auto has_frame() const -> bool { return read_ == frame_bytes(); }
  auto max_queued() const -> std::size_t { return max_queued_; }
  /// Moves the bytes that have arrived from the queue to the frame. Returns false if they cannot be read.
  auto read() -> bool {
    const auto arrived = static_cast<std::size_t>(std::min<std::uint64_t>(frame_bytes(), (now() - began_at_) / period_));
    max_queued_ = std::max(max_queued_, arrived - read_);
    return read_up_to(arrived);
  }
  /// Reads the rest of the frame, without waiting for it.
  auto read_frame() -> bool { return read_up_to(frame_bytes()); }

 private:
  auto read_up_to(std::size_t end) -> bool {
    std::size_t begin = 0;  // of an input in the frame
    for (std::size_t i = 0; i < inference::input_count(); ++i) {
      const auto input = inference::next_input(i);
      if (read_ < end && read_ < begin + input.size()) {
        const auto count = std::min(end, begin + input.size()) - read_;
        if (!from_.read(input.data() + (read_ - begin), count)) return false;
        read_ += count;
      }
      begin += input.size();
    }
    return true;
  }

  firmware::host_file& from_;
  std::uint64_t began_at_ = 0;
  std::uint64_t period_ = 1;
  std::size_t read_ = 0;  // bytes of the frame
  std::size_t max_queued_ = 0;
};

auto write_outputs(firmware::host_file& to) -> bool {
  for (std::size_t i = 0; i < inference::output_count(); ++i) {
    if (!to.write(inference::output(i).data(), inference::output(i).size())) return false;
  }
  return true;
}

auto fail(const char* why) -> int {
  firmware::print(why, "\n");
  return 1;
}

}  // namespace

int main() {
  firmware::host_file from("input.bin", firmware::host_file::access::read);
  firmware::host_file to("output.bin", firmware::host_file::access::write);
  const auto bytes = sensor::frame_bytes();
  const auto input_bytes = from.is_open() ? from.size() : 0;
  if (bytes == 0 || input_bytes == 0 || input_bytes % bytes != 0)
    return fail("the input must have the concatenated inputs of the model, or a multiple");
  const auto inferences = input_bytes / bytes;
  sensor input(from);
  if (!input.read_frame()) return fail("the input cannot be read");
  firmware::instruction_counter::start();
  std::uint64_t of_first = 0;  // the instructions of the first inference, during which no sample arrives
  unsigned slices = 0;
  for (std::size_t n = 0; n < inferences; ++n) {
    const bool has_next = n != 0 && n + 1 < inferences;
    inference::start();  // copies the frame, so that the next one can be received
    input.begin_frame(has_next ? of_first / bytes : 1);
    watchdog::feed();
    const auto began_at = now();
    bool goes_on = true;
    for (slices = 0; goes_on; ++slices) {
      goes_on = inference::step();
      watchdog::feed();
      if (has_next && !input.read()) return fail("the input cannot be read");
    }
    if (n == 0) of_first = now() - began_at;
    if (!write_outputs(to)) return fail("the output cannot be written");
    watchdog::feed();
    while (has_next && !input.has_frame()) {
      if (!input.read()) return fail("the input cannot be read");
      watchdog::feed();
    }
    if (n + 1 < inferences && !input.read_frame()) return fail("the input cannot be read");
  }
  firmware::print("slices of one inference: ", slices, ", in all ", of_first);
  firmware::print(" instructions\nthe watchdog must wait ", watchdog::max_age);
  firmware::print(" instructions\nthe queue of the sensor must hold ", input.max_queued(), " of ", bytes);
  firmware::print(" bytes\narena: ", inference::arena_bytes(), ", lower bound ", inference::min_arena_bytes());
  firmware::print("\n");
  return 0;
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The figures of vww_96_int8 on a Cortex-M4 with baton_model(), its defaults and a policy: instructions of one inference, flash and RAM.
// Each may be at most 2 % above the figure. The output is compared with the golden one.
#include "cortex_m/measure.hpp"
#include "cortex_m/semihosting.hpp"
#include "vww_96_int8.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

// A symbol of the linker script: the end of the flash contents, without the initial values of .data.
extern "C" const std::uint32_t data_load;

namespace {

constexpr std::uint64_t instructions_of_one_inference = INSTRUCTIONS;
// 88,984 of the model; the other bytes are the firmware and the C library.
constexpr std::uint64_t flash_bytes = 91'848;
constexpr std::uint64_t arena_bytes = ARENA_BYTES;

template <class Element, std::size_t Size>
auto read_from(const char* path, std::array<Element, Size>& to) -> bool {
  firmware::host_file file(path, firmware::host_file::access::read);
  return file.is_open() && file.size() == sizeof to && file.read(reinterpret_cast<char*>(to.data()), sizeof to);
}

auto is_within(const char* what, std::uint64_t measured, std::uint64_t wanted) -> bool {
  firmware::print(what, ": ", measured, ", at most ", wanted * 102 / 100, "\n");
  return measured * 100 <= wanted * 102;
}

}  // namespace

int main() {
  namespace net = vww_96_int8;
  const auto in = net::input_0::data();
  firmware::host_file file("input_0.bin", firmware::host_file::access::read);
  if (!file.is_open() || file.size() != in.size_bytes() || !file.read(reinterpret_cast<char*>(in.data()), in.size_bytes())) {
    firmware::print("input_0.bin cannot be read\n");
    return 1;
  }
  std::array<net::output_0::type, net::output_0::size> wanted{};
  if (!read_from("output_0.bin", wanted)) {
    firmware::print("output_0.bin cannot be read\n");
    return 1;
  }

  firmware::instruction_counter::start();
  net::run();
  const auto instructions = firmware::instruction_counter::count();

  const auto out = net::output_0::data();
  if (!std::equal(out.begin(), out.end(), wanted.begin())) {
    firmware::print("the output differs from the golden one\n");
    return 1;
  }
  const auto flash = reinterpret_cast<std::uintptr_t>(&data_load) + firmware::data_bytes();
  const bool is_fast = is_within("instructions", instructions, instructions_of_one_inference);
  const bool is_small = is_within("flash", flash, flash_bytes);
  const bool needs_little = is_within("arena", net::arena_bytes(), arena_bytes);
  return is_fast && is_small && needs_little ? 0 : 1;
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// person_detect on a Cortex-M4: the golden output, and what it costs. The model lies in flash, the arena in .bss.
#include <baton/baton.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "output_0.bin.hpp"
#include "person_detect.tflite.hpp"

extern "C" {
extern const std::uint32_t data_load;
extern std::uint32_t data_begin;
extern std::uint32_t data_end;
extern std::uint32_t __bss_end__;
}

namespace {

baton::executor<baton::tflite::read<person_detect_tflite>> net;

// SysTick counts down at 25 MHz of virtual time, and with -icount shift=0 an instruction takes a nanosecond: 40 instructions a tick.
struct instruction_counter {
  static constexpr std::uint32_t instructions_per_tick = 40;
  static auto reg(std::uint32_t offset) -> volatile std::uint32_t& {
    return *reinterpret_cast<volatile std::uint32_t*>(0xE000E010 + offset);
  }
  static void start() {
    reg(4) = 0xffffff;
    reg(8) = 0;
    reg(0) = 5;
  }
  static auto count() -> std::uint32_t { return (0xffffff - reg(8)) * instructions_per_tick; }
};

constexpr std::uint32_t paint = 0xa5a5a5a5;
constexpr std::uint32_t painted_words = 4096;

// The words below this frame, lowest first; those that are still as they were painted tell how deep a call went.
auto words_below(const void* frame) -> volatile std::uint32_t* {
  return reinterpret_cast<volatile std::uint32_t*>(reinterpret_cast<std::uintptr_t>(frame) & ~std::uintptr_t{3}) - painted_words;
}
void paint_stack(const void* frame) {
  // From the bottom up, and not the last words: they hold this very call.
  for (std::uint32_t i = 0; i + 32 < painted_words; ++i) words_below(frame)[i] = paint;
}
auto used_stack(const void* frame) -> std::uint32_t {
  std::uint32_t untouched = 0;
  while (untouched < painted_words && words_below(frame)[untouched] == paint) ++untouched;
  return (painted_words - untouched) * 4;
}

void fill_input() {
  std::uint32_t state = 0x1234567;
  for (auto& byte : net.input()) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    byte = static_cast<char>(state >> 24);
  }
}

}  // namespace

int main() {
  fill_input();
  const void* const frame = __builtin_frame_address(0);
  paint_stack(frame);
  instruction_counter::start();
  net.run();
  const auto instructions = instruction_counter::count();
  const auto stack = used_stack(frame);
  const bool exact = std::memcmp(net.output().data(), golden_output, net.output().size()) == 0;
  const auto data = reinterpret_cast<std::uintptr_t>(&data_end) - reinterpret_cast<std::uintptr_t>(&data_begin);
  const auto flash = reinterpret_cast<std::uintptr_t>(&data_load) + data;
  const auto ram = reinterpret_cast<std::uintptr_t>(&__bss_end__) - reinterpret_cast<std::uintptr_t>(&data_begin);
  std::printf("person_detect on Cortex-M4: output %s the golden one\n", exact ? "equals" : "DIFFERS from");
  std::printf("instructions of one inference: %lu\n", static_cast<unsigned long>(instructions));
  std::printf("code bytes (all but the model, the C library and this test's printing included): %lu\n",
              static_cast<unsigned long>(flash - (sizeof person_detect_tflite - 1)));
  std::printf("RAM: arena %lu, other static %lu, stack %lu\n", static_cast<unsigned long>(net.arena_bytes),
              static_cast<unsigned long>(ram - net.arena_bytes), static_cast<unsigned long>(stack));
  return exact ? 0 : 1;
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// person_detect on a Cortex-M4: the golden output, and what it costs. The model lies in flash, the arena in .bss.
#include <baton/baton.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "firmware/measure.hpp"
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
  firmware::paint_stack(frame);
  firmware::instruction_counter::start();
  net.run();
  const auto instructions = firmware::instruction_counter::count();
  const auto stack = firmware::used_stack(frame);
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

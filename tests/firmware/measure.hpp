// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What an image under QEMU measures of itself: instructions and stack.
#pragma once

#include <cstdint>

namespace firmware {

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

inline constexpr std::uint32_t paint = 0xa5a5a5a5;
inline constexpr std::uint32_t painted_words = 4096;

// The words below this frame, lowest first; those that are still as they were painted tell how deep a call went.
inline auto words_below(const void* frame) -> volatile std::uint32_t* {
  return reinterpret_cast<volatile std::uint32_t*>(reinterpret_cast<std::uintptr_t>(frame) & ~std::uintptr_t{3}) - painted_words;
}
inline void paint_stack(const void* frame) {
  // From the bottom up, and not the last words: they hold this very call.
  for (std::uint32_t i = 0; i + 32 < painted_words; ++i) words_below(frame)[i] = paint;
}
inline auto used_stack(const void* frame) -> std::uint32_t {
  std::uint32_t untouched = 0;
  while (untouched < painted_words && words_below(frame)[untouched] == paint) ++untouched;
  return (painted_words - untouched) * 4;
}

}  // namespace firmware

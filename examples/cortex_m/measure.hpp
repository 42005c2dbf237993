// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What an image under QEMU measures of itself: instructions, stack, and the sizes that the linker script knows.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
// The linker script's marks.
extern std::uint32_t stack_bottom;
extern std::uint32_t stack_top;
extern std::uint32_t data_begin;
extern std::uint32_t data_end;
}

namespace firmware {

/// SysTick counts down at the processor's clock, so many times since the last start(), and emulated.cpp's handler counts its rounds. With
/// QEMU's `-icount shift=0` an instruction takes a nanosecond of virtual time: counts are the same in every run, by the ticks of the clock.
inline volatile std::uint32_t rounds_of_ticks = 0;

struct instruction_counter {
#if defined(BOARD_CLOCK_HZ)
  static constexpr std::uint32_t clock_hz = BOARD_CLOCK_HZ;
#else
  static constexpr std::uint32_t clock_hz = 25'000'000;
#endif
  static constexpr std::uint32_t max_ticks = 0xffffff;

  static auto reg(std::uint32_t offset) -> volatile std::uint32_t& {
    return *reinterpret_cast<volatile std::uint32_t*>(0xE000E010 + offset);
  }
  static void start() {
    rounds_of_ticks = 0;
    reg(4) = max_ticks;
    reg(8) = 0;
    reg(0) = 7;  // the processor's clock, an exception at zero, on
    while (reg(8) == 0) {
    }  // it begins with the next tick
  }
  /// Instructions since start(), rounded down to a tick.
  static auto count() -> std::uint64_t {
    // A round may end between the two reads.
    for (;;) {
      const auto rounds = rounds_of_ticks;
      const auto left = reg(8);
      if (rounds != rounds_of_ticks) continue;
      const auto ticks = std::uint64_t{rounds} * (max_ticks + 1) + (max_ticks - left);
      return ticks * 1'000 / (clock_hz / 1'000'000);
    }
  }
};

/// How deep the stack went below the caller: it is painted from its end up to there, and read again later.
class stack_gauge {
 public:
  /// Inlined, so that it paints what the caller does not use yet.
  [[gnu::always_inline]] stack_gauge() {
    asm volatile("mov %0, sp" : "=r"(top_));
    auto* const end = top_;
    for (volatile auto* word = &stack_bottom; word != end; ++word) *word = paint;
  }
  /// Whether it reached its end, and perhaps what lies beyond.
  auto is_full() const -> bool { return stack_bottom != paint; }
  auto used() const -> std::size_t {
    const volatile auto* word = &stack_bottom;
    while (word != top_ && *word == paint) ++word;
    return static_cast<std::size_t>(top_ - word) * sizeof *word;
  }

 private:
  static constexpr std::uint32_t paint = 0xa5a5a5a5;

  const volatile std::uint32_t* top_;
};

inline auto bytes_between(const std::uint32_t& begin, const std::uint32_t& end) -> std::size_t {
  return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(&end) - reinterpret_cast<std::uintptr_t>(&begin));
}
/// What is copied from flash before main().
inline auto data_bytes() -> std::size_t { return bytes_between(data_begin, data_end); }

}  // namespace firmware

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Measurements of an image under QEMU: instructions, stack, and sizes from the linker script.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
// Symbols of the linker script.
extern std::uint32_t stack_bottom;
extern std::uint32_t stack_top;
extern std::uint32_t data_begin;
extern std::uint32_t data_end;
}

namespace firmware {

/// The number of times that SysTick has reached zero since the last `instruction_counter::start`, counted by the handler in emulated.cpp.
/// SysTick counts down at the processor's clock.
inline volatile std::uint32_t rounds_of_ticks = 0;

/// Counts instructions with SysTick. With QEMU's `-icount shift=0`, an instruction takes one nanosecond of virtual time, so counts are
/// equal in every run, to one tick of the clock.
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
    reg(0) = 7;  // the processor's clock, an exception at zero, enabled
    while (reg(8) == 0) {
    }  // counting begins with the next tick
  }
  /// Returns the instructions since start(), rounded down to a tick.
  static auto count() -> std::uint64_t {
    // Repeats if a round ends between the two reads.
    for (;;) {
      const auto rounds = rounds_of_ticks;
      const auto left = reg(8);
      if (rounds != rounds_of_ticks) continue;
      const auto ticks = std::uint64_t{rounds} * (max_ticks + 1) + (max_ticks - left);
      return ticks * 1'000 / (clock_hz / 1'000'000);
    }
  }
};

/// Measures the maximum stack depth below the caller. Fills the unused stack with a pattern, and later searches for the first changed word.
class stack_gauge {
 public:
  /// Inlined, so that it fills only the stack below the caller's frame.
  [[gnu::always_inline]] stack_gauge() {
    asm volatile("mov %0, sp" : "=r"(top_));
    auto* const end = top_;
    for (volatile auto* word = &stack_bottom; word != end; ++word) *word = paint;
  }
  /// True if the stack reached its end, so that it may have overflowed.
  auto is_full() const -> bool { return stack_bottom != paint; }
  /// Returns the maximum depth, in bytes.
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
/// Returns the bytes that are copied from flash before main().
inline auto data_bytes() -> std::size_t { return bytes_between(data_begin, data_end); }

}  // namespace firmware

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Access to the registers of a Cortex-M, and its timer SysTick.
#pragma once

#include <cstdint>

namespace firmware {

inline auto reg(std::uint32_t address) -> volatile std::uint32_t& { return *reinterpret_cast<volatile std::uint32_t*>(address); }

/// Starts SysTick with an interrupt every `ticks` ticks of the processor's clock.
inline void start_ticks(std::uint32_t ticks) {
  reg(0xE000E014) = ticks - 1;
  reg(0xE000E018) = 0;
  reg(0xE000E010) = 7;
}
inline void stop_ticks() {
  reg(0xE000E010) = 0;
  asm volatile("dsb\n isb" : : : "memory");
}

}  // namespace firmware

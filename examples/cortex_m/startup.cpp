// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// From reset to main() on a Cortex-M. Neither stdio nor a heap: nothing here gives malloc memory, so that an image which wants some does
// not link. What is weak may be defined anew elsewhere, as emulated.cpp does.
#include <cstdint>

extern "C" {

// The linker script's marks.
extern std::uint32_t stack_top;
extern const std::uint32_t data_load;
extern std::uint32_t data_begin;
extern std::uint32_t data_end;
extern std::uint32_t bss_begin;
extern std::uint32_t bss_end;
extern void (*const constructors_begin)();
extern void (*const constructors_end)();

// C++ forbids calling main by its name.
int program() asm("main");

// Before the constructors; when main is done, with its result, or after a fault, with 99; at each round of SysTick.
[[gnu::weak]] void on_start() {}
[[gnu::weak, noreturn]] void on_end(int) {
  for (;;) {
  }
}
[[gnu::weak]] void tick_handler() {}

[[noreturn]] void fault_handler() { on_end(99); }

[[noreturn]] void reset_handler() {
#if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
  // The floating-point unit, and with it the vectors of Helium, is off at reset; nothing before this may use it.
  volatile std::uint32_t& coprocessor_access = *reinterpret_cast<volatile std::uint32_t*>(0xE000ED88);
  coprocessor_access = coprocessor_access | (0xFu << 20);
  asm volatile("dsb\n isb" : : : "memory");
#endif
#if defined(__ARM_FEATURE_MVE)
  // The loop cache: low-overhead loops work without it, but slowly.
  volatile std::uint32_t& configuration = *reinterpret_cast<volatile std::uint32_t*>(0xE000ED14);
  configuration = configuration | (1u << 19);
#endif
  // By <, for marks can be at one address, of which != on two objects knows nothing: Clang takes it for true.
  const auto* from = &data_load;
  for (volatile auto* to = &data_begin; to < &data_end; ++to) *to = *from++;
  for (volatile auto* to = &bss_begin; to < &bss_end; ++to) *to = 0;
  on_start();
  for (const auto* constructor = &constructors_begin; constructor < &constructors_end; ++constructor) (*constructor)();
  on_end(program());
}

union vector {
  std::uint32_t* stack;
  void (*handler)();
};

// The stack, reset, the faults, and the tick; no other interrupt is ever enabled.
[[gnu::section(".vectors"), gnu::used]] const vector vectors[16] = {
    {.stack = &stack_top},      {.handler = reset_handler}, {.handler = fault_handler}, {.handler = fault_handler},
    {.handler = fault_handler}, {.handler = fault_handler}, {.handler = fault_handler}, {.handler = fault_handler},
    {.handler = fault_handler}, {.handler = fault_handler}, {.handler = fault_handler}, {.handler = fault_handler},
    {.handler = fault_handler}, {.handler = fault_handler}, {.handler = fault_handler}, {.handler = tick_handler},
};
}

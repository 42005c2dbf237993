// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Start-up code of a Cortex-M, from reset to main(). Provides neither stdio nor a heap, so that an image that uses malloc does not link.
// Other files may redefine the weak functions, as emulated.cpp does.
#include <cstdint>

extern "C" {

// Symbols of the linker script.
extern std::uint32_t stack_top;
extern const std::uint32_t data_load;
extern std::uint32_t data_begin;
extern std::uint32_t data_end;
extern std::uint32_t bss_begin;
extern std::uint32_t bss_end;
extern void (*const constructors_begin)();
extern void (*const constructors_end)();

// An alias, because C++ does not allow calls of main.
int program() asm("main");

// Called before the constructors.
[[gnu::weak]] void on_start() {}
// Called with the result of main, or with 99 after a fault.
[[gnu::weak, noreturn]] void on_end(int) {
  for (;;) {
  }
}
// Called when SysTick reaches zero.
[[gnu::weak]] void tick_handler() {}

[[noreturn]] void fault_handler() { on_end(99); }

[[noreturn]] void reset_handler() {
#if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
  // Enables the floating-point unit and Helium, which are off at reset. No code before this may use them.
  volatile std::uint32_t& coprocessor_access = *reinterpret_cast<volatile std::uint32_t*>(0xE000ED88);
  coprocessor_access = coprocessor_access | (0xFu << 20);
  asm volatile("dsb\n isb" : : : "memory");
#endif
#if defined(__ARM_FEATURE_MVE)
  // Enables the loop cache, because low-overhead loops are slow without it.
  volatile std::uint32_t& configuration = *reinterpret_cast<volatile std::uint32_t*>(0xE000ED14);
  configuration = configuration | (1u << 19);
#endif
  // Uses <, because two symbols may have the same address. Clang assumes that != of two different objects is true.
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

// The stack, reset, faults and SysTick. No other interrupt is enabled.
[[gnu::section(".vectors"), gnu::used]] const vector vectors[16] = {
    {.stack = &stack_top},      {.handler = reset_handler}, {.handler = fault_handler}, {.handler = fault_handler},
    {.handler = fault_handler}, {.handler = fault_handler}, {.handler = fault_handler}, {.handler = fault_handler},
    {.handler = fault_handler}, {.handler = fault_handler}, {.handler = fault_handler}, {.handler = fault_handler},
    {.handler = fault_handler}, {.handler = fault_handler}, {.handler = fault_handler}, {.handler = tick_handler},
};
}

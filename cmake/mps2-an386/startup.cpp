// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// From reset to main() on a Cortex-M4 under QEMU, and out again by semihosting: main's result is QEMU's exit status.
#include <cstdint>
#include <cstdlib>

extern "C" {

// The linker script's marks.
extern std::uint32_t stack_top;
extern std::uint32_t data_begin;
extern std::uint32_t data_end;
extern const std::uint32_t data_load;
extern std::uint32_t __bss_start__;
extern std::uint32_t __bss_end__;

// The C library's.
void initialise_monitor_handles();
void __libc_init_array();
void _init() {}
void _fini() {}

// C++ forbids calling main by its name.
int program() asm("main");

// In place of the C library's last step, which on this core forgets the status.
[[noreturn]] void __wrap__exit(int status) {
  constexpr std::uint32_t sys_exit_extended = 0x20;
  constexpr std::uint32_t application_exit = 0x20026;
  const std::uint32_t block[2] = {application_exit, static_cast<std::uint32_t>(status)};
  asm volatile("mov r0, %0\n mov r1, %1\n bkpt 0xab" : : "r"(sys_exit_extended), "r"(block) : "r0", "r1", "memory");
  for (;;) {
  }
}

[[noreturn]] void fault_handler() { __wrap__exit(99); }

[[noreturn]] void reset_handler() {
  // The floating-point unit is off at reset; nothing before this may use it.
  volatile std::uint32_t& coprocessor_access = *reinterpret_cast<volatile std::uint32_t*>(0xE000ED88);
  coprocessor_access = coprocessor_access | (0xFu << 20);
  asm volatile("dsb\n isb" : : : "memory");
  const std::uint32_t* from = &data_load;
  for (std::uint32_t* to = &data_begin; to != &data_end; ++to) *to = *from++;
  for (std::uint32_t* to = &__bss_start__; to != &__bss_end__; ++to) *to = 0;
  initialise_monitor_handles();
  __libc_init_array();
  std::exit(program());
}

union vector {
  std::uint32_t* stack;
  void (*handler)();
};

// The stack, reset, and the faults; no interrupt is ever enabled.
[[gnu::section(".vectors"), gnu::used]] const vector vectors[16] = {
    {.stack = &stack_top},      {.handler = reset_handler}, {.handler = fault_handler}, {.handler = fault_handler},
    {.handler = fault_handler}, {.handler = fault_handler}, {.handler = fault_handler},
};
}

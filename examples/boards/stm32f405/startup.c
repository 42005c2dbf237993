/* SPDX-FileCopyrightText: The Baton authors
 * SPDX-License-Identifier: Apache-2.0
 * Start-up code of an STM32F405: vectors, .data, .bss, constructors, main(). In your project, use that of STM32CubeMX. */
#include <stdint.h>

extern uint32_t _estack, _sidata, _sdata, _edata, _sbss, _ebss;
extern void (*const __init_array_start[])(void);
extern void (*const __init_array_end[])(void);
int main(void);

static void Default_Handler(void) {
  for (;;) {
  }
}

__attribute__((noreturn)) void Reset_Handler(void) {
  /* Enables the floating-point unit, which is off at reset. */
  *(volatile uint32_t*)0xE000ED88 |= 0xFu << 20;
  __asm volatile("dsb\n isb" ::: "memory");
  const uint32_t* from = &_sidata;
  for (volatile uint32_t* to = &_sdata; to < &_edata; ++to) *to = *from++;
  for (volatile uint32_t* to = &_sbss; to < &_ebss; ++to) *to = 0;
  for (void (*const* constructor)(void) = __init_array_start; constructor < __init_array_end; ++constructor) (*constructor)();
  main();
  Default_Handler();
  __builtin_unreachable();
}

/* The stack, reset, and the exceptions of the core. No interrupt is enabled. */
__attribute__((section(".isr_vector"), used)) static const uintptr_t vectors[16] = {
    (uintptr_t)&_estack,         (uintptr_t)Reset_Handler,   (uintptr_t)Default_Handler, (uintptr_t)Default_Handler,
    (uintptr_t)Default_Handler, (uintptr_t)Default_Handler, (uintptr_t)Default_Handler, 0,
    0,                           0,                          0,                          (uintptr_t)Default_Handler,
    (uintptr_t)Default_Handler, 0,                          (uintptr_t)Default_Handler, (uintptr_t)Default_Handler,
};

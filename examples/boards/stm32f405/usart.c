/* SPDX-FileCopyrightText: The Baton authors
 * SPDX-License-Identifier: Apache-2.0
 * Registers and bits: RM0090, the reference manual of the STM32F405. */
#include "usart.h"

#include <stdint.h>

static volatile uint32_t* at(uint32_t address) { return (volatile uint32_t*)address; }

enum { rcc = 0x40023800, gpio_a = 0x40020000, usart_1 = 0x40011000 };

void usart_init(void) {
  *at(rcc + 0x30) |= 1u;                                       /* AHB1ENR: the clock of port A */
  *at(rcc + 0x44) |= 1u << 4;                                  /* APB2ENR: the clock of USART1 */
  *at(gpio_a + 0x00) = (*at(gpio_a) & ~(3u << 18)) | 2u << 18; /* MODER: PA9 has an alternate function */
  *at(gpio_a + 0x24) = (*at(gpio_a + 0x24) & ~0xF0u) | 0x70u;  /* AFRH: which is USART1_TX */
  *at(usart_1 + 0x08) = (16000000u + 57600u) / 115200u;        /* BRR, for the internal oscillator of 16 MHz */
  *at(usart_1 + 0x0C) = 1u << 13 | 1u << 3;                    /* CR1: enable, and transmit */
}

void usart_print(const char* text) {
  for (; *text != '\0'; ++text) {
    while ((*at(usart_1) & 1u << 7) == 0) {
    } /* SR: the data register is full */
    *at(usart_1 + 0x04) = (uint8_t)*text;
  }
}

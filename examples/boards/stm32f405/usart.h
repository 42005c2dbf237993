/* SPDX-FileCopyrightText: The Baton authors
 * SPDX-License-Identifier: Apache-2.0
 * Text on USART1, on pin PA9. In your project, use HAL_UART_Transmit. For C and C++. */
#ifndef USART_H
#define USART_H

#ifdef __cplusplus
extern "C" {
#endif

/* Sets 115,200 baud, for the clock after reset. */
void usart_init(void);
void usart_print(const char* text);

#ifdef __cplusplus
}
#endif

#endif

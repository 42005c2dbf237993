// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Recognizes a drawn digit, and prints it. Your sensor fills the pixels instead.
#include "digits.hpp"
#include "seven.h"
#include "stm32f405/usart.h"

#include <algorithm>
#include <array>
#include <cstdint>

extern "C" std::uint32_t arena_begin[];
extern "C" std::uint32_t arena_end[];

int main() {
  // Start-up code clears only .bss.
  for (auto* word = arena_begin; word < arena_end; ++word) *word = 0;
  usart_init();

  std::array<std::int8_t, digits::input_0::size> pixels;
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = drawn_seven[i] == ' ' ? -128 : 127;
  std::array<std::int8_t, digits::output_0::size> scores;
  digits::run(pixels, scores);

  const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
  const char digit[] = {static_cast<char>('0' + best), '\n', '\0'};
  usart_print("it is a ");
  usart_print(digit);
  for (;;) {
  }
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Recognizes a drawn digit, and prints it. Your sensor fills the pixels instead.
#include "digits.hpp"
#include "seven.h"

#include <pico/stdlib.h>
#include <algorithm>
#include <cstdio>

int main() {
  stdio_init_all();
  std::transform(drawn_seven, drawn_seven + digits::input_0::size, digits::input_0::data().begin(),
                 [](char pixel) { return pixel == ' ' ? -128 : 127; });
  digits::run();
  const auto scores = digits::output_0::data();
  const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
  for (;;) {
    std::printf("it is a %d\n", static_cast<int>(best));
    sleep_ms(1000);
  }
}

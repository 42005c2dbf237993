// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Calls a model that another translation unit owns, so this file compiles in a fifth of a second. It is built with the pair of files in
// by_hand/, and with the pair of files that the CMake function baton_model() generates.
#include "../digits/seven.h"
#include "digits.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>

// A seven, 8 by 8 pixels from -128 to 127.
auto seven() -> std::array<std::int8_t, 64> {
  std::array<std::int8_t, 64> image{};
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<std::int8_t>(drawn_seven[i] == ' ' ? -128 : 127);
  return image;
}

auto main() -> int {
  std::array<std::int8_t, 10> scores{};
  if (digits::run(seven(), scores) != baton::status::ok) return 1;
  std::printf("it is a %d\n", static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin()));
}

// Output:
// it is a 7

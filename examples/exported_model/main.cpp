// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Calls a model from torch.export. One line of CMake embeds the file and writes digits.hpp: baton_model(firmware digits.pt2).
// examples/digits/export.py trains, quantizes and saves it. With PARTITION_FIRST, a backend computes nodes as exported.
#include "../digits/seven.h"
#include "digits.hpp"
#include "digits_with_unit.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>

// A seven, 8 by 8 pixels from 0 to 1.
auto seven() -> std::array<float, 64> {
  std::array<float, 64> image{};
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = drawn_seven[i] == ' ' ? 0.0F : 1.0F;
  return image;
}

auto main() -> int {
  std::array<float, 10> scores{};
  digits::run(seven(), scores);
  std::printf("it is a %d; arena %zu bytes\n", static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin()),
              digits::arena_bytes());
  std::array<float, 10> with_unit{};
  if (digits_with_unit::run(seven(), with_unit) != baton::status::ok) return 1;
  std::printf("with the unit: %s scores\n", with_unit == scores ? "the same" : "other");
}

// Output:
// it is a 7; arena 640 bytes
// with the unit: the same scores

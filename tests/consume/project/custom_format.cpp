// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A caller of a model in a custom format.
#include "additions.hpp"

#include "models.hpp"

#include <array>

auto custom_format_is_right() -> bool {
  static_assert(additions::input_0::size == 2);
  std::array<float, 2> sums{};
  additions::run(std::array<float, 2>{1, 20}, sums);
  return sums == std::array<float, 2>{2, 40};
}

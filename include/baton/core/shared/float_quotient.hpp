// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Division of floats that works in constant expressions.
#pragma once

#include <baton/core/config.hpp>

#include <algorithm>
#include <type_traits>

namespace baton {

/// Returns `real / scale`. In a constant expression, an overflow of float is an error. Therefore, a constant expression computes the
/// quotient in double, and clamps it to ±1e30. Within these bounds, the result is the same float as at run time.
constexpr auto float_quotient(float real, float scale) -> float {
  if (!std::is_constant_evaluated()) return real / scale;
  if (real != real) return real;
  constexpr double max_quotient = 1e30;
  return static_cast<float>(std::clamp(static_cast<double>(real) / static_cast<double>(scale), -max_quotient, max_quotient));
}

}  // namespace baton

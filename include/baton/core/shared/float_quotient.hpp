// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Division of floats that a constant can do.
#pragma once

#include <baton/core/config.hpp>

#include <algorithm>
#include <type_traits>

namespace baton {

/// A quotient of floats; a constant must not overflow, and has the largest numbers of a double cut, which rounds to the same floats.
constexpr auto float_quotient(float real, float scale) -> float {
  if (!std::is_constant_evaluated()) return real / scale;
  if (real != real) return real;
  constexpr double most = 1e30;
  return static_cast<float>(std::clamp(static_cast<double>(real) / static_cast<double>(scale), -most, most));
}

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Quantization of one number with ties to even.
#pragma once

#include <baton/core/affine.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace baton {

/// Rounds `steps` half to even, adds `zero_point`, and clamps the sum to the range of `T`. `steps` is a real number divided by the scale.
/// NaN becomes `zero_point`. ONNX's `QuantizeLinear` and PyTorch's `quantize_per_tensor` are defined in this way; `quantize` of
/// `core/affine.hpp` rounds half away from zero. The result does not depend on the rounding mode.
template <quantized_integer T, std::floating_point Real>
constexpr auto quantize_to_even(Real steps, std::int64_t zero_point) -> T {
  using whole_type = std::conditional_t<sizeof(T) < 4, std::int32_t, std::int64_t>;
  constexpr auto max_steps = static_cast<Real>(std::numeric_limits<whole_type>::max() / 2 + 1);  // a power of two
  const Real clamped = steps >= max_steps ? max_steps : steps <= -max_steps ? -max_steps : steps == steps ? steps : Real{0};
  const auto whole = static_cast<whole_type>(clamped);
  const Real remainder = clamped - static_cast<Real>(whole);  // exact
  const Real distance = remainder < 0 ? -remainder : remainder;
  const Real half = static_cast<Real>(0.5);
  const bool rounds_away_from_zero = distance > half || (distance == half && whole % 2 != 0);
  const auto rounded = std::int64_t{whole} + (!rounds_away_from_zero ? 0 : remainder < 0 ? -1 : 1) + zero_point;
  return static_cast<T>(std::clamp<std::int64_t>(rounded, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

/// Same as the overload above, with `steps` = `real` / `scale`, computed in double. `scale` must be positive.
template <quantized_integer T>
constexpr auto quantize_to_even(double real, float scale, std::int64_t zero_point) -> T {
  if (real != real) return quantize_to_even<T>(0.0, zero_point);
  // Prevents a quotient that overflows, which would be an error in a constant expression.
  return quantize_to_even<T>(std::clamp(real, -1e200, 1e200) / static_cast<double>(scale), zero_point);
}

}  // namespace baton

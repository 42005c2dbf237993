// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Affine quantization of one number: real = scale · (integer − zero point).
#pragma once

#include <baton/core/shared/float_quotient.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace baton {

/// The integer types of quantized numbers: signed integers of 8, 16 and 32 bits, and `std::uint8_t`. Both `int` and `long` are accepted if
/// they have 32 bits, because `std::int32_t` may be either. `char`, `wchar_t` and `bool` are excluded.
template <class T>
concept quantized_integer = (std::signed_integral<T> && (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4) && !std::same_as<T, char> &&
                             !std::same_as<T, wchar_t>) ||
                            std::same_as<T, std::uint8_t>;

/// Returns round(real / scale) + zero_point, clamped to the range of `T`. Computes the quotient in float, and rounds it to the nearest
/// integer, halves away from zero, like `AffineQuantize` of TensorFlow Lite's reference kernels. Two cases that `AffineQuantize` leaves
/// undefined are defined here: a quotient that does not fit in 32 bits is clamped, and NaN becomes `zero_point`. `scale` must not be 0.
template <quantized_integer T>
constexpr auto quantize(float real, float scale, std::int64_t zero_point) -> T {
  using whole_type = std::conditional_t<sizeof(T) < 4, std::int32_t, std::int64_t>;
  constexpr auto max_steps = static_cast<float>(std::numeric_limits<whole_type>::max() / 2 + 1);  // a power of two, exact in float
  const float steps = float_quotient(real, scale);
  const float clamped = steps >= max_steps ? max_steps : steps <= -max_steps ? -max_steps : steps == steps ? steps : 0.0f;
  // Truncates the quotient and compares the exact remainder with 0.5. Adding 0.5 to the quotient instead would round a second time.
  const auto whole = static_cast<whole_type>(clamped);
  const float remainder = clamped - static_cast<float>(whole);
  const auto quantized = std::int64_t{whole} + (remainder >= 0.5f ? 1 : remainder <= -0.5f ? -1 : 0) + zero_point;
  return static_cast<T>(std::clamp<std::int64_t>(quantized, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

/// Returns the real number scale · (integer − zero_point), rounded to float. Matches `Dequantize` of TensorFlow Lite's reference kernels,
/// which multiply in double. For types of up to 16 bits, a multiplication in float gives the same value.
template <quantized_integer T>
constexpr auto dequantize(T integer, float scale, std::int64_t zero_point) -> float {
  const auto steps = std::int64_t{integer} - zero_point;
  if constexpr (sizeof(T) < 4) return scale * static_cast<float>(steps);
  return static_cast<float>(static_cast<double>(scale) * static_cast<double>(steps));
}

}  // namespace baton

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

/// The types of integers that stand for real numbers: of 8, 16 and 32 bits, unsigned of 8, by whatever name (`std::int32_t` is `int` here
/// and `long` there). Characters and truth values are none.
template <class T>
concept quantized_integer = (std::signed_integral<T> && (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4) && !std::same_as<T, char> &&
                             !std::same_as<T, wchar_t>) ||
                            std::same_as<T, std::uint8_t>;

/// The integer that stands for a real number: round(real / scale) + zero point, cut to the type. The quotient is a float, rounded half away
/// from zero (`AffineQuantize` of TensorFlow Lite's reference kernels). What is undefined there: quotients beyond 32 bits are cut like
/// others, and what is no number becomes the zero point. The scale is not 0.
template <quantized_integer T>
constexpr auto quantize(float real, float scale, std::int64_t zero_point) -> T {
  using whole_type = std::conditional_t<sizeof(T) < 4, std::int32_t, std::int64_t>;
  constexpr auto most = static_cast<float>(std::numeric_limits<whole_type>::max() / 2 + 1);  // a power of two
  const float steps = float_quotient(real, scale);
  const float near = steps >= most ? most : steps <= -most ? -most : steps == steps ? steps : 0.0f;
  // Truncation and the exact rest in place of a sum with 0.5, which would round once more.
  const auto whole = static_cast<whole_type>(near);
  const float rest = near - static_cast<float>(whole);
  const auto moved = std::int64_t{whole} + (rest >= 0.5f ? 1 : rest <= -0.5f ? -1 : 0) + zero_point;
  return static_cast<T>(std::clamp<std::int64_t>(moved, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

/// The real number that an integer stands for: scale · (integer − zero point), rounded once to float (`Dequantize` of TensorFlow Lite's
/// reference kernels, whose product in double is the float one for types of up to 16 bits).
template <quantized_integer T>
constexpr auto dequantize(T integer, float scale, std::int64_t zero_point) -> float {
  const auto steps = std::int64_t{integer} - zero_point;
  if constexpr (sizeof(T) < 4) return scale * static_cast<float>(steps);
  return static_cast<float>(static_cast<double>(scale) * static_cast<double>(steps));
}

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The arithmetic of 8-bit operators: fixed-point multipliers, requantization, and the bounds of fused activations.
#pragma once

#include <baton/core/affine.hpp>
#include <baton/core/span.hpp>
#include <baton/operators/shared/rounding.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace baton::quantized {

/// The real factor value / 2^31 · 2^shift, represented as in TensorFlow Lite's reference kernels. `value` is in [2^30, 2^31) for a positive
/// factor, and in [-2^31, -2^30] for a negative one. `value` is 0 for a factor that is 0 or too small.
struct fixed_multiplier {
  std::int32_t value = 0;
  std::int32_t shift = 0;

  constexpr auto operator==(const fixed_multiplier&) const -> bool = default;
};

/// Returns the fixed multiplier nearest to a finite real factor, like TensorFlow Lite's `QuantizeMultiplier`. The fraction of `frexp` is
/// rounded to 31 bits, half away from zero. A fraction that rounds to 1 becomes 1/2, and the shift is incremented. A fraction that rounds
/// to -1 is kept, because the value -2^31 fits int32. If the shift is less than -31, the result is 0, as in TensorFlow Lite.
constexpr auto to_fixed(double real) -> fixed_multiplier {
  const auto bits = std::bit_cast<std::uint64_t>(real);
  const bool is_negative = bits >> 63 != 0;
  const auto mantissa = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  auto exponent = static_cast<std::int32_t>(bits >> 52 & 0x7ffu) - 1022;
  auto value = (mantissa + (1u << 21)) >> 22;
  if (value == std::uint64_t{1} << 31 && !is_negative) {
    value >>= 1;
    ++exponent;
  }
  if (exponent < -31) return {};
  return {static_cast<std::int32_t>(is_negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value)), exponent};
}

/// Multiplies `x` by the fixed multiplier `multiplier`. The result is the high half of the product, rounded. A positive `shift` shifts `x`
/// left before the multiplication. A negative `shift` shifts the high half right, which is a second rounding (gemmlowp; B. Jacob et al.,
/// Quantization and training of neural networks for efficient integer-arithmetic-only inference, 2018). Kernels that round once return
/// different results.
constexpr auto requantize(std::int32_t x, fixed_multiplier multiplier) -> std::int32_t {
  if (multiplier.shift >= 0) return high_multiply(shift_left(x, multiplier.shift), multiplier.value);
  if (multiplier.value != std::numeric_limits<std::int32_t>::min()) return requantize_right(x, multiplier.value, -multiplier.shift);
  // The product is -x, saturated. This product is shifted in 64 bits, because `rounding_shift_right` would overflow for INT32_MAX.
  const std::int64_t negated = high_multiply(x, multiplier.value);
  return static_cast<std::int32_t>((((negated + (negated >> 63)) >> (-multiplier.shift - 1)) + 1) >> 1);
}

/// The number of roundings of a requantization: `twice` in `requantize` (TensorFlow Lite), `once` in `requantize_once` (ONNX, PyTorch).
enum class rounding : std::int32_t { twice, once };

/// Multiplies `x` by the fixed multiplier `multiplier`. Rounds once, half up: floor((x · value + 2^(30 + r)) / 2^(31 + r)), where r is
/// -`shift`. Requires a shift from -31 to 30. Nothing overflows, because |x · value| <= 2^62.
constexpr auto requantize_once(std::int32_t x, fixed_multiplier multiplier) -> std::int64_t {
  return (static_cast<std::int64_t>(x) * multiplier.value + (std::int64_t{1} << (30 - multiplier.shift))) >> (31 - multiplier.shift);
}

/// The fused activations that all kernels of TensorFlow Lite support.
enum class activation : std::int32_t { none, relu, relu_n1_to_1, relu6, unknown };

/// Returns the activation with the name `name`, as in the attribute `fused_activation_function`. Returns `unknown` if no activation has
/// this name.
constexpr auto activation_of(std::string_view name) -> activation {
  if (name == "none") return activation::none;
  if (name == "relu") return activation::relu;
  if (name == "relu6") return activation::relu6;
  return name == "relu_n1_to_1" ? activation::relu_n1_to_1 : activation::unknown;
}

/// The closed interval of the values that an activation returns.
template <class T>
struct bounds {
  T lower{};
  T upper{};

  constexpr auto clamp(T x) const -> T { return x < lower ? lower : upper < x ? upper : x; }
  constexpr auto operator==(const bounds&) const -> bool = default;
};

/// Returns the bounds of float outputs. Without an activation, the bounds are the lowest and the greatest finite float, because the
/// reference kernels clamp infinities.
constexpr auto float_bounds(activation fused) -> bounds<float> {
  constexpr auto max = std::numeric_limits<float>::max();
  switch (fused) {
    case activation::relu:
      return {0.0f, max};
    case activation::relu6:
      return {0.0f, 6.0f};
    case activation::relu_n1_to_1:
      return {-1.0f, 1.0f};
    default:
      return {-max, max};
  }
}

/// Returns the bounds of quantized outputs with this scale and zero point (TensorFlow Lite's `CalculateActivationRangeQuantized`).
template <quantized_integer T>
constexpr auto quantized_bounds(activation fused, float scale, std::int32_t zero_point) -> bounds<std::int32_t> {
  const auto at = [&](float real) { return static_cast<std::int32_t>(quantize<T>(real, scale, zero_point)); };
  switch (fused) {
    case activation::relu:
      return {at(0.0f), std::numeric_limits<T>::max()};
    case activation::relu6:
      return {at(0.0f), at(6.0f)};
    case activation::relu_n1_to_1:
      return {at(-1.0f), at(1.0f)};
    default:
      return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
  }
}

/// Loads 32 bits in little-endian order. The function is one statement, so that it costs few steps in a constant expression.
constexpr auto little_endian_32(const char* at) -> std::uint32_t {
  return static_cast<std::uint32_t>(static_cast<unsigned char>(at[0])) |
         static_cast<std::uint32_t>(static_cast<unsigned char>(at[1])) << 8 |
         static_cast<std::uint32_t>(static_cast<unsigned char>(at[2])) << 16 |
         static_cast<std::uint32_t>(static_cast<unsigned char>(at[3])) << 24;
}
/// Loads element `element` of packed 32-bit little-endian numbers.
constexpr auto little_endian_32(span<const char> packed, std::size_t element) -> std::uint32_t {
  return little_endian_32(packed.data() + 4 * element);
}

}  // namespace baton::quantized

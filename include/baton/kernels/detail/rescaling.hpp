// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Conversion of quantized numbers to another scale, and access to elements of any integer type.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernels/detail/fixed_point.hpp>
#include <baton/kernels/detail/int4.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/rounding.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace baton::portable::detail {

/// Returns the range of a type from int8 to int64 or from uint8 to uint32, or {0, 1} for boolean. Returns {0, 0} for all other types.
constexpr auto limits_of(dtype type) -> quantized::bounds<std::int64_t> {
  switch (type) {
    case dtype::int8:
      return {INT8_MIN, INT8_MAX};
    case dtype::uint8:
      return {0, UINT8_MAX};
    case dtype::int16:
      return {INT16_MIN, INT16_MAX};
    case dtype::uint16:
      return {0, UINT16_MAX};
    case dtype::int32:
      return {INT32_MIN, INT32_MAX};
    case dtype::uint32:
      return {0, UINT32_MAX};
    case dtype::int64:
      return {INT64_MIN, INT64_MAX};
    case dtype::boolean:
      return {0, 1};
    default:
      return {};
  }
}

/// Returns element `i` of an array of integers or booleans. If `type` is a compile-time constant, a single load is compiled.
[[gnu::always_inline]] inline auto load_integer(dtype type, const char* from, std::ptrdiff_t i) -> std::int64_t {
  switch (type) {
    case dtype::int4:
      return load_int4(from, i);
    case dtype::int8:
      return load<std::int8_t>(from, i);
    case dtype::uint8:
      return load<std::uint8_t>(from, i);
    case dtype::int16:
      return load<std::int16_t>(from, i);
    case dtype::uint16:
      return load<std::uint16_t>(from, i);
    case dtype::int32:
      return load<std::int32_t>(from, i);
    case dtype::uint32:
      return load<std::uint32_t>(from, i);
    case dtype::int64:
      return load<std::int64_t>(from, i);
    default:
      return load<std::uint8_t>(from, i) != 0 ? 1 : 0;
  }
}

/// Stores the lowest bits of `number` as element `i` of an array of integers. In an array of booleans, stores 0 if `number` is 0, otherwise
/// 1.
[[gnu::always_inline]] inline void store_integer(dtype type, char* to, std::ptrdiff_t i, std::int64_t number) {
  switch (type) {
    case dtype::int8:
    case dtype::uint8:
      return store(to, i, static_cast<std::uint8_t>(number));
    case dtype::int16:
    case dtype::uint16:
      return store(to, i, static_cast<std::uint16_t>(number));
    case dtype::int32:
    case dtype::uint32:
      return store(to, i, static_cast<std::uint32_t>(number));
    case dtype::int64:
      return store(to, i, number);
    default:
      return store(to, i, static_cast<std::uint8_t>(number != 0 ? 1 : 0));
  }
}

/// A quantized operand: its zero point, and its factor to another scale.
struct scaled_operand {
  std::int32_t zero_point = 0;
  quantized::fixed_multiplier by{};
};

/// Returns `real` as a fixed multiplier. Refuses the node unless 0 < `real` < 1, because the reference supports only right shifts here.
constexpr auto factor_below_one(node_check& check, double real, std::string_view name) -> quantized::fixed_multiplier {
  check.demand(real > 0 && real < 1, "scale ratio is out of range for ", name);
  return quantized::to_fixed(real);
}
/// Returns `real` as a fixed multiplier. Refuses the node if the multiplier needs a left shift of more than 30 bits.
constexpr auto factor(node_check& check, double real, std::string_view name) -> quantized::fixed_multiplier {
  const auto result = quantized::to_fixed(real);
  return check.demand(result.shift <= 30, "scale ratio is out of range for ", name) ? result : quantized::fixed_multiplier{};
}

/// The conversion of quantized numbers to another scale.
struct rescaling {
  std::int32_t from = 0;  ///< the zero point of the input
  std::int32_t to = 0;    ///< the zero point of the output
  quantized::fixed_multiplier by{};
  quantized::bounds<std::int32_t> range{};  ///< the range of the output minus its zero point
};

/// Returns the rescaling by factor `real`, from zero point `from` to zero point `to`, to outputs in `range`. A left shift saturates if it
/// overflows; the reference drops the upper bits.
constexpr auto make_rescaling(std::int32_t from, double real, std::int32_t to, quantized::bounds<std::int64_t> range) -> rescaling {
  auto multiplier = quantized::to_fixed(real);
  if (multiplier.shift > 31) multiplier.shift = 31;
  constexpr auto beyond = std::int64_t{1} << 33;  // exceeds the difference of any two int32 numbers
  const auto lower = std::max<std::int64_t>(std::max(range.lower, -beyond) - to, std::numeric_limits<std::int32_t>::min());
  const auto upper = std::min<std::int64_t>(std::min(range.upper, beyond) - to, std::numeric_limits<std::int32_t>::max());
  return {from, to, multiplier, {static_cast<std::int32_t>(lower), static_cast<std::int32_t>(upper)}};
}

/// Returns `x` · `multiplier`, saturated. `multiplier` must not be negative. The zero point has already been subtracted from `x`.
[[gnu::always_inline]] constexpr auto scale_saturated(std::int32_t x, quantized::fixed_multiplier multiplier) -> std::int32_t {
  return multiplier.shift > 0 ? quantized::high_multiply(fixed_point::saturating_shift_left(x, multiplier.shift), multiplier.value)
                              : quantized::requantize(x, multiplier);
}

/// Converts an input to an output, like `Requantize` of TensorFlow Lite's `reference/requantize.h`. `difference` is the input minus its
/// zero point.
[[gnu::always_inline]] constexpr auto rescale(std::int32_t difference, const rescaling& with) -> std::int32_t {
  return with.range.clamp(scale_saturated(difference, with.by)) + with.to;
}

}  // namespace baton::portable::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The compile-time plan of an element-wise function of two operands: types, factors and bounds.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/float_quotient.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/detail/broadcasting.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/elements.hpp>
#include <baton/kernels/detail/fixed_point.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/multi_kind_kernel.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/detail/rescaling.hpp>
#include <baton/kernels/detail/to_even.hpp>
#include <baton/kernels/node_check.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace baton::portable::detail {

/// The functions, in the order of `pairwise::operators`. That list ends with `baton.add`, `baton.sub` and `baton.mul`, which compute the
/// first three functions.
enum class pair_function : std::int32_t {
  add,
  sub,
  mul,
  div,
  maximum,
  minimum,
  squared_difference,
  floor_div,
  floor_mod,
  prelu,
  bitwise_xor,
  right_shift,
  count
};

/// The kind of a node, which selects its code.
struct pair_kind {
  pair_function function = pair_function::add;
  std::int32_t type = 0;  ///< the `dtype` of the first operand

  constexpr auto operator==(const pair_kind&) const -> bool = default;
};

/// The compile-time plan of an element-wise function of two operands.
struct pairing {
  pair_kind kind{};
  broadcast_loops<2> loops{};
  scaled_operand left{};
  scaled_operand right{};
  quantized::fixed_multiplier by{};  ///< the factor of the result
  std::int32_t zero_point = 0;
  quantized::bounds<std::int32_t> range{};  ///< the range of integer outputs
  quantized::activation fused = quantized::activation::none;
  quantized::rounding round = quantized::rounding::twice;  ///< the rounding of quantized products
  flag has_ties = 0;                                       ///< whether a product that is rounded once can be halfway between two integers
};
static_assert(has_no_padding<pairing>);

/// True if `function` supports `type`. For a type that TensorFlow Lite Micro does not support, the computation follows TensorFlow Lite
/// Micro's rule for another type.
constexpr auto supports(pair_function function, dtype type) -> bool {
  const bool is_wide = type == dtype::int32 || type == dtype::int64;
  const bool is_narrow = type == dtype::int8 || type == dtype::int16;
  switch (function) {
    case pair_function::add:
    case pair_function::sub:
    case pair_function::mul:
    case pair_function::maximum:
    case pair_function::minimum:
      return type == dtype::float32 || is_narrow || is_wide;
    case pair_function::div:
      return type == dtype::float32 || type == dtype::int8 || type == dtype::int32;
    case pair_function::squared_difference:
      return type == dtype::float32 || is_narrow || type == dtype::int32;
    case pair_function::floor_div:
    case pair_function::floor_mod:
      return type == dtype::float32 || is_wide;
    case pair_function::prelu:
      return type == dtype::float32 || is_narrow;
    default:
      return is_narrow || type == dtype::int32 || type == dtype::uint8 || type == dtype::uint16 || type == dtype::uint32;
  }
}

/// Returns the number of bits by which the inputs of a sum, difference or squared difference, minus their zero points, are shifted left
/// before scaling. The shift preserves precision.
constexpr auto headroom_of(pair_function function, dtype type) -> std::int32_t {
  if (function == pair_function::squared_difference) return type == dtype::int16 ? 0 : 7;
  return type == dtype::int16 ? 15 : 20;
}

/// Returns the float nearest to `real`. Requires that `real` is positive and in the range of float.
constexpr auto to_float(node_check& check, double real) -> float {
  return check.demand(real <= static_cast<double>(std::numeric_limits<float>::max()) && real > 1e-45, "scale ratio is out of range")
             ? static_cast<float>(real)
             : 1.0f;
}

/// The factors of two operands and of the result.
struct pair_factors {
  quantized::fixed_multiplier left{};
  quantized::fixed_multiplier right{};
  quantized::fixed_multiplier result{};
};

/// Returns the factors of a sum, difference or squared difference. Both operands are rescaled to twice the larger of their scales
/// (TensorFlow Lite Micro's add_common.cc, sub_common.cc and squared_difference.cc).
constexpr auto factors_of_sum(node_check& check, pair_function function, dtype type, double left, double right, float out) -> pair_factors {
  const auto shift = headroom_of(function, type);
  const auto twice = 2 * std::max(left, right);
  const auto l = factor_below_one(check, left / twice, "the first input");
  const auto r = factor_below_one(check, right / twice, "the second input");
  if (function == pair_function::squared_difference) {
    const auto divisor = to_float(check, static_cast<double>(out) * (1 << 2 * shift));
    return {l, r, factor(check, twice * twice / static_cast<double>(divisor), "the result")};
  }
  return {l, r, factor(check, twice / ((1 << shift) * static_cast<double>(out)), "the result")};
}

/// Returns the factors of a quantized function (TensorFlow Lite Micro's mul_common.cc, div.cc and prelu_common.cc).
constexpr auto factors_of(node_check& check, pair_function function, dtype type, float left, float right, float out) -> pair_factors {
  const auto l = static_cast<double>(left);
  const auto r = static_cast<double>(right);
  const auto o = static_cast<double>(out);
  switch (function) {
    case pair_function::mul:
      return {{}, {}, factor(check, l * r / o, "the product")};
    case pair_function::div: {
      const auto divisor = to_float(check, r * o);
      const auto quotient = quantized::to_fixed(static_cast<double>(baton::float_quotient(left, divisor)));
      // `quantized_quotient` first shifts the numerator left, by at least 23 bits. So its final shift is to the right or 0.
      check.demand(quotient.shift <= 23, "scale ratio is out of range for the quotient");
      return {{}, {}, quotient};
    }
    case pair_function::prelu:
      return {factor(check, l / o, "the input"), {}, factor(check, l * r / o, "the product")};
    default:
      return factors_of_sum(check, function, type, l, r, out);
  }
}

/// True if a function interprets 8-bit and 16-bit elements as quantized numbers. Other functions interpret them as integers, even if the
/// scales of the operands differ. The reference does the same for `maximum`.
constexpr auto has_scales(pair_function function) -> bool {
  return function <= pair_function::div || function == pair_function::squared_difference || function == pair_function::prelu;
}

/// Sets the factors, zero points and bounds of a quantized function.
constexpr void read_scales(node_check& check, pairing& plan, const operand& left, const operand& right, const operand& out) {
  const auto function = plan.kind.function;
  const auto l = check.per_tensor(left, "first input");
  const auto r = check.per_tensor(right, "second input");
  const auto o = check.per_tensor(out, "output");
  if (!check.ok()) return;
  const bool is_16 = left.type == dtype::int16;
  if (is_16 && (function == pair_function::mul || function == pair_function::squared_difference))
    check.demand(l.zero_point == 0 && r.zero_point == 0 && o.zero_point == 0, "an int16 zero point is not 0");
  const auto factors = factors_of(check, function, left.type, l.scale, r.scale, o.scale);
  plan.left = {l.zero_point, factors.left};
  plan.right = {r.zero_point, factors.right};
  plan.by = factors.result;
  plan.zero_point = o.zero_point;
  plan.range = fused_range(left.type, plan.fused, o);
  // The product of two int8 numbers, each minus its zero point, has a magnitude below 2^16. The product of two int16 numbers has a
  // magnitude of at most 2^30. So 2^15 and 2^30 are the largest powers of two that can divide a product other than 0.
  plan.has_ties = can_tie(plan.by, is_16 ? 30 : 15);
}

/// Returns the factor that two attributes state: a multiplier, which is 0 or at least 2^30, and a shift from -31 to `max_shift`.
constexpr auto stated_factor(node_check& check, literal_name multiplier, literal_name shift, std::int32_t max_shift)
    -> quantized::fixed_multiplier {
  const quantized::fixed_multiplier by{check.option(multiplier, 0, 0, INT32_MAX), check.option(shift, 0, -31, max_shift)};
  check.demand(by.value == 0 || by.value >= 1 << 30, multiplier.text, " is ", by.value, ", not a normalized fixed-point number");
  return by;
}

/// Sets the factors, zero points and bounds of a `baton` operator whose attributes state its factors.
constexpr void read_factors(node_check& check, pairing& plan, const operand& left, const operand& right, const operand& out) {
  check.demand(left.type == dtype::int8, "multipliers are only for int8, not for ", facts(left.type).name);
  check.demand(plan.fused == quantized::activation::none,
               "an operator with multipliers has no fused activation; use output_min and output_max");
  plan.left.zero_point = check.stated_zero_point(left, "first input", "first_zero_point");
  plan.right.zero_point = check.stated_zero_point(right, "second input", "second_zero_point");
  plan.zero_point = check.stated_zero_point(out, "output", "output_zero_point");
  // `mul` does not scale its operands. For the other functions, the shifts are at most 0, because a positive shift could overflow.
  if (plan.kind.function != pair_function::mul) {
    plan.left.by = stated_factor(check, "first_multiplier", "first_shift", 0);
    plan.right.by = stated_factor(check, "second_multiplier", "second_shift", 0);
  }
  plan.by = stated_factor(check, "output_multiplier", "output_shift", 30);
  plan.range = range_of(dtype::int8);
  plan.has_ties = can_tie(plan.by, 15);
}

/// Limits the outputs of a `baton` operator to [`output_min`, `output_max`].
constexpr void limit_outputs(node_check& check, dtype type, pairing& plan) {
  if (!check.has_limits()) return;
  const bool is_bounded = type != dtype::float32 && type != dtype::int64;
  if (check.demand(is_bounded, "output_min and output_max do not bound ", facts(type).name)) plan.range = check.limited(plan.range);
}

/// Returns the bounds of an int32 output that is not quantized (TensorFlow Lite's `CalculateActivationRange`).
constexpr auto integer_bounds(quantized::activation fused) -> quantized::bounds<std::int32_t> {
  switch (fused) {
    case quantized::activation::relu:
      return {0, std::numeric_limits<std::int32_t>::max()};
    case quantized::activation::relu6:
      return {0, 6};
    case quantized::activation::relu_n1_to_1:
      return {-1, 1};
    default:
      return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
  }
}

}  // namespace baton::portable::detail

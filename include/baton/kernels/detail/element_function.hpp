// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The compile-time plan of an element-wise function: scales, tables and bounds.
#pragma once

#include <baton/core/affine.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/detail/byte_table.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/elements.hpp>
#include <baton/kernels/detail/fixed_point.hpp>
#include <baton/kernels/detail/rescaling.hpp>
#include <baton/kernels/detail/sigmoid_table.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/int16_functions.hpp>
#include <baton/operators/shared/real_functions.hpp>
#include <baton/operators/shared/rounding.hpp>

#include <bit>
#include <cstdint>
#include <limits>

namespace baton::portable::detail {

/// The element-wise functions, in the order of `unary::operators`.
enum class function : std::int32_t {
  logistic,
  tanh,
  relu,
  relu6,
  relu_n1_to_1,
  relu_0_to_1,
  leaky_relu,
  elu,
  hard_swish,
  gelu,
  exp,
  log,
  sqrt,
  rsqrt,
  square,
  abs,
  neg,
  sin,
  cos,
  floor,
  ceil,
  round,
  sign,
  logical_not,
  count
};

/// The compile-time plan of an element-wise function.
struct element_function {
  function kind = function::abs;
  dtype type = dtype::float32;
  std::int32_t count = 1;
  bool is_approximate = false;  ///< for gelu: whether it is approximated with tanh
  bool is_negated = false;      ///< for leaky_relu: whether the slope is negative; `below` has the magnitude of the slope
  bool is_quantized = false;
  float alpha = 0;
  quantized::int16_factor position{};  ///< int16 logistic and tanh: the result of `int16_factor_of`
  rescaling with{};
  quantized::fixed_multiplier below{};  ///< for leaky_relu: the factor of negative numbers
  byte_table table{};
};

/// Returns `x` clamped to the finite floats and rounded to float.
constexpr auto float_near(double x) -> double {
  constexpr auto largest = static_cast<double>(std::numeric_limits<float>::max());
  return static_cast<double>(static_cast<float>(quantized::bounds<double>{-largest, largest}.clamp(x)));
}

/// Returns `real`, a ratio of scales, rounded to float as in the reference kernels of TensorFlow Lite. The check fails if the magnitude of
/// the ratio exceeds 2^30.
constexpr auto float_ratio(node_check& check, double real) -> double {
  constexpr auto largest = static_cast<double>(1 << 30);
  return check.demand(real <= largest && real >= -largest, "scale ratio is out of range") ? float_near(real) : 1.0;
}

/// Returns the base-2 logarithm of a scale, rounded to an integer, if the rounding changes the logarithm by less than 0.001. This is the
/// tolerance of the reference (`CheckedLog2`). For all other scales, returns 1, a result that no caller accepts.
constexpr auto log2_of(float scale) -> std::int32_t {
  const auto bits = std::bit_cast<std::uint32_t>(scale);
  const auto exponent = static_cast<std::int32_t>(bits >> 23) - 127;
  const auto fraction = std::bit_cast<float>((bits & 0x7fffffu) | 0x3f800000u);
  if (fraction < 1.000693f) return exponent;
  return fraction > 1.998614f ? exponent + 1 : 1;
}

/// Returns the factor that converts an int16 input of `logistic` or `tanh` to units of 1 / (3 · 4096) (`CalculateArithmeticOpData` of
/// `micro/kernels/{logistic_common,tanh}.cc`). If the scale is 2^k / 4096 with 0 <= k <= `max_shift`, the factor consists of the shift k
/// only.
constexpr auto int16_factor_of(node_check& check, float scale, std::int32_t max_shift) -> quantized::int16_factor {
  const auto power = log2_of(scale) + 12;
  if (power >= 0 && power <= max_shift) return {0, power};
  auto real = static_cast<double>(scale) * 4096.0 * 3.0;
  if (!check.demand(real < 32768, "the input's scale is too large")) return {};
  quantized::int16_factor by;
  for (; real <= 32767.0 / 2.0 && by.shift <= 30; real *= 2) ++by.shift;
  by.value = static_cast<std::int32_t>(real);
  check.demand(by.value > 0, "the input's scale is too small");
  return by;
}

/// True if the 8-bit table of a function is computed with real numbers, not in fixed point.
constexpr auto has_real_table(function kind) -> bool {
  return kind == function::elu || kind == function::gelu || kind == function::exp || kind == function::log || kind == function::sqrt;
}

/// Returns the 8-bit `sqrt` of the real number `x`, rounded toward zero (`SqrtEvalQuantized` of `kernels/elementwise.cc`). If `x` is
/// negative, returns the square root of 0, whereas the reference fails at run time.
constexpr auto square_root_of(double x, affine to) -> std::int32_t {
  if (x <= 0) return to.zero_point;
  const auto root = float_near(real::square_root(static_cast<double>(static_cast<float>(x))));
  const auto steps = float_near(root / static_cast<double>(to.scale));
  return to.zero_point + (steps >= 65536 ? 65536 : static_cast<std::int32_t>(steps));
}

/// Returns the value of a real function: `exp`, `log`, `elu`, `rsqrt` or `gelu`. `log` and `rsqrt` require a positive number.
constexpr auto real_value(function kind, bool is_approximate, double x) -> double {
  if (kind == function::exp) return real::exp(x < -100 ? -100 : x > 88 ? 88 : x);
  if (kind == function::log) return real::log(static_cast<double>(static_cast<float>(x)));
  if (kind == function::rsqrt) return 1 / float_near(real::square_root(static_cast<double>(static_cast<float>(x))));
  if (kind == function::elu) return x < 0 ? static_cast<double>(static_cast<float>(real::exp(x)) - 1.0f) : x;
  constexpr double root_half = 0.7071067811865476;
  constexpr double root_two_by_pi = 0.7978845608028654;
  // `near` is x clamped to [-16, 16], because the cube and `exp` of a larger number would overflow. The clamp does not change the result,
  // because far from 0, `gelu` is 0 or x.
  const auto near = x < -16 ? -16 : x > 16 ? 16 : x;
  return x / 2 * (1 + (is_approximate ? real::tanh(root_two_by_pi * (near + 0.044715 * near * near * near)) : real::erf(near * root_half)));
}

/// Returns the quantized value of a real function. `difference` is the input minus its zero point. As in the reference's tables, the value
/// is computed in floats and rounded half away from zero (`PopulateLookupTable` of `micro/kernels/elu.cc`, `LUTPopulate` of
/// `kernels/internal/common.h`). For the logarithm of zero or of a negative number, the result is below every output. The caller clamps
/// this result to the lowest output (`LogLUTPrepare` of `kernels/elementwise.cc`).
constexpr auto real_function(const element_function& plan, std::int32_t difference, affine from, affine to) -> std::int32_t {
  const auto x = float_near(static_cast<double>(from.scale) * difference);
  if (plan.kind == function::sqrt) return square_root_of(x, to);
  if (plan.kind == function::log && x <= 0) return to.zero_point - 65536;
  const auto y = real_value(plan.kind, plan.is_approximate, x);
  const auto steps = float_near(float_near(y) * float_near(1 / static_cast<double>(to.scale)));
  if (steps >= 65536) return to.zero_point + 65536;
  if (steps <= -65536) return to.zero_point - 65536;
  return static_cast<std::int32_t>(steps + (steps < 0 ? -0.5 : 0.5)) + to.zero_point;
}

/// The factors of 8-bit `hard_swish`. Each is a 16-bit multiplier and an exponent of two. `to_output` converts an input to the output's
/// scale. `to_reluish` converts an input to units of 3 / 32768, from which relu6(x + 3) / 6 is computed.
struct hard_swish_factors {
  quantized::fixed_multiplier to_output{};
  quantized::fixed_multiplier to_reluish{};
};

constexpr auto hard_swish_factor(node_check& check, double real) -> quantized::fixed_multiplier {
  const auto multiplier = quantized::to_fixed(float_ratio(check, real));
  const auto value =
      multiplier.value >= std::numeric_limits<std::int32_t>::max() - (1 << 15) ? 32767 : (multiplier.value + (1 << 15)) >> 16;
  check.demand(multiplier.shift >= -15, "scale ratio is out of range");
  return {value, multiplier.shift};
}

/// Returns a · b / 2^15 of 16-bit numbers, rounded half up: gemmlowp's `SaturatingRoundingDoublingHighMul` of int16.
constexpr auto high_multiply_16(std::int32_t a, std::int32_t b) -> std::int32_t {
  const auto product = a * b;
  return (product + (product >= 0 ? 1 << 14 : 1 - (1 << 14))) / (1 << 15);
}

/// Returns x · relu6(x + 3) / 6 in 16 bits, as in `HardSwish` of TensorFlow Lite's `reference/hard_swish.h`. The factor relu6(x + 3) / 6
/// is scaled to [0, 32767].
constexpr auto hard_swish_of(std::int32_t difference, const hard_swish_factors& by) -> std::int32_t {
  constexpr quantized::bounds<std::int32_t> int16_bounds{-32768, 32767};
  const auto fine = difference * 128;
  const auto output = high_multiply_16(fine, by.to_output.value);
  auto reluish = fine;
  if (by.to_reluish.shift > 0) {
    reluish = static_cast<std::int32_t>(quantized::bounds<std::int64_t>{-32768, 32767}.clamp(
        std::int64_t{reluish} << (by.to_reluish.shift > 16 ? 16 : by.to_reluish.shift - 1)));
  }
  reluish = high_multiply_16(reluish, by.to_reluish.value);
  if (by.to_reluish.shift > 0) reluish = int16_bounds.clamp(reluish * 2);
  if (by.to_reluish.shift < 0) reluish = quantized::rounding_shift_right(reluish, -by.to_reluish.shift);
  reluish = (reluish + (1 << 15)) >> 1;
  const auto product = reluish * output / (1 << 15);
  return by.to_output.shift == 0 ? product : quantized::rounding_shift_right(product, -by.to_output.shift);
}

/// Returns the 8-bit `rsqrt` of an input (`RsqrtEvalQuantized` of `micro/kernels/elementwise.cc`). `difference` is the input minus its zero
/// point. If the input is not positive, returns the largest output, whereas the reference fails at run time.
constexpr auto rsqrt_of(std::int32_t difference, const rescaling& with) -> std::int32_t {
  if (difference <= 0) return with.range.upper + with.to;
  const auto inverse_root = fixed_point::inverse_square_root(difference);
  const auto root = scale_saturated(1, {inverse_root.value, inverse_root.shift + 20});
  auto back = with.by;
  back.shift -= 20;
  return with.range.clamp(back.shift < -31 ? 0 : scale_saturated(root, back)) + with.to;
}

constexpr auto is_relu(function kind) -> bool {
  return kind == function::relu || kind == function::relu6 || kind == function::relu_n1_to_1 || kind == function::relu_0_to_1;
}

/// Returns the bounds of a relu, as real numbers. As in the reference, `relu` has no upper bound.
constexpr auto relu_bounds(function kind) -> quantized::bounds<float> {
  if (kind == function::relu6) return {0.0f, 6.0f};
  if (kind == function::relu_n1_to_1) return {-1.0f, 1.0f};
  if (kind == function::relu_0_to_1) return {0.0f, 1.0f};
  return {0.0f, std::numeric_limits<float>::infinity()};
}

/// Requires that the function supports the element type of `in`.
constexpr void check_type(node_check& check, function kind, const operand& in) {
  if (kind == function::logical_not) return check.is_one_of(in, {dtype::boolean}, "input");
  if (is_relu(kind) || kind == function::leaky_relu) {
    return check.is_one_of(in, {dtype::float32, dtype::int8, dtype::uint8, dtype::int16}, "input");
  }
  switch (kind) {
    case function::logistic:
    case function::tanh:
      return check.is_one_of(in, {dtype::float32, dtype::int8, dtype::int16}, "input");
    case function::elu:
    case function::exp:
    case function::log:
    case function::sqrt:
    case function::rsqrt:
      return check.is_one_of(in, {dtype::float32, dtype::int8}, "input");
    case function::hard_swish:
    case function::gelu:
      return check.is_one_of(in, {dtype::float32, dtype::int8, dtype::uint8}, "input");
    case function::abs:
      return check.is_one_of(in, {dtype::float32, dtype::int8, dtype::int16, dtype::int32}, "input");
    case function::neg:
    case function::sign:
      return check.is_one_of(in, {dtype::float32, dtype::int32}, "input");
    default:
      return check.is_one_of(in, {dtype::float32}, "input");
  }
}

/// Sets the factors between the scales of a function's input and output, computed in floats as in the reference.
constexpr void describe_scales(node_check& check, affine from, affine to, element_function& plan) {
  const auto scale = static_cast<double>(from.scale);
  const auto limits = limits_of(plan.type);
  auto range = limits;
  if (plan.kind == function::rsqrt) {
    const auto product = float_near(float_near(real::square_root(scale)) * static_cast<double>(to.scale));
    if (!check.demand(product > 1e-9, "scales are too small")) return;
    plan.with = make_rescaling(from.zero_point, 1 / product, to.zero_point, range);
    return;
  }
  if (is_relu(plan.kind)) {
    const auto cut = relu_bounds(plan.kind);
    const auto at = [&](float real) { return baton::quantize<std::int32_t>(real, to.scale, to.zero_point); };
    range = {limits.clamp(at(cut.lower)), plan.kind == function::relu ? limits.upper : limits.clamp(at(cut.upper))};
  }
  const auto ratio = scale / static_cast<double>(to.scale);
  plan.with = make_rescaling(from.zero_point, float_ratio(check, ratio), to.zero_point, range);
  if (plan.kind != function::leaky_relu) return;
  const auto real = float_ratio(check, float_near(static_cast<double>(plan.alpha) * scale) / static_cast<double>(to.scale));
  plan.is_negated = real < 0;
  plan.below = quantized::to_fixed(plan.is_negated ? -real : real);
}

/// Returns the output of a function that only rescales (`abs`, the relus and `leaky_relu`). `difference` is the input minus its zero point.
[[gnu::always_inline]] constexpr auto rescaled_function(const element_function& plan, std::int32_t difference) -> std::int32_t {
  if (plan.kind == function::abs && difference < 0) return rescale(-difference, plan.with);
  if (plan.kind != function::leaky_relu || difference >= 0) return rescale(difference, plan.with);
  const auto scaled = scale_saturated(difference, plan.below);
  // The negation of -2^31 does not fit int32.
  const auto negation = scaled == std::numeric_limits<std::int32_t>::min() ? std::numeric_limits<std::int32_t>::max() : -scaled;
  return plan.with.range.clamp(plan.is_negated ? negation : scaled) + plan.with.to;
}

constexpr void make_function_table(node_check& check, affine from, affine to, bool has_table, element_function& plan) {
  hard_swish_factors swish;
  if (plan.kind == function::hard_swish) {
    const auto fine = static_cast<double>(from.scale) / 128;
    swish = {hard_swish_factor(check, fine / static_cast<double>(to.scale)), hard_swish_factor(check, fine / (3.0 / 32768))};
    check.demand(swish.to_output.shift <= 0, "scale ratio is out of range");
  }
  if (!has_table || !check.ok()) return;
  if (plan.kind == function::logistic || plan.kind == function::tanh) {
    set_sigmoid_table(plan.table, from.scale, from.zero_point, plan.kind == function::tanh);
    return;
  }
  const auto limits = limits_of(plan.type);
  const auto lower = static_cast<std::int32_t>(limits.lower);
  for (std::int32_t x = lower; x < lower + 256; ++x) {
    const auto difference = x - from.zero_point;
    std::int32_t y = 0;
    switch (plan.kind) {
      case function::hard_swish:
        y = hard_swish_of(difference, swish) + to.zero_point;
        break;
      case function::elu:
      case function::gelu:
      case function::exp:
      case function::log:
      case function::sqrt:
        y = real_function(plan, difference, from, to);
        break;
      case function::rsqrt:
        y = rsqrt_of(difference, plan.with);
        break;
      default:
        y = rescaled_function(plan, difference);
    }
    plan.table.set(static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(limits.clamp(y)));
  }
}

constexpr void describe_quantized(node_check& check, const operand& in, const operand& out, bool has_table, element_function& plan) {
  const auto from = check.per_tensor(in, "input");
  const auto to = check.per_tensor(out, "output");
  const bool is_int16 = in.type == dtype::int16;
  if (plan.kind == function::logistic || plan.kind == function::tanh) {
    const bool is_tanh = plan.kind == function::tanh;
    if (is_int16) {
      check.demand(from.zero_point == 0 && to.zero_point == 0, "zero points of int16 are not 0");
      check.demand(log2_of(to.scale) == -15, "output does not have scale 1/32768");
      plan.position = int16_factor_of(check, from.scale, is_tanh ? 1 : 0);
      return;
    }
    check.demand(to.scale == (is_tanh ? 1.0f / 128 : 1.0f / 256) && to.zero_point == (is_tanh ? 0 : -128), "output does not have scale 1/",
                 is_tanh ? 128 : 256, " and zero point ", is_tanh ? 0 : -128);
  } else if (plan.kind != function::hard_swish && !has_real_table(plan.kind)) {
    describe_scales(check, from, to, plan);
  }
  if (!is_int16) make_function_table(check, from, to, has_table, plan);
}

}  // namespace baton::portable::detail

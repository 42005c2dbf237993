// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ExecuTorch's activations, mathematical functions and conversions by formulas. Comments list the arguments of an operator in
// parentheses after its name, in order.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_argument.hpp>
#include <baton/transform/detail/executorch_order.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_comparisons.hpp>
#include <baton/transform/detail/onnx_elementwise.hpp>
#include <baton/transform/detail/onnx_functions.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>

namespace baton::detail {

// Bounds

/// Replaces `aten.clamp.out` and `aten.hardtanh.out` (input, lower bound or `None`, upper bound or `None`).
constexpr void emit_aten_clamp(emission& emitter) {
  const auto type = emitter.output_type().type;
  const bool has_low = emitter.has_attribute("arg_1"), has_high = emitter.has_attribute("arg_2");
  if (emitter.record(emitter.operand(0)).type != type) return emitter.refuse("input and output have different types");
  if (type == dtype::float32) {
    if (has_low) emitter.set_attributes({{"min", emitter.real("arg_1")}});
    if (has_high) emitter.set_attributes({{"max", emitter.real("arg_2")}});
    return emit_clip(emitter);
  }
  const auto in = emitter.in(0);
  expression f(emitter);
  const auto low = has_low ? f.argument("low", whole_argument(emitter, "arg_1")) : none<value_id>;
  const auto high = has_high ? f.argument("high", whole_argument(emitter, "arg_2")) : none<value_id>;
  if (!has_low && !has_high) return emitter.forward(in);
  if (!has_high) return emitter.finish("tfl.maximum", {in, low});
  emitter.finish("tfl.minimum", {has_low ? f.call("raised", "tfl.maximum", {in, low}) : in, high});
}
/// Replaces `aten.clamp.Tensor_out` (input, lower bounds or `None`, upper bounds or `None`). The bounds are broadcast.
constexpr void emit_aten_clamp_by_tensors(emission& emitter) {
  const auto in = emitter.in(0);
  if (!emitter.has(1) && !emitter.has(2)) return emitter.forward(in);
  if (!emitter.has(2)) return emitter.finish("tfl.maximum", {in, emitter.in(1)});
  expression f(emitter);
  emitter.finish("tfl.minimum", {emitter.has(1) ? f.call("raised", "tfl.maximum", {in, emitter.in(1)}) : in, emitter.in(2)});
}

// Activations

/// Replaces `aten.elu.out` (input, alpha, scale, input scale). The result is x · scale if x > 0, else (exp(x · input scale) - 1) · alpha ·
/// scale.
constexpr void emit_aten_elu(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto alpha = emitter.real("arg_1", 1), scale = emitter.real("arg_2", 1), inner = emitter.real("arg_3", 1);
  if (!(inner >= 0)) return emitter.refuse("a negative input scale is not supported");
  if (alpha == 1 && scale == 1 && inner == 1) return emitter.finish("tfl.elu", {emitter.in(0)});
  finish_exponential(emitter, scale, alpha * scale, inner);
}
/// Replaces `aten.leaky_relu.out` (input, slope).
constexpr void emit_aten_leaky_relu(emission& emitter) {
  emitter.set_attributes({{"alpha", emitter.real("arg_1", 0.01)}});
  emit_leaky_relu(emitter);
}
/// Replaces `aten.glu.out` (input, dimension). The result is the first half of the input times the logistic function of the second half.
constexpr void emit_aten_glu(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto in = emitter.operand_in_file_layout(0);
  const auto rank = emitter.stored_type(in).rank;
  const auto axis = dimension_argument(emitter, "arg_1", rank, -1);
  if (emitter.is_refused()) return;
  const auto half = emitter.output_type();
  if (half.rank != rank || 2 * half.sizes[axis] != emitter.stored_type(in).sizes[axis])
    return emitter.refuse("the output is not half of the input");
  std::array<std::int64_t, tensor_type::max_rank> begin{};
  const auto size = emitter.integer_constant("size", half.shape());
  expression f(emitter, half, {});
  const auto first = f.call("first", "tfl.slice", {in, emitter.integer_constant("begin", {begin.data(), rank}), size});
  begin[axis] = half.sizes[axis];
  const auto second = f.call("second", "tfl.slice", {in, emitter.integer_constant("middle", {begin.data(), rank}), size});
  f.finish("tfl.mul", first, f.call("gate", "tfl.logistic", {second}));
}

// Functions

/// Replaces `aten.erf.out`. If |x| < 0.5, the result is 2 / sqrt(pi) · (x - x^3 / 3 + x^5 / 10 - x^7 / 42 + …), up to x^15. For other x,
/// the result is that of `emit_erf` (onnx_functions.hpp), whose absolute error is the rounding error of float32 numbers near 1.
constexpr void emit_aten_erf(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  constexpr double two_by_root_of_pi = 1.1283791670955126, limit = 0.5;
  // The divisors of the terms x^15 to x^3, each with the opposite sign of the term.
  constexpr double divisors[] = {75600, -9360, 1320, -216, 42, -10, 3};
  expression f(emitter);
  const auto x = emitter.in(0);
  const auto near =
      f.call("near", "tfl.minimum", {f.call("raised", "tfl.maximum", {x, f.number("lower", -limit)}), f.number("upper", limit)});
  const auto square = f.call("square", "tfl.square", {near});
  auto sum = f.number("last", -1 / divisors[0]);
  for (std::size_t i = 1; i <= std::size(divisors); ++i) {
    const auto coefficient = i == std::size(divisors) ? 1.0 : -1 / divisors[i];
    sum = f.add(view(join("sum_", i)), f.mul(view(join("term_", i)), sum, square), f.number(view(join("coefficient_", i)), coefficient));
  }
  const auto series = f.mul("series", f.mul("factor", near, f.number("two_by_root_of_pi", two_by_root_of_pi)), sum);
  const auto is_near = f.of(dtype::boolean).call("is_near", "tfl.less", {f.call("size", "tfl.abs", {x}), f.number("limit", limit)});
  // Replaces numbers near 0 by 1, so that the divisor is not 0.
  const auto far = f.call("far", "tfl.select_v2", {is_near, f.number("one_by_default", 1), x});
  const auto scaled = f.mul("scaled", far, f.number("root", 1.4142135623730951));
  const auto part = f.div("part", f.call("gelu", "tfl.gelu", {scaled}, {{"approximate", false}}), scaled);
  const auto tail = f.sub("tail", f.add("twice", part, part), f.number("one", 1));
  emitter.finish("tfl.select_v2", {is_near, series, tail});
}
/// Replaces `aten.expm1.out` by exp(x) - 1. The result is the sum of elu(min(0, x)) and -exp(y) · elu(-y), where y = max(0, x). One of the
/// two terms is 0. The second term is accurate for small y, unlike exp(y) - 1.
constexpr void emit_aten_expm1(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  const auto x = emitter.in(0);
  const auto zero = f.number("zero", 0);
  const auto below = f.call("curve", "tfl.elu", {f.call("below", "tfl.minimum", {x, zero})});
  const auto above = f.call("above", "tfl.maximum", {x, zero});
  const auto mirrored = f.call("mirrored", "tfl.elu", {f.call("away", "tfl.neg", {above})});
  f.finish("tfl.sub", below, f.mul("product", f.call("exp", "tfl.exp", {above}), mirrored));
}
/// Replaces `aten.log1p.out` by x · log(u) / (u - 1), where u is 1 + x rounded to float32. If u is 1, the result is x. The rounding errors
/// of u cancel (W. Kahan). If x is infinity, the result is infinity. Kernels limit the product to finite numbers, so log1p(-1) is the
/// lowest finite number.
constexpr void emit_aten_log1p(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  auto booleans = f.of(dtype::boolean);
  const auto x = emitter.in(0);
  const auto one = f.number("one", 1);
  const auto sum = f.add("sum", x, one);
  const auto is_small = booleans.call("is_small", "tfl.equal", {sum, one});
  const auto is_infinite =
      booleans.call("is_infinite", "tfl.greater", {x, f.number("most", static_cast<double>(std::numeric_limits<float>::max()))});
  const auto divisor = f.call("rest", "tfl.select_v2", {is_small, one, f.sub("difference", sum, one)});
  const auto logarithm = f.call("log", "tfl.log", {sum});
  const auto is_kept = booleans.call("is_kept", "tfl.logical_or", {is_small, is_infinite});
  emitter.finish("tfl.select_v2", {is_kept, x, f.mul("product", logarithm, f.div("quotient", x, divisor))});
}
/// Emits the logarithm to a base other than e: the natural logarithm of x, divided by the natural logarithm of the base. `Digits` is 10^18
/// / log(base).
template <std::int64_t Digits>
constexpr void emit_aten_log_to_base(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  f.finish("tfl.mul", f.call("log", "tfl.log", {emitter.in(0)}), f.number("factor", static_cast<double>(Digits) * 1e-18));
}
/// Finishes the replacement with `x` rounded toward 0.
constexpr void finish_truncated(emission& emitter, expression& f, value_id x) {
  const auto is_negative = f.of(dtype::boolean).call("is_negative", "tfl.less", {x, f.number("zero", 0)});
  emitter.finish("tfl.select_v2", {is_negative, f.call("ceil", "tfl.ceil", {x}), f.call("floor", "tfl.floor", {x})});
}
/// Replaces `aten.trunc.out`.
constexpr void emit_aten_trunc(emission& emitter) {
  if (emitter.record(emitter.operand(0)).type != dtype::float32) return emitter.forward(emitter.in(0));
  expression f(emitter);
  finish_truncated(emitter, f, emitter.in(0));
}
/// Replaces `aten.sign.out`. The sign of a boolean is the boolean.
constexpr void emit_aten_sign(emission& emitter) {
  if (emitter.record(emitter.operand(0)).type == dtype::boolean) return emitter.forward(emitter.in(0));
  emit_unary<"tfl.sign">(emitter);
}

// Arithmetic with a number

/// Replaces `aten.rsub.Scalar_out` (input x, number, alpha) by number - alpha · x.
constexpr void emit_aten_rsub(emission& emitter) {
  const auto factor = emitter.real("arg_2", 1);
  const auto x = emitter.in(0);
  const auto number = number_of_argument(emitter, "arg_1");
  expression f(emitter);
  if (factor == 1) return f.finish("tfl.sub", number, x);
  if (emitter.output_type().type != dtype::float32) return emitter.refuse("an alpha other than 1 is supported only for float32");
  f.finish("tfl.sub", number, f.mul("scaled", x, f.number("alpha", factor)));
}
/// Replaces `aten.pow.Scalar_out` (base, exponent). Argument 0 is the base, and operand 0 is the exponent.
constexpr void emit_aten_power_of_number(emission& emitter) {
  emitter.finish("tfl.pow", {number_of_argument(emitter, "arg_0"), emitter.in(0)});
}
/// Emits a function of operand 0 and a number. Sets operand 1 to a constant with the number in argument 1, and calls `Emit`.
template <void (*Emit)(emission&)>
constexpr void with_number(emission& emitter) {
  emitter.set_operands({emitter.operand(0), number_of_argument(emitter, "arg_1")});
  Emit(emitter);
}
/// Emits the remainder with the sign of the dividend.
constexpr void emit_aten_fmod(emission& emitter) {
  emitter.set_attributes({{"fmod", 1}});
  emit_mod(emitter);
}
/// Emits the quotient of two operands. Argument 2 is "floor" (round down), "trunc" (round toward 0) or `None` (do not round).
constexpr void emit_aten_rounded_quotient(emission& emitter) {
  const auto mode = emitter.text("arg_2");
  const auto a = emitter.in(0), b = emitter.in(1);
  const auto type = emitter.output_type().type;
  if (emitter.record(a).type != type || emitter.record(b).type != type) return emitter.refuse("operands and output have different types");
  if (mode == "floor") return emitter.finish("tfl.floor_div", {a, b});
  if (!mode.empty() && mode != "trunc") return emitter.refuse("the rounding mode ", mode, " is not supported");
  expression f(emitter);
  if (mode.empty() || type != dtype::float32) return f.finish("tfl.div", a, b);  // a quotient of integers is rounded toward 0
  finish_truncated(emitter, f, f.div("quotient", a, b));
}
/// Replaces `aten.masked_fill.Scalar_out` (input, mask, number).
constexpr void emit_aten_masked_fill(emission& emitter) {
  const auto mask = emitter.in(1), x = emitter.in(0);
  emitter.finish("tfl.select_v2", {mask, number_of_argument(emitter, "arg_2"), x});
}

// Bits and types

/// Replaces `aten.bitwise_not.out`. The result for a boolean is its negation. The result for an integer x is the exclusive or of x and -1.
/// For 64-bit integers, the result is computed as -1 - x.
constexpr void emit_aten_bitwise_not(emission& emitter) {
  const auto type = emitter.output_type().type;
  const auto x = emitter.in(0);
  if (type == dtype::boolean) return emitter.finish("tfl.logical_not", {x});
  expression f(emitter);
  const auto all = f.whole("all_bits", -1);
  if (facts(type).bits == 64) return f.finish("tfl.sub", all, x);
  emitter.finish("tfl.bitwise_xor", {x, all});
}
/// Emits a bitwise function of two operands. `Op` is the operator that computes the function of booleans. The exclusive or
/// (`tfl.not_equal`) also supports integers. For all other functions, refuses types other than booleans (the pass then fails with
/// `unsupported_operator`).
template <fixed_string Op>
constexpr void emit_aten_bits(emission& emitter) {
  const auto type = emitter.output_type().type;
  if (type == dtype::boolean) return emit_pair<Op>(emitter);
  if (std::string_view(Op) == "tfl.not_equal") return emit_pair<"tfl.bitwise_xor">(emitter);
  emitter.refuse("this bitwise function is supported only for booleans, not for ", facts(type).name);
}
/// Replaces `aten._to_copy.out` and `dim_order_ops._to_dim_order_copy.out` by the input, converted to the type and the dimension order of
/// the output.
constexpr void emit_to_copy(emission& emitter) {
  const auto wanted = order_of_output(emitter), from = order_of_operand(emitter, 0);
  if (emitter.is_refused()) return;
  if (from.rank != wanted.rank) return emitter.refuse("input and output have different numbers of dimensions");
  if (from == wanted) return emit_cast(emitter);
  if (emitter.record(emitter.operand(0)).type == emitter.output_type().type)
    return emitter.finish_transpose(emitter.operand(0), reordering(emitter.stored_type(emitter.operand(0)), from, wanted));
  emitter.set_operands({operand_in(emitter, 0, wanted)});
  emit_cast(emitter);
}

/// The rows (`legalization_row`) of activations, mathematical functions and conversions.
inline constexpr legalization_row executorch_functions[] = {
    {"aten.clamp.out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_clamp>},
    {"aten.clamp.Tensor_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_clamp_by_tensors>},
    {"aten.hardtanh.out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_clamp>},
    {"aten.elu.out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_elu>},
    {"aten.leaky_relu.out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_leaky_relu>},
    {"aten.glu.out", layout_rule::fixed, in_identity_order<emit_aten_glu>},
    {"aten.reciprocal.out", fixed_if_reordered<elementwise>, in_one_order<emit_reciprocal>},
    {"aten.erf.out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_erf>},
    {"aten.expm1.out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_expm1>},
    {"aten.log1p.out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_log1p>},
    {"aten.log2.out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_log_to_base<1442695040888963407>>},
    {"aten.log10.out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_log_to_base<434294481903251828>>},
    {"aten.tan.out", fixed_if_reordered<elementwise>, in_one_order<emit_tan>},
    {"aten.sinh.out", fixed_if_reordered<elementwise>, in_one_order<emit_sinh>},
    {"aten.cosh.out", fixed_if_reordered<elementwise>, in_one_order<emit_cosh>},
    {"aten.trunc.out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_trunc>},
    {"aten.sign.out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_sign>},
    {"aten.isnan.out", fixed_if_reordered<elementwise>, in_one_order<emit_is_nan>},
    {"aten.isinf.out", fixed_if_reordered<elementwise>, in_one_order<emit_is_inf>},
    {"aten.rsub.Scalar_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_rsub>},
    {"aten.pow.Scalar_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_power_of_number>},
    {"aten.remainder.Tensor_out", fixed_if_reordered<elementwise>, in_one_order<emit_pair<"tfl.floor_mod">>, 2},
    {"aten.fmod.Tensor_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_fmod>, 2},
    {"aten.fmod.Scalar_out", fixed_if_reordered<elementwise>, in_one_order<with_number<emit_aten_fmod>>},
    {"aten.floor_divide.out", fixed_if_reordered<elementwise>, in_one_order<emit_pair<"tfl.floor_div">>, 2},
    {"aten.div.out_mode", fixed_if_reordered<elementwise>, in_one_order<emit_aten_rounded_quotient>, 2},
    {"aten.div.Scalar_mode_out", fixed_if_reordered<elementwise>, in_one_order<with_number<emit_aten_rounded_quotient>>},
    {"aten.masked_fill.Scalar_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_masked_fill>, 2},
    {"aten.bitwise_not.out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_bitwise_not>},
    {"aten.bitwise_and.Tensor_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_bits<"tfl.logical_and">>, 2},
    {"aten.bitwise_or.Tensor_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_bits<"tfl.logical_or">>, 2},
    {"aten.bitwise_xor.Tensor_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_bits<"tfl.not_equal">>, 2},
    {"aten._to_copy.out", fixed_if_reordered<layout_rule::same>, emit_to_copy},
    {"dim_order_ops._to_dim_order_copy.out", fixed_if_reordered<layout_rule::same>, emit_to_copy},
};

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ONNX activations and mathematical functions by formulas of float32 operators.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_elementwise.hpp>

#include <cstddef>
#include <string_view>

namespace baton::detail {

/// True if operand 0 is float32, the type in which formulas are computed. Otherwise, refuses the node (the pass then fails with
/// `unsupported_operator`).
constexpr auto has_float_operand(emission& emitter) -> bool {
  const auto type = emitter.record(emitter.operand(0)).type;
  if (type != dtype::float32) return emitter.refuse("the operand is ", facts(type).name, ", not float32"), false;
  return true;
}

/// Replaces `onnx.Reciprocal` by 1 / x.
constexpr void emit_reciprocal(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  f.finish("tfl.div", f.number("one", 1), emitter.in(0));
}

/// Finishes the replacement with `positive` · max(0, x) + `factor` · elu(min(0, x) · `inner`), where elu(x) = exp(x) - 1 for negative x.
constexpr void finish_exponential(emission& emitter, double positive, double factor, double inner) {
  expression f(emitter);
  const auto x = emitter.in(0);
  auto below = f.call("below", "tfl.minimum", {x, f.number("zero", 0)});
  if (inner != 1) below = f.mul("inner", below, f.number("inner_factor", inner));
  const auto curve = f.mul("curve", f.call("elu", "tfl.elu", {below}), f.number("factor", factor));
  auto above = f.call("above", "tfl.relu", {x});
  if (positive != 1) above = f.mul("slope", above, f.number("positive", positive));
  f.finish("tfl.add", above, curve);
}
constexpr void emit_elu(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto alpha = emitter.real("alpha", 1);
  if (alpha == 1) return emitter.finish("tfl.elu", {emitter.in(0)});
  finish_exponential(emitter, 1, alpha, 1);
}
constexpr void emit_selu(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto alpha = emitter.real("alpha", 1.67326319217681884765625), gamma = emitter.real("gamma", 1.05070102214813232421875);
  finish_exponential(emitter, gamma, alpha * gamma, 1);
}
constexpr void emit_celu(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto alpha = emitter.real("alpha", 1);
  if (!(alpha > 0)) return emitter.refuse("alpha is not positive");
  finish_exponential(emitter, 1, alpha, 1 / alpha);
}

/// The terms of log(1 + exp(x)): `curve` is log(1 + exp(-|x|)), and `line` is max(0, x). Neither term overflows.
struct softplus_terms {
  value_id curve;
  value_id line;

  constexpr softplus_terms(expression& f, value_id x) {
    const auto away = f.call("away", "tfl.neg", {f.call("size", "tfl.abs", {x})});
    const auto sum = f.add("sum", f.call("exp", "tfl.exp", {away}), f.number("one", 1));
    curve = f.call("log", "tfl.log", {sum});
    line = f.call("above", "tfl.relu", {x});
  }
};
constexpr void emit_softplus(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  const softplus_terms terms(f, emitter.in(0));
  f.finish("tfl.add", terms.curve, terms.line);
}
/// Replaces `onnx.Mish` by x · tanh(softplus(x)).
constexpr void emit_mish(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  const auto x = emitter.in(0);
  const softplus_terms terms(f, x);
  f.finish("tfl.mul", x, f.call("tanh", "tfl.tanh", {f.add("softplus", terms.curve, terms.line)}));
}
/// Replaces `onnx.Softsign` by x / (1 + |x|).
constexpr void emit_softsign(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  const auto x = emitter.in(0);
  f.finish("tfl.div", x, f.add("sum", f.call("size", "tfl.abs", {x}), f.number("one", 1)));
}
/// Replaces `onnx.HardSigmoid` by max(0, min(1, alpha · x + beta)).
constexpr void emit_hard_sigmoid(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  const auto scaled = f.mul("scaled", emitter.in(0), f.number("alpha", emitter.real("alpha", 0.2)));
  emitter.finish("tfl.relu_0_to_1", {f.add("sum", scaled, f.number("beta", emitter.real("beta", 0.5)))});
}
/// Replaces `onnx.Swish` and `onnx.com.microsoft.QuickGelu` by x · sigmoid(alpha · x).
template <bool IsQuickGelu>
constexpr void emit_swish(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  const auto x = emitter.in(0);
  const auto alpha = emitter.real("alpha", IsQuickGelu ? 1.702 : 1.0);
  const auto scaled = alpha == 1 ? x : f.mul("scaled", x, f.number("alpha", alpha));
  f.finish("tfl.mul", x, f.call("logistic", "tfl.logistic", {scaled}));
}
/// Replaces `onnx.Gelu`, which is x · (1 + erf(x / sqrt(2))) / 2 or an approximation with tanh.
constexpr void emit_gelu(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  emitter.finish("tfl.gelu", {emitter.in(0)}, {{"approximate", emitter.text("approximate") == "tanh"}});
}
/// Replaces `onnx.com.microsoft.BiasGelu` by the gelu of the sum of both operands.
constexpr void emit_bias_gelu(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  emitter.finish("tfl.gelu", {f.add("sum", emitter.in(0), emitter.in(1))}, {{"approximate", false}});
}
/// Replaces `onnx.Erf` by 2 · gelu(z) / z - 1, where z = sqrt(2) · x. The formula equals erf(x), because gelu(z) = z · (1 + erf(z /
/// sqrt(2))) / 2. If z is 0, a number near 0 is used instead. The absolute error is the rounding error of float32 numbers near 1.
constexpr void emit_erf(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  const auto x = f.mul("scaled", emitter.in(0), f.number("root", 1.4142135623730951));
  const auto is_zero = f.of(dtype::boolean).call("is_zero", "tfl.equal", {x, f.number("zero", 0)});
  const auto divisor = f.call("divisor", "tfl.select_v2", {is_zero, f.number("tiny", 1e-20), x});
  const auto part = f.div("part", f.call("gelu", "tfl.gelu", {divisor}, {{"approximate", false}}), divisor);
  f.finish("tfl.sub", f.add("twice", part, part), f.number("one", 1));
}

/// Replaces `onnx.ThresholdedRelu`. The result is x if x > alpha, else 0.
constexpr void emit_thresholded_relu(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  const auto x = emitter.in(0);
  const auto is_above = f.of(dtype::boolean).call("is_above", "tfl.greater", {x, f.number("alpha", emitter.real("alpha", 1))});
  emitter.finish("tfl.select_v2", {is_above, x, f.number("zero", 0)});
}
/// Replaces `onnx.Shrink`. The result is x + bias if x < -lambd, x - bias if x > lambd, else 0.
constexpr void emit_shrink(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  auto booleans = f.of(dtype::boolean);
  const auto x = emitter.in(0);
  const auto bias = f.number("bias", emitter.real("bias", 0)), zero = f.number("zero", 0);
  const auto limit = emitter.real("lambd", 0.5);
  const auto is_above = booleans.call("is_above", "tfl.greater", {x, f.number("limit", limit)});
  const auto is_below = booleans.call("is_below", "tfl.less", {x, f.number("lower", -limit)});
  const auto above = f.call("above", "tfl.select_v2", {is_above, f.sub("less", x, bias), zero});
  emitter.finish("tfl.select_v2", {is_below, f.add("more", x, bias), above});
}
/// Replaces `onnx.PRelu`. The result is x if x is not negative, else x · slope.
constexpr void emit_prelu(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  emitter.finish("tfl.prelu", {emitter.in(0), emitter.in(1)});
}

/// Replaces `onnx.Tan` by sin(x) / cos(x).
constexpr void emit_tan(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  const auto x = emitter.in(0);
  f.finish("tfl.div", f.call("sin", "tfl.sin", {x}), f.call("cos", "tfl.cos", {x}));
}
/// Replaces `onnx.Cosh` by (exp(x) + exp(-x)) / 2.
constexpr void emit_cosh(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  const auto x = emitter.in(0);
  const auto sum = f.add("sum", f.call("exp", "tfl.exp", {x}), f.call("inverse", "tfl.exp", {f.call("away", "tfl.neg", {x})}));
  f.finish("tfl.mul", sum, f.number("half", 0.5));
}
/// Replaces `onnx.Sinh` by sign(x) · exp(|x|) · (1 - exp(-2 · |x|)) / 2. The difference is computed as -elu(-2 · |x|), which is accurate
/// for small numbers.
constexpr void emit_sinh(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  const auto x = emitter.in(0);
  const auto size = f.call("size", "tfl.abs", {x});
  const auto difference = f.call("elu", "tfl.elu", {f.mul("twice", size, f.number("minus_two", -2))});
  const auto product = f.mul("product", difference, f.call("exp", "tfl.exp", {size}));
  f.finish("tfl.mul", product, f.mul("half_sign", f.call("sign", "tfl.sign", {x}), f.number("minus_half", -0.5)));
}

/// Replaces `onnx.Pow`. The exponent is converted to float32 if the base is float32. Any other base must have the type of the exponent. If
/// the base is float32, a power with the constant float32 exponent 2 or 0.5 becomes a square or a square root.
constexpr void emit_pow(emission& emitter) {
  expression f(emitter);
  const auto base = emitter.record(emitter.operand(0)).type, exponent = emitter.record(emitter.operand(1)).type;
  const auto x = emitter.in(0);
  const auto y = emitter.in(1);
  const bool is_float = base == dtype::float32, is_number = exponent == dtype::float32 && emitter.is_data(y);
  if (is_float && is_number && element_count(emitter.stored_type(y).shape()) == 1 &&
      emitter.output_type().rank == emitter.stored_type(x).rank) {
    const auto power = emitter.real_element(1, 0, 0);
    if (power == 2) return emitter.finish("tfl.square", {x});
    if (power == 0.5F) return emitter.finish("tfl.sqrt", {x});
  }
  if (base == exponent) return emitter.finish("tfl.pow", {x, y});
  if (is_float) {
    auto type = emitter.stored_type(y);
    type.type = base;
    return emitter.finish("tfl.pow", {x, emitter.add("exponent", "tfl.cast", {y}, type, {}, emitter.layout(y))});
  }
  emitter.refuse("a power of ", facts(base).name, " with an exponent of ", facts(exponent).name, " is not supported");
}
/// Replaces `onnx.Mod`. The remainder has the sign of the divisor, or the sign of the dividend if `fmod` is set.
constexpr void emit_mod(emission& emitter) {
  const auto x = emitter.in(0);
  const auto y = emitter.in(1);
  if (emitter.integer("fmod") == 0) return emitter.finish("tfl.floor_mod", {x, y});
  expression f(emitter);
  const auto positive = [&](std::string_view suffix, value_id of) {
    return emitter.add(suffix, "tfl.abs", {of}, emitter.stored_type(of), {}, emitter.layout(of));
  };
  const auto dividend = positive("dividend", x), divisor = positive("divisor", y);
  const auto sign = emitter.add("sign", "tfl.sign", {x}, emitter.stored_type(x), {}, emitter.layout(x));
  f.finish("tfl.mul", f.call("remainder", "tfl.floor_mod", {dividend, divisor}), sign);
}

/// Replaces `onnx.BitShift`. Refuses shifts to the left.
constexpr void emit_shift(emission& emitter) {
  if (emitter.text("direction") != "RIGHT") return emitter.refuse("only shifts to the right are supported");
  emitter.finish("tfl.right_shift", {emitter.in(0), emitter.in(1)});
}

/// Returns the common type to which two operands are broadcast.
constexpr auto broadcast_type(const tensor_type& a, const tensor_type& b) -> tensor_type {
  auto result = a.rank < b.rank ? b : a;
  const auto& other = a.rank < b.rank ? a : b;
  const auto missing = result.rank - other.rank;
  for (std::size_t i = 0; i < other.rank; ++i) {
    if (result.sizes[i + missing] == 1) result.sizes[i + missing] = other.sizes[i];
  }
  return result;
}
/// Emits an operator with any number of operands, which are broadcast. Applies `op` to the first two operands, then to each result and the
/// next operand. If `is_mean` is set, the result is divided by the number of operands.
constexpr void finish_several(emission& emitter, std::string_view op, bool is_mean) {
  const auto count = emitter.operand_count();
  auto result = emitter.in(0);
  if (count == 1) return emitter.finish_reshape(result);
  const auto layout = emitter.layout(emitter.output());
  for (std::size_t i = 1; i < count; ++i) {
    if (!emitter.has(i)) return emitter.refuse("operand ", i, " is missing");
    const auto next = emitter.in(i);
    expression f(emitter, broadcast_type(emitter.stored_type(result), emitter.stored_type(next)), layout);
    const bool has_activation_attribute = op == "tfl.add";
    if (i + 1 == count && !is_mean) return has_activation_attribute ? f.finish(op, result, next) : emitter.finish(op, {result, next});
    const auto suffix = join("pair_", i);
    result = has_activation_attribute ? f.arithmetic(view(suffix), op, result, next) : f.call(view(suffix), op, {result, next});
  }
  const auto type = emitter.output_type().type;
  if (type != dtype::float32) return emitter.refuse("a mean of ", facts(type).name, " is not supported");
  expression f(emitter);
  f.finish("tfl.div", result, f.number("count", static_cast<double>(count)));
}
template <fixed_string Op, bool IsMean = false>
constexpr void emit_several(emission& emitter) {
  finish_several(emitter, Op, IsMean);
}

/// The rows (`legalization_row`) of activations and mathematical functions.
inline constexpr legalization_row onnx_functions[] = {
    {"onnx.Ceil", elementwise, emit_unary<"tfl.ceil">},
    {"onnx.Floor", elementwise, emit_unary<"tfl.floor">},
    {"onnx.Round", elementwise, emit_unary<"tfl.round">},
    {"onnx.Sign", elementwise, emit_unary<"tfl.sign">},
    {"onnx.Sin", elementwise, emit_unary<"tfl.sin">},
    {"onnx.Cos", elementwise, emit_unary<"tfl.cos">},
    {"onnx.Tan", elementwise, emit_tan},
    {"onnx.Sinh", elementwise, emit_sinh},
    {"onnx.Cosh", elementwise, emit_cosh},
    {"onnx.Reciprocal", elementwise, emit_reciprocal},
    {"onnx.Elu", elementwise, emit_elu},
    {"onnx.Selu", elementwise, emit_selu},
    {"onnx.Celu", elementwise, emit_celu},
    {"onnx.Softplus", elementwise, emit_softplus},
    {"onnx.Softsign", elementwise, emit_softsign},
    {"onnx.Mish", elementwise, emit_mish},
    {"onnx.HardSigmoid", elementwise, emit_hard_sigmoid},
    {"onnx.Swish", elementwise, emit_swish<false>},
    {"onnx.com.microsoft.QuickGelu", elementwise, emit_swish<true>},
    {"onnx.Gelu", elementwise, emit_gelu},
    {"onnx.com.microsoft.Gelu", elementwise, emit_gelu},
    {"onnx.com.microsoft.BiasGelu", elementwise, emit_bias_gelu, 2},
    {"onnx.Erf", elementwise, emit_erf},
    {"onnx.ThresholdedRelu", elementwise, emit_thresholded_relu},
    {"onnx.Shrink", elementwise, emit_shrink},
    {"onnx.PRelu", elementwise, emit_prelu, 2},
    {"onnx.Pow", elementwise, emit_pow, 2},
    {"onnx.Mod", elementwise, emit_mod, 2},
    {"onnx.BitShift", elementwise, emit_shift, 2},
    {"onnx.Max", elementwise, emit_several<"tfl.maximum">},
    {"onnx.Min", elementwise, emit_several<"tfl.minimum">},
    {"onnx.Sum", elementwise, emit_several<"tfl.add">},
    {"onnx.Mean", elementwise, emit_several<"tfl.add", true>},
};

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces operators of torch.export that compute each element from one element of the input, and also GLU and softmax. Comments list the
// arguments of an operator in parentheses after its name, in order.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_elementwise.hpp>
#include <baton/transform/detail/executorch_functions.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_comparisons.hpp>
#include <baton/transform/detail/onnx_elementwise.hpp>
#include <baton/transform/detail/onnx_functions.hpp>
#include <baton/transform/detail/onnx_normalization.hpp>
#include <baton/transform/detail/torch_argument.hpp>

#include <limits>

namespace baton::detail {

/// Emits an operator with one operand, which is converted to the type of the output. For example, the exponential of integers is a float.
template <fixed_string Op>
constexpr void emit_torch_unary(emission& emitter) {
  emitter.finish(Op, {converted(emitter, "real", emitter.in(0), emitter.output_type().type)});
}
constexpr void emit_torch_not(emission& emitter) {
  emitter.finish("tfl.logical_not", {converted(emitter, "test", emitter.in(0), dtype::boolean)});
}
constexpr void emit_torch_reciprocal(emission& emitter) {
  expression f(emitter);
  f.finish("tfl.div", f.number("one", 1), converted(emitter, "real", emitter.in(0), dtype::float32));
}

/// Emits a clamp to the bounds in the arguments `low` and `high`. `absent_low` and `absent_high` are the bounds if the arguments are
/// omitted; an infinite bound means no bound.
constexpr void finish_clamp(emission& emitter, literal_name low, double absent_low, literal_name high, double absent_high) {
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  const auto type = emitter.output_type().type;
  const bool has_low = emitter.has_attribute(low) || absent_low != -infinity,
             has_high = emitter.has_attribute(high) || absent_high != infinity;
  if (type == dtype::float32) {
    if (emitter.record(emitter.operand(0)).type != type) return emitter.refuse("the operand is not float32");
    emitter.set_attributes({{"min", emitter.real(low, absent_low)}, {"max", emitter.real(high, absent_high)}});
    return emit_clip(emitter);
  }
  const auto in = converted(emitter, "converted", emitter.in(0), type);
  if (!has_low && !has_high) return emitter.finish_reshape(in);
  if (!has_low) return emitter.finish("tfl.minimum", {in, number_argument(emitter, high, type, absent_high)});
  const auto bottom = number_argument(emitter, low, type, absent_low);
  if (!has_high) return emitter.finish("tfl.maximum", {in, bottom});
  expression f(emitter);
  emitter.finish("tfl.minimum", {f.call("low", "tfl.maximum", {in, bottom}), number_argument(emitter, high, type, absent_high)});
}
/// Replaces `aten.clamp.default` (input, lower bound, upper bound).
constexpr void emit_torch_clamp(emission& emitter) {
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  finish_clamp(emitter, "arg_1", -infinity, "arg_2", infinity);
}
constexpr void emit_torch_clamp_min(emission& emitter) {
  finish_clamp(emitter, "arg_1", 0, "no_bound", std::numeric_limits<double>::infinity());
}
constexpr void emit_torch_clamp_max(emission& emitter) {
  finish_clamp(emitter, "no_bound", -std::numeric_limits<double>::infinity(), "arg_1", 0);
}
/// Replaces `aten.hardtanh.default` (input, lower bound, upper bound). The default bounds are -1 and 1.
constexpr void emit_torch_hardtanh(emission& emitter) { finish_clamp(emitter, "arg_1", -1, "arg_2", 1); }
/// Replaces `aten.clamp.Tensor` (input, lower bounds, upper bounds). The bounds are tensors; each may be omitted.
constexpr void emit_torch_clamp_tensor(emission& emitter) {
  const auto type = emitter.output_type().type;
  const auto in = converted(emitter, "converted", emitter.in(0), type);
  if (!emitter.has(1) && !emitter.has(2)) return emitter.finish_reshape(in);
  if (!emitter.has(2)) return emitter.finish("tfl.maximum", {in, converted(emitter, "low", emitter.in(1), type)});
  const auto top = converted(emitter, "high", emitter.in(2), type);
  if (!emitter.has(1)) return emitter.finish("tfl.minimum", {in, top});
  expression f(emitter);
  emitter.finish("tfl.minimum", {f.call("raised", "tfl.maximum", {in, converted(emitter, "low", emitter.in(1), type)}), top});
}

/// Replaces `aten.celu.default` (input, alpha).
constexpr void emit_torch_celu(emission& emitter) {
  emitter.set_attributes({{"alpha", emitter.real("arg_1", 1)}});
  emit_celu(emitter);
}
/// Replaces `aten.hardsigmoid.default` by x / 6 + 1/2, clamped to [0, 1].
constexpr void emit_torch_hard_sigmoid(emission& emitter) {
  emitter.set_attributes({{"alpha", 1.0 / 6}, {"beta", 0.5}});
  emit_hard_sigmoid(emitter);
}
/// Replaces `aten.softplus.default` (input x, beta, threshold). If x · beta is greater than the threshold, the result is x. A threshold of
/// at least 20 is ignored, because the float32 formula also returns x if x · beta is greater than 20.
constexpr void emit_torch_softplus(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto beta = emitter.real("arg_1", 1), threshold = emitter.real("arg_2", 20);
  const bool has_threshold = !(threshold >= 20);
  if (beta == 1 && !has_threshold) return emit_softplus(emitter);
  if (beta == 0) return emitter.refuse("beta is 0");
  expression f(emitter);
  const auto x = emitter.in(0), factor = f.number("beta", beta);
  const auto scaled = f.mul("scaled", x, factor);
  const softplus_terms terms(f, scaled);
  const auto sum = f.add("softplus", terms.curve, terms.line);
  if (!has_threshold) return f.finish("tfl.div", sum, factor);
  const auto is_above = f.of(dtype::boolean).call("is_above", "tfl.greater", {scaled, f.number("threshold", threshold)});
  emitter.finish("tfl.select_v2", {is_above, x, f.div("curve", sum, factor)});
}
/// Replaces `aten.log_sigmoid.default` by -softplus(-x).
constexpr void emit_torch_log_sigmoid(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  expression f(emitter);
  const softplus_terms terms(f, f.call("negative", "tfl.neg", {emitter.in(0)}));
  emitter.finish("tfl.neg", {f.add("softplus", terms.curve, terms.line)});
}
/// Replaces `aten.threshold.default` (input x, threshold, number). The result is x if x is greater than the threshold, else the number.
constexpr void emit_torch_threshold(emission& emitter) {
  const auto type = emitter.output_type().type;
  const auto x = emitter.in(0);
  expression f(emitter);
  const auto is_above = f.of(dtype::boolean).call("is_above", "tfl.greater", {x, number_argument(emitter, "arg_1", type)});
  emitter.finish("tfl.select_v2", {is_above, x, number_argument(emitter, "arg_2", type)});
}
/// Replaces `aten.prelu.default` (input, slopes). There is one slope, or one for each channel.
constexpr void emit_torch_prelu(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const bool is_single = element_count(emitter.stored_type(emitter.operand(1)).shape()) == 1;
  if (!is_single && emitter.output_type().rank < 2) return emitter.refuse("the operand has no dimension of channels");
  const auto slope = is_single ? emitter.operand(1) : numbers_of_channels(emitter, 1, "slope");
  emitter.finish("tfl.prelu", {emitter.in(0), slope});
}
/// Returns the layout rule of an operator whose operand 1 has one number for each channel: `same` for outputs of more than two dimensions,
/// otherwise `fixed`.
constexpr auto per_channel(const layout_query& node) -> layout_rule {
  return node.has(0) && node.output_shape().size() > 2 ? layout_rule::same : layout_rule::fixed;
}

/// Replaces `aten.softmax.int` and similar operators (input, dimension). Refuses a conversion to another type (the pass then fails with
/// `unsupported_operator`).
template <void (*Emit)(emission&)>
constexpr void emit_torch_softmax(emission& emitter) {
  if (emitter.record(emitter.operand(0)).type != emitter.output_type().type)
    return emitter.refuse("a conversion to another type is not supported");
  emit_aten_softmax<Emit>(emitter);
}

/// The rows (`legalization_row`) of functions of one element, of GLU and of softmax.
inline constexpr legalization_row torch_elementwise[] = {
    {"aten.relu.default", elementwise, emit_torch_unary<"tfl.relu">},
    {"aten.relu6.default", elementwise, emit_torch_unary<"tfl.relu6">},
    {"aten.sigmoid.default", elementwise, emit_torch_unary<"tfl.logistic">},
    {"aten.log_sigmoid.default", elementwise, emit_torch_log_sigmoid},
    {"aten.tanh.default", elementwise, emit_torch_unary<"tfl.tanh">},
    {"aten.gelu.default", elementwise, emit_aten_gelu},
    {"aten.silu.default", elementwise, emit_swish<false>},
    {"aten.mish.default", elementwise, emit_mish},
    {"aten.elu.default", elementwise, emit_aten_elu},
    {"aten.selu.default", elementwise, emit_selu},
    {"aten.celu.default", elementwise, emit_torch_celu},
    {"aten.softplus.default", elementwise, emit_torch_softplus},
    {"aten.threshold.default", elementwise, emit_torch_threshold},
    {"aten.leaky_relu.default", elementwise, emit_aten_leaky_relu},
    {"aten.prelu.default", per_channel, emit_torch_prelu, 2},
    {"aten._prelu_kernel.default", elementwise, emit_prelu, 2},
    {"aten.hardtanh.default", elementwise, emit_torch_hardtanh},
    {"aten.hardswish.default", elementwise, emit_torch_unary<"tfl.hard_swish">},
    {"aten.hardsigmoid.default", elementwise, emit_torch_hard_sigmoid},
    {"aten.sin.default", elementwise, emit_torch_unary<"tfl.sin">},
    {"aten.cos.default", elementwise, emit_torch_unary<"tfl.cos">},
    {"aten.tan.default", elementwise, emit_tan},
    {"aten.sinh.default", elementwise, emit_sinh},
    {"aten.cosh.default", elementwise, emit_cosh},
    {"aten.exp.default", elementwise, emit_torch_unary<"tfl.exp">},
    {"aten.expm1.default", elementwise, emit_aten_expm1},
    {"aten.log.default", elementwise, emit_torch_unary<"tfl.log">},
    {"aten.log1p.default", elementwise, emit_aten_log1p},
    {"aten.log2.default", elementwise, emit_aten_log_to_base<1442695040888963407>},
    {"aten.log10.default", elementwise, emit_aten_log_to_base<434294481903251828>},
    {"aten.trunc.default", elementwise, emit_aten_trunc},
    {"aten.glu.default", layout_rule::fixed, emit_aten_glu},
    {"aten.sqrt.default", elementwise, emit_torch_unary<"tfl.sqrt">},
    {"aten.rsqrt.default", elementwise, emit_torch_unary<"tfl.rsqrt">},
    {"aten.reciprocal.default", elementwise, emit_torch_reciprocal},
    {"aten.erf.default", elementwise, emit_aten_erf},
    {"aten.abs.default", elementwise, emit_torch_unary<"tfl.abs">},
    {"aten.neg.default", elementwise, emit_torch_unary<"tfl.neg">},
    {"aten.sign.default", elementwise, emit_aten_sign},
    {"aten.square.default", elementwise, emit_torch_unary<"tfl.square">},
    {"aten.floor.default", elementwise, emit_torch_unary<"tfl.floor">},
    {"aten.ceil.default", elementwise, emit_torch_unary<"tfl.ceil">},
    {"aten.round.default", elementwise, emit_torch_unary<"tfl.round">},
    {"aten.isnan.default", elementwise, emit_is_nan},
    {"aten.isinf.default", elementwise, emit_is_inf},
    {"aten.logical_not.default", elementwise, emit_torch_not},
    {"aten.bitwise_not.default", elementwise, emit_aten_bitwise_not},
    {"aten.clamp.default", elementwise, emit_torch_clamp},
    {"aten.clamp_min.default", elementwise, emit_torch_clamp_min},
    {"aten.clamp_max.default", elementwise, emit_torch_clamp_max},
    {"aten.clamp.Tensor", elementwise, emit_torch_clamp_tensor},
    {"aten.softmax.int", normalizing_aten, emit_torch_softmax<emit_softmax>},
    {"aten._softmax.default", normalizing_aten, emit_torch_softmax<emit_softmax>},
    {"aten.log_softmax.int", normalizing_aten, emit_torch_softmax<emit_log_softmax>},
    {"aten._log_softmax.default", normalizing_aten, emit_torch_softmax<emit_log_softmax>},
    {"aten._to_copy.default", elementwise, emit_cast},
    {"aten.to.dtype", elementwise, emit_cast},
    {"aten.to.dtype_layout", elementwise, emit_cast},
    {"aten.type_as.default", elementwise, emit_cast, 2},
};

}  // namespace baton::detail

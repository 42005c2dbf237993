// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ExecuTorch's operators that compute each element from the elements at the same position, and softmax. Comments list the
// arguments of an operator in parentheses after its name, in order.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_argument.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_comparisons.hpp>
#include <baton/transform/detail/onnx_elementwise.hpp>
#include <baton/transform/detail/onnx_functions.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Emits `Op` with operand 0 and the number in argument 1 as operands. If `HasActivation` is set, `Op` has the attribute
/// `fused_activation_function`, and argument 2 is `alpha`, the multiplier of the number. The multiplier must be 1 or omitted.
template <fixed_string Op, bool HasActivation = false>
constexpr void emit_aten_number(emission& emitter) {
  if constexpr (HasActivation) {
    if (emitter.real("arg_2", 1) != 1) return emitter.refuse("an alpha other than 1 is not supported with a number");
    emitter.finish(Op, {emitter.in(0), number_of_argument(emitter, "arg_1")}, {{"fused_activation_function", "none"}});
  } else {
    emitter.finish(Op, {emitter.in(0), number_of_argument(emitter, "arg_1")});
  }
}
/// Replaces `aten.add.out` and `aten.sub.out` (first operand, second operand, `alpha`). The second operand is multiplied by
/// `alpha`.
template <fixed_string Op>
constexpr void emit_aten_sum(emission& emitter) {
  const auto factor = emitter.real("arg_2", 1);
  if (factor == 1) return emit_arithmetic<Op>(emitter);
  if (emitter.output_type().type != dtype::float32) return emitter.refuse("an alpha other than 1 is supported only for float32");
  expression f(emitter, emitter.stored_type(emitter.in(1)), emitter.layout(emitter.in(1)));
  const auto scaled = f.mul("scaled", emitter.in(1), f.number("alpha", factor));
  emitter.finish(Op, {emitter.in(0), scaled}, {{"fused_activation_function", "none"}});
}
/// Replaces `aten.pow.Tensor_Scalar_out` (input, exponent).
constexpr void emit_aten_power(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto exponent = emitter.real("arg_1");
  if (exponent == 1) return emitter.forward(emitter.in(0));
  if (exponent == 2) return emitter.finish("tfl.square", {emitter.in(0)});
  if (exponent == 0.5) return emitter.finish("tfl.sqrt", {emitter.in(0)});
  if (exponent == -0.5) return emitter.finish("tfl.rsqrt", {emitter.in(0)});
  emit_aten_number<"tfl.pow">(emitter);
}
/// Replaces `aten.gelu.out` (input, approximation).
constexpr void emit_aten_gelu(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  emitter.finish("tfl.gelu", {emitter.in(0)}, {{"approximate", emitter.text("arg_1") == "tanh"}});
}
/// Replaces `aten._softmax.out` and `aten._log_softmax.out` (input, dimension).
template <void (*Emit)(emission&)>
constexpr void emit_aten_softmax(emission& emitter) {
  emitter.set_attributes({{"axis", emitter.integer("arg_1")}});
  Emit(emitter);
}
constexpr auto normalizing_aten(const layout_query& node) -> layout_rule {
  return softmax_layout_rule(node, node.program.integer(node.record, "arg_1"));
}

/// The rows (`legalization_row`) of elementwise operators.
inline constexpr legalization_row executorch_elementwise[] = {
    {"aten.relu.out", fixed_if_reordered<elementwise>, in_one_order<emit_unary<"tfl.relu">>},
    {"aten.sigmoid.out", fixed_if_reordered<elementwise>, in_one_order<emit_unary<"tfl.logistic">>},
    {"aten.tanh.out", fixed_if_reordered<elementwise>, in_one_order<emit_unary<"tfl.tanh">>},
    {"aten.sin.out", fixed_if_reordered<elementwise>, in_one_order<emit_unary<"tfl.sin">>},
    {"aten.cos.out", fixed_if_reordered<elementwise>, in_one_order<emit_unary<"tfl.cos">>},
    {"aten.exp.out", fixed_if_reordered<elementwise>, in_one_order<emit_unary<"tfl.exp">>},
    {"aten.sqrt.out", fixed_if_reordered<elementwise>, in_one_order<emit_unary<"tfl.sqrt">>},
    {"aten.rsqrt.out", fixed_if_reordered<elementwise>, in_one_order<emit_unary<"tfl.rsqrt">>},
    {"aten.abs.out", fixed_if_reordered<elementwise>, in_one_order<emit_unary<"tfl.abs">>},
    {"aten.neg.out", fixed_if_reordered<elementwise>, in_one_order<emit_unary<"tfl.neg">>},
    {"aten.log.out", fixed_if_reordered<elementwise>, in_one_order<emit_unary<"tfl.log">>},
    {"aten.floor.out", fixed_if_reordered<elementwise>, in_one_order<emit_unary<"tfl.floor">>},
    {"aten.ceil.out", fixed_if_reordered<elementwise>, in_one_order<emit_unary<"tfl.ceil">>},
    {"aten.round.out", fixed_if_reordered<elementwise>, in_one_order<emit_unary<"tfl.round">>},
    {"aten.logical_not.out", fixed_if_reordered<elementwise>, in_one_order<emit_unary<"tfl.logical_not">>},
    {"aten.gelu.out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_gelu>},
    {"aten._softmax.out", fixed_if_reordered<normalizing_aten>, in_identity_order<emit_aten_softmax<emit_softmax>>},
    {"aten._log_softmax.out", fixed_if_reordered<normalizing_aten>, in_identity_order<emit_aten_softmax<emit_log_softmax>>},
    {"aten.add.out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_sum<"tfl.add">>, 2},
    {"aten.sub.out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_sum<"tfl.sub">>, 2},
    {"aten.mul.out", fixed_if_reordered<elementwise>, in_one_order<emit_arithmetic<"tfl.mul">>, 2},
    {"aten.div.out", fixed_if_reordered<elementwise>, in_one_order<emit_arithmetic<"tfl.div">>, 2},
    {"aten.maximum.out", fixed_if_reordered<elementwise>, in_one_order<emit_pair<"tfl.maximum">>, 2},
    {"aten.minimum.out", fixed_if_reordered<elementwise>, in_one_order<emit_pair<"tfl.minimum">>, 2},
    {"aten.pow.Tensor_Tensor_out", fixed_if_reordered<elementwise>, in_one_order<emit_pair<"tfl.pow">>, 2},
    {"aten.add.Scalar_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_number<"tfl.add", true>>},
    {"aten.sub.Scalar_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_number<"tfl.sub", true>>},
    {"aten.mul.Scalar_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_number<"tfl.mul", true>>},
    {"aten.div.Scalar_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_number<"tfl.div", true>>},
    {"aten.remainder.Scalar_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_number<"tfl.floor_mod">>},
    {"aten.pow.Tensor_Scalar_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_power>},
    {"aten.eq.Scalar_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_number<"tfl.equal">>},
    {"aten.eq.Tensor_out", fixed_if_reordered<elementwise>, in_one_order<emit_pair<"tfl.equal">>, 2},
    {"aten.ne.Scalar_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_number<"tfl.not_equal">>},
    {"aten.ne.Tensor_out", fixed_if_reordered<elementwise>, in_one_order<emit_pair<"tfl.not_equal">>, 2},
    {"aten.lt.Scalar_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_number<"tfl.less">>},
    {"aten.lt.Tensor_out", fixed_if_reordered<elementwise>, in_one_order<emit_pair<"tfl.less">>, 2},
    {"aten.le.Scalar_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_number<"tfl.less_equal">>},
    {"aten.le.Tensor_out", fixed_if_reordered<elementwise>, in_one_order<emit_pair<"tfl.less_equal">>, 2},
    {"aten.gt.Scalar_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_number<"tfl.greater">>},
    {"aten.gt.Tensor_out", fixed_if_reordered<elementwise>, in_one_order<emit_pair<"tfl.greater">>, 2},
    {"aten.ge.Scalar_out", fixed_if_reordered<elementwise>, in_one_order<emit_aten_number<"tfl.greater_equal">>},
    {"aten.ge.Tensor_out", fixed_if_reordered<elementwise>, in_one_order<emit_pair<"tfl.greater_equal">>, 2},
    {"aten.logical_and.out", fixed_if_reordered<elementwise>, in_one_order<emit_pair<"tfl.logical_and">>, 2},
    {"aten.logical_or.out", fixed_if_reordered<elementwise>, in_one_order<emit_pair<"tfl.logical_or">>, 2},
    {"aten.logical_xor.out", fixed_if_reordered<elementwise>, in_one_order<emit_pair<"tfl.not_equal">>, 2},
    {"aten.where.self_out", fixed_if_reordered<elementwise>, in_one_order<emit_where>, 3},
};

}  // namespace baton::detail

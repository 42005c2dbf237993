// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces normalizations of torch.export. Comments list the arguments of an operator in parentheses after its name, in order.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_layers.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_elementwise.hpp>
#include <baton/transform/detail/onnx_functions.hpp>
#include <baton/transform/detail/onnx_normalization.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Replaces `aten.batch_norm.default` (input, weights, bias, mean, variance, whether to train, momentum, epsilon).
constexpr void emit_torch_batch_norm(emission& emitter) {
  if (emitter.integer("arg_5") != 0) return emitter.refuse("training is not supported; export the model in evaluation mode");
  finish_batch_norm(emitter, emitter.real("arg_7", 1e-5));
}
/// Replaces `aten.instance_norm.default` (input, weights, bias, mean, variance, whether the statistics of the input are used, momentum,
/// epsilon).
constexpr void emit_torch_instance_norm(emission& emitter) {
  if (emitter.integer("arg_5", 1) == 0) return emitter.refuse("a normalization by stored statistics is not supported");
  emitter.set_attributes({{"epsilon", emitter.real("arg_7", 1e-5)}});
  complete_weights(emitter);
  emit_instance_normalization(emitter);
}
/// Replaces `aten.group_norm.default` (input, groups, weights, bias, epsilon).
constexpr void emit_torch_group_norm(emission& emitter) {
  finish_group_norm(emitter, emitter.integer("arg_1"), emitter.real("arg_4", 1e-5));
}

/// Finishes the replacement with `a` · `b` · operand 1 + operand 2. Omits operands that the node does not have.
constexpr void finish_affine(emission& emitter, expression& f, value_id a, value_id b) {
  if (emitter.has(1))
    return finish_scaled(emitter, f, f.mul("normalized", a, b), emitter.operand_in_file_layout(1),
                         emitter.has(2) ? emitter.operand_in_file_layout(2) : none<value_id>);
  const value_id bias = emitter.has(2) ? emitter.operand_in_file_layout(2) : none<value_id>;
  finish_scaled(emitter, f, a, b, bias);
}
/// Replaces `aten.layer_norm.default` and `aten.native_layer_norm.default` (input, sizes of the last dimensions, weights, bias, epsilon).
constexpr void emit_torch_layer_norm(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto x = emitter.operand_in_file_layout(0);
  const auto over = dimensions_from(emitter, -static_cast<std::int64_t>(emitter.list("arg_1").size()), emitter.stored_type(x).rank);
  if (emitter.is_refused()) return;
  normalization steps(emitter, x, over);
  const auto mean = steps.mean("mean", x);
  const auto difference = steps.whole().sub("difference", x, mean);
  const auto inverse = steps.inverse_deviation(difference, emitter.real("arg_4", 1e-5));
  finish_affine(emitter, steps.whole(), difference, inverse);
  const value_id results[] = {mean, inverse};
  const auto shape = steps.each().type();
  for (std::size_t i = 1; i < 3 && i < emitter.output_count(); ++i) {
    if (emitter.is_used(i)) emitter.finish_output(i, "tfl.reshape", {results[i - 1]}, {{"new_shape", shape.shape()}});
  }
}
/// Replaces `aten.rms_norm.default` (input, sizes of the last dimensions, weights, epsilon). The default epsilon is the machine epsilon of
/// float32.
constexpr void emit_torch_rms_norm(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto x = emitter.operand_in_file_layout(0);
  const auto over = dimensions_from(emitter, -static_cast<std::int64_t>(emitter.list("arg_1").size()), emitter.stored_type(x).rank);
  if (emitter.is_refused()) return;
  normalization steps(emitter, x, over);
  finish_affine(emitter, steps.whole(), x, steps.inverse_deviation(x, emitter.real("arg_3", 1.1920928955078125e-07)));
}

/// The rows (`legalization_row`) of normalizations.
inline constexpr legalization_row torch_normalization[] = {
    {"aten.batch_norm.default", batch_normalization_layout_rule, emit_torch_batch_norm},
    {"aten._native_batch_norm_legit_no_training.default", batch_normalization_layout_rule, emit_aten_batch_norm},
    {"aten.instance_norm.default", along_axis, emit_torch_instance_norm},
    {"aten.group_norm.default", layout_rule::fixed, emit_torch_group_norm},
    {"aten.native_group_norm.default", layout_rule::fixed, emit_aten_group_norm},
    {"aten.layer_norm.default", layout_rule::fixed, emit_torch_layer_norm},
    {"aten.native_layer_norm.default", layout_rule::fixed, emit_torch_layer_norm, 1, 3},
    {"aten.rms_norm.default", layout_rule::fixed, emit_torch_rms_norm},
};

}  // namespace baton::detail

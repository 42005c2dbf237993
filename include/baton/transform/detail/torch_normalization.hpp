// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces normalizations of torch.export.
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

/// `aten.batch_norm.default`: input, weights, bias, mean, variance, whether to train, momentum and epsilon.
constexpr void emit_torch_batch_norm(emission& to) {
  if (to.integer("arg_5") != 0) return to.refuse("training is not supported; export the model in evaluation mode");
  finish_batch_norm(to, to.real("arg_7", 1e-5));
}
/// `aten.instance_norm.default`: input, weights, bias, mean, variance, whether the statistics of the input are used, momentum, epsilon.
constexpr void emit_torch_instance_norm(emission& to) {
  if (to.integer("arg_5", 1) == 0) return to.refuse("a normalization by stored statistics is not supported");
  to.state({{"epsilon", to.real("arg_7", 1e-5)}});
  complete_weights(to);
  emit_instance_normalization(to);
}
/// `aten.group_norm.default`: input, groups, weights, bias, epsilon.
constexpr void emit_torch_group_norm(emission& to) { finish_group_norm(to, to.integer("arg_1"), to.real("arg_4", 1e-5)); }

/// Ends with the product of two factors, which is multiplied by operand 1 and increased by operand 2 if the node has them.
constexpr void finish_affine(emission& to, expression& f, value_id a, value_id b) {
  if (to.has(1)) return finish_scaled(to, f, f.mul("normalized", a, b), to.in_file(1), to.has(2) ? to.in_file(2) : none<value_id>);
  const value_id bias = to.has(2) ? to.in_file(2) : none<value_id>;
  finish_scaled(to, f, a, b, bias);
}
/// `aten.layer_norm.default` and `aten.native_layer_norm.default`: input, the sizes of the last dimensions, weights, bias, epsilon.
constexpr void emit_torch_layer_norm(emission& to) {
  if (!has_float_operand(to)) return;
  const auto x = to.in_file(0);
  const auto over = dimensions_from(to, -static_cast<std::int64_t>(to.list("arg_1").size()), to.stored_type(x).rank);
  if (to.is_refused()) return;
  normalization of(to, x, over);
  const auto mean = of.mean("mean", x);
  const auto difference = of.whole().sub("difference", x, mean);
  const auto inverse = of.inverse_deviation(difference, to.real("arg_4", 1e-5));
  finish_affine(to, of.whole(), difference, inverse);
  const value_id results[] = {mean, inverse};
  const auto shape = of.each().type();
  for (std::size_t i = 1; i < 3 && i < to.output_count(); ++i) {
    if (to.is_used(i)) to.finish_output(i, "tfl.reshape", {results[i - 1]}, {{"new_shape", shape.shape()}});
  }
}
/// `aten.rms_norm.default`: input, the sizes of the last dimensions, weights, epsilon (by default the machine epsilon of float32).
constexpr void emit_torch_rms_norm(emission& to) {
  if (!has_float_operand(to)) return;
  const auto x = to.in_file(0);
  const auto over = dimensions_from(to, -static_cast<std::int64_t>(to.list("arg_1").size()), to.stored_type(x).rank);
  if (to.is_refused()) return;
  normalization of(to, x, over);
  finish_affine(to, of.whole(), x, of.inverse_deviation(x, to.real("arg_3", 1.1920928955078125e-07)));
}

/// Normalizations.
inline constexpr legalization_row torch_normalization[] = {
    {"aten.batch_norm.default", normalizing, emit_torch_batch_norm},
    {"aten._native_batch_norm_legit_no_training.default", normalizing, emit_aten_batch_norm},
    {"aten.instance_norm.default", along_axis, emit_torch_instance_norm},
    {"aten.group_norm.default", manner::fixed, emit_torch_group_norm},
    {"aten.native_group_norm.default", manner::fixed, emit_aten_group_norm},
    {"aten.layer_norm.default", manner::fixed, emit_torch_layer_norm},
    {"aten.native_layer_norm.default", manner::fixed, emit_torch_layer_norm, 1, 3},
    {"aten.rms_norm.default", manner::fixed, emit_torch_rms_norm},
};

}  // namespace baton::detail

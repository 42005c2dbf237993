// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces normalizations of torch.export.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_elementwise.hpp>
#include <baton/transform/detail/onnx_functions.hpp>
#include <baton/transform/detail/onnx_normalization.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// Returns operand `at`, one number for each channel of operand 0, or a constant of equal numbers if it is omitted.
constexpr auto statistic(emission& to, std::size_t at, std::string_view suffix, float absent) -> value_id {
  if (to.has(at)) return to.operand(at);
  const auto type = to.file_type(to.operand(0));
  const auto channels = type.rank < 2 ? 0 : type.sizes[1];
  if (channels > 1 << 16) to.refuse("a normalization of ", channels, " channels without weights is not supported");
  const vector<float> numbers(static_cast<std::size_t>(to.is_refused() ? 0 : channels), absent);
  return to.real_constant(suffix, numbers, tensor(dtype::float32, static_cast<std::int64_t>(numbers.size())));
}
/// Sets the operands to input, weights and bias, and mean and variance if `has_statistics` is set.
constexpr void set_statistics(emission& to, bool has_statistics) {
  vector<value_id> operands{to.operand(0), statistic(to, 1, "weight", 1), statistic(to, 2, "bias", 0)};
  if (has_statistics) {
    operands.push_back(statistic(to, 3, "mean", 0));
    operands.push_back(statistic(to, 4, "variance", 1));
  }
  to.set_operands(operands);
}

/// `aten.batch_norm.default`: input, weights, bias, mean, variance, whether to train, momentum and epsilon.
constexpr void emit_torch_batch_norm(emission& to) {
  if (to.integer("arg_5") != 0) return to.refuse("training is not supported; export the model in evaluation mode");
  if (!to.has(3) || !to.has(4)) return to.refuse("a normalization by the statistics of the batch is not supported");
  to.state({{"epsilon", to.real("arg_7", 1e-5)}});
  set_statistics(to, true);
  emit_batch_normalization(to);
}
/// `aten._native_batch_norm_legit_no_training.default`: input, weights, bias, mean, variance, momentum and epsilon.
constexpr void emit_torch_native_batch_norm(emission& to) {
  to.state({{"epsilon", to.real("arg_6", 1e-5)}});
  set_statistics(to, true);
  emit_batch_normalization(to);
}
/// `aten.instance_norm.default`: input, weights, bias, mean, variance, whether the statistics are those of the input, momentum, epsilon.
constexpr void emit_torch_instance_norm(emission& to) {
  if (to.integer("arg_5", 1) == 0) return to.refuse("a normalization by stored statistics is not supported");
  to.state({{"epsilon", to.real("arg_7", 1e-5)}});
  set_statistics(to, false);
  emit_instance_normalization(to);
}
/// `aten.group_norm.default`: input, groups, weights, bias, epsilon.
constexpr void emit_torch_group_norm(emission& to) {
  to.state({{"num_groups", to.integer("arg_1")}, {"epsilon", to.real("arg_4", 1e-5)}});
  set_statistics(to, false);
  emit_group_normalization(to);
}
/// `aten.native_group_norm.default`: input, weights, bias, three sizes, groups, epsilon.
constexpr void emit_torch_native_group_norm(emission& to) {
  to.state({{"num_groups", to.integer("arg_6")}, {"epsilon", to.real("arg_7", 1e-5)}});
  set_statistics(to, false);
  emit_group_normalization(to);
}

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
/// `aten.rms_norm.default`: input, the sizes of the last dimensions, weights, epsilon, by default that of float32.
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
    {"aten._native_batch_norm_legit_no_training.default", normalizing, emit_torch_native_batch_norm, 5},
    {"aten.instance_norm.default", along_axis, emit_torch_instance_norm},
    {"aten.group_norm.default", manner::fixed, emit_torch_group_norm},
    {"aten.native_group_norm.default", manner::fixed, emit_torch_native_group_norm},
    {"aten.layer_norm.default", manner::fixed, emit_torch_layer_norm},
    {"aten.native_layer_norm.default", manner::fixed, emit_torch_layer_norm, 1, 3},
    {"aten.rms_norm.default", manner::fixed, emit_torch_rms_norm},
};

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ExecuTorch's layers, matrix products, pools, normalizations and reductions. Sets the arguments as attributes with the names of
// ONNX, so that the emit functions of ONNX operators can read the arguments. Comments list the arguments of an operator in parentheses
// after its name, in order.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_argument.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_elementwise.hpp>
#include <baton/transform/detail/onnx_layers.hpp>
#include <baton/transform/detail/onnx_normalization.hpp>
#include <baton/transform/detail/onnx_pools.hpp>
#include <baton/transform/detail/onnx_reductions.hpp>
#include <baton/transform/detail/onnx_transposed_convolution.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// Replaces `aten.convolution.out` (input, weights, bias, stride, padding, dilation, whether the convolution is transposed, output padding,
/// groups).
constexpr void emit_aten_convolution(emission& emitter) {
  const auto dimensions = image_dimensions(emitter);
  const auto strides = numbers_for(emitter, "arg_3", dimensions, 1), dilations = numbers_for(emitter, "arg_5", dimensions, 1),
             output_padding = numbers_for(emitter, "arg_7", dimensions, 0);
  const auto pads = pads_for(emitter, "arg_4", dimensions);
  emitter.set_attributes({{"strides", span<const std::int64_t>{strides}},
                          {"dilations", span<const std::int64_t>{dilations}},
                          {"pads", span<const std::int64_t>{pads}},
                          {"output_padding", span<const std::int64_t>{output_padding}},
                          {"group", emitter.integer("arg_8", 1)}});
  if (emitter.integer("arg_6") != 0) return emit_transposed_convolution(emitter);
  emit_conv(emitter);
}
/// Replaces `aten.addmm.out` (addend, first factor, second factor, beta, alpha).
constexpr void emit_aten_addmm(emission& emitter) {
  emitter.set_attributes({{"beta", emitter.real("arg_3", 1)}, {"alpha", emitter.real("arg_4", 1)}});
  emitter.set_operands({emitter.operand(1), emitter.operand(2), emitter.operand(0)});
  emit_gemm(emitter);
}
/// Returns the layout rule of `aten.addmm.out`: `flexible_operand_1` if both factors are matrices and the second is a constant, otherwise
/// `fixed`. The factors are operands 1 and 2, because operand 0 is the addend.
constexpr auto addmm_layout_rule(const layout_query& node) -> layout_rule {
  const bool are_matrices = node.has(1) && node.is_constant(2) && node.shape(1).size() == 2 && node.shape(2).size() == 2;
  return are_matrices ? layout_rule::flexible_operand_1 : layout_rule::fixed;
}
/// Replaces `aten.linear.out` (input, weights [outputs, inputs], bias).
constexpr void emit_aten_linear(emission& emitter) {
  if (!can_move_weights(emitter, 1, 0)) return;
  if (emitter.stored_type(emitter.operand(1)).rank != 2) return emitter.refuse("the weights are not a matrix");
  finish_product(emitter, 1, false, emitter.operand(2));
}

/// Sets attributes that describe the window of a pool with `Dimensions` spatial dimensions, and calls `Emit`.
template <void (*Emit)(emission&), std::size_t Dimensions>
constexpr void emit_aten_pool(emission& emitter) {
  if (!has_batches(emitter, Dimensions)) return;
  const pool_window window(emitter, Dimensions);
  emitter.set_attributes({{"kernel_shape", span<const std::int64_t>{window.sizes}},
                          {"strides", span<const std::int64_t>{window.strides}},
                          {"pads", span<const std::int64_t>{window.pads}}});
  Emit(emitter);
}
/// Replaces `aten.avg_pool2d.out` (input, kernel size, stride, padding, whether the output size is rounded up, whether the average includes
/// the padding, divisor).
template <std::size_t Dimensions = 2>
constexpr void emit_aten_average_pool(emission& emitter) {
  if (emitter.has_attribute("arg_6")) return emitter.refuse("divisor_override is not supported");
  emitter.set_attributes({{"count_include_pad", emitter.integer("arg_5", 1)}});
  emit_aten_pool<emit_pool<false>, Dimensions>(emitter);
}
/// Replaces `aten.max_pool2d_with_indices.out` (input, kernel size, stride, padding, dilation, whether the output size is rounded up).
template <std::size_t Dimensions = 2>
constexpr void emit_aten_max_pool(emission& emitter) {
  const auto dilations = numbers_for(emitter, "arg_4", Dimensions, 1);
  emitter.set_attributes({{"dilations", span<const std::int64_t>{dilations}}});
  emit_aten_pool<emit_pool<true>, Dimensions>(emitter);
}

/// Replaces `aten.native_layer_norm.out` (input, sizes of the last dimensions, weights, bias, epsilon).
constexpr void emit_aten_layer_norm(emission& emitter) {
  if (!emitter.has(1)) return emitter.refuse("a normalization without weights is not supported");
  emitter.set_attributes({{"axis", -static_cast<std::int64_t>(emitter.list("arg_1").size())}, {"epsilon", emitter.real("arg_4", 1e-5)}});
  emit_layer_normalization(emitter);
}
/// Returns operand `at`, which has one number for each channel of operand 0. If the operand is omitted, returns a constant whose elements
/// are `absent`.
constexpr auto numbers_or(emission& emitter, std::size_t at, std::string_view suffix, float absent) -> value_id {
  if (emitter.has(at)) return emitter.operand(at);
  const auto type = emitter.file_type(emitter.operand(0));
  const auto channels = type.rank < 2 ? 0 : type.sizes[1];
  if (channels > 1 << 16) emitter.refuse("a normalization without weights or bias supports at most ", 1 << 16, " channels, not ", channels);
  const vector<float> numbers(static_cast<std::size_t>(emitter.is_refused() ? 0 : channels), absent);
  return emitter.real_constant(suffix, numbers, tensor(dtype::float32, static_cast<std::int64_t>(numbers.size())));
}
/// Replaces omitted weights of a normalization by 1, and an omitted bias by 0, for each channel.
constexpr void complete_weights(emission& emitter) {
  vector<value_id> operands{emitter.operand(0), numbers_or(emitter, 1, "weight", 1), numbers_or(emitter, 2, "bias", 0)};
  for (std::size_t i = 3; i < emitter.operand_count(); ++i) operands.push_back(emitter.operand(i));
  emitter.set_operands(operands);
}
/// Emits a batch normalization. Operands 3 and 4 are the mean and the variance of each channel.
constexpr void finish_batch_norm(emission& emitter, double epsilon) {
  if (!emitter.has(3) || !emitter.has(4)) return emitter.refuse("a normalization by the statistics of the batch is not supported");
  emitter.set_attributes({{"epsilon", epsilon}});
  complete_weights(emitter);
  emit_batch_normalization(emitter);
}
/// Replaces `aten._native_batch_norm_legit_no_training.out` (input, weights, bias, mean, variance, momentum, epsilon).
constexpr void emit_aten_batch_norm(emission& emitter) { finish_batch_norm(emitter, emitter.real("arg_6", 1e-5)); }
/// Emits a normalization of `groups` groups of channels.
constexpr void finish_group_norm(emission& emitter, std::int64_t groups, double epsilon) {
  emitter.set_attributes({{"num_groups", groups}, {"epsilon", epsilon}});
  complete_weights(emitter);
  emit_group_normalization(emitter);
}
/// Replaces `aten.native_group_norm.out` (input, weights, bias, batch size, number of channels, number of pixels, number of groups,
/// epsilon).
constexpr void emit_aten_group_norm(emission& emitter) {
  finish_group_norm(emitter, emitter.integer("arg_6"), emitter.real("arg_7", 1e-5));
}

/// Replaces `aten.mean.out`, `aten.sum.IntList_out` and similar operators (input, dimensions, whether the dimensions are kept).
template <fixed_string Op>
constexpr void emit_aten_reduction(emission& emitter) {
  emitter.set_operands({emitter.operand(0)});
  emitter.set_attributes({{"axes", emitter.list("arg_1")}, {"keepdims", emitter.integer("arg_2")}});
  finish_reduction(emitter, Op, reduction_function::plain, "");
}
constexpr auto reducing_aten_layout_rule(const layout_query& node) -> layout_rule {
  return reduction_layout_rule(node, "arg_1", false, node.program.integer(node.record, "arg_2") != 0);
}
/// Replaces `aten.any.out` (input, one dimension, whether the dimension is kept).
constexpr void emit_aten_any(emission& emitter) {
  const std::int64_t axes[] = {emitter.integer("arg_1")};
  emitter.set_attributes({{"axes", span<const std::int64_t>{axes}}, {"keepdims", emitter.integer("arg_2")}});
  finish_reduction(emitter, "tfl.reduce_any", reduction_function::plain, "");
}
/// Emits a reduction of all elements to one number.
template <fixed_string Op>
constexpr void emit_aten_reduction_of_all(emission& emitter) {
  emitter.set_operands({emitter.operand(0)});
  emitter.set_attributes({{"keepdims", 0}});
  finish_reduction(emitter, Op, reduction_function::plain, "");
}
/// Replaces `aten.prod.int_out` (input, one dimension, whether the dimension is kept).
constexpr void emit_aten_product(emission& emitter) {
  const std::int64_t axes[] = {emitter.integer("arg_1")};
  emitter.set_attributes({{"axes", span<const std::int64_t>{axes}}, {"keepdims", emitter.integer("arg_2")}});
  finish_reduction(emitter, "tfl.reduce_prod", reduction_function::plain, "");
}
/// Replaces `aten.var.correction_out` (input, dimensions, correction, whether the dimensions are kept). The sum of the squared differences
/// from the mean is divided by the number of reduced elements minus the correction. In `aten.var.out`, argument 2 is a boolean. The
/// correction is 1 if this boolean is true, else 0.
constexpr void emit_aten_variance(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto x = emitter.operand_in_file_layout(0);
  const auto rank = emitter.stored_type(x).rank;
  const auto reduced = reduced_dimensions(emitter.program(), none<value_id>, emitter.list("arg_1"), false, rank);
  if (!reduced.is_known) return emitter.refuse("an axis is not a dimension of the operand");
  const auto kept = reduced_type(emitter, reduced, x);
  const auto count = element_count(emitter.stored_type(x).shape()) / element_count(kept.shape());
  const auto divisor = static_cast<double>(count) - emitter.real("arg_2", 1);
  if (!(divisor > 0)) return emitter.refuse("the correction is not less than the number of reduced elements, ", count);
  normalization steps(emitter, x, reduced);
  const auto squares = steps.whole().call("squares", "tfl.square", {steps.whole().sub("difference", x, steps.mean("mean", x))});
  expression f(emitter);
  const auto sum = f.call("sum", "tfl.sum", {squares, steps.axes()}, {{"keep_dims", emitter.integer("arg_3") != 0}});
  f.finish("tfl.mul", sum, f.number("factor", 1 / divisor));
}

/// The rows (`legalization_row`) of layers, matrix products, pools, normalizations and reductions.
inline constexpr legalization_row executorch_layers[] = {
    {"aten.convolution.out", fixed_if_reordered<layout_rule::image>, in_identity_order<emit_aten_convolution, true>, 2},
    {"aten.addmm.out", addmm_layout_rule, in_identity_order<emit_aten_addmm>, 3},
    {"aten.mm.out", fixed_if_reordered<matrix_product_layout_rule<1>>, in_identity_order<emit_matmul>, 2},
    {"aten.bmm.out", layout_rule::fixed, in_identity_order<emit_matmul>, 2},
    {"aten.linear.out", fixed_if_reordered<matrix_product_layout_rule<1>>, in_identity_order<emit_aten_linear>, 2},
    {"aten.avg_pool2d.out", fixed_if_reordered<layout_rule::image>, in_identity_order<emit_aten_average_pool<>, true>},
    {"aten.max_pool2d_with_indices.out", fixed_if_reordered<layout_rule::image>, in_identity_order<emit_aten_max_pool<>, true>},
    {"aten.native_layer_norm.out", layout_rule::fixed, in_identity_order<emit_aten_layer_norm>, 1, 3},
    {"aten._native_batch_norm_legit_no_training.out", fixed_if_reordered<batch_normalization_layout_rule>,
     in_identity_order<emit_aten_batch_norm>},
    {"aten.mean.out", fixed_if_reordered<reducing_aten_layout_rule>, in_identity_order<emit_aten_reduction<"tfl.mean">>},
    {"aten.sum.IntList_out", fixed_if_reordered<reducing_aten_layout_rule>, in_identity_order<emit_aten_reduction<"tfl.sum">>},
    {"aten.amax.out", fixed_if_reordered<reducing_aten_layout_rule>, in_identity_order<emit_aten_reduction<"tfl.reduce_max">>},
    {"aten.amin.out", fixed_if_reordered<reducing_aten_layout_rule>, in_identity_order<emit_aten_reduction<"tfl.reduce_min">>},
    {"aten.any.out", layout_rule::fixed, in_identity_order<emit_aten_any>},
    {"aten.any.dims_out", layout_rule::fixed, in_identity_order<emit_aten_reduction<"tfl.reduce_any">>},
    {"aten.any.all_out", layout_rule::fixed, in_identity_order<emit_aten_reduction_of_all<"tfl.reduce_any">>},
    {"aten.mean.dtype_out", layout_rule::fixed, in_identity_order<emit_aten_reduction_of_all<"tfl.mean">>},
    {"aten.prod.out", layout_rule::fixed, in_identity_order<emit_aten_reduction_of_all<"tfl.reduce_prod">>},
    {"aten.prod.int_out", layout_rule::fixed, in_identity_order<emit_aten_product>},
    {"aten.max.unary_out", layout_rule::fixed, in_identity_order<emit_aten_reduction_of_all<"tfl.reduce_max">>},
    {"aten.min.unary_out", layout_rule::fixed, in_identity_order<emit_aten_reduction_of_all<"tfl.reduce_min">>},
    {"aten.var.correction_out", layout_rule::fixed, in_identity_order<emit_aten_variance>},
    {"aten.var.out", layout_rule::fixed, in_identity_order<emit_aten_variance>},
    {"aten.native_group_norm.out", layout_rule::fixed, in_identity_order<emit_aten_group_norm>},
};

}  // namespace baton::detail

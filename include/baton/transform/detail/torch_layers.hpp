// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces convolutions, matrix products and pools of torch.export. Sets the arguments as attributes with the names of ONNX, so that the
// emit functions of ONNX operators can read the arguments. Comments list the arguments of an operator in parentheses after its name, in
// order.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_argument.hpp>
#include <baton/transform/detail/executorch_images.hpp>
#include <baton/transform/detail/executorch_layers.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_layers.hpp>
#include <baton/transform/detail/onnx_transposed_convolution.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Replaces `aten.conv2d.default` and similar operators (input, weights, bias, stride, padding, dilation, groups). The padding is a list of
/// numbers, or the text `same` or `valid`.
constexpr void emit_torch_conv(emission& emitter) {
  const auto dimensions = image_dimensions(emitter);
  const auto strides = numbers_for(emitter, "arg_3", dimensions, 1), dilations = numbers_for(emitter, "arg_5", dimensions, 1);
  const auto pads = pads_for(emitter, "arg_4", dimensions);
  emitter.set_attributes({{"strides", span<const std::int64_t>{strides}},
                          {"dilations", span<const std::int64_t>{dilations}},
                          {"pads", span<const std::int64_t>{pads}},
                          {"group", emitter.integer("arg_6", 1)}});
  const auto padding = emitter.text("arg_4");
  if (padding == "same") emitter.set_attributes({{"auto_pad", "SAME_UPPER"}});
  if (!padding.empty() && padding != "same" && padding != "valid") return emitter.refuse("padding ", padding, " is not supported");
  emit_conv(emitter);
}
/// Replaces `aten.conv_transpose2d.input` and similar operators (input, weights, bias, stride, padding, output padding, groups, dilation).
constexpr void emit_torch_conv_transpose(emission& emitter) {
  const auto dimensions = image_dimensions(emitter);
  const auto strides = numbers_for(emitter, "arg_3", dimensions, 1), output_padding = numbers_for(emitter, "arg_5", dimensions, 0),
             dilations = numbers_for(emitter, "arg_7", dimensions, 1);
  const auto pads = pads_for(emitter, "arg_4", dimensions);
  emitter.set_attributes({{"strides", span<const std::int64_t>{strides}},
                          {"dilations", span<const std::int64_t>{dilations}},
                          {"pads", span<const std::int64_t>{pads}},
                          {"output_padding", span<const std::int64_t>{output_padding}},
                          {"group", emitter.integer("arg_6", 1)}});
  emit_transposed_convolution(emitter);
}

/// Replaces `aten.linear.default` (input, weights [outputs, inputs], bias). The weights need not be constant, because the weights of a
/// subgraph are graph inputs.
constexpr void emit_torch_linear(emission& emitter) {
  if (emitter.is_constant(emitter.operand(1))) return emit_aten_linear(emitter);
  if (emitter.stored_type(emitter.operand(1)).rank != 2) return emitter.refuse("the weights are not a matrix");
  const auto in = emitter.operand_in_file_layout(0);
  const value_id operands[] = {in, emitter.operand_in_file_layout(1), emitter.has(2) ? emitter.operand_in_file_layout(2) : none<value_id>};
  const named_literal literals[] = {
      {"fused_activation_function", "none"}, {"weights_format", "default"}, {"keep_num_dims", emitter.stored_type(in).rank != 2}};
  emitter.finish("tfl.fully_connected", span<const value_id>{operands, emitter.has(2) ? std::size_t{3} : std::size_t{2}}, literals);
}

/// Returns operand `at`, a vector, as a matrix. The new dimension of size 1 is dimension `position`.
constexpr auto matrix_of_vector(emission& emitter, std::size_t at, std::size_t position) -> value_id {
  const auto id = emitter.operand(at);
  const auto type = emitter.stored_type(id);
  const auto matrix = position == 0 ? tensor(type.type, 1, type.sizes[0]) : tensor(type.type, type.sizes[0], 1);
  if (emitter.is_data(id)) return emitter.reshaped(id, matrix);
  return emitter.add(at == 0 ? "row" : "column", "tfl.reshape", {id}, matrix, {{"new_shape", matrix.shape()}});
}
/// Replaces `aten.matmul.default`. A vector is treated as a row matrix if it is the first operand, and as a column matrix if it is the
/// second.
constexpr void emit_torch_matmul(emission& emitter) {
  auto first = emitter.stored_type(emitter.operand(0)), second = emitter.stored_type(emitter.operand(1));
  if (first.rank == 0 || second.rank == 0) return emitter.refuse("an operand is a scalar");
  const bool is_row = first.rank == 1, is_column = second.rank == 1;
  if (!is_row && !is_column) return emit_matmul(emitter);
  const auto out = emitter.output_type();
  const auto rank = std::max({first.rank, second.rank, std::size_t{2}}) - (is_row ? 1 : 0) - (is_column ? 1 : 0);
  if (out.rank != rank) return emitter.refuse("the output has ", out.rank, " dimensions, not ", rank);
  auto product = out;
  if (is_column) product.sizes[product.rank++] = 1;
  if (is_row) {
    for (auto d = product.rank++; d > product.rank - 2 && d > 0; --d) product.sizes[d] = product.sizes[d - 1];
    product.sizes[product.rank - 2] = 1;
  }
  emitter.set_operands({is_row ? matrix_of_vector(emitter, 0, 0) : emitter.operand_in_file_layout(0),
                        is_column ? matrix_of_vector(emitter, 1, 1) : emitter.operand(1)});
  emitter.begin_inner("product", product);
  emit_matmul(emitter);
  emitter.end_inner("vector", "tfl.reshape", {{"new_shape", out.shape()}});
}

/// The rows (`legalization_row`) of convolutions, matrix products and pools.
inline constexpr legalization_row torch_layers[] = {
    {"aten.conv1d.default", layout_rule::image, emit_torch_conv, 2},
    {"aten.conv1d.padding", layout_rule::image, emit_torch_conv, 2},
    {"aten.conv2d.default", layout_rule::image, emit_torch_conv, 2},
    {"aten.conv2d.padding", layout_rule::image, emit_torch_conv, 2},
    {"aten.convolution.default", layout_rule::image, emit_aten_convolution, 2},
    {"aten.conv_transpose1d.default", layout_rule::image, emit_torch_conv_transpose, 2},
    {"aten.conv_transpose2d.input", layout_rule::image, emit_torch_conv_transpose, 2},
    {"aten.linear.default", matrix_product_layout_rule<1>, emit_torch_linear, 2},
    {"aten.mm.default", matrix_product_layout_rule<1>, emit_matmul, 2},
    {"aten.bmm.default", layout_rule::fixed, emit_matmul, 2},
    {"aten.matmul.default", matrix_product_layout_rule<1>, emit_torch_matmul, 2},
    {"aten.addmm.default", addmm_layout_rule, emit_aten_addmm, 3},
    {"aten.avg_pool1d.default", layout_rule::image, emit_aten_average_pool<1>},
    {"aten.avg_pool2d.default", layout_rule::image, emit_aten_average_pool<2>},
    {"aten.max_pool1d.default", layout_rule::image, emit_aten_max_pool<1>},
    {"aten.max_pool2d.default", layout_rule::image, emit_aten_max_pool<2>},
    {"aten.max_pool2d_with_indices.default", layout_rule::image, emit_aten_max_pool<2>},
    {"aten.adaptive_avg_pool1d.default", layout_rule::image, emit_adaptive_pool<false, 1>},
    {"aten.adaptive_avg_pool2d.default", layout_rule::image, emit_adaptive_pool<false, 2>},
    {"aten._adaptive_avg_pool2d.default", layout_rule::image, emit_adaptive_pool<false, 2>},
    {"aten.adaptive_max_pool2d.default", layout_rule::image, emit_adaptive_pool<true, 2>},
};

}  // namespace baton::detail

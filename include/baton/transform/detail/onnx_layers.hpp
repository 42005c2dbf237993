// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ONNX convolutions and matrix products.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_image.hpp>
#include <baton/transform/detail/onnx_window.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// True if the weights, operand `at`, are a constant. Weights that are quantized per channel must also have the channel dimension `axis` in
/// the file. If false, refuses the node (the pass then fails with `unsupported_operator`).
constexpr auto can_move_weights(emission& emitter, std::size_t at, std::int32_t axis) -> bool {
  const auto weights = emitter.operand(at);
  if (!emitter.is_constant(weights)) return emitter.refuse("the weights are not a constant; export the model with constant weights"), false;
  const auto& quant = emitter.record(emitter.data_of(weights)).quant;
  if (quant.channels > 1 && quant.axis != axis) return emitter.refuse("the weights are quantized along dimension ", quant.axis), false;
  return true;
}

/// Replaces `onnx.Conv`. Weights [outputs, inputs per group, height, width] become [outputs, height, width, inputs per group]. If
/// there are several groups with one input channel each (depthwise), the weights become [1, height, width, outputs].
constexpr void emit_conv(emission& emitter) {
  const auto in = emitter.file_type(emitter.operand(0)), weights = emitter.stored_type(emitter.operand(1));
  if (in.rank != weights.rank) return emitter.refuse("the input has ", in.rank, " dimensions, but the weights have ", weights.rank);
  if (in.rank < 3 || in.rank > 4)
    return emitter.refuse("images of ", std::max<std::size_t>(in.rank, 2) - 2, " dimensions are not supported");
  const auto window = window_of(emitter, weights.shape().subspan(2));
  if (emitter.is_refused() || !can_move_weights(emitter, 1, 0)) return;
  if (window.has_extra) return emitter.refuse("the last window extends beyond the padded image");
  const auto groups = emitter.integer("group", 1), channels = in.sizes[1];
  if (groups <= 0 || channels != groups * weights.sizes[1] || weights.sizes[0] % groups != 0) {
    return emitter.refuse("the weights do not fit ", channels, " input channels in ", groups, " groups");
  }
  const bool is_depthwise = groups != 1 && groups == channels;
  const auto& height = window.axes[0];
  const auto& width = window.axes[1];
  permutation by{tensor(weights.type, weights.sizes[0], weights.sizes[1], height.filter, width.filter), {0, 2, 3, 1}};
  if (is_depthwise) by = {by.type, {1, 2, 3, 0}};
  const auto filter = emitter.moved(emitter.operand(1), by, by.result(), is_depthwise ? 3 : 0);
  const auto image = image_with_height(emitter, window.dimensions);
  begin_image_output(emitter, window.dimensions);
  const auto pads = window.pads();
  const bool is_plain = window.is_unpadded || window.is_same;
  vector<named_literal> literals{{"stride_w", width.stride},
                                 {"stride_h", height.stride},
                                 {"fused_activation_function", "none"},
                                 {"dilation_w_factor", width.dilation},
                                 {"dilation_h_factor", height.dilation}};
  literals.push_back(is_plain ? named_literal{"padding", window.padding()} : named_literal{"pads", span{pads}});
  if (is_depthwise) literals.push_back({"depth_multiplier", weights.sizes[0] / groups});
  const value_id operands[] = {image, filter, emitter.operand(2)};
  const text_argument ops[] = {"tfl.conv_2d", "baton.conv_2d", "tfl.depthwise_conv_2d", "baton.depthwise_conv_2d"};
  emitter.finish(ops[(is_depthwise ? 2 : 0) + (is_plain ? 0 : 1)], operands, literals);
  end_image_output(emitter, window.dimensions);
}

/// Returns the layout rule of a matrix product, whose second factor is operand `Weights`. Returns `flexible_operand_0` if both factors are
/// matrices, the second is a constant, and the first is not transposed. Operand 0 may then have either layout. If its rows are flattened
/// images with the channels last, `row_weights` permutes the constant accordingly, so the rows need no permutation. Otherwise, returns
/// `fixed`.
template <std::size_t Weights>
constexpr auto matrix_product_layout_rule(const layout_query& node) -> layout_rule {
  const bool are_matrices = node.has(0) && node.is_constant(Weights) && node.shape(0).size() == 2 && node.shape(Weights).size() == 2;
  return are_matrices && node.program.integer(node.record, "transA") == 0 ? layout_rule::flexible_operand_0 : layout_rule::fixed;
}

/// Returns the weights in operand `at` with the shape [outputs, inputs]. The operand has the shape [inputs, outputs] if `has_inputs_first`
/// is set, else [outputs, inputs]. If operand 0 is a row (a flattened image) with the channels last, the dimension `inputs` is permuted
/// accordingly. If operand 0 is an image, `finish_product` converts the image to the file's layout instead.
constexpr auto row_weights(emission& emitter, std::size_t at, bool has_inputs_first) -> value_id {
  const auto type = emitter.stored_type(emitter.operand(at));
  const auto row = emitter.layout(emitter.operand(0));
  const bool is_permuted = emitter.stored_type(emitter.operand(0)).rank == 2 && row.is_channels_last && row.moves();
  const auto outputs = type.sizes[has_inputs_first ? 1 : 0], inputs = type.sizes[has_inputs_first ? 0 : 1];
  const auto first = is_permuted ? row.channels : inputs, second = is_permuted ? row.inner : std::int64_t{1};
  permutation by{tensor(type.type, outputs, first, second), {0, 2, 1}};
  if (has_inputs_first) by = {tensor(type.type, first, second, outputs), {2, 1, 0}};
  return emitter.moved(emitter.operand(at), by, tensor(type.type, outputs, inputs), 0);
}
/// Finishes the replacement with the product of operand 0 and the constant weights in operand `at`. Adds `bias` unless `bias` is `none`.
constexpr void finish_product(emission& emitter, std::size_t at, bool has_inputs_first, value_id bias) {
  const auto weights = row_weights(emitter, at, has_inputs_first);
  const bool keeps_dimensions = emitter.stored_type(emitter.operand(0)).rank != 2;
  const auto row = keeps_dimensions ? emitter.operand_in_file_layout(0) : emitter.operand(0);
  const value_id operands[] = {row, weights, bias};
  const named_literal literals[] = {
      {"fused_activation_function", "none"}, {"weights_format", "default"}, {"keep_num_dims", keeps_dimensions}};
  emitter.finish("tfl.fully_connected", span<const value_id>{operands, bias == none<value_id> ? std::size_t{2} : std::size_t{3}}, literals);
}

/// Replaces `onnx.Gemm` by alpha · A · B + beta · C. An alpha or beta other than 1 becomes a separate node. If beta is 0, C is omitted. C
/// becomes the bias of a layer if alpha and beta are 1, A is not transposed, and B and C are constants. C must also have one number for
/// each column of the output. Any other C is added by a separate node.
constexpr void emit_gemm(emission& emitter) {
  if (emitter.stored_type(emitter.operand(0)).rank != 2 || emitter.stored_type(emitter.operand(1)).rank != 2) {
    return emitter.refuse("an operand is not a matrix");
  }
  const bool transposes_first = emitter.integer("transA") != 0, transposes_second = emitter.integer("transB") != 0;
  const auto alpha = emitter.real("alpha", 1), beta = emitter.real("beta", 1);
  const auto out = emitter.output_type();
  const bool has_weights = emitter.is_constant(emitter.operand(1)) && !transposes_first;
  const auto addend = beta == 0 ? none<value_id> : emitter.operand(2);
  const bool has_addend = addend != none<value_id>;
  bool is_bias = has_weights && has_addend && emitter.is_constant(addend) && alpha == 1 && beta == 1;
  if (is_bias) {
    const auto type = emitter.stored_type(addend);
    is_bias = type.rank != 0 && type.rank <= 2 && element_count(type.shape()) == out.sizes[1] && type.sizes[type.rank - 1] == out.sizes[1];
  }
  if (has_weights && !can_move_weights(emitter, 1, transposes_second ? 0 : 1)) return;
  const auto scalar = tensor(dtype::float32);
  const bool adds = has_addend && !is_bias;
  if (adds) emitter.begin_inner("product", out);
  if (alpha != 1) emitter.begin_inner("unscaled", out);
  if (has_weights) {
    auto bias = none<value_id>;
    if (is_bias) bias = emitter.reshaped(addend, tensor(emitter.record(addend).type, out.sizes[1]));
    finish_product(emitter, 1, !transposes_second, bias);
  } else {
    emitter.finish("tfl.batch_matmul", {emitter.operand_in_file_layout(0), emitter.operand_in_file_layout(1)},
                   {{"adj_x", transposes_first}, {"adj_y", transposes_second}});
  }
  if (alpha != 1) {
    const auto factor = static_cast<float>(alpha);
    emitter.end_inner("scale", "tfl.mul", {{"fused_activation_function", "none"}}, emitter.real_constant("alpha", {&factor, 1}, scalar));
  }
  if (!adds) return;
  auto scaled = emitter.in_file_layout(addend);
  if (beta != 1) {
    const auto factor = static_cast<float>(beta);
    scaled = emitter.add("addend", "tfl.mul", {scaled, emitter.real_constant("beta", {&factor, 1}, scalar)}, emitter.stored_type(scaled),
                         {{"fused_activation_function", "none"}});
  }
  emitter.end_inner("add", "tfl.add", {{"fused_activation_function", "none"}}, scaled);
}

/// Replaces `onnx.MatMul`. A constant matrix as the second operand becomes the weights of a `tfl.fully_connected`.
constexpr void emit_matmul(emission& emitter) {
  const auto first = emitter.stored_type(emitter.operand(0)), second = emitter.stored_type(emitter.operand(1));
  if (first.rank == 0 || second.rank < 2) return emitter.refuse("a product with a vector is not supported; add a dimension to the vector");
  if (emitter.is_constant(emitter.operand(1)) && second.rank == 2) {
    if (can_move_weights(emitter, 1, 1)) finish_product(emitter, 1, true, none<value_id>);
    return;
  }
  if (first.rank < 2) return emitter.refuse("a product with a vector is not supported; add a dimension to the vector");
  emitter.finish("tfl.batch_matmul", {emitter.operand_in_file_layout(0), emitter.operand_in_file_layout(1)},
                 {{"adj_x", false}, {"adj_y", false}});
}

/// The rows (`legalization_row`) of convolutions and matrix products.
inline constexpr legalization_row onnx_layers[] = {
    {"onnx.Conv", layout_rule::image, emit_conv, 2},
    {"onnx.Gemm", matrix_product_layout_rule<1>, emit_gemm, 2},
    {"onnx.MatMul", matrix_product_layout_rule<1>, emit_matmul, 2},
};

}  // namespace baton::detail

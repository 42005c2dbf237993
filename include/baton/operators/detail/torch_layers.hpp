// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Layers of torch.export: convolutions, matrix products, pools, normalizations, attention and recurrent cells.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/detail/executorch_layers.hpp>
#include <baton/operators/detail/product.hpp>
#include <baton/operators/detail/torch_rules.hpp>
#include <baton/operators/detail/work_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::torch::definitions {

using baton::definitions::infer_addmm;
using baton::definitions::infer_batch_matmul;
using baton::definitions::infer_bmm;
using baton::definitions::infer_linear;
using baton::definitions::infer_mm;
using executorch::definitions::addmm_operands;
using executorch::definitions::convolution_operands;
using executorch::definitions::infer_resized_image;
using executorch::definitions::layer_norm_operands;
using executorch::definitions::number_of;
using executorch::definitions::windows;

inline constexpr operand_definition root_operands[] = {{"input"}, {"weight", optional}};
inline constexpr operand_definition statistics_operands[] = {
    {"input"}, {"weight", optional}, {"bias", optional}, {"running_mean", optional}, {"running_var", optional}};
inline constexpr operand_definition attention_operands[] = {{"query"}, {"key"}, {"value"}, {"attn_mask", optional}};
inline constexpr operand_definition cell_operands[] = {{"input"}, {"hx"}, {"w_ih"}, {"w_hh"}, {"b_ih", optional}, {"b_hh", optional}};
inline constexpr operand_definition lstm_cell_operands[] = {{"input"},         {"hx"}, {"cx"}, {"w_ih"}, {"w_hh"}, {"b_ih", optional},
                                                            {"b_hh", optional}};
inline constexpr operand_definition recurrent_operands[] = {{"input"}, {"hx"}, {"params", repeated}};
inline constexpr operand_definition lstm_operands[] = {{"input"}, {"hx"}, {"cx"}, {"params", repeated}};

// Multiply-adds

/// Returns the multiply-adds of a transposed convolution, which multiplies each element of the input by all weights of the element's
/// channel.
constexpr auto work_of_taps(const program_view& program, const node& record) -> std::uint64_t {
  const auto operands = program.inputs(record);
  const auto weights = program.shape(operands[1]);
  const auto elements = element_count(program.shape(operands[0])), all = element_count(weights);
  if (weights.empty() || elements <= 0 || all <= 0) return 0;
  return static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(all / weights[0]);
}
/// Returns the multiply-adds of attention: queries times keys, and attention weights times values.
constexpr auto work_of_attention(const program_view& program, const node& record) -> std::uint64_t {
  const auto operands = program.inputs(record);
  const auto query = program.shape(operands[0]), key = program.shape(operands[1]), out = program.shape(program.outputs_of(record)[0]);
  const auto queries = element_count(query), outputs = element_count(out);
  if (key.size() < 2 || queries <= 0 || outputs <= 0 || key[key.size() - 2] <= 0) return 0;
  return static_cast<std::uint64_t>(queries + outputs) * static_cast<std::uint64_t>(key[key.size() - 2]);
}
/// Returns the multiply-adds of a recurrent cell. The cell multiplies each row of the input and of the state (operands 0 and 1) by a matrix
/// of weights. The matrices are operands `Weights` and `Weights + 1`.
template <std::size_t Weights>
constexpr auto work_of_cell(const program_view& program, const node& record) -> std::uint64_t {
  const auto operands = program.inputs(record);
  const auto state = program.shape(operands[1]);
  const auto elements = element_count(state), first = element_count(program.shape(operands[Weights])),
             second = element_count(program.shape(operands[Weights + 1]));
  if (state.empty() || elements <= 0 || first <= 0 || second <= 0) return 0;
  return static_cast<std::uint64_t>(elements / state[state.size() - 1]) * static_cast<std::uint64_t>(first + second);
}
/// Returns the multiply-adds of recurrent layers. Each row of the input is multiplied by all weights. The weights are the matrices among
/// the operands from `First` on. The operands before `First` are the input and the states, which are not weights even if they are matrices.
template <std::size_t First>
constexpr auto work_of_recurrent_layers(const program_view& program, const node& record) -> std::uint64_t {
  const auto operands = program.inputs(record);
  const auto in = program.shape(operands[0]);
  const auto elements = element_count(in);
  if (in.empty() || elements <= 0) return 0;
  std::uint64_t weights = 0;
  for (auto at = First; at < operands.size(); ++at) {
    const auto id = operands[at];
    if (id == none<value_id> || program.shape(id).size() != 2) continue;
    const auto count = element_count(program.shape(id));
    if (count < 0) return 0;
    weights += static_cast<std::uint64_t>(count);
  }
  return static_cast<std::uint64_t>(elements / in[in.size() - 1]) * weights;
}

// Types

/// Infers the output of a convolution. Arguments 3 to 6 are stride, padding, dilation and groups. If the padding is a text, such as `same`,
/// the sizes of the output image are not inferred.
constexpr void infer_conv(inference& node) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(1);
  if (rank < 3 || (node.rank(0) != rank && node.rank(0) + 1 != rank))
    return node.fail({"the weights have ", rank, " dimensions, the input ", node.rank(0)});
  const auto batches = node.rank(0) + 1 - rank;  // 1 or 0
  const auto channels = node.size(0, batches), each = node.size(1, 1), groups = node.integer("arg_6", 1);
  if (channels >= 0 && each >= 0 && channels != each * groups)
    return node.fail({"the weights need ", each * groups, " channels, the input has ", channels});
  const bool is_text = !node.text("arg_4").empty();
  const windows window{node.list("arg_3"), node.list("arg_4"), node.list("arg_5")};
  inferred_shape shape;
  if (batches != 0) shape.add(node.size(0, 0));
  shape.add(node.size(1, 0));
  for (std::size_t d = 0; d + 2 < rank; ++d) shape.add(is_text ? -1 : window.along(d, node.size(0, d + 1 + batches), node.size(1, d + 2)));
  node.set_shape(0, shape);
}
/// The names of the attributes of a transposed convolution.
struct transposed_arguments {
  literal_name stride, padding, dilation, output_padding, groups;
};
inline constexpr transposed_arguments transposed_positions{"arg_3", "arg_4", "arg_7", "arg_5", "arg_6"};
inline constexpr transposed_arguments convolution_positions{"arg_3", "arg_4", "arg_5", "arg_7", "arg_8"};

constexpr void infer_transposed_conv(inference& node, const transposed_arguments& arguments) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(1);
  if (rank < 3 || node.rank(0) != rank) return;
  const auto each = node.size(1, 1), groups = node.integer(arguments.groups, 1);
  inferred_shape shape{node.size(0, 0), each < 0 || groups < 1 || groups > known_sizes::max / (each + 1) ? -1 : each * groups};
  for (std::size_t d = 0; d + 2 < rank; ++d) {
    const auto size = node.size(0, d + 2), filter = node.size(1, d + 2);
    const auto stride = number_of(node.list(arguments.stride), d, 1), padding = number_of(node.list(arguments.padding), d, 0);
    const auto dilation = number_of(node.list(arguments.dilation), d, 1), more = number_of(node.list(arguments.output_padding), d, 0);
    const bool is_known = size > 0 && filter > 0 && stride > 0 && padding >= 0 && dilation > 0 && more >= 0;
    shape.add(is_known ? (size - 1) * stride - 2 * padding + (filter - 1) * dilation + more + 1 : -1);
  }
  node.set_shape(0, shape);
}
constexpr void infer_conv_transpose(inference& node) { return infer_transposed_conv(node, transposed_positions); }
constexpr void infer_convolution(inference& node) {
  if (node.integer("arg_6") != 0) return infer_transposed_conv(node, convolution_positions);
  return executorch::definitions::infer_convolution(node);
}
/// Infers the output of a matrix product. A vector counts as a matrix of one row if it is operand 0, and of one column if it is operand 1.
/// The output does not have the added dimension of size 1.
constexpr void infer_matmul(inference& node) {
  const auto m = node.rank(0), n = node.rank(1);
  if (m >= 2 && n >= 2) return infer_batch_matmul(node);
  node.set_type(0, node.type(0));
  if (m == 0 || n == 0) return node.fail({"an operand is a scalar"});
  const auto row = node.size(0, m - 1), column = node.size(1, n == 1 ? 0 : n - 2);
  if (row >= 0 && column >= 0 && row != column) return node.fail({"rows of ", row, " elements do not match columns of ", column});
  inferred_shape shape;
  for (std::size_t d = 0; d + 1 < m; ++d) shape.add(node.size(0, d));
  for (std::size_t d = 0; d < n; ++d) {
    if (n >= 2 && d != n - 2) shape.add(node.size(1, d));
  }
  node.set_shape(0, shape);
}

/// Infers the output of an average pool. Arguments 1 to 4 are the window size, the stride, the padding, and whether output sizes are
/// rounded up.
constexpr void infer_average_pool(inference& node) {
  if (node.rank(0) < 3) return node.set_type(0, node.type(0));
  return executorch::definitions::infer_average_pool(node);
}
constexpr void infer_max_pool(inference& node) {
  if (node.rank(0) < 3) return node.set_type(0, node.type(0));
  return executorch::definitions::infer_max_pool(node);
}
/// Infers only the type, for pools over one dimension.
constexpr void infer_pool_of_row(inference& node) { node.set_type(0, node.type(0)); }
/// Infers an output with the shape of the queries (operand 0), except that the last size is that of the values (operand 2).
constexpr void infer_attention(inference& node) {
  node.set_type(0, node.type(0));
  inferred_shape shape(node.shape(0));
  if (!shape.has_rank || shape.rank < 2 || node.rank(2) != shape.rank) return;
  shape.sizes[shape.rank - 1] = node.size(2, shape.rank - 1);
  node.set_shape(0, shape);
}
/// Infers the new states. Output i has the type and shape of operand i + 1, which is the old state.
constexpr void infer_cell(inference& node) {
  for (std::size_t i = 0; i < node.output_count() && node.has(i + 1); ++i)
    node.set_output(i, node.type(i + 1), inferred_shape(node.shape(i + 1)));
}

/// Infers the outputs of recurrent layers. Outputs 1 and 2, the new states, have the types and shapes of operands 1 and 2. The last size of
/// output 0 is the last size of the state, doubled if the layers run in both directions (`arg_7`).
constexpr void infer_recurrent_layers(inference& node) {
  inferred_shape shape(node.shape(0));
  for (std::size_t i = 1; i < node.output_count() && i < 3 && node.has(i); ++i)
    node.set_output(i, node.type(i), inferred_shape(node.shape(i)));
  node.set_type(0, node.type(0));
  if (!shape.has_rank || shape.rank == 0 || node.rank(1) == 0) return;
  const auto hidden = node.size(1, node.rank(1) - 1);
  shape.sizes[shape.rank - 1] = hidden < 0 ? -1 : hidden * (node.integer("arg_7") != 0 ? 2 : 1);
  node.set_shape(0, shape);
}

/// Definitions of layers.
inline constexpr operator_definition layers[] = {
    define("aten.conv1d.default", convolution_operands, infer_conv, work_rules::filter),
    define("aten.conv1d.padding", convolution_operands, infer_conv, work_rules::filter),
    define("aten.conv2d.default", convolution_operands, infer_conv, work_rules::filter),
    define("aten.conv2d.padding", convolution_operands, infer_conv, work_rules::filter),
    define("aten.convolution.default", convolution_operands, infer_convolution, work_rules::filter),
    define("aten.conv_transpose1d.default", convolution_operands, infer_conv_transpose, work_of_taps),
    define("aten.conv_transpose2d.input", convolution_operands, infer_conv_transpose, work_of_taps),
    define("aten.linear.default", convolution_operands, infer_linear, work_rules::filter),
    define("aten.mm.default", two_operands, infer_mm, work_rules::inner),
    define("aten.bmm.default", two_operands, infer_bmm, work_rules::inner),
    define("aten.matmul.default", two_operands, infer_matmul, work_rules::inner),
    define("aten.addmm.default", addmm_operands, infer_addmm, work_rules::inner_of_1),
    define("aten.avg_pool1d.default", one_operand, infer_pool_of_row),
    define("aten.avg_pool2d.default", one_operand, infer_average_pool),
    define("aten.max_pool1d.default", one_operand, infer_pool_of_row),
    define("aten.max_pool2d.default", one_operand, infer_max_pool),
    define("aten.max_pool2d_with_indices.default", one_operand, infer_max_pool),
    define("aten.adaptive_avg_pool1d.default", one_operand, infer_resized_image<1>),
    define("aten.adaptive_avg_pool2d.default", one_operand, infer_resized_image<2>),
    define("aten._adaptive_avg_pool2d.default", one_operand, infer_resized_image<2>),
    define("aten.adaptive_max_pool2d.default", one_operand, infer_resized_image<2>),
    define("aten.upsample_nearest2d.vec", one_operand, infer_resized_image<2>),
    define("aten.upsample_nearest2d.default", one_operand, infer_resized_image<2>),
    define("aten.upsample_bilinear2d.vec", one_operand, infer_resized_image<2>),
    define("aten.upsample_bilinear2d.default", one_operand, infer_resized_image<2>),
    define("aten.batch_norm.default", statistics_operands, infer_same_type_and_shape),
    define("aten._native_batch_norm_legit_no_training.default", statistics_operands, infer_same_type_and_shape),
    define("aten.instance_norm.default", statistics_operands, infer_same_type_and_shape),
    define("aten.layer_norm.default", layer_norm_operands, infer_same_type_and_shape),
    define("aten.native_layer_norm.default", layer_norm_operands, infer_same_type_and_shape),
    define("aten.group_norm.default", layer_norm_operands, infer_same_type_and_shape),
    define("aten.native_group_norm.default", layer_norm_operands, infer_same_type_and_shape),
    define("aten.rms_norm.default", root_operands, infer_same_type_and_shape),
    define("aten.scaled_dot_product_attention.default", attention_operands, infer_attention, work_of_attention),
    define("aten.gru_cell.default", cell_operands, infer_cell, work_of_cell<2>),
    define("aten.rnn_tanh_cell.default", cell_operands, infer_cell, work_of_cell<2>),
    define("aten.rnn_relu_cell.default", cell_operands, infer_cell, work_of_cell<2>),
    define("aten.lstm_cell.default", lstm_cell_operands, infer_cell, work_of_cell<3>),
    define("aten.gru.input", recurrent_operands, infer_recurrent_layers, work_of_recurrent_layers<2>),
    define("aten.rnn_tanh.input", recurrent_operands, infer_recurrent_layers, work_of_recurrent_layers<2>),
    define("aten.rnn_relu.input", recurrent_operands, infer_recurrent_layers, work_of_recurrent_layers<2>),
    define("aten.lstm.input", lstm_operands, infer_recurrent_layers, work_of_recurrent_layers<3>),
};

}  // namespace baton::torch::definitions

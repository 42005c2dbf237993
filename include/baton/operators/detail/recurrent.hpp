// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Recurrent networks.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/detail/work_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::definitions {

inline constexpr operand_definition svdf_operands[] = {
    {"input"}, {"feature_weights"}, {"time_weights"}, {"bias", operand_definition::presence::optional}, {"state"}};
inline constexpr operand_definition rnn_operands[] = {{"input"}, {"weights"}, {"recurrent_weights"}, {"bias"}, {"state"}};

// Only the input is listed. Weights, biases and states follow, and most of them are optional.
inline constexpr operand_definition gated_operands[] = {{"input"}};

/// Sets the dtype and shape of output `output` to those of the input, except that the size of the last dimension is `units`. `units` is the
/// number of outputs per time step. `rank` is the rank of the input.
constexpr void set_steps(inference& node, std::size_t output, std::size_t rank, std::int64_t units) {
  inferred_shape shape(node.shape(0).first(rank - 1));
  shape.add(units);
  node.set_output(output, node.type(0), shape);
}
/// Infers the output of an SVDF (`lite/kernels/svdf.cc`). The number of units is the number of filters (dimension 0 of operand 1), divided
/// by the attribute `rank`.
constexpr void infer_svdf(inference& node) {
  if (!node.require_rank(0, 2)) return;
  if (!node.require_rank(1, 2)) return;
  const auto rank = node.integer("rank");
  const auto filters = node.size(1, 0);
  set_steps(node, 0, 2, rank <= 0 || filters < 0 ? -1 : filters / rank);
}
/// Infers an output whose last size is the number of units: the size of dimension 0 of operand 1
/// (`lite/kernels/{basic_rnn,unidirectional_sequence_rnn}.cc`). The preceding dimensions are those of the input. `rank` is the rank of the
/// input.
constexpr void infer_units(inference& node, std::size_t rank) {
  if (!node.require_rank(0, rank)) return;
  if (!node.require_rank(1, 2)) return;
  set_steps(node, 0, rank, node.size(1, 0));
}
constexpr void infer_rnn(inference& node) { return infer_units(node, 2); }
constexpr void infer_sequence_rnn(inference& node) { return infer_units(node, 3); }
/// Infers an output whose last size is the number of columns of operand 8. This operand contains the recurrent weights of the output gate
/// (`lite/kernels/{lstm,unidirectional_sequence_lstm}.cc`). `rank` is the rank of the input.
constexpr void infer_outputs(inference& node, std::size_t rank) {
  if (!node.has(8)) return;
  if (!node.require_rank(0, rank)) return;
  if (!node.require_rank(8, 2)) return;
  set_steps(node, 0, rank, node.size(8, 1));
}
/// Infers the outputs of the basic LSTM of `lite/kernels/lstm.cc`. The operands are the input, the previous output, all weights, the
/// biases, and the previous state. The outputs of the node are the next output of the layer, the next state, the concatenation of input and
/// previous output, and the four gates. Each gate is as wide as the state.
constexpr void infer_basic_lstm(inference& node) {
  constexpr std::size_t needed[] = {1, 2, 4};
  for (const auto operand : needed) {
    if (!node.has(operand)) return node.fail({"operand ", operand, " is missing"});
  }
  if (!node.require_rank(0, 2) || !node.require_rank(1, 2) || !node.require_rank(2, 2) || !node.require_rank(4, 2)) return;
  const auto batch = node.size(0, 0), units = node.size(1, 1);
  const auto inputs = node.size(0, 1) < 0 || units < 0 ? -1 : node.size(0, 1) + units;
  if (inputs >= 0 && node.size(2, 1) >= 0 && node.size(2, 1) != inputs)
    return node.fail({"the weights have ", node.size(2, 1), " columns, but input and previous output together have ", inputs, " elements"});
  if (units >= 0 && node.size(2, 0) >= 0 && node.size(2, 0) != 4 * units)
    return node.fail({"the weights have ", node.size(2, 0), " rows for four gates of ", units, " units"});
  node.set_output(0, node.type(0), {batch, units});
  node.set_output(1, node.type(4), {batch, units});
  node.set_output(2, node.type(0), {batch, inputs});
  node.set_output(3, node.type(4), {batch, units < 0 ? -1 : 4 * units});
}
constexpr void infer_lstm(inference& node) { return node.operand_count() == 5 ? infer_basic_lstm(node) : infer_outputs(node, 2); }
constexpr void infer_sequence_lstm(inference& node) { return infer_outputs(node, 3); }
/// Infers the outputs of a bidirectional network (`lite/kernels/bidirectional_sequence_{lstm,rnn}.cc`). Output 0 is the forward output. If
/// `merge_outputs` is set, the backward output is appended along the last dimension of output 0; otherwise it is output 1. `forward` and
/// `backward` are the weight operands of the two directions. The size of dimension `units_dimension` of these operands is the number of
/// units.
constexpr void infer_bidirectional(inference& node, std::size_t forward, std::size_t backward, std::size_t units_dimension) {
  if (!node.has(forward) || !node.has(backward)) return;
  if (!node.require_rank(0, 3) || !node.require_rank(forward, 2) || !node.require_rank(backward, 2)) return;
  const auto first = node.size(forward, units_dimension), second = node.size(backward, units_dimension);
  const bool are_merged = node.integer("merge_outputs") != 0;
  set_steps(node, 0, 3, !are_merged ? first : first < 0 || second < 0 ? -1 : first + second);
  if (!are_merged) set_steps(node, 1, 3, second);
}
constexpr void infer_bidirectional_lstm(inference& node) { return infer_bidirectional(node, 8, 25, 1); }
constexpr void infer_bidirectional_rnn(inference& node) { return infer_bidirectional(node, 1, 5, 0); }

/// Definitions of recurrent networks.
inline constexpr operator_definition recurrent[] = {
    {.name = "tfl.svdf", .operands = svdf_operands, .keeps_state = true, .infer = infer_svdf, .multiply_adds = work_rules::rnn},
    {.name = "tfl.rnn", .operands = rnn_operands, .keeps_state = true, .infer = infer_rnn, .multiply_adds = work_rules::rnn},
    {.name = "tfl.unidirectional_sequence_rnn",
     .operands = rnn_operands,
     .keeps_state = true,
     .infer = infer_sequence_rnn,
     .multiply_adds = work_rules::rnn},
    {.name = "tfl.bidirectional_sequence_rnn",
     .operands = gated_operands,
     .keeps_state = true,
     .infer = infer_bidirectional_rnn,
     .multiply_adds = work_rules::bidirectional_rnn},
    {.name = "tfl.lstm",
     .operands = gated_operands,
     .keeps_state = true,
     .infer = infer_lstm,
     .multiply_adds = work_rules::lstm_of_either_kind},
    {.name = "tfl.unidirectional_sequence_lstm",
     .operands = gated_operands,
     .keeps_state = true,
     .infer = infer_sequence_lstm,
     .multiply_adds = work_rules::lstm},
    {.name = "tfl.bidirectional_sequence_lstm",
     .operands = gated_operands,
     .keeps_state = true,
     .infer = infer_bidirectional_lstm,
     .multiply_adds = work_rules::bidirectional_lstm},
};

}  // namespace baton::definitions

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
    {"input"}, {"feature_weights"}, {"time_weights"}, {"bias", operand_use::optional}, {"state"}};
inline constexpr operand_definition rnn_operands[] = {{"input"}, {"weights"}, {"recurrent_weights"}, {"bias"}, {"state"}};

// Behind the input weights, biases and states, most of which may be left out.
inline constexpr operand_definition gated_operands[] = {{"input"}};

/// All but the last dimension of the input, then the units.
constexpr void give_steps(inference& at, std::size_t output, std::size_t rank, std::int64_t units) {
  inferred_shape shape(at.shape(0).first(rank - 1));
  shape.add(units);
  at.give(output, at.type(0), shape);
}
/// `lite/kernels/svdf.cc`
constexpr void infer_svdf(inference& at) {
  if (!at.needs_rank(0, 2)) return;
  if (!at.needs_rank(1, 2)) return;
  const auto rank = at.integer("rank");
  const auto filters = at.size(1, 0);
  give_steps(at, 0, 2, rank <= 0 || filters < 0 ? -1 : filters / rank);
}
/// `lite/kernels/{basic_rnn,unidirectional_sequence_rnn}.cc`: whatever comes first, batch or time, stays first.
constexpr void infer_units(inference& at, std::size_t rank) {
  if (!at.needs_rank(0, rank)) return;
  if (!at.needs_rank(1, 2)) return;
  give_steps(at, 0, rank, at.size(1, 0));
}
constexpr void infer_rnn(inference& at) { return infer_units(at, 2); }
constexpr void infer_sequence_rnn(inference& at) { return infer_units(at, 3); }
/// `lite/kernels/{lstm,unidirectional_sequence_lstm}.cc`: the recurrent weights of the output gate have a row an output. Of the basic kind,
/// with five operands, nothing follows.
constexpr void infer_outputs(inference& at, std::size_t rank) {
  if (!at.has(8)) return;
  if (!at.needs_rank(0, rank)) return;
  if (!at.needs_rank(8, 2)) return;
  give_steps(at, 0, rank, at.size(8, 1));
}
constexpr void infer_lstm(inference& at) { return infer_outputs(at, 2); }
constexpr void infer_sequence_lstm(inference& at) { return infer_outputs(at, 3); }

/// What is known of recurrent networks.
inline constexpr operator_definition recurrent[] = {
    {.name = "tfl.svdf", .operands = svdf_operands, .keeps_state = true, .infer = infer_svdf, .multiply_adds = work_rules::rnn},
    {.name = "tfl.rnn", .operands = rnn_operands, .keeps_state = true, .infer = infer_rnn, .multiply_adds = work_rules::rnn},
    {.name = "tfl.unidirectional_sequence_rnn",
     .operands = rnn_operands,
     .keeps_state = true,
     .infer = infer_sequence_rnn,
     .multiply_adds = work_rules::rnn},
    {.name = "tfl.bidirectional_sequence_rnn", .operands = gated_operands, .keeps_state = true, .multiply_adds = work_rules::both_rnn},
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
    {.name = "tfl.bidirectional_sequence_lstm", .operands = gated_operands, .keeps_state = true, .multiply_adds = work_rules::both_lstm},
};

}  // namespace baton::definitions

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// How much a node computes and moves: multiply-adds and bytes.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

namespace baton::report {

/// The bytes of a value, 0 where its size is not known.
constexpr auto bytes_of(const program_view& program, value_id id) -> std::uint64_t {
  if (id == none<value_id>) return 0;
  const auto bytes = byte_count(program[id].type, program.shape(id));
  return bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes);
}

namespace detail {

/// Where an operator's multiply-adds can be read off.
enum class work_rule : std::uint8_t {
  filter,        ///< for one element of the output: operand 1 holds a filter an output channel, along its dimension 0
  last_filter,   ///< the same, along its last dimension
  inner,         ///< for one element of the output: operand 0's last dimension is summed over; transposed (`adj_x`): the one before
  inner_of_1,    ///< the same, operand 1's last dimension
  every_weight,  ///< for each row (all but the last dimension) of operand 0: one an element of the operands named
  every_tap,     ///< the same, of operand 2: a transposed convolution adds what each pixel brings to the outputs around it
};

/// A set of operands, a bit each.
constexpr auto operand_set(std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> runs) -> std::uint64_t {
  std::uint64_t set = 0;
  for (const auto& [first, last] : runs) {
    for (auto i = first; i <= last; ++i) set |= std::uint64_t{1} << i;
  }
  return set;
}
// Input weights, recurrent weights and peepholes stand side by side.
inline constexpr auto lstm_weights = operand_set({{1, 11}, {16, 16}});
inline constexpr auto both_lstm_weights = operand_set({{1, 11}, {16, 16}, {18, 28}, {33, 33}, {40, 47}});

struct operator_work {
  literal_name op;
  work_rule rule;
  std::uint64_t weights = 0;  ///< of `every_weight` and `every_tap`
};
/// After the kernels of TensorFlow Lite (`lite/kernels/{conv3d,transpose_conv,svdf,lstm,basic_rnn,bidirectional_sequence_lstm}.cc` and
/// their neighbours), which name the operands and their shapes; products of gates are no more counted than those of `tfl.mul`.
inline constexpr operator_work known_work[] = {
    {"tfl.conv_2d", work_rule::filter},
    {"tfl.depthwise_conv_2d", work_rule::last_filter},
    {"tfl.conv_3d", work_rule::last_filter},
    {"tfl.transpose_conv", work_rule::every_tap, operand_set({{1, 1}})},
    {"tfl.conv_3d_transpose", work_rule::every_tap, operand_set({{1, 1}})},
    {"tfl.fully_connected", work_rule::filter},
    {"tfl.batch_matmul", work_rule::inner},
    {"tfl.svdf", work_rule::every_weight, operand_set({{1, 2}})},
    {"tfl.rnn", work_rule::every_weight, operand_set({{1, 2}})},
    {"tfl.unidirectional_sequence_rnn", work_rule::every_weight, operand_set({{1, 2}})},
    {"tfl.bidirectional_sequence_rnn", work_rule::every_weight, operand_set({{1, 2}, {5, 6}, {10, 11}})},
    {"tfl.lstm", work_rule::every_weight, lstm_weights},
    {"tfl.unidirectional_sequence_lstm", work_rule::every_weight, lstm_weights},
    {"tfl.bidirectional_sequence_lstm", work_rule::every_weight, both_lstm_weights},
    {"aten.convolution.default", work_rule::filter},
    {"aten.linear.default", work_rule::filter},
    {"aten.mm.default", work_rule::inner},
    {"aten.bmm.default", work_rule::inner},
    {"aten.addmm.default", work_rule::inner_of_1},
};

constexpr auto summed_over(const program_view& program, const node& record, work_rule rule) -> std::int64_t {
  const auto operands = program.inputs(record);
  const std::size_t which = rule == work_rule::inner ? 0 : 1;
  if (operands.size() <= which || operands[which] == none<value_id>) return 0;
  const auto shape = program.shape(operands[which]);
  if (shape.empty()) return 0;
  if (rule == work_rule::inner || rule == work_rule::inner_of_1) {
    const bool is_transposed = rule == work_rule::inner && shape.size() > 1 && program.integer(record, "adj_x", 0) != 0;
    return shape[shape.size() - (is_transposed ? 2 : 1)];
  }
  const auto channels = rule == work_rule::filter ? shape.front() : shape.back();
  const auto count = element_count(shape);
  return channels <= 0 || count < 0 ? 0 : count / channels;
}

constexpr auto by_rows(const program_view& program, const node& record, const operator_work& known) -> std::uint64_t {
  const auto operands = program.inputs(record);
  const std::size_t from = known.rule == work_rule::every_tap ? 2 : 0;
  if (operands.size() <= from || operands[from] == none<value_id>) return 0;
  const auto shape = program.shape(operands[from]);
  const auto elements = element_count(shape);
  if (shape.empty() || elements <= 0) return 0;
  // The basic kind of LSTM has all weights in one operand.
  const auto weights = record.is("tfl.lstm") && operands.size() == 5 ? operand_set({{2, 2}}) : known.weights;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < operands.size() && i < 64; ++i) {
    if ((weights >> i & 1) == 0 || operands[i] == none<value_id>) continue;
    const auto size = element_count(program.shape(operands[i]));
    if (size < 0) return 0;
    count += static_cast<std::uint64_t>(size);
  }
  return static_cast<std::uint64_t>(elements / shape.back()) * count;
}

}  // namespace detail

/// The multiply-adds of one run of a node, 0 for operators that do none, that are not known here, or whose sizes are not known. Where a
/// window hangs over the border of its input, all of it counts.
constexpr auto multiply_adds(const program_view& program, const node& record) -> std::uint64_t {
  for (const auto& known : detail::known_work) {
    if (record.op != known.op.hash || record.outputs.size == 0) continue;
    if (known.weights != 0) return detail::by_rows(program, record, known);
    const auto elements = element_count(program.shape(program.outputs_of(record)[0]));
    const auto each = detail::summed_over(program, record, known.rule);
    return elements <= 0 || each <= 0 ? 0 : static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(each);
  }
  return 0;
}

}  // namespace baton::report

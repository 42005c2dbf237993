// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Where the multiply-adds of the operators that are known can be read off.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

// After the kernels of TensorFlow Lite (`lite/kernels/{conv3d,transpose_conv,svdf,lstm,basic_rnn,bidirectional_sequence_lstm}.cc` and
// their neighbours), which name the operands and their shapes; products of gates are no more counted than those of `tfl.mul`.
namespace baton::work_rules {

namespace detail {

/// The shape of an operand, empty where it is left out.
constexpr auto operand_shape(const program_view& program, const node& record, std::size_t which) -> span<const std::int64_t> {
  const auto operands = program.inputs(record);
  if (operands.size() <= which || operands[which] == none<value_id>) return {};
  return program.shape(operands[which]);
}

/// As many for each element of the output.
constexpr auto each_output(const program_view& program, const node& record, std::int64_t each) -> std::uint64_t {
  const auto elements = element_count(program.shape(program.outputs_of(record)[0]));
  return elements <= 0 || each <= 0 ? 0 : static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(each);
}

/// The elements of one of as many filters as there are channels.
constexpr auto filter_size(span<const std::int64_t> shape, std::int64_t channels) -> std::int64_t {
  const auto count = element_count(shape);
  return channels <= 0 || count < 0 ? 0 : count / channels;
}

/// A set of operands, a bit each.
constexpr auto operand_set(std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> runs) -> std::uint64_t {
  std::uint64_t set = 0;
  for (const auto& [first, last] : runs) {
    for (auto i = first; i <= last; ++i) set |= std::uint64_t{1} << i;
  }
  return set;
}

/// For each row (all but the last dimension) of an operand: one an element of the operands of a set.
constexpr auto each_row(const program_view& program, const node& record, std::uint64_t weights, std::size_t rows_of = 0) -> std::uint64_t {
  const auto shape = operand_shape(program, record, rows_of);
  const auto elements = element_count(shape);
  if (shape.empty() || elements <= 0) return 0;
  const auto operands = program.inputs(record);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < operands.size() && i < 64; ++i) {
    if ((weights >> i & 1) == 0 || operands[i] == none<value_id>) continue;
    const auto size = element_count(program.shape(operands[i]));
    if (size < 0) return 0;
    count += static_cast<std::uint64_t>(size);
  }
  return static_cast<std::uint64_t>(elements / shape.back()) * count;
}

// Input weights, recurrent weights and peepholes stand side by side.
inline constexpr auto lstm_weights = operand_set({{1, 11}, {16, 16}});
inline constexpr auto both_lstm_weights = operand_set({{1, 11}, {16, 16}, {18, 28}, {33, 33}, {40, 47}});
inline constexpr auto both_rnn_weights = operand_set({{1, 2}, {5, 6}, {10, 11}});

}  // namespace detail

/// For one element of the output: operand 1 holds a filter an output channel, along its dimension 0.
constexpr auto filter(const program_view& program, const node& record) -> std::uint64_t {
  const auto shape = detail::operand_shape(program, record, 1);
  return shape.empty() ? 0 : detail::each_output(program, record, detail::filter_size(shape, shape.front()));
}

/// The same, along its last dimension.
constexpr auto last_filter(const program_view& program, const node& record) -> std::uint64_t {
  const auto shape = detail::operand_shape(program, record, 1);
  return shape.empty() ? 0 : detail::each_output(program, record, detail::filter_size(shape, shape.back()));
}

/// For one element of the output: operand 0's last dimension is summed over; transposed (`adj_x`): the one before.
constexpr auto inner(const program_view& program, const node& record) -> std::uint64_t {
  const auto shape = detail::operand_shape(program, record, 0);
  if (shape.empty()) return 0;
  const bool is_transposed = shape.size() > 1 && program.integer(record, "adj_x", 0) != 0;
  return detail::each_output(program, record, shape[shape.size() - (is_transposed ? 2 : 1)]);
}

/// For one element of the output: operand 1's last dimension is summed over.
constexpr auto inner_of_1(const program_view& program, const node& record) -> std::uint64_t {
  const auto shape = detail::operand_shape(program, record, 1);
  return shape.empty() ? 0 : detail::each_output(program, record, shape.back());
}

/// A transposed convolution adds what each pixel of operand 2 brings to the outputs around it.
constexpr auto every_tap(const program_view& program, const node& record) -> std::uint64_t {
  return detail::each_row(program, record, detail::operand_set({{1, 1}}), 2);
}

/// Recurrent networks, an SVDF among them: each row of the input meets every weight.
constexpr auto rnn(const program_view& program, const node& record) -> std::uint64_t {
  return detail::each_row(program, record, detail::operand_set({{1, 2}}));
}
constexpr auto both_rnn(const program_view& program, const node& record) -> std::uint64_t {
  return detail::each_row(program, record, detail::both_rnn_weights);
}
constexpr auto lstm(const program_view& program, const node& record) -> std::uint64_t {
  return detail::each_row(program, record, detail::lstm_weights);
}
/// The basic kind of LSTM, of five operands, has all weights in one.
constexpr auto lstm_of_either_kind(const program_view& program, const node& record) -> std::uint64_t {
  if (record.inputs.size == 5) return detail::each_row(program, record, detail::operand_set({{2, 2}}));
  return lstm(program, record);
}
constexpr auto both_lstm(const program_view& program, const node& record) -> std::uint64_t {
  return detail::each_row(program, record, detail::both_lstm_weights);
}

}  // namespace baton::work_rules

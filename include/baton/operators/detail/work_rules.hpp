// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The multiply-adds of operators, derived from the shapes of their operands.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

// The positions and shapes of operands follow TensorFlow Lite's kernels
// (`lite/kernels/{conv3d,transpose_conv,svdf,lstm,basic_rnn,bidirectional_sequence_lstm}.cc` and related files). Element-wise products, for
// example of gates or of `tfl.mul`, are not counted.
namespace baton::work_rules {

namespace detail {

/// Returns the shape of an operand, or an empty shape if the operand is omitted.
constexpr auto operand_shape(const program_view& program, const node& record, std::size_t position) -> span<const std::int64_t> {
  const auto operands = program.inputs(record);
  if (operands.size() <= position || operands[position] == none<value_id>) return {};
  return program.shape(operands[position]);
}

/// Returns `each` times the number of elements of output 0, or 0 if one of the factors is unknown.
constexpr auto each_output(const program_view& program, const node& record, std::int64_t each) -> std::uint64_t {
  const auto elements = element_count(program.shape(program.outputs_of(record)[0]));
  return elements <= 0 || each <= 0 ? 0 : static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(each);
}

/// Returns the number of elements of one filter, for a weight tensor of shape `shape` that contains `channels` filters.
constexpr auto filter_size(span<const std::int64_t> shape, std::int64_t channels) -> std::int64_t {
  const auto count = element_count(shape);
  return channels <= 0 || count < 0 ? 0 : count / channels;
}

/// Returns the multiply-adds if each output element uses all elements of one filter. Dimension 0 of operand `weights` is the number of
/// filters.
constexpr auto each_filter(const program_view& program, const node& record, std::size_t weights) -> std::uint64_t {
  const auto shape = operand_shape(program, record, weights);
  return shape.empty() ? 0 : each_output(program, record, filter_size(shape, shape.front()));
}

/// Returns the multiply-adds if each output element is a sum over the last dimension of operand 0. If the attribute that `transposed` names
/// is not 0, the sum is over the second-to-last dimension.
constexpr auto each_sum(const program_view& program, const node& record, literal_name transposed) -> std::uint64_t {
  const auto shape = operand_shape(program, record, 0);
  if (shape.empty()) return 0;
  const bool is_transposed = shape.size() > 1 && program.integer(record, transposed, 0) != 0;
  return each_output(program, record, shape[shape.size() - (is_transposed ? 2 : 1)]);
}

/// Returns the bit mask of the operand positions in `ranges`; both ends of a range are included.
constexpr auto operand_set(std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> ranges) -> std::uint64_t {
  std::uint64_t set = 0;
  for (const auto& [first, last] : ranges) {
    for (auto i = first; i <= last; ++i) set |= std::uint64_t{1} << i;
  }
  return set;
}

/// Returns the number of rows of operand `row_operand`, times the total number of elements of the operands in the bit mask `weights`. A row
/// is a vector along the last dimension. Returns 0 if a size is unknown.
constexpr auto each_row(const program_view& program, const node& record, std::uint64_t weights, std::size_t row_operand = 0)
    -> std::uint64_t {
  const auto shape = operand_shape(program, record, row_operand);
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

// Operands 1 to 11 of an LSTM are its input, recurrent and peephole weights; operand 16 contains its projection weights. In a bidirectional
// LSTM, operands 18 to 28 and 33 are the corresponding weights of the backward direction. Operands 40 to 47 are the weights of the
// auxiliary input.
inline constexpr auto lstm_weights = operand_set({{1, 11}, {16, 16}});
inline constexpr auto bidirectional_lstm_weights = operand_set({{1, 11}, {16, 16}, {18, 28}, {33, 33}, {40, 47}});
inline constexpr auto bidirectional_rnn_weights = operand_set({{1, 2}, {5, 6}, {10, 11}});

}  // namespace detail

/// Returns the multiply-adds of a convolution or a linear layer. Each element of the output uses all elements of one filter. Dimension 0 of
/// operand 1 is the number of filters, one per output channel.
constexpr auto filter(const program_view& program, const node& record) -> std::uint64_t { return detail::each_filter(program, record, 1); }

/// Same as `filter`, but the last dimension of operand 1 is the number of filters.
constexpr auto filters_in_last_dimension(const program_view& program, const node& record) -> std::uint64_t {
  const auto shape = detail::operand_shape(program, record, 1);
  return shape.empty() ? 0 : detail::each_output(program, record, detail::filter_size(shape, shape.back()));
}

/// Returns the multiply-adds of a matrix product. Each element of the output is a sum over the last dimension of operand 0. If operand 0 is
/// transposed (`adj_x`), the sum is over the second-to-last dimension.
constexpr auto inner(const program_view& program, const node& record) -> std::uint64_t {
  return detail::each_sum(program, record, "adj_x");
}

/// Returns the multiply-adds of a matrix product whose operand 0 is an addend. Each element of the output is a sum over the last dimension
/// of operand 1.
constexpr auto inner_of_1(const program_view& program, const node& record) -> std::uint64_t {
  const auto shape = detail::operand_shape(program, record, 1);
  return shape.empty() ? 0 : detail::each_output(program, record, shape.back());
}

/// Returns the multiply-adds of a transposed convolution, which multiplies each pixel of operand 2 by all weights.
constexpr auto every_tap(const program_view& program, const node& record) -> std::uint64_t {
  return detail::each_row(program, record, detail::operand_set({{1, 1}}), 2);
}

/// Returns the multiply-adds of a recurrent network or of SVDF. Each row of the input is multiplied by all weights, which are operands 1
/// and 2.
constexpr auto rnn(const program_view& program, const node& record) -> std::uint64_t {
  return detail::each_row(program, record, detail::operand_set({{1, 2}}));
}
/// Same as `rnn`, for the weights of both directions and of the auxiliary input.
constexpr auto bidirectional_rnn(const program_view& program, const node& record) -> std::uint64_t {
  return detail::each_row(program, record, detail::bidirectional_rnn_weights);
}
/// Returns the multiply-adds of an LSTM with the operands of TensorFlow Lite's full kernel: input, recurrent, peephole and projection
/// weights.
constexpr auto lstm(const program_view& program, const node& record) -> std::uint64_t {
  return detail::each_row(program, record, detail::lstm_weights);
}
/// Returns the multiply-adds of an LSTM. A node with five operands is a basic LSTM, whose weights are all in operand 2.
constexpr auto lstm_of_either_kind(const program_view& program, const node& record) -> std::uint64_t {
  if (record.inputs.size == 5) return detail::each_row(program, record, detail::operand_set({{2, 2}}));
  return lstm(program, record);
}
/// Same as `lstm`, for the weights of both directions and of the auxiliary input.
constexpr auto bidirectional_lstm(const program_view& program, const node& record) -> std::uint64_t {
  return detail::each_row(program, record, detail::bidirectional_lstm_weights);
}

}  // namespace baton::work_rules

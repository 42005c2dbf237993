// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// How much a node computes and moves: multiply-adds and bytes.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace baton::report {

/// The bytes of a value, 0 where its size is not known.
constexpr auto bytes_of(const program_view& program, value_id id) -> std::uint64_t {
  if (id == none<value_id>) return 0;
  const auto bytes = byte_count(program[id].type, program.shape(id));
  return bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes);
}

namespace detail {

/// Where an operator's multiply-adds for one element of its output can be read off.
enum class work_rule : std::uint8_t {
  filter,        ///< operand 1 holds a filter an output channel, along its dimension 0
  depth_filter,  ///< operand 1 holds a filter a channel, along its last dimension
  inner,         ///< operand 0's last dimension is summed over
  inner_of_1,    ///< operand 1's last dimension is summed over
};
struct operator_work {
  literal_name op;
  work_rule rule;
};
inline constexpr operator_work known_work[] = {
    {"tfl.conv_2d", work_rule::filter},         {"tfl.conv_3d", work_rule::filter},
    {"tfl.fully_connected", work_rule::filter}, {"tfl.depthwise_conv_2d", work_rule::depth_filter},
    {"tfl.batch_matmul", work_rule::inner},     {"aten.convolution.default", work_rule::filter},
    {"aten.linear.default", work_rule::filter}, {"aten.mm.default", work_rule::inner},
    {"aten.bmm.default", work_rule::inner},     {"aten.addmm.default", work_rule::inner_of_1},
};

constexpr auto summed_over(const program_view& program, std::span<const value_id> operands, work_rule rule) -> std::int64_t {
  const std::size_t which = rule == work_rule::inner ? 0 : 1;
  if (operands.size() <= which || operands[which] == none<value_id>) return 0;
  const auto shape = program.shape(operands[which]);
  if (shape.empty()) return 0;
  if (rule == work_rule::inner || rule == work_rule::inner_of_1) return shape.back();
  const auto channels = rule == work_rule::filter ? shape.front() : shape.back();
  const auto count = element_count(shape);
  return channels <= 0 || count < 0 ? 0 : count / channels;
}

}  // namespace detail

/// The multiply-adds of one run of a node, 0 for operators that do none or that are not known here.
constexpr auto multiply_adds(const program_view& program, const node& record) -> std::uint64_t {
  for (const auto& known : detail::known_work) {
    if (record.op != known.op.hash || record.outputs.size == 0) continue;
    const auto elements = element_count(program.shape(program.outputs_of(record)[0]));
    const auto each = detail::summed_over(program, program.inputs(record), known.rule);
    return elements <= 0 || each <= 0 ? 0 : static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(each);
  }
  return 0;
}

}  // namespace baton::report

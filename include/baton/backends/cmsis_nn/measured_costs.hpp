// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Measured costs of nodes on a Cortex-M4, in instructions, for three kernel lists: CMSIS-NN, the Cortex-M kernels, and the portable
// kernels.
#pragma once

#include <baton/backends/cmsis_nn/cmsis_nn.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/partition/by_cost.hpp>
#include <baton/partition/constant_tagging.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace baton::cmsis_nn {

/// The size of a node: the number of output elements, and the work that computes them. The work of a pool is the number of window elements
/// of all outputs. The work of any other node is the number of its multiply-adds.
struct node_size {
  double outputs = 0;
  double work = 0;
};
constexpr auto size_of(const program_view& program, const node& record) -> node_size {
  const auto outputs = static_cast<double>(element_count(program.shape(program.outputs_of(record)[0])));
  const auto taps = program.integer(record, "filter_height") * program.integer(record, "filter_width");
  const bool is_pool = record.is("tfl.average_pool_2d") || record.is("tfl.max_pool_2d");
  return {outputs, is_pool ? outputs * static_cast<double>(taps) : static_cast<double>(multiply_adds(program, record))};
}

/// A linear cost model: the instructions per call, per output element, and per unit of `node_size::work`.
struct linear_cost {
  double call = 0;
  double output = 0;
  double work = 0;

  constexpr auto at(node_size size) const -> double { return call + output * size.outputs + work * size.work; }
};

/// Classes of nodes with similar costs. The class of a convolution depends on its window. The class of a depthwise convolution also depends
/// on the number of outputs per input channel. `outputs_multiple_of_four`: a multiple of 4 outputs per input channel.
/// `other_output_counts`: more than 1 output per input channel, but not a multiple of 4. `any`: all other nodes of an operator.
enum class window_kind : std::uint8_t { any, one_by_one, three_by_three, other_output_counts, outputs_multiple_of_four };
struct measured_row {
  literal_name op;
  window_kind window;
  linear_cost cmsis_nn;
  linear_cost cortex_m;
  linear_cost portable;
};

// The costs are fitted to measurements of single nodes with -O2 and GCC 12.2.
// To repeat the measurements: sh tests/budget/cmsis_nn_costs.sh
inline constexpr measured_row measured_rows[] = {
    {"tfl.conv_2d", window_kind::any, {0, 111.5, 1.7}, {251.6, 24.99, 0.5373}, {311, 70.73, 2.722}},
    {"tfl.conv_2d", window_kind::one_by_one, {0, 38.48, 1.752}, {4285, 8.477, 0.5506}, {32000, 39.82, 1.776}},
    {"tfl.depthwise_conv_2d", window_kind::three_by_three, {6935, 0, 7.635}, {3177, 18.44, 0}, {25100, 79.58, 0}},
    {"tfl.depthwise_conv_2d", window_kind::other_output_counts, {10780, 139.9, 10.7}, {0, 0, 0}, {0, 54.74, 5.425}},
    {"tfl.depthwise_conv_2d", window_kind::outputs_multiple_of_four, {11590, 67.18, 2.204}, {0, 0, 0}, {38840, 53.25, 0}},
    {"tfl.depthwise_conv_2d", window_kind::any, {45520, 15.22, 8.326}, {19860, 4.332, 2.876}, {17500, 32.75, 5.398}},
    {"tfl.fully_connected", window_kind::any, {187.2, 49.53, 1.875}, {37.25, 0, 1.494}, {119, 34.1, 2.737}},
    {"tfl.average_pool_2d", window_kind::any, {148.1, 20.84, 6.119}, {0, 55.32, 0.6149}, {27.99, 14.51, 9.658}},
    {"tfl.max_pool_2d", window_kind::any, {60.87, 11.72, 7.764}, {0, 12.34, 1.49}, {0, 11.89, 10.55}},
    {"tfl.add", window_kind::any, {96.44, 81, 0}, {40, 11.25, 0}, {41.51, 40.66, 0}},
    {"tfl.mul", window_kind::any, {54.73, 36.02, 0}, {0, 0, 0}, {0, 23.95, 0}},
    {"tfl.maximum", window_kind::any, {88.65, 7.978, 0}, {0, 0, 0}, {8.877, 7.977, 0}},
    {"tfl.minimum", window_kind::any, {88.65, 7.978, 0}, {0, 0, 0}, {8.877, 7.977, 0}},
    {"tfl.softmax", window_kind::any, {199, 440.4, 0}, {0, 0, 0}, {114.6, 41.9, 0}},
};

namespace detail {

/// Returns the class of a convolution, or `any` for other nodes and invalid shapes.
constexpr auto window_of(const program_view& program, const node& record) -> window_kind {
  const bool is_depthwise = record.is("tfl.depthwise_conv_2d");
  const auto operands = program.inputs(record);
  if ((!is_depthwise && !record.is("tfl.conv_2d")) || operands.size() < 2) return window_kind::any;
  if (operands[0] == none<value_id> || operands[1] == none<value_id>) return window_kind::any;
  const auto image = program.shape(operands[0]);
  const auto filter = program.shape(operands[1]);
  if (image.size() != 4 || filter.size() != 4 || image[3] <= 0) return window_kind::any;
  if (!is_depthwise) return filter[1] == 1 && filter[2] == 1 ? window_kind::one_by_one : window_kind::any;
  if (filter[3] == image[3]) return filter[1] == 3 && filter[2] == 3 ? window_kind::three_by_three : window_kind::any;
  return filter[3] / image[3] % 4 == 0 ? window_kind::outputs_multiple_of_four : window_kind::other_output_counts;
}

}  // namespace detail

/// Returns the index of a node's row in `measured_rows`, or the number of rows if the node has no row.
constexpr auto row_of(const program_view& program, const node& record) -> std::size_t {
  if (record.outputs.size == 0) return std::size(measured_rows);
  const auto window = detail::window_of(program, record);
  std::size_t at = 0;
  for (const auto& row : measured_rows) {
    if (row.op.hash == record.op && row.window == window) break;
    ++at;
  }
  return at;
}

/// The costs of nodes in an executor with `cortex_m_kernels` before the portable kernels. Operators without measurements cost 0. CMSIS-NN
/// does not compute them, so their cost does not affect the choice.
struct cortex_m_costs {
  static constexpr auto node(const program_view& program, const baton::node& record) -> double {
    const auto at = row_of(program, record);
    if (at == std::size(measured_rows)) return 0;
    const auto& row = measured_rows[at];
    const bool has_cortex_m_kernel = choose_kernel(cortex_m_kernels, program, record).support.accepted;
    return (has_cortex_m_kernel ? row.cortex_m : row.portable).at(size_of(program, record));
  }
};

/// The costs of nodes with the kernels of CMSIS-NN. Boundaries of parts cost nothing, because parts run in the executor's arena.
struct costs {
  static constexpr double byte = 0;
  static constexpr auto node(const program_view& program, const baton::node& record) -> double {
    const auto at = row_of(program, record);
    return at == std::size(measured_rows) ? 0 : measured_rows[at].cmsis_nn.at(size_of(program, record));
  }
};

/// A partitioner that assigns a node to CMSIS-NN if the node takes fewer instructions with CMSIS-NN than with the Cortex-M or portable
/// kernels. `by_measured_cost` also assigns the weights. `measured_choice::cost(program, partitioner)` returns the total cost of `program`
/// if `partitioner` assigns its nodes.
using measured_choice = by_cost<cortex_m_costs, costed_backend<backend, support, costs>>;
using by_measured_cost = with_constants<measured_choice>;

}  // namespace baton::cmsis_nn

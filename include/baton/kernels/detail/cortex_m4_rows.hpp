// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The measured costs of the Cortex-M kernels and the portable kernels on a Cortex-M4.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel_costs.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/declared_kernels.hpp>
#include <baton/kernels/shared/cost_row.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace baton::detail {

// The instructions are fitted to measurements of single nodes with -O2 and GCC 12.2. To repeat the measurements, run:
// sh tests/budget/kernel_costs.sh
// Packed convolutions were measured with weights without -128. A layer that has this weight is computed with wide weights, which take fewer
// instructions than packed weights; its estimate is the one of packed weights.
// The bytes of code are rounded averages over the nodes of five models. They include code and tables, and come from the line "flash" that
// examples/cortex_m/run.sh prints.
inline constexpr cost_row cortex_m4_rows[] = {
    {"tfl.conv_2d", cost_row::node_class::one_by_one_many_weights, cost_row::kernel_form::cortex_m, {0, 3.88, 0.8116}, 850},
    {"tfl.conv_2d", cost_row::node_class::one_by_one, cost_row::kernel_form::cortex_m, {1792, 9.22, 0.6266}, 850},
    {"tfl.conv_2d", cost_row::node_class::many_weights, cost_row::kernel_form::cortex_m, {11610, 16.68, 0.7441}, 850},
    {"tfl.conv_2d", cost_row::node_class::any, cost_row::kernel_form::cortex_m, {2623, 13.95, 0.7173}, 850},
    {"tfl.conv_2d", cost_row::node_class::one_by_one, cost_row::kernel_form::cortex_m_packed, {2014, 8.848, 0.7268}, 850},
    {"tfl.conv_2d", cost_row::node_class::any, cost_row::kernel_form::cortex_m_packed, {2936, 14.03, 0.8267}, 850},
    {"tfl.conv_2d", cost_row::node_class::many_weights, cost_row::kernel_form::cortex_m_gathered, {30310, 19.1, 0.7515}, 850},
    {"tfl.conv_2d", cost_row::node_class::any, cost_row::kernel_form::cortex_m_gathered, {5889, 36.17, 0.6814}, 850},
    {"tfl.conv_2d", cost_row::node_class::any, cost_row::kernel_form::winograd, {12510, 31.71, 0.3257}, 2200},
    {"tfl.conv_2d", cost_row::node_class::any, cost_row::kernel_form::winograd_by_single_rows, {33070, 52.55, 0.4173}, 2200},
    {"tfl.conv_2d", cost_row::node_class::one_by_one, cost_row::kernel_form::portable, {1979, 40.17, 2.736}, 850},
    {"tfl.conv_2d", cost_row::node_class::any, cost_row::kernel_form::portable, {197.9, 44.88, 3.155}, 850},
    {"tfl.depthwise_conv_2d", cost_row::node_class::one_channel, cost_row::kernel_form::cortex_m, {16560, 0, 1.097}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::one_channel, cost_row::kernel_form::cortex_m_packed, {16560, 0, 1.223}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::one_channel, cost_row::kernel_form::cortex_m_gathered, {55850, 0, 1.839}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::three_by_three_strided, cost_row::kernel_form::cortex_m, {6444, 22.63, 0}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::three_by_three, cost_row::kernel_form::cortex_m, {2825, 0, 2.033}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::three_by_three_few, cost_row::kernel_form::cortex_m_by_taps, {2581, 60.65, 0}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::three_by_three, cost_row::kernel_form::cortex_m_by_taps, {0, 0, 4.971}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::any, cost_row::kernel_form::cortex_m, {19880, 4.299, 2.878}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::three_by_three_strided, cost_row::kernel_form::portable, {0, 99.95, 0}, 1100},
    {"tfl.depthwise_conv_2d", cost_row::node_class::three_by_three, cost_row::kernel_form::portable, {0, 97.27, 0}, 1100},
    {"tfl.depthwise_conv_2d", cost_row::node_class::outputs_multiple_of_four, cost_row::kernel_form::portable, {0, 48.35, 2.956}, 1100},
    {"tfl.depthwise_conv_2d", cost_row::node_class::other_output_counts, cost_row::kernel_form::portable, {103.9, 44.13, 5.628}, 1100},
    {"tfl.depthwise_conv_2d", cost_row::node_class::any, cost_row::kernel_form::portable, {0, 54.52, 4.011}, 1100},
    {"tfl.fully_connected", cost_row::node_class::any, cost_row::kernel_form::cortex_m, {341.9, 3.858, 0.9181}, 420},
    {"tfl.fully_connected", cost_row::node_class::any, cost_row::kernel_form::cortex_m_from_bytes, {363.7, 4.204, 1.107}, 500},
    {"tfl.fully_connected", cost_row::node_class::any, cost_row::kernel_form::portable, {62.77, 38.42, 2.761}, 250},
    {"tfl.average_pool_2d", cost_row::node_class::any, cost_row::kernel_form::cortex_m, {0, 59.2, 0.6143}, 300},
    {"tfl.average_pool_2d", cost_row::node_class::any, cost_row::kernel_form::portable, {0, 17.76, 9.299}, 350},
    {"tfl.max_pool_2d", cost_row::node_class::any, cost_row::kernel_form::cortex_m, {0, 8.086, 1.639}, 300},
    {"tfl.max_pool_2d", cost_row::node_class::any, cost_row::kernel_form::portable, {0, 11.96, 10.54}, 350},
    {"tfl.add", cost_row::node_class::any, cost_row::kernel_form::cortex_m, {40, 11.25, 0}, 250},
    {"tfl.add", cost_row::node_class::any, cost_row::kernel_form::portable, {0, 40, 0}, 300},
    {"tfl.mul", cost_row::node_class::any, cost_row::kernel_form::portable, {25.27, 23.98, 0}, 300},
    {"tfl.maximum", cost_row::node_class::any, cost_row::kernel_form::portable, {8.877, 7.977, 0}, 150},
    {"tfl.minimum", cost_row::node_class::any, cost_row::kernel_form::portable, {8.877, 7.977, 0}, 150},
    {"tfl.softmax", cost_row::node_class::any, cost_row::kernel_form::portable, {76.75, 43.49, 0}, 350},
    {"tfl.reshape", cost_row::node_class::any, cost_row::kernel_form::portable, {40, 0, 0}, 10},
};
/// The cost of an operator that was not measured.
inline constexpr cost_row other_row{"", cost_row::node_class::any, cost_row::kernel_form::portable, {100, 30, 3}, 400};

/// The additional instructions of each row of a node that runs row by row: the calls, and the move of the kept rows. These instructions
/// were measured on the models `kws_ref_model` and `pretrainedResnet_quant` in tests/budget/gates.json: the difference between
/// `row_streaming` and `in_place`, divided by the number of rows. The portable kernels take more instructions per row, because they may run
/// pixel by pixel.
inline constexpr std::uint64_t instructions_per_row = 1600;
inline constexpr std::uint64_t instructions_per_portable_row = 3800;

template <class Kernel>
inline constexpr cost_row::kernel_form form_of = cost_row::kernel_form::portable;
template <template <cortex_m::options> class Kernel, cortex_m::options Options>
inline constexpr cost_row::kernel_form form_of<Kernel<Options>> = cost_row::kernel_form::cortex_m;
template <cortex_m::options Options>
inline constexpr cost_row::kernel_form form_of<cortex_m::detail::packed_conv_2d<Options>> = cost_row::kernel_form::cortex_m_packed;
template <cortex_m::options Options>
inline constexpr cost_row::kernel_form form_of<cortex_m::detail::gathered_conv_2d<Options>> = cost_row::kernel_form::cortex_m_gathered;
template <cortex_m::options Options>
inline constexpr cost_row::kernel_form form_of<cortex_m::detail::depthwise_conv_2d_by_taps<Options>> =
    cost_row::kernel_form::cortex_m_by_taps;
template <cortex_m::options Options>
inline constexpr cost_row::kernel_form form_of<cortex_m::detail::fully_connected_from_bytes<Options>> =
    cost_row::kernel_form::cortex_m_from_bytes;
template <cortex_m::options Options>
inline constexpr cost_row::kernel_form form_of<cortex_m::detail::winograd_conv_2d<Options>> = cost_row::kernel_form::winograd;

constexpr auto name_of(cost_row::kernel_form form) -> std::string_view {
  switch (form) {
    case cost_row::kernel_form::portable:
      return "portable";
    case cost_row::kernel_form::cortex_m:
      return "cortex_m";
    case cost_row::kernel_form::cortex_m_packed:
      return "cortex_m_packed";
    case cost_row::kernel_form::cortex_m_gathered:
      return "cortex_m_gathered";
    case cost_row::kernel_form::cortex_m_by_taps:
      return "cortex_m_by_taps";
    case cost_row::kernel_form::cortex_m_from_bytes:
      return "cortex_m_from_bytes";
    case cost_row::kernel_form::winograd:
    case cost_row::kernel_form::winograd_by_single_rows:
      return "winograd";
    case cost_row::kernel_form::cmsis_nn:
      return "cmsis_nn";
  }
  return "";
}

/// Returns the additional instructions of a Winograd convolution if each call computes a single row.
constexpr auto single_row_instructions(const program_view& program, const node& record, double instructions) -> std::uint64_t {
  const auto* const row =
      cost_row::find({cortex_m4_rows, std::size(cortex_m4_rows)}, program, record, cost_row::kernel_form::winograd_by_single_rows);
  if (row == nullptr) return 0;
  return static_cast<std::uint64_t>(std::max(0.0, row->instructions.at(cost_row::size_of(program, record)) - instructions));
}

/// Returns the cost of a node on a Cortex-M4. If no row matches the node and the form, the cost is computed from `other_row`.
constexpr auto cortex_m4_cost(const program_view& program, const node& record, cost_row::kernel_form form) -> node_cost {
  const auto* row = cost_row::find({cortex_m4_rows, std::size(cortex_m4_rows)}, program, record, form);
  if (row == nullptr) row = &other_row;
  auto instructions = row->instructions.at(cost_row::size_of(program, record));
  // For some sizes, the fitted cost of one of these forms is below that of its kernel, but the form is never faster.
  const bool is_form = form == cost_row::kernel_form::cortex_m_packed || form == cost_row::kernel_form::cortex_m_gathered ||
                       form == cost_row::kernel_form::cortex_m_by_taps || form == cost_row::kernel_form::cortex_m_from_bytes;
  if (is_form) {
    const auto of_kernel = cortex_m4_cost(program, record, cost_row::kernel_form::cortex_m).instructions;
    instructions = std::max(instructions, static_cast<double>(of_kernel));
  }
  // Small layers cost less than the constant part of the fitted cost. A kernel with a row costs at most half as much as portable code.
  if (form == cost_row::kernel_form::cortex_m && row != &other_row) {
    const auto half_of_portable = static_cast<double>(cortex_m4_cost(program, record, cost_row::kernel_form::portable).instructions) / 2;
    instructions = std::min(instructions, std::max(instructions - row->instructions.call, half_of_portable));
  }
  const auto per_row = form == cost_row::kernel_form::portable ? instructions_per_portable_row : instructions_per_row;
  const auto by_single_rows =
      form == cost_row::kernel_form::winograd ? single_row_instructions(program, record, instructions) : std::uint64_t{0};
  return {name_of(form), static_cast<std::uint64_t>(instructions), per_row, static_cast<std::uint64_t>(row->code_bytes), by_single_rows};
}

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Measured costs of nodes on a Cortex-M4 with CMSIS-NN, in instructions, and the choice between CMSIS-NN and the Cortex-M kernels.
#pragma once

#include <baton/backends/cmsis_nn/cmsis_nn.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernels/cortex_m4_costs.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/shared/cost_row.hpp>
#include <baton/partition/by_cost.hpp>
#include <baton/partition/constant_tagging.hpp>

#include <iterator>

namespace baton::cmsis_nn {

// The costs are fitted to measurements of single nodes with -O2 and GCC 12.2.
// To repeat the measurements: sh tests/budget/kernel_costs.sh
inline constexpr cost_row measured_rows[] = {
    {"tfl.conv_2d", cost_row::node_class::one_by_one, cost_row::kernel_form::cmsis_nn, {5845, 35.25, 1.624, 0, 0.11}, 0},
    {"tfl.conv_2d", cost_row::node_class::any, cost_row::kernel_form::cmsis_nn, {2219, 40.09, 1.751, 621.8, 0.082}, 0},
    {"tfl.depthwise_conv_2d", cost_row::node_class::three_by_three, cost_row::kernel_form::cmsis_nn, {0, 0, 7.502, 85.9, 0.045}, 0},
    {"tfl.depthwise_conv_2d",
     cost_row::node_class::outputs_multiple_of_four,
     cost_row::kernel_form::cmsis_nn,
     {0, 60.34, 3.33, 82.02, 0.062},
     0},
    {"tfl.depthwise_conv_2d", cost_row::node_class::other_output_counts, cost_row::kernel_form::cmsis_nn, {0, 123.6, 12.8, 0, 0.046}, 0},
    {"tfl.depthwise_conv_2d", cost_row::node_class::any, cost_row::kernel_form::cmsis_nn, {0, 0, 9.073, 711.2, 0.04}, 0},
    {"tfl.fully_connected", cost_row::node_class::any, cost_row::kernel_form::cmsis_nn, {172.4, 50.03, 1.871, 0, 0.0053}, 0},
    {"tfl.average_pool_2d", cost_row::node_class::any, cost_row::kernel_form::cmsis_nn, {0, 9.802, 6.426, 174.5, 0.0099}, 0},
    {"tfl.max_pool_2d", cost_row::node_class::any, cost_row::kernel_form::cmsis_nn, {0, 0.8624, 8.043, 166.8, 0.013}, 0},
    {"tfl.add", cost_row::node_class::any, cost_row::kernel_form::cmsis_nn, {95.52, 81.01, 0, 0, 0.00028}, 0},
    {"tfl.mul", cost_row::node_class::any, cost_row::kernel_form::cmsis_nn, {54.73, 36.02, 0, 0, 0.00045}, 0},
    {"tfl.maximum", cost_row::node_class::any, cost_row::kernel_form::cmsis_nn, {88.65, 7.978, 0, 0, 0.0025}, 0},
    {"tfl.minimum", cost_row::node_class::any, cost_row::kernel_form::cmsis_nn, {88.65, 7.978, 0, 0, 0.0025}, 0},
    {"tfl.softmax", cost_row::node_class::any, cost_row::kernel_form::cmsis_nn, {239.5, 440.3, 0, 0, 0.0019}, 0},
};

/// The costs of nodes in an executor whose kernel list is `cortex_m_kernels`, followed by the portable kernels. A node without a row in
/// `measured_rows` costs 0: CMSIS-NN does not compute it, so its cost does not affect the choice.
struct cortex_m_costs {
  static constexpr auto node(const program_view& program, const baton::node& record) -> double {
    if (cost_row::find({measured_rows, std::size(measured_rows)}, program, record, cost_row::kernel_form::cmsis_nn) == nullptr) return 0;
    double cost = 0;
    const auto try_kernel = [&]<class Kernel>() {
      if (!ask_kernel<Kernel>(program, record).support) return false;
      cost = static_cast<double>(cortex_m4_costs::node<Kernel>(program, record).instructions);
      return true;
    };
    const auto try_all = [&]<class... Kernels>(kernel_list<Kernels...>) { return (try_kernel.template operator()<Kernels>() || ...); };
    if (try_all(cortex_m_kernels)) return cost;
    // No kernel of `cortex_m_kernels` supports the node, so it costs as much as with a portable kernel.
    return static_cast<double>(cortex_m4_costs::node<archetypes::kernel>(program, record).instructions);
  }
};

/// The costs of nodes with the kernels of CMSIS-NN. Bytes that enter or leave a part cost nothing, because parts run in the executor's
/// arena.
struct costs {
  static constexpr double byte = 0;
  static constexpr auto node(const program_view& program, const baton::node& record) -> double {
    const auto* const row = cost_row::find({measured_rows, std::size(measured_rows)}, program, record, cost_row::kernel_form::cmsis_nn);
    return row == nullptr ? 0 : row->instructions.at(cost_row::size_of(program, record, cost_row::kernel_form::cmsis_nn));
  }
};

/// A partitioner that assigns a node to CMSIS-NN if the node takes fewer instructions with CMSIS-NN than with the Cortex-M or portable
/// kernels. `by_measured_cost` also assigns the weights. `measured_choice::cost(program, partitioner)` returns the total cost of `program`
/// if `partitioner` assigns the nodes.
using measured_choice = by_cost<cortex_m_costs, costed_backend<backend, support, costs>>;
using by_measured_cost = with_constants<measured_choice>;

}  // namespace baton::cmsis_nn

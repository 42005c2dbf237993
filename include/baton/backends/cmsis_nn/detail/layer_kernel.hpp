// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The common base of kernels that call CMSIS-NN (the library) to compute a layer with weights.
#pragma once

#include <baton/backends/cmsis_nn/detail/channel_table.hpp>
#include <baton/backends/cmsis_nn/detail/library.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::cmsis_nn::detail {

/// Returns the description of a layer that the library computes. `Plan` must have the members `table` and `buffer_bytes`.
template <class Plan>
constexpr auto describe_layer(const Plan& plan) -> node_description<Plan> {
  return {accept(), plan, {.scratch_bytes = scratch_for(plan.buffer_bytes), .prepared = plan.table.size()}};
}

/// The base of a kernel that computes a layer with weights. `Kernel` must have the functions `describe` and `compute(plan, node_memory)`,
/// and `using layer_kernel<Kernel, PortableKernel>::compute`. `describe` must call `describe_layer`. `PortableKernel` is the portable
/// kernel of the same layer; its plan contains the multipliers and biases of the channels.
template <class Kernel, class PortableKernel>
struct layer_kernel {
  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<std::int32_t> to) {
    const auto weights = program.data(program[program.inputs(record)[1]].data);
    Kernel::describe(program, record).plan.table.fill(PortableKernel::describe(program, record).plan.numbers, weights, first, to);
  }

  /// Computes the layer. Does not access the model's bias, because the table that `prepare` computes at compile time contains the biases.
  /// Therefore the model's bias takes no flash.
  template <class Call>
  static void compute(const Call& call) {
    const std::array<const char*, 2> from{call.template input<0>(), call.template input<1>()};
    char* const to = call.template output<0>();
    const auto prepared = call.prepared();
    const auto scratch = call.scratch();
    Kernel::compute(node_plan<Kernel, Call>, {.inputs = from.data(),
                                              .outputs = &to,
                                              .scratch = {scratch.data(), scratch.size()},
                                              .prepared = {reinterpret_cast<const char*>(prepared.data()), prepared.size_bytes()}});
  }
};

/// Pointers to the rows of a plan's table, as the library expects them.
struct channel_pointers {
  const std::int32_t* bias;
  cmsis_nn_per_channel_quant_params factors;  ///< multipliers and shifts
};
template <class Plan>
auto channels_of(const Plan& plan, const node_memory& memory) -> channel_pointers {
  const auto row = [&](channel_table::row which) { return channel_table::begin_of(which, memory.prepared.data(), plan.table.row_words()); };
  return {row(channel_table::bias), {without_const(row(channel_table::multiplier)), without_const(row(channel_table::shift))}};
}

}  // namespace baton::cmsis_nn::detail

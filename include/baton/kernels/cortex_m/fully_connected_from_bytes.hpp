// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fully connected layers on int8 for a Cortex-M, without scratch.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/cortex_m/detail/dense_loops.hpp>
#include <baton/kernels/cortex_m/detail/dense_stream.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/detail/set_chunks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m {

namespace detail {

/// A form of `fully_connected` without scratch. A form is an alternative kernel that only `within` selects. Each block (see `dense_stream`)
/// expands the inputs to 16 bits in registers. With more than one block, the form takes about a fifth more instructions than
/// `fully_connected`. Only the last output of a batch item may overlap the inputs of this item. Refuses layers that `fully_connected`
/// itself computes without scratch.
template <options Options = options{}>
struct fully_connected_from_bytes {
  static constexpr literal_name operators[] = {"tfl.fully_connected", "baton.fully_connected"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<dense_stream> {
    auto result = describe_packed_dense(program, record, Options);
    if (!result.support) return result;
    auto& plan = result.plan;
    if (plan.reads_bytes != 0) return {refuse("fully_connected already computes this layer without scratch")};
    read_bytes(plan, Options);
    result.facts.overread_bytes = static_cast<std::uint32_t>(4 * plan.input_words() - plan.inputs);
    result.facts.prepared = prepared_blocks_of(plan);
    // Each output is computed from all inputs of its batch item. So the last output of an item determines the `min_distance`.
    const std::int64_t growth = std::max<std::int32_t>(0, plan.out.channels - plan.inputs);
    result.facts.operands[0].distance = {.ascending = growth * (plan.batches - 1) + plan.out.channels - 1};
    if (plan.batches == 1) portable::detail::set_chunks(result.facts, 1, {plan.out.channels, plan.width});
    return result;
  }
  /// Computes the node in portable C++.
  static void compute(const dense_stream& plan, const node_memory& memory) {
    compute_batches(plan, memory.inputs[0], memory.prepared.data(), memory.outputs[0],
                    [&](const char* inputs, const char* stream, std::int32_t blocks, char* to) {
                      compute_dense_blocks_portable(plan, inputs, stream, blocks, to);
                    });
  }

  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<std::uint32_t> to) {
    auto plan = describe_dense(program, record, Options).plan;
    read_bytes(plan, Options);
    pack_dense(program, record, plan, first, to);
  }

  template <class Call>
  static void compute(const Call& call) {
    constexpr const auto& plan = node_plan<fully_connected_from_bytes, Call>;
    compute_batches(plan, call.template input<0>(), reinterpret_cast<const char*>(call.prepared().data()), call.template output<0>(),
                    &compute_dense_blocks<plan>);
  }
  /// Computes the chunks [`first`, `last`), each with the outputs of one block (see `kernel_facts::chunks`).
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr const auto& plan = node_plan<fully_connected_from_bytes, Call>;
    compute_blocks(plan, reinterpret_cast<const char*>(call.prepared().data()), call.template input<0>(), call.template output<0>(), first,
                   last, &compute_dense_blocks<plan>);
  }

 private:
  template <class Compute>
  [[gnu::always_inline]] static void compute_batches(const dense_stream& plan, const char* input, const char* stream, char* output,
                                                     Compute compute_dense_blocks) {
    for (std::int32_t batch = 0; batch < plan.batches; ++batch) {
      compute_blocks(plan, stream, input + batch * plan.inputs, output + batch * plan.out.channels, 0, plan.blocks(), compute_dense_blocks);
    }
  }
};
static_assert(kernel<fully_connected_from_bytes<>>);

}  // namespace detail

}  // namespace baton::cortex_m

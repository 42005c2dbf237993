// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fully connected layers on int8 for a Cortex-M: four or two outputs at a time from a stream of packed constants (`streams.hpp`).
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/cortex_m/detail/dense_loops.hpp>
#include <baton/kernels/cortex_m/detail/dense_stream.hpp>
#include <baton/kernels/cortex_m/fully_connected_from_bytes.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/detail/set_chunks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m {

namespace detail {

/// A kernel that computes `tfl.fully_connected` and `baton.fully_connected` on int8 with constant int8 weights. The weights may be
/// quantized per channel or per tensor. Supports any fused activation. Requires requantization factors in [0, 1/2), and scaled sums that
/// provably fit 32 bits. Refuses weights that cannot be packed (`pairs_fit`). Results are bit-identical to `portable::fully_connected`.
/// Weights are packed at compile time, so the model's weights are not read at run time. For each batch item, the inputs are expanded to 16
/// bits in scratch before the outputs are written. If `dense_stream::reads_bytes` is set, the inputs are expanded in registers instead, and
/// no scratch is needed. This requires at most four outputs and a multiple of four inputs. The form `fully_connected_from_bytes` computes
/// all other layers without scratch.
template <options Options = options{}>
struct fully_connected {
  static constexpr literal_name operators[] = {"tfl.fully_connected", "baton.fully_connected"};
  using forms = kernel_list<fully_connected_from_bytes<Options>>;

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::dense_stream> {
    auto result = detail::describe_packed_dense(program, record, Options);
    if (!result.support) return result;
    const auto& plan = result.plan;
    result.facts.scratch_bytes = static_cast<std::uint32_t>(plan.scratch_bytes());
    // The inputs of a batch item are read before its outputs are written. So the outputs of an item may overlap the inputs of this item and
    // of earlier items, but not the inputs of later items. With each item, the output advances `growth` bytes more than the input. If
    // `growth` is positive, the inputs of the last item determine the `min_distance`, otherwise the inputs of the second item. With one
    // item, input and output may overlap in any way.
    const std::int64_t growth = plan.out.channels - plan.inputs;
    auto& distance = result.facts.operands[0].distance;
    distance = {.ascending = growth * (growth > 0 ? plan.batches - 1 : 1)};
    if (plan.batches == 1) distance = {-plan.inputs, -plan.inputs};
    if (plan.batches == 1 && plan.reads_bytes == 0) portable::detail::set_chunks(result.facts, 1, {plan.out.channels, plan.width});
    return result;
  }
  /// Computes the node in portable C++.
  static void compute(const detail::dense_stream& plan, const node_memory& memory) {
    detail::compute_dense_layer(plan, memory.inputs[0], memory.prepared.data(), memory.scratch.data(), memory.outputs[0],
                                [&](const char* inputs, const char* stream, std::int32_t blocks, char* to) {
                                  detail::compute_dense_blocks_portable(plan, inputs, stream, blocks, to);
                                });
  }

  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<std::uint32_t> to) {
    detail::pack_dense(program, record, detail::describe_dense(program, record, Options).plan, first, to);
  }

  template <class Call>
  static void compute(const Call& call) {
    constexpr const auto& plan = node_plan<fully_connected, Call>;
    const auto scratch = call.scratch();
    detail::compute_dense_layer(plan, call.template input<0>(), reinterpret_cast<const char*>(call.prepared().data()), scratch.data(),
                                call.template output<0>(), &detail::compute_dense_blocks<plan>);
  }
  /// Computes the chunks [`first`, `last`) (see `kernel_facts::chunks`), each with the outputs of one block of `dense_stream`. The call
  /// with block 0 also expands the inputs in scratch, and later calls read them there.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr const auto& plan = node_plan<fully_connected, Call>;
    const auto scratch = call.scratch();
    if (first == 0) detail::expand_inputs(call.template input<0>(), plan.inputs, scratch.data());
    detail::compute_blocks(plan, reinterpret_cast<const char*>(call.prepared().data()), scratch.data(), call.template output<0>(), first,
                           last, &detail::compute_dense_blocks<plan>);
  }
};
static_assert(kernel<fully_connected<>>);

}  // namespace detail

}  // namespace baton::cortex_m

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fully connected layers of int8 for a Cortex-M: four outputs at once over a packed stream of weights.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/least_distance.hpp>
#include <baton/kernel/prepared_blocks.hpp>
#include <baton/kernels/cortex_m/detail/dense_loops.hpp>
#include <baton/kernels/cortex_m/detail/dense_stream.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/described_kernel.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::cortex_m {

namespace detail {

/// `tfl.fully_connected` on int8 with constant int8 weights, per channel or per tensor, any fused activation; numeric rules:
/// `portable::fully_connected`, to the byte. Weights are packed in the compiler; those of the file are not read. Inputs are expanded to two
/// bytes each in scratch before any output of their row is written.
template <options Options = options{}>
struct fully_connected {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!record.is("tfl.fully_connected")) return refuse();  // GCC 12: no conditional operator on class prvalues
    auto made = detail::describe_dense(program, record, Options);
    if (!made.found) return std::move(made.found);
    const auto weights = program.data(program[program.inputs(record)[1]].data);
    if (!detail::pairs_fit(weights, static_cast<std::size_t>(made.plan.inputs)))
      return refuse("a weight of -128 behind a negative one, which no pair of weights has room for");
    return accept();
  }

  static constexpr auto describe(const program_view& program, const node& record) -> portable::description<detail::dense_stream> {
    return detail::describe_dense(program, record, Options);
  }
  /// The plain form.
  static void compute(const detail::dense_stream& plan, const portable::node_memory& at) {
    detail::connect_layer(
        plan, at.inputs[0], at.prepared.data(), at.scratch.data(), at.outputs[0],
        [&](const char* stream, std::int32_t blocks, char* to) { detail::connect_plainly(plan, at.scratch.data(), stream, blocks, to); });
  }

  static constexpr auto prepared_size(const program_view& program, const node& record) -> prepared_blocks<std::uint32_t> {
    const auto plan = describe(program, record).plan;
    // A word holds four weights: fewer of them than of smaller elements fit the compiler's limits.
    const auto words = static_cast<std::size_t>(plan.block_words());
    return {static_cast<std::size_t>(plan.blocks()), words, std::max<std::size_t>(1, 8192 / words)};
  }
  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<std::uint32_t> to) {
    detail::pack_dense(program, record, describe(program, record).plan, first, to);
  }
  static constexpr auto scratch_bytes(const program_view& program, const node& record) -> std::uint32_t {
    return static_cast<std::uint32_t>(describe(program, record).plan.scratch_bytes());
  }
  /// A row of inputs is read before one of outputs is written: the only one may lie anywhere.
  static constexpr auto distance_of(const program_view& program, const node& record, std::size_t operand) -> least_distance {
    if (operand != 0) return {};
    const auto plan = describe(program, record).plan;
    if (plan.batches == 1) return {-plan.inputs, -plan.inputs};
    const std::int64_t grows = plan.out.channels - plan.inputs;
    return {.ascending = grows * (grows > 0 ? plan.batches - 1 : 1)};
  }

  template <class Call>
  static void run(const Call& call) {
    static constexpr auto plan = detail::describe_dense(Call::program(), Call::record(), Options).plan;
    const auto scratch = call.scratch();
    detail::connect_layer(
        plan, call.template input<0>(), reinterpret_cast<const char*>(call.prepared().data()), scratch.data(), call.template output<0>(),
        [&](const char* stream, std::int32_t blocks, char* to) { detail::connect<plan>(scratch.data(), stream, blocks, to); });
  }
};
static_assert(kernel<fully_connected<>>);

}  // namespace detail

}  // namespace baton::cortex_m

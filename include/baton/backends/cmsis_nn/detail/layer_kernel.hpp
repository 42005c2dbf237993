// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The shell of a kernel that calls the library for a layer with weights.
#pragma once

#include <baton/backends/cmsis_nn/detail/channel_table.hpp>
#include <baton/backends/cmsis_nn/detail/library.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/prepared_blocks.hpp>
#include <baton/kernels/described_kernel.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::cmsis_nn::detail {

/// `Kernel`, derived from it, has `literal_name operators[]`, `describe` and `compute`; `reference` is the portable kernel that it stands
/// for. Its plan has `table` and `buffer_bytes`. The model's bias is not read: the prepared table has it.
template <class Kernel, class Reference>
struct layer_kernel {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!is_among(record.op, Kernel::operators)) return refuse();
    return Kernel::describe(program, record).found;
  }
  static constexpr auto prepared_size(const program_view& program, const node& record) -> prepared_blocks<std::int32_t> {
    return Kernel::describe(program, record).plan.table.size();
  }
  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<std::int32_t> to) {
    const auto weights = program.data(program[program.inputs(record)[1]].data);
    Kernel::describe(program, record).plan.table.make(Reference::describe(program, record).plan.numbers, weights, first, to);
  }
  static constexpr auto scratch_bytes(const program_view& program, const node& record) -> std::uint32_t {
    return scratch_for(Kernel::describe(program, record).plan.buffer_bytes);
  }

  template <class Call>
  static void run(const Call& call) {
    static constexpr auto plan = Kernel::describe(Call::program(), Call::record()).plan;
    const std::array<const char*, 2> from{call.template input<0>(), call.template input<1>()};
    char* const to = call.template output<0>();
    const auto prepared = call.prepared();
    const auto scratch = call.scratch();
    Kernel::compute(plan, {.inputs = from.data(),
                           .outputs = &to,
                           .scratch = {scratch.data(), scratch.size()},
                           .prepared = {reinterpret_cast<const char*>(prepared.data()), prepared.size_bytes()}});
  }
};

/// The rows of a plan's table, as the library takes them.
struct channel_pointers {
  const std::int32_t* bias;
  cmsis_nn_per_channel_quant_params by;
};
template <class Plan>
auto channels_of(const Plan& plan, const portable::node_memory& at) -> channel_pointers {
  const auto row = [&](channel_table::row which) { return channel_table::begin_of(which, at.prepared.data(), plan.table.row_words()); };
  return {row(channel_table::bias), {unconst(row(channel_table::multiplier)), unconst(row(channel_table::shift))}};
}

}  // namespace baton::cmsis_nn::detail

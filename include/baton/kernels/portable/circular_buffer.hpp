// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// `CIRCULAR_BUFFER`, which concatenates the inputs of the last inferences. Streaming models use this operator before a convolution over
// time.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/flexbuffer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::portable {

namespace detail {

struct circular_plan {
  std::int32_t size = 1;   ///< elements of an input
  std::int32_t slots = 1;  ///< inputs in the state
  std::int32_t zero_point = 0;
};

/// Returns the option `cycles_max`: the nodes after this one run in only one of `cycles_max` inferences. The two models with this operator
/// in TensorFlow Lite Micro lack the option. For such models, the result is 1 for 5, 13 or 25 slots, and 2 for any other number of slots.
constexpr auto cycles_of(const program_view& program, const node& record, std::int64_t slots) -> std::int64_t {
  const auto bytes = program.text(record, "custom_options");
  const auto stated = flexbuffer{bytes}[std::size_t{0}].integer();
  return stated > 0 ? stated : slots == 5 || slots == 13 || slots == 25 ? 1 : 2;
}

constexpr auto describe_circular(const program_view& program, const node& record) -> node_description<circular_plan> {
  node_check check{program, record};
  check.counts(2, 2);
  check.conforms();
  const auto in = check.input(0, "input", 4);
  const auto state = check.state(1, "state");
  const auto out = check.output(4);
  check.is_one_of(in, {dtype::int8}, "input");
  check.is_one_of(out, {dtype::int8}, "output");
  if (!check.ok()) return {check.verdict_so_far(), {}};
  check.demand(in.size(0) == 1 && in.size(1) == 1, "input has ", in.size(0), " images of ", in.size(1),
               " rows; only one image of one row is supported");
  check.demand(out.size(0) == 1 && out.size(2) == in.size(2) && out.size(3) == in.size(3), "rows of output and input differ in size");
  check.demand(state.count == out.count && state.type == dtype::uint8, "state has ", state.count, " bytes, not ", out.count);
  check.same_quantization(in, out);
  const auto cycles = cycles_of(program, record, out.size(1));
  check.demand(cycles == 1, "the nodes after this one run in only one of ", cycles, " inferences, which is not supported");
  const auto zero_point = check.per_tensor(out, "output").zero_point;
  return {check.verdict_so_far(), {in.count, out.size(1), zero_point}};
}

/// A kernel that computes `tfl.custom.CIRCULAR_BUFFER` on int8. The operator concatenates the inputs of the last inferences, oldest first.
/// The state holds the inputs minus their zero point, so that the initial state is all zeros. If the option `cycles_max` exceeds 1, only
/// some inferences continue after the node. Such a node is not supported, because a graph cannot end early. Numeric rules:
/// `circular_buffer.cc` of TensorFlow Lite Micro.
struct circular_buffer {
  static constexpr literal_name operators[] = {"tfl.custom.CIRCULAR_BUFFER"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::circular_plan> {
    return detail::describe_circular(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::circular_plan& plan, const node_memory& memory) {
    auto* kept = memory.states[1];
    const auto kept_bytes = plan.size * (plan.slots - 1);
    std::memmove(kept, kept + plan.size, static_cast<std::size_t>(kept_bytes));
    for (std::int32_t i = 0; i < plan.size; ++i)
      store(kept, kept_bytes + i, static_cast<std::uint8_t>(load<std::int8_t>(memory.inputs[0], i) - plan.zero_point));
    for (std::int32_t i = 0; i < plan.size * plan.slots; ++i)
      store(memory.outputs[0], i, static_cast<std::int8_t>(load<std::uint8_t>(kept, i) + plan.zero_point));
  }
};
static_assert(kernel<circular_buffer>);

}  // namespace detail

}  // namespace baton::portable

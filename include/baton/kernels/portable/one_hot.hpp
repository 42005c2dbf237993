// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// One-hot encoding, `tfl.one_hot`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/middle_axis.hpp>
#include <baton/kernels/detail/positions.hpp>
#include <baton/kernels/detail/walk.hpp>
#include <baton/kernels/node_check.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::portable {

namespace detail {

/// The compile-time plan of a one-hot encoding: positions [outer, inner] become [outer, depth, inner] (see `middle_axis`).
struct one_hot_plan {
  middle_axis along{};
  positions at{};
  std::int32_t element_bytes = 1;
};

constexpr auto describe_one_hot(const program_view& program, const node& record) -> node_description<one_hot_plan> {
  node_check check{program, record};
  check.conforms();
  const auto where = check.input(0, "position");
  const auto depth = check.constant_integers(1, "depth");
  const auto on = check.input(2, "on_value");
  const auto off = check.input(3, "off_value");
  const auto out = check.output();
  one_hot_plan plan;
  plan.at = describe_positions(check, where);
  check.demand(depth.count == 1, "depth has ", depth.count, " numbers, not 1");
  check.same_type(on, out);
  check.same_type(off, out);
  check.demand(on.count == 1 && off.count == 1, "on_value and off_value have ", on.count, " and ", off.count, " elements, not 1");
  plan.element_bytes = moved_bytes(check, out, "output");
  plan.along = middle_axis_of(check, out, program.integer(record, "axis", 0));
  return {check.verdict_so_far(), plan};
}

/// A kernel that computes `tfl.one_hot`. Positions are int32 or int64. Elements have any type whose size is a whole number of bytes. The
/// depth is a constant; the on and off values may be computed at run time. A position outside of [0, depth) yields only off values. Outputs
/// follow `lite/kernels/one_hot.cc`.
struct one_hot {
  static constexpr literal_name operators[] = {"tfl.one_hot"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::one_hot_plan> {
    return detail::describe_one_hot(program, record);
  }
  template <class Plan>
  [[gnu::always_inline]] static void compute(const Plan& plan, const node_memory& memory) {
    const auto bytes = static_cast<std::size_t>(plan.element_bytes);
    const auto& [outer, depth, inner] = plan.along;
    auto* const to = memory.outputs[0];
    for (std::int32_t i = 0; i < outer * depth * inner; ++i) std::memcpy(to + i * plan.element_bytes, memory.inputs[3], bytes);
    for (std::int32_t i = 0; i < outer; ++i) {
      for (std::int32_t j = 0; j < inner; ++j) {
        const auto number = plan.at.index_at(memory.inputs[0], i * inner + j, 0);
        if (number < 0 || number >= depth) continue;
        const auto on = (i * depth + static_cast<std::int32_t>(number)) * inner + j;
        std::memcpy(to + on * plan.element_bytes, memory.inputs[2], bytes);
      }
    }
  }
};
static_assert(kernel<one_hot>);

}  // namespace detail

}  // namespace baton::portable

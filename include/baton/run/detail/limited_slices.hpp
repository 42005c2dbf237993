// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The number of slices of each node, for reports, in an executor with a limit of operations per slice. A slice is the work of one call of
// `step` (see `in_slices`).
#pragma once

#include <baton/core/program.hpp>
#include <baton/plan/limits.hpp>
#include <baton/plan/schedule.hpp>

#include <cstdint>
#include <utility>

namespace baton::detail {

/// Sets two numbers in `plan` for the node of step `S`: `slices`, the number of its slices, and `max_slices`, their number if each slice is
/// as short as possible. Does nothing if the step is a segment or a copy.
template <class Execution, std::uint64_t MaxOperations, std::uint32_t S>
constexpr void add_slices_of_step(limited_plan& plan) {
  constexpr schedule_step step = Execution::tables.step[S];
  if constexpr (step.kind != step_kind::rows && step.kind != step_kind::copy) {
    constexpr auto n = index(Execution::tables.node[step.nodes.first]);
    auto& slices = plan.nodes[n];
    slices.slices = slices.max_slices = 1;
    if constexpr (step.kind == step_kind::kernel) {
      slices.slices = static_cast<std::uint32_t>(Execution::template cut<n, MaxOperations>.slices());
      slices.max_slices = static_cast<std::uint32_t>(Execution::template shortest_cut<n, MaxOperations>().slices());
    }
  }
}

/// Returns the choice of the service `within`. If the executor lacks this service, the result lists only the numbers of slices of the root
/// graph's nodes. If there is also no limit `MaxOperations`, the result is empty.
template <class Execution, std::uint64_t MaxOperations>
constexpr auto limited_choice_of() -> limited_plan {
  auto plan = Execution::template limited_choice<MaxOperations>();
  if constexpr (!Execution::is_limited && MaxOperations != limits::none && !Execution::view().graphs.empty()) {
    plan.nodes.resize(Execution::view().nodes.size());
    constexpr auto steps = Execution::tables.steps[0];
    [&]<std::uint32_t... S>(std::integer_sequence<std::uint32_t, S...>) {
      (add_slices_of_step<Execution, MaxOperations, steps.first + S>(plan), ...);
    }(std::make_integer_sequence<std::uint32_t, steps.size>{});
  }
  return plan;
}

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Planning of the arena of a program.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/placing/best.hpp>
#include <baton/plan/shared/chosen_policy.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/lifetime.hpp>
#include <baton/plan/shared/locations.hpp>
#include <baton/plan/shared/memory_planner.hpp>
#include <baton/plan/storage_map.hpp>

#include <utility>

namespace baton {

/// Plans the memory of the graphs that run, each by the policy; without one by `placing::best`: several ways of placing are tried until one
/// reaches the lower bound, the best is kept. What a graph needs is scratch memory of each node that calls it; graphs of one
/// node use the same. The plan is verified, whatever made it. Errors: `uneven_alignment`, `dynamic_shape`, `regions_too_small`,
/// `unsplit_policy`, `invalid_policy`, `recursive_graph`. Near-linear where little lives at once. Delegates are run by their backends;
/// `storage` says which values have no memory of their own.
constexpr auto plan_memory(const program_view& program, const plan_options& options = {}, storage_map storage = {},
                           const chosen_policy& policy = planned_by<placing::best>{}) -> result<memory_plan> {
  const auto calls = graphs_that_run(program);
  if (!calls) return calls.error;
  memory_request request;
  if (!storage.empty()) {
    add_storage_of_states(storage, program);
    request.storage = &storage;
  }
  auto planned = plan_memory(program, calls.value, options, request, policy);
  planned.value.storage = std::move(storage);
  return planned;
}

}  // namespace baton

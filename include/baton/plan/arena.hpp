// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Planning of the arena of a program.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/shared/chosen_policy.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/lifetime.hpp>
#include <baton/plan/shared/locations.hpp>
#include <baton/plan/shared/memory_planner.hpp>
#include <baton/plan/storage_map.hpp>

#include <utility>

namespace baton {

/// Plans the memory of all graphs that run, each with `policy`. The default is `memory_policies::no_overlap`. This policy tries several
/// placement strategies until one reaches the lower bound, and returns the smallest placement. The lower bound is the maximum number of
/// bytes that are live at once. The memory of a called graph is scratch memory of the node that calls it. All graphs that one node calls
/// share this memory. The original graph of a delegate (the part before `preprocess`) is not planned, because the backend executes the
/// delegate. `storage` maps each value without memory of its own to the memory that contains the value. The plan is always verified, so an
/// invalid placement of a custom policy is an error.
///
/// Fails with `uneven_alignment`, `dynamic_shape`, `invalid_policy` or `recursive_graph`. O(n log n) for n values if few values are live at
/// the same time.
constexpr auto plan_memory(const program_view& program, const plan_options& options = {}, storage_map storage = {},
                           const chosen_policy& policy = planned_by<memory_policies::no_overlap>{}) -> result<memory_plan> {
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

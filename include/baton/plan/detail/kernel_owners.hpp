// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which kernels compute a node: the executor's own kernels, or the kernels of a backend.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/plan/shared/graph_calls.hpp>

namespace baton::detail {

/// Returns, indexed by graph, the owner of the graph: the delegate whose backend provides the kernels of the graph's nodes. `none` means
/// the executor's own kernels. If the backend of a delegate provides kernels, the delegate owns its original graph (the part before
/// `preprocess`). Every other graph has the owner of its callers. All callers of a graph have the same owner, because lowering copies
/// each original graph with all graphs that it calls (`program_copier::copy_delegate`).
constexpr auto kernel_owners(const program_view& program, const backend_needs& needs, const graph_calls& calls) -> vector<delegate_id> {
  vector<delegate_id> owners(program.graphs.size(), none<delegate_id>);
  for (const auto id : calls.order) {
    for (const auto& record : program.nodes_of(program[id])) {
      const bool has_kernels =
          record.delegate != none<delegate_id> && !needs.kernels.empty() && needs.kernels[index(record.delegate)].size != 0;
      for (const auto inner : graphs_run_by(program, record, calls.runs_original)) {
        owners[index(inner)] = has_kernels ? record.delegate : owners[index(id)];
      }
    }
  }
  return owners;
}

/// Returns, indexed by node, 1 if the node is in a graph that runs with the executor's own kernels, otherwise 0. Returns 0 for all nodes if
/// `graphs_that_run` fails, because the program then has no plan.
constexpr auto nodes_with_own_kernels(const program_view& program, const backend_needs& needs) -> vector<char> {
  vector<char> result(program.nodes.size(), 0);
  const auto calls = graphs_that_run(program, needs.runs_original);
  if (!calls) return result;
  const auto owners = kernel_owners(program, needs, calls.value);
  for (const auto id : calls.value.order) {
    const auto nodes = program[id].nodes;
    for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) result[n] = owners[index(id)] == none<delegate_id> ? 1 : 0;
  }
  return result;
}

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Queries of a lowered program: its delegate calls, the lowered modules, and the payloads of delegates. A lowered module is the nodes that
// a backend's `preprocess` has compiled.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// A delegate call and its lowered module.
struct lowered_submodule {
  std::string_view name;  ///< `lowered_module_0`, `lowered_module_1`, ...; not unique across graphs
  lowered_module_view module;
  graph_id graph;  ///< the graph that contains the call
  node_id node;    ///< the call
};

/// Returns the delegate calls of the root graph, in order. `reach::branches` appends the delegate calls of its subgraphs (branches and loop
/// bodies). `reach::delegates` also appends the delegate calls inside lowered modules. A module that is called twice occurs twice.
constexpr auto lowered_submodules(const program_view& program, reach how_far = reach::graph) -> vector<lowered_submodule> {
  vector<lowered_submodule> submodules;
  for (const auto id : nested_graphs(program, graph_id{0}, how_far)) {
    const auto nodes = program[id].nodes;
    for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
      const auto called = program.nodes[n].delegate;
      if (called == none<delegate_id>) continue;
      const lowered_module_view module(program, called);
      submodules.push_back({module.name(), module, id, static_cast<node_id>(n)});
    }
  }
  return submodules;
}

/// The data that a delegate needs on the target.
struct delegate_payload {
  std::string_view backend_id;
  span<const compile_spec_ref> compile_specs;
  std::string_view processed_bytes;
};

/// Returns the names and payloads of the lowered modules that the root graph calls, in order. `reach::branches` also includes the modules
/// that its subgraphs call, `reach::delegates` also those that lowered modules call.
constexpr auto delegated_payload(const program_view& program, reach how_far = reach::graph)
    -> vector<std::pair<std::string_view, delegate_payload>> {
  vector<std::pair<std::string_view, delegate_payload>> payloads;
  for (const auto& module : delegates(program, graph_id{0}, how_far))
    payloads.emplace_back(module.name(), delegate_payload{module.backend_id(), module.compile_specs(), module.processed_bytes()});
  return payloads;
}

/// True if a size in a value's shape is unknown.
constexpr auto is_shape_dynamic(const program_view& program, value_id id) -> bool {
  const auto shape = program.shape(id);
  return std::any_of(shape.begin(), shape.end(), [](std::int64_t size) { return size < 0; });
}
/// True if a size in the shape of an output of the node is unknown.
constexpr auto is_shape_dynamic(const program_view& program, const node& record) -> bool {
  const auto outputs = program.outputs_of(record);
  return std::any_of(outputs.begin(), outputs.end(), [&](value_id id) { return is_shape_dynamic(program, id); });
}

/// Returns the nodes of the root graph that are not delegate calls, in order. `reach::branches` also includes such nodes of its subgraphs,
/// `reach::delegates` also those inside lowered modules.
constexpr auto non_lowered_nodes(const program_view& program, reach how_far = reach::graph) -> vector<node_id> {
  vector<node_id> result;
  for (const auto id : nested_graphs(program, graph_id{0}, how_far)) {
    const auto nodes = program[id].nodes;
    for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
      if (program.nodes[n].delegate == none<delegate_id>) result.push_back(static_cast<node_id>(n));
    }
  }
  return result;
}

}  // namespace baton

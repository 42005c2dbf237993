// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Questions to a lowered program: what its delegate calls call, and what delegates carry to the target.
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

/// A delegate call and what it calls.
struct lowered_submodule {
  std::string_view name;  ///< `lowered_module_0` and so on; modules of different graphs may have the same
  lowered_module_view module;
  graph_id graph;  ///< the graph of the call
  node_id node;    ///< the call
};

/// The delegate calls of the root graph in order, and, with `reach::branches`, those of its branches behind them. A module that is called
/// twice stands there twice.
constexpr auto lowered_submodules(const program_view& program, reach how_far = reach::graph) -> vector<lowered_submodule> {
  vector<lowered_submodule> found;
  for (const auto id : nested_graphs(program, graph_id{0}, how_far)) {
    const auto run = program[id].nodes;
    for (auto n = run.first; n < run.first + run.size; ++n) {
      const auto called = program.nodes[n].delegate;
      if (called == none<delegate_id>) continue;
      const lowered_module_view module(program, called);
      found.push_back({module.name(), module, id, static_cast<node_id>(n)});
    }
  }
  return found;
}

/// What a delegate carries to the target.
struct delegate_payload {
  std::string_view backend_id;
  span<const compile_spec_ref> compile_specs;
  std::string_view processed_bytes;
};

/// The payloads of the lowered modules that the root graph calls (with `reach::branches` also its branches), in order, each with the
/// module's name.
constexpr auto delegated_payload(const program_view& program, reach how_far = reach::graph)
    -> vector<std::pair<std::string_view, delegate_payload>> {
  vector<std::pair<std::string_view, delegate_payload>> found;
  for (const auto& module : delegates(program, graph_id{0}, how_far))
    found.emplace_back(module.name(), delegate_payload{module.backend_id(), module.compile_specs(), module.processed_bytes()});
  return found;
}

/// Whether a value's shape has a size that is not known.
constexpr auto is_shape_dynamic(const program_view& program, value_id id) -> bool {
  const auto shape = program.shape(id);
  return std::any_of(shape.begin(), shape.end(), [](std::int64_t size) { return size < 0; });
}
/// Whether one of a node's outputs has such a shape.
constexpr auto is_shape_dynamic(const program_view& program, const node& record) -> bool {
  const auto outputs = program.outputs_of(record);
  return std::any_of(outputs.begin(), outputs.end(), [&](value_id id) { return is_shape_dynamic(program, id); });
}

/// The nodes of the root graph that are no delegate calls, in order; with `reach::branches` also those of its branches.
constexpr auto non_lowered_nodes(const program_view& program, reach how_far = reach::graph) -> vector<node_id> {
  vector<node_id> found;
  for (const auto id : nested_graphs(program, graph_id{0}, how_far)) {
    const auto run = program[id].nodes;
    for (auto n = run.first; n < run.first + run.size; ++n) {
      if (program.nodes[n].delegate == none<delegate_id>) found.push_back(static_cast<node_id>(n));
    }
  }
  return found;
}

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Debug handles: numbers that identify the source operation of each node, even after lowering.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/greatest_debug_handle.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

namespace detail {

template <class F>
constexpr void for_each_node_breadth_first(exported_program& program, F f) {
  for (const auto id : nested_graphs(program, graph_id{0})) {
    const auto nodes = program[id].nodes;
    for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) f(program.nodes[n]);
  }
}

}  // namespace detail

/// Assigns new debug handles to the nodes of the root graph and of its subgraphs (branches and loop bodies), counting from 1. Discards the
/// folded handles (the debug handles of nodes that were merged into another node) of these nodes. The graphs are visited breadth-first.
/// `source_of(node)` returns a view of text that identifies the operation of the source model from which the node comes. The viewed texts
/// must stay valid until this function returns. Nodes with equal nonempty texts share a handle. A node with an empty text gets a handle
/// that no other node has.
template <class SourceOf>
constexpr void generate_debug_handles(exported_program& program, SourceOf source_of) {
  std::uint32_t handles = 0;
  vector<std::pair<std::string_view, std::uint32_t>> sources;  // sorted by text
  detail::for_each_node_breadth_first(program, [&](node& record) {
    record.folded_handles = {};
    const std::string_view source = source_of(std::as_const(record));
    if (source.empty()) {
      record.debug_handle = ++handles;
      return;
    }
    const auto earlier = [](const auto& entry, std::string_view text) { return entry.first < text; };
    auto position = std::lower_bound(sources.begin(), sources.end(), source, earlier);
    if (position == sources.end() || position->first != source) position = sources.insert(position, {source, ++handles});
    record.debug_handle = position->second;
  });
}
/// Same as the overload above, but every node gets a different handle.
constexpr void generate_debug_handles(exported_program& program) {
  generate_debug_handles(program, [](const node&) { return std::string_view{}; });
}

/// Assigns debug handles to nodes without a debug handle, in the root graph and its subgraphs. Call this function after a pass that adds
/// nodes. The new handles are greater than all existing handles, including those of nodes inside delegates. Existing handles do not change.
constexpr void complete_debug_handles(exported_program& program) {
  auto greatest = greatest_debug_handle(program);
  detail::for_each_node_breadth_first(program, [&](node& record) {
    if (record.debug_handle == 0) record.debug_handle = ++greatest;
  });
}

}  // namespace baton

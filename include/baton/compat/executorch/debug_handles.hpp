// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Debug handles: the numbers that tell, after lowering, which operation of the source a node came from.
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
    const auto run = program[id].nodes;
    for (auto n = run.first; n < run.first + run.size; ++n) f(program.nodes[n]);
  }
}

}  // namespace detail

/// Numbers the nodes of a program anew, from 1, the root graph first, then its branches breadth first. Nodes for which `source_of(node)`
/// gives the same text, not empty, come from one operation of the source, and share a handle.
template <class SourceOf>
constexpr void generate_debug_handles(exported_program& program, SourceOf source_of) {
  std::uint32_t handles = 0;
  vector<std::pair<std::string_view, std::uint32_t>> sources;  // in the order of their texts
  detail::for_each_node_breadth_first(program, [&](node& record) {
    record.folded_handles = {};
    const std::string_view source = source_of(std::as_const(record));
    if (source.empty()) {
      record.debug_handle = ++handles;
      return;
    }
    const auto earlier = [](const auto& entry, std::string_view text) { return entry.first < text; };
    auto found = std::lower_bound(sources.begin(), sources.end(), source, earlier);
    if (found == sources.end() || found->first != source) found = sources.insert(found, {source, ++handles});
    record.debug_handle = found->second;
  });
}
/// The same where each node is an operation of its own.
constexpr void generate_debug_handles(exported_program& program) {
  generate_debug_handles(program, [](const node&) { return std::string_view{}; });
}

/// Gives each node without a handle, as passes leave them that make new nodes, the next above the greatest there is, breadth first.
/// Handles that are set stay.
constexpr void complete_debug_handles(exported_program& program) {
  std::uint32_t greatest = 0;
  detail::for_each_node_breadth_first(program,
                                      [&](const node& record) { greatest = std::max(greatest, greatest_debug_handle(program, record)); });
  detail::for_each_node_breadth_first(program, [&](node& record) {
    if (record.debug_handle == 0) record.debug_handle = ++greatest;
  });
}

}  // namespace baton

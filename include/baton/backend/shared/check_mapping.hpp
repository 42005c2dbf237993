// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks the debug handle map of a lowered module against the nodes of the module's original program. A lowered module is the nodes that a
// backend's `preprocess` has compiled; the original program consists of these nodes before `preprocess`. A debug handle is a number that
// identifies a node of the model.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/backend/shared/rules.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

namespace detail {

/// Returns the debug handles of all nodes of `graphs`, including `node::folded_handles`, in ascending order.
constexpr auto handles_in(const program_view& program, span<const graph_id> graphs) -> vector<std::int64_t> {
  vector<std::int64_t> handles;
  for (const auto id : graphs) {
    for (const auto& record : program.nodes_of(program[id])) {
      handles.push_back(record.debug_handle);
      for (const auto folded : program.folded_handles(record)) handles.push_back(folded);
    }
  }
  sort(handles.begin(), handles.end());
  return handles;
}

/// Returns a failure of `Rule`. The reason states the identifier of `entry`, which is in the debug handle map of `module`, and then `more`.
template <fixed_string Rule, class... Parts>
constexpr auto broken_mapping(const lowered_module_view& module, const lowered_module_ref::mapping_entry& entry, Parts... more) -> failure {
  auto why = broken<Rule>("identifier ");
  if (entry.is_text) {
    append(why.reason, module.program().text(entry.text));
  } else {
    append(why.reason, entry.identifier);
  }
  (append(why.reason, more), ...);
  why.backend = join(module.backend_id());
  return why;
}

/// Fails with `duplicate_identifier` if two entries of the map have the same identifier.
constexpr auto check_identifiers(const lowered_module_view& module) -> failure {
  const auto map = module.debug_handle_map();
  const auto text = [&](std::size_t i) { return module.program().text(map[i].text); };
  const auto order = [&](std::size_t a, std::size_t b) {
    if (map[a].is_text != map[b].is_text) return map[b].is_text ? -1 : 1;
    if (map[a].is_text) return text(a).compare(text(b));
    return map[a].identifier < map[b].identifier ? -1 : map[a].identifier > map[b].identifier ? 1 : 0;
  };
  vector<std::size_t> positions;
  for (std::size_t i = 0; i < map.size(); ++i) positions.push_back(i);
  sort(positions.begin(), positions.end(), [&](std::size_t a, std::size_t b) { return order(a, b) < 0; });
  for (std::size_t i = 1; i < positions.size(); ++i) {
    if (order(positions[i - 1], positions[i]) == 0) return broken_mapping<"duplicate_identifier">(module, map[positions[i]]);
  }
  return {};
}

}  // namespace detail

/// Checks the debug handle map of a lowered module. The map may be incomplete. Fails with `duplicate_identifier` if two entries have the
/// same identifier. Fails with `foreign_debug_handle` if a handle of the map belongs to no node of the original program.
constexpr auto check_mapping(const lowered_module_view& module) -> failure {
  if (module.debug_handle_map().empty()) return {};
  if (auto why = detail::check_identifiers(module)) return why;
  const auto known = detail::handles_in(module.program(), nested_graphs(module.program(), module.original(), reach::delegates));
  for (const auto& entry : module.debug_handle_map()) {
    for (const auto handle : module.handles(entry)) {
      if (std::binary_search(known.begin(), known.end(), handle)) continue;
      return detail::broken_mapping<"foreign_debug_handle">(module, entry, ", handle ", handle);
    }
  }
  return {};
}

}  // namespace baton

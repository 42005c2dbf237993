// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks whether the debug handle map of a lowered module (nodes that a backend's `preprocess` has compiled) is complete. A debug handle is
// the number that identifies a node of the model.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/backend/shared/check_mapping.hpp>
#include <baton/backend/shared/rules.hpp>
#include <baton/compat/executorch/shared/rules.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// Checks that the debug handle map of a lowered module has the handle of every node of the original program, including its subgraphs.
/// Lowering does not check this, because backends may omit nodes. The original program has the module's nodes as they were before
/// `preprocess`. The map may also have the handles of nodes in nested delegates, and folded handles, but no other handles. Folded handles
/// are the debug handles of nodes that were merged into other nodes. Fails as `check_mapping` does. Also fails with `incomplete_mapping` at
/// the first node whose handle is missing.
constexpr auto verify_mapping(const lowered_module_view& module) -> failure {
  if (auto why = check_mapping(module)) return why;
  vector<std::int64_t> covered;
  for (const auto& entry : module.debug_handle_map()) {
    const auto handles = module.handles(entry);
    covered.insert(covered.end(), handles.begin(), handles.end());
  }
  sort(covered.begin(), covered.end());
  const auto& program = module.program();
  for (const auto id : nested_graphs(program, module.original())) {
    const auto nodes = program[id].nodes;
    for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
      const auto handle = program.nodes[n].debug_handle;
      if (std::binary_search(covered.begin(), covered.end(), std::int64_t{handle})) continue;
      auto why = broken_at<"incomplete_mapping">(program, static_cast<node_id>(n), "handle ", handle);
      why.backend = join(module.backend_id());
      return why;
    }
  }
  return {};
}

}  // namespace baton

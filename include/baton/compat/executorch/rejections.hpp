// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The nodes that a support rejects and the reasons, as a list and as a table.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/shared/visible_graphs.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace baton {

/// A node that an operator support rejects, and the reason.
struct rejection {
  node_id node = none<node_id>;
  text_buffer reason;
};

/// Returns the nodes that `Support` rejects, each once, in order. Nodes of graphs inside delegates are excluded.
template <operator_support Support>
constexpr auto rejections_of(const program_view& program) -> vector<rejection> {
  vector<rejection> rejections;
  for (const auto id : visible_nodes(program)) {
    auto answer = Support::supports(program, program[id]);
    if (!answer.accepted) rejections.push_back({id, std::move(answer.reason)});
  }
  return rejections;
}

/// Returns a table with a line for each rejected node: name, operator and reason. If a node occurs several times in `rejected`, only its
/// first reason is printed.
constexpr auto why_not_table(const program_view& program, span<const rejection> rejected) -> text_buffer {
  if (rejected.empty()) return join("No nodes were rejected.\n");
  vector<char> seen(program.nodes.size(), 0);
  std::size_t name_width = 4;
  std::size_t op_width = 8;
  for (const auto& each : rejected) {
    name_width = std::max(name_width, std::size_t{program[each.node].name.size});
    op_width = std::max(op_width, std::size_t{program[each.node].target.size});
  }
  text_buffer table;
  const auto line = [&](std::string_view name, std::string_view op, std::string_view reason) {
    append(table, name).insert(table.end(), name_width + 2 - name.size(), ' ');
    append(table, op).insert(table.end(), op_width + 2 - op.size(), ' ');
    append(append(table, reason.empty() ? "-" : reason), "\n");
  };
  line("node", "operator", "reason");
  for (const auto& each : rejected) {
    if (seen[index(each.node)] != 0) continue;
    seen[index(each.node)] = 1;
    line(program.text(program[each.node].name), program.text(program[each.node].target), view(each.reason));
  }
  return table;
}

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which nodes a support rejects, and why, as data and as a table.
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

/// A node that a support rejects.
struct rejection {
  node_id node = none<node_id>;
  text_buffer reason;
};

/// What a support rejects in all graphs but those inside delegates, each node once, in order. Nothing is kept between calls.
template <operator_support Support>
constexpr auto rejections_of(const program_view& program) -> vector<rejection> {
  vector<rejection> found;
  for (const auto id : visible_nodes(program)) {
    auto answer = Support::supports(program, program[id]);
    if (!answer.accepted) found.push_back({id, std::move(answer.reason)});
  }
  return found;
}

/// A line a node with its name, operator and reason, in columns; of several reasons of a node the first.
constexpr auto why_not_table(const program_view& program, span<const rejection> rejected) -> text_buffer {
  if (rejected.empty()) return join("No nodes were rejected.\n");
  vector<char> seen(program.nodes.size(), 0);
  std::size_t name_width = 4;
  std::size_t op_width = 8;
  for (const auto& one : rejected) {
    name_width = std::max(name_width, std::size_t{program[one.node].name.size});
    op_width = std::max(op_width, std::size_t{program[one.node].target.size});
  }
  text_buffer table;
  const auto line = [&](std::string_view name, std::string_view op, std::string_view reason) {
    append(table, name).insert(table.end(), name_width + 2 - name.size(), ' ');
    append(table, op).insert(table.end(), op_width + 2 - op.size(), ' ');
    append(append(table, reason.empty() ? "-" : reason), "\n");
  };
  line("node", "operator", "reason");
  for (const auto& one : rejected) {
    if (seen[index(one.node)] != 0) continue;
    seen[index(one.node)] = 1;
    line(program.text(program[one.node].name), program.text(program[one.node].target), view(one.reason));
  }
  return table;
}

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Counts of the delegated and non-delegated nodes of a program, in total and by operator.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/vector.hpp>
#include <baton/report/printable.hpp>
#include <baton/report/shared/table.hpp>

#include <cstddef>
#include <string_view>

namespace baton {

/// The numbers of delegated and of non-delegated nodes of a program, in total and for each operator.
struct delegation_info {
  /// The number of delegated and of non-delegated nodes with one operator.
  struct counts {
    text_buffer op;
    std::size_t delegated = 0;
    std::size_t non_delegated = 0;
  };

  std::size_t delegated_subgraphs = 0;  ///< the number of lowered modules
  std::size_t delegated_nodes = 0;
  std::size_t non_delegated_nodes = 0;
  vector<counts> operators;  ///< sorted by name
};

namespace detail {

/// A counter of nodes by operator.
class delegation_count {
 public:
  constexpr explicit delegation_count(const program_view& program) : program_(program) {}

  constexpr void add(graph_id graph, bool is_delegated) {
    for (const auto& record : program_.nodes_of(program_[graph])) {
      if (record.delegate == none<delegate_id>) nodes_.push_back({program_.text(record.target), is_delegated});
    }
  }
  constexpr auto sum(std::size_t subgraphs) -> delegation_info {
    delegation_info info;
    info.delegated_subgraphs = subgraphs;
    sort(nodes_.begin(), nodes_.end(), [](const counted& a, const counted& b) { return a.op < b.op; });
    for (const auto& node : nodes_) {
      if (info.operators.empty() || view(info.operators.back().op) != node.op) info.operators.push_back({join(node.op), 0, 0});
      ++(node.is_delegated ? info.operators.back().delegated : info.operators.back().non_delegated);
      ++(node.is_delegated ? info.delegated_nodes : info.non_delegated_nodes);
    }
    return info;
  }

 private:
  struct counted {
    std::string_view op;
    bool is_delegated;
  };
  program_view program_;
  vector<counted> nodes_;
};

}  // namespace detail

/// Counts nodes. Delegate calls do not count. All other nodes of the root graph count as non-delegated. For each lowered module that the
/// root graph calls, the nodes of its original program count as delegated. A lowered module is the nodes that a backend's `preprocess` has
/// compiled. Its original program has these nodes as they were before `preprocess`. `reach::branches` also counts nodes in subgraphs
/// (branches and loop bodies) of the root graph and of the original programs. `reach::delegates` also counts nodes of lowered modules
/// within lowered modules.
constexpr auto delegation_info_of(const program_view& program, reach how_far = reach::graph) -> delegation_info {
  detail::delegation_count count(program);
  const auto within = how_far == reach::graph ? reach::graph : reach::branches;
  for (const auto id : nested_graphs(program, graph_id{0}, within)) count.add(id, false);
  const auto modules = delegates(program, graph_id{0}, how_far);
  vector<char> counted(program.graphs.size(), 0);
  for (const auto& module : modules) {
    for (const auto id : nested_graphs(program, module.original(), within)) {
      if (counted[index(id)] == 0) count.add(id, true);
      counted[index(id)] = 1;
    }
  }
  return count.sum(modules.size());
}

/// Returns three lines of text: the numbers of lowered modules, of nodes within lowered modules, and of nodes outside lowered modules.
constexpr auto delegation_summary(const delegation_info& info) -> text_buffer {
  return join("Total delegated subgraphs: ", info.delegated_subgraphs, "\nNumber of delegated nodes: ", info.delegated_nodes,
              "\nNumber of non-delegated nodes: ", info.non_delegated_nodes, "\n");
}

/// Returns a table with a line for each operator, sorted by name, and the totals.
constexpr auto delegation_table(const delegation_info& info) -> text_buffer {
  report::table rows(1000, {"op_type", ">occurrences_in_delegated_graphs", ">occurrences_in_non_delegated_graphs"});
  for (const auto& row : info.operators) {
    rows.row({report::printable(view(row.op), report::line_width), join(row.delegated), join(row.non_delegated)});
  }
  rows.row({join("Total"), join(info.delegated_nodes), join(info.non_delegated_nodes)});
  return rows.print({});
}

}  // namespace baton

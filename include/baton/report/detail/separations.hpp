// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Why a delegate is separate from the preceding delegates of its backend. The delegate is compared with the latest of them on which it
// depends.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/operators/shared/state_order.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace baton::report {

/// The reason why a delegate is separate from the preceding delegates of its backend in the same graph. "The two delegates" are this
/// delegate and the latest preceding delegate on which it depends.
enum class separation_kind : std::uint8_t {
  first,            ///< the delegate is the first of its backend in its graph
  nodes_between,    ///< nodes outside the backend are between the two delegates, so a merged delegate would depend on its own outputs
  adjacent,         ///< no nodes are between the two delegates, but the partitioner separates them
  different_specs,  ///< no nodes are between the two delegates, but their compile specs differ
  independent,      ///< the delegate depends on no value of a preceding delegate of its backend
};

/// Why a delegate is separate, and the nodes between it and the latest preceding delegate of the same backend on which it depends.
struct delegate_separation {
  separation_kind kind = separation_kind::first;
  std::uint32_t follows = npos;  ///< the preceding delegate; `npos` for `first` and `independent`
  range between{};  ///< for `nodes_between`: the nodes between both delegates, a range of `delegate_separations::between` in program order
};

/// The separations of all delegates of a program, and the nodes between them.
struct delegate_separations {
  vector<delegate_separation> separations;  ///< indexed by delegate
  vector<std::uint32_t> between;            ///< nodes between delegates
};

/// The maximum number of nodes that are listed between two delegates.
inline constexpr std::size_t max_between = 64;

namespace detail {

class separation_finder {
 public:
  constexpr explicit separation_finder(const program_view& program) : program_(program) {
    producers_ = producers_of(program);
    latest_.assign(program.nodes.size(), 0);
    vector<edge> order;
    for (const auto& graph : program.graphs) {
      for (const auto& [before, after] : state_order(program, graph))
        order.emplace_back(graph.nodes.first + after, graph.nodes.first + before);
    }
    if (!order.empty()) state_predecessors_ = {order, program.nodes.size()};
    seen_.assign(program.nodes.size(), npos);
    result_.separations.assign(program.delegates.size(), delegate_separation{});
  }

  constexpr auto run() -> delegate_separations {
    for (const auto& graph : program_.graphs) {
      vector<std::uint32_t> backends;  // the first call of each backend
      for (auto n = graph.nodes.first; n < graph.nodes.first + graph.nodes.size; ++n) {
        if (!is_call(n) || std::any_of(backends.begin(), backends.end(), [&](auto known) { return has_same_backend(known, n); })) continue;
        backends.push_back(n);
        find_separations(graph.nodes, n);
      }
    }
    return std::move(result_);
  }

 private:
  constexpr auto is_call(std::uint32_t n) const -> bool { return program_.nodes[n].delegate != none<delegate_id>; }
  constexpr auto module_of(std::uint32_t n) const -> const lowered_module_ref& { return program_[program_.nodes[n].delegate]; }
  constexpr auto has_same_backend(std::uint32_t call, std::uint32_t n) const -> bool {
    return is_call(n) && program_.text(module_of(n).backend_id) == program_.text(module_of(call).backend_id);
  }
  /// Returns the direct predecessors of a node: the producers of the node's operands, and the nodes that must access a state before this
  /// node does. A state is a buffer that keeps its value from run to run.
  constexpr auto predecessors(std::uint32_t n) const -> vector<std::uint32_t> {
    vector<std::uint32_t> nodes;
    for (const auto input : program_.inputs(program_.nodes[n])) {
      if (input != none<value_id> && producers_[index(input)] != none<node_id>) nodes.push_back(index(producers_[index(input)]));
    }
    if (state_predecessors_.size() == 0) return nodes;
    for (const auto other : state_predecessors_[n]) nodes.push_back(other);
    return nodes;
  }

  /// Finds the separations of the delegates that have the backend of node `first_call`. For each node, computes the latest call of this
  /// backend on which the node depends, directly or through nodes outside the backend. O(nodes + edges).
  constexpr void find_separations(range nodes, std::uint32_t first_call) {
    for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
      latest_[n] = 0;
      for (const auto predecessor : predecessors(n)) {
        latest_[n] = std::max(latest_[n], has_same_backend(first_call, predecessor) ? predecessor + 1 : latest_[predecessor]);
      }
    }
    for (auto n = first_call + 1; n < nodes.first + nodes.size; ++n) {
      if (has_same_backend(first_call, n)) result_.separations[index(program_.nodes[n].delegate)] = separation_of(first_call, n);
    }
  }

  constexpr auto separation_of(std::uint32_t first_call, std::uint32_t call) -> delegate_separation {
    delegate_separation separation;
    separation.kind = separation_kind::independent;
    if (latest_[call] == 0) return separation;
    const auto previous = latest_[call] - 1;
    separation.follows = index(program_.nodes[previous].delegate);
    separation.between = collect_between(first_call, call);
    separation.kind = separation.between.size != 0      ? separation_kind::nodes_between
                      : have_same_specs(previous, call) ? separation_kind::adjacent
                                                        : separation_kind::different_specs;
    return separation;
  }

  /// Collects the nodes on the paths from the latest preceding call to `call`. A direct or indirect predecessor of `call` is on such a path
  /// if its entry in `latest_` equals the entry of `call`.
  constexpr auto collect_between(std::uint32_t first_call, std::uint32_t call) -> range {
    const auto first = result_.between.size();
    vector<std::uint32_t> pending{call};
    while (!pending.empty() && result_.between.size() - first < max_between) {
      const auto n = pending.back();
      pending.pop_back();
      if (n != call) result_.between.push_back(n);
      for (const auto predecessor : predecessors(n)) {
        if (has_same_backend(first_call, predecessor) || latest_[predecessor] != latest_[call] || seen_[predecessor] == call) continue;
        seen_[predecessor] = call;
        pending.push_back(predecessor);
      }
    }
    sort(result_.between.begin() + static_cast<std::ptrdiff_t>(first), result_.between.end());
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(result_.between.size() - first)};
  }

  constexpr auto have_same_specs(std::uint32_t a, std::uint32_t b) const -> bool {
    const auto specs_of = [this](std::uint32_t call) {
      const auto specs = module_of(call).compile_specs;
      return program_.compile_specs.subspan(specs.first, specs.size);
    };
    const auto left = specs_of(a);
    const auto right = specs_of(b);
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), [this](const compile_spec_ref& x, const compile_spec_ref& y) {
      return program_.text(x.key) == program_.text(y.key) && program_.text(x.value) == program_.text(y.value);
    });
  }

  program_view program_;
  vector<node_id> producers_;
  adjacency state_predecessors_;  // indexed by node; empty if no node writes a state in place
  vector<std::uint32_t> latest_;  // indexed by node: 1 + the latest call of the current backend on which the node depends, or 0
  vector<std::uint32_t> seen_;    // indexed by node: the last call for which the node was collected
  delegate_separations result_;
};

}  // namespace detail

/// Returns the separation of each delegate. O(backends · (nodes + edges)) for each graph, plus at most `max_between` nodes for each
/// delegate.
constexpr auto separations_of(const program_view& program) -> delegate_separations { return detail::separation_finder(program).run(); }

}  // namespace baton::report

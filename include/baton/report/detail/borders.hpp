// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Why each delegate is one of its own: what lies between it and the delegate of the same backend before it.
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

/// What keeps a delegate from being one with an earlier one of its backend in the same graph.
enum class border_kind : std::uint8_t {
  first,        ///< there is none before it in its graph
  behind,       ///< nodes lie between that the backend does not compute: one delegate of both would need what it makes itself
  adjacent,     ///< nothing lies between: the partitioner keeps them apart
  other_specs,  ///< nothing lies between, and their compile specs differ
  apart,        ///< no value reaches it from an earlier one
};

/// Where a delegate begins, seen from the nearest delegate of its backend whose values reach it.
struct delegate_border {
  border_kind kind = border_kind::first;
  std::uint32_t follows = npos;  ///< that delegate; `npos` for `first` and `apart`
  range between{};               ///< of `behind`: in the list of nodes, in program order
};

struct delegate_borders {
  vector<delegate_border> of;     ///< by delegate
  vector<std::uint32_t> between;  ///< nodes
};

/// At most so many nodes are named between two delegates.
inline constexpr std::size_t most_between = 64;

namespace detail {

class border_finder {
 public:
  constexpr explicit border_finder(const program_view& program) : program_(program) {
    producers_ = producers_of(program);
    latest_.assign(program.nodes.size(), 0);
    vector<edge> order;
    for (const auto& graph : program.graphs) {
      for (const auto& [before, after] : state_order(program, graph))
        order.emplace_back(graph.nodes.first + after, graph.nodes.first + before);
    }
    if (!order.empty()) before_in_state_order_ = {order, program.nodes.size()};
    seen_.assign(program.nodes.size(), npos);
    made_.of.assign(program.delegates.size(), delegate_border{});
  }

  constexpr auto run() -> delegate_borders {
    for (const auto& graph : program_.graphs) {
      vector<std::uint32_t> backends;  // the first call of each
      for (auto n = graph.nodes.first; n < graph.nodes.first + graph.nodes.size; ++n) {
        if (!is_call(n) || std::any_of(backends.begin(), backends.end(), [&](auto known) { return same_backend(known, n); })) continue;
        backends.push_back(n);
        find_borders(graph.nodes, n);
      }
    }
    return std::move(made_);
  }

 private:
  constexpr auto is_call(std::uint32_t n) const -> bool { return program_.nodes[n].delegate != none<delegate_id>; }
  constexpr auto module_of(std::uint32_t n) const -> const lowered_module_ref& { return program_[program_.nodes[n].delegate]; }
  constexpr auto same_backend(std::uint32_t call, std::uint32_t n) const -> bool {
    return is_call(n) && program_.text(module_of(n).backend_id) == program_.text(module_of(call).backend_id);
  }
  /// Returns the nodes that a node directly depends on: the producers of its operands, and nodes that access a state before it.
  constexpr auto nodes_before(std::uint32_t n) const -> vector<std::uint32_t> {
    vector<std::uint32_t> before;
    for (const auto input : program_.inputs(program_.nodes[n])) {
      if (input != none<value_id> && producers_[index(input)] != none<node_id>) before.push_back(index(producers_[index(input)]));
    }
    if (before_in_state_order_.size() == 0) return before;
    for (const auto other : before_in_state_order_[n]) before.push_back(other);
    return before;
  }

  /// One pass over a graph: by node, the latest call of the backend that it depends on through nodes of others.
  constexpr void find_borders(range nodes, std::uint32_t first_call) {
    for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
      latest_[n] = 0;
      for (const auto before : nodes_before(n)) {
        latest_[n] = std::max(latest_[n], same_backend(first_call, before) ? before + 1 : latest_[before]);
      }
    }
    for (auto n = first_call + 1; n < nodes.first + nodes.size; ++n) {
      if (same_backend(first_call, n)) made_.of[index(program_.nodes[n].delegate)] = border_of(first_call, n);
    }
  }

  constexpr auto border_of(std::uint32_t first_call, std::uint32_t call) -> delegate_border {
    delegate_border made;
    made.kind = border_kind::apart;
    if (latest_[call] == 0) return made;
    const auto before = latest_[call] - 1;
    made.follows = index(program_.nodes[before].delegate);
    made.between = collect_between(first_call, call);
    made.kind = made.between.size != 0 ? border_kind::behind : same_specs(before, call) ? border_kind::adjacent : border_kind::other_specs;
    return made;
  }

  /// The nodes on the ways between a call and the latest before it. A node that depends on that one lies on such a way: on no later one
  /// can it depend.
  constexpr auto collect_between(std::uint32_t first_call, std::uint32_t call) -> range {
    const auto first = made_.between.size();
    vector<std::uint32_t> open{call};
    while (!open.empty() && made_.between.size() - first < most_between) {
      const auto n = open.back();
      open.pop_back();
      if (n != call) made_.between.push_back(n);
      for (const auto before : nodes_before(n)) {
        if (same_backend(first_call, before) || latest_[before] != latest_[call] || seen_[before] == call) continue;
        seen_[before] = call;
        open.push_back(before);
      }
    }
    sort(made_.between.begin() + static_cast<std::ptrdiff_t>(first), made_.between.end());
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(made_.between.size() - first)};
  }

  constexpr auto same_specs(std::uint32_t a, std::uint32_t b) const -> bool {
    const auto of = [this](std::uint32_t call) {
      const auto specs = module_of(call).compile_specs;
      return program_.compile_specs.subspan(specs.first, specs.size);
    };
    const auto left = of(a);
    const auto right = of(b);
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), [this](const compile_spec_ref& x, const compile_spec_ref& y) {
      return program_.text(x.key) == program_.text(y.key) && program_.text(x.value) == program_.text(y.value);
    });
  }

  program_view program_;
  vector<node_id> producers_;
  adjacency before_in_state_order_;  // by node; empty: no node writes a state in place
  vector<std::uint32_t> latest_;     // by node
  vector<std::uint32_t> seen_;       // by node: the call that it was last collected for
  delegate_borders made_;
};

}  // namespace detail

/// By delegate, what keeps it from being one with an earlier one of its backend. Time: one pass over a graph a backend in it, and at most
/// `most_between` nodes a delegate.
constexpr auto borders_of(const program_view& program) -> delegate_borders { return detail::border_finder(program).run(); }

}  // namespace baton::report

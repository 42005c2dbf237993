// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Parts that contain given groups of nodes, with the merge rule and the part ids of ExecuTorch's group partitioner. A part is the nodes of
// a graph that become one delegate.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/graph/cycle.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/operators/shared/state_order.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/node_list.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/shared/proposed_parts.hpp>
#include <baton/partition/shared/visible_graphs.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

namespace detail {

/// A set of the nodes of one graph.
class node_set {
 public:
  constexpr explicit node_set(std::size_t nodes) : words_((nodes + 63) / 64, 0) {}

  constexpr void add(std::size_t node) { words_[node / 64] |= std::uint64_t{1} << (node % 64); }
  constexpr void add(const node_set& others) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= others.words_[w];
  }
  constexpr auto words() const -> const vector<std::uint64_t>& { return words_; }

 private:
  vector<std::uint64_t> words_;
};

/// A merge of the parts of one graph. Each pair of parts is tried once, in the order of ids. A pair is merged if no path leaves the union
/// of the two parts and enters the union again. ExecuTorch considers only paths that begin in the second part, so ExecuTorch also merges
/// some pairs that this class keeps separate. If an edge leads from the pair to a node of a third part, and another edge leads back from a
/// different node of that part, the pair may still be merged. So the resulting parts may form a cycle. Takes O(nodes^3 / 64) time in the
/// worst case, and at most 5/8 · nodes^2 bytes of memory.
class group_merge {
 public:
  /// `uses` are the edges from each node to the nodes that must run after this node. Nodes are numbered from 0 in topological order.
  /// `group_of[node]` is the group of a node, or `npos` if the node is not supported. For a supported node outside all groups, `group_of`
  /// contains a unique number that is greater than the number of every group.
  constexpr group_merge(const vector<edge>& uses, const vector<std::uint32_t>& group_of, std::uint32_t first_id)
      : uses_(uses),
        group_of_(group_of),
        next_id_(first_id),
        ancestors_(group_of.size(), node_set(group_of.size())),
        descendants_(ancestors_) {
    const adjacency users(uses, group_of.size());
    for (auto node = group_of.size(); node-- > 0;) {
      for (const auto user : users[node]) {
        descendants_[node].add(user);
        descendants_[node].add(descendants_[user]);
      }
    }
    for (std::size_t node = 0; node < group_of.size(); ++node) {
      for (const auto user : users[node]) {
        ancestors_[user].add(node);
        ancestors_[user].add(ancestors_[node]);
      }
    }
    vector<char> is_in_part(group_of.size(), 0);
    for (auto node = group_of.size(); node-- > 0;) {
      if (group_of[node] != npos && is_in_part[node] == 0) add_part(node, is_in_part);
    }
    merge();
  }

  constexpr auto next_id() const -> std::uint32_t { return next_id_; }
  /// Returns the index of the part of each node, or `npos` for a node in no part.
  constexpr auto part_of() const -> vector<std::uint32_t> {
    vector<std::uint32_t> result(group_of_.size(), npos);
    for (std::uint32_t p = 0; p < parts_.size(); ++p) {
      for (const auto node : parts_[p].nodes) {
        if (parts_[p].is_alive) result[node] = p;
      }
    }
    return result;
  }
  /// Returns the number of parts, including parts that were merged into another part.
  constexpr auto count() const -> std::size_t { return parts_.size(); }
  constexpr auto id_of(std::size_t at) const -> std::uint32_t { return parts_[at].id; }

  constexpr auto has_cycle() const -> bool {
    auto unit_of = part_of();
    for (std::uint32_t node = 0; node < unit_of.size(); ++node) {
      if (unit_of[node] == npos) unit_of[node] = static_cast<std::uint32_t>(parts_.size()) + node;
    }
    return cycle_finder(uses_, unit_of, parts_.size() + unit_of.size()).has_cycle();
  }

 private:
  struct part {
    std::uint32_t id = 0;
    bool is_alive = true;
    vector<std::uint32_t> nodes;
    node_set members;
    node_set ancestors;    ///< the nodes from which a path leads to a member
    node_set descendants;  ///< the nodes to which a path leads from a member
  };

  constexpr void add_part(std::size_t last, vector<char>& is_in_part) {
    const node_set empty(group_of_.size());
    part added{next_id_++, true, {}, empty, empty, empty};
    for (std::uint32_t node = 0; node <= last; ++node) {
      if (group_of_[node] != group_of_[last]) continue;
      is_in_part[node] = 1;
      added.nodes.push_back(node);
      added.members.add(node);
      added.ancestors.add(ancestors_[node]);
      added.descendants.add(descendants_[node]);
    }
    parts_.push_back(std::move(added));
  }

  constexpr void merge() {
    for (std::size_t a = 0; a < parts_.size(); ++a) {
      if (!parts_[a].is_alive) continue;
      for (auto b = a + 1; b < parts_.size(); ++b) {
        if (parts_[b].is_alive && may_merge(parts_[a], parts_[b])) join(parts_[a], parts_[b]);
      }
    }
  }

  /// True if no node outside the union of `a` and `b` is on a path between members of the union.
  static constexpr auto may_merge(const part& a, const part& b) -> bool {
    for (std::size_t w = 0; w < a.members.words().size(); ++w) {
      const auto ancestors = a.ancestors.words()[w] | b.ancestors.words()[w];
      const auto descendants = a.descendants.words()[w] | b.descendants.words()[w];
      if ((ancestors & descendants & ~(a.members.words()[w] | b.members.words()[w])) != 0) return false;
    }
    return true;
  }

  static constexpr void join(part& into, part& from) {
    into.nodes.insert(into.nodes.end(), from.nodes.begin(), from.nodes.end());
    into.members.add(from.members);
    into.ancestors.add(from.ancestors);
    into.descendants.add(from.descendants);
    from.is_alive = false;
  }

  const vector<edge>& uses_;
  const vector<std::uint32_t>& group_of_;
  std::uint32_t next_id_;
  vector<node_set> ancestors_;  ///< indexed by node
  vector<node_set> descendants_;
  vector<part> parts_;
};

}  // namespace detail

/// Returns parts by the rule of ExecuTorch's group partitioner, which merges parts pair by pair. The parts have ExecuTorch's ids. The
/// parameters are those of `group_parts` (`partition/by_lists.hpp`). The result may have more parts than the result of `group_parts`. If
/// the rule produces a cycle of parts, returns the result of `group_parts`. The worst case is O(n^3) for a graph of n nodes. Fails as
/// `group_parts` does.
template <operator_support Support, operator_support NonCompute = no_support, operator_support Alone = no_support>
constexpr auto merged_group_parts(const program_view& program, span<const node_list> groups, std::uint32_t min_nodes = 1)
    -> result<proposed_parts> {
  auto minimal_parts = group_parts<Support, NonCompute, Alone>(program, groups, min_nodes);
  if (!minimal_parts) return minimal_parts;
  const auto group_count = static_cast<std::uint32_t>(groups.size());
  vector<std::uint32_t> group_in_program(program.nodes.size(), npos);
  for (std::uint32_t g = 0; g < group_count; ++g) {
    for (const auto id : groups[g].nodes) group_in_program[index(id)] = g;
  }
  const auto producers = producers_of(program);
  proposed_parts parts;
  std::uint32_t next_id = 0;
  for (const auto graph : visible_graphs(program)) {
    const auto nodes = program[graph].nodes;
    vector<std::uint32_t> group_of;
    const auto uses = dependencies_between(program, program[graph], producers);
    for (std::uint32_t n = 0; n < nodes.size; ++n) {
      const node_id id{nodes.first + n};
      const auto group = group_in_program[index(id)];
      group_of.push_back(!Support::supports(program, program[id]) ? npos : group != npos ? group : group_count + n);
    }
    const detail::group_merge merged(uses, group_of, next_id);
    if (merged.has_cycle()) return minimal_parts;
    next_id = merged.next_id();
    const auto part_of = merged.part_of();
    for (std::uint32_t p = 0; p < merged.count(); ++p) {
      proposed_part part{merged.id_of(p), {}, {}};
      std::uint32_t weight = 0;
      for (std::uint32_t n = 0; n < nodes.size; ++n) {
        if (part_of[n] != p) continue;
        const auto& record = program.nodes[nodes.first + n];
        part.nodes.push_back(node_id{nodes.first + n});
        weight += (NonCompute::supports(program, record) ? 0u : 1u) + (Alone::supports(program, record) ? 1u : 0u);
      }
      if (!part.nodes.empty() && (min_nodes <= 1 || weight >= min_nodes)) parts.push_back(std::move(part));
    }
  }
  return parts;
}

}  // namespace baton

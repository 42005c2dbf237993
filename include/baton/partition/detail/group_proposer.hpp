// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Computes the fewest parts that keep each group whole and form no cycle. A part is the nodes of a graph that become one delegate.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/graph/components.hpp>
#include <baton/graph/cycle.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/graph/shared/cycle_text.hpp>
#include <baton/graph/shared/edges_between_units.hpp>
#include <baton/operators/shared/state_order.hpp>
#include <baton/partition/detail/node_choice.hpp>
#include <baton/partition/node_list.hpp>
#include <baton/partition/shared/proposed_parts.hpp>
#include <baton/partition/shared/rules.hpp>
#include <baton/partition/shared/visible_graphs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::detail {

/// The treatment of groups that share a node.
enum class shared_nodes : bool {
  refused,
  join_groups,  ///< the groups become one group
};

/// The computation of parts that keep groups whole, graph by graph. A unit is the chosen nodes of a group, or a single node (`find_units`).
/// Units that depend on each other form one cluster. Every remaining unit is a separate cluster. A cluster is chosen if any of its nodes is
/// chosen (`node_choice`). If a chosen cluster also has an unchosen node, `run` fails. A path is a list of clusters in which each cluster
/// depends on the previous one. The level of a cluster is the maximum number of transitions from a chosen to an unchosen cluster on a path
/// to this cluster. Chosen clusters with the same level form a part. The number of parts is minimal, because chosen clusters before and
/// after an unchosen cluster of a path cannot share a part. Two nodes that only read the same data do not depend on each other. The
/// complexity is stated at `group_parts`.
class group_proposer {
 public:
  constexpr group_proposer(const program_view& program, std::uint32_t min_nodes, node_choice choice)
      : program_(program),
        min_nodes_(min_nodes),
        choice_(std::move(choice)),
        producers_(producers_of(program)),
        group_of_node_(program.nodes.size(), npos),
        group_of_value_(program.values.size(), npos) {}

  /// Returns the parts. A placeholder (an input, parameter, buffer or constant) that several groups list belongs to the first of these
  /// groups. Fails with `node_in_two_groups` if groups share a node and `shared` is `refused`. Fails with `cycle_of_groups` if a group
  /// cannot be kept whole without a cycle.
  constexpr auto run(span<const node_list> groups, shared_nodes shared = shared_nodes::refused) -> result<proposed_parts> {
    group_count_ = static_cast<std::uint32_t>(groups.size());
    vector<edge> merged_groups;
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      for (const auto id : groups[g].nodes) {
        auto& group = group_of_node_[index(id)];
        if (group == npos || group == g) {
          group = g;
        } else if (shared == shared_nodes::refused) {
          return broken_at<"node_in_two_groups">(program_, id, "groups ", group, " and ", g);
        } else {
          merged_groups.emplace_back(group, g);
          merged_groups.emplace_back(g, group);
        }
      }
      for (const auto id : groups[g].placeholders) {
        if (group_of_value_[index(id)] == npos) group_of_value_[index(id)] = g;
      }
    }
    if (!merged_groups.empty()) join_groups(strong_components({merged_groups, group_count_}));
    for (const auto id : visible_graphs(program_)) {
      nodes_ = program_[id].nodes;
      find_units(program_[id]);
      find_clusters();
      for (std::uint32_t n = 0; n < nodes_.size; ++n) {
        if (!is_chosen(n) && is_cluster_chosen_[cluster_of_unit_[unit_of_[n]]] != 0) return cycle_failure();
      }
      find_levels();
      propose(program_[id]);
    }
    return std::move(parts_);
  }

 private:
  constexpr void join_groups(const vector<std::uint32_t>& component_of) {
    for (auto* const of : {&group_of_node_, &group_of_value_}) {
      for (auto& group : *of) group = group == npos ? npos : component_of[group];
    }
  }

  constexpr auto node_at(std::uint32_t n) const -> node_id { return node_id{nodes_.first + n}; }
  constexpr auto is_chosen(std::uint32_t n) const -> bool { return choice_.is_chosen(node_at(n)); }
  constexpr auto is_chosen(value_id id) const -> bool {
    return !choice_.is_placeholder_chosen.empty() && choice_.is_placeholder_chosen[index(id)] != 0;
  }

  /// Assigns each node to a unit. A unit is the chosen nodes of one group, or a single node that is unchosen or in no group. A follower is
  /// in the unit of its leader, the node whose part it joins (`node_choice`).
  constexpr void find_units(const graph& scope) {
    unit_of_.clear();
    uses_ = dependencies_between(program_, scope, producers_);
    for (std::uint32_t n = 0; n < nodes_.size; ++n) {
      const auto id = node_at(n);
      const auto group = is_chosen(n) ? group_of_node_[index(id)] : npos;
      if (is_chosen(n) && choice_.follows(id)) {
        unit_of_.push_back(unit_of_[index(choice_.leader_of[index(id)]) - nodes_.first]);
      } else {
        unit_of_.push_back(group != npos ? group : group_count_ + n);
      }
    }
  }

  /// Computes the clusters, which are the strongly connected components of units. A cluster has a lower number than the clusters whose
  /// values it uses.
  constexpr void find_clusters() {
    cluster_of_unit_ = strong_components({edges_between_units(uses_, unit_of_), std::size_t{group_count_} + nodes_.size});
    std::size_t clusters = 0;
    for (const auto cluster : cluster_of_unit_) clusters = std::max<std::size_t>(clusters, cluster + 1u);
    is_cluster_chosen_.assign(clusters, 0);
    for (std::uint32_t n = 0; n < nodes_.size; ++n) {
      if (is_chosen(n)) is_cluster_chosen_[cluster_of_unit_[unit_of_[n]]] = 1;
    }
  }

  constexpr void find_levels() {
    vector<edge> between;
    for (const auto& [used, user] : uses_) between.emplace_back(cluster_of_unit_[unit_of_[used]], cluster_of_unit_[unit_of_[user]]);
    const adjacency users(between, is_cluster_chosen_.size());
    level_.assign(is_cluster_chosen_.size(), 0);
    for (auto from = is_cluster_chosen_.size(); from-- > 0;) {
      for (const auto to : users[from]) {
        if (to != from)
          level_[to] = std::max(level_[to], level_[from] + (is_cluster_chosen_[from] != 0 && is_cluster_chosen_[to] == 0 ? 1u : 0u));
      }
    }
  }

  /// Appends the parts of the current graph to `parts_`, sorted by their last nodes, descending. Part ids increase in this order. Parts
  /// without nodes follow, sorted by their last placeholders, descending. If `min_nodes_` is above 1, drops parts whose nodes have a total
  /// weight (`node_choice::weights`) below `min_nodes_`.
  constexpr void propose(const graph& in) {
    const auto first = parts_.size();
    vector<std::uint32_t> position(is_cluster_chosen_.size() + 1, npos);  // indexed by level: the index of the part in `parts_`
    const auto part_of = [&](std::uint32_t unit) -> std::uint32_t& { return position[level_[cluster_of_unit_[unit]]]; };
    const auto open_part = [&](std::uint32_t unit) {
      if (part_of(unit) != npos) return;
      part_of(unit) = static_cast<std::uint32_t>(parts_.size());
      parts_.push_back({next_id_++, {}, {}});
    };
    const auto inputs = program_.inputs(in);
    for (auto n = nodes_.size; n-- > 0;) {
      if (is_chosen(n)) open_part(unit_of_[n]);
    }
    for (auto i = inputs.size(); i-- > 0;) {
      if (is_chosen(inputs[i])) open_part(group_of_value_[index(inputs[i])]);
    }
    vector<std::uint32_t> weights(parts_.size(), 0);
    for (std::uint32_t n = 0; n < nodes_.size; ++n) {
      if (!is_chosen(n)) continue;
      parts_[part_of(unit_of_[n])].nodes.push_back(node_at(n));
      weights[part_of(unit_of_[n])] += choice_.weight(index(node_at(n)));
    }
    for (const auto input : inputs) {
      if (is_chosen(input)) parts_[part_of(group_of_value_[index(input)])].placeholders.push_back(input);
    }
    auto kept = first;
    for (auto p = first; p < parts_.size(); ++p) {
      if (min_nodes_ > 1 && weights[p] < min_nodes_) continue;
      if (kept != p) parts_[kept] = std::move(parts_[p]);
      ++kept;
    }
    while (parts_.size() > kept) parts_.pop_back();
  }

  /// Returns the failure for a cycle of groups through a node that is not chosen. The reason is the path of the cycle.
  constexpr auto cycle_failure() const -> failure {
    cycle_finder cycles(uses_, unit_of_, std::size_t{group_count_} + nodes_.size);
    for (std::uint32_t n = 0; n < nodes_.size; ++n) {
      if (is_chosen(n)) continue;
      const auto cycle = cycles.through(unit_of_[n]);
      if (cycle.empty()) continue;
      const auto name = [&](std::uint32_t item) { return program_.text(program_[node_at(item)].name); };
      auto path = cycle_text(cycle, name, [](std::uint32_t) { return std::string_view{}; });
      auto cycle_nodes = cycle;
      for (auto& [from, to] : cycle_nodes) {
        from += nodes_.first;
        to += nodes_.first;
      }
      add_state_steps(path, program_, cycle_nodes);
      return locate(broken<"cycle_of_groups">(view(path)), program_, node_at(cycle.front().second));
    }
    return broken<"cycle_of_groups">();
  }

  program_view program_;
  std::uint32_t min_nodes_;
  node_choice choice_;
  vector<node_id> producers_;             ///< indexed by value
  vector<std::uint32_t> group_of_node_;   ///< indexed by node; `npos` if the node is in no group
  vector<std::uint32_t> group_of_value_;  ///< indexed by value; `npos` if the value is in no group
  std::uint32_t group_count_ = 0;
  proposed_parts parts_;
  std::uint32_t next_id_ = 0;

  // The following members describe the current graph, whose nodes are numbered from 0.
  range nodes_;
  vector<std::uint32_t> unit_of_;  ///< indexed by node
  vector<edge> uses_;              ///< pairs of a node and a node that depends on it
  vector<std::uint32_t> cluster_of_unit_;
  vector<char> is_cluster_chosen_;  ///< indexed by cluster
  vector<std::uint32_t> level_;     ///< indexed by cluster
};

}  // namespace baton::detail

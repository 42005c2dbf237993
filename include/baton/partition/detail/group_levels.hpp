// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Parts around given groups by levels: the fewest that form no cycle.
#pragma once

#include <baton/core/npos.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/graph/components.hpp>
#include <baton/partition/detail/item_graph.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// Groups that need one another become one; the level of each grows along a path whenever the path returns from what is not taken, and
/// those of one level form a part. That is the fewest parts there are: of a path that returns k times k + 1 members are apart in any. What
/// owned data is used by does not count. Linear.
class group_levels {
 public:
  constexpr group_levels(const item_graph& graph, const vector<std::uint32_t>& group_of, std::uint32_t groups)
      : graph_(graph),
        group_of_(group_of) {
    find_clusters(groups);
    is_taken_.assign(clusters_, 0);
    for (std::size_t item = 0; item < graph.size(); ++item) {
      if (group_of[item] != npos) is_taken_[cluster_of_[item]] = 1;
    }
    find_levels();
  }

  /// Whether groups need one another through an item that is not taken: then they cannot stay whole.
  constexpr auto has_cycle() const -> bool {
    for (std::size_t item = 0; item < graph_.size(); ++item) {
      if (group_of_[item] == npos && is_taken_[cluster_of_[item]] != 0) return true;
    }
    return false;
  }

  /// The parts; ids count from the last item up.
  constexpr auto parts(std::uint32_t first_id) const -> item_parts {
    item_parts made{vector<std::uint32_t>(graph_.size(), npos), {}, first_id};
    vector<std::uint32_t> part_of_level(clusters_ + 1, npos);
    for (auto item = graph_.size(); item-- > 0;) {
      if (group_of_[item] == npos) continue;
      auto& at = part_of_level[level_of(item)];
      if (at == npos) {
        at = static_cast<std::uint32_t>(made.ids.size());
        made.ids.push_back(made.next_id++);
      }
      made.part_of[item] = at;
    }
    return made;
  }

 private:
  /// A cluster is a strongly connected component; users have lower numbers than what they use.
  constexpr void find_clusters(std::uint32_t groups) {
    auto units = groups;
    vector<std::uint32_t> unit_of;
    for (std::size_t item = 0; item < graph_.size(); ++item) unit_of.push_back(group_of_[item] < groups ? group_of_[item] : units++);
    vector<edge> uses;
    for (auto item = graph_.placeholders.size(); item < graph_.size(); ++item) {
      for (const auto user : graph_.users[item]) {
        if (unit_of[item] != unit_of[user]) uses.emplace_back(unit_of[item], unit_of[user]);
      }
    }
    const auto cluster_of_unit = strong_components({uses, units});
    for (const auto unit : unit_of) cluster_of_.push_back(cluster_of_unit[unit]);
    for (const auto cluster : cluster_of_unit) clusters_ = std::max<std::size_t>(clusters_, cluster + 1u);
  }

  constexpr void find_levels() {
    vector<edge> members;
    for (std::uint32_t item = 0; item < graph_.size(); ++item) members.emplace_back(cluster_of_[item], item);
    const adjacency items_of(members, clusters_);
    level_.assign(clusters_, 0);
    for (auto cluster = clusters_; cluster-- > 0;) {
      for (const auto item : items_of[cluster]) {
        if (graph_.is_node(item)) raise_users(item);
      }
    }
  }
  constexpr void raise_users(std::uint32_t item) {
    const auto from = cluster_of_[item];
    for (const auto user : graph_.users[item]) {
      const auto to = cluster_of_[user];
      const bool leaves = is_taken_[from] != 0 && is_taken_[to] == 0;
      if (from != to) level_[to] = std::max(level_[to], level_[from] + (leaves ? 1 : 0));
    }
  }

  /// Owned data that is in no group goes along with its first user.
  constexpr auto level_of(std::size_t item) const -> std::uint32_t {
    const auto& users = graph_.users[item];
    const bool goes_along = !graph_.is_node(item) && group_of_[item] == item_group::alone && !users.empty();
    return level_[cluster_of_[goes_along ? users.front() : item]];
  }

  const item_graph& graph_;
  const vector<std::uint32_t>& group_of_;
  std::size_t clusters_ = 0;
  vector<std::uint32_t> cluster_of_;  ///< by item
  vector<char> is_taken_;             ///< by cluster
  vector<std::uint32_t> level_;       ///< by cluster
};

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lists of nodes that become one where they share a node.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/graph/components.hpp>
#include <baton/partition/detail/node_choice.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Groups made of lists: those that share a node become one, owned data stays with the first group that names it.
class joined_groups {
 public:
  constexpr explicit joined_groups(const program_view& program)
      : node_count_(static_cast<std::uint32_t>(program.nodes.size())),
        is_member_(program.nodes.size() + program.values.size(), 0) {}

  constexpr void add(const node_list& list) {
    auto first = none_;
    const auto join_one = [&](std::uint32_t item) {
      is_member_[item] = 1;
      if (first == none_) first = item;
      together_.emplace_back(first, item);
      together_.emplace_back(item, first);
    };
    for (const auto id : list.nodes) join_one(index(id));
    for (const auto id : list.placeholders) {
      if (is_member_[node_count_ + index(id)] == 0) join_one(node_count_ + index(id));
    }
  }

  /// Each group's members in the program's order, the groups by their first members.
  constexpr auto groups() const -> vector<node_list> {
    const auto group_of = strong_components({together_, is_member_.size()});
    vector<node_list> made;
    vector<std::size_t> position(is_member_.size(), none_);
    for (std::uint32_t item = 0; item < is_member_.size(); ++item) {
      if (is_member_[item] == 0) continue;
      auto& at = position[group_of[item]];
      if (at == none_) {
        at = made.size();
        made.push_back({});
      }
      if (item < node_count_) {
        made[at].nodes.push_back(node_id{item});
      } else {
        made[at].placeholders.push_back(value_id{item - node_count_});
      }
    }
    return made;
  }

 private:
  static constexpr std::uint32_t none_ = 0xffffffffu;

  std::uint32_t node_count_;
  vector<char> is_member_;  ///< by node, then by value
  vector<edge> together_;
};

}  // namespace baton::detail

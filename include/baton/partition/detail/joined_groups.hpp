// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lists of nodes that become one where they share a node.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/proposed_parts.hpp>

#include <cstddef>

namespace baton::detail {

/// Groups made of lists: those that share a node become one, owned data stays with the first group that names it.
class joined_groups {
 public:
  constexpr explicit joined_groups(const program_view& program) : node_count_(program.nodes.size()) {
    for (std::size_t i = 0; i < program.nodes.size() + program.values.size(); ++i) parent_.push_back(i);
    is_member_.resize(parent_.size(), 0);
  }

  constexpr void add(const node_list& list) {
    auto first = parent_.size();
    const auto join_one = [&](std::size_t item) {
      is_member_[item] = 1;
      if (first == parent_.size()) first = item;
      parent_[root_of(item)] = root_of(first);
    };
    for (const auto id : list.nodes) join_one(index(id));
    for (const auto id : list.placeholders) {
      if (is_member_[node_count_ + index(id)] == 0) join_one(node_count_ + index(id));
    }
  }

  /// Each group's members in the program's order, the groups by their first members.
  constexpr auto groups() -> vector<node_list> {
    vector<node_list> made;
    vector<std::size_t> place(parent_.size(), parent_.size());
    for (std::size_t item = 0; item < parent_.size(); ++item) {
      if (is_member_[item] == 0) continue;
      auto& at = place[root_of(item)];
      if (at == parent_.size()) {
        at = made.size();
        made.push_back({{}, {}});
      }
      if (item < node_count_) {
        made[at].nodes.push_back(static_cast<node_id>(item));
      } else {
        made[at].placeholders.push_back(static_cast<value_id>(item - node_count_));
      }
    }
    return made;
  }

 private:
  constexpr auto root_of(std::size_t item) -> std::size_t {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }

  std::size_t node_count_;
  vector<std::size_t> parent_;
  vector<char> is_member_;
};

}  // namespace baton::detail

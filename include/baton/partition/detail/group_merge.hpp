// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The merge rule of ExecuTorch's group partitioner: given groups stay whole, and parts grow around them while no cycle forms.
#pragma once

#include <baton/core/npos.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/detail/item_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// A set of the items of one graph.
class item_set {
 public:
  constexpr explicit item_set(std::size_t items) : words_((items + 63) / 64, 0) {}

  constexpr void add(std::size_t item) { words_[item / 64] |= std::uint64_t{1} << (item % 64); }
  constexpr void add(const item_set& others) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= others.words_[w];
  }
  constexpr auto words() const -> const vector<std::uint64_t>& { return words_; }

 private:
  vector<std::uint64_t> words_;
};

/// Merges the parts of one graph: each pair is tried once, earlier ids first, and merges if no path leaves the union and enters it again.
/// Paths through other parts are overlooked, so parts may end up in a cycle. Cubic in the items at worst, by words of 64; n²/4 bytes.
class group_merge {
 public:
  constexpr group_merge(const item_graph& graph, const vector<std::uint32_t>& group_of, std::uint32_t first_id)
      : graph_(graph),
        next_id_(first_id),
        is_taken_(graph.size(), 0),
        before_(graph.size(), item_set(graph.size())),
        behind_(graph.size(), item_set(graph.size())) {
    find_paths();
    for (auto item = graph.size(); item-- > 0;) {
      if (group_of[item] != npos && is_taken_[item] == 0) add_part(group_of, item);
    }
    merge();
  }

  constexpr auto parts() const -> item_parts {
    item_parts made{vector<std::uint32_t>(graph_.size(), npos), {}, next_id_};
    for (const auto& each : parts_) {
      if (!each.is_alive) continue;
      for (const auto item : each.items) made.part_of[item] = static_cast<std::uint32_t>(made.ids.size());
      made.ids.push_back(each.id);
    }
    return made;
  }

 private:
  struct part {
    std::uint32_t id = 0;
    bool is_alive = true;
    vector<std::uint32_t> items;
    item_set members;
    item_set before;  ///< from which a path leads to a member
    item_set behind;  ///< to which a path leads from one
  };

  constexpr void find_paths() {
    for (auto item = graph_.size(); item-- > 0;) {
      for (const auto user : graph_.users[item]) {
        behind_[item].add(user);
        behind_[item].add(behind_[user]);
      }
    }
    for (std::size_t item = 0; item < graph_.size(); ++item) {
      for (const auto user : graph_.users[item]) {
        before_[user].add(item);
        before_[user].add(before_[item]);
      }
    }
  }

  constexpr void add_part(const vector<std::uint32_t>& group_of, std::size_t item) {
    part made{next_id_++, true, {}, item_set(graph_.size()), item_set(graph_.size()), item_set(graph_.size())};
    for (auto other = group_of[item] == item_group::alone ? item : 0; other <= item; ++other) {
      if (group_of[other] != group_of[item]) continue;
      is_taken_[other] = 1;
      made.items.push_back(static_cast<std::uint32_t>(other));
      made.members.add(other);
      made.before.add(before_[other]);
      made.behind.add(behind_[other]);
    }
    parts_.push_back(std::move(made));
  }

  constexpr void merge() {
    for (std::size_t a = 0; a < parts_.size(); ++a) {
      if (!parts_[a].is_alive) continue;
      for (auto b = a + 1; b < parts_.size(); ++b) {
        if (parts_[b].is_alive && may_merge(parts_[a], parts_[b])) join(parts_[a], parts_[b]);
      }
    }
  }

  /// Whether nothing outside lies on a path between members.
  static constexpr auto may_merge(const part& a, const part& b) -> bool {
    for (std::size_t w = 0; w < a.members.words().size(); ++w) {
      const auto before = a.before.words()[w] | b.before.words()[w];
      const auto behind = a.behind.words()[w] | b.behind.words()[w];
      if ((before & behind & ~(a.members.words()[w] | b.members.words()[w])) != 0) return false;
    }
    return true;
  }

  static constexpr void join(part& into, part& from) {
    into.items.insert(into.items.end(), from.items.begin(), from.items.end());
    into.members.add(from.members);
    into.before.add(from.before);
    into.behind.add(from.behind);
    from.is_alive = false;
  }

  const item_graph& graph_;
  std::uint32_t next_id_;
  vector<char> is_taken_;
  vector<item_set> before_;
  vector<item_set> behind_;
  vector<part> parts_;
};

}  // namespace baton::detail

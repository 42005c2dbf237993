// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Strongly connected components: which units need one another.
#pragma once

#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// By unit, the number of its component; from each unit of a component a path of uses leads to every other one of it. A use is a unit, and
/// one that uses it. R. E. Tarjan, "Depth-First Search and Linear Graph Algorithms" (1972), without recursion; linear.
class component_search {
 public:
  constexpr component_search(const vector<std::pair<std::uint32_t, std::uint32_t>>& uses, std::size_t units)
      : first_(units + 1, 0),
        users_(uses.size(), 0),
        number_(units, unseen),
        low_(units, 0),
        component_(units, unseen) {
    for (const auto& use : uses) first_[use.first + 1] += 1;
    for (std::size_t unit = 0; unit < units; ++unit) first_[unit + 1] += first_[unit];
    next_ = first_;
    for (const auto& [used, user] : uses) users_[next_[used]++] = user;
    next_ = first_;
  }

  constexpr auto run() -> vector<std::uint32_t> {
    for (std::uint32_t unit = 0; unit < number_.size(); ++unit) {
      if (number_[unit] == unseen) search_from(unit);
    }
    return std::move(component_);
  }

 private:
  static constexpr std::uint32_t unseen = 0xffffffffu;

  constexpr void search_from(std::uint32_t start) {
    enter(start);
    while (!path_.empty()) {
      const auto here = path_.back();
      if (next_[here] == first_[here + 1]) {
        leave();
        continue;
      }
      const auto user = users_[next_[here]++];
      if (number_[user] == unseen) {
        enter(user);
      } else if (component_[user] == unseen) {
        low_[here] = std::min(low_[here], number_[user]);
      }
    }
  }

  constexpr void enter(std::uint32_t unit) {
    number_[unit] = low_[unit] = seen_++;
    path_.push_back(unit);
    open_.push_back(unit);
  }

  constexpr void leave() {
    const auto unit = path_.back();
    path_.pop_back();
    if (!path_.empty()) low_[path_.back()] = std::min(low_[path_.back()], low_[unit]);
    if (low_[unit] != number_[unit]) return;
    while (component_[unit] == unseen) {
      component_[open_.back()] = components_;
      open_.pop_back();
    }
    ++components_;
  }

  vector<std::uint32_t> first_;  ///< by unit, into `users_`
  vector<std::uint32_t> users_;
  vector<std::uint32_t> next_;    ///< by unit, the use that is looked at next
  vector<std::uint32_t> number_;  ///< by unit, in the order in which they were seen
  vector<std::uint32_t> low_;     ///< by unit, the lowest number that is known to be reached and open
  vector<std::uint32_t> component_;
  vector<std::uint32_t> path_;
  vector<std::uint32_t> open_;  ///< seen, and in no component yet
  std::uint32_t seen_ = 0;
  std::uint32_t components_ = 0;
};

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Finds the entries (contiguous pieces of memory) that are live at the same time as a given entry, without inspecting all entries.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/memory_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

/// A set of entries of a list of lifetimes. A query returns the entries that are live at the same time as a given entry. A segment tree
/// over steps finds the entries that are live in the first step of the given entry (J. L. Bentley, Solutions to Klee's rectangle problems,
/// 1977). Lists indexed by first step find the entries whose lifetime begins later. A query is O(entries found + steps of the lifetime +
/// log(all steps)).
class lifetime_index {
 public:
  constexpr explicit lifetime_index(span<const lifetime> needs)
      : needs_(needs),
        steps_(detail::steps_of(needs)),
        covering_(2 * std::size_t{steps_}, npos),
        beginning_(steps_, npos) {}

  constexpr void insert(std::uint32_t entry) {
    const auto& life = needs_[entry];
    link(beginning_[life.first], entry);
    auto low = life.first + steps_;
    for (auto high = life.last + steps_ + 1; low < high; low /= 2, high /= 2) {
      if (low % 2 != 0) link(covering_[low++], entry);
      if (high % 2 != 0) link(covering_[--high], entry);
    }
  }

  /// Calls `f` once with each entry of the set that is live at the same time as `entry`. Uses pointers, because each call of `operator[]`
  /// is a step of constant evaluation.
  template <class F>
  constexpr void for_each_simultaneous(std::uint32_t entry, F f) const {
    const auto& life = needs_[entry];
    const auto* const links = links_.data();
    const auto* const covering = covering_.data();
    const auto* const beginning = beginning_.data();
    for (auto node = life.first + steps_; node != 0; node /= 2) {
      for (auto at = covering[node]; at != npos; at = links[at].next) f(links[at].entry);
    }
    for (auto step = life.first + 1; step <= life.last; ++step) {
      for (auto at = beginning[step]; at != npos; at = links[at].next) f(links[at].entry);
    }
  }

  constexpr void clear() {
    std::fill(covering_.begin(), covering_.end(), npos);
    std::fill(beginning_.begin(), beginning_.end(), npos);
    links_.clear();
  }

 private:
  struct linked {
    std::uint32_t entry;
    std::uint32_t next;
  };

  constexpr void link(std::uint32_t& head, std::uint32_t entry) {
    links_.push_back({entry, head});
    head = static_cast<std::uint32_t>(links_.size() - 1);
  }

  span<const lifetime> needs_;
  std::uint32_t steps_;
  vector<std::uint32_t> covering_;   // indexed by node of the tree: the list of entries that are live in all steps of this node
  vector<std::uint32_t> beginning_;  // indexed by step: the list of entries whose lifetime begins in this step
  vector<linked> links_;
};

}  // namespace baton

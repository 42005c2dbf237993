// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Selects the constants that are copied to fast memory, and places the copies. A constant is copied while the previous step that reads
// constants runs.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/weight_copies.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// Selects the constants to copy, and computes their offsets in a buffer. The constants of a step form a group. A group is copied while a
/// kernel reads the previous group, so two consecutive groups must not overlap. Groups are placed alternately at the start and at the end
/// of the buffer.
///
/// A choice is a subset of the constants of one group: all except the `n` largest, or only the `n` largest. The placer selects one choice
/// for each group, and maximizes the total of the copied bytes. O(groups · c²) if a group has at most `c` choices. In a group of at most
/// two constants, every subset is a choice. In larger groups, other subsets are not considered, so the result may be below the maximum.
class weight_copy_placer {
 public:
  using constant = weight_copy_plan::constant;

  /// `constants` are in the order of steps. `place` sets the offsets of the selected constants. `buffer_bytes` is the size of the buffer.
  constexpr weight_copy_placer(span<constant> constants, std::size_t buffer_bytes) : constants_(constants), buffer_bytes_(buffer_bytes) {
    for (std::size_t i = 0; i < constants.size();) {
      group next{i, 1, 0, {}};
      while (i + next.count < constants.size() && constants[i + next.count].step == constants[i].step) ++next.count;
      sort(constants.data() + i, constants.data() + i + next.count, comes_before);
      i += next.count;
      groups_.push_back(std::move(next));
    }
  }

  /// Sets the offsets. Returns the used size of the buffer. This size is a multiple of the alignment of the constants, because
  /// `reserved_bytes` of each constant is such a multiple.
  constexpr auto place() -> std::size_t {
    for (std::size_t g = 0; g < groups_.size(); ++g) find_best(g);
    choose();
    std::size_t used = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) used = std::max(used, chosen_bytes(g) + (g == 0 ? 0 : chosen_bytes(g - 1)));
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      auto offset = g % 2 == 0 ? 0 : used - chosen_bytes(g);
      for (auto& each : constants_of(g, groups_[g].chosen)) {
        each.offset = static_cast<std::uint32_t>(offset);
        offset += each.reserved_bytes;
      }
    }
    return used;
  }

 private:
  /// The best combination of a given choice with one choice of each previous group.
  struct result {
    bool is_possible = false;
    std::uint64_t copied_bytes = 0;
    std::size_t reserved_bytes = 0;  ///< the reserved bytes of the given choice alone
    std::size_t previous = 0;        ///< the choice of the previous group
  };
  struct group {
    std::size_t first = 0;
    std::size_t count = 0;
    std::size_t chosen = 0;
    vector<result> choices{};  ///< choice `n` is all but the `n` largest if `n` <= `count`, otherwise only the `n - count` largest
  };

  static constexpr auto comes_before(const constant& a, const constant& b) -> bool {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.node != b.node ? a.node < b.node : a.data < b.data;
  }
  /// Returns the constants of a choice.
  constexpr auto constants_of(std::size_t g, std::size_t choice) const -> span<constant> {
    const auto first = groups_[g].first;
    const auto count = groups_[g].count;
    if (choice <= count) return constants_.subspan(first + choice, count - choice);
    return constants_.subspan(first, choice - count);
  }
  constexpr auto chosen_bytes(std::size_t g) const -> std::size_t { return groups_[g].choices[groups_[g].chosen].reserved_bytes; }

  /// Computes the `result` of each choice of a group from the results of the previous group.
  constexpr void find_best(std::size_t g) {
    for (std::size_t choice = 0; choice < 2 * groups_[g].count; ++choice) {
      result best;
      std::uint64_t bytes = 0;
      for (const auto& each : constants_of(g, choice)) {
        bytes += each.bytes;
        best.reserved_bytes += each.reserved_bytes;
      }
      if (g == 0) best.is_possible = best.reserved_bytes <= buffer_bytes_;
      for (std::size_t p = 0; g != 0 && p < groups_[g - 1].choices.size(); ++p) {
        const auto& previous = groups_[g - 1].choices[p];
        if (!previous.is_possible || previous.reserved_bytes + best.reserved_bytes > buffer_bytes_) continue;
        if (best.is_possible && previous.copied_bytes <= best.copied_bytes) continue;
        best.is_possible = true;
        best.copied_bytes = previous.copied_bytes;
        best.previous = p;
      }
      best.copied_bytes += bytes;
      groups_[g].choices.push_back(best);
    }
  }
  /// Selects one choice for each group. For the last group, selects the choice whose `result` has the most copied bytes. For each earlier
  /// group, selects the choice to which `result::previous` of the next group refers. Copying nothing is always a possible choice.
  constexpr void choose() {
    for (auto g = groups_.size(); g-- > 0;) {
      auto& each = groups_[g];
      if (g + 1 < groups_.size()) {
        each.chosen = groups_[g + 1].choices[groups_[g + 1].chosen].previous;
        continue;
      }
      each.chosen = each.count;
      for (std::size_t c = 0; c < each.choices.size(); ++c) {
        if (each.choices[c].is_possible && each.choices[c].copied_bytes > each.choices[each.chosen].copied_bytes) each.chosen = c;
      }
    }
  }

  span<constant> constants_;
  std::size_t buffer_bytes_;
  vector<group> groups_;
};

}  // namespace baton

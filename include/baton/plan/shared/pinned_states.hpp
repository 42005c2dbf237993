// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Mutable buffers with fixed offsets. If several programs in one arena share a state, the state must have the same offset in all of them.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/memory_problem.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// A mutable buffer, and its offset in the arena.
struct pinned_state {
  value_id buffer = none<value_id>;
  std::uint64_t offset = 0;
};

/// The mutable buffers of a program that have fixed offsets. These buffers are in the first `bytes` bytes of the arena, and all other items
/// of the program are placed after these bytes. The struct is a view. `bytes` is 0 if no buffer has a fixed offset.
struct pinned_states {
  span<const pinned_state> states{};
  std::uint64_t bytes = 0;
};

namespace detail {

/// An item with a fixed offset.
struct pinned_item {
  std::uint32_t item = 0;  ///< the index of the item; past the end of the items if the pinned state has no item
  std::uint64_t offset = 0;
};

/// A separation of pinned items from all other items. The pinned items are always live, and in the first `begin` bytes. The other items are
/// placed after these bytes.
class unpinned_items {
 public:
  constexpr unpinned_items(span<const lifetime> needs, span<const pinned_item> pinned, std::uint64_t begin)
      : begin_(begin),
        offsets_(needs.size(), unpinned) {
    for (const auto& each : pinned) {
      if (each.item < needs.size()) offsets_[each.item] = each.offset;
    }
    for (std::size_t i = 0; i < needs.size(); ++i) {
      if (offsets_[i] == unpinned) {
        items_.push_back(needs[i]);
      } else {
        pinned_bytes_ += needs[i].bytes;
      }
    }
  }

  constexpr auto items() const -> span<const lifetime> { return items_; }
  /// Returns the distances of `all` whose input and output are both unpinned. In the result, `input` and `output` are positions in
  /// `items()`.
  constexpr auto distances_between(span<const distance> all) const -> vector<distance> {
    vector<std::uint32_t> positions;  // indexed by item: its position in `items()`; 0 for pinned items
    std::uint32_t next = 0;
    for (const auto offset : offsets_) positions.push_back(offset == unpinned ? next++ : 0);
    vector<distance> distances;
    for (auto each : all) {
      if (offsets_[each.input] != unpinned || offsets_[each.output] != unpinned) continue;
      each.input = positions[each.input];
      each.output = positions[each.output];
      distances.push_back(each);
    }
    return distances;
  }
  /// Returns the total size of the pinned items in bytes. Pinned items are always live, so each step needs these bytes.
  constexpr auto pinned_bytes() const -> std::uint64_t { return pinned_bytes_; }

  /// Returns the layout of all items, given the layout of the unpinned items.
  constexpr auto with_pinned(const memory_layout& unpinned_layout) const -> memory_layout {
    memory_layout all{offsets_, begin_ + unpinned_layout.bytes};
    std::size_t next = 0;
    for (auto& offset : all.offsets) {
      if (offset == unpinned) offset = begin_ + unpinned_layout.offsets[next++];
    }
    return all;
  }

 private:
  static constexpr std::uint64_t unpinned = UINT64_MAX;

  std::uint64_t begin_;
  vector<std::uint64_t> offsets_;
  vector<lifetime> items_;
  std::uint64_t pinned_bytes_ = 0;
};

}  // namespace detail

}  // namespace baton

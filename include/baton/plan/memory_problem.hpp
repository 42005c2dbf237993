// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The input and the result of a memory policy. The input consists of items with sizes and lifetimes, and of distances (how far two items
// may overlap, see `distance`). The result is the placement of the items.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/min_distance.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace baton {

/// The size of an item, and the steps in which it is live: from `first` to `last`, both inclusive. A step is one node of the graph's
/// schedule, or one segment (consecutive nodes that run row by row, see `stream_segment`). One more step, after the last node, represents
/// the read of the outputs.
struct lifetime {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint64_t bytes = 0;  ///< the size, rounded up to the alignment
};

namespace detail {

constexpr auto live_together(const lifetime& a, const lifetime& b) -> bool { return a.first <= b.last && b.first <= a.last; }

/// Returns the number of steps: the last step in which an item is live, plus 1.
constexpr auto steps_of(span<const lifetime> items) -> std::uint32_t {
  std::uint32_t steps = 0;
  for (const auto& item : items) steps = std::max(steps, item.last + 1);
  return steps;
}

}  // namespace detail

/// A pair of items that may overlap although both are live in `step`, and how far they may overlap. Kernels declare distances as
/// `min_distance`. The lifetime of `input` ends in `step`, and the lifetime of `output` begins in `step`.
struct distance {
  std::uint32_t step = 0;
  std::uint32_t input = 0;   ///< the index of the operand's item in `memory_problem::items`
  std::uint32_t output = 0;  ///< the index of the output's item
  /// The smallest allowed value of the input's offset minus the output's offset, if the node writes the output in ascending order.
  std::int64_t ascending = min_distance::disjoint;
  /// The largest allowed value of the input's offset minus the output's offset, if the node writes the output in descending order.
  std::int64_t descending = -min_distance::disjoint;

  /// True if the items may have these offsets when the node writes the output in the given order.
  constexpr auto allows(std::uint64_t input_offset, std::uint64_t output_offset, write_order order) const -> bool {
    const auto between = static_cast<std::int64_t>(input_offset) - static_cast<std::int64_t>(output_offset);
    return order == write_order::ascending ? between >= ascending : between <= descending;
  }
};

/// The input of a memory policy: the memory of one graph. Items that are live at the same time must be disjoint, except the pairs in
/// `distances`. A pair may overlap as far as `distance::allows` permits. In each step, the distances of all pairs that overlap must hold in
/// the same write order.
struct memory_problem {
  span<const lifetime> items;
  span<const distance> distances;  ///< sorted by step
  std::uint32_t alignment = 16;    ///< the alignment of every item in bytes, a power of two that divides all sizes
  std::uint64_t lower_bound = 0;   ///< the maximum of simultaneously live bytes; every placement without overlap has at least this size
};

/// The offset of each item, and the total size, in bytes.
struct memory_layout {
  vector<std::uint64_t> offsets;
  std::uint64_t bytes = 0;
};

/// The result of a memory policy.
struct placement : memory_layout {
  std::string_view strategy;  ///< the placement strategy, for display
  bool is_optimal = false;    ///< whether no smaller placement exists among the placements that the policy considers; false if unknown
  /// A lower bound of `bytes` for the placements that the policy considers. The value 0 means `memory_problem::lower_bound`.
  std::uint64_t lower_bound = 0;
};

namespace detail {

/// Returns the minimum total size of an input and an output that may overlap, in bytes. `input` and `output` are the sizes of the two
/// items, multiples of `alignment`. The offset of the input must be at least the offset of the output plus `min_distance`, which may be
/// negative.
constexpr auto bytes_of_pair(std::int64_t input, std::int64_t output, std::int64_t min_distance, std::uint32_t alignment) -> std::int64_t {
  if (min_distance >= output) return input + output;
  const auto between = std::max((min_distance + alignment - 1) & -std::int64_t{alignment}, std::min<std::int64_t>(0, output - input));
  return std::min(input + output, std::max(between + input, output) - std::min<std::int64_t>(0, between));
}

/// True if two items at these offsets share a byte.
constexpr auto share_memory(const lifetime& a, std::uint64_t offset_of_a, const lifetime& b, std::uint64_t offset_of_b) -> bool {
  return offset_of_a < offset_of_b + b.bytes && offset_of_b < offset_of_a + a.bytes;
}

/// True if all distances of a step hold at these offsets in the write order `order`.
constexpr auto distances_hold(span<const lifetime> items, span<const distance> of_step, span<const std::uint64_t> offsets,
                              write_order order) -> bool {
  for (const auto& each : of_step) {
    const auto input = offsets[each.input];
    const auto output = offsets[each.output];
    if (share_memory(items[each.input], input, items[each.output], output) && !each.allows(input, output, order)) return false;
  }
  return true;
}

}  // namespace detail

}  // namespace baton

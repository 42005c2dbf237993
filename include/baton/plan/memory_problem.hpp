// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a memory policy is given: items with sizes and lifetimes, and how near to one another they may lie; and what it makes of them.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/least_distance.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace baton {

/// A piece of memory that is needed from step `first` to step `last`, both included. Step n is node n of its graph, or the segment
/// that begins with it (`stream_segment`); the step after the last node is that of whoever reads the outputs.
struct lifetime {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint64_t bytes = 0;  ///< rounded up to the alignment
};

namespace detail {

constexpr auto live_together(const lifetime& a, const lifetime& b) -> bool { return a.first <= b.last && b.first <= a.last; }

/// One more than the last step at which anything lives.
constexpr auto steps_of(span<const lifetime> needs) -> std::uint32_t {
  std::uint32_t steps = 0;
  for (const auto& need : needs) steps = std::max(steps, need.last + 1);
  return steps;
}

}  // namespace detail

/// A pair of items that may overlap although they live together: an operand that dies in a step, and an output that begins in it.
struct distance {
  std::uint32_t step = 0;
  std::uint32_t input = 0;   ///< an item
  std::uint32_t output = 0;  ///< an item
  /// Written upward, the input begins at least so many bytes after the output.
  std::int64_t ascending = least_distance::apart;
  /// Written downward, the input begins at most so many bytes after the output; negative: before it.
  std::int64_t descending = -least_distance::apart;

  /// Whether an input and an output of these offsets are far enough from one another for an order, where they overlap.
  constexpr auto allows(std::uint64_t input_offset, std::uint64_t output_offset, write_order order) const -> bool {
    const auto between = static_cast<std::int64_t>(input_offset) - static_cast<std::int64_t>(output_offset);
    return order == write_order::ascending ? between >= ascending : between <= descending;
  }
};

/// A graph's memory to be planned. Items that live together lie apart, but for the pairs in `distances`: these may overlap as far as
/// `distance::allows` says, all pairs of a step in one and the same order of writing. An item's number is its position in `items`.
struct memory_problem {
  span<const lifetime> items;
  span<const distance> distances;  ///< by ascending steps
  std::uint32_t alignment = 16;    ///< of every item, a power of two; sizes are multiples of it
  std::uint64_t lower_bound = 0;   ///< bytes that items which lie apart cannot go below: the most that live at once
};

/// Offsets by entry, and the bytes that all need together.
struct memory_layout {
  vector<std::uint64_t> offsets;
  std::uint64_t bytes = 0;
};

/// What a memory policy makes of a problem.
struct placement : memory_layout {
  std::string_view way;           ///< how it was found, for people
  bool is_optimal = false;        ///< whether it is known that no placement of the policy's kind needs less
  std::uint64_t lower_bound = 0;  ///< bytes that no placement of the policy's kind goes below; 0: those of items that lie apart
};

namespace detail {
/// The bytes that an input and an output need together, all multiples of the alignment, where the input begins at least so far behind the
/// output: at the allowed distance that is nearest to one inside the other.
constexpr auto span_of_pair(std::int64_t input, std::int64_t output, std::int64_t least, std::uint32_t alignment) -> std::int64_t {
  if (least >= output) return input + output;
  const auto between = std::max((least + alignment - 1) & -std::int64_t{alignment}, std::min<std::int64_t>(0, output - input));
  return std::min(input + output, std::max(between + input, output) - std::min<std::int64_t>(0, between));
}

/// Whether two items share a byte at these offsets.
constexpr auto share_memory(const lifetime& a, std::uint64_t offset_of_a, const lifetime& b, std::uint64_t offset_of_b) -> bool {
  return offset_of_a < offset_of_b + b.bytes && offset_of_b < offset_of_a + a.bytes;
}

/// Whether the distances of one step hold at the offsets that its items have, written in one order.
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

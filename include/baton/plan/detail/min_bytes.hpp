// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lower bounds of the bytes of each step, if outputs may overlap operands that are not read later. A `distance` states how far.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/plan/memory_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Merges the distances, so that the result has one element for each pair of items. A pair has several distances if the node uses one value
/// as several operands. Offsets that satisfy the merged distance satisfy all distances of the pair.
constexpr auto joined_pairs(span<const distance> distances) -> vector<distance> {
  vector<distance> pairs;
  for (const auto& each : distances) {
    const auto is_same = [&](const distance& pair) { return pair.input == each.input && pair.output == each.output; };
    auto at = pairs.size();
    while (at != 0 && pairs[at - 1].step == each.step && !is_same(pairs[at - 1])) --at;
    if (at == 0 || pairs[at - 1].step != each.step) {
      pairs.push_back(each);
    } else {
      auto& pair = pairs[at - 1];
      pair.ascending = std::max(pair.ascending, each.ascending);
      pair.descending = std::min(pair.descending, each.descending);
    }
  }
  return pairs;
}

/// Returns a lower bound of the bytes that an operand and its outputs need in one order of writing. The operand is `operand_pair.input`.
/// Its outputs are the outputs of all pairs in `of_step` with the same operand. `distance_of(pair)` returns the minimum distance for the
/// order. For ascending order, a distance is the operand's offset minus the output's offset. For descending order, a distance is the
/// output's end minus the operand's end. Returns 0 if a distance is negative. If no distance is negative, each output that overlaps the
/// operand contains the operand's first byte (ascending order) or last byte (descending order). Outputs are disjoint, so at most one output
/// overlaps the operand.
template <class DistanceOf>
constexpr auto min_bytes_of_operand(span<const lifetime> items, span<const distance> of_step, const distance& operand_pair,
                                    std::uint32_t alignment, DistanceOf distance_of) -> std::int64_t {
  const auto input = static_cast<std::int64_t>(items[operand_pair.input].bytes);
  std::int64_t outputs = 0;
  std::int64_t saved = 0;
  for (const auto& pair : of_step) {
    if (pair.input != operand_pair.input) continue;
    if (distance_of(pair) < 0) return 0;
    const auto output = static_cast<std::int64_t>(items[pair.output].bytes);
    outputs += output;
    saved = std::max(saved, input + output - bytes_of_pair(input, output, distance_of(pair), alignment));
  }
  return input + outputs - saved;
}

/// Returns an upper bound of the bytes that the pairs of one step save by overlapping.
constexpr auto max_saved_bytes(span<const lifetime> items, span<const distance> of_step, std::uint32_t alignment) -> std::int64_t {
  std::int64_t operands = 0;
  std::int64_t outputs = 0;
  std::int64_t upward = 0;
  std::int64_t downward = 0;
  const auto ascending = [](const distance& pair) { return pair.ascending; };
  const auto descending = [&](const distance& pair) {  // the smallest allowed difference: the output's end minus the operand's end
    const auto size_difference = static_cast<std::int64_t>(items[pair.output].bytes) - static_cast<std::int64_t>(items[pair.input].bytes);
    return pair.descending != -min_distance::disjoint ? size_difference - pair.descending : min_distance::disjoint;
  };
  for (const auto& pair : of_step) {
    const auto input = static_cast<std::int64_t>(items[pair.input].bytes);
    const auto output = static_cast<std::int64_t>(items[pair.output].bytes);
    const auto is_first = [&](auto member) {
      return std::none_of(of_step.begin(), &pair, [&](const distance& other) { return other.*member == pair.*member; });
    };
    operands += is_first(&distance::input) ? input : 0;
    outputs += is_first(&distance::output) ? output : 0;
    upward = std::max({upward, bytes_of_pair(input, output, ascending(pair), alignment),
                       min_bytes_of_operand(items, of_step, pair, alignment, ascending)});
    downward = std::max({downward, bytes_of_pair(input, output, descending(pair), alignment),
                         min_bytes_of_operand(items, of_step, pair, alignment, descending)});
  }
  return operands + outputs - std::max({operands, outputs, std::min(upward, downward)});
}

/// Returns one element for each step: a lower bound of the bytes of the step in any placement. One more element, 0, ends the list. Live
/// items are disjoint, except the operands and the outputs of pairs. The items in pairs need at least the maximum of three sizes:
/// - the total size of the operands;
/// - the total size of the outputs;
/// - the smaller of the sizes that the pairs need in the two orders of writing. The size for one order is the larger of two sizes: the
///   largest pair at its closest allowed distance, and the largest operand with its outputs (`min_bytes_of_operand`).
constexpr auto min_bytes_of_steps(span<const lifetime> items, span<const distance> pairs, std::uint32_t alignment) -> vector<std::int64_t> {
  vector<std::int64_t> bytes(steps_of(items) + 1, 0);
  for (const auto& item : items) {
    bytes[item.first] += static_cast<std::int64_t>(item.bytes);
    bytes[item.last + 1] -= static_cast<std::int64_t>(item.bytes);
  }
  std::int64_t live = 0;
  std::size_t first = 0;
  for (std::uint32_t step = 0; step < bytes.size(); ++step) {
    live += bytes[step];
    auto last = first;
    while (last < pairs.size() && pairs[last].step == step) ++last;
    bytes[step] = live - max_saved_bytes(items, pairs.subspan(first, last - first), alignment);
    first = last;
  }
  return bytes;
}

}  // namespace baton::detail

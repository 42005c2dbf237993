// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What each step of a graph needs at least where outputs lie on dying operands.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/least_distance.hpp>
#include <baton/plan/memory_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Distances of which no two are of the same items: an operand that a node has twice must keep to both.
constexpr auto joined_pairs(span<const distance> distances) -> vector<distance> {
  vector<distance> pairs;
  for (const auto& each : distances) {
    const auto is_same = [&](const distance& pair) { return pair.input == each.input && pair.output == each.output; };
    auto at = pairs.size();
    while (at != 0 && pairs[at - 1].step == each.step && !is_same(pairs[at - 1])) --at;
    if (at == 0 || pairs[at - 1].step != each.step) {
      pairs.push_back(each);
    } else {
      auto& found = pairs[at - 1];
      found.ascending = std::max(found.ascending, each.ascending);
      found.descending = std::min(found.descending, each.descending);
    }
  }
  return pairs;
}

/// The bytes that the joined pairs of one step take less than if they lay apart, at most.
constexpr auto saved_by(span<const lifetime> items, span<const distance> of_step, std::uint32_t alignment) -> std::int64_t {
  std::int64_t operands = 0;
  std::int64_t outputs = 0;
  std::int64_t upward = 0;
  std::int64_t downward = 0;
  for (const auto& pair : of_step) {
    const auto input = static_cast<std::int64_t>(items[pair.input].bytes);
    const auto output = static_cast<std::int64_t>(items[pair.output].bytes);
    const auto is_first = [&](auto member) {
      return std::none_of(of_step.begin(), &pair, [&](const distance& other) { return other.*member == pair.*member; });
    };
    operands += is_first(&distance::input) ? input : 0;
    outputs += is_first(&distance::output) ? output : 0;
    const bool is_downward = pair.descending != -least_distance::apart;
    const auto mirrored = is_downward ? output - input - pair.descending : least_distance::apart;
    upward = std::max(upward, span_of_pair(input, output, pair.ascending, alignment));
    downward = std::max(downward, span_of_pair(input, output, mirrored, alignment));
  }
  return operands + outputs - std::max({operands, outputs, std::min(upward, downward)});
}

/// By step, and a 0 behind the last, the bytes that no placement goes below. What lives lies apart, but for operands and the output of the
/// joined pairs; these take at least what each pair takes where it lies best, and what the operands take, which lie apart from one another.
constexpr auto least_bytes_of_steps(span<const lifetime> items, span<const distance> pairs, std::uint32_t alignment)
    -> vector<std::int64_t> {
  vector<std::int64_t> least(steps_of(items) + 1, 0);
  for (const auto& item : items) {
    least[item.first] += static_cast<std::int64_t>(item.bytes);
    least[item.last + 1] -= static_cast<std::int64_t>(item.bytes);
  }
  std::int64_t live = 0;
  std::size_t first = 0;
  for (std::uint32_t step = 0; step < least.size(); ++step) {
    live += least[step];
    auto last = first;
    while (last < pairs.size() && pairs[last].step == step) ++last;
    least[step] = live - saved_by(items, pairs.subspan(first, last - first), alignment);
    first = last;
  }
  return least;
}

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A replay of the rows of a segment: what must be kept, and the check that it is.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/least_distance.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/rules.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// What the rows of a segment need.
struct row_needs {
  vector<std::int32_t> heights;  ///< by node of the segment: how many of its rows must be kept
  std::int64_t distance = 0;     ///< least from the output to the input, written upward
};

/// Runs the rows of a segment in the order in which they are computed: a row of a node is made when another needs it. Finds how many rows
/// of each value must be kept, and how near the output may lie to the input. `kept` says which values are linked by pixels.
class row_replay {
 public:
  constexpr row_replay(const row_graph& graph, const stream_segment& segment, span<const kept_rows> kept)
      : graph_(graph),
        first_(segment.first),
        last_(segment.last()),
        distance_of_last_(segment.distance_of_last),
        kept_(kept),
        done_(kept.size(), 0),
        summed_(kept.size(), 0),
        in_step_with_last_(kept.size(), 0),
        found_{} {
    for (auto n = first_; n <= last_; ++n) found_.heights.push_back(graph_.nodes[n].rows_at_once);
    for (const auto& operand : graph_.operands_of(first_)) found_.distance = -std::int64_t{operand.rows} * operand.row_bytes;
    for (auto n = first_; n <= last_; ++n) together_.push_back(lockstep(n));
    for (const auto n : together_.back()) in_step_with_last_[n - first_] = 1;
  }

  constexpr auto run() -> row_needs {
    while (done_.back() < graph_.nodes[last_].rows) make(last_, graph_.nodes[last_].rows);
    return std::move(found_);
  }

 private:
  constexpr auto is_inside(const row_operand& operand) const -> bool { return operand.producer != npos && operand.producer >= first_; }
  constexpr auto is_summed(std::uint32_t n) const -> bool { return n != first_ && graph_.nodes[n].sum_bytes != 0; }
  constexpr auto is_linked(const row_operand& operand) const -> bool {
    return is_inside(operand) && kept_[operand.producer - first_].pixels != 0;
  }

  /// A node and those that are computed pixel by pixel with it.
  constexpr auto lockstep(std::uint32_t n) const -> vector<std::uint32_t> {
    vector<std::uint32_t> found;
    found.push_back(n);
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const auto& operand : graph_.operands_of(found[i])) {
        if (is_linked(operand)) found.push_back(operand.producer);
      }
    }
    return found;
  }

  /// The next rows of a node, none behind `most`.
  constexpr void make(std::uint32_t n, std::int32_t most) {
    if (is_summed(n)) {
      const auto& operand = graph_.operands_of(n)[0];
      auto& summed = summed_[n - first_];
      for (summed = 0; summed < operand.rows; ++summed) {
        while (done_[operand.producer - first_] <= summed) make(operand.producer, operand.rows);
      }
      ++done_[n - first_];
      return;
    }
    const auto row = done_[n - first_];
    const auto at_once = graph_.nodes[n].rows_at_once;
    const auto end = std::min(row + at_once, most);
    const auto& together = together_[n - first_];
    for (const auto each : together) {
      for (const auto& operand : graph_.operands_of(each)) {
        if (!is_inside(operand) || is_linked(operand)) continue;
        const auto demand = demand_of(operand.window.rows, end, at_once, operand.rows, graph_.nodes[operand.producer].rows_at_once);
        while (done_[operand.producer - first_] < demand.needed) make(operand.producer, demand.most);
      }
    }
    for (const auto each : together) {
      for (const auto& operand : graph_.operands_of(each)) {
        if (!is_inside(operand)) read_input(each, operand, row);
      }
    }
    for (const auto each : together) done_[each - first_] = end;
    if (n != last_) found_.heights[n - first_] = std::max(found_.heights[n - first_], end - lowest_needed(n));
  }

  /// The input is read at this row while so much of the output is written.
  constexpr void read_input(std::uint32_t n, const row_operand& operand, std::int32_t row) {
    auto& distance = found_.distance;
    if (distance == least_distance::apart) return;
    const auto from = std::int64_t{operand.window.rows.first(row)} * operand.row_bytes;
    const std::int64_t row_bytes = graph_.nodes[last_].row_bytes();
    const auto written = row_bytes * done_.back();
    if (n == last_) {
      distance = distance_of_last_ == least_distance::apart ? distance_of_last_ : std::max(distance, distance_of_last_);
    } else if (in_step_with_last_[n - first_] != 0) {
      distance = std::max(distance, written + row_bytes - from);
    } else if (written != 0) {
      distance = std::max(distance, written - from);
    }
  }

  constexpr auto lowest_needed(std::uint32_t producer) const -> std::int32_t {
    auto lowest = INT32_MAX;
    for (auto n = producer + 1; n <= last_; ++n) {
      for (const auto& operand : graph_.operands_of(n)) {
        if (operand.producer != producer) continue;
        const auto done = done_[n - first_];
        if (done == graph_.nodes[n].rows) continue;
        lowest = std::min(lowest, is_summed(n) ? summed_[n - first_] : operand.window.rows.first(done));
      }
    }
    return lowest;
  }

  const row_graph& graph_;
  std::uint32_t first_;
  std::uint32_t last_;
  std::int64_t distance_of_last_;
  span<const kept_rows> kept_;
  vector<std::int32_t> done_;
  vector<std::int32_t> summed_;
  vector<vector<std::uint32_t>> together_;  // by node: it, and those that are computed pixel by pixel with it
  vector<char> in_step_with_last_;
  row_needs found_;
};

/// Whether a segment keeps as many rows as its nodes need, and stays as far from its input as they do.  Errors: `overlapping_memory`.
constexpr auto verify_segment(const stream_plan& plan, const stream_segment& segment) -> failure {
  const auto kept = plan.kept_of(segment);
  const auto needed = row_replay(plan.graph, segment, kept).run();
  for (std::uint32_t i = 0; i + 1 < segment.count; ++i) {
    if (kept[i].pixels == 0 && kept[i].rows < needed.heights[i]) {
      return broken<"overlapping_memory">("node ", segment.first + i, " keeps ", kept[i].rows, " rows of ", needed.heights[i]);
    }
  }
  if (segment.distance < needed.distance) {
    return broken<"overlapping_memory">("segment at node ", segment.first, " is nearer to its input than ", needed.distance, " bytes");
  }
  return {};
}

}  // namespace baton::detail

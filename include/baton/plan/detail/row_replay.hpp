// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A simulation of a segment (consecutive nodes that run row by row, see `stream_segment`). The simulation finds the rows that the segment
// must keep in memory. This file also contains the check of a segment.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/plan/detail/segment_memory.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/rules.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// The memory that scratch may share with the kept rows of a node. Kept rows are the rows of the node's output that the segment stores (see
/// `kept_rows`). A kernel is large if it needs more than `reserved` bytes of scratch. While a large kernel runs, only the newest kept rows
/// can still be needed. These rows are at the end of the memory of the kept rows, so the scratch of the kernel may overlap the older rows
/// before them.
struct scratch_overlap {
  std::uint32_t reserved = 0;  ///< the bytes of scratch that are used while all kept rows may be needed
  /// The maximum of a sum in bytes, over all steps of large kernels: the scratch of the kernel plus the kept rows that are still needed
  /// meanwhile.
  std::uint32_t reach = 0;

  /// Returns the minimum distance from the scratch to the kept rows, in bytes: the rows' offset minus the scratch's offset. There is no
  /// such minimum for rows that end before the scratch. `kept_bytes` is the size of the rows.
  constexpr auto min_offset(std::uint32_t kept_bytes) const -> std::uint32_t {
    return std::max(reserved, reach - std::min(reach, kept_bytes));
  }
};

/// The requirements of the rows of a segment.
struct row_needs {
  vector<std::int32_t> heights;      ///< indexed by node of the segment: the number of rows of its output that must be kept
  std::int64_t distance = 0;         ///< see `stream_segment::distance`
  std::uint32_t scratch_bytes = 0;   ///< the maximum over the nodes
  vector<scratch_overlap> overlaps;  ///< indexed by node of the segment
  /// Indexed by node of the segment: the bytes at the beginning of the input that are no longer needed when the node first runs.
  vector<std::int64_t> read_bytes;
  std::int64_t scratch_lead = 0;  ///< the maximum, over all steps, of a difference in bytes: the scratch of the step, minus the bytes of
                                  ///< the input that are no longer needed
  /// Indexed by node of the segment. An element belongs to the last step in which all kept rows of the node must be intact. The
  /// element is the number of bytes of the segment's output that have been written at the end of this step.
  vector<std::int64_t> written_bytes;
  /// The number of bytes of the segment's output that have been written when scratch is used for the last time.
  std::int64_t written_bytes_of_scratch = 0;
  /// Indexed by node of the segment: the maximum, over all steps that read kept rows of the node, of a sum in bytes. The sum consists of
  /// the output of the segment that has been written, and the kept rows of the node that are still needed.
  vector<std::int64_t> output_reach;

  /// Returns the smallest valid `stream_segment::memory_distance`. `kept` contains the offsets of the kept rows.
  constexpr auto memory_distance(const row_graph& graph, const stream_segment& segment, span<const kept_rows> kept) const -> std::int64_t {
    auto result = scratch_lead + segment.scratch_offset;
    for (std::uint32_t i = 0; i < segment.count; ++i) {
      const auto extent = extent_of(graph.nodes[segment.first + i], kept[i], i + 1 == segment.count);
      if (extent != 0) result = std::max(result, std::int64_t{kept[i].offset} + extent - read_bytes[i]);
    }
    return result;
  }
  /// Returns the smallest valid `stream_segment::output_distance`. `kept` contains the offsets of the kept rows.
  constexpr auto output_distance(const row_graph& graph, const stream_segment& segment, span<const kept_rows> kept) const -> std::int64_t {
    auto result = scratch_bytes == 0 ? INT64_MIN : written_bytes_of_scratch - segment.scratch_offset;
    for (std::uint32_t i = 0; i < segment.count; ++i) {
      const auto extent = extent_of(graph.nodes[segment.first + i], kept[i], i + 1 == segment.count);
      if (extent != 0) result = std::max(result, output_bytes_before(i, extent) - kept[i].offset);
    }
    return result;
  }
  /// Returns the number of bytes at the start of the segment's output that must be before the kept rows of node `i`. `extent` is the size
  /// of these rows in bytes.
  constexpr auto output_bytes_before(std::uint32_t i, std::uint32_t extent) const -> std::int64_t {
    return std::max(written_bytes[i], output_reach[i] - extent);
  }
};

/// A simulation of the rows of a segment in the order of computation. A row of a node is computed only when its user (a later node of the
/// segment) needs this row. The simulation finds the number of rows of each value that must be kept, and the minimum distance from the
/// output to the input. `kept` marks the pixel links: values whose producer and user are computed pixel by pixel. Only `kept_rows::pixels`
/// pixels of a pixel link are kept, not whole rows.
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
        in_output_(segment.last()),
        observed_(kept.size()),
        needs_{} {
    for (auto n = first_; n <= last_; ++n) needs_.heights.push_back(rows_per_step(n));
    for (const auto& operand : graph_.operands_of(first_)) needs_.distance = -std::int64_t{operand.rows} * operand.row_bytes;
    for (auto n = first_; n <= last_; ++n) {
      groups_.push_back(pixel_group(n));
      if (kept_[n - first_].in_output) in_output_ = n;
    }
    for (auto n = first_; n <= last_; ++n) needs_.scratch_bytes = std::max(needs_.scratch_bytes, scratch_bytes(n));
    for (auto n = first_; n <= last_; ++n) find_observed(n);
    needs_.read_bytes.assign(kept.size(), 0);
    needs_.written_bytes.assign(kept.size(), 0);
    needs_.output_reach.assign(kept.size(), 0);
  }

  constexpr auto run() -> row_needs {
    while (done_.back() < graph_.nodes[last_].rows) compute(last_, graph_.nodes[last_].rows);
    return std::move(needs_);
  }

 private:
  constexpr auto rows_per_step(std::uint32_t n) const -> std::int32_t { return kept_[n - first_].rows_per_step(graph_.nodes[n]); }
  constexpr auto scratch_bytes(std::uint32_t n) const -> std::uint32_t { return kept_[n - first_].scratch_bytes(graph_.nodes[n]); }
  constexpr auto is_inside(const row_operand& operand) const -> bool { return operand.producer != npos && operand.producer >= first_; }
  constexpr auto is_summed(std::uint32_t n) const -> bool { return n != first_ && graph_.nodes[n].sum_bytes != 0; }
  constexpr auto is_linked(const row_operand& operand) const -> bool {
    return is_inside(operand) && kept_[operand.producer - first_].pixels != 0;
  }

  /// Returns node `n` and the nodes that are computed together with node `n`, pixel by pixel. The nodes are in ascending order, and the
  /// executor supplies their operands in this order.
  constexpr auto pixel_group(std::uint32_t n) const -> vector<std::uint32_t> {
    vector<std::uint32_t> group;
    group.push_back(n);
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (const auto& operand : graph_.operands_of(group[i])) {
        if (is_linked(operand)) group.push_back(operand.producer);
      }
    }
    std::sort(group.begin(), group.end());
    return group;
  }

  /// True if the kept rows of node `n` may overlap scratch. The kept rows must be whole rows in memory of their own, and must be moved in
  /// memory only when node `n` runs.
  constexpr auto may_overlap_scratch(std::uint32_t n) const -> bool {
    const auto& kept = kept_[n - first_];
    const auto operands = graph_.operands_of(n);
    return n != last_ && kept.pixels == 0 && !kept.in_user && !kept.in_output &&
           std::none_of(operands.begin(), operands.end(),
                        [&](const row_operand& each) { return is_inside(each) && kept_[each.producer - first_].in_user; });
  }
  /// Finds the nodes whose scratch may overlap the older kept rows of node `n`: the nodes that need more than `scratch_overlap::reserved`
  /// bytes of scratch. The kept rows of node `n` never overlap the scratch of node `n` or of nodes that are computed together with node
  /// `n`, pixel by pixel. They also never overlap the scratch of a last node that sums rows.
  constexpr void find_observed(std::uint32_t n) {
    scratch_overlap overlap;
    if (!may_overlap_scratch(n)) {
      overlap.reserved = needs_.scratch_bytes;
    } else {
      for (const auto each : groups_[n - first_]) overlap.reserved = std::max(overlap.reserved, scratch_bytes(each));
      if (is_summed(last_)) overlap.reserved = std::max(overlap.reserved, scratch_bytes(last_));
      for (auto each = first_; each <= last_; ++each) {
        if (scratch_bytes(each) > overlap.reserved) observed_[each - first_].push_back(n);
      }
    }
    needs_.overlaps.push_back(overlap);
  }
  /// For a step of node `n`, updates `scratch_overlap::reach` of each node whose kept rows may overlap the scratch of node `n`.
  constexpr void use_scratch(std::uint32_t n) {
    for (const auto each : observed_[n - first_]) {
      auto& reach = needs_.overlaps[each - first_].reach;
      const auto needed = std::max<std::int32_t>(0, done_[each - first_] - lowest_needed(each));
      reach = std::max(reach, scratch_bytes(n) + graph_.nodes[each].row_bytes() * static_cast<std::uint32_t>(needed));
    }
  }

  /// Returns the number of bytes at the beginning of the input that are no longer needed: the current step and all later steps do not read
  /// them.
  constexpr auto read_bytes() const -> std::int64_t {
    auto lowest = INT64_MAX;
    for (auto n = first_; n <= last_; ++n) {
      for (const auto& operand : graph_.operands_of(n)) {
        if (is_inside(operand)) continue;
        const auto done = done_[n - first_];
        const auto row = done == graph_.nodes[n].rows ? operand.rows : is_summed(n) ? 0 : operand.window.rows.first(done);
        lowest = std::min(lowest, std::int64_t{row} * operand.row_bytes);
      }
    }
    return lowest;
  }
  /// Updates `row_needs::read_bytes` and `row_needs::scratch_lead` for a step of node `n`. These numbers determine how far the segment's
  /// memory may overlap the segment's input.
  constexpr void use_memory(std::uint32_t n) {
    const std::int64_t scratch = scratch_bytes(n);
    if (done_[n - first_] != 0 && scratch <= needs_.scratch_lead) return;
    const auto bytes = read_bytes();
    if (done_[n - first_] == 0) needs_.read_bytes[n - first_] = bytes;
    needs_.scratch_lead = std::max(needs_.scratch_lead, scratch - bytes);
  }

  /// For a step of node `n`, updates the numbers that determine how far the segment's memory may overlap the segment's output. The nodes
  /// of the node's pixel group run in the same step. At the end of the step, the first `rows_written` rows of the segment's output have
  /// been written.
  constexpr void use_output(std::uint32_t n, std::int32_t rows_written) {
    const auto written = std::int64_t{graph_.nodes[last_].row_bytes()} * rows_written;
    for (const auto each : groups_[n - first_]) {
      needs_.written_bytes[each - first_] = written;
      if (scratch_bytes(each) != 0) needs_.written_bytes_of_scratch = written;
      for (const auto& operand : graph_.operands_of(each)) {
        if (!is_inside(operand)) continue;
        const auto at = operand.producer - first_;
        if (kept_[at].pixels != 0 || kept_[at].in_user || is_summed(n)) {
          needs_.written_bytes[at] = written;
        } else {
          const auto needed = std::max<std::int32_t>(0, done_[at] - lowest_needed(operand.producer));
          needs_.output_reach[at] =
              std::max(needs_.output_reach[at], written + std::int64_t{graph_.nodes[operand.producer].row_bytes()} * needed);
        }
      }
    }
  }

  /// Computes the rows of the next step of node `n`, but only rows before `limit`.
  constexpr void compute(std::uint32_t n, std::int32_t limit) {
    if (is_summed(n)) {
      use_memory(n);
      const auto& operand = graph_.operands_of(n)[0];
      auto& summed = summed_[n - first_];
      for (summed = 0; summed < operand.rows; ++summed) {
        while (done_[operand.producer - first_] <= summed) compute(operand.producer, operand.rows);
      }
      ++done_[n - first_];
      use_output(n, 1);
      return;
    }
    const auto row = done_[n - first_];
    const auto step_rows = rows_per_step(n);
    const auto end = std::min(row + step_rows, limit);
    const auto& group = groups_[n - first_];
    for (const auto each : group) {
      for (const auto& operand : graph_.operands_of(each)) {
        if (!is_inside(operand) || is_linked(operand)) continue;
        const auto demand = demand_of(operand.window.rows, end, step_rows, operand.rows, rows_per_step(operand.producer));
        while (done_[operand.producer - first_] < demand.needed) compute(operand.producer, demand.max);
      }
    }
    const auto rows_written = n == last_ || n == in_output_ ? end : std::max(done_.back(), done_[in_output_ - first_]);
    use_output(n, std::max({n == last_ || n == in_output_ ? end : 0, done_.back(), done_[in_output_ - first_]}));
    for (const auto each : group) {
      use_scratch(each);
      use_memory(each);
      for (const auto& operand : graph_.operands_of(each)) {
        if (!is_inside(operand)) read_input(each, operand, row, rows_written);
      }
    }
    for (const auto each : group) done_[each - first_] = end;
    if (n != last_) needs_.heights[n - first_] = std::max(needs_.heights[n - first_], end - lowest_needed(n));
  }

  /// Updates the minimum distance for one read of the segment's input. Node `n` reads the input to compute row `row` and the following
  /// rows of the step. The first `rows_written` rows of the segment's output must not overlap the input rows that are read.
  constexpr void read_input(std::uint32_t n, const row_operand& operand, std::int32_t row, std::int32_t rows_written) {
    auto& distance = needs_.distance;
    if (distance == min_distance::disjoint) return;
    const auto from = std::int64_t{operand.window.rows.first(row)} * operand.row_bytes;
    if (n == last_) {
      distance = distance_of_last_ == min_distance::disjoint ? distance_of_last_ : std::max(distance, distance_of_last_);
    } else if (rows_written != 0) {
      distance = std::max(distance, std::int64_t{graph_.nodes[last_].row_bytes()} * rows_written - from);
    }
  }

  /// Returns the first row of the output of `producer` that a later node still reads, or `INT32_MAX` if there is none.
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
  vector<std::int32_t> done_;    // indexed by node: the number of the node's rows that are computed
  vector<std::int32_t> summed_;  // indexed by node: the number of operand rows that the node has summed; only for nodes that sum rows
  vector<vector<std::uint32_t>> groups_;    // indexed by node: the result of `pixel_group`
  std::uint32_t in_output_;                 // the node whose rows are in the output of the segment (`kept_rows::in_output`); the last node
                                            // if there is none
  vector<vector<std::uint32_t>> observed_;  // indexed by node: the scratch of the node may overlap the kept rows of these nodes
  row_needs needs_;
};

/// Checks that a segment keeps all rows that its nodes need. Also checks that `distance`, `memory_distance` and `output_distance` of the
/// segment are large enough, and that kept rows and scratch overlap only as far as permitted. Fails with `overlapping_memory`.
constexpr auto verify_segment(const stream_plan& plan, const stream_segment& segment) -> failure {
  const auto kept = plan.kept_of(segment);
  const auto needed = row_replay(plan.graph, segment, kept).run();
  for (std::uint32_t i = 0; i + 1 < segment.count; ++i) {
    if (kept[i].pixels == 0 && kept[i].rows < needed.heights[i]) {
      return broken<"overlapping_memory">("the node at position ", segment.first + i, " of the schedule keeps too few rows: ", kept[i].rows,
                                          " of ", needed.heights[i]);
    }
  }
  if (std::uint64_t{segment.scratch_offset} + needed.scratch_bytes > segment.bytes) {
    return broken<"overlapping_memory">("the scratch of the segment at position ", segment.first,
                                        " of the schedule exceeds its memory: ", needed.scratch_bytes, " bytes at offset ",
                                        segment.scratch_offset, " of ", segment.bytes);
  }
  for (std::uint32_t i = 0; i < segment.count; ++i) {
    const auto& node = plan.graph.nodes[segment.first + i];
    const auto extent = extent_of(node, kept[i], i + 1 == segment.count);
    const auto min_offset = std::uint64_t{segment.scratch_offset} + needed.overlaps[i].min_offset(extent);
    if (extent == 0 || kept[i].offset >= min_offset || std::uint64_t{kept[i].offset} + extent <= segment.scratch_offset) continue;
    return broken<"overlapping_memory">("the rows of the node at position ", segment.first + i,
                                        " of the schedule overlap scratch: their offset is ", kept[i].offset, ", not at least ",
                                        min_offset);
  }
  if (segment.distance < needed.distance) {
    return broken<"overlapping_memory">("the distance from output to input of the segment at position ", segment.first,
                                        " of the schedule is ", segment.distance, ", not at least ", needed.distance);
  }
  if (const auto distance = needed.memory_distance(plan.graph, segment, kept); segment.memory_distance < distance) {
    return broken<"overlapping_memory">("the distance from the memory to the input of the segment at position ", segment.first,
                                        " of the schedule is ", segment.memory_distance, ", not at least ", distance);
  }
  if (const auto distance = needed.output_distance(plan.graph, segment, kept); segment.output_distance < distance) {
    return broken<"overlapping_memory">("the distance from the output to the memory of the segment at position ", segment.first,
                                        " of the schedule is ", segment.output_distance, ", not at least ", distance);
  }
  return segment_memory(plan, segment).verify();
}

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory layout of a segment (consecutive nodes that run row by row, see `stream_segment`). A layout contains the offset of scratch and
// the offsets of the kept rows (see `kept_rows`).
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/plan/detail/row_replay.hpp>
#include <baton/plan/detail/row_usages.hpp>
#include <baton/plan/detail/segment_memory.hpp>
#include <baton/plan/shared/round_up.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// A possible segment.
struct segment_candidate {
  stream_segment segment;
  vector<kept_rows> kept;         ///< empty until `stream_search::measure` has replayed the rows of the candidate
  std::int64_t other_bytes = 0;   ///< the bytes of all live items except the segment's memory, input and output
  std::int64_t bytes = 0;         ///< the bytes that are live while the segment runs; an estimate until the candidate is measured
  std::uint32_t single_rows = 0;  ///< the number of nodes with `kept_rows::by_single_rows`
};

/// A search for the layout with which a candidate needs the fewest bytes. Sizes and offsets are rounded up to the alignment.
class segment_layout {
 public:
  constexpr segment_layout(const row_graph& graph, span<const row_usage> usages, std::uint32_t alignment)
      : graph_(graph),
        usages_(usages),
        alignment_(alignment) {}

  constexpr auto rounded(std::uint32_t bytes) const -> std::uint32_t { return static_cast<std::uint32_t>(round_up(bytes, alignment_)); }

  /// Returns the operand of node `n` whose kept rows begin in the newest row of node `n`. Returns null if there is no such operand, or if
  /// its producer is not in the segment that begins at node `first`.
  constexpr auto shared_in(std::uint32_t n, std::uint32_t first) const -> const row_operand* {
    const auto* shared = usages_[n].shared;
    return shared != nullptr && shared->producer >= first ? shared : nullptr;
  }

  /// Returns the size of the memory for the kept rows or pixels of node `n`, in a segment that begins at node `first`. The memory includes
  /// the rows of the operand that `shared_in` returns, if there is one. If `has_single_rows` is true, a step of the operand's producer
  /// computes one row.
  constexpr auto bytes_kept(std::uint32_t n, const kept_rows& kept, std::uint32_t first, bool has_single_rows = false) const
      -> std::uint32_t {
    const auto own = extent_of(graph_.nodes[n], kept, false);
    const auto* shared = shared_in(n, first);
    if (shared == nullptr) return rounded(own);
    const auto operand_rows = has_single_rows ? 1u : static_cast<std::uint32_t>(graph_.nodes[shared->producer].rows_per_step);
    return rounded(std::max(own, offset_of_shared(n, kept.rows) + operand_rows * shared->row_bytes));
  }

  /// Assigns offsets in the memory of the segment. Also computes how far this memory may overlap the input and the output of the segment
  /// (`memory_distance` and `output_distance`). `bytes_with(option)` returns the bytes that are live while the segment runs. In the first
  /// layout, scratch is first, followed by the rows of the node that may overlap the most bytes of scratch.
  ///
  /// Other layouts are tried only if `has_output` is true: the output is in the arena, and the last node does not sum rows. These layouts
  /// sort the nodes by the last use of their rows, so that output rows that are written late can overlap rows that are no longer needed.
  /// The time of a use is measured by the number of output bytes that the segment has written before the use. There is one such layout for
  /// each node whose rows may overlap scratch; its rows directly follow scratch. If no rows may overlap scratch, there is one layout for
  /// each node except the last node and nodes with `in_user` or `in_output`. If the segment has no scratch, only one of these layouts is
  /// tried.
  template <class BytesWith>
  constexpr void run(segment_candidate& option, const row_needs& needed, bool has_output, const BytesWith& bytes_with) const {
    vector<std::uint32_t> order;
    std::uint32_t first = 0;  // the index of the node whose rows are first
    for (std::uint32_t i = 0; i < option.segment.count; ++i) {
      order.push_back(i);
      if (i + 1 < option.segment.count && scratch_before(option, needed, i) < scratch_before(option, needed, first)) first = i;
    }
    std::rotate(order.begin(), order.begin() + first, order.begin() + first + 1);
    place(option, needed, order, first, bytes_with);
    if (!has_output) return;
    const bool has_overlap = scratch_before(option, needed, first) < rounded(needed.scratch_bytes);
    vector<std::int64_t> written;
    for (std::uint32_t i = 0; i < option.segment.count; ++i) {
      const auto extent = extent_of(graph_.nodes[option.segment.first + i], option.kept[i], i + 1 == option.segment.count);
      written.push_back(needed.output_bytes_before(i, extent));
    }
    for (std::uint32_t i = 0; i + 1 < option.segment.count; ++i) {
      const auto scratch = scratch_before(option, needed, i);
      if (option.kept[i].in_user || option.kept[i].in_output) continue;
      if (has_overlap && scratch == rounded(needed.scratch_bytes)) continue;
      auto other = option;
      place(other, needed, sorted_by_last_need(written, needed, i, scratch), i, bytes_with);
      if (other.bytes < option.bytes) option = std::move(other);
      if (needed.scratch_bytes == 0) break;
    }
  }

 private:
  /// Returns the offset of the operand rows that begin in the newest row of node `n` (`row_usage::shared`), relative to the first kept row
  /// of node `n`. The node keeps `rows` rows.
  constexpr auto offset_of_shared(std::uint32_t n, std::int32_t rows) const -> std::uint32_t {
    return rounded(offset_in_user(graph_.nodes[n], rows, *usages_[n].shared));
  }
  /// Returns the bytes of scratch before the kept rows of node `i` of the segment, if scratch overlaps these rows as far as possible.
  constexpr auto scratch_before(const segment_candidate& option, const row_needs& needed, std::uint32_t i) const -> std::uint32_t {
    const auto kept_bytes = extent_of(graph_.nodes[option.segment.first + i], option.kept[i], false);
    return rounded(std::min(needed.scratch_bytes, needed.overlaps[i].min_offset(kept_bytes)));
  }

  /// Returns the nodes of a segment in ascending order of one number: the output bytes that are written before the last use of the node's
  /// memory. `written[i]` is this number for node `i`, without regard to scratch. The memory of node `after_scratch` begins with `scratch`
  /// bytes of scratch, so its number also depends on the last use of scratch.
  static constexpr auto sorted_by_last_need(span<const std::int64_t> written, const row_needs& needed, std::uint32_t after_scratch,
                                            std::uint32_t scratch) -> vector<std::uint32_t> {
    vector<std::uint32_t> order;
    const auto with_scratch = std::max(written[after_scratch] - scratch, needed.written_bytes_of_scratch);
    for (std::uint32_t i = 0; i < written.size(); ++i) {
      const auto bytes = i == after_scratch ? with_scratch : written[i];
      auto at = i;
      order.push_back(i);
      for (; at > 0 && (order[at - 1] == after_scratch ? with_scratch : written[order[at - 1]]) > bytes; --at) order[at] = order[at - 1];
      order[at] = i;
    }
    return order;
  }

  /// Places the memory of the nodes in order, with scratch before the rows of node `after_scratch`. Then computes the distances. The memory
  /// may overlap the input or the output of the segment, but not both; selects the overlap that needs fewer bytes.
  template <class BytesWith>
  constexpr void place(segment_candidate& option, const row_needs& needed, span<const std::uint32_t> order, std::uint32_t after_scratch,
                       const BytesWith& bytes_with) const {
    auto& segment = option.segment;
    segment.bytes = 0;
    for (const auto i : order) {
      if (i == after_scratch) {
        segment.scratch_offset = segment.bytes;
        segment.bytes += scratch_before(option, needed, i);
      }
      place_rows(option, i);
    }
    segment.memory_distance = min_distance::disjoint;
    segment.output_distance = needed.output_distance(graph_, segment, option.kept);
    const auto with_output = bytes_with(option);
    segment.memory_distance = needed.memory_distance(graph_, segment, option.kept);
    const auto output_distance = std::exchange(segment.output_distance, min_distance::disjoint);
    option.bytes = bytes_with(option);
    if (with_output >= option.bytes) return;
    option.bytes = with_output;
    segment.memory_distance = min_distance::disjoint;
    segment.output_distance = output_distance;
  }
  /// Places the kept rows, pixels or sums of node `i` of a segment after the memory that is already assigned. A row that overlaps the
  /// newest row of its user is inside the memory of the user.
  constexpr void place_rows(segment_candidate& option, std::uint32_t i) const {
    auto& segment = option.segment;
    const auto n = segment.first + i;
    if (option.kept[i].in_user || option.kept[i].in_output) return;
    option.kept[i].offset = segment.bytes;
    if (n == segment.last()) {
      segment.bytes += rounded(graph_.nodes[n].sum_bytes);
      return;
    }
    const auto* shared = shared_in(n, segment.first);
    if (shared == nullptr) {
      segment.bytes += bytes_kept(n, option.kept[i], segment.first);
      return;
    }
    auto& operand = option.kept[shared->producer - segment.first];
    operand.offset = segment.bytes + offset_of_shared(n, option.kept[i].rows);
    segment.bytes += bytes_kept(n, option.kept[i], segment.first, operand.by_single_rows);
  }

  const row_graph& graph_;
  span<const row_usage> usages_;
  std::uint32_t alignment_;
};

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The search for segments (consecutive nodes that run row by row, see `stream_segment`).
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/plan/detail/min_bytes.hpp>
#include <baton/plan/detail/row_replay.hpp>
#include <baton/plan/detail/row_usages.hpp>
#include <baton/plan/detail/segment_layout.hpp>
#include <baton/plan/detail/segment_memory.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/distances_of_step.hpp>
#include <baton/plan/shared/round_up.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// The maximum number of nodes in a segment.
inline constexpr std::uint32_t max_streamed = 14;

/// The alignment for estimates of overlapping items: 1, so that declared distances (how far items may overlap, see `min_distance`) are not
/// rounded up. With rounded distances, an estimate could be too high, and the search could miss a segment that needs less memory.
inline constexpr std::uint32_t no_alignment = 1;

/// The search for the segments that minimize the memory of the step with the most live bytes. The memory of a segment is estimated with the
/// smallest allowed distance between the input and the output of the segment. A partition divides the schedule into segments and single
/// nodes. Among equally good partitions, the search selects one with the fewest nodes in segments.
class stream_search {
 public:
  constexpr explicit stream_search(const unstreamed_plan& baseline)
      : baseline_(baseline),
        count_(static_cast<std::uint32_t>(baseline_.graph.nodes.size())),
        usages_(usages_of(baseline_.graph)),
        layout_(baseline_.graph, usages_, baseline_.memory.alignment) {}

  constexpr auto run() -> stream_plan {
    find_lower_bounds();
    for (std::uint32_t first = 0; first < count_; ++first) find_segments(first);
    auto selected = partition();
    while (measure(selected)) selected = partition();
    stream_plan plan;
    for (std::size_t i = selected.size(); i-- > 0;) {
      auto& each = candidates_[selected[i]];
      each.segment.kept = static_cast<std::uint32_t>(plan.kept.size());
      plan.kept.insert(plan.kept.end(), each.kept.begin(), each.kept.end());
      plan.segments.push_back(each.segment);
    }
    return plan;
  }

 private:
  using candidate = segment_candidate;
  constexpr auto items() const -> span<const lifetime> { return baseline_.memory.items; }
  constexpr auto graph() const -> const row_graph& { return baseline_.graph; }
  /// Returns the item of a value, or `npos` if the value is in a buffer of the caller.
  constexpr auto item_of(value_id id) const -> std::uint32_t {
    const auto entry = baseline_.value_items[index(id)];
    return entry == npos ? npos : entry - baseline_.first_item;
  }
  constexpr auto output_of(std::uint32_t n) const -> std::uint32_t { return item_of(graph().nodes[n].output); }
  constexpr auto bytes_of(std::uint32_t item) const -> std::int64_t {
    return item == npos ? 0 : static_cast<std::int64_t>(items()[item].bytes);
  }
  constexpr auto rounded(std::uint32_t bytes) const -> std::uint32_t { return layout_.rounded(bytes); }
  constexpr auto scratch_of(std::uint32_t n) const -> std::uint32_t { return rounded(graph().nodes[n].scratch_bytes); }

  /// Computes the bytes of each step without segments, and a lower bound for all partitions. The lower bound is the maximum of two sizes:
  /// the bytes that are live when the outputs are read, and the largest graph input. Inputs and outputs of the graph are whole values in
  /// every partition, so segments cannot reduce these sizes. A step that needs no more bytes than the lower bound needs no segment.
  constexpr void find_lower_bounds() {
    unsegmented_bytes_ = min_bytes_of_steps(items(), joined_pairs(baseline_.memory.distances), no_alignment);
    unsegmented_bytes_.resize(std::max<std::size_t>(unsegmented_bytes_.size(), count_ + 1));
    lower_bound_ = unsegmented_bytes_[count_];
    for (const auto& operand : graph().operands) {
      if (operand.producer == npos && item_of(operand.value) != npos)
        lower_bound_ = std::max(lower_bound_, bytes_of(item_of(operand.value)));
    }
  }

  /// Adds candidates (possible segments) that begin at node `first`. Only the last node of a candidate may have users after the candidate.
  /// Adds a candidate only if its estimated bytes are fewer than the bytes that its nodes need without a segment. The bytes without a
  /// segment must exceed the lower bound of all partitions.
  constexpr void find_segments(std::uint32_t first) {
    const auto operands = graph().operands_of(first);
    if (!graph().nodes[first].has_rows || operands.empty()) return;
    const auto input = operands[0].value;
    const auto beside = bytes_beside(first, item_of(input));
    auto other_bytes = beside[first];
    auto scratch = scratch_of(first);
    std::uint32_t kept = 0;
    auto unsegmented_bytes = unsegmented_bytes_[first];
    std::uint32_t last_use = 0;  // the last use of the outputs of all nodes before `last`
    for (auto last = first + 1; last < count_ && last - first < max_streamed; ++last) {
      const auto& node = graph().nodes[last];
      const auto produced = output_of(last - 1);
      if (!node.has_rows || !reads_only(last, first, input) || produced == npos || usages_[last - 1].count == 0) return;
      other_bytes += beside[last];
      scratch = std::max(scratch, scratch_of(last));
      kept += bytes_kept(last - 1, min_kept(last - 1), first);
      if (const auto* shared = shared_in(last - 1, first)) kept -= bytes_kept(shared->producer, min_kept(shared->producer), first);
      unsegmented_bytes = std::max(unsegmented_bytes, unsegmented_bytes_[last]);
      last_use = std::max(last_use, items()[produced].last);
      if (last_use <= last && unsegmented_bytes > lower_bound_)
        add_candidate({first, last - first + 1, input}, other_bytes, scratch + kept + rounded(node.sum_bytes), unsegmented_bytes);
      if (node.sum_bytes != 0) return;  // a node that sums rows is always the last node of a segment
    }
  }

  /// True if a node reads only the input of a segment and values that the segment produces.
  constexpr auto reads_only(std::uint32_t n, std::uint32_t first, value_id input) const -> bool {
    const auto operands = graph().operands_of(n);
    return std::all_of(operands.begin(), operands.end(), [&](const row_operand& operand) {
      return operand.value == input || (operand.producer != npos && operand.producer >= first);
    });
  }

  /// Returns a vector `change`, indexed by node. The sum of `change[first]` to `change[n]` is the number of bytes that are live beside a
  /// segment of the nodes `first` to n. Item `input` and the items that are live only inside the segment are not counted.
  constexpr auto bytes_beside(std::uint32_t first, std::uint32_t input) const -> vector<std::int64_t> {
    vector<std::int64_t> change(unsegmented_bytes_.size(), 0);
    for (std::uint32_t item = 0; item < items().size(); ++item) {
      const auto& life = items()[item];
      if (item == input || life.last < first) continue;
      change[std::max(first, life.first)] += bytes_of(item);
      if (life.first >= first) change[life.last] -= bytes_of(item);
    }
    return change;
  }

  constexpr auto shared_in(std::uint32_t n, std::uint32_t first) const -> const row_operand* { return layout_.shared_in(n, first); }
  constexpr auto bytes_kept(std::uint32_t n, const kept_rows& kept, std::uint32_t first) const -> std::uint32_t {
    return layout_.bytes_kept(n, kept, first);
  }
  constexpr auto min_kept(std::uint32_t n) const -> kept_rows {
    const auto& use = usages_[n];
    return {use.rows, use.count == 1 ? use.pixels : 0, 0};
  }
  /// Adds a candidate if the segment may need fewer bytes than `unsegmented_bytes`, the bytes that its nodes need without a segment.
  /// `bytes` estimates the memory of the segment. `other_bytes` is the number of bytes of other live items, which may include the output.
  constexpr void add_candidate(const stream_segment& segment, std::int64_t other_bytes, std::uint32_t bytes,
                               std::int64_t unsegmented_bytes) {
    const auto input = item_of(segment.input);
    const auto output = output_of(segment.last());
    if (output != npos) {
      if (output == input) return;
      const auto& life = items()[output];
      if (life.first < segment.first || life.last > segment.last()) other_bytes -= bytes_of(output);
    }
    if (const auto n = node_in_output(segment); n != npos) bytes -= bytes_kept(n, min_kept(n), segment.first);
    candidate option{segment, {}, other_bytes};
    option.segment.bytes = bytes;
    option.segment.distance = -bytes_of(input);
    option.bytes = bytes_with(option);
    if (option.bytes < unsegmented_bytes) candidates_.push_back(std::move(option));
  }
  constexpr auto bytes_with(const candidate& option) const -> std::int64_t {
    const auto& segment = option.segment;
    const auto input = item_of(segment.input);
    const bool is_last_use = input != npos && items()[input].last <= segment.last();
    const auto distance = is_last_use ? segment.distance : min_distance::disjoint;
    const auto in = bytes_of(input);
    const auto out = bytes_of(output_of(segment.last()));
    const auto bytes = segment.bytes + bytes_of_pair(in, out, distance, no_alignment);
    if (segment.output_distance < out) {
      // The memory of the segment begins in the output, and the input ends before the memory.
      const auto before = distance == min_distance::disjoint ? in : std::max<std::int64_t>(0, -distance);  // the input before the output
      const auto end_of_input = distance == min_distance::disjoint ? 0 : before + distance + in;
      const auto memory = std::max(before + std::max<std::int64_t>(0, segment.output_distance), end_of_input);
      return option.other_bytes + std::min(bytes, std::max(before + out, memory + segment.bytes));
    }
    if (!is_last_use || segment.memory_distance >= segment.bytes || distance == min_distance::disjoint) return option.other_bytes + bytes;
    // The memory of the segment ends in the input, and the output follows the memory.
    const auto end = std::max(std::max(segment.memory_distance, segment.bytes + distance) + in, segment.bytes + out);
    return option.other_bytes + std::min(bytes, end);
  }

  /// Replays the rows of a candidate to compute its kept rows (see `kept_rows`), its distance and its bytes. Before the replay, the numbers
  /// of kept rows and the distance are lower bounds. The bytes are a lower bound if kept rows do not overlap scratch and the memory
  /// overlaps neither the input nor the output. Nodes compute one row per step if their element of `by_single_rows` is true; an empty list
  /// means none.
  constexpr void measure(candidate& option, span<const bool> by_single_rows) const {
    auto& segment = option.segment;
    for (auto n = segment.first; n < segment.last(); ++n) {
      option.kept.push_back(min_kept(n));
      const auto& of = usages_[n];
      if (of.user == segment.last() || usages_[of.user].shared != of.use) continue;
      option.kept.back().in_user = true;
      option.kept.back().pixels = 0;
    }
    option.kept.push_back({});
    if (const auto n = node_in_output(segment); n != npos) option.kept[n - segment.first].in_output = true;
    for (std::uint32_t i = 0; i < by_single_rows.size(); ++i) {
      option.kept[i].by_single_rows = by_single_rows[i];
      option.single_rows += by_single_rows[i] ? 1u : 0u;
    }
    segment.distance_of_last = distance_of(segment.last(), item_of(segment.input));
    const auto needed = row_replay(graph(), segment, option.kept).run();
    for (std::uint32_t i = 0; i + 1 < segment.count; ++i) option.kept[i].rows = needed.heights[i];
    segment.distance = needed.distance;
    const bool has_output = output_of(segment.last()) != npos && graph().nodes[segment.last()].sum_bytes == 0;
    layout_.run(option, needed, has_output, [this](const candidate& each) { return bytes_with(each); });
  }

  /// Returns the node whose rows can be in the output of a segment, or `npos` (see `kept_rows::in_output`). If there are several such
  /// nodes, returns the one that keeps the most bytes. If several of them keep the same number of bytes, returns the one whose output is
  /// the latest operand of the last node, because its rows are written last.
  constexpr auto node_in_output(const stream_segment& segment) const -> std::uint32_t {
    const auto& last = graph().nodes[segment.last()];
    if (output_of(segment.last()) == npos || last.sum_bytes != 0) return npos;
    auto result = npos;
    std::uint32_t max_bytes = 0;
    for (const auto& operand : graph().operands_of(last)) {
      const auto n = operand.producer;
      if (n == npos || n < segment.first || usages_[n].is_link()) return npos;
      const bool has_shared_row = shared_in(n, segment.first) != nullptr;
      if (usages_[n].count != 1 || has_shared_row || operand.row_distance != 0 || operand.row_bytes != last.row_bytes()) continue;
      const auto bytes = bytes_kept(n, min_kept(n), segment.first);
      if (bytes >= max_bytes) result = n;
      max_bytes = std::max(max_bytes, bytes);
    }
    return result;
  }

  /// Returns the distance between item `input` and the output of node `n`, for ascending writes; `disjoint` if they have no distance. If
  /// the node reads the item as several operands, returns their maximum distance.
  constexpr auto distance_of(std::uint32_t n, std::uint32_t input) const -> std::int64_t {
    auto result = INT64_MIN;
    for (const auto& each : distances_of_step(baseline_.memory.distances, n)) {
      if (each.input == input) result = std::max(result, each.ascending);
    }
    return result == INT64_MIN ? min_distance::disjoint : result;
  }

  /// Measures the selected candidates that are not yet measured, and adds their variants with single rows. Returns true if there is at
  /// least one such candidate.
  constexpr auto measure(span<const std::uint32_t> selected) -> bool {
    bool is_new = false;
    for (const auto i : selected) {
      if (!candidates_[i].kept.empty()) continue;
      measure(candidates_[i], {});
      add_variants(candidates_[i]);
      is_new = true;
    }
    // The order of candidates with the same first node is irrelevant, because `partition` compares all of them.
    const auto is_before = [](const candidate& a, const candidate& b) { return a.segment.first < b.segment.first; };
    if (!std::is_sorted(candidates_.begin(), candidates_.end(), is_before)) baton::sort(candidates_.begin(), candidates_.end(), is_before);
    return is_new;
  }

  /// Adds variants of a measured candidate in which some nodes compute single rows. The first variant computes single rows in the last node
  /// whose kernel supports single rows. Each further variant adds the nearest earlier node of this kind. Later nodes are first, because
  /// their single rows let more values keep fewer rows. Because single rows need more instructions, each variant must save at least a
  /// sixteenth of the bytes of the previous one.
  constexpr void add_variants(const candidate& of) {
    const stream_segment segment{of.segment.first, of.segment.count, of.segment.input};
    const auto other_bytes = of.other_bytes;
    auto bytes = of.bytes;
    vector<bool> by_single_rows(segment.count, false);
    for (auto i = segment.count; i-- > 0;) {
      if (graph().nodes[segment.first + i].single_row_scratch_bytes == npos) continue;
      by_single_rows[i] = true;
      candidate option{segment, {}, other_bytes};
      measure(option, by_single_rows);
      if (option.bytes > bytes - bytes / 16) return;
      bytes = option.bytes;
      candidates_.push_back(std::move(option));
    }
  }

  /// Returns the minimum, over all partitions, of the bytes that a partition needs. Requires that `candidates_` is sorted by first node,
  /// which `run` ensures.
  constexpr auto min_bytes() const -> std::int64_t {
    vector<std::int64_t> bytes(count_ + 1, INT64_MAX);  // bytes[n]: the minimum for the first n nodes
    bytes[0] = 0;
    const auto* next = candidates_.begin();
    for (std::uint32_t n = 0; n < count_; ++n) {
      bytes[n + 1] = std::min(bytes[n + 1], std::max(bytes[n], unsegmented_bytes_[n]));
      for (; next != candidates_.end() && next->segment.first == n; ++next) {
        auto& at_end = bytes[next->segment.last() + 1];
        at_end = std::min(at_end, std::max(bytes[n], next->bytes));
      }
    }
    return bytes.back();
  }

  /// Returns the candidates of the best partition, in reverse order. Candidates that are not measured count with their estimates. Among
  /// equally good partitions, selects one with the fewest nodes in segments. A node that computes single rows counts as two nodes.
  constexpr auto partition() const -> vector<std::uint32_t> {
    const auto bound = min_bytes();
    constexpr std::uint32_t impossible = npos;
    // streamed[n]: the number of nodes in segments plus the number of nodes with single rows, among the first n nodes
    vector<std::uint32_t> streamed(count_ + 1, impossible);
    vector<std::uint32_t> candidate_ending_at(count_ + 1, npos);  // [n]: the candidate whose last node is n - 1; `npos` if none
    streamed[0] = 0;
    std::uint32_t next = 0;
    for (std::uint32_t n = 0; n < count_; ++n) {
      if (unsegmented_bytes_[n] <= bound && streamed[n] <= streamed[n + 1]) {
        streamed[n + 1] = streamed[n];
        candidate_ending_at[n + 1] = npos;
      }
      for (; next < candidates_.size() && candidates_[next].segment.first == n; ++next) {
        const auto& segment = candidates_[next].segment;
        const auto end = segment.last() + 1;
        const auto cost = segment.count + candidates_[next].single_rows;
        if (candidates_[next].bytes > bound || streamed[n] == impossible || streamed[n] + cost >= streamed[end]) continue;
        streamed[end] = streamed[n] + cost;
        candidate_ending_at[end] = next;
      }
    }
    vector<std::uint32_t> selected;
    for (auto end = count_; end != 0;) {
      if (candidate_ending_at[end] == npos) {
        --end;
        continue;
      }
      selected.push_back(candidate_ending_at[end]);
      end = candidates_[candidate_ending_at[end]].segment.first;
    }
    return selected;
  }

  const unstreamed_plan& baseline_;
  std::uint32_t count_;
  vector<row_usage> usages_;
  segment_layout layout_;
  vector<std::int64_t> unsegmented_bytes_;  // indexed by step: the bytes without segments
  std::int64_t lower_bound_ = 0;            // lower bound of the bytes of all partitions
  vector<candidate> candidates_;
};

}  // namespace baton::detail

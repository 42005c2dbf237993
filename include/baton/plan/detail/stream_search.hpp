// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which nodes are best computed row by row.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/least_distance.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/plan/detail/least_bytes.hpp>
#include <baton/plan/detail/row_replay.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/distances_of_step.hpp>
#include <baton/plan/shared/round_up.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// A value between nodes that are computed pixel by pixel has at most so many bytes of a row, unless one pixel has more: enough that
/// starting kernels costs little beside their work.
inline constexpr std::uint32_t link_bytes = 64;
/// The longest segment.
inline constexpr std::uint32_t most_streamed = 14;

/// Distances count as declared, not rounded up to the alignment: a segment that may need less is tried.
inline constexpr std::uint32_t any_offset = 1;

/// Finds the segments with which the step that needs most needs least, its input and its output as near as they may lie; among partitions
/// that are as good, one that streams the fewest nodes.
class stream_search {
 public:
  constexpr explicit stream_search(const unstreamed_plan& without)
      : without_(without),
        count_(static_cast<std::uint32_t>(without_.graph.nodes.size())) {}

  constexpr auto run() -> stream_plan {
    find_users();
    find_least();
    for (std::uint32_t first = 0; first < count_; ++first) find_segments(first);
    auto taken = partition();
    while (measure(taken)) taken = partition();
    stream_plan made;
    for (std::size_t i = taken.size(); i-- > 0;) {
      auto& each = found_[taken[i]];
      each.segment.kept = static_cast<std::uint32_t>(made.kept.size());
      made.kept.insert(made.kept.end(), each.kept.begin(), each.kept.end());
      made.segments.push_back(each.segment);
    }
    return made;
  }

 private:
  /// A segment that could be taken, and the bytes of all that lives while it runs.
  struct candidate {
    stream_segment segment;
    vector<kept_rows> kept;   // none until it is measured
    std::int64_t others = 0;  // of what lives through it
    std::int64_t bytes = 0;   // until it is measured, at least
  };
  /// How a value is used that rows of could be kept.
  struct usage {
    std::uint32_t count = 0;  ///< operands
    std::int32_t rows = 1;    ///< what is made of it, or one of its users' rows needs, at once
    std::int32_t pixels = 0;  ///< of a value that a pixel link can be
  };

  constexpr auto items() const -> span<const lifetime> { return without_.memory.items; }
  constexpr auto graph() const -> const row_graph& { return without_.graph; }
  constexpr auto item_of(value_id id) const -> std::uint32_t {
    const auto entry = without_.of_value[index(id)];
    return entry == npos ? npos : entry - without_.first_item;
  }
  constexpr auto output_of(std::uint32_t n) const -> std::uint32_t { return item_of(graph().nodes[n].output); }
  constexpr auto bytes_of(std::uint32_t item) const -> std::int64_t { return static_cast<std::int64_t>(items()[item].bytes); }
  constexpr auto rounded(std::uint32_t bytes) const -> std::uint32_t {
    return static_cast<std::uint32_t>(round_up(bytes, without_.memory.alignment));
  }
  constexpr auto scratch_of(std::uint32_t n) const -> std::uint32_t {
    return without_.scratch_bytes.empty() ? 0 : rounded(without_.scratch_bytes[n]);
  }

  constexpr void find_users() {
    for (const auto& node : graph().nodes) users_.push_back({.rows = node.rows_at_once});
    for (const auto& node : graph().nodes) {
      for (const auto& operand : graph().operands_of(node)) {
        if (operand.producer != npos) use(operand, node, graph().nodes[operand.producer]);
      }
    }
  }
  constexpr void use(const row_operand& operand, const row_node& node, const row_node& producer) {
    auto& made = users_[operand.producer];
    ++made.count;
    if (node.sum_bytes != 0) return;
    const auto& window = operand.window.rows;
    const auto most = std::min(window.span, operand.rows);
    for (std::int32_t row = 0; row < node.rows && made.rows < most; ++row) {
      made.rows = std::max(made.rows, window.last(row, operand.rows) - window.first(row));
    }
    const auto at_once =
        static_cast<std::int32_t>(std::max<std::uint32_t>(1, link_bytes / std::max<std::uint32_t>(1, producer.pixel_bytes)));
    const bool is_link = producer.has_pixels && node.has_pixels && operand.window.is_pixelwise() && at_once < producer.columns;
    made.pixels = is_link ? at_once : 0;
  }

  /// What nodes need that run by themselves. Inputs and outputs of the graph are whole in every partition: nodes that need no more need no
  /// segment.
  constexpr void find_least() {
    alone_ = least_bytes_of_steps(items(), joined_pairs(without_.memory.distances), any_offset);
    alone_.resize(std::max<std::size_t>(alone_.size(), count_ + 1));
    least_ = alone_[count_];
    for (const auto& operand : graph().operands) {
      if (operand.producer == npos && item_of(operand.value) != npos) least_ = std::max(least_, bytes_of(item_of(operand.value)));
    }
  }

  /// Notes the segments with this first node that may need less than their nodes by themselves, by what is known before they are measured.
  constexpr void find_segments(std::uint32_t first) {
    const auto operands = graph().operands_of(first);
    if (!graph().nodes[first].has_rows || operands.empty() || item_of(operands[0].value) == npos) return;
    const auto input = operands[0].value;
    const auto beside = bytes_beside(first, item_of(input));
    auto others = beside[first];
    auto scratch = scratch_of(first);
    std::uint32_t kept = 0;
    auto most = alone_[first];
    std::uint32_t last_use = 0;  // of what the nodes before the last make
    for (auto last = first + 1; last < count_ && last - first < most_streamed; ++last) {
      const auto& node = graph().nodes[last];
      const auto made = output_of(last - 1);
      if (!node.has_rows || !reads_only(last, first, input) || made == npos || users_[last - 1].count == 0) return;
      others += beside[last];
      scratch = std::max(scratch, scratch_of(last));
      kept += bytes_kept(last - 1, kept_at_least(last - 1));
      most = std::max(most, alone_[last]);
      last_use = std::max(last_use, items()[made].last);
      if (last_use <= last && most > least_)
        consider({first, last - first + 1, input}, others, scratch + kept + rounded(node.sum_bytes), most);
      if (node.sum_bytes != 0) return;  // what is summed up is the end
    }
  }

  /// Whether what a node reads is the input of a segment, or made in it.
  constexpr auto reads_only(std::uint32_t n, std::uint32_t first, value_id input) const -> bool {
    const auto operands = graph().operands_of(n);
    return std::all_of(operands.begin(), operands.end(), [&](const row_operand& operand) {
      return operand.value == input || (operand.producer != npos && operand.producer >= first);
    });
  }

  /// By last node of a segment, how many bytes more than up to the node before it live beside the segment, but for its input.
  constexpr auto bytes_beside(std::uint32_t first, std::uint32_t input) const -> vector<std::int64_t> {
    vector<std::int64_t> change(alone_.size(), 0);
    for (std::uint32_t item = 0; item < items().size(); ++item) {
      const auto& life = items()[item];
      if (item == input || life.last < first) continue;
      change[std::max(first, life.first)] += bytes_of(item);
      if (life.first >= first) change[life.last] -= bytes_of(item);
    }
    return change;
  }

  constexpr auto kept_at_least(std::uint32_t n) const -> kept_rows {
    const auto& use = users_[n];
    return {use.rows, use.count == 1 ? use.pixels : 0, 0};
  }
  constexpr auto bytes_kept(std::uint32_t n, const kept_rows& kept) const -> std::uint32_t {
    const auto& node = graph().nodes[n];
    return rounded(kept.pixels != 0 ? node.pixel_bytes * static_cast<std::uint32_t>(kept.pixels)
                                    : node.row_bytes() * static_cast<std::uint32_t>(kept.rows));
  }

  /// `others` may count the output; `most`: what the nodes need by themselves.
  constexpr void consider(const stream_segment& segment, std::int64_t others, std::uint32_t bytes, std::int64_t most) {
    const auto input = item_of(segment.input);
    const auto output = output_of(segment.last());
    if (output == npos || output == input) return;
    const auto& life = items()[output];
    if (life.first < segment.first || life.last > segment.last()) others -= bytes_of(output);
    candidate made{segment, {}, others};
    made.segment.bytes = bytes;
    made.segment.distance = -bytes_of(input);
    made.bytes = bytes_with(made);
    if (made.bytes < most) found_.push_back(std::move(made));
  }
  constexpr auto bytes_with(const candidate& made) const -> std::int64_t {
    const auto& segment = made.segment;
    const auto input = item_of(segment.input);
    const auto distance = items()[input].last <= segment.last() ? segment.distance : least_distance::apart;
    const auto both = span_of_pair(bytes_of(input), bytes_of(output_of(segment.last())), distance, any_offset);
    return segment.bytes + made.others + both;
  }

  /// Replays the rows: until then it is only known what each node needs at least.
  constexpr void measure(candidate& made) const {
    auto& segment = made.segment;
    for (auto n = segment.first; n < segment.last(); ++n) made.kept.push_back(kept_at_least(n));
    made.kept.push_back({});
    segment.distance_of_last = distance_of(segment.last(), item_of(segment.input));
    const auto needed = row_replay(graph(), segment, made.kept).run();
    for (std::uint32_t i = 0; i + 1 < segment.count; ++i) made.kept[i].rows = needed.heights[i];
    segment.distance = needed.distance;
    lay_out(made);
    made.bytes = bytes_with(made);
  }

  constexpr auto distance_of(std::uint32_t n, std::uint32_t input) const -> std::int64_t {
    for (const auto& each : distances_of_step(without_.memory.distances, n)) {
      if (each.input == input) return each.ascending;
    }
    return least_distance::apart;
  }

  /// Scratch of the kernels, which they share, then rows, pixels and sums.
  constexpr void lay_out(candidate& made) const {
    auto& segment = made.segment;
    segment.bytes = 0;
    for (auto n = segment.first; n <= segment.last(); ++n) segment.bytes = std::max(segment.bytes, scratch_of(n));
    for (std::uint32_t i = 0; i < segment.count; ++i) {
      const auto n = segment.first + i;
      made.kept[i].offset = segment.bytes;
      segment.bytes += n == segment.last() ? rounded(graph().nodes[n].sum_bytes) : bytes_kept(n, made.kept[i]);
    }
  }

  /// Measures candidates; whether one was not measured yet.
  constexpr auto measure(span<const std::uint32_t> taken) -> bool {
    bool is_new = false;
    for (const auto i : taken) {
      if (!found_[i].kept.empty()) continue;
      measure(found_[i]);
      is_new = true;
    }
    return is_new;
  }

  /// The bytes of the best partition. Candidates ascend by their first nodes.
  constexpr auto least_bytes() const -> std::int64_t {
    vector<std::int64_t> least(count_ + 1, INT64_MAX);  // by number of nodes
    least[0] = 0;
    const auto* next = found_.begin();
    for (std::uint32_t n = 0; n < count_; ++n) {
      least[n + 1] = std::min(least[n + 1], std::max(least[n], alone_[n]));
      for (; next != found_.end() && next->segment.first == n; ++next) {
        auto& with = least[next->segment.last() + 1];
        with = std::min(with, std::max(least[n], next->bytes));
      }
    }
    return least.back();
  }

  /// Of partitions that need least, by what is known of candidates, one that streams the fewest nodes: its candidates, the last one first.
  constexpr auto partition() const -> vector<std::uint32_t> {
    const auto bound = least_bytes();
    constexpr std::uint32_t impossible = npos;
    vector<std::uint32_t> streamed(count_ + 1, impossible);  // by number of nodes
    vector<std::uint32_t> by(count_ + 1, npos);              // the candidate that ends there
    streamed[0] = 0;
    std::uint32_t next = 0;
    for (std::uint32_t n = 0; n < count_; ++n) {
      if (alone_[n] <= bound && streamed[n] <= streamed[n + 1]) {
        streamed[n + 1] = streamed[n];
        by[n + 1] = npos;
      }
      for (; next < found_.size() && found_[next].segment.first == n; ++next) {
        const auto& segment = found_[next].segment;
        const auto end = segment.last() + 1;
        if (found_[next].bytes > bound || streamed[n] == impossible || streamed[n] + segment.count >= streamed[end]) continue;
        streamed[end] = streamed[n] + segment.count;
        by[end] = next;
      }
    }
    vector<std::uint32_t> taken;
    for (auto end = count_; end != 0;) {
      if (by[end] == npos) {
        --end;
        continue;
      }
      taken.push_back(by[end]);
      end = found_[by[end]].segment.first;
    }
    return taken;
  }

  const unstreamed_plan& without_;
  std::uint32_t count_;
  vector<usage> users_;
  vector<std::int64_t> alone_;  // by step
  std::int64_t least_ = 0;      // what no partition goes below
  vector<candidate> found_;
};

}  // namespace baton::detail

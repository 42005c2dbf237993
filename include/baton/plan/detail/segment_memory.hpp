// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory of a segment (consecutive nodes that run row by row, see `stream_segment`). The file contains the size of the kept rows of
// each node, and the check that kept rows overlap only permitted memory.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/plan/shared/rules.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::detail {

/// Returns the size of the kept rows, pixels or sums of a node (see `kept_rows`) in the memory of a segment, in bytes.
constexpr auto extent_of(const row_node& node, const kept_rows& kept, bool is_last) -> std::uint32_t {
  if (is_last) return node.sum_bytes;
  if (kept.in_output) return 0;
  return kept.pixels != 0 ? node.pixel_bytes * static_cast<std::uint32_t>(kept.pixels)
                          : node.row_bytes() * static_cast<std::uint32_t>(kept.rows);
}

/// Returns the minimum offset of an operand's row in the memory of its user (`kept_rows::in_user`). The user keeps `rows` rows. The newest
/// row of the user is the last of its kept rows. The other kept rows are still needed, and must not be overwritten.
constexpr auto offset_in_user(const row_node& user, std::int32_t rows, const row_operand& operand) -> std::uint32_t {
  return user.row_bytes() * static_cast<std::uint32_t>(rows - 1) + static_cast<std::uint32_t>(operand.row_distance);
}

/// The check of the memory of a segment.
class segment_memory {
 public:
  constexpr segment_memory(const stream_plan& plan, const stream_segment& segment)
      : graph_(plan.graph),
        segment_(segment),
        kept_(plan.kept_of(segment)) {}

  /// Fails with `overlapping_memory` if kept rows, pixels or sums are outside the memory, or overlap memory that they must not overlap.
  constexpr auto verify() const -> failure {
    for (std::uint32_t i = 0; i < segment_.count; ++i) {
      if (kept_[i].by_single_rows && node(i).single_row_scratch_bytes == npos)
        return broken<"overlapping_memory">("the node at position ", segment_.first + i, " of the schedule cannot compute single rows");
      if (kept_[i].in_output && !may_be_in_output(i))
        return broken<"overlapping_memory">("the rows of the node at position ", segment_.first + i,
                                            " of the schedule must not be in the output of the segment");
      if (kept_[i].in_user && !has_user_for_rows(i))
        return broken<"overlapping_memory">("the rows of the node at position ", segment_.first + i,
                                            " of the schedule must not be in the rows of their user");
      if (extent(i) == 0) continue;
      if (end(i) > segment_.bytes)
        return broken<"overlapping_memory">("the rows of the node at position ", segment_.first + i, " of the schedule exceed the segment");
      for (std::uint32_t j = i + 1; j < segment_.count; ++j) {
        if (extent(j) == 0 || kept_[i].offset >= end(j) || kept_[j].offset >= end(i) || may_overlap(i, j)) continue;
        return broken<"overlapping_memory">("the rows of the nodes at positions ", segment_.first + i, " and ", segment_.first + j,
                                            " of the schedule overlap");
      }
    }
    return {};
  }

 private:
  constexpr auto node(std::uint32_t i) const -> const row_node& { return graph_.nodes[segment_.first + i]; }
  constexpr auto extent(std::uint32_t i) const -> std::uint32_t { return extent_of(node(i), kept_[i], i + 1 == segment_.count); }
  constexpr auto end(std::uint32_t i) const -> std::uint64_t { return std::uint64_t{kept_[i].offset} + extent(i); }
  constexpr auto is_kept(const row_operand& operand) const -> bool {
    return operand.producer != npos && operand.producer >= segment_.first;
  }

  /// True if the rows of node `i` may overlap the newest row of node `user`. Node `i` must keep whole rows, and only the rows of one step.
  /// `user` must not be the last node, which keeps no rows, and must keep whole rows in memory of its own. None of its other operands may
  /// be kept as pixels or in a row of `user`. The two nodes must have the same number of rows, `row_distance` must permit the overlap, and
  /// only `user` may read the rows of node `i`. Then node `user` computes one row from each row of node `i` before node `i` computes the
  /// next rows. If node `i` keeps several rows, the rows of both nodes must have the same size, and `row_distance` must be 0. Then each row
  /// of `user` can replace its operand row. After each row of `user`, the remaining rows of node `i` and the kept rows of `user` are moved
  /// by one row to lower addresses.
  constexpr auto may_overlap(std::uint32_t i, std::uint32_t user) const -> bool {
    const auto& kept = kept_[user];
    if (!kept_[i].in_user || kept_[i].rows != kept_[i].rows_per_step(node(i)) || kept_[i].pixels != 0) return false;
    if (user + 1 == segment_.count || kept.in_user || kept.pixels != 0) return false;
    std::uint32_t uses = 0;
    for (std::uint32_t n = i + 1; n < segment_.count; ++n) {
      for (const auto& operand : graph_.operands_of(node(n))) {
        if (!is_kept(operand)) continue;
        const auto& from = kept_[operand.producer - segment_.first];
        const bool is_this = operand.producer == segment_.first + i;
        if (n == user && !is_this && (from.in_user || from.pixels != 0)) return false;
        if (!is_this) continue;
        if (n != user || operand.row_distance == min_distance::disjoint || operand.rows != node(user).rows) return false;
        if (kept_[i].offset < std::uint64_t{kept.offset} + offset_in_user(node(user), kept.rows, operand)) return false;
        if (kept_[i].rows != 1 && (operand.row_distance != 0 || operand.row_bytes != node(user).row_bytes())) return false;
        ++uses;
      }
    }
    return uses == 1;
  }

  /// True if the rows of node `i` may overlap the newest row of some node.
  constexpr auto has_user_for_rows(std::uint32_t i) const -> bool {
    for (auto user = i + 1; user < segment_.count; ++user) {
      if (may_overlap(i, user)) return true;
    }
    return false;
  }

  /// True if the rows of node `i` may be in the output of the segment. Node `i` must keep whole rows, and none of its rows may share memory
  /// with the row of another node (`kept_rows::in_user`). The last node must be the only reader of these rows, must not sum rows, and must
  /// replace each row with a row of the same size. The last node must read neither the input of the segment, nor single pixels, nor other
  /// rows in the output.
  constexpr auto may_be_in_output(std::uint32_t i) const -> bool {
    const auto last = segment_.count - 1;
    if (i == last || kept_[i].pixels != 0 || kept_[i].in_user || node(last).sum_bytes != 0) return false;
    std::uint32_t uses = 0;
    for (std::uint32_t n = i + 1; n <= last; ++n) {
      for (const auto& operand : graph_.operands_of(node(n))) {
        const bool is_this = operand.producer == segment_.first + i;
        if (is_this) ++uses;
        if (is_this && (n != last || operand.row_distance != 0 || operand.row_bytes != node(last).row_bytes())) return false;
        if (n != last || is_this) continue;
        if (!is_kept(operand) || kept_[operand.producer - segment_.first].pixels != 0) return false;
        if (kept_[operand.producer - segment_.first].in_output) return false;
      }
    }
    const auto operands = graph_.operands_of(node(i));
    return uses == 1 && std::none_of(operands.begin(), operands.end(), [this](const row_operand& each) {
             return is_kept(each) && kept_[each.producer - segment_.first].in_user;
           });
  }

  const row_graph& graph_;
  const stream_segment& segment_;
  span<const kept_rows> kept_;
};

}  // namespace baton::detail

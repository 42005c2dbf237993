// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The uses of each node's output in a `row_graph` (the nodes of the root graph that can run row by row). The uses determine the minimum
// number of rows or pixels that a segment must keep. A segment consists of consecutive nodes that run row by row (see `stream_segment`).
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/plan/shared/row_graph.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// The maximum number of bytes kept for a pixel link. A pixel link is a value whose producer and user are computed pixel by pixel. If a
/// single pixel has more bytes, one pixel is kept. With a smaller maximum, each call of a kernel would compute fewer pixels, and the
/// overhead of the calls would matter.
inline constexpr std::uint32_t link_bytes = 64;

/// The uses of the output of a node.
struct row_usage {
  std::uint32_t count = 0;  ///< the number of operands that use the output
  /// The number of rows to keep: the larger of two numbers. One is the node's rows per step (`row_node::rows_per_step`). The other is the
  /// maximum number of rows that a user reads for one of its output rows.
  std::int32_t rows = 1;
  std::int32_t pixels = 0;           ///< the number of kept pixels if the output is a pixel link, otherwise 0; only valid if `count` is 1
  const row_operand* use = nullptr;  ///< the last operand that uses the output; null if there is none
  std::uint32_t user = npos;         ///< the node of `use`
  /// An operand of the node, or null. The kept rows of this operand can begin in the newest row of the node's output.
  const row_operand* shared = nullptr;

  constexpr auto is_link() const -> bool { return count == 1 && pixels != 0; }
};

/// Finds the uses of all nodes of a graph.
class row_usage_finder {
 public:
  constexpr explicit row_usage_finder(const row_graph& graph) : graph_(graph), count_(static_cast<std::uint32_t>(graph.nodes.size())) {}

  constexpr auto run() -> vector<row_usage> {
    for (const auto& node : graph_.nodes) usages_.push_back({.rows = node.rows_per_step});
    for (std::uint32_t n = 0; n < count_; ++n) {
      const auto& node = graph_.nodes[n];
      for (const auto& operand : graph_.operands_of(node)) {
        if (operand.producer == npos) continue;
        add_use(operand, node, graph_.nodes[operand.producer]);
        usages_[operand.producer].use = &operand;
        usages_[operand.producer].user = n;
      }
    }
    for (std::uint32_t n = 0; n < count_; ++n) {
      if (can_share_row(n)) usages_[usages_[n].user].shared = usages_[n].use;
    }
    return std::move(usages_);
  }

 private:
  /// True if the kept rows of node `n` can begin in the memory of the newest output row of their only user. These conditions must hold:
  /// - Node `n` keeps only the rows of one step, and its kept rows may overlap the user's row (`row_distance` is not `disjoint`). If node
  ///   `n` keeps several rows, each row must have the size of the user's row that is computed from it, and `row_distance` must be 0.
  /// - If the output of node `n` can also be a pixel link, sharing the row must not need more memory than the link.
  /// - Neither node `n` nor the user shares its newest row with another operand.
  /// - The user does not sum rows, and keeps whole rows of its own output.
  /// - None of the other operands of the user can be a pixel link.
  constexpr auto can_share_row(std::uint32_t n) const -> bool {
    const auto& usage = usages_[n];
    if (usage.count != 1 || usage.rows != graph_.nodes[n].rows_per_step || usage.use->row_distance == min_distance::disjoint) return false;
    if (usage.rows != 1 && (usage.use->row_distance != 0 || usage.use->row_bytes != graph_.nodes[usage.user].row_bytes())) return false;
    const auto& user = usages_[usage.user];
    if (usage.shared != nullptr || user.shared != nullptr || user.is_link() || graph_.nodes[usage.user].sum_bytes != 0) return false;
    const auto growth = usage.use->row_distance + usage.use->row_bytes - graph_.nodes[usage.user].row_bytes();
    if (usage.is_link() && growth > std::int64_t{graph_.nodes[n].pixel_bytes} * usage.pixels) return false;
    const auto operands = graph_.operands_of(usage.user);
    return std::all_of(operands.begin(), operands.end(), [&](const row_operand& each) {
      return &each == usage.use || each.producer == npos || !usages_[each.producer].is_link();
    });
  }
  constexpr void add_use(const row_operand& operand, const row_node& node, const row_node& producer) {
    auto& usage_of_output = usages_[operand.producer];
    ++usage_of_output.count;
    if (node.sum_bytes != 0) return;
    const auto& window = operand.window.rows;
    const auto max_rows = std::min(window.span, operand.rows);
    for (std::int32_t row = 0; row < node.rows && usage_of_output.rows < max_rows; ++row) {
      usage_of_output.rows = std::max(usage_of_output.rows, window.end(row, operand.rows) - window.first(row));
    }
    const auto pixels_per_step =
        static_cast<std::int32_t>(std::max<std::uint32_t>(1, link_bytes / std::max<std::uint32_t>(1, producer.pixel_bytes)));
    const bool is_link = producer.has_pixels && node.has_pixels && operand.window.is_pixelwise() && pixels_per_step < producer.columns;
    usage_of_output.pixels = is_link ? pixels_per_step : 0;
  }

  const row_graph& graph_;
  std::uint32_t count_;
  vector<row_usage> usages_;
};

/// Returns the uses of each node's output, with the nodes in schedule order. The result refers to the operands in `graph`.
constexpr auto usages_of(const row_graph& graph) -> vector<row_usage> { return row_usage_finder(graph).run(); }

}  // namespace baton::detail

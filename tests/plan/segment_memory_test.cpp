// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The check of rows in the newest row of their user, on a segment of three nodes that is written by hand.
#include <baton/plan/detail/segment_memory.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace baton;

/// A segment of three nodes with rows of 8 bytes. The rows of node 0 are in the rows of node 1, its only user. Each member makes one thing
/// different.
struct three_nodes {
  std::int32_t rows_per_step = 1;   ///< of the first two nodes
  std::int32_t operand_rows = 8;    ///< the user has 8 rows
  std::uint32_t operand_bytes = 8;  ///< the bytes of a row of node 0
  std::int64_t row_distance = 0;    ///< from a row of the user to its operand row
  std::uint32_t first_offset = 0;   ///< of the rows of node 0; those of node 1 are at 0
  std::uint32_t uses_by_user = 1;   ///< how often the user reads the rows of node 0
  bool is_read_by_last = false;     ///< whether the last node also reads the rows of node 0

  constexpr auto verify() const -> failure {
    stream_plan plan;
    const auto add_node = [&](std::uint32_t operands, std::int32_t rows, std::uint32_t pixel_bytes) {
      row_node node{.has_rows = true, .rows = rows, .rows_per_step = rows_per_step, .columns = 1, .pixel_bytes = pixel_bytes};
      node.operands = {static_cast<std::uint32_t>(plan.graph.operands.size()), operands};
      plan.graph.nodes.push_back(node);
    };
    const row_operand of_first{.producer = 0, .rows = operand_rows, .row_bytes = operand_bytes, .row_distance = row_distance};
    add_node(0, operand_rows, operand_bytes);
    add_node(uses_by_user, 8, 8);
    for (std::uint32_t i = 0; i < uses_by_user; ++i) plan.graph.operands.push_back(of_first);
    add_node(is_read_by_last ? 2 : 1, 8, 8);
    plan.graph.operands.push_back({.producer = 1, .rows = 8, .row_bytes = 8});
    if (is_read_by_last) plan.graph.operands.push_back(of_first);
    plan.kept.push_back({.rows = rows_per_step, .offset = first_offset, .in_user = true});
    plan.kept.push_back({.rows = rows_per_step});
    plan.kept.push_back({});
    plan.segments.push_back({.first = 0, .count = 3, .bytes = 64});
    return detail::segment_memory(plan, plan.segments[0]).verify();
  }
  constexpr auto is_valid() const -> bool { return !verify(); }
  constexpr auto is_refused() const -> bool { return verify().is<"overlapping_memory">(); }
};

constexpr auto one_row_replaces_one_row() -> bool {
  return three_nodes{}.is_valid() && three_nodes{.operand_bytes = 4}.is_valid() &&  //
         three_nodes{.row_distance = 3, .first_offset = 3}.is_valid() &&            //
         three_nodes{.row_distance = 3, .first_offset = 2}.is_refused() &&          //
         three_nodes{.row_distance = min_distance::disjoint, .first_offset = 4}.is_refused();
}
static_assert(one_row_replaces_one_row());

constexpr auto numbers_of_rows_are_equal() -> bool {
  return three_nodes{.operand_rows = 7}.is_refused() && three_nodes{.operand_rows = 16}.is_refused();
}
static_assert(numbers_of_rows_are_equal());

/// The second row of node 0 is in the second row of its user.
constexpr auto several_rows_replace_rows_of_their_size() -> bool {
  return three_nodes{.rows_per_step = 2, .first_offset = 8}.is_valid() &&                        //
         three_nodes{.rows_per_step = 2, .operand_bytes = 4, .first_offset = 8}.is_refused() &&  //
         three_nodes{.rows_per_step = 2, .row_distance = 3, .first_offset = 11}.is_refused();
}
static_assert(several_rows_replace_rows_of_their_size());

constexpr auto one_operand_reads_the_rows() -> bool {
  return three_nodes{.uses_by_user = 2}.is_refused() && three_nodes{.is_read_by_last = true}.is_refused();
}
static_assert(one_operand_reads_the_rows());

}  // namespace

TEST_CASE("rows in the newest row of their user: each user row replaces one operand row at its distance") {
  CHECK(one_row_replaces_one_row());
}

TEST_CASE("rows in the newest row of their user: another number of rows is refused") { CHECK(numbers_of_rows_are_equal()); }

TEST_CASE("rows in the newest row of their user: several rows must have the size of the rows of the user") {
  CHECK(several_rows_replace_rows_of_their_size());
}

TEST_CASE("rows in the newest row of their user: a second reader is refused") { CHECK(one_operand_reads_the_rows()); }

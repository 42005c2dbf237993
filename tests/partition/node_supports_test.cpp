// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/node_supports.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/rejections.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

namespace {

using namespace baton;

/// How many of the five nodes of G-MMADD (mm, add, sub, mm_1, add_1) a support rejects.
template <operator_support Support>
constexpr auto rejects(std::size_t count, std::string_view reason) -> bool {
  const auto program = conformance::g_mmadd();
  const auto rejected = rejections_of<Support>(program);
  return rejected.size() == count && (count == 0 || view(rejected[0].reason) == reason);
}
constexpr auto is_sum(const program_view&, const node& one) -> bool { return one.is("aten.add.Tensor"); }
constexpr auto is_a_sum(const program_view& program, const node& one) -> verdict {
  if (is_sum(program, one)) return accept();
  return refuse("it makes no sum");
}

using floats = dtypes<dtype::float32>;
using bytes = dtypes<dtype::int8>;

constexpr auto ready_made_supports_say_why() -> bool {
  return rejects<operator_table<table_row<"aten.add.Tensor", floats, floats, bytes>, table_row<"aten.mm.default">>>(
             1, "the operator is not in the table") &&
         rejects<operator_table<table_row<"aten.mm.default", dtypes<>, bytes>>>(5, "operand 1 is float32") &&
         rejects<declines_input_dtype<dtype::int8, dtype::float32>>(5, "an operand is float32") &&
         rejects<declines_input_dtype<dtype::int8>>(0, "") && rejects<dont_partition<"aten.mm.default">>(2, "the operator is excluded") &&
         rejects<dont_partition<"aten.mm">>(0, "") && rejects<dont_partition_containing<"aten.mm", "">>(2, "the operator is excluded") &&
         rejects<dont_partition_node<"mm", "sub">>(2, "the node is excluded") &&
         rejects<dont_partition_node_containing<"mm">>(2, "the node is excluded") &&
         rejects<with_reason<operators<"aten.sub.Tensor">, "no multiplier">>(4, "no multiplier") &&
         rejects<supported_if<is_sum>>(3, "the node does not meet the condition") && rejects<supported_if<is_a_sum>>(3, "it makes no sum");
}
static_assert(ready_made_supports_say_why());

constexpr auto nodes_in_branches_are_told() -> bool {
  const auto program = conformance::g_cond();
  const auto rejected = rejections_of<dont_partition<"aten.mm.default">>(program);
  return rejected.size() == 1 && program_view(program).text(program[rejected[0].node].name) == "mm";
}
static_assert(nodes_in_branches_are_told());

constexpr auto the_table_has_columns() -> bool {
  const auto program = conformance::g_mmadd();
  auto rejected = rejections_of<dont_partition_node<"mm_1">>(program);
  rejected.push_back({rejected[0].node, join("a second reason")});
  const auto table = why_not_table(program, rejected);
  return view(table) ==
             "node  operator         reason\n"
             "mm_1  aten.mm.default  the node is excluded\n" &&
         view(why_not_table(program, {})) == "No nodes were rejected.\n";
}
static_assert(the_table_has_columns());

}  // namespace

TEST_CASE("ready-made supports say why not") { CHECK(ready_made_supports_say_why()); }
TEST_CASE("the reasons of a support are those of one call, in branches too (Q18)") { CHECK(nodes_in_branches_are_told()); }
TEST_CASE("the table of rejections") { CHECK(the_table_has_columns()); }

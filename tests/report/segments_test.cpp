// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reports of nodes that run row by row.
#include <baton/core/builder.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/memory_policies/in_place.hpp>
#include <baton/plan/memory_policies/row_streaming.hpp>
#include <baton/report/html.hpp>
#include <baton/report/json.hpp>
#include <baton/report/survey.hpp>
#include <baton/report/text.hpp>

#include "plan/by_rows.hpp"
#include "plan/last_first.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

auto small_net() -> exported_program {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 1, 16, 8, 16));
  const auto a = build.call("wide", "test.window", {x}, tensor(dtype::int8, 1, 16, 8, 32), {{"span", 3}, {"before", 1}});
  const auto b = build.call("point", "test.window", {a}, tensor(dtype::int8, 1, 16, 8, 64), {{"span", 1}});
  const auto c = build.call("dense", "test.window", {b}, tensor(dtype::int8, 1, 16, 8, 32), {{"span", 3}, {"before", 1}});
  const auto d = build.call("same", "test.window", {c}, tensor(dtype::int8, 1, 16, 8, 32), {{"span", 1}});
  build.output(build.call("pool", "test.sum", {d}, tensor(dtype::int8, 1, 1, 8, 32)));
  return build.finish();
}

auto planned(const exported_program& program, const chosen_policy& policy) -> memory_plan {
  auto execution = plan_execution(kernels<by_rows>, program, {}, policy);
  REQUIRE(execution);
  return std::move(execution.value.memory);
}

constexpr std::string_view expected_text =
    "overlaps: 1 of 1 operands share memory with the output\n"
    "  #  output  operand  shared bytes  result\n"
    "  0  pool    x                 256  overlaps, ascending writes\n"
    "segments: 1; 5 of 5 nodes run row by row\n"
    "  #  node   segment  output bytes  rows per step  kept\n"
    "  0  wide   0                4096  1              2 pixels\n"
    "  1  point  0                8192  1              3 of 16 rows\n"
    "  2  dense  0                4096  1              1 of 16 rows, in the newest row of its user\n"
    "  3  same   0                4096  1              1 of 16 rows\n"
    "  4  pool   0                 256  1              sums, then all rows\n"
    "memory of segments: kept rows and scratch, and the bytes that share memory with the input or output\n"
    "  segment  offset  bytes  scratch offset  scratch bytes  over input  over output\n"
    "        0    2048   2880               -              0           0            0\n";

constexpr std::string_view expected_json =
    R"("segments": [
      {"first": 0, "last": 4, "kept": [{"value": 1, "pixels": 2}, {"value": 2, "rows": 3}, )"
    R"({"value": 3, "rows": 1, "in_user": true}, {"value": 4, "rows": 1}], "bytes": 2880, "offset": 2048, "bytes_over_input": 0, "bytes_over_output": 0}])";

constexpr std::string_view expected_text_of_single_rows =
    "  #  node   segment  output bytes  rows per step   kept\n"
    "  0  wide   0                8192  1               3 of 16 rows\n"
    "  1  pairs  0                8192  1 instead of 4  3 of 16 rows\n"
    "  2  half   0                2048  1               all rows\n"
    "memory of segments: kept rows and scratch, and the bytes that share memory with the input or output\n"
    "  segment  offset  bytes  scratch offset  scratch bytes  over input  over output\n"
    "        0       0   3328               0            256         256            0\n";

constexpr std::string_view expected_json_of_single_rows =
    R"("single_rows": [1], "bytes": 3328, "offset": 0, "bytes_over_input": 256, "bytes_over_output": 0, "scratch_offset": 0, )"
    R"("scratch_bytes": 256})";

constexpr auto has(const text_buffer& text, std::string_view part) -> bool { return view(text).find(part) != std::string_view::npos; }

}  // namespace

TEST_CASE("reports list the nodes that run row by row, and the stored rows of each value") {
  const auto program = small_net();
  const auto plan = planned(program, planned_by<memory_policies::row_streaming>{});
  const auto text = report::memory_table(program, plan);
  CHECK(view(text).ends_with(expected_text));
  CHECK(has(text, "rows of wide to pool"));
  const auto facts = report::survey_of(program);
  CHECK(has(report::json(program, facts, &plan), expected_json));
  CHECK(has(report::html(program, facts, &plan), "Memory of the nodes that run row by row"));
}

namespace {

/// The table of a plan with a segment of two nodes and their sum. The two nodes are independent, so their order depends on the schedule.
constexpr auto table_of_branches(const chosen_schedule& order) -> text_buffer {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 1, 4, 2, 16));
  const auto a = build.call("a", "test.window", {x}, tensor(dtype::int8, 1, 4, 2, 64), {{"span", 1}});
  const auto b = build.call("b", "test.window", {x}, tensor(dtype::int8, 1, 4, 2, 64), {{"span", 1}});
  build.output(build.call("sum", "test.add", {a, b}, tensor(dtype::int8, 1, 4, 2, 16)));
  const auto program = build.finish();
  const auto execution = plan_execution(kernels<by_rows>, program, {}, planned_by<memory_policies::row_streaming>{}, order);
  return report::memory_table(program, execution.value.memory);
}
constexpr auto a_segment_is_named_in_the_order_of_execution() -> bool {
  return has(table_of_branches({}), "rows of a to sum") &&
         has(table_of_branches(scheduled_by<plan_tests::last_first>{}), "rows of b to sum");
}
static_assert(a_segment_is_named_in_the_order_of_execution());

}  // namespace

TEST_CASE("reports name the first and the last node of a segment in the order of execution") {
  CHECK(a_segment_is_named_in_the_order_of_execution());
}

TEST_CASE("reports show which rows are in the output of a segment") {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 1, 32, 16, 4));
  const auto a = build.call("wide", "test.window", {x}, tensor(dtype::int8, 1, 32, 16, 32), {{"span", 3}, {"before", 1}});
  const auto half = [&](std::string_view name, int span) {
    return build.call(name, "test.window", {a}, tensor(dtype::int8, 1, 16, 8, 64), {{"span", span}, {"stride", 2}, {"rows_per_step", 2}});
  };
  const auto b = half("b", 3);
  const auto c = half("c", 1);
  build.output(build.call("sum", "test.add", {c, b}, tensor(dtype::int8, 1, 16, 8, 64), {}));
  const auto program = build.finish();
  const auto plan = planned(program, planned_by<memory_policies::row_streaming>{});
  CHECK(has(report::memory_table(program, plan),
            "  1  b     0                8192  2              2 of 16 rows, in the output of the segment\n"));
  CHECK(has(report::json(program, report::survey_of(program), &plan),
            R"({"value": 2, "rows": 2, "in_output": true}, {"value": 3, "rows": 2})"));
}

TEST_CASE("reports show which nodes compute single rows, the scratch of a segment, and the memory over its input") {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 1, 16, 8, 32));
  const auto a = build.call("wide", "test.window", {x}, tensor(dtype::int8, 1, 16, 8, 64), {{"span", 3}, {"before", 1}});
  const auto b = build.call("pairs", "test.window", {a}, tensor(dtype::int8, 1, 16, 8, 64),
                            {{"span", 3}, {"before", 1}, {"rows_per_step", 4}, {"scratch", 1024}, {"single_row_scratch", 256}});
  build.output(build.call("half", "test.window", {b}, tensor(dtype::int8, 1, 8, 4, 64), {{"span", 3}, {"stride", 2}}));
  const auto program = build.finish();
  const auto plan = planned(program, planned_by<memory_policies::row_streaming>{});
  CHECK(view(report::memory_table(program, plan)).ends_with(expected_text_of_single_rows));
  CHECK(has(report::json(program, report::survey_of(program), &plan), expected_json_of_single_rows));
}

TEST_CASE("without segments, reports do not mention them") {
  const auto program = small_net();
  const auto plan = planned(program, planned_by<memory_policies::in_place>{});
  CHECK(!has(report::memory_table(program, plan), "row by row"));
  CHECK(!has(report::json(program, report::survey_of(program), &plan), "segments"));
}

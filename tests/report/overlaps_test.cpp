// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reports list the outputs that overlap operands, and the reasons why others do not.
#include <baton/report/detail/overlaps.hpp>
#include <baton/core/builder.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/memory_policies/in_place.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/report/html.hpp>
#include <baton/report/json.hpp>
#include <baton/report/survey.hpp>
#include <baton/report/text.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string_view>

namespace {

using namespace baton;

/// x -> y; x and y -> z; z -> v.
constexpr auto program_of_three() -> exported_program {
  constexpr auto type = tensor(dtype::int8, 32);
  program_builder b;
  const auto x = b.user_input("x", type);
  const auto y = b.call("y", "my.make", {x}, type);
  const auto z = b.call("z", "my.add", {x, y}, type);
  b.output(b.call("v", "my.mix", {z}, tensor(dtype::int8, 48)));
  return b.finish();
}

constexpr auto plan_of(const program_view& program, const chosen_policy& policy) -> memory_plan {
  constexpr std::array distances{declared_distance{0, value_id{0}, value_id{1}, {0, 0}},
                                 declared_distance{1, value_id{0}, value_id{2}, {0, 0}},
                                 declared_distance{2, value_id{2}, value_id{3}, {min_distance::disjoint, 16}}};
  memory_request request;
  request.distances = distances;
  const auto calls = graphs_that_run(program);
  return plan_memory(program, calls.value, {}, request, policy).value;
}

constexpr std::string_view expected_text =
    "overlaps: 2 of 4 operands share memory with the output\n"
    "  #  output  operand  shared bytes  result\n"
    "  0  y       x                   -  disjoint: the operand is used later\n"
    "  1  z       x                  32  overlaps, ascending writes\n"
    "  1  z       y                   -  disjoint: no minimum distance is declared\n"
    "  2  v       z                  32  overlaps, descending writes\n";

constexpr std::string_view expected_json =
    R"("overlaps": [
      {"node": 0, "output": 1, "operand": 0, "reason": "disjoint: the operand is used later"},
      {"node": 1, "output": 2, "operand": 0, "bytes": 32, "write_order": "ascending"},
      {"node": 1, "output": 2, "operand": 1, "reason": "disjoint: no minimum distance is declared"},
      {"node": 2, "output": 3, "operand": 2, "bytes": 32, "write_order": "descending"}])";

constexpr auto has(const text_buffer& text, std::string_view part) -> bool { return view(text).find(part) != std::string_view::npos; }

constexpr auto overlaps_are_reported() -> bool {
  const auto program = program_of_three();
  const auto text = report::memory_table(program, plan_of(program, planned_by<memory_policies::in_place>{}));
  return view(text).ends_with(expected_text) && has(text, "lower bound 64 (if operands and outputs may overlap)");
}
static_assert(overlaps_are_reported());

constexpr auto without_overlaps_nothing_is_reported() -> bool {
  const auto program = program_of_three();
  const auto plan = plan_of(program, planned_by<memory_policies::no_overlap>{});
  return report::detail::overlaps_of(program, plan).empty() && !has(report::memory_table(program, plan), "overlaps: ");
}
static_assert(without_overlaps_nothing_is_reported());

auto json_and_page_list_overlaps() -> bool {
  const auto program = program_of_three();
  const auto plan = plan_of(program, planned_by<memory_policies::in_place>{});
  const auto facts = report::survey_of(program);
  return has(report::json(program, facts, &plan), expected_json) &&
         has(report::html(program, facts, &plan), "Outputs and operands that share memory");
}

}  // namespace

TEST_CASE("reports list the outputs that overlap operands, and the reasons why others do not") {
  CHECK(overlaps_are_reported());
  CHECK(without_overlaps_nothing_is_reported());
  CHECK(json_and_page_list_overlaps());
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reports list the copies at the end of each graph, with the reasons.
#include <baton/core/builder.hpp>
#include <baton/plan/arena.hpp>
#include <baton/report/html.hpp>
#include <baton/report/json.hpp>
#include <baton/report/survey.hpp>
#include <baton/report/text.hpp>

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

/// Two states that swap, and a state with a new value, whose old value is returned.
constexpr auto program_with_states() -> exported_program {
  constexpr auto type = tensor(dtype::int8, 4);
  program_builder b;
  const auto p = b.mutable_buffer("p", type);
  const auto q = b.mutable_buffer("q", type);
  const auto s = b.mutable_buffer("s", type);
  const auto next = b.call("next", "my.add", {s, b.user_input("x", type)}, type);
  b.mutation(q, "p");
  b.mutation(p, "q");
  b.mutation(next, "s");
  b.output(s);
  return b.finish();
}

constexpr std::string_view expected_text =
    "copies: 5, 20 bytes in total if each runs once\n"
    "  value        copied to    at the end of  bytes  reason\n"
    "  b_s          copy of b_s  forward            4  output is the old state\n"
    "  next         b_s          forward            4  new state\n"
    "  b_q          copy of b_q  forward            4  states are swapped\n"
    "  b_p          b_q          forward            4  new state\n"
    "  copy of b_q  b_p          forward            4  new state\n";

constexpr std::string_view expected_json =
    R"("copies": [
      {"graph": 0, "from": 2, "bytes": 4, "reason": "output is the old state"},
      {"graph": 0, "from": 4, "to": 2, "bytes": 4, "reason": "new state"},
      {"graph": 0, "from": 1, "bytes": 4, "reason": "states are swapped"},
      {"graph": 0, "from": 0, "to": 1, "bytes": 4, "reason": "new state"},
      {"graph": 0, "from": 1, "from_copy": 2, "to": 0, "bytes": 4, "reason": "new state"}])";

constexpr auto has(const text_buffer& text, std::string_view part) -> bool { return view(text).find(part) != std::string_view::npos; }

constexpr auto copies_are_reported() -> bool {
  const auto program = program_with_states();
  const auto plan = plan_memory(program).value;
  const auto text = report::memory_table(program, plan);
  return view(text).ends_with(expected_text) && has(text, "copy of b_s") && has(text, "copy of b_q");
}
static_assert(copies_are_reported());

auto json_and_page_list_copies() -> bool {
  const auto program = program_with_states();
  const auto plan = plan_memory(program).value;
  const auto facts = report::survey_of(program);
  return has(report::json(program, facts, &plan), expected_json) &&
         has(report::html(program, facts, &plan), "Copies at the end of a graph");
}

}  // namespace

TEST_CASE("reports list the copies at the end of each graph, with the reasons") {
  CHECK(copies_are_reported());
  CHECK(json_and_page_list_copies());
}

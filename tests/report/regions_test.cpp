// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reports of a plan over two memory regions.
#include <baton/core/builder.hpp>
#include <baton/plan/arena.hpp>
#include <baton/report/json.hpp>
#include <baton/report/survey.hpp>
#include <baton/report/text.hpp>

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

constexpr auto chain() -> exported_program {
  constexpr auto type = tensor(dtype::int8, 40);
  program_builder b;
  const auto x = b.user_input("x", type);
  const auto y = b.call("y", "tfl.add", {x, x}, type);
  b.output(b.call("z", "tfl.mul", {x, y}, type));
  return b.finish();
}
constexpr auto plan() -> memory_plan {
  const auto program = chain();
  memory_request request;
  request.regions = {63, 100};
  return plan_memory(program, graphs_that_run(program).value, {}, request).value;
}

constexpr std::string_view expected =
    R"(memory plan: arena 144 bytes, lower bound 144 (maximum live bytes), alignment 16, strategy: most used first; fast region
48 of 48 bytes, slow 96 of 100
  value (a = b: shared memory)   offset  bytes  steps  lifetime
  x                              fast 0     48    0-1  ##.
  y                              slow 0     48    0-1  ##.
  z                             slow 48     48    1-2  .##
)";
constexpr auto is_reported() -> bool { return view(report::memory_table(chain(), plan())) == expected; }
static_assert(is_reported());

constexpr auto is_in_json() -> bool {
  const auto program = chain();
  const auto memory = plan();
  const auto text = report::json(program, report::survey_of(program), &memory);
  constexpr std::string_view regions =
      R"("regions": [{"name": "fast", "bytes": 48, "used": 48}, {"name": "slow", "bytes": 100, "used": 96}])";
  return view(text).find(regions) != std::string_view::npos;
}
static_assert(is_in_json());

}  // namespace

TEST_CASE("text: in a split arena, offsets are printed with their region") { CHECK(is_reported()); }
TEST_CASE("json: the regions of a split arena are written") { CHECK(is_in_json()); }

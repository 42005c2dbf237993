// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The tables of a plan within limits.
#include <baton/report/limits_table.hpp>
#include <baton/plan/plan_within.hpp>

#include "plan/stepping.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace baton;

constexpr auto table_within(const limits& within) -> text_buffer {
  const auto program = stepping::make_chain{}();
  const auto plan = plan_within<stepping::costs>(stepping::kernels, program, within);
  return report::limits_table(program, plan.value.limited);
}
static_assert(!table_within({.arena_bytes = 127}).empty());

}  // namespace

TEST_CASE("the tables of a plan within limits: its needs, and what was given up for them") {
  CHECK(std::string(view(table_within({.arena_bytes = 127}))) ==
        R"(plan within limits, memory policy in_place
                               limit  plan  without limits
  arena, bytes                   127    96             192
  longest slice, instructions      -   128              64
  inference, instructions          -   384             192
nodes without their fastest kernel: 3
  #  node  operator        kernel  fastest  more instructions  less scratch
  0  a     test.add_bytes  middle  quick                   64            32
  1  b     test.add_bytes  middle  quick                   64            32
  2  c     test.add_bytes  middle  quick                   64            32
)");
}

TEST_CASE("the tables of a plan that gives up no kernel, with flash") {
  CHECK(std::string(view(table_within({.flash_bytes = 1000}))) ==
        R"(plan within limits, memory policy no_overlap
                               limit  plan  without limits
  arena, bytes                     -   192             192
  flash, bytes                  1000   504             504
  longest slice, instructions      -    64              64
  inference, instructions          -   192             192
nodes without their fastest kernel: 0
)");
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The executor runs branches and loops: its results equal those of the reference interpreter.
#include <baton/run/basic_executor.hpp>

#include "reference/interpreter.hpp"
#include "reference/kernels.hpp"
#include "run/control_flow_programs.hpp"

#include <doctest/doctest.h>

namespace {

using namespace baton;
using namespace control_flow_programs;
using reference::any_aten;

/// True if the executor of a static program computes the same as the reference, for several inputs in a row.
template <auto Program>
auto equals_reference() -> bool {
  static basic_executor<Program, any_aten> net;
  const program_view program = Program;
  reference::state buffers;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const auto inputs = reference::some_inputs(program, seed);
    if (reference::execute(net, program, inputs) != reference::evaluate(program, inputs, buffers)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a branch matches the reference") {
  CHECK(equals_reference<cond_program>());
  CHECK(equals_reference<passing_program>());
}
TEST_CASE("a loop until a condition fails, with values that swap, matches the reference") { CHECK(equals_reference<while_program>()); }
TEST_CASE("a map over the slices of a stack matches the reference") { CHECK(equals_reference<map_program>()); }
TEST_CASE("graphs inside graphs inside graphs match the reference") { CHECK(equals_reference<nested_program>()); }
TEST_CASE("one graph with several callers matches the reference") { CHECK(equals_reference<shared_program>()); }
TEST_CASE("loops exchange a carried value and a mutable buffer by three copies") { CHECK(equals_reference<exchanging_program>()); }

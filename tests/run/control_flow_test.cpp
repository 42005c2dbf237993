// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The executor takes branches and loops: whatever it runs equals what the reference says of the program.
#include <baton/run/basic_executor.hpp>

#include "reference/interpreter.hpp"
#include "reference/kernels.hpp"
#include "run/control_flow_programs.hpp"

#include <doctest/doctest.h>

namespace {

using namespace baton;
using namespace control_flow_programs;
using reference::any_aten;

/// Whether the executor of a static program gives what the reference gives, for several inputs one after the other.
template <auto Program>
auto runs_as_meant() -> bool {
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

TEST_CASE("a branch") {
  CHECK(runs_as_meant<cond_program>());
  CHECK(runs_as_meant<passing_program>());
}
TEST_CASE("a loop until a condition fails, whose values change places") { CHECK(runs_as_meant<while_program>()); }
TEST_CASE("a body over the steps of a stack") { CHECK(runs_as_meant<map_program>()); }
TEST_CASE("graphs in graphs in graphs") { CHECK(runs_as_meant<nested_program>()); }
TEST_CASE("one graph in several places") { CHECK(runs_as_meant<shared_program>()); }

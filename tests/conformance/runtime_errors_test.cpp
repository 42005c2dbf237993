// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Errors that the original's runtime finds while it runs, and that a program here has before it runs: E52 and E54 of the delegation
// specification. The executor's calls are made by the compiler from a program that `verify` holds good: there is no table of delegates and
// no list of arguments that an instruction could point beside.
#include <baton/core/verify.hpp>
#include <baton/lower/standalone_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/run/executor_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

namespace {

using namespace baton;

constexpr auto lowered_sine() -> exported_program {
  return standalone_program(to_backend(backends<executor_backend>, "ExecutorBackend", conformance::g_sin()));
}

constexpr auto a_delegate_index_out_of_range_is_refused() -> bool {
  auto program = lowered_sine();
  program.nodes[0].delegate = delegate_id{1};
  const auto why = verify(program);
  return !verify(lowered_sine()) && why.rule == rule::misplaced_index::sentence && view(why.reason) == "node 0";
}
static_assert(a_delegate_index_out_of_range_is_refused());

constexpr auto an_argument_index_out_of_range_is_refused() -> bool {
  auto program = lowered_sine();
  program.operands[program.nodes[0].inputs.first] = static_cast<value_id>(program.values.size());
  const auto why = verify(program);
  return why.rule == rule::misplaced_index::sentence && view(why.reason) == "node 0";
}
static_assert(an_argument_index_out_of_range_is_refused());

constexpr auto a_call_without_arguments_is_refused() -> bool {
  auto program = lowered_sine();
  program.nodes[0].inputs.size = 0;
  const auto why = verify(program);
  return why.rule == rule::malformed_operator::sentence && why.node == 0;
}
static_assert(a_call_without_arguments_is_refused());

}  // namespace

TEST_CASE("E52: a delegate index out of range is no program") { CHECK(a_delegate_index_out_of_range_is_refused()); }
TEST_CASE("E54: a bad argument index, or a call without arguments, is no program") {
  CHECK(an_argument_index_out_of_range_is_refused());
  CHECK(a_call_without_arguments_is_refused());
}

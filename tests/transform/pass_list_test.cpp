// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/pass_list.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>

#include "conformance/graphs.hpp"
#include "transform/acme_dialect.hpp"
#include "transform/small_passes.hpp"

#include <doctest/doctest.h>

namespace {

using namespace baton;
using namespace transform_tests;

constexpr auto list_is_a_pass() -> bool {
  using inner = pass_list<signs<'b'>, signs<'c'>>;
  const auto result = pass_list<signs<'a'>, inner, archetypes::pass>::run(conformance::g_sin());
  return pass<inner> && result && view(names_in(result.value)) == "sinabc ";
}
static_assert(list_is_a_pass());

constexpr auto empty_list_changes_nothing() -> bool {
  const auto program = conformance::g_add3();
  const auto result = pass_list<>::run(program);
  return result && same(result.value, program);
}
static_assert(empty_list_changes_nothing());

constexpr auto failure_names_the_pass() -> bool {
  const auto why = pass_list<signs<'a'>, refuses_tan, loses_a_node>::run(conformance::g_crt()).error;
  return view(message(why)) ==
         view(join(rule<"malformed_operator">::sentence, " [node: tana] [operator: aten.tan.default] [pass refuses_tan: no tangents]"));
}
static_assert(failure_names_the_pass());

constexpr auto an_invalid_result_is_reported_with_the_pass() -> bool {
  const auto result = pass_list<loses_a_node, refuses_tan>::run(conformance::g_sin());
  return result.value.graphs.empty() &&
         view(message(result.error)) ==
             view(join(rule<"broken_by_pass">::sentence, " [pass loses_a_node: undefined_value, graph output sin]"));
}
static_assert(an_invalid_result_is_reported_with_the_pass());

constexpr auto an_invalid_input_is_reported_without_a_pass() -> bool {
  const auto why = pass_list<signs<'a'>>::run(loses_a_node::run(conformance::g_sin())).error;
  return view(message(why)) == view(join(rule<"undefined_value">::sentence, " [graph output sin]"));
}
static_assert(an_invalid_input_is_reported_without_a_pass());

}  // namespace

TEST_CASE("a list of passes is a pass that runs them in order") { CHECK(list_is_a_pass()); }
TEST_CASE("an empty list changes nothing") { CHECK(empty_list_changes_nothing()); }
TEST_CASE("a pass that fails is named and ends the list") { CHECK(failure_names_the_pass()); }
TEST_CASE("a pass that returns an invalid program is named") { CHECK(an_invalid_result_is_reported_with_the_pass()); }
TEST_CASE("an invalid input program is not attributed to a pass") { CHECK(an_invalid_input_is_reported_without_a_pass()); }

TEST_CASE("a user-defined pass fails with a user-defined rule") {
  using rejecting = pass_list<acme::dialect<"aten.sin.default">>;
  CHECK(view(message(rejecting::run(conformance::g_sin()).error)) ==
        view(join(rule<"acme no_tangents">::sentence, " [node: sin] [operator: aten.sin.default] [pass acme_dialect: use sine]")));
  CHECK(rejecting::run(conformance::g_mmadd()));
}

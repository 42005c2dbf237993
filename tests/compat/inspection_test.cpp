// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/compat/executorch/inspection.hpp>
#include <baton/compat/executorch/embedded_module.hpp>
#include <baton/compat/executorch/make_lowered_module.hpp>
#include <baton/core/builder.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

namespace {

using namespace baton;

/// Two calls of one module, and one of another in a branch.
constexpr auto model() -> exported_program {
  constexpr auto one = tensor(dtype::float32, 1);
  program_builder b;
  const auto x = b.user_input("x", one);
  embedded_module first(b, make_lowered_module(conformance::g_sin(), "First", preprocess_result("1")));
  const auto y = first({first({x})[0]})[0];
  const auto body = b.add_graph("body");
  embedded_module second(b, make_lowered_module(conformance::g_sin(), "Second", preprocess_result("2"), {{"key", "value"}}));
  b.output(second({b.user_input("x", one)})[0]);
  b.enter(graph_id{0});
  b.output(b.call_many("each", "test.call", {y}, {one}, {}, {body})[0]);
  return b.finish();
}

constexpr auto calls_modules_and_payloads_are_told_apart() -> bool {
  const auto program = model();
  const auto calls = lowered_submodules(program, reach::branches);
  const auto payload = delegated_payload(program, reach::branches);
  return lowered_submodules(program).size() == 2 && delegates(program).size() == 1 && delegated_payload(program).size() == 1 &&
         calls.size() == 3 && calls[0].node != calls[1].node && calls[0].module.id() == calls[1].module.id() &&
         calls[2].graph != graph_id{0} && calls[2].module.backend_id() == "Second" && payload.size() == 2 &&
         payload[0].second.processed_bytes == "1" && payload[1].second.backend_id == "Second" &&
         payload[1].second.compile_specs.size() == 1 && non_lowered_nodes(program).size() == 1;
}
static_assert(calls_modules_and_payloads_are_told_apart());

constexpr auto nothing_is_told_of_nothing() -> bool {
  return lowered_submodules(exported_program{}).empty() && delegated_payload(exported_program{}).empty();
}
static_assert(nothing_is_told_of_nothing());

constexpr auto only_unknown_sizes_are_dynamic() -> bool {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::float32, -1, 2));
  const auto y = b.call("relu", "aten.relu.default", {x}, tensor(dtype::float32, 2, -1));
  b.output(b.call("sum", "aten.sum.default", {y}, tensor(dtype::float32)));
  const auto none_there = b.user_input("none_there", tensor(dtype::float32, 0, 2));
  const auto program = b.finish();
  return is_shape_dynamic(program, x) && is_shape_dynamic(program, program.nodes[0]) && !is_shape_dynamic(program, program.nodes[1]) &&
         !is_shape_dynamic(program, none_there);
}
static_assert(only_unknown_sizes_are_dynamic());

}  // namespace

TEST_CASE("inspection: calls, lowered modules and payloads are distinguished") {
  CHECK(calls_modules_and_payloads_are_told_apart());
  CHECK(nothing_is_told_of_nothing());
}
TEST_CASE("inspection: a shape with an unknown size is dynamic") { CHECK(only_unknown_sizes_are_dynamic()); }

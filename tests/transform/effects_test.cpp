// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/detail/effects.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/operator_dialect.hpp>
#include <baton/transform/remove_no_ops.hpp>
#include <baton/transform/rewriter.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

namespace {

using namespace baton;

constexpr auto two = tensor(dtype::float32, 2);

/// Whether a node of this operator has effects. Its operand is a state if `on_state`, else a user input.
constexpr auto has_effects_on(std::string_view op, bool on_state) -> bool {
  program_builder b;
  const auto state = b.mutable_buffer("state", two);
  const auto x = b.user_input("x", two);
  b.output(b.call(op, {on_state ? state : x}, two));
  const auto program = b.finish();
  return has_effects(program, program.nodes[0]);
}
constexpr auto effects_depend_on_the_operator() -> bool {
  return !has_effects_on("tfl.logistic", false) && !has_effects_on("aten.relu.default", true) && !has_effects_on("my_company.fft", false) &&
         has_effects_on("my_company.fft", true) && has_effects_on("tfl.svdf", true) && has_effects_on("tfl.custom.SignalPCAN", false) &&
         has_effects_on("tfl.builtin_300", false) && has_effects_on("tfl.random_uniform", false);
}
static_assert(effects_depend_on_the_operator());

constexpr operator_definition my_operators[] = {
    {.name = "my_company.count", .keeps_state = true},
    {.name = "aten.log.default", .keeps_state = true},
    {.name = "my_company.rename", .is_structural = true},
};
/// Returns how many of three dead nodes are kept. Two have a state according to their definitions in `my_operators`.
constexpr auto kept_dead_nodes(operator_list operators) -> std::size_t {
  program_builder b;
  b.define(operators);
  const auto x = b.user_input("x", two);
  for (const auto* op : {"my_company.count", "aten.log.default", "my_company.fft"}) static_cast<void>(b.call(op, {x}, two));
  b.output(x);
  rewriter change(b.finish());
  change.erase_dead();
  const auto erased = change.finish();
  return erased.operators.size() == operators.size() ? erased.nodes.size() : 3;
}
constexpr auto nodes_with_user_defined_states_are_kept() -> bool { return kept_dead_nodes({}) == 0 && kept_dead_nodes(my_operators) == 2; }
static_assert(nodes_with_user_defined_states_are_kept());

constexpr operator_definition dialect_operators[] = {
    {.name = "my_company.fft", .is_functional = true},
    {.name = "my_company.count", .keeps_state = true},
    {.name = "my_company.blend"},
};
constexpr operator_list dialect_lists[] = {dialect_operators};
constexpr auto my_dialect = operator_dialect::of<dialect_lists>();
/// Whether a node whose operand is a state has effects, if its operator is defined in a dialect.
constexpr auto has_effects_in_dialect(std::string_view op) -> bool {
  program_builder b;
  b.set_dialect(my_dialect);
  b.output(b.call(op, {b.mutable_buffer("state", two)}, two));
  const auto program = b.finish();
  return has_effects(program, program.nodes[0]);
}
constexpr auto definitions_decide_on_effects() -> bool {
  return !has_effects_in_dialect("my_company.fft") && has_effects_in_dialect("my_company.count") &&
         has_effects_in_dialect("my_company.blend") && has_effects_in_dialect("my_company.other");
}
static_assert(definitions_decide_on_effects());

/// Returns the number of nodes after `remove_no_ops`. The pass removes a node that a user definition declares structural.
constexpr auto nodes_without_no_ops(operator_list operators) -> std::size_t {
  program_builder b;
  b.define(operators);
  const auto x = b.user_input("x", two);
  b.output(b.call("my_company.fft", {b.call("my_company.rename", {x}, two)}, two));
  return remove_no_ops::run(b.finish()).nodes.size();
}
constexpr auto user_defined_renaming_is_removed() -> bool {
  return nodes_without_no_ops({}) == 2 && nodes_without_no_ops(my_operators) == 1;
}
static_assert(user_defined_renaming_is_removed());

/// Whether a `cond` has effects. Its branches contain a `cond`, whose branches may mutate a state or call a custom operator.
constexpr auto has_effects_inside(bool mutates, bool calls_custom) -> bool {
  program_builder b;
  const auto flag = b.user_input("flag", tensor(dtype::boolean, 1));
  const auto x = b.user_input("x", two);
  const auto inner = b.add_graph("inner");
  const auto y = b.user_input("y", two);
  if (mutates) {
    static_cast<void>(b.mutable_buffer("state", two));
    b.mutation(y, "state");
  }
  b.output(calls_custom ? b.call("tfl.custom.X", {y}, two) : y);
  const auto outer = b.add_graph("outer");
  const auto inner_flag = b.user_input("inner_flag", tensor(dtype::boolean, 1));
  const auto z = b.user_input("z", two);
  b.output(b.call_many("cond", "cond", {inner_flag, z}, {two}, {}, {inner, inner})[0]);
  b.enter(graph_id{0});
  b.output(b.call_many("cond", "cond", {flag, flag, x}, {two}, {}, {outer, outer})[0]);
  const auto program = b.finish();
  return has_effects(program, program.nodes_of(program.root())[0]);
}
constexpr auto effects_of_called_graphs_count() -> bool {
  return !has_effects_inside(false, false) && has_effects_inside(true, false) && has_effects_inside(false, true);
}
static_assert(effects_of_called_graphs_count());

constexpr auto node_without_outputs_has_effects() -> bool {
  program_builder b;
  const auto x = b.user_input("x", two);
  static_cast<void>(b.call_many("note", "my_company.note", {x}, {}));
  const auto program = b.finish();
  return has_effects(program, program.nodes[0]);
}
static_assert(node_without_outputs_has_effects());

}  // namespace

TEST_CASE("effects depend on the operator and on its operands") { CHECK(effects_depend_on_the_operator()); }
TEST_CASE("definitions of user-defined operators are read from the program") {
  CHECK(nodes_with_user_defined_states_are_kept());
  CHECK(user_defined_renaming_is_removed());
}
TEST_CASE("the definition of an operator in a dialect decides on its effects") { CHECK(definitions_decide_on_effects()); }
TEST_CASE("a node has the effects of the graphs that it calls") { CHECK(effects_of_called_graphs_count()); }
TEST_CASE("a node without outputs has effects") { CHECK(node_without_outputs_has_effects()); }

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/graph/def_use.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include "conformance/name_lookup.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using conformance::value_named;

constexpr auto two = tensor(dtype::float32, 2);
constexpr auto flag = tensor(dtype::boolean);

/// twice = x + x, product = twice * w, and a `cond` whose branches receive `twice`.
constexpr auto build() -> exported_program {
  program_builder b;
  const auto w = b.parameter("w", two);
  const auto choice = b.user_input("choice", flag);
  const auto x = b.user_input("x", two);
  const auto twice = b.call("twice", "aten.add.Tensor", {x, x}, two);
  const auto product = b.call("product", "aten.mul.Tensor", {twice, w}, two);
  vector<graph_id> branches;
  for (const auto* name : {"yes", "no"}) {
    branches.push_back(b.add_graph(name));
    b.output(b.call("inner", "aten.relu.default", {b.user_input("used", two)}, two));
  }
  b.enter(graph_id{0});
  const auto chosen = b.call_many("chosen", "cond", {choice, twice}, {two}, {}, {branches[0], branches[1]});
  b.output(product);
  b.output(chosen[0]);
  return b.finish();
}

constexpr auto name_of(const program_view& program, node_id id) -> std::string_view {
  return id == none<node_id> ? std::string_view{} : program.text(program[id].name);
}

constexpr auto producers_are_found() -> bool {
  const auto program = build();
  const auto all = producers_of(program);
  const auto root_producers = producers_of(program, program.root());
  const auto branch_producers = producers_of(program, program.graphs[2]);
  const auto product = value_named(program, "product");
  const auto inner = program_view(program).outputs_of(program.graphs[2])[0].value;
  return name_of(program, all[index(product)]) == "product" && all[index(value_named(program, "x"))] == none<node_id> &&
         all[index(value_named(program, "p_w"))] == none<node_id> && all[index(inner)] != none<node_id> &&
         name_of(program, root_producers[index(product)]) == "product" && root_producers[index(inner)] == none<node_id> &&
         branch_producers[index(inner)] == all[index(inner)] && branch_producers[index(product)] == none<node_id> &&
         producer_of(program, product) == all[index(product)] && producer_of(program, value_named(program, "x")) == none<node_id>;
}
static_assert(producers_are_found());

constexpr auto users_are_found() -> bool {
  const auto program = build();
  const auto users = users_of(program);
  const auto users_of_x = users[index(value_named(program, "x"))];
  const auto users_of_twice = users[index(value_named(program, "twice"))];
  const auto counts = use_counts(program, program.root());
  return users_of_x.size() == 2 && users_of_x[0] == 0 && users_of_x[1] == 0 && users_of_twice.size() == 2 && users_of_twice[0] == 1 &&
         program.nodes[users_of_twice[1]].is("cond") && users[index(value_named(program, "product"))].empty() &&
         counts[index(value_named(program, "x"))] == 2 && counts[index(value_named(program, "p_w"))] == 1 &&
         counts[index(value_named(program, "product"))] == 0 && counts[index(value_named(program, "used"))] == 0;
}
static_assert(users_are_found());

constexpr auto graph_outputs_are_uses_in_the_whole_program() -> bool {
  const auto program = build();
  const auto counts = use_counts(program_view(program));
  const auto in_root = use_counts(program, program.graphs[0]);
  const auto product = index(value_named(program, "product"));
  return counts[index(value_named(program, "x"))] == 2 && counts[product] == in_root[product] + 1 &&
         counts[index(value_named(program, "used"))] == 1;
}
static_assert(graph_outputs_are_uses_in_the_whole_program());

constexpr auto returned_values_are_those_of_the_graph() -> bool {
  const auto program = build();
  const auto returned = returned_values(program, program.root());
  return std::count(returned.begin(), returned.end(), 1) == 2 && returned[index(value_named(program, "product"))] == 1 &&
         returned[index(value_named(program, "twice"))] == 0;
}
static_assert(returned_values_are_those_of_the_graph());

}  // namespace

TEST_CASE("producers, users and returned values are found") {
  CHECK(producers_are_found());
  CHECK(users_are_found());
  CHECK(graph_outputs_are_uses_in_the_whole_program());
  CHECK(returned_values_are_those_of_the_graph());
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/shared/user_values.hpp>
#include <baton/core/builder.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>

namespace {

using namespace baton;

constexpr auto type = tensor(dtype::int8, 2);

constexpr auto is_list(const vector<value_id>& found, std::initializer_list<value_id> expected) -> bool {
  return std::equal(found.begin(), found.end(), expected.begin(), expected.end());
}

// Owned data is not given by a caller, and what a state is left with is not taken by one.
constexpr auto callers_give_and_take_what_is_the_users() -> bool {
  program_builder b;
  const auto state = b.mutable_buffer("state", type);
  const auto x = b.user_input("x", type);
  const auto w = b.parameter("w", type);
  const auto y = b.user_input("y", type);
  const auto sum = b.call("sum", "tfl.add", {x, y}, type);
  const auto next = b.call("next", "tfl.add", {state, w}, type);
  b.mutation(next, "state");
  b.output(sum);
  b.output(x);
  const auto inner = b.add_graph("inner");
  const auto z = b.user_input("z", type);
  b.output(z);
  const auto program = b.finish();
  return is_list(user_inputs_of(program, graph_id{0}), {x, y}) && is_list(user_outputs_of(program, graph_id{0}), {sum, x}) &&
         is_list(user_inputs_of(program, inner), {z}) && is_list(user_outputs_of(program, inner), {z});
}
static_assert(callers_give_and_take_what_is_the_users());

}  // namespace

TEST_CASE("user values: what a graph's caller gives and takes") { CHECK(callers_give_and_take_what_is_the_users()); }

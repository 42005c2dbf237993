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

constexpr auto is_list(const vector<value_id>& values, std::initializer_list<value_id> expected) -> bool {
  return std::equal(values.begin(), values.end(), expected.begin(), expected.end());
}

// A caller does not pass owned data, and does not receive the final value of a state.
constexpr auto owned_data_and_mutations_are_excluded() -> bool {
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
static_assert(owned_data_and_mutations_are_excluded());

}  // namespace

TEST_CASE("user inputs and outputs exclude owned data and mutations") { CHECK(owned_data_and_mutations_are_excluded()); }

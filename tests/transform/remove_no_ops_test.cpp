// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/remove_no_ops.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/operators/verify.hpp>
#include <baton/transform/rewriter.hpp>

#include "laws/pass.hpp"
#include "properties/environment.hpp"
#include "properties/properties.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;

constexpr auto type = tensor(dtype::int8, 2, 3);

/// How many nodes are left of: a node of an operator between two others, with constants as further operands.
constexpr auto nodes_left_of(std::string_view op, const tensor_type& out, std::initializer_list<std::initializer_list<std::int64_t>> lists,
                             std::initializer_list<named_literal> literals = {}, float scale = 0.5f) -> std::size_t {
  program_builder b;
  const auto x = b.user_input("x", type);
  const auto first = b.call("first", "test.any", {x}, type);
  b.quantize(first, 0.5f, 3);
  vector<value_id> operands{first};
  for (const auto& list : lists) {
    const vector<std::int64_t> numbers(list.begin(), list.end());
    operands.push_back(b.constant("list", tensor(dtype::int32, list.size()), bytes_of(numbers, dtype::int32)));
  }
  const auto middle = b.add_value(b.make_value("middle", out, value_kind::intermediate));
  b.quantize(middle, scale, 3);
  b.add_node(b.make_node("middle", op), operands, baton::span{&middle, 1}, {literals.begin(), literals.size()});
  b.output(b.call("last", "test.any", {middle}, out));
  const auto program = b.finish();
  const auto made = remove_no_ops::run(program);
  const bool is_good = !verify(made) && laws::pass::of_form<remove_no_ops>(program) && (made.nodes.size() == 3) == same(made, program) &&
                       (made.nodes.size() == 3 || made.root().inputs.size == 1);
  return is_good ? made.nodes.size() : 0;
}

constexpr auto no_ops_go() -> bool {
  return nodes_left_of("tfl.reshape", type, {{2, 3}}) == 2 && nodes_left_of("tfl.reshape", type, {}) == 2 &&
         nodes_left_of("tfl.quantize", type, {}) == 2 && nodes_left_of("tfl.cast", type, {}) == 2 &&
         nodes_left_of("tfl.pad", type, {{0, 0, 0, 0}}) == 2 && nodes_left_of("tfl.slice", type, {{0, 0}, {2, -1}}) == 2 &&
         nodes_left_of("tfl.transpose", type, {{0, 1}}) == 2 && nodes_left_of("tfl.concatenation", type, {}, {{"axis", 1}}) == 2 &&
         nodes_left_of("tfl.strided_slice", type, {{0, 0}, {2, 3}, {1, 1}}) == 2 && nodes_left_of("tfl.add_n", type, {}) == 2 &&
         nodes_left_of("aten.clone.default", type, {}) == 2;
}
static_assert(no_ops_go());

constexpr auto what_changes_something_stays() -> bool {
  return nodes_left_of("tfl.reshape", tensor(dtype::int8, 3, 2), {{3, 2}}) == 3 &&
         nodes_left_of("tfl.quantize", type, {}, {}, 0.25f) == 3 && nodes_left_of("tfl.reshape", type, {{2, 3}}, {}, 0.25f) == 3 &&
         nodes_left_of("tfl.logistic", type, {}) == 3 && nodes_left_of("tfl.cast", tensor(dtype::int16, 2, 3), {}) == 3 &&
         nodes_left_of("tfl.transpose", type, {}) == 3 &&
         nodes_left_of("tfl.concatenation", type, {}, {{"fused_activation_function", "relu"}}) == 3 &&
         nodes_left_of("tfl.strided_slice", type, {{1, 2}, {-3, -4}, {-1, -1}}) == 3 &&
         nodes_left_of("aten.clone.default", type, {}, {{"memory_format", 1}}) == 3;
}
static_assert(what_changes_something_stays());

constexpr auto turned_squares_stay() -> bool {
  program_builder b;
  constexpr auto square = tensor(dtype::int8, 2, 2);
  const vector<std::int64_t> turned{1, 0};
  const auto axes = b.constant("axes", tensor(dtype::int32, 2), bytes_of(turned, dtype::int32));
  const auto x = b.user_input("x", square);
  b.output(b.call("tfl.relu", {b.call("tfl.transpose", {x, axes}, square)}, square));
  return remove_no_ops::run(b.finish()).nodes.size() == 2;
}
static_assert(turned_squares_stay());

/// What a graph gives keeps its name, and is not what it was given.
constexpr auto signatures_stay() -> bool {
  program_builder b;
  const auto state = b.mutable_buffer("state", type);
  const auto x = b.user_input("x", type);
  const auto y = b.call("y", "test.any", {x}, type);
  const auto of_input = b.call("of_input", "tfl.reshape", {x}, type);      // stays: an output that is an input
  const auto of_node = b.call("of_node", "tfl.reshape", {y}, type);        // goes: y is of_node now
  const auto again = b.call("again", "tfl.reshape", {of_node}, type);      // stays: two outputs
  const auto of_state = b.call("of_state", "tfl.reshape", {state}, type);  // stays: the state may be written
  const auto next = b.call("next", "test.any", {of_state}, type);
  b.mutation(b.call("new_state", "tfl.reshape", {next}, type), "state");  // goes: the node makes the new state
  b.output(of_input);
  b.output(of_node);
  b.output(again);
  const auto program = b.finish();
  const auto made = remove_no_ops::run(program);
  text_buffer names;
  for (const auto& record : made.nodes) append(append(names, made.text(record.name)), " ");
  for (const auto& spec : made.outputs) append(append(names, made.text(made[spec.value].name)), ",");
  return view(names) == "y of_input again of_state next new_state,of_input,of_node,again," && laws::pass::of_form<remove_no_ops>(program);
}
static_assert(signatures_stay());

constexpr auto chain_goes_at_once() -> bool {
  program_builder b;
  auto id = b.call("test.any", {b.user_input("x", type)}, type);
  for (int i = 0; i < 4; ++i) id = b.call("tfl.reshape", {id}, type);
  b.output(id);
  const auto made = remove_no_ops::run(b.finish());
  return made.nodes.size() == 1 && made.text(made[made.outputs[0].value].name) == "tfl_reshape_3" && made.nodes[0].debug_handle == 1 &&
         made.folded_handles(made.nodes[0]).size() == 4;
}
static_assert(chain_goes_at_once());

/// A random program that takes every other operand by way of a view.
constexpr auto make_with_views(std::uint64_t seed, properties::program_limits limits) -> exported_program {
  const auto program = properties::make_program(seed, limits);
  rewriter change(program);
  std::uint64_t count = seed;
  for (const auto id : change.nodes()) {
    if (program[id].subgraphs.size != 0) continue;
    for (std::uint32_t i = 0; i < program[id].inputs.size; ++i) {
      const auto from = change.input(id, i);
      if (from == none<value_id> || ++count % 2 == 0) continue;
      const auto name = join("extra_", count);
      tensor_type of{program[from].type, program.shape(from).size()};
      std::copy(program.shape(from).begin(), program.shape(from).end(), of.sizes.begin());
      const auto copy = change.add_value(program[from].graph, view(name), of);
      change.insert_before(id, view(name), "aten.view_copy.default", {from}, {copy});
      change.set_input(id, i, copy);
    }
  }
  return change.finish();
}
constexpr auto keeps_the_laws(std::uint64_t seed, properties::program_limits limits) -> bool {
  return laws::pass::all<remove_no_ops>(make_with_views(seed, limits), [](const program_view& before, const program_view& after) {
    return properties::computes_the_same(before, after);
  });
}
static_assert(keeps_the_laws(65, {5, 2}));

}  // namespace

TEST_CASE("no-ops go, and nothing else") {
  CHECK(no_ops_go());
  CHECK(what_changes_something_stays());
  CHECK(turned_squares_stay());
}
TEST_CASE("signatures stay as they are") { CHECK(signatures_stay()); }
TEST_CASE("a chain of no-ops goes at once") { CHECK(chain_goes_at_once()); }

TEST_CASE("the laws of passes, on random programs full of views, and on lowered ones") {
  const auto seeds = properties::number_from_environment("BATON_PROPERTY_SEEDS", 300);
  std::uint64_t changed = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const properties::program_limits limits{.state = seed % 2 == 0 ? properties::amount_of_state::much : properties::amount_of_state::some};
    if (!keeps_the_laws(seed, limits)) {
      FAIL_CHECK("seed " << seed);
      break;
    }
    const auto program = make_with_views(seed, limits);
    changed += remove_no_ops::run(program).nodes.size() < program.nodes.size() ? 1 : 0;
    const auto lowered = baton::try_to_backend(properties::target, program, properties::random_partitioner{seed}, validation::on);
    if (lowered && !laws::pass::of_form<remove_no_ops>(lowered.value)) {
      FAIL_CHECK("lowered, seed " << seed);
      break;
    }
  }
  MESSAGE(seeds << " programs, " << changed << " changed");
  CHECK(2 * changed > seeds);
}

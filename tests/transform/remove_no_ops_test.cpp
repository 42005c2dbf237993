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

/// Returns the number of nodes after the pass, or 0 if the result is wrong. The program has a node of operator `op` between two others,
/// with constants as further operands.
constexpr auto kept_nodes(std::string_view op, const tensor_type& out, std::initializer_list<std::initializer_list<std::int64_t>> lists,
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
  const auto result = remove_no_ops::run(program);
  const bool is_valid = !verify(result) && laws::pass::static_laws<remove_no_ops>(program) &&
                        (result.nodes.size() == 3) == same(result, program) && (result.nodes.size() == 3 || result.root().inputs.size == 1);
  return is_valid ? result.nodes.size() : 0;
}

constexpr auto no_ops_are_removed() -> bool {
  return kept_nodes("tfl.reshape", type, {{2, 3}}) == 2 && kept_nodes("tfl.reshape", type, {}) == 2 &&
         kept_nodes("tfl.quantize", type, {}) == 2 && kept_nodes("tfl.cast", type, {}) == 2 &&
         kept_nodes("tfl.pad", type, {{0, 0, 0, 0}}) == 2 && kept_nodes("tfl.slice", type, {{0, 0}, {2, -1}}) == 2 &&
         kept_nodes("tfl.transpose", type, {{0, 1}}) == 2 && kept_nodes("tfl.concatenation", type, {}, {{"axis", 1}}) == 2 &&
         kept_nodes("tfl.strided_slice", type, {{0, 0}, {2, 3}, {1, 1}}) == 2 && kept_nodes("tfl.add_n", type, {}) == 2 &&
         kept_nodes("aten.clone.default", type, {}) == 2;
}
static_assert(no_ops_are_removed());

constexpr auto other_nodes_are_kept() -> bool {
  return kept_nodes("tfl.reshape", tensor(dtype::int8, 3, 2), {{3, 2}}) == 3 && kept_nodes("tfl.quantize", type, {}, {}, 0.25f) == 3 &&
         kept_nodes("tfl.reshape", type, {{2, 3}}, {}, 0.25f) == 3 && kept_nodes("tfl.logistic", type, {}) == 3 &&
         kept_nodes("tfl.cast", tensor(dtype::int16, 2, 3), {}) == 3 && kept_nodes("tfl.transpose", type, {}) == 3 &&
         kept_nodes("tfl.concatenation", type, {}, {{"fused_activation_function", "relu"}}) == 3 &&
         kept_nodes("tfl.strided_slice", type, {{1, 2}, {-3, -4}, {-1, -1}}) == 3 &&
         kept_nodes("aten.clone.default", type, {}, {{"memory_format", 1}}) == 3;
}
static_assert(other_nodes_are_kept());

constexpr auto transposed_squares_are_kept() -> bool {
  program_builder b;
  constexpr auto square = tensor(dtype::int8, 2, 2);
  const vector<std::int64_t> turned{1, 0};
  const auto axes = b.constant("axes", tensor(dtype::int32, 2), bytes_of(turned, dtype::int32));
  const auto x = b.user_input("x", square);
  b.output(b.call("tfl.relu", {b.call("tfl.transpose", {x, axes}, square)}, square));
  return remove_no_ops::run(b.finish()).nodes.size() == 2;
}
static_assert(transposed_squares_are_kept());

/// A graph output keeps its name and does not become a graph input.
constexpr auto signatures_are_kept() -> bool {
  program_builder b;
  const auto state = b.mutable_buffer("state", type);
  const auto x = b.user_input("x", type);
  const auto y = b.call("y", "test.any", {x}, type);
  const auto of_input = b.call("of_input", "tfl.reshape", {x}, type);      // kept: an output would become an input
  const auto of_node = b.call("of_node", "tfl.reshape", {y}, type);        // removed: `y` produces `of_node`
  const auto again = b.call("again", "tfl.reshape", {of_node}, type);      // kept: `of_node` is an output, too
  const auto of_state = b.call("of_state", "tfl.reshape", {state}, type);  // kept: the state may be written
  const auto next = b.call("next", "test.any", {of_state}, type);
  b.mutation(b.call("new_state", "tfl.reshape", {next}, type), "state");  // removed: `next` produces the new state
  b.output(of_input);
  b.output(of_node);
  b.output(again);
  const auto program = b.finish();
  const auto result = remove_no_ops::run(program);
  text_buffer names;
  for (const auto& record : result.nodes) append(append(names, result.text(record.name)), " ");
  for (const auto& spec : result.outputs) append(append(names, result.text(result[spec.value].name)), ",");
  return view(names) == "y of_input again of_state next new_state,of_input,of_node,again," &&
         laws::pass::static_laws<remove_no_ops>(program);
}
static_assert(signatures_are_kept());

constexpr auto a_chain_is_removed_in_one_run() -> bool {
  program_builder b;
  auto id = b.call("test.any", {b.user_input("x", type)}, type);
  for (int i = 0; i < 4; ++i) id = b.call("tfl.reshape", {id}, type);
  b.output(id);
  const auto result = remove_no_ops::run(b.finish());
  return result.nodes.size() == 1 && result.text(result[result.outputs[0].value].name) == "tfl_reshape_3" &&
         result.nodes[0].debug_handle == 1 && result.folded_handles(result.nodes[0]).size() == 4;
}
static_assert(a_chain_is_removed_in_one_run());

/// Returns a random program in which every other operand is replaced by a view of it.
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
      tensor_type view_type{program[from].type, program.shape(from).size()};
      std::copy(program.shape(from).begin(), program.shape(from).end(), view_type.sizes.begin());
      const auto copy = change.add_value(program[from].graph, view(name), view_type);
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

TEST_CASE("only no-ops are removed") {
  CHECK(no_ops_are_removed());
  CHECK(other_nodes_are_kept());
  CHECK(transposed_squares_are_kept());
}
TEST_CASE("signatures are kept") { CHECK(signatures_are_kept()); }
TEST_CASE("a chain of no-ops is removed in one run") { CHECK(a_chain_is_removed_in_one_run()); }

TEST_CASE("the laws of passes hold on random programs with views, and on lowered programs") {
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
    if (lowered && !laws::pass::static_laws<remove_no_ops>(lowered.value)) {
      FAIL_CHECK("lowered, seed " << seed);
      break;
    }
  }
  MESSAGE(seeds << " programs, " << changed << " changed");
  CHECK(2 * changed > seeds);
}

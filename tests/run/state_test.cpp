// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// States are written after all reads: repeated runs equal the reference, and nothing is copied without need.
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/constant_tagging.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/executor_backend.hpp>

#include "reference/interpreter.hpp"
#include "reference/kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

/// Returns the entry of a state in the plan's needs, by its fully qualified name, or `npos` if no graph that runs has it. States of lowered
/// modules do not count.
constexpr auto entry_of_state(const program_view& program, const memory_plan& plan, std::string_view name) -> std::uint32_t {
  const auto modules = modules_of_graphs(program);
  for (const auto& graph : plan.graphs) {
    if (modules[index(graph.graph)] != none<delegate_id>) continue;
    for (const auto input : program.inputs(program[graph.graph])) {
      const auto& record = program[input];
      if (record.kind != value_kind::mutable_buffer || program.text(record.target) != name) continue;
      return plan.needs.value_entries[index(input)];
    }
  }
  return npos;
}
using reference::aten_with_views;

constexpr auto scalar = tensor(dtype::float32);
constexpr auto pair = tensor(dtype::float32, 2);
constexpr auto column = tensor(dtype::float32, 2, 1);
constexpr auto truth = tensor(dtype::boolean);

/// True if the executor of a program computes the same as the reference of another program, for several runs.
template <auto Program>
auto equals_reference_of(const program_view& expected) -> bool {
  static basic_executor<Program, aten_with_views> net;
  reference::state buffers;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const auto inputs = reference::some_inputs(expected, seed);
    if (reference::execute(net, expected, inputs) != reference::evaluate(expected, inputs, buffers)) return false;
  }
  return true;
}
template <auto Program>
auto equals_reference() -> bool {
  return equals_reference_of<Program>(Program.value());
}

template <auto Program>
constexpr auto copies_for(copy_reason reason) -> std::size_t {
  const auto plan = basic_executor<Program, aten_with_views>::plan();
  return static_cast<std::size_t>(
      std::count_if(plan.needs.copies.begin(), plan.needs.copies.end(), [&](const planned_copy& copy) { return copy.reason == reason; }));
}
/// The bytes of all copies at the end of graphs.
template <auto Program>
constexpr auto copied_bytes() -> std::uint64_t {
  std::uint64_t bytes = 0;
  for (const auto& copy : basic_executor<Program, aten_with_views>::plan().needs.copies) bytes += copy.bytes;
  return bytes;
}

// A delay line with two taps: the sum of the two previous inputs, each doubled.
constexpr static_program delay_line{[] {
  program_builder b;
  const auto p = b.mutable_buffer("p", pair);
  const auto q = b.mutable_buffer("q", pair);
  const auto x = b.user_input("x", pair);
  const auto y = b.call("y", "aten.add.Tensor", {p, q}, pair);
  const auto moved = b.call("moved", "aten.view_copy.default", {p}, pair);
  const auto in = b.call("in", "aten.add.Tensor", {x, x}, pair);
  b.mutation(in, "p");
  b.mutation(moved, "q");
  b.output(y);
  return b.finish();
}};
static_assert(copies_for<delay_line>(copy_reason::new_state) == 2 && copied_bytes<delay_line>() == 16);  // q first, then p

// One state for each kind of dependency between states, and outputs of their old values before and after a view.
constexpr auto shuffled(bool has_old_outputs) -> exported_program {
  program_builder b;
  baton::vector<value_id> old;
  for (const auto name : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "kept"}) old.push_back(b.mutable_buffer(name, pair));
  const auto x = b.user_input("x", pair);
  const auto twice = b.call("aten.add.Tensor", {x, x}, pair);
  const auto view_of_c = b.call("aten.view_copy.default", {old[2]}, column);
  const auto c_again = b.call("aten.view_copy.default", {view_of_c}, pair);
  auto sum = twice;
  for (const auto id : old) sum = b.call("aten.add.Tensor", {sum, id}, pair);
  b.mutation(old[1], "a");  // two that swap
  b.mutation(old[0], "b");
  b.mutation(old[3], "c");  // a cycle of three, one of them through views
  b.mutation(old[4], "d");
  b.mutation(c_again, "e");
  b.mutation(twice, "f");  // a chain, in reverse order
  b.mutation(old[5], "g");
  b.mutation(old[6], "h");
  b.mutation(twice, "i");       // the source of two
  b.mutation(old[10], "j");     // of an unchanged state
  b.mutation(old[10], "kept");  // unchanged
  b.output(sum);
  if (has_old_outputs) {
    b.output(old[0]);
    b.output(view_of_c);
    b.output(old[10]);
    b.output(c_again);
    b.output(old[7]);
  }
  return reference::with_data(b.finish());
}
constexpr static_program shuffle{[] { return shuffled(false); }};
constexpr static_program shuffle_with_outputs{[] { return shuffled(true); }};
static_assert(copies_for<shuffle>(copy_reason::new_state) == 10 && copies_for<shuffle>(copy_reason::exchange) == 2);
// If the old value of a state in a cycle is an output, its copy breaks the cycle.
static_assert(copies_for<shuffle_with_outputs>(copy_reason::old_output) == 3 &&
              copies_for<shuffle_with_outputs>(copy_reason::exchange) == 0);

// s' = f(s, x): one copy, and no memory except that of the values.
constexpr static_program counter{[] {
  program_builder b;
  const auto total = b.mutable_buffer("total", tensor(dtype::float32, 16));
  const auto x = b.user_input("x", tensor(dtype::float32, 16));
  const auto next = b.call("next", "aten.add.Tensor", {x, total}, tensor(dtype::float32, 16));
  b.mutation(next, "total");
  b.output(b.call("y", "aten.mul.Tensor", {next, x}, tensor(dtype::float32, 16)));
  return reference::with_data(b.finish());
}};
static_assert(copied_bytes<counter>() == 64 && basic_executor<counter, aten_with_views>::arena_bytes == 4 * 64);

// Branches with separate states. One returns the old value of its state, with and without a view; the other swaps its states. Both return
// operands.
constexpr auto chosen() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", pair);
  const auto total = b.call("aten.sum.default", {x}, scalar);
  const auto flag = b.call("aten.gt.Scalar", {total}, truth, {{"other", 0}});
  const auto seen = b.mutable_buffer("seen", pair);
  const auto left = b.add_graph("left");
  {
    const auto old = b.mutable_buffer("left.old", pair);
    const auto input = b.user_input("given", pair);
    b.user_input("seen", pair);
    b.mutation(input, "left.old");
    b.output(old);
    b.output(b.call("aten.view_copy.default", {old}, column));
    b.output(b.call("aten.add.Tensor", {old, input}, pair));
  }
  const auto right = b.add_graph("right");
  {
    const auto p = b.mutable_buffer("right.p", pair);
    const auto q = b.mutable_buffer("right.q", pair);
    const auto input = b.user_input("given", pair);
    const auto outer = b.user_input("seen", pair);
    const auto next = b.call("aten.add.Tensor", {q, input}, pair);
    b.mutation(q, "right.p");
    b.mutation(p, "right.q");
    b.output(next);
    b.output(b.call("aten.view_copy.default", {outer}, column));
    b.output(p);
  }
  b.enter(graph_id{0});
  const auto results = b.call_many("choice", "cond", {flag, x, seen}, {pair, column, pair}, {}, {left, right});
  b.mutation(results[2], "seen");
  for (const auto id : results) b.output(id);
  b.output(seen);
  return reference::with_data(b.finish());
}
constexpr static_program choice{[] { return chosen(); }};
static_assert(copies_for<choice>(copy_reason::exchange) == 0);  // the caller's result holds one of the two

// A name is one state: the root reads the value that the branches write, and each branch the value that the other wrote. A view keeps its
// value. If the root and a called graph write the same state, the root writes last.
constexpr auto both_branches() -> exported_program {
  constexpr char quarter_and_two[] = {0, 0, '\x80', '\x3e', 0, 0, 0, '\x40'};
  program_builder b;
  const auto total = b.mutable_buffer("total", pair, quarter_and_two);
  const auto last = b.mutable_buffer("last", pair, quarter_and_two);
  const auto x = b.user_input("x", pair);
  const auto flag = b.call("aten.gt.Scalar", {b.call("aten.sum.default", {x}, scalar)}, truth, {{"other", 0}});
  const auto before = b.call("aten.view_copy.default", {total}, pair);
  const auto doubled = b.call("aten.add.Tensor", {total, last}, pair);
  const auto root = b.current();
  const auto more = b.add_graph("more");
  {
    const auto inner = b.mutable_buffer("total", pair, quarter_and_two);
    b.mutable_buffer("last", pair, quarter_and_two);
    const auto input = b.user_input("given", pair);
    b.mutation(b.call("aten.add.Tensor", {inner, input}, pair), "total");
    b.mutation(input, "last");
    b.output(inner);
  }
  const auto less = b.add_graph("less");
  {
    const auto inner = b.mutable_buffer("total", pair, quarter_and_two);
    const auto input = b.user_input("given", pair);
    b.mutation(b.call("aten.sub.Tensor", {input, inner}, pair), "total");
    b.output(inner);
  }
  b.enter(root);
  const auto result = b.call_many("choice", "cond", {flag, x}, {pair}, {}, {more, less})[0];
  b.mutation(x, "last");
  b.output(doubled);
  b.output(result);
  b.output(before);
  return b.finish();
}
constexpr static_program one_state{[] { return both_branches(); }};
static_assert(basic_executor<one_state, aten_with_views>::plan().needs.lifetimes.size() == 11);  // none for buffers of the branches

// A loop-carried value and the state of the body swap in each iteration.
constexpr auto swapping() -> exported_program {
  constexpr char one[] = {0, 0, '\x80', '\x3f'};
  program_builder b;
  const auto x = b.user_input("x", pair);
  const auto y = b.user_input("y", pair);
  const auto zero = b.call("aten.clamp.default", {b.call("aten.sum.default", {x}, scalar)}, scalar, {{"min", 0}, {"max", 0}});
  const auto condition = b.add_graph("condition");
  {
    const auto count = b.user_input("count", scalar);
    b.user_input("x", pair);
    b.user_input("y", pair);
    b.output(b.call("aten.lt.Scalar", {count}, truth, {{"other", 2}}));
  }
  const auto body = b.add_graph("body");
  {
    const auto unit = b.constant("unit", scalar, one);
    const auto p = b.mutable_buffer("body.p", pair);
    const auto q = b.mutable_buffer("body.q", pair);
    const auto count = b.user_input("count", scalar);
    const auto first = b.user_input("x", pair);
    const auto second = b.user_input("y", pair);
    b.mutation(first, "body.p");
    b.mutation(b.call("aten.view_copy.default", {p}, pair), "body.q");
    b.output(b.call("aten.add.Tensor", {count, unit}, scalar));
    b.output(q);
    b.output(b.call("aten.add.Tensor", {second, first}, pair));
  }
  b.enter(graph_id{0});
  for (const auto id : b.call_many("loop", "while_loop", {zero, x, y}, {scalar, pair, pair}, {}, {condition, body})) b.output(id);
  return reference::with_data(b.finish());
}
constexpr static_program swaps{[] { return swapping(); }};
static_assert(copies_for<swaps>(copy_reason::exchange) == 1);

// A scan that carries and stacks the old value of its state, and a map that stacks the state before each step.
constexpr auto stacking() -> exported_program {
  constexpr auto stack = tensor(dtype::float32, 3, 2);
  program_builder b;
  const auto start = b.user_input("start", pair);
  const auto xs = b.user_input("xs", stack);
  const auto scanned = b.add_graph("scanned");
  {
    const auto old = b.mutable_buffer("scanned.old", pair);
    const auto carried = b.user_input("carried", pair);
    const auto x = b.user_input("x", pair);
    b.mutation(b.call("aten.view_copy.default", {carried}, pair), "scanned.old");
    b.output(old);
    b.output(b.call("aten.add.Tensor", {x, old}, pair));
    b.output(old);
  }
  const auto mapped = b.add_graph("mapped");
  {
    const auto old = b.mutable_buffer("mapped.old", pair);
    const auto x = b.user_input("x", pair);
    b.mutation(x, "mapped.old");
    b.output(b.call("aten.view_copy.default", {old}, pair));
  }
  b.enter(graph_id{0});
  const auto results = b.call_many("scan", "scan", {start, xs}, {pair, stack, stack}, {{"carried", 1}, {"scanned", 1}}, {scanned});
  for (const auto id : results) b.output(id);
  b.output(b.call_many("map", "map", {results[1]}, {stack}, {{"mapped", 1}}, {mapped})[0]);
  return reference::with_data(b.finish());
}
constexpr static_program stacks{[] { return stacking(); }};

// A delegate that the executor runs, and that returns the old value of its state.
constexpr auto delayed() -> exported_program {
  program_builder b;
  const auto old = b.mutable_buffer("old", pair);
  const auto x = b.user_input("x", pair);
  const auto twice = b.call("twice", "aten.add.Tensor", {x, x}, pair);
  const auto delayed = b.call("delayed", "aten.view_copy.default", {old}, pair);
  b.mutation(twice, "old");
  b.output(b.call("y", "aten.mul.Tensor", {delayed, x}, pair));
  return reference::with_data(b.finish());
}
struct with_state {
  static constexpr auto partition(const program_view& program) -> partition_result {
    auto tagged = by_support<executor_backend, operator_names<"aten.add.Tensor", "aten.view_copy.default">>::partition(program);
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      if (program.nodes[n].is("aten.mul.Tensor")) continue;
      tagged.tag_node(node_id{n}, none<tag_id>);
      tagged.tag_node(node_id{n}, tag_id{0});
    }
    static_cast<void>(tag_mutated_buffer(tagged, program));
    return tagged;
  }
};
constexpr static_program delay{[] { return delayed(); }};
constexpr auto delay_in_a_delegate = to_backend(backends<executor_backend>, delay, with_state{});
static_assert(delay_in_a_delegate->inputs(delay_in_a_delegate->root()).size() == 1);

}  // namespace

TEST_CASE("a delay line through a view matches the reference") {
  static basic_executor<delay_line, aten_with_views> net;
  std::array<float, 2> y{};
  net.run(std::array<float, 2>{1, 2}, y);
  CHECK(y == std::array<float, 2>{0, 0});
  net.run(std::array<float, 2>{0, 0}, y);
  CHECK(y == std::array<float, 2>{2, 4});
  net.run(std::array<float, 2>{0, 0}, y);
  CHECK(y == std::array<float, 2>{2, 4});
  net.run(std::array<float, 2>{0, 0}, y);
  CHECK(y == std::array<float, 2>{0, 0});
}
TEST_CASE("states that swap, in chains and in cycles, match the reference") {
  CHECK(equals_reference<counter>());
  CHECK(equals_reference<shuffle>());
  CHECK(equals_reference<shuffle_with_outputs>());
}
TEST_CASE("a branch returns the old value of its state") { CHECK(equals_reference<choice>()); }
TEST_CASE("one name is one state in all graphs of a program") {
  CHECK(equals_reference<one_state>());
  const program_view program = one_state;
  const auto plan = basic_executor<one_state, aten_with_views>::plan();
  CHECK(entry_of_state(program, plan, "total") != entry_of_state(program, plan, "last"));
  CHECK(plan.needs.value_entries[index(program.inputs(program.graphs[2])[0])] == entry_of_state(program, plan, "total"));
  CHECK(entry_of_state(program, plan, "x") == npos);
}
TEST_CASE("loops carry and stack the old values of their states") {
  CHECK(equals_reference<swaps>());
  CHECK(equals_reference<stacks>());
}
TEST_CASE("a delegate that the executor runs returns the old value of its state") {
  CHECK(equals_reference_of<delay_in_a_delegate>(delay));
}

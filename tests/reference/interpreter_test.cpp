// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/interpreter.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace baton;
using reference::evaluate;
using reference::tensor;

constexpr auto scalar = baton::tensor(dtype::float32);
constexpr auto pair = baton::tensor(dtype::float32, 2);
constexpr auto three_pairs = baton::tensor(dtype::float32, 3, 2);

/// Every element of a, x and b is 1, 2 and 3: a·x + b is 7, minus a is 6, times x is 24, plus b is 27.
constexpr auto matrices_are_multiplied() -> bool {
  const baton::vector<tensor> inputs{{{2, 2}, {1, 1, 1, 1}}, {{2, 2}, {2, 2, 2, 2}}, {{2, 2}, {3, 3, 3, 3}}};
  return evaluate(conformance::g_mmadd(), inputs).outputs == baton::vector<tensor>{{{2, 2}, {27, 27, 27, 27}}};
}
static_assert(matrices_are_multiplied());

constexpr auto a_state_counts_up() -> bool {
  const auto program = conformance::g_mut();
  const auto inputs = reference::some_inputs(program);
  reference::state buffers;
  const auto first = evaluate(program, inputs, buffers);
  const auto after_first = *buffers.find("my_state");
  const auto second = evaluate(program, inputs, buffers);
  // The output of the second run is the input plus the state after the first run.
  bool grows = buffers.size() == 1 && !(first == second);
  for (std::size_t i = 0; i < 4; ++i) grows = grows && second[0].data[i] - inputs[0].data[i] == after_first.data[i];
  return grows;
}
static_assert(a_state_counts_up());

/// Lowering to a delegate does not change the meaning of a program.
constexpr auto a_delegate_computes_its_original() -> bool {
  const auto program = conformance::g_mmadd();
  const auto lowered = to_backend(backends<conformance::backend_with_compiler_demo>, program, conformance::add_mul_partitioner_demo{});
  const auto inputs = reference::some_inputs(program);
  return lowered.delegates.size() == 2 && evaluate(program, inputs) == evaluate(lowered, inputs);
}
static_assert(a_delegate_computes_its_original());

constexpr auto counting_loop() -> exported_program {
  program_builder b;
  const auto i = b.user_input("i", scalar);
  const auto limit = b.user_input("limit", scalar);
  const auto condition = b.add_graph("condition");
  const auto at = b.user_input("at", scalar);
  const auto end = b.user_input("end", scalar);
  b.output(b.call("aten.lt.Tensor", {at, end}, scalar));
  const auto body = b.add_graph("body");
  const auto x = b.user_input("x", scalar);
  b.user_input("unchanged", scalar);
  b.output(b.call("aten.add.Tensor", {x}, scalar, {{"other", 2}}));
  b.enter(graph_id{0});
  b.output(b.call_many("loop", "while_loop", {i, limit}, {scalar}, {}, {condition, body})[0]);
  return b.finish();
}
constexpr auto a_loop_runs_until_its_condition_fails() -> bool {
  const baton::vector<tensor> inputs{{{}, {1}}, {{}, {6}}};
  return !verify(counting_loop()) && evaluate(counting_loop(), inputs).outputs == baton::vector<tensor>{{{}, {7}}};
}
static_assert(a_loop_runs_until_its_condition_fails());

/// Running sums along a stack of pairs.
constexpr auto running_sums() -> exported_program {
  program_builder b;
  const auto start = b.user_input("start", pair);
  const auto rows = b.user_input("rows", three_pairs);
  const auto body = b.add_graph("body");
  const auto sum = b.call("aten.add.Tensor", {b.user_input("sum", pair), b.user_input("row", pair)}, pair);
  b.output(sum);
  b.output(b.call("aten.neg.default", {sum}, pair));
  b.enter(graph_id{0});
  const auto results = b.call_many("scan", "scan", {start, rows}, {pair, three_pairs}, {{"carried", 1}, {"scanned", 1}}, {body});
  b.output(results[0]);
  b.output(results[1]);
  return b.finish();
}
constexpr auto a_scan_carries_and_stacks() -> bool {
  const baton::vector<tensor> inputs{{{2}, {10, 20}}, {{3, 2}, {1, 2, 3, 4, 5, 6}}};
  return !verify(running_sums()) &&
         evaluate(running_sums(), inputs).outputs == baton::vector<tensor>{{{2}, {19, 32}}, {{3, 2}, {-11, -22, -14, -26, -19, -32}}};
}
static_assert(a_scan_carries_and_stacks());

}  // namespace

TEST_CASE("matrices are multiplied") { CHECK(matrices_are_multiplied()); }
TEST_CASE("a state counts up") { CHECK(a_state_counts_up()); }
TEST_CASE("a delegate computes the same as its original graph") { CHECK(a_delegate_computes_its_original()); }
TEST_CASE("a loop runs until its condition fails") { CHECK(a_loop_runs_until_its_condition_fails()); }
TEST_CASE("a scan carries and stacks values") { CHECK(a_scan_carries_and_stacks()); }

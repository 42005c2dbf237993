// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Delegates that contain a program and run it (R279, R283): the rows of the original's demos, section 4.14 of the delegation specification.
#include <baton/compat/executorch/standalone_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/executor_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/demo_runtime.hpp"
#include "conformance/graphs.hpp"
#include "conformance/wrapping.hpp"
#include "reference/interpreter.hpp"
#include "reference/kernels.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace baton;
using reference::any_aten;

using compiler_demo = conformance::running_compiler_demo;

/// True if the executor of a static program computes the results of the reference for another program.
template <auto Program>
auto runs_like(const program_view& meant) -> bool {
  static basic_executor<Program, any_aten> net;
  const auto inputs = reference::some_inputs(meant);
  return reference::execute(net, Program, inputs) == reference::evaluate(meant, inputs).outputs;
}

constexpr auto two_layers() -> exported_program {
  using enum dtype;
  constexpr std::int64_t turned[] = {1, 0};
  program_builder b;
  const auto w = b.parameter("linear1.weight", tensor(float32, 25, 4));
  const auto bias = b.parameter("linear1.bias", tensor(float32, 25));
  const auto w_1 = b.parameter("linear2.weight", tensor(float32, 3, 25));
  const auto bias_1 = b.parameter("linear2.bias", tensor(float32, 3));
  const auto x = b.user_input("x", tensor(float32, 25, 4));
  const auto t = b.call("aten.permute_copy.default", {w}, tensor(float32, 4, 25), {{"dims", turned}});
  const auto hidden = b.call("aten.addmm.default", {bias, x, t}, tensor(float32, 25, 25));
  const auto active = b.call("aten.sigmoid.default", {hidden}, tensor(float32, 25, 25));
  const auto t_1 = b.call("aten.permute_copy.default", {w_1}, tensor(float32, 25, 3), {{"dims", turned}});
  b.output(b.call("aten.addmm.default", {bias_1, active, t_1}, tensor(float32, 25, 3)));
  return reference::with_data(b.finish());
}
constexpr static_program<conformance::wrapping<
    [] { return standalone_program(to_backend(backends<executor_backend>, "ExecutorBackend", two_layers())); }, executor_backend>>
    whole_program{};

constexpr static_program g_mmadd{conformance::make<conformance::g_mmadd>{}};
constexpr auto partial_program =
    to_backend(backends<executor_backend>, g_mmadd, by_support<executor_backend, operator_names<"aten.mm.default", "aten.add.Tensor">>{});

constexpr static_program sub_mm_add{[] {
  using conformance::two_by_two;
  program_builder b;
  b.user_input("a", two_by_two);
  const auto x = b.user_input("x", two_by_two);
  const auto addend = b.user_input("b", two_by_two);
  const auto sub = b.call("sub", "aten.sub.Tensor", {x, addend}, two_by_two);
  const auto mm = b.call("mm", "aten.mm.default", {sub, x}, two_by_two);
  b.output(b.call("add", "aten.add.Tensor", {mm, addend}, two_by_two));
  return b.finish();
}};
constexpr auto inner_lowered = to_backend(backends<compiler_demo>, sub_mm_add, conformance::add_mul_partitioner_demo{});
constexpr auto nested = to_backend(backends<executor_backend>, inner_lowered, conformance::all_nodes_partitioner<executor_backend>{});

constexpr auto names_of(const program_view& program, baton::span<const value_id> ids) -> text_buffer {
  text_buffer names;
  for (const auto id : ids) append(append(names, program.text(program[id].name)), " ");
  return names;
}
constexpr auto a_delegate_holds_a_delegate() -> bool {
  const program_view inner = inner_lowered;
  const program_view outer = nested;
  const auto calls = delegates(inner);
  if (calls.size() != 1 || view(names_of(inner, inner.inputs(inner.nodes[1]))) != "sub x b ") return false;
  const auto root = outer.nodes_of(outer.root());
  if (root.size() != 1 || view(names_of(outer, outer.inputs(root[0]))) != "x b ") return false;
  const auto whole = delegates(outer)[0];
  const auto inside = outer.nodes_of(outer[whole.original()]);
  return whole.backend_id() == "ExecutorBackend" && inside.size() == 2 && inside[0].is("aten.sub.Tensor") && inside[1].is(call_delegate) &&
         delegates(outer, whole.original())[0].backend_id() == "BackendWithCompilerDemo";
}
static_assert(a_delegate_holds_a_delegate());
// The original's outer delegate is lowered_module_1, because an unused attribute has the name lowered_module_0 (Q23).
static_assert(delegates(nested)[0].name() == "lowered_module_0");

}  // namespace

TEST_CASE("a delegate runs if its processed bytes are a whole program that the backend executes (T-RPC-1)") {
  CHECK(runs_like<whole_program>(two_layers()));
}

// The original's test is an empty placeholder. Here, the backend executes parts of a program, and the executor the other nodes.
TEST_CASE("delegates run if their processed bytes are parts of a program that the backend executes (T-RPC-2)") {
  CHECK(delegates(partial_program).size() == 2);
  CHECK(runs_like<partial_program>(g_mmadd));
}

TEST_CASE("a delegate runs if its processed bytes are a program with a delegate of another backend (T-RPC-3, Q23)") {
  CHECK(a_delegate_holds_a_delegate());
  CHECK(runs_like<nested>(sub_mm_add));
}

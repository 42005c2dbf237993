// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The results of lowered programs: rows of sections 4.1, 4.8 and 4.14 of the delegation specification.
#include <baton/compat/executorch/embedded_module.hpp>
#include <baton/compat/executorch/inspection.hpp>
#include <baton/compat/executorch/standalone_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/run/basic_executor.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/demo_runtime.hpp"
#include "conformance/graphs.hpp"
#include "conformance/wrapping.hpp"
#include "reference/interpreter.hpp"
#include "reference/kernels.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;
using reference::any_aten;
using tensors = baton::vector<reference::tensor>;

using compiler_demo = conformance::running_compiler_demo;
constexpr auto demos = backends<compiler_demo>;

constexpr auto near(const tensors& actual, std::initializer_list<std::initializer_list<float>> wanted) -> bool {
  auto expected = wanted.begin();
  if (actual.size() != wanted.size()) return false;
  for (const auto& output : actual) {
    auto element = expected++->begin();
    for (const auto number : output.data) {
      const auto difference = number - *element++;
      if (difference > 1e-3f || difference < -1e-3f) return false;
    }
  }
  return true;
}

template <auto Make, class... Backends>
constexpr static_program<conformance::wrapping<Make, Backends...>> wrapped{};

/// Returns the processed bytes of lowered module 0.
constexpr auto processed_bytes_of_first(const program_view& program) -> std::string_view { return delegates(program)[0].processed_bytes(); }
/// True if the first node is a delegate call.
constexpr auto first_is_a_call(const program_view& program) -> bool { return program.nodes[0].is(call_delegate); }
constexpr auto count_of(const program_view& program, std::string_view op) -> std::size_t {
  std::size_t count = 0;
  for (const auto& record : program.nodes_of(program.root())) count += program.text(record.target) == op ? 1u : 0u;
  return count;
}

constexpr std::string_view g_sin_processed_bytes = "1version:0#op:demo::aten.sin.default, numel:1, dtype:torch.float32<debug_handle>1#";

constexpr auto lowered_sin() -> lowered_module {
  return to_backend(demos, "BackendWithCompilerDemo", conformance::g_sin(), {{"max_value", "\x01"}});
}

constexpr auto sin_alone = wrapped<[] { return standalone_program(lowered_sin()); }, compiler_demo>;
constexpr auto a_lowered_sine_is_called() -> bool {
  const program_view program = sin_alone;
  return count_of(program, "aten.sin.default") == 0 && first_is_a_call(program) && program.delegates.size() == 1 &&
         delegates(program)[0].name() == "lowered_module_0" && processed_bytes_of_first(program) == g_sin_processed_bytes;
}
static_assert(a_lowered_sine_is_called());

constexpr auto mm_add() -> exported_program {
  using conformance::two_by_two;
  program_builder b;
  const auto a = b.user_input("a", two_by_two);
  const auto x = b.user_input("x", two_by_two);
  const auto addend = b.user_input("b", two_by_two);
  b.output(b.call("add", "aten.add.Tensor", {b.call("mm", "aten.mm.default", {a, x}, two_by_two), addend}, two_by_two));
  return b.finish();
}
constexpr auto mm_add_alone = wrapped<[] {
  const auto lowered = to_backend(demos, "BackendWithCompilerDemo", mm_add(), {{"max_value", "\x02"}});
  return standalone_program(lowered);
},
                                      compiler_demo>;

constexpr auto sin_twice = wrapped<[] {
  constexpr auto one = tensor(dtype::float32, 1);
  program_builder b;
  const auto x = b.user_input("x", one);
  const auto lowered = lowered_sin();
  embedded_module sine(b, lowered);
  const auto first = sine({x});
  const auto second = sine({x});
  b.output(b.call("add", "aten.add.Tensor", {first[0], second[0]}, one));
  return b.finish();
},
                                   compiler_demo>;
constexpr auto one_module_is_called_twice() -> bool {
  const program_view program = sin_twice;
  return count_of(program, "aten.sin.default") == 0 && count_of(program, call_delegate.text) == 2 && first_is_a_call(program) &&
         delegates(program).size() == 1 && lowered_submodules(program)[1].name == "lowered_module_0" &&
         processed_bytes_of_first(program) == g_sin_processed_bytes;
}
static_assert(one_module_is_called_twice());

constexpr char bias_bytes[] = {'\x9a', '\x99', '\x99', '\x3e'};  // 0.3
constexpr auto sin_of_sin = wrapped<[] {
  constexpr auto one = tensor(dtype::float32, 1);
  program_builder b;
  const auto bias = b.buffer("bias", one, bias_bytes);
  const auto x = b.user_input("x", one);
  const auto lowered = lowered_sin();
  embedded_module sine(b, lowered);
  const auto first = sine({x})[0];
  const auto second = sine({first})[0];
  const auto sum = b.call("add", "aten.add.Tensor", {first, second}, one);
  b.output(first);
  b.output(second);
  b.output(b.call("ret", "aten.add.Tensor", {sum, bias}, one));
  return b.finish();
},
                                    compiler_demo>;

constexpr static_program g_mmadd{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered_mmadd = to_backend(demos, g_mmadd, conformance::add_mul_partitioner_demo{});

}  // namespace

TEST_CASE("a sine lowered by id runs when another program calls it (T-LIFT-2)") {
  CHECK(a_lowered_sine_is_called());
  static basic_executor<sin_alone, any_aten> net;
  const tensors x{{{1}, {1}}};
  CHECK(near(reference::execute(net, sin_alone, x), {{0.8333f}}));
  CHECK(x[0].data[0] == 1);
}

TEST_CASE("a product and a sum lowered by id run (T-LIFT-3)") {
  static basic_executor<mm_add_alone, any_aten> net;
  const tensors x{{{2, 2}, {1, 1, 1, 1}}, {{2, 2}, {2, 2, 2, 2}}, {{2, 2}, {3, 3, 3, 3}}};
  CHECK(near(reference::execute(net, mm_add_alone, x), {{7, 7, 7, 7}}));
  CHECK(reference::execute(net, mm_add_alone, x) == reference::evaluate(mm_add(), x).outputs);
}

TEST_CASE("one lowered module that is called twice runs, and its processed bytes are stored once (T-LIFT-5)") {
  CHECK(one_module_is_called_twice());
  static basic_executor<sin_twice, any_aten> net;
  CHECK(near(reference::execute(net, sin_twice, tensors{{{1}, {1}}}), {{1.666667f}}));
}

TEST_CASE("a lowered module runs on its own result, between other operators (T-LIFT-8)") {
  static basic_executor<sin_of_sin, any_aten> net;
  CHECK(near(reference::execute(net, sin_of_sin, tensors{{{1}, {1}}}), {{0.8333f}, {0.7369f}, {1.8702f}}));
}

TEST_CASE("a program runs with delegated products and sums, and an undelegated difference between them (T-LIFT-11)") {
  const program_view program = lowered_mmadd;
  REQUIRE(delegates(program).size() == 2);
  CHECK(delegates(program)[0].name() == "lowered_module_0");
  CHECK(delegates(program)[1].name() == "lowered_module_1");
  static basic_executor<lowered_mmadd, any_aten> net;
  const auto inputs = reference::some_inputs(g_mmadd);
  const auto expected = reference::evaluate(g_mmadd, inputs).outputs;
  CHECK(reference::execute(net, program, inputs) == expected);
  CHECK(reference::evaluate(program, inputs).outputs == expected);
}

TEST_CASE("the stand-alone program of a lowered module has one instruction, and runs (T-LBM-1)") {
  CHECK(sin_alone->nodes_of(sin_alone->root()).size() == 1);
  CHECK(first_is_a_call(sin_alone));
  static basic_executor<sin_alone, any_aten> net;
  const tensors x{{{1}, {1}}};
  CHECK(near(reference::execute(net, sin_alone, x), {{0.8333f}}));
  CHECK(reference::evaluate(sin_alone, x).outputs == reference::evaluate(conformance::g_sin(), x).outputs);
}

// The counterpart of the original's alternative tensor library is an executor with custom kernels.
TEST_CASE("the same program runs with another list of kernels (T-ATEN-1)") {
  static basic_executor<mm_add_alone, kernels<archetypes::kernel> + any_aten> net;
  const tensors x{{{2, 2}, {1, 1, 1, 1}}, {{2, 2}, {2, 2, 2, 2}}, {{2, 2}, {3, 3, 3, 3}}};
  CHECK(near(reference::execute(net, mm_add_alone, x), {{7, 7, 7, 7}}));
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/compat/executorch/embedded_module.hpp>
#include <baton/compat/executorch/standalone_program.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/print.hpp>
#include <baton/core/span.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "reference/interpreter.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

constexpr auto target = backends<conformance::backend_with_compiler_demo, conformance::demo_backend>;
constexpr auto one = tensor(dtype::float32, 1);
constexpr auto sine = to_backend(target, name<"BackendWithCompilerDemo">, static_program{conformance::make<conformance::g_sin>{}});

/// sin(sin(x)), and the result of a second module for it.
constexpr auto wrapper() -> exported_program {
  program_builder build;
  const auto x = build.user_input("x", one);
  embedded_module first(build, sine);
  const auto once = first({x})[0];
  embedded_module second(build, to_backend(target, "DemoBackend", conformance::g_sin()));
  build.output(second({first({once})[0]})[0]);
  return build.finish();
}

constexpr std::string_view printed_wrapper =
    "forward:\n"
    "  %x = placeholder[target=x]  # float32[1]\n"
    "  %getitem = call_function[target=executorch_call_delegate](%lowered_module_0, %x)  # float32[1]\n"
    "    lowered_module_0: backend BackendWithCompilerDemo, 82 bytes\n"
    "      %x = placeholder[target=x]  # float32[1]\n"
    "      %sin = call_function[target=aten.sin.default](%x)  # float32[1]\n"
    "      return (%sin,)\n"
    "  %getitem_1 = call_function[target=executorch_call_delegate](%lowered_module_0, %getitem)  # float32[1]\n"
    "    lowered_module_0: backend BackendWithCompilerDemo, 82 bytes\n"
    "      %x = placeholder[target=x]  # float32[1]\n"
    "      %sin = call_function[target=aten.sin.default](%x)  # float32[1]\n"
    "      return (%sin,)\n"
    "  %getitem_2 = call_function[target=executorch_call_delegate](%lowered_module_1, %getitem_1)  # float32[1]\n"
    "    lowered_module_1: backend DemoBackend, 13 bytes\n"
    "      %x = placeholder[target=x]  # float32[1]\n"
    "      %sin = call_function[target=aten.sin.default](%x)  # float32[1]\n"
    "      return (%sin,)\n"
    "  return (%getitem_2,)\n";

constexpr auto a_module_is_placed_once_and_called_often() -> bool {
  const auto program = wrapper();
  const auto x = reference::tensor({1}, {1});
  const auto result = reference::evaluate(program, baton::span{&x, 1}).outputs[0].data[0];
  const auto expected = static_cast<float>(reference::sine(reference::sine(reference::sine(1))));
  const auto difference = result - expected;
  return !verify(program) && program.delegates.size() == 2 && delegates(program).size() == 2 && view(print(program)) == printed_wrapper &&
         difference < 1e-6f && difference > -1e-6f;
}
static_assert(a_module_is_placed_once_and_called_often());

// Each graph numbers the modules that it calls.
constexpr auto branches_number_their_own() -> bool {
  program_builder build;
  const auto x = build.user_input("x", one);
  const auto truth = build.user_input("truth", tensor(dtype::boolean, 1));
  const auto yes = build.add_graph("true");
  embedded_module inside(build, sine);
  build.output(inside({build.user_input("x", one)})[0]);
  const auto no = build.add_graph("false");
  build.output(build.call("neg", "aten.neg.default", {build.user_input("x", one)}, one));
  build.enter(graph_id{0});
  embedded_module outside(build, sine);
  const auto y = outside({x})[0];
  build.output(build.call_many("cond", "cond", {truth, y}, {one}, {}, {yes, no})[0]);
  const auto program = build.finish();
  const auto modules = delegates(program, graph_id{0}, reach::branches);
  return !verify(program) && modules.size() == 2 && modules[0].name() == "lowered_module_0" && modules[1].name() == "lowered_module_0";
}
static_assert(branches_number_their_own());

// R121: data that the module owns, including constants (Q14), is not an input of the program, and a mutated buffer is not an output.
constexpr auto owned_data_stays_inside() -> bool {
  const auto lowered = to_backend(target, "DemoBackend", conformance::g_mut());
  const auto program = standalone_program(lowered);
  const auto inputs = program_view(program).inputs(program.root());
  const auto x = reference::tensor({2, 2}, {1, 2, 3, 4});
  const auto expected = reference::evaluate(conformance::g_mut(), baton::span{&x, 1});
  const auto outcome = reference::evaluate(program, baton::span{&x, 1});
  return !verify(program) && program.root().nodes.size == 1 && inputs.size() == 1 &&
         program_view(program).text(program[inputs[0]].name) == "x" && program.root().outputs.size == 1 && expected == outcome &&
         outcome.buffers.size() == 1;
}
static_assert(owned_data_stays_inside());

constexpr auto the_compiler_makes_the_same() -> bool {
  constexpr auto program = standalone_program(sine);
  return same(program, standalone_program(to_backend(target, "BackendWithCompilerDemo", conformance::g_sin()))) &&
         delegates(program)[0].processed_bytes().data() == sine.view().processed_bytes().data();
}
static_assert(the_compiler_makes_the_same());

}  // namespace

TEST_CASE("a lowered module is inserted once and called several times") {
  CHECK(a_module_is_placed_once_and_called_often());
  CHECK(branches_number_their_own());
}
TEST_CASE("the stand-alone program of a lowered module is one call, and the module contains its own data (Q14)") {
  CHECK(owned_data_stays_inside());
  CHECK(the_compiler_makes_the_same());
}

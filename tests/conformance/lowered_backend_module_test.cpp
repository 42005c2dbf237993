// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Section 4.8: the stand-alone program of a lowered module. The original emits it and counts instructions. Baton executes nodes, so these
// tests count nodes, values, inputs and outputs. The rows about results of executors are in runtime_lifted_test.cpp.
#include <baton/compat/executorch/inspection.hpp>
#include <baton/compat/executorch/standalone_program.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "conformance/whole_models.hpp"
#include "reference/interpreter.hpp"

#include <doctest/doctest.h>

#include <cstddef>

namespace {

using namespace baton;

constexpr auto target = backends<conformance::backend_with_compiler_demo, conformance::demo_backend>;
constexpr auto sine = to_backend(target, name<"BackendWithCompilerDemo">, static_program{conformance::make<conformance::g_sin>{}},
                                 [] { return compile_specs{{"max_value", "\x01"}}; });
constexpr auto sine_alone = standalone_program(sine);

constexpr auto means_the_same(const program_view& left, const program_view& right) -> bool {
  const auto inputs = reference::some_inputs(left);
  return reference::evaluate(left, inputs) == reference::evaluate(right, inputs);
}

constexpr auto t_lbm_1() -> bool {
  const program_view program = sine_alone;
  return !verify(program) && program.root().nodes.size == 1 && program.nodes[program.root().nodes.first].is(call_delegate) &&
         means_the_same(conformance::g_sin(), program);
}
static_assert(t_lbm_1());

/// Returns the number of values of the root graph, which need memory at run time.
constexpr auto values_of_root(const program_view& program) -> std::size_t {
  std::size_t count = 0;
  for (const auto& record : program.values) count += record.graph == graph_id{0} ? 1u : 0u;
  return count;
}
constexpr auto has_one_call(const program_view& program) -> bool {
  return !verify(program) && program.root().nodes.size == 1 && program.nodes[program.root().nodes.first].is(call_delegate);
}

constexpr auto is_standalone(const exported_program& model) -> bool {
  const auto lowered = to_backend(target, "DemoBackend", model);
  const auto alone = standalone_program(lowered);
  const auto around = conformance::wrapped(model, lowered);
  return has_one_call(alone) && has_one_call(around) && values_of_root(alone) == values_of_root(around) &&
         alone.root().inputs.size == around.root().inputs.size && alone.root().outputs.size == around.root().outputs.size &&
         means_the_same(model, alone);
}
auto t_lbm_2() -> bool { return conformance::for_every_whole_model(is_standalone); }
// Separate constants, because of Clang's limit of steps for one constant.
static_assert(is_standalone(conformance::attention_block()));
static_assert(is_standalone(conformance::repeat_model()));
static_assert(is_standalone(conformance::elementwise_add()));
static_assert(is_standalone(conformance::g_mlp()));
static_assert(is_standalone(conformance::sin_with_unused_input()));

constexpr auto nests(const exported_program& model) -> bool {
  const auto around = conformance::wrapped(model, to_backend(target, "DemoBackend", model));
  const auto outer = to_backend(target, "DemoBackend", around);
  const auto alone = standalone_program(outer);
  const auto modules = delegates(alone);
  return has_one_call(alone) && modules.size() == 1 && delegates(alone, modules[0].original()).size() == 1 && means_the_same(model, alone);
}
auto t_lbm_3() -> bool { return conformance::for_every_whole_model(nests); }
// Separate constants, because of Clang's limit of steps for one constant.
static_assert(nests(conformance::attention_block()));
static_assert(nests(conformance::repeat_model()));
static_assert(nests(conformance::elementwise_add()));
static_assert(nests(conformance::g_mlp()));
static_assert(nests(conformance::sin_with_unused_input()));

}  // namespace

TEST_CASE("the stand-alone program of a lowered sine is one call that computes a sine (T-LBM-1)") { CHECK(t_lbm_1()); }
TEST_CASE("a lowered module has the same inputs, constants and specs alone and in a program (T-LBM-2)") { CHECK(t_lbm_2()); }
TEST_CASE("the stand-alone program of a lowered module that calls another module is one call (T-LBM-3)") { CHECK(t_lbm_3()); }

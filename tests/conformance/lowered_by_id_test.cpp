// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Section 4.1, the rows of whole programs lowered by backend id. The original graph of a lowered module determines its results: the tests
// evaluate a stand-alone program that calls the module. ExecuTorch calls lowered modules as functions.
#include <baton/compat/executorch/embedded_module.hpp>
#include <baton/compat/executorch/inspection.hpp>
#include <baton/compat/executorch/standalone_program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/graph/identical.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "core/refusals.hpp"
#include "reference/interpreter.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace {

using namespace baton;

constexpr auto target = backends<conformance::backend_with_compiler_demo>;
constexpr auto one = tensor(dtype::float32, 1);
constexpr auto model = static_program{conformance::make<conformance::g_sin>{}};
constexpr auto max_value_1 = [] { return compile_specs{{"max_value", "\x01"}}; };
constexpr auto by_id = to_backend(target, name<"BackendWithCompilerDemo">, model, max_value_1);
using all_nodes = conformance::all_nodes_partitioner<conformance::backend_with_compiler_demo>;

constexpr auto means_the_same(const program_view& left, const program_view& right) -> bool {
  const auto inputs = reference::some_inputs(left);
  return reference::evaluate(left, inputs) == reference::evaluate(right, inputs);
}

// In ExecuTorch, an eager call by id returns a tensor, and a delegate in a program a list of one tensor. Here, both are a program's
// outputs.
constexpr auto t_lift_1() -> bool {
  const auto module = to_backend(target, "BackendWithCompilerDemo", conformance::g_sin());
  const auto program = to_backend(target, conformance::g_sin(), all_nodes{});
  const auto called = lowered_submodules(program);
  return means_the_same(conformance::g_sin(), standalone_program(module)) && called.size() == 1 && called[0].name == "lowered_module_0" &&
         means_the_same(conformance::g_sin(), program) && program_view(program).outputs_of(program[called[0].node]).size() == 1;
}
static_assert(t_lift_1());

constexpr auto sin_cos_add() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", one);
  const auto sin = b.call("sin", "aten.sin.default", {x}, one);
  const auto cos = b.call("cos", "aten.cos.default", {x}, one);
  b.output(b.call("add", "aten.add.Tensor", {sin, cos}, one));
  return b.finish();
}

constexpr std::string_view refused =
    "baton refused_part: a backend refused to preprocess a part; see the reason, and correct the partitioner or the model "
    "[backend: BackendWithCompilerDemo] [call_function aten.cos.default is not supported in backend BackendWithCompilerDemo]";
constexpr auto t_lift_6() -> bool {
  const auto text = message(lower_by_id(target, "BackendWithCompilerDemo", sin_cos_add(), {}).error);
  return view(text) == refused;
}
static_assert(t_lift_6());

constexpr std::string_view not_found =
    "baton unknown_backend: the backend was not found in the list of backends; add it to baton::backends<...>, or correct the id "
    "[backend: FakeBackendWithCompilerDemo] [the list has: BackendWithCompilerDemo]";
constexpr auto t_lift_7() -> bool {
  const auto text = message(lower_by_id(target, "FakeBackendWithCompilerDemo", sin_cos_add(), {}).error);
  return view(text) == not_found;
}
static_assert(t_lift_7());

/// linear(3 -> 4) on [2, 3], its input, its weight and its output quantized per tensor.
constexpr auto quantized_linear() -> exported_program {
  using enum dtype;
  constexpr std::string_view quantize = "quantized_decomposed.quantize_per_tensor.default";
  constexpr std::string_view dequantize = "quantized_decomposed.dequantize_per_tensor.default";
  program_builder b;
  const auto quantized = [&](value_id of, std::int64_t rows, std::int64_t columns) {
    const auto q = b.call(quantize, {of}, tensor(int8, rows, columns), {{"scale", 0.5}, {"zero_point", 3}});
    return b.call(dequantize, {q}, tensor(float32, rows, columns), {{"scale", 0.5}, {"zero_point", 3}});
  };
  const auto weight = b.parameter("linear.weight", tensor(float32, 4, 3));
  const auto bias = b.parameter("linear.bias", tensor(float32, 4));
  const auto x = b.user_input("x", tensor(float32, 2, 3));
  const auto transposed = b.call("aten.permute_copy.default", {quantized(weight, 4, 3)}, tensor(float32, 3, 4));
  b.output(quantized(b.call("aten.addmm.default", {bias, quantized(x, 2, 3), transposed}, tensor(float32, 2, 4)), 2, 4));
  return b.finish();
}
constexpr auto count_of(const program_view& program, std::string_view op) -> std::size_t {
  std::size_t count = 0;
  for (const auto id : non_lowered_nodes(program)) count += program.text(program[id].target) == op ? 1u : 0u;
  return count;
}
// The row asserts no delegation. Here, a partitioner that tags nothing leaves the program unchanged.
constexpr auto t_lift_14() -> bool {
  const auto program = to_backend(target, quantized_linear(), archetypes::partitioner{});
  return count_of(program, "quantized_decomposed.quantize_per_tensor.default") == 3 && count_of(program, "aten.addmm.default") == 1 &&
         delegates(program).empty() && is_identical(program, quantized_linear());
}
static_assert(t_lift_14());

// A list or map of tensors as an argument is flattened in container order (R15) before the program exists. The program has user inputs in
// this order. The map {a, b} differs from the list [p, q] only in the names.
constexpr auto sum_of(std::string_view first, std::string_view second) -> exported_program {
  program_builder b;
  const auto p = b.user_input(first, one);
  const auto q = b.user_input(second, one);
  b.output(b.call("add", "aten.add.Tensor", {p, q}, one));
  return b.finish();
}
constexpr auto a_container_is_flattened(std::string_view first, std::string_view second) -> bool {
  const auto module = to_backend(target, "BackendWithCompilerDemo", sum_of(first, second));
  program_builder b;
  const auto p = b.user_input(first, one);
  const auto q = b.user_input(second, one);
  embedded_module callee(b, module);
  b.output(callee({p, q})[0]);
  const auto wrapped = b.finish();
  return !verify(wrapped) && means_the_same(sum_of(first, second), wrapped);
}
constexpr auto t_lift_18() -> bool { return a_container_is_flattened("list_0", "list_1"); }
static_assert(t_lift_18());
constexpr auto t_lift_19() -> bool { return a_container_is_flattened("map_a", "map_b"); }
static_assert(t_lift_19());

constexpr auto t_lift_20() -> bool { return by_id.view().delegate_info() == "test"; }
static_assert(t_lift_20());

struct all_nodes_with_spec {
  static constexpr auto partition(const program_view& program) -> partition_result {
    auto tagged = all_nodes::partition(program);
    for (auto& [tag, spec] : tagged.partition_tags) spec.compile_specs = max_value_1();
    return tagged;
  }
};
constexpr auto t_lift_21() -> bool {
  const auto program = to_backend(target, conformance::g_sin(), all_nodes_with_spec{});
  const auto called = lowered_submodules(program);
  return called.size() == 1 && called[0].module.delegate_info() == "test" && called[0].module.compile_specs().size() == 1;
}
static_assert(t_lift_21());

// R10, R11, R12: the original graph is the input program; specs keep their order; a backend without debug handles adds none.
constexpr auto the_original_is_kept() -> bool {
  const auto module = to_backend(target, "BackendWithCompilerDemo", sum_of("p", "q"), {{"b", "1"}, {"a", "2"}, {"b", "1"}});
  const auto lowered = module.view();
  const auto specs = lowered.compile_specs();
  const auto silent = to_backend(backends<conformance::demo_backend>, "DemoBackend", conformance::g_sin());
  return is_identical(lowered.program(), lowered.original(), sum_of("p", "q"), graph_id{0}) && specs.size() == 3 &&
         lowered.program().text(specs[0].key) == "b" && lowered.program().text(specs[1].value) == "2" &&
         silent.view().delegate_info().empty();
}
static_assert(the_original_is_kept());

// E25, as far as types prevent it: neither a field of the record nor a part of the map can be assigned.
using lowered = lowered_module_view;
static_assert(!std::is_assignable_v<decltype((std::declval<lowered>().debug_handle_map()[0].identifier)), int>);
static_assert(!std::is_assignable_v<decltype((std::declval<lowered>().compile_specs()[0].key)), byte_ref>);
static_assert(!std::is_assignable_v<decltype((std::declval<lowered>().program().delegates[0].backend_id)), byte_ref>);
static_assert(!std::is_assignable_v<decltype(std::declval<lowered>().processed_bytes()[0]), char>);

}  // namespace

TEST_CASE("a sine lowered by id, or by a partitioner, computes a sine (T-LIFT-1)") { CHECK(t_lift_1()); }
TEST_CASE("an operator that the backend does not support is named in the error (T-LIFT-6, E7)") {
  CHECK(t_lift_6());
  CHECK(refusals::text_thrown_by([] { to_backend(target, "BackendWithCompilerDemo", sin_cos_add()); }) == refused);
}
TEST_CASE("a backend that is not in the list is named in the error (T-LIFT-7, E1)") {
  CHECK(t_lift_7());
  CHECK(refusals::text_thrown_by([] { to_backend(target, "FakeBackendWithCompilerDemo", sin_cos_add()); }) == not_found);
}
TEST_CASE("a quantized linear layer without tagged nodes is unchanged (T-LIFT-14)") { CHECK(t_lift_14()); }
TEST_CASE("the elements of a list given as an input are user inputs in order (T-LIFT-18)") { CHECK(t_lift_18()); }
TEST_CASE("the values of a map given as an input are user inputs in order (T-LIFT-19)") { CHECK(t_lift_19()); }
TEST_CASE("the delegate info of a backend is kept if it is lowered by id (T-LIFT-20)") { CHECK(t_lift_20()); }
TEST_CASE("the delegate info of a backend is kept if it is lowered by partitioner (T-LIFT-21)") { CHECK(t_lift_21()); }
TEST_CASE("a lowered module keeps its original program and its compile specs") { CHECK(the_original_is_kept()); }

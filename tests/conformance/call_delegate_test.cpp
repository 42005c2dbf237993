// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Section 4.15, call-delegate basics: hand-built lowered modules, which are placed and called, and parts that are extracted from a graph.
#include <baton/compat/executorch/embedded_module.hpp>
#include <baton/compat/executorch/inspection.hpp>
#include <baton/compat/executorch/make_lowered_module.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/whole_models.hpp"
#include "lower/tags.hpp"
#include "reference/interpreter.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace {

using namespace baton;
using conformance::two_by_two;

constexpr auto means_the_same(const program_view& left, const program_view& right) -> bool {
  const auto inputs = reference::some_inputs(left);
  return reference::evaluate(left, inputs) == reference::evaluate(right, inputs);
}
constexpr auto count_of(const program_view& program, std::string_view op) -> std::size_t {
  std::size_t count = 0;
  for (const auto& record : program.nodes_of(program.root())) count += program.text(record.target) == op ? 1u : 0u;
  return count;
}

constexpr auto t_del_1() -> bool {
  const auto lowered = make_lowered_module(conformance::elementwise_add(), "Moo", preprocess_result("moo"));
  const auto program = conformance::wrapped(conformance::elementwise_add(), lowered);
  const auto calls = lowered_submodules(program);
  return !verify(program) && calls.size() == 1 && calls[0].name == "lowered_module_0" && program[calls[0].node].is(call_delegate) &&
         calls[0].module.processed_bytes() == "moo" && means_the_same(conformance::elementwise_add(), program);
}
static_assert(t_del_1());

constexpr auto add_and_mul(bool by_delegate) -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", two_by_two);
  const auto y = b.user_input("y", two_by_two);
  const auto s = b.user_input("s", two_by_two);
  if (by_delegate) {
    embedded_module add(
        b, make_lowered_module(conformance::elementwise_add(), "backend_demo", preprocess_result("basic_module_add"), {{"key", "value"}}));
    b.output(b.call("mul", "aten.mul.Tensor", {add({x, y})[0], s}, two_by_two));
  } else {
    b.output(b.call("mul", "aten.mul.Tensor", {b.call("add", "aten.add.Tensor", {x, y}, two_by_two), s}, two_by_two));
  }
  return b.finish();
}
constexpr auto t_del_2() -> bool {
  const auto program = add_and_mul(true);
  const auto modules = delegates(program);
  const auto specs = modules[0].compile_specs();
  return !verify(program) && modules.size() == 1 && modules[0].name() == "lowered_module_0" && modules[0].backend_id() == "backend_demo" &&
         modules[0].processed_bytes() == "basic_module_add" && specs.size() == 1 && program_view(program).text(specs[0].value) == "value" &&
         count_of(program, "aten.add.Tensor") == 0 && program.nodes[program.root().nodes.first].is(call_delegate) &&
         means_the_same(add_and_mul(false), program);
}
static_assert(t_del_2());

// There is no setter, and getters return const references: tests/fail/assigned_lowered_module.cpp.
constexpr bool t_del_3 =
    !std::is_assignable_v<decltype((std::declval<lowered_module_view>().program().delegates[0].backend_id)), byte_ref> &&
    !std::is_assignable_v<decltype(std::declval<lowered_module_view>().backend_id()[0]), char>;
static_assert(t_del_3);

constexpr auto chain(bool sub_takes_both) -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", two_by_two);
  const auto y = b.user_input("y", two_by_two);
  const auto add = b.call("add", "aten.add.Tensor", {x, y}, two_by_two);
  const auto mul = b.call("mul", "aten.mul.Tensor", {add, y}, two_by_two);
  const auto sub =
      sub_takes_both ? b.call("sub", "aten.sub.Tensor", {add, mul}, two_by_two) : b.call("sub", "aten.sub.Tensor", {mul, y}, two_by_two);
  b.output(b.call("add_1", "aten.add.Tensor", {sub, sub_takes_both ? mul : y}, two_by_two));
  return b.finish();
}

/// Extracts the part {add, mul}, and replaces it by a call.
constexpr auto is_cut(const exported_program& program, std::size_t outputs) -> bool {
  using partitioner = tags::partitioner<tags::part<"tag", "DemoBackend", "add mul">>;
  const auto tagged = tag_program(program, partitioner{}).value;
  const auto part = extract(tagged, boundary_of(tagged, parts_of(tagged)[0])).value;
  const auto lowered = to_backend(backends<conformance::demo_backend>, program, partitioner{});
  return part.root().nodes.size == 2 && part.root().outputs.size == outputs && !verify(part) && means_the_same(program, lowered) &&
         non_lowered_nodes(lowered).size() == 2;
}
// In the original, the last operator of both programs is a division. Here, it is a sum, so that nothing is divided by zero.
constexpr auto t_del_4() -> bool { return is_cut(chain(false), 1); }
static_assert(t_del_4());
constexpr auto t_del_5() -> bool { return is_cut(chain(true), 2); }
static_assert(t_del_5());

}  // namespace

TEST_CASE("a handwritten lowered module can be called, and computes the same as its original program (T-DEL-1)") { CHECK(t_del_1()); }
TEST_CASE("a delegate call keeps the processed bytes and specs of the module; operators may use its result (T-DEL-2)") { CHECK(t_del_2()); }
TEST_CASE("a field of a lowered module cannot be assigned (T-DEL-3, E25)") { CHECK(t_del_3); }
TEST_CASE("a part with one result returns a list of one (T-DEL-4)") { CHECK(t_del_4()); }
TEST_CASE("a part with two results returns both (T-DEL-5)") { CHECK(t_del_5()); }

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Section 4.12, the rows of identity and of inspection. The original reads a lowered module with a get_attr node. In Baton, the call refers
// to the module, so the rows about such nodes apply to lowered modules.
#include <baton/compat/executorch/delegated_graph.hpp>
#include <baton/compat/executorch/inspection.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/graph/identical.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using conformance::two_by_two;

constexpr auto target = backends<conformance::backend_with_compiler_demo>;
constexpr auto model = static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = to_backend(target, model, conformance::add_mul_partitioner_demo{});

constexpr auto returns_inputs(bool both) -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", two_by_two);
  const auto y = b.user_input("y", two_by_two);
  b.output(x);
  if (both) b.output(y);
  return b.finish();
}
constexpr auto t_ut_1() -> bool { return is_identical(returns_inputs(false), returns_inputs(false)); }
static_assert(t_ut_1());
constexpr auto t_ut_2() -> bool {
  return is_identical(returns_inputs(true), returns_inputs(true)) && !is_identical(returns_inputs(true), returns_inputs(false));
}
static_assert(t_ut_2());

constexpr auto t_ut_3() -> bool { return is_identical(conformance::g_mlp(), conformance::g_mlp()); }
static_assert(t_ut_3());

/// linear(x + param).clamp(0, 1), the linear decomposed.
constexpr auto composite(double max = 1) -> exported_program {
  program_builder b;
  const auto param = b.parameter("param", two_by_two);
  const auto weight = b.parameter("linear.weight", two_by_two);
  const auto bias = b.parameter("linear.bias", tensor(dtype::float32, 2));
  const auto x = b.user_input("x", two_by_two);
  const auto add = b.call("add", "aten.add.Tensor", {x, param}, two_by_two);
  constexpr std::int64_t dims[] = {1, 0};
  const auto permute = b.call("permute_copy", "aten.permute_copy.default", {weight}, two_by_two, {{"dims", dims}});
  const auto addmm = b.call("addmm", "aten.addmm.default", {bias, add, permute}, two_by_two);
  b.output(b.call("clamp", "aten.clamp.default", {addmm}, two_by_two, {{"min", 0.0}, {"max", max}}));
  return b.finish();
}
constexpr auto t_ut_4() -> bool { return is_identical(composite(), composite()); }
static_assert(t_ut_4());
// The original ignores literal arguments, so it reports these as identical (R132, Q15).
constexpr auto q15() -> bool { return !is_identical(composite(1), composite(6)); }
static_assert(q15());

constexpr auto plus(bool both) -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", two_by_two);
  const auto y = b.user_input("y", two_by_two);
  b.output(b.call("add", "aten.add.Tensor", {x}, two_by_two, {{"other", 1}}));
  if (both) b.output(b.call("add_1", "aten.add.Tensor", {y}, two_by_two, {{"other", 2}}));
  return b.finish();
}
constexpr auto t_ut_5() -> bool { return !is_identical(plus(false), plus(true)) && !is_identical(plus(true), plus(false)); }
static_assert(t_ut_5());

constexpr auto t_ut_8() -> bool {
  const auto left = non_lowered_nodes(lowered);
  return left.size() == 1 && lowered->text(lowered.value()[left[0]].name) == "sub";
}
static_assert(t_ut_8());

constexpr auto t_ut_9() -> bool { return delegates(lowered).size() == 2 && lowered_submodules(lowered).size() == 2; }
static_assert(t_ut_9());

constexpr std::string_view formatted =
    "graph():\n"
    "  %a : [num_users=2] = placeholder[target=a]\n"
    "  %x : [num_users=2] = placeholder[target=x]\n"
    "  %b : [num_users=2] = placeholder[target=b]\n"
    "  %lowered_module_0 : [num_users=1] = get_attr[target=lowered_module_0]\n"
    "    backend_id: BackendWithCompilerDemo\n"
    "    lowered graph():\n"
    "      %a : [num_users=1] = placeholder[target=a]\n"
    "      %x : [num_users=1] = placeholder[target=x]\n"
    "      %b : [num_users=1] = placeholder[target=b]\n"
    "      %mm : [num_users=1] = call_function[target=aten.mm.default](args = (%a, %x), kwargs = {})\n"
    "      %add : [num_users=1] = call_function[target=aten.add.Tensor](args = (%mm, %b), kwargs = {})\n"
    "      return (add,)\n"
    "  %add : [num_users=1] = call_function[target=executorch_call_delegate](args = (%lowered_module_0, %a, %x, %b), kwargs = {})\n"
    "  %sub : [num_users=1] = call_function[target=aten.sub.Tensor](args = (%add, %a), kwargs = {})\n"
    "  %lowered_module_1 : [num_users=1] = get_attr[target=lowered_module_1]\n"
    "    backend_id: BackendWithCompilerDemo\n"
    "    lowered graph():\n"
    "      %sub : [num_users=1] = placeholder[target=sub]\n"
    "      %x : [num_users=1] = placeholder[target=x]\n"
    "      %b : [num_users=1] = placeholder[target=b]\n"
    "      %mm_1 : [num_users=1] = call_function[target=aten.mm.default](args = (%sub, %x), kwargs = {})\n"
    "      %add_1 : [num_users=1] = call_function[target=aten.add.Tensor](args = (%mm_1, %b), kwargs = {})\n"
    "      return (add_1,)\n"
    "  %add_1 : [num_users=1] = call_function[target=executorch_call_delegate](args = (%lowered_module_1, %sub, %x, %b), kwargs = {})\n"
    "  return (add_1,)\n";
constexpr auto t_ut_10() -> bool { return view(report::delegated_graph(lowered)) == formatted; }
static_assert(t_ut_10());

constexpr std::string_view processed_bytes_0 =
    "2version:0#op:demo::aten.mm.default, numel:4, dtype:torch.float32<debug_handle>1#"
    "op:demo::aten.add.Tensor, numel:4, dtype:torch.float32<debug_handle>2#";
constexpr std::string_view processed_bytes_1 =
    "2version:0#op:demo::aten.mm.default, numel:4, dtype:torch.float32<debug_handle>4#"
    "op:demo::aten.add.Tensor, numel:4, dtype:torch.float32<debug_handle>5#";
static_assert(processed_bytes_0.size() == 151);

constexpr auto t_ut_11() -> bool {
  const auto payload = delegated_payload(lowered);
  const auto is = [&](std::size_t at, std::string_view name, std::string_view processed_bytes) {
    const auto& [key, carried] = payload[at];
    return key == name && carried.backend_id == "BackendWithCompilerDemo" && carried.processed_bytes == processed_bytes &&
           carried.compile_specs.size() == 1 && lowered->text(carried.compile_specs[0].key) == "max_value" &&
           lowered->text(carried.compile_specs[0].value) == "\x04";
  };
  return payload.size() == 2 && is(0, "lowered_module_0", processed_bytes_0) && is(1, "lowered_module_1", processed_bytes_1);
}
static_assert(t_ut_11());

constexpr auto t_ut_12() -> bool { return delegated_payload(plus(false)).empty(); }
static_assert(t_ut_12());

constexpr auto t_ut_13() -> bool {
  const auto payload = delegated_payload(lowered);
  const auto modules = delegates(lowered);
  if (payload.size() != modules.size()) return false;
  for (std::size_t i = 0; i < payload.size(); ++i) {
    if (payload[i].first != modules[i].name()) return false;
  }
  return true;
}
static_assert(t_ut_13());

// Neither the original's functions nor these inspect subgraphs by default.
constexpr auto r213() -> bool {
  const auto program = to_backend(target, conformance::g_cond(), conformance::add_mul_partitioner_demo{});
  const auto all = lowered_submodules(program, reach::branches);
  return delegates(program).size() == 1 && delegates(program, graph_id{0}, reach::branches).size() == 3 &&
         lowered_submodules(program).size() == 1 && all.size() == 3 && all[0].graph == graph_id{0} && all[1].graph != all[2].graph &&
         program[all[1].node].is(call_delegate) && delegated_payload(program).size() == 1 &&
         delegated_payload(program, reach::branches).size() == 3 && non_lowered_nodes(program).size() == 5 &&
         non_lowered_nodes(program, reach::branches).size() == 9;
}
static_assert(r213());

}  // namespace

TEST_CASE("a graph with an unused input is identical to itself (T-UT-1)") { CHECK(t_ut_1()); }
TEST_CASE("a graph that returns its inputs is identical to itself (T-UT-2)") { CHECK(t_ut_2()); }
TEST_CASE("a linear layer is identical to itself (T-UT-3)") { CHECK(t_ut_3()); }
TEST_CASE("a graph of several operators is identical to itself (T-UT-4)") { CHECK(t_ut_4()); }
TEST_CASE("a graph with one addition is not identical to one with two (T-UT-5)") { CHECK(t_ut_5()); }
TEST_CASE("graphs that differ in a literal are not identical (Q15)") { CHECK(q15()); }
TEST_CASE("the nodes that are not lowered are listed: here one (T-UT-8)") { CHECK(t_ut_8()); }
TEST_CASE("the delegates of a program are listed: here two (T-UT-9)") { CHECK(t_ut_9()); }
TEST_CASE("a graph is printed with its delegates as text (T-UT-10)") {
  CHECK(std::string(view(report::delegated_graph(to_backend(target, conformance::g_mmadd(), conformance::add_mul_partitioner_demo{})))) ==
        formatted);
  CHECK(t_ut_10());
}
TEST_CASE("the payloads of two delegates are listed (T-UT-11)") { CHECK(t_ut_11()); }
TEST_CASE("a program without delegates has no payloads (T-UT-12)") { CHECK(t_ut_12()); }
TEST_CASE("payloads have the names of their delegates (T-UT-13)") { CHECK(t_ut_13()); }
TEST_CASE("inspection includes branches on request") { CHECK(r213()); }

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/lower/detail/assemble.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "lower/short_processed_bytes.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using short_processed_bytes::lower;
using short_processed_bytes::target;

constexpr auto type = conformance::two_by_two;

constexpr auto prints(const program_view& program, std::string_view text) -> bool {
  const auto printed = print(program);
  return !verify(program) && view(printed) == text;
}

/// True if no node and no value has a tag (Q9).
constexpr auto is_untagged(const program_view& program) -> bool {
  for (const auto& record : program.nodes) {
    if (record.tag != none<tag_id>) return false;
  }
  for (const auto& record : program.values) {
    if (record.tag != none<tag_id>) return false;
  }
  return program.tags.empty();
}

// G-MMADD in graph order, which does not depend on the order of the tags (Q21): modules, names of calls, handles 6 and 7.
constexpr std::string_view golden_mmadd =
    "forward:\n"
    "  %a = placeholder[target=a]  # float32[2, 2]\n"
    "  %x = placeholder[target=x]  # float32[2, 2]\n"
    "  %b = placeholder[target=b]  # float32[2, 2]\n"
    "  %add = call_function[target=executorch_call_delegate](%lowered_module_0, %a, %x, %b)  # float32[2, 2]\n"
    "    lowered_module_0: backend Npu, 4 bytes\n"
    "      %a = placeholder[target=a]  # float32[2, 2]\n"
    "      %x = placeholder[target=x]  # float32[2, 2]\n"
    "      %b = placeholder[target=b]  # float32[2, 2]\n"
    "      %mm = call_function[target=aten.mm.default](%a, %x)  # float32[2, 2]\n"
    "      %add = call_function[target=aten.add.Tensor](%mm, %b)  # float32[2, 2]\n"
    "      return (%add,)\n"
    "  %sub = call_function[target=aten.sub.Tensor](%add, %a)  # float32[2, 2]\n"
    "  %add_1 = call_function[target=executorch_call_delegate](%lowered_module_1, %sub, %x, %b)  # float32[2, 2]\n"
    "    lowered_module_1: backend Npu, 4 bytes\n"
    "      %sub = placeholder[target=sub]  # float32[2, 2]\n"
    "      %x = placeholder[target=x]  # float32[2, 2]\n"
    "      %b = placeholder[target=b]  # float32[2, 2]\n"
    "      %mm_1 = call_function[target=aten.mm.default](%sub, %x)  # float32[2, 2]\n"
    "      %add_1 = call_function[target=aten.add.Tensor](%mm_1, %b)  # float32[2, 2]\n"
    "      return (%add_1,)\n"
    "  return (%add_1,)\n";

constexpr auto calls_are_numbered_in_graph_order() -> bool {
  const auto reversed = lower<tags::part<"tag1", "Npu", "mm_1 add_1">, tags::part<"tag3", "Npu", "mm add">>(conformance::g_mmadd());
  const auto forward = lower<tags::part<"tag3", "Npu", "mm add">, tags::part<"tag1", "Npu", "mm_1 add_1">>(conformance::g_mmadd());
  return prints(reversed, golden_mmadd) && prints(forward, golden_mmadd) && is_untagged(reversed);
}
static_assert(calls_are_numbered_in_graph_order());

constexpr auto calls_have_unique_names_and_handles() -> bool {
  const auto lowered = lower<tags::part<"tag1", "Npu", "mm_1 add_1">, tags::part<"tag3", "Npu", "mm add">>(conformance::g_mmadd());
  const auto nodes = lowered.nodes_of(lowered.root());
  return nodes.size() == 3 && lowered.text(nodes[0].name) == "executorch_call_delegate" &&
         lowered.text(nodes[2].name) == "executorch_call_delegate_1" && nodes[0].is(call_delegate) && nodes[0].debug_handle == 6 &&
         nodes[1].debug_handle == 3 && nodes[2].debug_handle == 7;
}
static_assert(calls_have_unique_names_and_handles());

// Without parts, the order of the records does not change either.
constexpr auto without_parts_only_tags_are_removed() -> bool {
  const auto program = conformance::g_reuse();
  partition_result tagged(program);
  const auto tag = tagged.add_tag("left");
  tagged.tag_node(node_id{0}, tag);
  tagged.tag_value(program.inputs(program.root())[0], tag, data_sharing::duplicate);
  const auto written = tags::written(tagged, program);
  const auto assembled = assemble(written, {}, {});
  return same(assembled, program) && !same(assembled, written);
}
static_assert(without_parts_only_tags_are_removed());

// Three nodes use the same scratch. Each part and the remaining nodes get separate scratch, and no call receives scratch.
constexpr auto with_scratch() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", type);
  const auto s = b.scratch("s", tensor(dtype::uint8, 64));
  const auto first = b.call("first", "tfl.custom.npu", {x, s, s}, type);
  const auto between = b.call("between", "tfl.custom.cpu", {first, s}, type);
  b.output(b.call("last", "tfl.custom.npu", {between, s}, type));
  return b.finish();
}
constexpr auto every_part_has_its_own_scratch() -> bool {
  const auto lowered = lower<tags::part<"a", "Npu", "first">, tags::part<"b", "Npu", "last">>(with_scratch());
  const program_view program = lowered;
  if (verify(program)) return false;
  const auto nodes = program.nodes_of(program.root());
  const auto has_own = [&](const lowered_module_view& module, std::size_t operand) {
    const auto& original = program[program[module.id()].original];
    const auto id = program.inputs(program.nodes_of(original)[0])[operand];
    return program.inputs(original).size() == 1 && program[id].kind == value_kind::scratch &&
           index(program[id].graph) == index(program[module.id()].original) && program.shape(id)[0] == 64;
  };
  const auto modules = delegates(lowered);
  const auto remaining = program.inputs(nodes[1])[1];
  return nodes.size() == 3 && program.inputs(nodes[0]).size() == 1 && program.inputs(nodes[2]).size() == 1 && has_own(modules[0], 1) &&
         has_own(modules[0], 2) && has_own(modules[1], 1) && program[remaining].kind == value_kind::scratch &&
         program[remaining].graph == graph_id{0};
}
static_assert(every_part_has_its_own_scratch());

// G-SEQ: ExecuTorch calls lowered_module_1 first; in graph order it is lowered_module_0.
constexpr auto golden_g_seq() -> bool {
  const auto lowered =
      lower<tags::part<"first_tag1", "Npu", "add add_1 add_2 add_3 add_4">, tags::part<"second_tag1", "Dsp", "sub sub_1 sub_2">>(
          conformance::g_seq());
  const program_view program = lowered;
  const auto nodes = program.nodes_of(program.root());
  const auto inputs_are = [&](const node& call, std::initializer_list<std::string_view> names) {
    const auto inputs = program.inputs(call);
    std::size_t at = 0;
    for (const auto name : names) {
      if (at == inputs.size() || program.text(program[inputs[at]].name) != name) return false;
      ++at;
    }
    return at == inputs.size();
  };
  const auto modules = delegates(lowered);
  return modules.size() == 2 && modules[0].backend_id() == "Dsp" && modules[0].name() == "lowered_module_0" &&
         modules[1].backend_id() == "Npu" && nodes.size() == 4 && inputs_are(nodes[0], {"x", "y", "z"}) &&
         program.outputs_of(nodes[0]).size() == 3 && inputs_are(nodes[3], {"sub", "mul_1", "sub_2", "sub_1"}) &&
         program.text(nodes[1].name) == "mul" && program.text(nodes[2].name) == "mul_1";
}
static_assert(golden_g_seq());

// R65, R67, R68, T-PART-5: data that a part owns are removed from the owner, whether used or not.
constexpr auto owned_data_leaves_the_owner() -> bool {
  program_builder b;
  const auto w = b.parameter("w", type);
  b.parameter("unused", type);
  const auto k = b.constant("k", type);
  const auto x = b.user_input("x", type);
  b.output(b.call("sum", "add", {x, w, k}, type));
  const auto lowered = lower<tags::part<"t", "Npu", "sum p_w p_unused">>(b.finish());
  return prints(lowered,
                "forward:\n"
                "  %c_k = placeholder[target=k]  # float32[2, 2], constant\n"
                "  %x = placeholder[target=x]  # float32[2, 2]\n"
                "  %sum = call_function[target=executorch_call_delegate](%lowered_module_0, %x, %c_k)  # float32[2, 2]\n"
                "    lowered_module_0: backend Npu, 4 bytes\n"
                "      %p_w = placeholder[target=w]  # float32[2, 2], parameter\n"
                "      %p_unused = placeholder[target=unused]  # float32[2, 2], parameter\n"
                "      %x = placeholder[target=x]  # float32[2, 2]\n"
                "      %c_k = placeholder[target=c_k]  # float32[2, 2]\n"
                "      %sum = call_function[target=add](%x, %p_w, %c_k)  # float32[2, 2]\n"
                "      return (%sum,)\n"
                "  return (%sum,)\n");
}
static_assert(owned_data_leaves_the_owner());

// R85, T-PART-9: the output of the call becomes the owner's mutation.
constexpr auto a_mutation_of_the_owner_follows_the_call() -> bool {
  const auto lowered = lower<tags::part<"tag0", "Npu", "add add_1">>(conformance::g_mut());
  return prints(lowered,
                "forward:\n"
                "  %b_my_state = placeholder[target=my_state]  # float32[2, 2], mutable buffer\n"
                "  %c_lifted_tensor_0 = placeholder[target=lifted_tensor_0]  # float32[2, 2], constant\n"
                "  %x = placeholder[target=x]  # float32[2, 2]\n"
                "  %add, %add_1 = call_function[target=executorch_call_delegate](%lowered_module_0, %x, %b_my_state, %c_lifted_tensor_0)  "
                "# float32[2, 2], float32[2, 2]\n"
                "    lowered_module_0: backend Npu, 4 bytes\n"
                "      %x = placeholder[target=x]  # float32[2, 2]\n"
                "      %b_my_state = placeholder[target=b_my_state]  # float32[2, 2]\n"
                "      %c_lifted_tensor_0 = placeholder[target=c_lifted_tensor_0]  # float32[2, 2]\n"
                "      %add = call_function[target=aten.add.Tensor](%x, %b_my_state)  # float32[2, 2]\n"
                "      %add_1 = call_function[target=aten.add.Tensor](%b_my_state, %c_lifted_tensor_0)  # float32[2, 2]\n"
                "      return (%add, %add_1)\n"
                "  return (%add_1, %add)  # %add_1 mutates my_state\n");
}
static_assert(a_mutation_of_the_owner_follows_the_call());

// R86, R112, T-PART-10: the part owns the buffer and its mutation. The call returns the user output only (Q13).
constexpr auto a_mutation_of_a_part_leaves_the_owner() -> bool {
  const auto lowered = lower<tags::part<"tag0", "Npu", "add add_1 b_my_state c_lifted_tensor_0">>(conformance::g_mut());
  return prints(lowered,
                "forward:\n"
                "  %x = placeholder[target=x]  # float32[2, 2]\n"
                "  %add = call_function[target=executorch_call_delegate](%lowered_module_0, %x)  # float32[2, 2]\n"
                "    lowered_module_0: backend Npu, 4 bytes\n"
                "      %b_my_state = placeholder[target=my_state]  # float32[2, 2], mutable buffer\n"
                "      %c_lifted_tensor_0 = placeholder[target=lifted_tensor_0]  # float32[2, 2], constant\n"
                "      %x = placeholder[target=x]  # float32[2, 2]\n"
                "      %add = call_function[target=aten.add.Tensor](%x, %b_my_state)  # float32[2, 2]\n"
                "      %add_1 = call_function[target=aten.add.Tensor](%b_my_state, %c_lifted_tensor_0)  # float32[2, 2]\n"
                "      return (%add_1, %add)  # %add_1 mutates my_state\n"
                "  return (%add,)\n");
}
static_assert(a_mutation_of_a_part_leaves_the_owner());

// A part is called even if its only output is a mutation.
constexpr auto a_part_that_only_mutates_is_called() -> bool {
  program_builder b;
  const auto state = b.mutable_buffer("state", type);
  const auto x = b.user_input("x", type);
  b.mutation(b.call("next", "add", {state, x}, type), "state");
  b.output(x);
  const auto lowered = lower<tags::part<"t", "Npu", "next b_state">>(b.finish());
  return prints(lowered,
                "forward:\n"
                "  %x = placeholder[target=x]  # float32[2, 2]\n"
                "  call_function[target=executorch_call_delegate](%lowered_module_0, %x)\n"
                "    lowered_module_0: backend Npu, 4 bytes\n"
                "      %b_state = placeholder[target=state]  # float32[2, 2], mutable buffer\n"
                "      %x = placeholder[target=x]  # float32[2, 2]\n"
                "      %next = call_function[target=add](%b_state, %x)  # float32[2, 2]\n"
                "      return (%next,)  # %next mutates state\n"
                "  return (%x,)\n");
}
static_assert(a_part_that_only_mutates_is_called());

/// A branch with two nodes, called from the root after another node.
constexpr auto branching() -> exported_program {
  program_builder b;
  const auto root = b.current();
  const auto branch = b.add_graph("true_graph");
  const auto y = b.user_input("y", type);
  b.output(b.call("in_2", "neg", {b.call("in_1", "neg", {y}, type)}, type));
  b.enter(root);
  const auto x = b.user_input("x", type);
  const auto out = b.call("out", "neg", {x}, type);
  b.output(b.call_many("cond", "test.cond", {out}, {type}, {}, {branch})[0]);
  return b.finish();
}

// R26, R57, Q4: parts in branches become calls there, and no two nodes of the owner share a handle.
constexpr auto parts_in_branches_become_calls_there() -> bool {
  const auto lowered = lower<tags::part<"t", "Npu", "out in_1">, tags::part<"s", "Dsp", "in_2">>(branching());
  const bool good = prints(lowered,
                           "forward:\n"
                           "  %x = placeholder[target=x]  # float32[2, 2]\n"
                           "  %out = call_function[target=executorch_call_delegate](%lowered_module_0, %x)  # float32[2, 2]\n"
                           "    lowered_module_0: backend Npu, 4 bytes\n"
                           "      %x = placeholder[target=x]  # float32[2, 2]\n"
                           "      %out = call_function[target=neg](%x)  # float32[2, 2]\n"
                           "      return (%out,)\n"
                           "  %cond_0 = call_function[target=test.cond](%out, subgraphs=[true_graph])  # float32[2, 2]\n"
                           "    true_graph:\n"
                           "      %y = placeholder[target=y]  # float32[2, 2]\n"
                           "      %in_1 = call_function[target=executorch_call_delegate](%lowered_module_0, %y)  # float32[2, 2]\n"
                           "        lowered_module_0: backend Npu, 4 bytes\n"
                           "          %y = placeholder[target=y]  # float32[2, 2]\n"
                           "          %in_1 = call_function[target=neg](%y)  # float32[2, 2]\n"
                           "          return (%in_1,)\n"
                           "      %in_2 = call_function[target=executorch_call_delegate](%lowered_module_1, %in_1)  # float32[2, 2]\n"
                           "        lowered_module_1: backend Dsp, 4 bytes\n"
                           "          %in_1 = placeholder[target=in_1]  # float32[2, 2]\n"
                           "          %in_2 = call_function[target=neg](%in_1)  # float32[2, 2]\n"
                           "          return (%in_2,)\n"
                           "      return (%in_2,)\n"
                           "  return (%cond_0,)\n");
  baton::vector<std::uint32_t> handles;
  for (const auto& record : lowered.nodes) {
    if (record.is(call_delegate)) handles.push_back(record.debug_handle);
  }
  return good && is_untagged(lowered) && handles.size() == 3 && handles[0] != handles[1] && handles[1] != handles[2] &&
         handles[0] != handles[2] && handles[0] > 4 && handles[1] > 4 && handles[2] > 4;
}
static_assert(parts_in_branches_become_calls_there());

// A node with a branch may be in a part; the branch becomes part of it.
constexpr auto a_branch_becomes_part_of_its_node() -> bool {
  const auto lowered = lower<tags::part<"t", "Npu", "cond">>(branching());
  const auto modules = delegates(lowered);
  const program_view program = lowered;
  return !verify(lowered) && modules.size() == 1 && program.nodes_of(program[modules[0].original()]).size() == 1 &&
         program.subgraphs_of(program.nodes_of(program[modules[0].original()])[0]).size() == 1 && program.graphs.size() == 3;
}
static_assert(a_branch_becomes_part_of_its_node());

// R30
constexpr auto nothing_tagged_changes_nothing() -> bool {
  auto program = branching();
  program.graphs[0].name = {nullptr, program.nodes[0].name.first, program.nodes[0].name.size};
  return same(lower<>(program), program) && same(lower<tags::part<"t", "Npu", "nowhere">>(program), program) &&
         same(lower<>(conformance::g_mut()), conformance::g_mut());
}
static_assert(nothing_tagged_changes_nothing());

constexpr auto the_root_keeps_its_name() -> bool {
  auto program = conformance::g_sin();
  program.graphs[0].name = program.nodes[0].name;
  const auto lowered = lower<tags::part<"t", "Npu", "sin">>(program);
  return lowered.text(lowered.root().name) == "sin";
}
static_assert(the_root_keeps_its_name());

constexpr auto several_entry_points_are_kept() -> bool {
  program_builder b;
  b.output(b.call("one", "neg", {b.user_input("x", type)}, type));
  b.add_graph("prefill");
  b.output(b.call("two", "neg", {b.user_input("y", type)}, type));
  const auto lowered = lower<tags::part<"t", "Npu", "one two">>(b.finish());
  const program_view program = lowered;
  std::size_t named = 0;
  for (const auto& g : program.graphs) named += program.text(g.name) == "prefill" ? 1u : 0u;
  return !verify(program) && named == 1 && program.delegates.size() == 2 && delegates(lowered).size() == 1;
}
static_assert(several_entry_points_are_kept());

}  // namespace

TEST_CASE("delegate calls replace the parts, numbered in graph order, and no tag remains (Q9, Q21)") {
  CHECK(calls_are_numbered_in_graph_order());
  CHECK(without_parts_only_tags_are_removed());
  CHECK(calls_have_unique_names_and_handles());
  CHECK(golden_g_seq());
  const auto lowered = lower<tags::part<"tag1", "Npu", "mm_1 add_1">, tags::part<"tag3", "Npu", "mm add">>(conformance::g_mmadd());
  CHECK(std::string(view(print(lowered))) == std::string(golden_mmadd));
}

TEST_CASE("every part and the remaining nodes have separate scratch") { CHECK(every_part_has_its_own_scratch()); }

TEST_CASE("data and mutations of a part are removed from its owner, and the call returns only the outputs that are used (Q13)") {
  CHECK(owned_data_leaves_the_owner());
  CHECK(a_mutation_of_the_owner_follows_the_call());
  CHECK(a_mutation_of_a_part_leaves_the_owner());
  CHECK(a_part_that_only_mutates_is_called());
}

TEST_CASE("parts in branches become calls there") {
  CHECK(parts_in_branches_become_calls_there());
  CHECK(a_branch_becomes_part_of_its_node());
}

TEST_CASE("nodes outside of the parts are unchanged") {
  CHECK(nothing_tagged_changes_nothing());
  CHECK(the_root_keeps_its_name());
  CHECK(several_entry_points_are_kept());
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/lower/shared/part.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/shared/check_parts.hpp>
#include <baton/lower/shared/extract.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

namespace {

using namespace baton;

constexpr auto type = conformance::two_by_two;

template <class Partitioner>
constexpr auto tagged_by(const exported_program& program) -> exported_program {
  return tag_program(program, Partitioner{}).value;
}
template <fixed_string Names>
constexpr auto tagged(const exported_program& program) -> exported_program {
  return tagged_by<tags::partitioner<tags::part<"t", "Npu", Names>>>(program);
}

/// The names of the values or nodes `ids`, separated by blanks.
template <class Id>
constexpr auto names(const program_view& program, const baton::vector<Id>& ids) -> text_buffer {
  text_buffer text;
  for (const auto id : ids) append(append(text, text.empty() ? "" : " "), program.text(program[id].name));
  return text;
}
template <class Id>
constexpr auto have_names(const program_view& program, const baton::vector<Id>& ids, std::string_view expected) -> bool {
  return view(names(program, ids)) == expected;
}

/// The boundary of the first part.
constexpr auto boundary_of_first(const exported_program& program) -> part_boundary { return boundary_of(program, parts_of(program)[0]); }

constexpr auto extract_prints(const exported_program& program, std::string_view text) -> bool {
  const auto part = extract(program, boundary_of_first(program));
  return part && !verify(part.value) && view(print(part.value)) == text;
}

// R57 to R61, R25

constexpr auto parts_follow_the_tag_map_within_a_graph() -> bool {
  using partitioner =
      tags::partitioner<tags::part<"b", "Npu", "add_1">, tags::part<"none", "Npu", "nothing">, tags::part<"a", "Npu", "mm add">>;
  const auto program = tagged_by<partitioner>(conformance::g_mmadd());
  const auto parts = parts_of(program);
  return parts.size() == 2 && parts[0].tag == tag_id{0} && parts[1].tag == tag_id{2} && parts[0].graph == graph_id{0};
}
static_assert(parts_follow_the_tag_map_within_a_graph());

constexpr auto one_tag_in_two_graphs_is_two_parts() -> bool {
  program_builder b;
  const auto root = b.current();
  const auto branch = b.add_graph("branch");
  b.output(b.call("in", "neg", {b.user_input("y", type)}, type));
  b.enter(root);
  const auto sum = b.call("out", "neg", {b.user_input("x", type)}, type);
  b.output(b.call_many("cond", "test.cond", {sum}, {type}, {}, {branch})[0]);
  const auto program = tagged<"in out">(b.finish());
  const auto parts = parts_of(program);
  return !check_parts(program) && parts.size() == 2 && parts[0].graph == graph_id{0} && parts[1].graph == graph_id{1} &&
         parts[0].tag == parts[1].tag && have_names(program, boundary_of(program, parts[1]).nodes, "in");
}
static_assert(one_tag_in_two_graphs_is_two_parts());

constexpr auto tags_without_a_spec_form_no_part() -> bool {
  const auto program = tagged_by<tags::writes<[](partition_result& to) {
    to.tag_node(node_id{0}, to.add_tag("t"));
    to.tag_value(value_id{0}, tag_id{0});
    to.tag_value(value_id{7}, tag_id{0});
  }>>(conformance::g_mmadd());
  return parts_of(program).empty() && !check_parts(program);
}
static_assert(tags_without_a_spec_form_no_part());

// R93: arguments are in the order of first use: nodes in graph order, operands from left to right.

constexpr auto arguments_are_in_the_order_of_first_use() -> bool {
  const auto seq = tagged<"add add_1 add_2 add_3 add_4">(conformance::g_seq());
  const auto mmadd = tagged<"mm_1 add_1">(conformance::g_mmadd());
  return have_names(seq, boundary_of_first(seq).arguments, "sub mul_1 sub_2 sub_1") &&
         have_names(mmadd, boundary_of_first(mmadd).arguments, "sub x b") &&
         have_names(mmadd, boundary_of_first(mmadd).nodes, "mm_1 add_1");
}
static_assert(arguments_are_in_the_order_of_first_use());

// R95: the outputs are the values with a user outside the part, each once, in graph order. They may also be used inside, or be returned
// twice.

constexpr auto outputs_are_the_values_used_outside() -> bool {
  const auto seq = tagged<"sub sub_1 sub_2">(conformance::g_seq());
  program_builder b;
  const auto x = b.user_input("x", type);
  const auto first = b.call("first", "neg", {x}, type);
  const auto second = b.call("second", "neg", {first}, type);
  const auto inner = b.call("inner", "neg", {second}, type);
  const auto last = b.call("last", "add", {inner, first}, type);
  b.output(b.call("user", "add", {second, last}, type));
  b.output(second);
  b.output(second);
  const auto both = tagged<"first second inner last">(b.finish());
  return have_names(seq, boundary_of_first(seq).outputs, "sub sub_1 sub_2") &&
         have_names(both, boundary_of_first(both).outputs, "second last") && boundary_of_first(both).mutations.empty();
}
static_assert(outputs_are_the_values_used_outside());

constexpr auto one_of_several_outputs_is_enough() -> bool {
  program_builder b;
  const auto x = b.user_input("x", type);
  const auto pair = b.call_many("pair", "split", {x, none<value_id>}, {type, type, type});
  b.output(b.call("user", "add", {pair[2], pair[0]}, type));
  const auto program = tagged<"pair">(b.finish());
  const auto part = boundary_of_first(program);
  return have_names(program, part.outputs, "pair_0 pair_2") && have_names(program, part.arguments, "x") &&
         extract_prints(
             program,
             "forward:\n"
             "  %x = placeholder[target=x]  # float32[2, 2]\n"
             "  %pair_0, %pair_1, %pair_2 = call_function[target=split](%x, None)  # float32[2, 2], float32[2, 2], float32[2, 2]\n"
             "  return (%pair_0, %pair_2)\n");
}
static_assert(one_of_several_outputs_is_enough());

// R66, R67, R103, T-PART-4 to T-PART-6

constexpr auto untagged_data_is_an_argument() -> bool {
  return extract_prints(tagged<"add add_1 add_2">(conformance::g_add3()),
                        "forward:\n"
                        "  %x = placeholder[target=x]  # float32[2, 2]\n"
                        "  %b_const1 = placeholder[target=b_const1]  # float32[2, 2]\n"
                        "  %b_const2 = placeholder[target=b_const2]  # float32[2, 2]\n"
                        "  %p_const3 = placeholder[target=p_const3]  # float32[2, 2]\n"
                        "  %add = call_function[target=aten.add.Tensor](%x, %b_const1)  # float32[2, 2]\n"
                        "  %add_1 = call_function[target=aten.add.Tensor](%add, %b_const2)  # float32[2, 2]\n"
                        "  %add_2 = call_function[target=aten.add.Tensor](%add_1, %p_const3)  # float32[2, 2]\n"
                        "  return (%add_2,)\n");
}
static_assert(untagged_data_is_an_argument());

constexpr auto tagged_data_is_owned_parameters_first() -> bool {
  return extract_prints(tagged<"add add_1 add_2 p_const3 b_const1 b_const2">(conformance::g_add3()),
                        "forward:\n"
                        "  %p_const3 = placeholder[target=const3]  # float32[2, 2], parameter\n"
                        "  %b_const1 = placeholder[target=const1]  # float32[2, 2], buffer\n"
                        "  %b_const2 = placeholder[target=const2]  # float32[2, 2], buffer\n"
                        "  %x = placeholder[target=x]  # float32[2, 2]\n"
                        "  %add = call_function[target=aten.add.Tensor](%x, %b_const1)  # float32[2, 2]\n"
                        "  %add_1 = call_function[target=aten.add.Tensor](%add, %b_const2)  # float32[2, 2]\n"
                        "  %add_2 = call_function[target=aten.add.Tensor](%add_1, %p_const3)  # float32[2, 2]\n"
                        "  return (%add_2,)\n");
}
static_assert(tagged_data_is_owned_parameters_first());

constexpr auto kinds_of_owned_data_are_grouped() -> bool {
  program_builder b;
  const auto k = b.constant("k", type);
  const auto m = b.mutable_buffer("m", type);
  const auto n = b.buffer("n", type);
  const auto p = b.parameter("p", type);
  const auto unused = b.parameter("unused", type);
  static_cast<void>(unused);
  b.output(b.call("sum", "sum", {k, m, n, p}, type));
  const auto program = tagged<"sum c_k b_m b_n p_p p_unused">(b.finish());
  const auto part = boundary_of_first(program);
  return !check_parts(program) && have_names(program, part.owned, "p_p p_unused b_m b_n c_k") && part.arguments.empty();
}
static_assert(kinds_of_owned_data_are_grouped());

constexpr auto parts_keep_data_handles_and_quantization() -> bool {
  constexpr std::string_view data = "abcd";
  program_builder b;
  const auto four = tensor(dtype::int8, 4);
  const auto w = b.constant("w", four, data);
  const auto v = b.constant("v", four, data);
  const auto x = b.user_input("x", four);
  b.quantize(w, 0.5f, 3);
  b.quantize(x, 0.25f, 1);
  const auto neg = b.call("neg", "neg", {x}, four);
  b.output(b.call("sum", "sum", {neg, w, v, x}, four, {{"n", 5}}));
  const auto program = tagged<"sum c_w">(b.finish());
  const auto part = extract(program, boundary_of_first(program));
  const program_view part_view = part.value;
  const auto inputs = part_view.inputs(part_view.root());
  return part && inputs.size() == 4 && part_view.text(part_view[inputs[0]].data) == "abcd" &&
         part_view.scale(part_view[inputs[0]].quant) == 0.5f && part_view[inputs[1]].kind == value_kind::user_input &&
         part_view.text(part_view[inputs[1]].name) == "neg" && part_view[inputs[2]].data.size == 0 &&
         part_view.scale(part_view[inputs[3]].quant) == 0.25f && part_view.nodes[0].debug_handle == 2 &&
         part_view.integer(part_view.nodes[0], "n") == 5;
}
static_assert(parts_keep_data_handles_and_quantization());

// R85, R86, R88

constexpr auto a_mutation_of_a_buffer_of_the_owner_is_an_output() -> bool {
  const auto program = tagged<"add add_1">(conformance::g_mut());
  const auto part = boundary_of_first(program);
  return part.mutations.empty() && have_names(program, part.outputs, "add add_1") &&
         have_names(program, part.arguments, "x b_my_state c_lifted_tensor_0");
}
static_assert(a_mutation_of_a_buffer_of_the_owner_is_an_output());

constexpr auto a_mutation_of_an_owned_buffer_comes_first() -> bool {
  return extract_prints(tagged<"add add_1 b_my_state">(conformance::g_mut()),
                        "forward:\n"
                        "  %b_my_state = placeholder[target=my_state]  # float32[2, 2], mutable buffer\n"
                        "  %x = placeholder[target=x]  # float32[2, 2]\n"
                        "  %c_lifted_tensor_0 = placeholder[target=c_lifted_tensor_0]  # float32[2, 2]\n"
                        "  %add = call_function[target=aten.add.Tensor](%x, %b_my_state)  # float32[2, 2]\n"
                        "  %add_1 = call_function[target=aten.add.Tensor](%b_my_state, %c_lifted_tensor_0)  # float32[2, 2]\n"
                        "  return (%add_1, %add)  # %add_1 mutates my_state\n");
}
static_assert(a_mutation_of_an_owned_buffer_comes_first());

// R107, R108: mutations are in graph order, which may differ from the owner's signature.
constexpr auto mutations_come_in_graph_order() -> bool {
  program_builder b;
  const auto early = b.mutable_buffer("early", type);
  const auto late = b.mutable_buffer("late", type);
  const auto x = b.user_input("x", type);
  const auto first = b.call("first", "add", {early, x}, type);
  const auto middle = b.call("middle", "neg", {x}, type);
  const auto second = b.call("second", "add", {late, middle}, type);
  b.mutation(second, "late");
  b.mutation(first, "early");
  b.output(middle);
  return extract_prints(tagged<"first middle second b_early b_late">(b.finish()),
                        "forward:\n"
                        "  %b_early = placeholder[target=early]  # float32[2, 2], mutable buffer\n"
                        "  %b_late = placeholder[target=late]  # float32[2, 2], mutable buffer\n"
                        "  %x = placeholder[target=x]  # float32[2, 2]\n"
                        "  %first = call_function[target=add](%b_early, %x)  # float32[2, 2]\n"
                        "  %middle = call_function[target=neg](%x)  # float32[2, 2]\n"
                        "  %second = call_function[target=add](%b_late, %middle)  # float32[2, 2]\n"
                        "  return (%first, %second, %middle)  # %first mutates early, %second mutates late\n");
}
static_assert(mutations_come_in_graph_order());

// A new value that other nodes use is both a mutation and an output. ExecuTorch would remove it from these nodes. E23 has no other
// counterpart here: a call has no output for a mutation, and an operand names a value.
constexpr auto a_mutation_with_other_users_is_also_an_output() -> bool {
  program_builder b;
  const auto state = b.mutable_buffer("state", type);
  const auto x = b.user_input("x", type);
  const auto next = b.call("next", "add", {state, x}, type);
  b.mutation(next, "state");
  b.output(b.call("user", "neg", {next}, type));
  const auto program = tagged<"next b_state">(b.finish());
  const auto part = boundary_of_first(program);
  return !check_parts(program) && have_names(program, part.mutations, "next") && have_names(program, part.outputs, "next");
}
static_assert(a_mutation_with_other_users_is_also_an_output());

constexpr auto boundaries_of_several_parts_equal_those_of_each() -> bool {
  using partitioner = tags::partitioner<tags::part<"first", "Npu", "add add_1 add_2 add_3 add_4">,
                                        tags::part<"second", "Dsp", "sub sub_1 sub_2">, tags::part<"third", "Dsp", "mul">>;
  const auto program = tagged_by<partitioner>(conformance::g_seq());
  const auto parts = parts_of(program);
  const auto all = boundaries_of(program, parts);
  if (parts.size() != 3 || all.size() != 3 || !boundaries_of(program, {}).empty()) return false;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto one = boundary_of(program, parts[i]);
    if (one.nodes != all[i].nodes || one.arguments != all[i].arguments || one.outputs != all[i].outputs) return false;
  }
  return have_names(program, all[0].arguments, "sub mul_1 sub_2 sub_1") && have_names(program, all[2].arguments, "sub sub_1");
}
static_assert(boundaries_of_several_parts_equal_those_of_each());

}  // namespace

TEST_CASE("a part is identified by its graph and its tag") {
  CHECK(parts_follow_the_tag_map_within_a_graph());
  CHECK(one_tag_in_two_graphs_is_two_parts());
  CHECK(tags_without_a_spec_form_no_part());
}

TEST_CASE("an extracted part has its arguments, outputs and owned data in order") {
  CHECK(arguments_are_in_the_order_of_first_use());
  CHECK(outputs_are_the_values_used_outside());
  CHECK(one_of_several_outputs_is_enough());
  CHECK(untagged_data_is_an_argument());
  CHECK(tagged_data_is_owned_parameters_first());
  CHECK(kinds_of_owned_data_are_grouped());
  CHECK(parts_keep_data_handles_and_quantization());
  CHECK(boundaries_of_several_parts_equal_those_of_each());
}

TEST_CASE("the owner of a buffer has its mutation") {
  CHECK(a_mutation_of_a_buffer_of_the_owner_is_an_output());
  CHECK(a_mutation_of_an_owned_buffer_comes_first());
  CHECK(mutations_come_in_graph_order());
  CHECK(a_mutation_with_other_users_is_also_an_output());
}

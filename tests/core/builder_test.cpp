// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/operators/verify.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace {

using namespace baton;
using enum dtype;
using namespace std::string_view_literals;

constexpr auto four = tensor(int8, 4);

constexpr auto nodes_are_named_after_their_operator() -> bool {
  program_builder b;
  const auto x = b.user_input("x", four);
  const auto add = b.call("aten.add.Tensor", {x, x}, four);
  const auto add_1 = b.call("aten.add.Tensor", {add, x}, four);
  b.output(b.call("mine", "aten.add.Tensor", {add_1, x}, four));
  const auto program = b.finish();
  return program.text(program[add].name) == "aten_add_tensor" && program.text(program[add_1].name) == "aten_add_tensor_1" &&
         program.text(program.nodes[2].name) == "mine" && program.text(program.nodes[0].name) == "aten_add_tensor" &&
         program.nodes[0].is("aten.add.Tensor") && !program.nodes[0].is("aten.add.Scalar") &&
         program.text(program.nodes[0].target) == "aten.add.Tensor";
}
static_assert(nodes_are_named_after_their_operator());

constexpr auto debug_handles_count_from_one() -> bool {
  program_builder b;
  const auto x = b.user_input("x", four);
  b.output(b.call("b", "op", {b.call("a", "op", {x}, four)}, four));
  const auto program = b.finish();
  return program.nodes[0].debug_handle == 1 && program.nodes[1].debug_handle == 2;
}
static_assert(debug_handles_count_from_one());

constexpr auto owned_data_has_kind_name_and_bytes() -> bool {
  program_builder b;
  const auto p = b.parameter("conv1.weight", four, "abcd"sv);
  const auto n = b.buffer("running.mean", four, {}, false);
  const auto m = b.mutable_buffer("state", four);
  const auto c = b.constant("one", four, "1234"sv);
  const auto program = b.finish();
  const auto is = [&](value_id id, value_kind kind, std::string_view name, std::string_view target, std::string_view data) {
    return program[id].kind == kind && program.text(program[id].name) == name && program.text(program[id].target) == target &&
           program.text(program[id].data) == data;
  };
  return is(p, value_kind::parameter, "p_conv1_weight", "conv1.weight", "abcd") &&
         is(n, value_kind::buffer, "b_running_mean", "running.mean", "") && is(m, value_kind::mutable_buffer, "b_state", "state", "") &&
         is(c, value_kind::constant, "c_one", "one", "1234") && program[p].persistent && !program[n].persistent &&
         program.inputs(program.root()).size() == 4 && !verify(program);
}
static_assert(owned_data_has_kind_name_and_bytes());

constexpr auto literals_are_found_by_name() -> bool {
  constexpr std::int64_t dims[] = {2, -1};
  program_builder b;
  const auto x = b.user_input("x", four);
  b.call("op", {x}, four, {{"dims", dims}, {"eps", 0.5}, {"keepdim", true}, {"n", 7u}, {"mode", "same"}});
  const auto program = b.finish();
  const auto& node = program.nodes[0];
  const auto* list = program.find(node, "dims");
  return list != nullptr && list->kind == attribute_kind::integers && program.integer_list(list->list).size() == 2 &&
         program.integer_list(list->list)[1] == -1 && program.real(node, "eps") == 0.5 && program.integer(node, "keepdim") == 1 &&
         program.find(node, "keepdim")->kind == attribute_kind::boolean && program.find(node, "n")->kind == attribute_kind::integer &&
         program.integer(node, "n") == 7 && program.text(node, "mode") == "same" && program.find(node, "absent") == nullptr &&
         program.integer(node, "absent", 3) == 3 && program.real(node, "absent", 1.5) == 1.5 && program.real(node, "n") == 7 &&
         program.text(node, "absent", "none") == "none";
}
static_assert(literals_are_found_by_name());

constexpr auto quantization_reads_back() -> bool {
  constexpr float scales[] = {0.5f, 0.25f};
  constexpr std::int64_t zero_points[] = {-128, 127};
  program_builder b;
  const auto x = b.user_input("x", tensor(int8, 3, 2));
  const auto y = b.user_input("y", four);
  const auto z = b.user_input("z", four);
  b.quantize(x, scales, zero_points, 1);
  b.quantize(y, 0.125f, -3);
  const auto program = b.finish();
  const auto& channels = program[x].quant;
  const auto& tensor = program[y].quant;
  return channels.axis == 1 && channels.channels == 2 && program.scale(channels, 1) == 0.25f && program.zero_point(channels, 0) == -128 &&
         program.zero_point(channels, 1) == 127 && program.scale(tensor, 5) == 0.125f && program.zero_point(tensor, 5) == -3 &&
         program[z].quant.channels == 0 && !verify(program);
}
static_assert(quantization_reads_back());

constexpr auto nodes_of_a_graph_are_contiguous() -> bool {
  program_builder b;
  const auto root = b.current();
  const auto x = b.user_input("x", four);
  const auto branch = b.add_graph("branch");
  const auto y = b.user_input("y", four);
  b.enter(root);
  const auto first = b.call("first", "op", {x}, four);
  b.enter(branch);
  b.output(b.call("inner", "op", {y}, four, {{"n", 5}}));
  b.enter(root);
  const auto outputs = b.call_many("many", "test.cond", {first}, {four, tensor(int16)}, {}, {branch});
  b.output(outputs[1]);
  const auto program = b.finish();
  const auto nodes = program.nodes_of(program.root());
  return !verify(program) && nodes.size() == 2 && program.text(nodes[0].name) == "first" && program.text(nodes[1].name) == "many" &&
         program.nodes_of(program[branch]).size() == 1 && program.integer(program.nodes_of(program[branch])[0], "n") == 5 &&
         program.subgraphs_of(nodes[1])[0] == branch && program.text(program[outputs[1]].name) == "many_1" &&
         program[outputs[1]].type == int16 && program.outputs_of(nodes[1]).size() == 2 && program.shape(outputs[1]).empty();
}
static_assert(nodes_of_a_graph_are_contiguous());

constexpr auto mutations_name_their_buffer() -> bool {
  program_builder b;
  const auto state = b.mutable_buffer("state", four);
  const auto next = b.call("next", "op", {state}, four);
  b.mutation(next, "state");
  b.output(next);
  const auto program = b.finish();
  const auto outputs = program.outputs_of(program.root());
  return outputs.size() == 2 && outputs[0].kind == output_kind::buffer_mutation && program.text(outputs[0].target) == "state" &&
         outputs[1].kind == output_kind::user_output && outputs[1].value == next;
}
static_assert(mutations_name_their_buffer());

constexpr char weights[] = {1, 2, 3, 4};

constexpr auto viewed_bytes_are_not_copied() -> bool {
  program_builder b;
  auto record = b.make_value("w", four, value_kind::constant);
  record.data = program_builder::view({weights, sizeof weights});
  const auto id = b.add_input(record);
  const auto program = b.finish();
  return program.data(program[id].data).data() == weights && program_builder::view({}).outside == nullptr && !verify(program);
}
static_assert(viewed_bytes_are_not_copied());

}  // namespace

TEST_CASE("program_builder builds valid graphs") {
  CHECK(nodes_are_named_after_their_operator());
  CHECK(debug_handles_count_from_one());
  CHECK(owned_data_has_kind_name_and_bytes());
  CHECK(literals_are_found_by_name());
  CHECK(quantization_reads_back());
  CHECK(nodes_of_a_graph_are_contiguous());
  CHECK(mutations_name_their_buffer());
  CHECK(viewed_bytes_are_not_copied());
}

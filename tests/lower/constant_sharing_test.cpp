// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/lower/shared/constant_sharing.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/shared/check_parts.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/graphs.hpp"
#include "lower/short_processed_bytes.hpp"
#include "lower/tags.hpp"
#include "reference/interpreter.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using short_processed_bytes::lower;
using short_processed_bytes::target;
using enum data_sharing;

constexpr auto type = conformance::two_by_two;
constexpr std::string_view sixteen_bytes{"\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40", 16};  // 1, 2, 3 and 4

template <class... Parts>
constexpr auto tagged(const exported_program& program) -> exported_program {
  return tag_program(program, tags::partitioner<Parts...>{}).value;
}

/// True if the owned data among the inputs of the root graph have these tags: `b_const_copy_0: none, b_const: t`.
constexpr auto inputs_print(const program_view& program, std::string_view expected) -> bool {
  text_buffer text;
  for (const auto input : program.inputs(program.root())) {
    const auto& record = program[input];
    if (!is_owned_data(record.kind)) continue;
    append(append(append(text, text.empty() ? "" : ", "), program.text(record.name)), ": ");
    append(text, record.tag == none<tag_id> ? "none" : program.text(program[record.tag].name));
  }
  return view(text) == expected;
}

constexpr auto means_the_same(const exported_program& program, const exported_program& lowered) -> bool {
  const auto inputs = reference::some_inputs(program);
  return !verify(lowered) && reference::evaluate(program, inputs) == reference::evaluate(lowered, inputs);
}

/// A constant with five users: two in each of two parts, and one in the owner.
constexpr auto five_users() -> exported_program {
  program_builder b;
  const auto w = b.constant("w", type, sixteen_bytes);
  const auto x = b.user_input("x", type);
  const auto one = b.call("one", "aten.add.Tensor", {x, w}, type);
  const auto two = b.call("two", "aten.add.Tensor", {one, w}, type);
  const auto three = b.call("three", "aten.sub.Tensor", {two, w}, type);
  const auto four = b.call("four", "aten.mul.Tensor", {two, w}, type);
  b.output(b.call("five", "aten.add.Tensor", {b.call("sum", "aten.add.Tensor", {three, four}, type), w}, type));
  return b.finish();
}
using first_part = tags::part<"a", "Npu", "one two c_w">;
using second_part = tags::part<"b", "Dsp", "four sum five">;

// R76 to R81

constexpr auto the_first_user_keeps_the_constant() -> bool {
  const auto program = split_shared_constants(tagged<first_part, second_part>(five_users()));
  const program_view shared = program;
  const auto operand = [&](std::size_t at) { return shared.text(shared[shared.inputs(shared.nodes[at])[1]].name); };
  return inputs_print(program, "c_w_copy_0: none, c_w_copy_1: b, c_w: a") && operand(0) == "c_w" && operand(1) == "c_w" &&
         operand(2) == "c_w_copy_0" && operand(3) == "c_w_copy_1" && operand(5) == "c_w_copy_1" && !verify(program) &&
         !check_parts(program);
}
static_assert(the_first_user_keeps_the_constant());

/// Returns the owned data of all graphs that have this fully qualified name.
constexpr auto data_named(const program_view& program, std::string_view target_name) -> baton::vector<value> {
  baton::vector<value> matches;
  for (const auto& record : program.values) {
    if (is_owned_data(record.kind) && program.text(record.target) == target_name) matches.push_back(record);
  }
  return matches;
}

constexpr auto is_same_memory(byte_ref a, byte_ref b) -> bool { return a.outside == b.outside && a.first == b.first && a.size == b.size; }

// Q7: the bytes are stored once, and all placeholders have the same fully qualified name.
constexpr auto bytes_are_stored_once(const program_view& program) -> bool {
  const auto copies = data_named(program, "w");
  return copies.size() == 3 && program.text(copies[0].data) == sixteen_bytes && is_same_memory(copies[0].data, copies[1].data) &&
         is_same_memory(copies[0].data, copies[2].data);
}
constexpr auto every_user_has_the_same_bytes() -> bool {
  const auto lowered = lower<first_part, second_part>(five_users());
  return bytes_are_stored_once(lowered) && means_the_same(five_users(), lowered) && delegates(lowered).size() == 2;
}
static_assert(every_user_has_the_same_bytes());

constexpr auto static_five_users = static_program{conformance::make<five_users>{}};
constexpr auto static_lowered = to_backend(target, static_five_users, tags::partitioner<first_part, second_part>{});
static_assert(bytes_are_stored_once(static_lowered));
static_assert(same(static_lowered, lower<first_part, second_part>(five_users())));

constexpr auto duplicates_have_separate_bytes() -> bool {
  using first = tags::part<"a", "Npu", "one two c_w", duplicate>;
  const auto lowered = lower<first, second_part>(five_users());
  const auto copies = data_named(lowered, "w");
  bool separate = copies.size() == 3;
  for (std::size_t i = 0; separate && i < copies.size(); ++i) {
    separate = lowered.text(copies[i].data) == sixteen_bytes && !is_same_memory(copies[i].data, copies[(i + 1) % 3].data);
  }
  return separate && means_the_same(five_users(), lowered) && same(lowered, lower<first_part, second_part>(five_users()));
}
static_assert(duplicates_have_separate_bytes());

constexpr auto a_borrowed_constant_remains_an_argument() -> bool {
  using first = tags::part<"a", "Npu", "one two c_w", borrow>;
  const auto lowered = lower<first, second_part>(five_users());
  const program_view program = lowered;
  const auto nodes = program.nodes_of(program.root());
  return data_named(lowered, "w").size() == 1 && program.inputs(nodes[0]).size() == 2 && nodes.size() == 3 &&
         program.inputs(nodes[2]).size() == 3 && means_the_same(five_users(), lowered) &&
         same(lowered, lower<tags::part<"a", "Npu", "one two">, second_part>(five_users()));
}
static_assert(a_borrowed_constant_remains_an_argument());

// A borrowed constant remains an argument even if all users have its tag.
constexpr auto a_constant_borrowed_by_one_part_remains_an_argument() -> bool {
  using all = tags::part<"t", "Npu", "add sub b_const", borrow>;
  const auto lowered = lower<all>(conformance::g_reuse());
  const program_view program = lowered;
  return program.inputs(program.root()).size() == 2 && program.inputs(program.nodes_of(program.root())[0]).size() == 2;
}
static_assert(a_constant_borrowed_by_one_part_remains_an_argument());

constexpr auto a_constant_that_one_part_owns_is_not_split() -> bool {
  using own_all = tags::part<"t", "Npu", "add sub b_const", own>;
  using own_some = tags::part<"t", "Npu", "add b_const", own>;
  const auto refused = split_shared_constants(tagged<own_some>(conformance::g_reuse()));
  return !check_parts(split_shared_constants(tagged<own_all>(conformance::g_reuse()))) &&
         same(refused, tagged<own_some>(conformance::g_reuse())) && check_parts(refused).is<"shared_constant">();
}
static_assert(a_constant_that_one_part_owns_is_not_split());

// If no user has the tag of a constant, the constant is assigned to its users (G-CONST: `first_tag6`).
constexpr auto a_constant_is_assigned_to_its_users() -> bool {
  using sums = tags::part<"first_tag1", "Npu", "add add_1 add_2 add_3 add_4 add_5">;
  using constant = tags::part<"first_tag6", "Npu", "c_const">;
  using differences = tags::part<"second_tag1", "Dsp", "sub sub_1 sub_2">;
  const auto program = split_shared_constants(tagged<sums, constant, differences>(conformance::g_const()));
  const auto only_user =
      split_shared_constants(tagged<tags::part<"a", "Npu", "add sub">, tags::part<"b", "Npu", "b_const">>(conformance::g_reuse()));
  return inputs_print(program, "c_const_copy_0: first_tag1, c_const: none") && inputs_print(only_user, "b_const: a") &&
         parts_of(program).size() == 2;
}
static_assert(a_constant_is_assigned_to_its_users());

// Q6: every operand is rewritten, also in a list. The first user has the constant twice, the second in a longer list.
constexpr auto every_operand_of_a_user_is_rewritten() -> bool {
  program_builder b;
  const auto w = b.constant("w", type);
  const auto x = b.user_input("x", type);
  const auto pair = b.call("pair", "aten.add.Tensor", {w, w}, type);
  const auto joined = b.call("joined", "aten.cat.default", {x, w, pair, w}, baton::tensor(dtype::float32, 8, 2), {{"dim", 0}});
  b.output(joined);
  const auto program = b.finish();
  const auto shared = split_shared_constants(tagged<tags::part<"t", "Npu", "joined c_w">>(program));
  const program_view shared_view = shared;
  const auto operands = shared_view.inputs(shared_view.nodes[1]);
  return inputs_print(shared, "c_w_copy_0: t, c_w: none") && operands[1] == operands[3] &&
         shared_view.text(shared_view[operands[1]].name) == "c_w_copy_0" && shared_view.inputs(shared_view.nodes[0])[0] == value_id{0} &&
         means_the_same(program, lower<tags::part<"t", "Npu", "joined c_w">>(program));
}
static_assert(every_operand_of_a_user_is_rewritten());

// The graph output is a user in the owner.
constexpr auto a_returned_constant_remains_in_the_owner_too() -> bool {
  program_builder b;
  const auto w = b.constant("w", type);
  b.output(b.call("neg", "aten.neg.default", {w}, type));
  b.output(w);
  const auto program = b.finish();
  const auto shared = split_shared_constants(tagged<tags::part<"t", "Npu", "neg c_w">>(program));
  const auto lowered = lower<tags::part<"t", "Npu", "neg c_w">>(program);
  return inputs_print(shared, "c_w_copy_0: none, c_w: t") && means_the_same(program, lowered) && lowered.root().inputs.size == 1;
}
static_assert(a_returned_constant_remains_in_the_owner_too());

// R59: an earlier tag without a spec forms no part, so its nodes belong to the owner.
constexpr auto users_with_an_earlier_tag_belong_to_the_owner() -> bool {
  const auto program =
      split_shared_constants(tagged<tags::part<"t", "Npu", "sub b_const">>(tags::tagged_before(conformance::g_reuse(), "other", "add")));
  if (program_view(program).text(program.tags[index(program.nodes[0].tag)].name) != "other") return false;
  return inputs_print(program, "b_const_copy_0: t, b_const: none") && !check_parts(program);
}
static_assert(users_with_an_earlier_tag_belong_to_the_owner());

// R65, R68: a constant without users, or with users in its part only, is not split. Another placeholder of the same name is unchanged.
constexpr auto an_unshared_constant_is_not_split() -> bool {
  program_builder b;
  const auto w = b.parameter("w", type);
  const auto tied = b.parameter("w", type);
  b.parameter("unused", type);
  const auto x = b.user_input("x", type);
  b.output(b.call("out", "aten.add.Tensor", {b.call("in", "aten.add.Tensor", {x, w}, type), tied}, type));
  auto program = b.finish();
  const auto partitioned = tag_program(program, tags::writes<[](partition_result& to) {
                                         const auto t = to.add_tag("t", delegation_spec{"Npu"});
                                         to.tag_node(node_id{0}, t);
                                         to.tag_value(value_id{0}, t);
                                         to.tag_value(value_id{2}, t);
                                       }>{});
  const auto shared = split_shared_constants(partitioned.value);
  return same(shared, partitioned.value) && inputs_print(shared, "p_w: t, p_w: none, p_unused: t");
}
static_assert(an_unshared_constant_is_not_split());

// Q12
constexpr auto a_mutable_buffer_is_never_split() -> bool {
  using part = tags::part<"tag0", "Npu", "add b_my_state">;
  const auto shared = split_shared_constants(tagged<part>(conformance::g_mut()));
  using borrowing = tags::part<"tag0", "Npu", "add b_my_state", borrow>;
  const auto borrowed = split_shared_constants(tagged<borrowing>(conformance::g_mut()));
  return same(shared, tagged<part>(conformance::g_mut())) && check_parts(shared).is<"shared_mutable_buffer">() &&
         inputs_print(borrowed, "b_my_state: none, c_lifted_tensor_0: none") && !check_parts(borrowed);
}
static_assert(a_mutable_buffer_is_never_split());

// Q8: data are identified by graph and value, not by name. The root's constant of the same name is unrelated.
constexpr auto nested() -> exported_program {
  program_builder b;
  const auto root = b.current();
  const auto branch = b.add_graph("branch");
  const auto inner = b.constant("w", type);
  const auto y = b.user_input("y", type);
  b.output(b.call("in_2", "aten.sub.Tensor", {b.call("in_1", "aten.add.Tensor", {y, inner}, type), inner}, type));
  b.enter(root);
  const auto outer = b.constant("w", type);
  const auto x = b.user_input("x", type);
  b.output(b.call_many("called", "test.call", {b.call("out", "aten.add.Tensor", {x, outer}, type)}, {type}, {}, {branch})[0]);
  return b.finish();
}
constexpr auto constants_of_nested_graphs_are_independent() -> bool {
  const auto lowered = lower<tags::part<"t", "Npu", "in_1 c_w">>(nested());
  const program_view program = lowered;
  const auto& inside = program[program.subgraphs_of(program.nodes_of(program.root())[1])[0]];
  const auto inputs = program.inputs(inside);
  return !verify(lowered) && data_named(lowered, "w").size() == 3 && program.inputs(program.root()).size() == 2 && inputs.size() == 2 &&
         program.text(program[inputs[0]].name) == "c_w_copy_0" && program.inputs(program.nodes_of(inside)[0]).size() == 1;
}
static_assert(constants_of_nested_graphs_are_independent());

}  // namespace

TEST_CASE("a shared constant is split by user, and the first user keeps it") {
  CHECK(the_first_user_keeps_the_constant());
  CHECK(a_constant_is_assigned_to_its_users());
  CHECK(every_operand_of_a_user_is_rewritten());
  CHECK(a_returned_constant_remains_in_the_owner_too());
  CHECK(users_with_an_earlier_tag_belong_to_the_owner());
}

TEST_CASE("bytes that parts share are stored once, and duplicates separately (Q7)") {
  CHECK(every_user_has_the_same_bytes());
  CHECK(bytes_are_stored_once(static_lowered));
  CHECK(duplicates_have_separate_bytes());
}

TEST_CASE("a constant that must not be split is not split") {
  CHECK(a_borrowed_constant_remains_an_argument());
  CHECK(a_constant_borrowed_by_one_part_remains_an_argument());
  CHECK(a_constant_that_one_part_owns_is_not_split());
  CHECK(an_unshared_constant_is_not_split());
  CHECK(a_mutable_buffer_is_never_split());
  CHECK(constants_of_nested_graphs_are_independent());
}

TEST_CASE("a constant of a thousand parts is split fast") {
  program_builder b;
  const auto w = b.constant("w", type, sixteen_bytes);
  auto latest = b.user_input("x", type);
  const auto node = b.make_node("n", "aten.add.Tensor");
  const auto value = b.make_value("v", type, value_kind::intermediate);
  for (int n = 0; n < 10'000; ++n) {
    const value_id inputs[] = {latest, w};
    latest = b.add_value(value);
    b.add_node(node, inputs, {&latest, 1});
  }
  b.output(latest);
  const auto program = b.finish();
  partition_result tagged(program);
  for (int n = 0; n < 10'000; ++n) {
    if (n % 10 == 0) tagged.add_tag(view(join("t", n)), delegation_spec{"Npu"});
    if (n % 10 != 9) tagged.tag_node(static_cast<node_id>(n), tagged.partition_tags.back().first);
  }
  tagged.tag_value(w, tag_id{0});
  struct fixed_partition {
    const partition_result& result;
    auto partition(const exported_program&) const -> partition_result { return result; }
  };
  const auto lowered = to_backend(target, program, fixed_partition{tagged}, validation::off);
  CHECK(delegates(lowered).size() == 1000);
  const auto copies = data_named(lowered, "w");
  CHECK(copies.size() == 1001);
  bool once = true;
  for (const auto& copy : copies) once = once && is_same_memory(copy.data, copies[0].data);
  CHECK(once);
}

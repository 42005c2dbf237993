// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/graph/rewriter.hpp>
#include <baton/compat/executorch/inspection.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/graph/identical.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/transform/rewriter.hpp>

#include "conformance/graphs.hpp"
#include "conformance/named.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using conformance::value_named;

constexpr auto two = tensor(dtype::float32, 2);

/// x, a relu of it, a negation of that, their sum, with a quantized, tagged and a dead node, a state and constants. Node 1 is the negation.
constexpr auto build() -> exported_program {
  program_builder b;
  const auto weight = b.parameter("weight", two);
  const auto idle = b.constant("idle", two);
  const auto state = b.mutable_buffer("state", two);
  const auto x = b.user_input("x", two);
  const auto relu = b.call("aten.relu.default", {x}, two);
  const auto negated = b.call("aten.neg.default", {relu}, two);
  const auto sum = b.call("aten.add.Tensor", {relu, negated}, two);
  const auto dead = b.call("dead", "aten.mul.Tensor", {sum, weight}, two);
  static_cast<void>(b.call("deader", "aten.relu.default", {dead}, two));
  static_cast<void>(idle);
  b.quantize(negated, 0.5f, 3);
  b.mutation(b.call("aten.sub.Tensor", {state, sum}, two), "state");
  b.output(sum);
  auto program = b.finish();
  tag mark;
  mark.name = baton::own_bytes(program, "mark");
  program.tags.push_back(mark);
  program.nodes[2].tag = tag_id{0};
  return program;
}
/// Each node as `name(operands)`, numbered by its debug handle; then the outputs.
constexpr auto drawn(const program_view& program) -> text_buffer {
  text_buffer text;
  for (const auto& graph : program.graphs) {
    for (const auto& record : program.nodes_of(graph)) {
      append(append(append(append(text, program.text(record.name)), "#"), std::int64_t{record.debug_handle}), "(");
      for (const auto input : program.inputs(record)) append(append(text, program.text(program[input].name)), " ");
      append(text, ") ");
    }
    append(text, "->");
    for (const auto& spec : program.outputs_of(graph)) append(append(text, " "), program.text(program[spec.value].name));
    append(text, ";");
  }
  return text;
}
constexpr auto is_drawn_as(const program_view& program, std::string_view expected) -> bool {
  return !verify(program) && view(drawn(program)) == expected;
}

constexpr auto unchanged_is_the_same() -> bool {
  const auto program = build();
  return same(rewriter(program).finish(), program);
}
static_assert(unchanged_is_the_same());

constexpr auto records_are_carried_over() -> bool {
  const auto program = build();
  rewriter change(program);
  static_cast<void>(change.at(value_id{0}));  // now it must write everything anew
  const auto made = change.finish();
  return is_identical(made, program) && view(drawn(made)) == view(drawn(program)) && made.nodes[2].tag == tag_id{0} &&
         made.tags.size() == 1 && made.values[index(value_named(made, "aten_neg_default"))].quant.channels == 1;
}
static_assert(records_are_carried_over());

constexpr auto uses_are_counted() -> bool {
  const auto program = build();
  rewriter change(program);
  const auto relu = value_named(program, "aten_relu_default"), sum = value_named(program, "aten_add_tensor");
  const bool before = change.uses_of(relu) == 2 && change.uses_of(sum) == 3 && change.is_output(sum) && !change.is_output(relu) &&
                      change.producer_of(sum) == node_id{2} && change.input(node_id{2}, 0) == relu &&
                      change.input(node_id{2}, 2) == none<value_id> && change.output(node_id{2}) == sum;
  change.replace_uses(sum, relu);
  return before && change.uses_of(relu) == 5 && change.uses_of(sum) == 0 && change.is_output(relu) && !change.is_output(sum) &&
         change.input(node_id{3}, 0) == relu && change.nodes().size() == 6;
}
static_assert(uses_are_counted());

/// What lost its last use goes too, and what was unused before stays.
constexpr auto replaced_node_goes_with_what_it_used() -> bool {
  const auto program = build();
  rewriter change(program);
  const auto sum = value_named(program, "aten_add_tensor"), x = value_named(program, "x");
  change.replace_uses(sum, x);
  const auto made = change.finish();
  return is_drawn_as(made, "dead#4(x p_weight ) deader#5(dead ) aten_sub_tensor#6(b_state x ) -> aten_sub_tensor x;") &&
         made.values.size() == 7 && value_named(made, "c_idle") != none<value_id>;
}
static_assert(replaced_node_goes_with_what_it_used());

constexpr auto chains_and_circles_of_replacements_end() -> bool {
  const auto program = build();
  rewriter change(program);
  const auto relu = value_named(program, "aten_relu_default"), negated = value_named(program, "aten_neg_default");
  const auto x = value_named(program, "x");
  change.replace_uses(negated, relu);
  change.replace_uses(relu, x);
  change.replace_uses(x, negated);  // which is x by now
  return is_drawn_as(
      change.finish(),
      "aten_add_tensor#3(x x ) dead#4(aten_add_tensor p_weight ) deader#5(dead ) aten_sub_tensor#6(b_state aten_add_tensor ) "
      "-> aten_sub_tensor aten_add_tensor;");
}
static_assert(chains_and_circles_of_replacements_end());

constexpr auto dead_nodes_and_data_go_and_states_stay() -> bool {
  rewriter change(build());
  change.erase_dead();
  const auto made = change.finish();
  rewriter again(made);
  again.erase_dead();
  return is_drawn_as(
             made,
             "aten_relu_default#1(x ) aten_neg_default#2(aten_relu_default ) aten_add_tensor#3(aten_relu_default aten_neg_default ) "
             "aten_sub_tensor#6(b_state aten_add_tensor ) -> aten_sub_tensor aten_add_tensor;") &&
         value_named(made, "c_idle") == none<value_id> && value_named(made, "p_weight") == none<value_id> && same(again.finish(), made);
}
static_assert(dead_nodes_and_data_go_and_states_stay());

/// One that takes a node's place has its handle and tag; one that is new has a handle that none has had.
constexpr auto nodes_are_inserted() -> bool {
  const auto program = build();
  rewriter change(program);
  const auto x = value_named(program, "x"), sum = value_named(program, "aten_add_tensor");
  const auto half = change.add_constant(graph_id{0}, "half", two, "\0\0\0\x3f\0\0\0\x3f");
  const auto first = change.add_value(graph_id{0}, "first", two), second = change.add_value(graph_id{0}, "second", two);
  static_cast<void>(change.insert_before(node_id{2}, "first", "aten.mul.Tensor", {x, half}, {first}, {{"other", 1}}));
  static_cast<void>(change.insert_before(node_id{2}, "second", "aten.relu.default", {first}, {second}, {}, node_id{2}));
  change.replace_uses(sum, second);
  change.erase(node_id{2});
  change.erase_dead();
  const auto made = change.finish();
  return is_drawn_as(made, "first#7(x half ) second#3(first ) aten_sub_tensor#6(b_state second ) -> aten_sub_tensor second;") &&
         made.nodes[1].tag == tag_id{0} && made.integer(made.nodes[0], "other") == 1 &&
         program_view(made).text(made.values[index(program_view(made).inputs(made.root())[1])].name) == "half";
}
static_assert(nodes_are_inserted());

constexpr auto inputs_and_attributes_are_set() -> bool {
  const auto program = build();
  rewriter change(program);
  change.set_input(node_id{2}, 1, value_named(program, "x"));
  change.set_attribute(node_id{2}, {"alpha", 2});
  change.set_attribute(node_id{2}, {"padding", "same"});
  change.set_attribute(node_id{2}, {"alpha", 3});
  const auto made = change.finish();
  const auto& sum = made.nodes[1];
  return !verify(made) && made.nodes.size() == 5 && program_view(made).text(sum.name) == "aten_add_tensor" && sum.attributes.size == 2 &&
         made.integer(sum, "alpha") == 3 && made.text(sum, "padding") == "same";
}
static_assert(inputs_and_attributes_are_set());

/// An output that the maker of its operand makes in its place keeps its name.
constexpr auto result_is_moved() -> bool {
  const auto program = build();
  rewriter change(program);
  const auto sum = value_named(program, "aten_add_tensor"), relu = value_named(program, "aten_relu_default");
  change.erase(node_id{2});
  change.move_result(relu, sum);
  return is_drawn_as(
      change.finish(),
      "aten_relu_default#1(x ) dead#4(aten_add_tensor p_weight ) deader#5(dead ) aten_sub_tensor#6(b_state aten_add_tensor ) "
      "-> aten_sub_tensor aten_add_tensor;");
}
static_assert(result_is_moved());

constexpr auto node_becomes_a_constant() -> bool {
  const auto program = build();
  rewriter change(program);
  change.replace_by_constant(node_id{1}, change.own("12345678"));
  const auto made = change.finish();
  const auto id = value_named(made, "aten_neg_default");
  return is_drawn_as(made,
                     "aten_relu_default#1(x ) aten_add_tensor#3(aten_relu_default aten_neg_default ) dead#4(aten_add_tensor p_weight ) "
                     "deader#5(dead ) aten_sub_tensor#6(b_state aten_add_tensor ) -> aten_sub_tensor aten_add_tensor;") &&
         made[id].kind == value_kind::constant && made.text(made[id].data) == "12345678" && made[id].quant.channels == 1;
}
static_assert(node_becomes_a_constant());

/// A choice between branches that nobody uses goes with its branches; a graph that is still called stays.
constexpr auto graphs_go_with_their_last_caller() -> bool {
  auto program = conformance::g_cond();
  const auto graphs = program.graphs.size();
  rewriter kept(program);
  kept.erase_dead();
  if (!same(kept.finish(), program)) return false;
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    if (program.nodes[n].subgraphs.size == 0) continue;
    rewriter change(program);
    const node_id id{n};
    change.replace_uses(change.output(id), change.input(id, 1));
    const auto made = change.finish();
    return graphs == 3 && made.graphs.size() == 1 && made.subgraphs.empty() && made.nodes.size() == made.root().nodes.size;
  }
  return false;
}
static_assert(graphs_go_with_their_last_caller());

/// Which dead nodes stay is the choice of the template argument.
constexpr auto all_have_effects(const program_view&, const node&) -> bool { return true; }
constexpr auto product_has_effects(const program_view&, const node& record) -> bool { return record.is("aten.mul.Tensor"); }
template <auto HasEffects>
constexpr auto nodes_after_erasing_dead() -> std::size_t {
  basic_rewriter<HasEffects> change(build());
  change.erase_dead();
  return change.finish().nodes.size();
}
constexpr auto nodes_with_effects_stay() -> bool {
  return nodes_after_erasing_dead<all_have_effects>() == 6 && nodes_after_erasing_dead<product_has_effects>() == 5 &&
         nodes_after_erasing_dead<has_effects>() == 4;
}
static_assert(nodes_with_effects_stay());

struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result made;
    append(made.processed_bytes, part.text(part.nodes[0].name));
    debug_map_entry entry;
    entry.identifier = 1;
    entry.handles.push_back(part.nodes[0].debug_handle);
    made.debug_handle_map.push_back(entry);
    return made;
  }
};
/// Calls stay, whether or not somebody uses them, with the graphs that their blobs were made from.
constexpr auto delegates_stay_as_they_are() -> bool {
  const auto lowered = to_backend(backends<npu>, build(), by_support<npu, operator_names<"aten.mul.Tensor", "aten.neg.default">>{});
  rewriter change(lowered);
  change.erase_dead();
  const auto made = change.finish();
  return !verify(made) && made.delegates.size() == 2 && made.graphs.size() == 3 && made.nodes.size() + 1 == lowered.nodes.size() &&
         delegates(made)[1].processed_bytes() == "dead" && delegates(made)[1].debug_handle_map().size() == 1 &&
         is_identical(made, made.delegates[1].original, lowered, lowered.delegates[1].original);
}
static_assert(delegates_stay_as_they_are());

/// Nodes 1 to 3 one behind the other, node 4 beside them, node 5 that uses both.
constexpr auto build_row() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", two);
  const auto c = b.call("c", "test.any", {b.call("b", "test.any", {b.call("a", "test.any", {x}, two)}, two)}, two);
  b.output(b.call("e", "test.any", {c, b.call("d", "test.any", {x}, two)}, two));
  return b.finish();
}
constexpr node_id a{0}, b{1}, c{2}, d{3}, e{4};
/// The nodes with their debug handles, and those that were folded into them: `c#3+1+2`.
constexpr auto handles_of(const program_view& program) -> text_buffer {
  text_buffer text;
  for (const auto& record : program.nodes) {
    append(append(append(append(text, text.empty() ? "" : " "), program.text(record.name)), "#"), std::int64_t{record.debug_handle});
    for (const auto folded : program.folded_handles(record)) append(append(text, "+"), folded);
  }
  return text;
}
template <class Change>
constexpr auto row_becomes(std::string_view expected, Change with) -> bool {
  rewriter change(build_row());
  with(change);
  const auto made = change.finish();
  return !verify(made) && view(handles_of(made)) == expected;
}
constexpr auto handles_of_what_goes_stand_on_heirs() -> bool {
  return row_becomes("a#1 c#3+2 d#4 e#5", [](auto& to) { to.set_input(c, 0, to.output(a)); }) &&
         row_becomes("a#1+2 c#3 d#4 e#5", [](auto& to) { to.replace_uses(to.output(b), to.output(a)); }) &&
         row_becomes("b#2+1 c#3 d#4 e#5", [](auto& to) { to.replace_uses(to.output(a), to.input(a, 0)); }) &&
         row_becomes("a#1 b#2 c#3 e#5+4", [](auto& to) { to.replace_by_constant(d, {}); }) &&
         row_becomes("a#1+2+3 d#4 e#5",
                     [](auto& to) {
                       to.erase(b);
                       to.replace_uses(to.output(b), to.output(a));
                       to.erase(c);
                       to.move_result(to.output(a), to.output(c));
                     }) &&
         row_becomes("d#4 e#5+1+2+3",
                     [](auto& to) {
                       for (const auto id : {a, b, c}) to.replace_by_constant(id, {});
                     }) &&
         row_becomes("d#4 e#5+1+2+3", [](auto& to) { to.set_input(e, 0, to.input(a, 0)); }) &&
         row_becomes("a#1 b#2 new#3 d#4 e#5", [](auto& to) {
           const auto made = to.add_value(graph_id{0}, "new", two);
           to.insert_before(c, "new", "test.other", {to.input(c, 0)}, {made}, {}, c);
           to.replace_uses(to.output(c), made);
         });
}
static_assert(handles_of_what_goes_stand_on_heirs());

/// Puts a node in the place of another of the row, as a first step of a pass; gives its output.
constexpr auto replace_by_new(rewriter& to, node_id old) -> value_id {
  const auto made = to.add_value(graph_id{0}, "new", two);
  to.insert_before(old, "new", "test.other", {to.input(old, 0)}, {made}, {}, old);
  to.replace_uses(to.output(old), made);
  to.erase(old);
  return made;
}
/// What took a node's place may go in a later step of the same pass, and what its heir used may have gone before.
constexpr auto handles_pass_through_what_came_and_went() -> bool {
  return row_becomes("a#1 b#2 d#4 e#5+3",
                     [](auto& to) {
                       replace_by_new(to, c);
                       to.set_input(e, 0, to.output(b));
                     }) &&
         row_becomes("d#4 e#5+1+2+3", [](auto& to) { to.replace_by_constant(to.producer_of(replace_by_new(to, c)), {}); }) &&
         row_becomes("d#4 e#5+1+2+3",
                     [](auto& to) {  // a and b wait for c, that for the new one, and this for e
                       replace_by_new(to, c);
                       for (const auto id : {a, b}) to.replace_by_constant(id, {});
                       to.set_input(e, 0, to.input(a, 0));
                     }) &&
         row_becomes("a#1 d#4 e#5+2+3",
                     [](auto& to) {  // twice: the second one stands in front of the first, whose handle it has
                       const auto once = to.producer_of(replace_by_new(to, c));
                       const auto again = to.add_value(graph_id{0}, "again", two);
                       to.insert_before(c, "again", "test.other", {to.output(b)}, {again}, {}, once);
                       to.replace_uses(to.output(once), again);
                       to.erase(once);
                       to.set_input(e, 0, to.output(a));
                     });
}
static_assert(handles_pass_through_what_came_and_went());

/// Folded handles go on with the node that has them, to a part, to its debug handle map, and past them new handles are counted.
constexpr auto folded_handles_are_carried_on() -> bool {
  rewriter first(build_row());
  first.set_input(c, 0, first.output(a));
  const auto once = first.finish();  // a c d e
  rewriter second(once);
  second.replace_uses(second.output(node_id{1}), second.output(node_id{0}));
  const auto twice = second.finish();
  rewriter third(twice);
  const auto copy = third.add_value(graph_id{0}, "copy", two);
  third.insert_before(node_id{0}, "copy", "test.any", {third.input(node_id{0}, 0)}, {copy}, {}, node_id{0});
  third.replace_uses(third.output(node_id{0}), copy);
  const auto thrice = third.finish();
  rewriter fourth(twice);
  const auto more = fourth.add_value(graph_id{0}, "more", two);
  fourth.insert_before(node_id{2}, "more", "test.any", {fourth.input(node_id{2}, 1)}, {more});
  fourth.set_input(node_id{2}, 1, more);
  rewriter fifth(twice);
  fifth.replace_uses(fifth.output(node_id{1}), fifth.output(node_id{0}));
  auto numbered = twice;
  numbered.nodes[1].folded_handles = {static_cast<std::uint32_t>(numbered.integers.size()), 1};
  numbered.integers.push_back(20);
  const auto lowered = to_backend(backends<npu>, numbered, by_support<npu, operator_names<"test.any">>{});
  const auto module = delegates(lowered)[0];
  return view(handles_of(twice)) == "a#1+2+3 d#4 e#5" && view(handles_of(thrice)) == "copy#1+2+3 d#4 e#5" &&
         view(handles_of(fifth.finish())) == "a#1+2+3+4 e#5" && view(handles_of(fourth.finish())) == "a#1+2+3 d#4 more#6 e#5" &&
         module.debug_handle_map().size() == 1 &&
         std::ranges::equal(module.handles(module.debug_handle_map()[0]), vector<std::int64_t>{1, 2, 3}) &&
         lowered.nodes[0].debug_handle == 21;
}
static_assert(folded_handles_are_carried_on());

}  // namespace

TEST_CASE("handles of what goes stand on heirs") {
  CHECK(handles_of_what_goes_stand_on_heirs());
  CHECK(handles_pass_through_what_came_and_went());
  CHECK(folded_handles_are_carried_on());
}
TEST_CASE("a program that nobody changes is the same") {
  CHECK(unchanged_is_the_same());
  CHECK(records_are_carried_over());
}
TEST_CASE("uses are counted") { CHECK(uses_are_counted()); }
TEST_CASE("uses are replaced") {
  CHECK(replaced_node_goes_with_what_it_used());
  CHECK(chains_and_circles_of_replacements_end());
}
TEST_CASE("what is dead goes") { CHECK(dead_nodes_and_data_go_and_states_stay()); }
TEST_CASE("nodes with effects stay") { CHECK(nodes_with_effects_stay()); }
TEST_CASE("nodes are inserted, and changed") {
  CHECK(nodes_are_inserted());
  CHECK(inputs_and_attributes_are_set());
}
TEST_CASE("results move, and become constants") {
  CHECK(result_is_moved());
  CHECK(node_becomes_a_constant());
}
TEST_CASE("graphs go with their last caller") { CHECK(graphs_go_with_their_last_caller()); }
TEST_CASE("delegates stay as they are") { CHECK(delegates_stay_as_they_are()); }

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
#include "conformance/name_lookup.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using conformance::value_named;

constexpr auto two = tensor(dtype::float32, 2);

/// sum = relu(x) + neg(relu(x)), with a quantized node, a tagged node, dead nodes, a state and constants. Node 1 is the negation.
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
/// Returns each node as `name#debug_handle(operands)`, then the outputs.
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

constexpr auto an_unchanged_program_is_the_same() -> bool {
  const auto program = build();
  return same(rewriter(program).finish(), program);
}
static_assert(an_unchanged_program_is_the_same());

constexpr auto records_are_kept() -> bool {
  const auto program = build();
  rewriter change(program);
  static_cast<void>(change.edit(value_id{0}));  // forces `finish` to write all records again
  const auto result = change.finish();
  return is_identical(result, program) && view(drawn(result)) == view(drawn(program)) && result.nodes[2].tag == tag_id{0} &&
         result.tags.size() == 1 && result.values[index(value_named(result, "aten_neg_default"))].quant.channels == 1;
}
static_assert(records_are_kept());

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

/// A node that loses its last use is erased, too. A node or constant that was unused before is kept.
constexpr auto a_replaced_node_is_erased_with_its_operands() -> bool {
  const auto program = build();
  rewriter change(program);
  const auto sum = value_named(program, "aten_add_tensor"), x = value_named(program, "x");
  change.replace_uses(sum, x);
  const auto result = change.finish();
  return is_drawn_as(result, "dead#4(x p_weight ) deader#5(dead ) aten_sub_tensor#6(b_state x ) -> aten_sub_tensor x;") &&
         result.values.size() == 7 && value_named(result, "c_idle") != none<value_id>;
}
static_assert(a_replaced_node_is_erased_with_its_operands());

constexpr auto chains_and_cycles_of_replacements_terminate() -> bool {
  const auto program = build();
  rewriter change(program);
  const auto relu = value_named(program, "aten_relu_default"), negated = value_named(program, "aten_neg_default");
  const auto x = value_named(program, "x");
  change.replace_uses(negated, relu);
  change.replace_uses(relu, x);
  change.replace_uses(x, negated);  // no effect, because `negated` is replaced by `x`
  return is_drawn_as(
      change.finish(),
      "aten_add_tensor#3(x x ) dead#4(aten_add_tensor p_weight ) deader#5(dead ) aten_sub_tensor#6(b_state aten_add_tensor ) "
      "-> aten_sub_tensor aten_add_tensor;");
}
static_assert(chains_and_cycles_of_replacements_terminate());

constexpr auto dead_nodes_and_data_are_erased_and_states_are_kept() -> bool {
  rewriter change(build());
  change.erase_dead();
  const auto result = change.finish();
  rewriter again(result);
  again.erase_dead();
  return is_drawn_as(
             result,
             "aten_relu_default#1(x ) aten_neg_default#2(aten_relu_default ) aten_add_tensor#3(aten_relu_default aten_neg_default ) "
             "aten_sub_tensor#6(b_state aten_add_tensor ) -> aten_sub_tensor aten_add_tensor;") &&
         value_named(result, "c_idle") == none<value_id> && value_named(result, "p_weight") == none<value_id> &&
         same(again.finish(), result);
}
static_assert(dead_nodes_and_data_are_erased_and_states_are_kept());

/// An inserted node that replaces another has the debug handle and the tag of that node. Otherwise it has a new debug handle.
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
  const auto result = change.finish();
  return is_drawn_as(result, "first#7(x half ) second#3(first ) aten_sub_tensor#6(b_state second ) -> aten_sub_tensor second;") &&
         result.nodes[1].tag == tag_id{0} && result.integer(result.nodes[0], "other") == 1 &&
         program_view(result).text(result.values[index(program_view(result).inputs(result.root())[1])].name) == "half";
}
static_assert(nodes_are_inserted());

constexpr auto inputs_and_attributes_are_set() -> bool {
  const auto program = build();
  rewriter change(program);
  change.set_input(node_id{2}, 1, value_named(program, "x"));
  change.set_attribute(node_id{2}, {"alpha", 2});
  change.set_attribute(node_id{2}, {"padding", "same"});
  change.set_attribute(node_id{2}, {"alpha", 3});
  const auto result = change.finish();
  const auto& sum = result.nodes[1];
  return !verify(result) && result.nodes.size() == 5 && program_view(result).text(sum.name) == "aten_add_tensor" &&
         sum.attributes.size == 2 && result.integer(sum, "alpha") == 3 && result.text(sum, "padding") == "same";
}
static_assert(inputs_and_attributes_are_set());

/// If an output is produced by the producer of its operand instead, it keeps its name.
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
  const auto result = change.finish();
  const auto id = value_named(result, "aten_neg_default");
  return is_drawn_as(result,
                     "aten_relu_default#1(x ) aten_add_tensor#3(aten_relu_default aten_neg_default ) dead#4(aten_add_tensor p_weight ) "
                     "deader#5(dead ) aten_sub_tensor#6(b_state aten_add_tensor ) -> aten_sub_tensor aten_add_tensor;") &&
         result[id].kind == value_kind::constant && result.text(result[id].data) == "12345678" && result[id].quant.channels == 1;
}
static_assert(node_becomes_a_constant());

/// An unused `cond` is erased with its branches. A graph that is still called is kept.
constexpr auto graphs_are_erased_with_their_last_caller() -> bool {
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
    const auto result = change.finish();
    return graphs == 3 && result.graphs.size() == 1 && result.subgraphs.empty() && result.nodes.size() == result.root().nodes.size;
  }
  return false;
}
static_assert(graphs_are_erased_with_their_last_caller());

/// An inserted node takes over the branches of the `cond` that it replaces.
constexpr auto graphs_of_inserted_nodes_are_kept(bool is_after) -> bool {
  auto program = conformance::g_cond();
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    if (program.nodes[n].subgraphs.size == 0) continue;
    rewriter change(program);
    const node_id id{n};
    const auto output = change.output(id);
    const program_view before = program;
    const new_node draft{
        .name = "copy", .op = "cond", .inputs = before.inputs(before[id]), .outputs = {&output, 1}, .attributes_of = id, .handle_of = id};
    const auto copy = is_after ? change.insert_after(id, draft) : change.insert_before(id, draft);
    change.erase(id, copy);
    const auto result = change.finish();
    const program_view after = result;
    const auto branches = after.subgraphs_of(after.nodes[n]);
    return !verify(after) && after.text(after.nodes[n].name) == "copy" && after.graphs.size() == before.graphs.size() &&
           after.nodes.size() == before.nodes.size() && branches.size() == 2 && branches[0] == graph_id{1} && branches[1] == graph_id{2};
  }
  return false;
}
static_assert(graphs_of_inserted_nodes_are_kept(false) && graphs_of_inserted_nodes_are_kept(true));

/// The template argument decides which dead nodes are kept.
constexpr auto all_have_effects(const program_view&, const node&) -> bool { return true; }
constexpr auto product_has_effects(const program_view&, const node& record) -> bool { return record.is("aten.mul.Tensor"); }
template <auto HasEffects>
constexpr auto nodes_after_erasing_dead() -> std::size_t {
  basic_rewriter<HasEffects> change(build());
  change.erase_dead();
  return change.finish().nodes.size();
}
constexpr auto nodes_with_effects_are_kept() -> bool {
  return nodes_after_erasing_dead<all_have_effects>() == 6 && nodes_after_erasing_dead<product_has_effects>() == 5 &&
         nodes_after_erasing_dead<has_effects>() == 4;
}
static_assert(nodes_with_effects_are_kept());

struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result result;
    append(result.processed_bytes, part.text(part.nodes[0].name));
    debug_map_entry entry;
    entry.identifier = 1;
    entry.handles.push_back(part.nodes[0].debug_handle);
    result.debug_handle_map.push_back(entry);
    return result;
  }
};
/// Delegate calls are kept even if they are unused, with the graphs from which their processed bytes were computed.
constexpr auto delegates_are_kept() -> bool {
  const auto lowered = to_backend(backends<npu>, build(), by_support<npu, operator_names<"aten.mul.Tensor", "aten.neg.default">>{});
  rewriter change(lowered);
  change.erase_dead();
  const auto result = change.finish();
  return !verify(result) && result.delegates.size() == 2 && result.graphs.size() == 3 && result.nodes.size() + 1 == lowered.nodes.size() &&
         delegates(result)[1].processed_bytes() == "dead" && delegates(result)[1].debug_handle_map().size() == 1 &&
         is_identical(result, result.delegates[1].original, lowered, lowered.delegates[1].original);
}
static_assert(delegates_are_kept());

/// Nodes `a`, `b` and `c` in a chain (debug handles 1 to 3), `d` parallel to it (4), and `e` (5), which uses `c` and `d`.
constexpr auto build_chain() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", two);
  const auto c = b.call("c", "test.any", {b.call("b", "test.any", {b.call("a", "test.any", {x}, two)}, two)}, two);
  b.output(b.call("e", "test.any", {c, b.call("d", "test.any", {x}, two)}, two));
  return b.finish();
}
constexpr node_id a{0}, b{1}, c{2}, d{3}, e{4};
/// Returns each node with its debug handle and its folded handles: `c#3+1+2`.
constexpr auto handles_of(const program_view& program) -> text_buffer {
  text_buffer text;
  for (const auto& record : program.nodes) {
    append(append(append(append(text, text.empty() ? "" : " "), program.text(record.name)), "#"), std::int64_t{record.debug_handle});
    for (const auto folded : program.folded_handles(record)) append(append(text, "+"), folded);
  }
  return text;
}
template <class Change>
constexpr auto chain_becomes(std::string_view expected, Change apply) -> bool {
  rewriter change(build_chain());
  apply(change);
  const auto result = change.finish();
  return !verify(result) && view(handles_of(result)) == expected;
}
constexpr auto handles_of_erased_nodes_are_folded_into_other_nodes() -> bool {
  return chain_becomes("a#1 c#3+2 d#4 e#5", [](auto& change) { change.set_input(c, 0, change.output(a)); }) &&
         chain_becomes("a#1+2 c#3 d#4 e#5", [](auto& change) { change.replace_uses(change.output(b), change.output(a)); }) &&
         chain_becomes("b#2+1 c#3 d#4 e#5", [](auto& change) { change.replace_uses(change.output(a), change.input(a, 0)); }) &&
         chain_becomes("a#1 b#2 c#3 e#5+4", [](auto& change) { change.replace_by_constant(d, {}); }) &&
         chain_becomes("a#1+2+3 d#4 e#5",
                       [](auto& change) {
                         change.erase(b);
                         change.replace_uses(change.output(b), change.output(a));
                         change.erase(c);
                         change.move_result(change.output(a), change.output(c));
                       }) &&
         chain_becomes("d#4 e#5+1+2+3",
                       [](auto& change) {
                         for (const auto id : {a, b, c}) change.replace_by_constant(id, {});
                       }) &&
         chain_becomes("d#4 e#5+1+2+3", [](auto& change) { change.set_input(e, 0, change.input(a, 0)); }) &&
         chain_becomes("a#1 b#2 new#3 d#4 e#5", [](auto& change) {
           const auto output = change.add_value(graph_id{0}, "new", two);
           change.insert_before(c, "new", "test.other", {change.input(c, 0)}, {output}, {}, c);
           change.replace_uses(change.output(c), output);
         });
}
static_assert(handles_of_erased_nodes_are_folded_into_other_nodes());

/// Replaces a node by a new one, as the first step of a pass. Returns the output of the new node.
constexpr auto replace_by_new(rewriter& change, node_id old) -> value_id {
  const auto output = change.add_value(graph_id{0}, "new", two);
  change.insert_before(old, "new", "test.other", {change.input(old, 0)}, {output}, {}, old);
  change.replace_uses(change.output(old), output);
  change.erase(old);
  return output;
}
/// A replacement may be erased in a later step of the same pass, after the operands of the node that receives its handle.
constexpr auto handles_pass_through_erased_replacements() -> bool {
  return chain_becomes("a#1 b#2 d#4 e#5+3",
                       [](auto& change) {
                         replace_by_new(change, c);
                         change.set_input(e, 0, change.output(b));
                       }) &&
         chain_becomes("d#4 e#5+1+2+3",
                       [](auto& change) { change.replace_by_constant(change.producer_of(replace_by_new(change, c)), {}); }) &&
         chain_becomes("d#4 e#5+1+2+3",
                       [](auto& change) {  // `a` and `b` wait for `c`, `c` for the new node, and the new node for `e`
                         replace_by_new(change, c);
                         for (const auto id : {a, b}) change.replace_by_constant(id, {});
                         change.set_input(e, 0, change.input(a, 0));
                       }) &&
         chain_becomes("a#1 d#4 e#5+2+3",
                       [](auto& change) {  // twice: the second new node has the handle of the first, which is erased
                         const auto once = change.producer_of(replace_by_new(change, c));
                         const auto again = change.add_value(graph_id{0}, "again", two);
                         change.insert_before(c, "again", "test.other", {change.output(b)}, {again}, {}, once);
                         change.replace_uses(change.output(once), again);
                         change.erase(once);
                         change.set_input(e, 0, change.output(a));
                       });
}
static_assert(handles_pass_through_erased_replacements());

/// Folded handles stay with their node, also in a part and in its debug handle map. New handles are greater than all folded handles.
constexpr auto folded_handles_are_kept() -> bool {
  rewriter first(build_chain());
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
static_assert(folded_handles_are_kept());

/// Node 2 is the sum, with a tag. A copy is inserted after it, with the attributes of the sum and an additional one.
constexpr auto nodes_are_inserted_after_others() -> bool {
  auto program = build();
  rewriter change(program);
  change.set_attribute(node_id{2}, {"alpha", 3});
  const auto reader = change.program();
  const auto sum = value_named(program, "aten_add_tensor");
  const auto copy = change.add_value(graph_id{0}, "copy", two), copy_2 = change.add_value(graph_id{0}, "copy_2", two);
  const named_literal more[] = {{"beta", 4}, {"gamma", "some text"}};
  const value_id operands[] = {sum, sum};
  const auto first = change.insert_after(node_id{2}, {.name = "copy",
                                                      .op = reader.text(reader[node_id{2}].target),
                                                      .inputs = operands,
                                                      .outputs = {&copy, 1},
                                                      .literals = more,
                                                      .attributes_of = node_id{2},
                                                      .handle_of = node_id{2}});
  const auto second = change.insert_after(
      node_id{2}, {.name = "copy_2", .op = "test.any", .inputs = {&copy, 1}, .outputs = {&copy_2, 1}, .tag_of = node_id{2}});
  const bool is_read =
      reader.text(reader[first].name) == "copy" && reader.integer(reader[first], "alpha") == 3 && reader.inputs(reader[second])[0] == copy;
  const bool is_own_copy = change.program().find(change[node_id{2}], "beta") == nullptr;
  change.set_input(node_id{3}, 0, copy_2);
  const auto result = change.finish();
  const program_view changed = result;
  return is_read && is_own_copy && changed.nodes[3].op == changed.nodes[2].op && changed.integer(changed.nodes[3], "beta") == 4 &&
         changed.text(changed.nodes[3], "gamma") == "some text" && changed.nodes[3].tag == none<tag_id> &&
         changed.nodes[4].tag == tag_id{0} &&
         is_drawn_as(
             changed,
             "aten_relu_default#1(x ) aten_neg_default#2(aten_relu_default ) aten_add_tensor#3(aten_relu_default aten_neg_default ) "
             "copy#3(aten_add_tensor aten_add_tensor ) copy_2#7(copy ) dead#4(copy_2 p_weight ) deader#5(dead ) "
             "aten_sub_tensor#6(b_state aten_add_tensor ) -> aten_sub_tensor aten_add_tensor;");
}
static_assert(nodes_are_inserted_after_others());

/// The handle of an erased node goes to the node that is named as its owner, also if the owner runs before the erased node.
constexpr auto the_owner_of_handles_can_be_chosen() -> bool {
  const auto program = build_chain();
  rewriter change(program);
  const auto out = change.output(c);
  const auto inner = change.add_value(graph_id{0}, "inner", two);
  const auto in = change.input(c, 0);
  const auto main = change.insert_before(c, {.name = "main", .op = "test.any", .inputs = {&in, 1}, .outputs = {&inner, 1}, .handle_of = c});
  change.insert_before(c, {.name = "last", .op = "test.any", .inputs = {&inner, 1}, .outputs = {&out, 1}});
  change.erase(c, main);
  return view(handles_of(change.finish())) == "a#1 b#2 main#3 last#6 d#4 e#5";
}
static_assert(the_owner_of_handles_can_be_chosen());

/// The texts and the operands of inserted nodes may be in the pools, which are reallocated several times.
constexpr auto nodes_are_inserted_with_texts_of_the_pools() -> bool {
  const auto program = build();
  rewriter change(program);
  const auto relu = node_id{0};
  vector<value_id> outputs;
  for (int i = 0; i < 20; ++i) {
    outputs.push_back(change.add_value(graph_id{0}, "copy", two));
    const auto& record = change[relu];
    const auto inserted = change.insert_after(relu, {.name = change.program().text(record.name),
                                                     .op = change.program().text(record.target),
                                                     .inputs = change.program().inputs(record),
                                                     .outputs = {&outputs.back(), 1}});
    const auto added = change[inserted];
    if (change.program().text(added.name) != "aten_relu_default" || change.program().text(added.target) != "aten.relu.default")
      return false;
    if (!added.is("aten.relu.default") || change.input(inserted, 0) != change.input(relu, 0)) return false;
    if (change.output(inserted) != outputs.back() || change.producer_of(outputs.back()) != inserted) return false;
  }
  return !verify(change.finish());
}
static_assert(nodes_are_inserted_with_texts_of_the_pools());

}  // namespace

TEST_CASE("debug handles of erased nodes are folded into other nodes") {
  CHECK(handles_of_erased_nodes_are_folded_into_other_nodes());
  CHECK(handles_pass_through_erased_replacements());
  CHECK(folded_handles_are_kept());
  CHECK(the_owner_of_handles_can_be_chosen());
}
TEST_CASE("a program without changes stays the same") {
  CHECK(an_unchanged_program_is_the_same());
  CHECK(records_are_kept());
}
TEST_CASE("uses are counted") { CHECK(uses_are_counted()); }
TEST_CASE("uses are replaced") {
  CHECK(a_replaced_node_is_erased_with_its_operands());
  CHECK(chains_and_cycles_of_replacements_terminate());
}
TEST_CASE("dead nodes and data are erased") { CHECK(dead_nodes_and_data_are_erased_and_states_are_kept()); }
TEST_CASE("nodes with effects are kept") { CHECK(nodes_with_effects_are_kept()); }
TEST_CASE("nodes are inserted and changed") {
  CHECK(nodes_are_inserted());
  CHECK(nodes_are_inserted_after_others());
  CHECK(nodes_are_inserted_with_texts_of_the_pools());
  CHECK(inputs_and_attributes_are_set());
}
TEST_CASE("a result is moved, and a node becomes a constant") {
  CHECK(result_is_moved());
  CHECK(node_becomes_a_constant());
}
TEST_CASE("graphs are erased with their last caller") { CHECK(graphs_are_erased_with_their_last_caller()); }
TEST_CASE("graphs of inserted nodes are kept") {
  CHECK(graphs_of_inserted_nodes_are_kept(false));
  CHECK(graphs_of_inserted_nodes_are_kept(true));
}
TEST_CASE("delegates are kept unchanged") { CHECK(delegates_are_kept()); }

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/detail/pattern_matcher.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/by_pattern.hpp>
#include <baton/partition/detail/pattern_list.hpp>
#include <baton/partition/operator_facts.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/shared/rules.hpp>

#include "conformance/drawn_graph.hpp"
#include "partition/brute_matches.hpp"
#include "properties/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>

namespace {

using namespace baton;
using namespace conformance;

using sums = operator_names<"add_op">;

/// Returns the names of the matched nodes, one word per match: `add,conv add_1,conv_1`.
template <operator_support Commuting>
constexpr auto matches_in(const exported_program& program, const exported_program& pattern, literals compare = literals::compared)
    -> text_buffer {
  text_buffer text;
  for (const auto& match : find_matches<Commuting>(program, graph_id{0}, pattern, compare).value) {
    for (std::size_t i = 0; i < match.nodes.size(); ++i) {
      if (!text.empty()) append(text, i == 0 ? " " : ",");
      append(text, program_view(program).text(program[match.nodes[i]].name));
    }
  }
  return text;
}
template <operator_support Commuting>
constexpr auto finds(std::string_view program, std::string_view pattern, std::string_view expected) -> bool {
  return view(matches_in<Commuting>(draw(program), draw(pattern))) == expected;
}

constexpr auto operands_are_swapped_only_if_allowed() -> bool {
  constexpr auto graph = "conv(x) add_op(y,conv) conv_1(add_op) sub_op(y,conv_1) -> sub_op";
  return finds<sums>(graph, "conv(p) add_op(conv,q) -> add_op", "conv,add_op") &&
         finds<no_support>(graph, "conv(p) add_op(conv,q) -> add_op", "") && finds<sums>(graph, "conv(p) sub_op(conv,q) -> sub_op", "");
}
static_assert(operands_are_swapped_only_if_allowed());

// The first operand order of the sum matches both `relu` nodes. Only a node that is visited later contradicts it.
constexpr auto the_second_order_is_tried_if_the_first_fails_later() -> bool {
  constexpr auto graph = "relu_op(x) relu_op_1(y) add_op(relu_op,relu_op_1) neg_op(relu_op_1) sub_op(add_op,neg_op) -> sub_op";
  constexpr auto pattern = "relu_op(p) relu_op_1(q) add_op(relu_op,relu_op_1) neg_op(relu_op) sub_op(add_op,neg_op) -> sub_op";
  return finds<sums>(graph, pattern, "relu_op_1,relu_op,add_op,neg_op,sub_op") && finds<no_support>(graph, pattern, "");
}
static_assert(the_second_order_is_tried_if_the_first_fails_later());

constexpr auto the_second_order_is_tried_for_a_further_output() -> bool {
  constexpr auto graph = "relu_op(x) relu_op_1(y) add_op(relu_op,relu_op_1) neg_op(relu_op_1) -> add_op neg_op";
  return finds<sums>(graph, "relu_op(p) relu_op_1(q) add_op(relu_op,relu_op_1) neg_op(relu_op) -> add_op neg_op",
                     "relu_op_1,relu_op,add_op,neg_op");
}
static_assert(the_second_order_is_tried_for_a_further_output());

constexpr auto the_second_order_is_tried_if_an_outside_use_rejects_the_first() -> bool {
  constexpr auto graph = "relu_op(x) relu_op_1(y) add_op(relu_op,relu_op_1) neg_op(relu_op_1) -> add_op neg_op";
  constexpr auto pattern = "relu_op(p) relu_op_1(q) add_op(relu_op,relu_op_1) -> add_op relu_op";
  return finds<sums>(graph, pattern, "relu_op_1,relu_op,add_op") && finds<no_support>(graph, pattern, "");
}
static_assert(the_second_order_is_tried_if_an_outside_use_rejects_the_first());

constexpr auto disconnected_pieces_do_not_overlap() -> bool {
  return finds<no_support>("sin_op(x) cos_op(y) cos_op_1(z) -> sin_op cos_op cos_op_1", "sin_op(p) cos_op(q) -> sin_op cos_op",
                           "sin_op,cos_op") &&
         finds<no_support>("sin_op(x) sin_op_1(y) cos_op(y) cos_op_1(z) -> sin_op cos_op cos_op_1 sin_op_1",
                           "sin_op(p) cos_op(q) -> sin_op cos_op", "sin_op,cos_op sin_op_1,cos_op_1");
}
static_assert(disconnected_pieces_do_not_overlap());

constexpr auto scaled_sum(double alpha, bool conv_is_first, std::string_view key = "alpha") -> exported_program {
  constexpr auto type = tensor(dtype::float32, 2);
  program_builder b;
  const auto x = b.user_input("x", type);
  const auto conv = b.call("conv", {b.user_input("y", type)}, type);
  b.output(b.call("aten.add.Tensor", {conv_is_first ? conv : x, conv_is_first ? x : conv}, type, {{key, alpha}}));
  return b.finish();
}
constexpr auto a_sum_commutes_if_alpha_is_one() -> bool {
  const auto finds_one = [](double alpha, literals compare) {
    return !matches_in<commutative>(scaled_sum(alpha, true), scaled_sum(1, false), compare).empty();
  };
  const auto scaled = commutative::supports(scaled_sum(2, true), scaled_sum(2, true).nodes[1]);
  const auto commutes_if_imported = [](double alpha) {
    const auto program = scaled_sum(alpha, true, "arg_2");
    return commutative::supports(program, program.nodes[1]).accepted;
  };
  return finds_one(1, literals::compared) && finds_one(1, literals::ignored) && !finds_one(2, literals::compared) &&
         !finds_one(2, literals::ignored) && !scaled && view(scaled.reason) == "the second operand is multiplied by alpha" &&
         commutes_if_imported(1) && !commutes_if_imported(3);
}
static_assert(a_sum_commutes_if_alpha_is_one());

constexpr auto a_node_needs_two_operands_to_commute() -> bool {
  const auto reason_for = [](std::size_t operands) {
    constexpr auto type = tensor(dtype::float32, 2);
    program_builder b;
    const auto x = b.user_input("x", type);
    const baton::vector<value_id> inputs(operands, x);
    b.add_node(b.make_node("n", "tfl.add"), inputs, {&x, 1});
    const auto program = b.finish();
    return commutative::supports(program, program.nodes[0]).reason;
  };
  return view(reason_for(0)) == "the node has fewer than two operands" && view(reason_for(1)) == "the node has fewer than two operands" &&
         reason_for(2).empty();
}
static_assert(a_node_needs_two_operands_to_commute());

constexpr auto the_table_contains_operators_by_name() -> bool {
  const auto is_known = [](std::string_view op) {
    program_builder b;
    const auto x = b.user_input("x", tensor(dtype::float32, 2));
    b.output(b.call(op, {x, x}, tensor(dtype::float32, 2), {{"alpha", 1}}));
    const auto program = b.finish();
    return commutative::supports(program, program.nodes[0]).accepted;
  };
  return is_known("tfl.add") && is_known("tfl.mul") && is_known("tfl.maximum") && is_known("tfl.minimum") && is_known("aten.mul.Tensor") &&
         is_known("aten.add.Tensor") && !is_known("aten.sub.Tensor") && !is_known("aten.add_.Tensor") && !is_known("tfl.sub") &&
         !is_known("aten.mm.default");
}
static_assert(the_table_contains_operators_by_name());

constexpr auto a_table_can_be_extended() -> bool {
  constexpr auto graph = "conv(x) blend(y,conv) -> blend";
  return finds<any_of<commutative, operator_names<"blend">>>(graph, "conv(p) blend(conv,q) -> blend", "conv,blend") &&
         finds<commutative>(graph, "conv(p) blend(conv,q) -> blend", "");
}
static_assert(a_table_can_be_extended());

// Patterns that cannot match

constexpr auto with_branches() -> exported_program {
  constexpr auto type = tensor(dtype::float32, 2);
  program_builder b;
  const auto root = b.current();
  const auto branch = b.add_graph("branch");
  b.output(b.call("neg_op", {b.user_input("y", type)}, type));
  b.enter(root);
  const auto flag = b.user_input("flag", tensor(dtype::boolean, 1));
  b.output(b.call_many("choice", "cond", {flag, b.user_input("x", type)}, {type}, {}, {branch, branch})[0]);
  return b.finish();
}
constexpr auto misspelled() -> exported_program {
  constexpr auto type = tensor(dtype::float32, 2);
  program_builder b;
  b.output(b.call("y", "tfl.relu_6", {b.user_input("x", type)}, type));
  return b.finish();
}
constexpr auto with_an_undefined_value() -> exported_program {
  auto program = draw("neg_op(x) relu_op(neg_op) -> relu_op");
  std::swap(program.nodes[0], program.nodes[1]);
  return program;
}

constexpr auto is_rejected(const exported_program& pattern, std::string_view rule, std::string_view node, std::string_view reason) -> bool {
  const auto why = check_pattern(pattern);
  const auto matches = find_matches(draw("neg_op(x) -> neg_op"), graph_id{0}, pattern);
  return why.rule == rule && view(why.node_name) == node && view(why.reason) == reason && matches.error.rule == rule;
}
constexpr auto patterns_that_cannot_match_are_rejected() -> bool {
  return is_rejected(with_branches(), rule<"unmatchable_pattern">::sentence, "choice", "a pattern cannot match a node with subgraphs") &&
         is_rejected(misspelled(), rule<"unknown_operator">::sentence, "y",
                     "the nearest name is tfl.relu6; a custom operator is named tfl.custom.relu_6") &&
         is_rejected(draw("neg_op(x) -> neg_op x"), rule<"unmatchable_pattern">::sentence, "",
                     "placeholder x is an output of the pattern") &&
         is_rejected(draw("neg_op(x) relu_op(x) -> relu_op"), rule<"dead_pattern">::sentence, "neg_op", "") &&
         is_rejected(draw("neg_op(x)"), rule<"dead_pattern">::sentence, "neg_op", "") &&
         is_rejected(draw(""), rule<"empty_pattern">::sentence, "", "") &&
         find_matches(draw("neg_op(x) -> neg_op"), graph_id{0}, with_an_undefined_value()).error.is<"undefined_value">() &&
         !check_pattern(draw("neg_op(x) relu_op(neg_op) -> relu_op neg_op"));
}
static_assert(patterns_that_cannot_match_are_rejected());

// Random graphs

using commutes = operator_names<"c">;

/// Returns a random graph of the operators `a` (unary), `c` (commutative), `d` (binary) and `s` (two outputs). `c` has two operands, or one
/// to three if `are_counts_random` is true. Unused values are graph outputs, and so are a few others.
auto random_graph(properties::random_numbers& random, std::size_t nodes, bool are_counts_random) -> exported_program {
  constexpr auto type = tensor(dtype::int8, 1);
  program_builder b;
  baton::vector<value_id> values{b.user_input("x", type), b.user_input("y", type)};
  std::set<value_id> unused;
  const auto pick = [&] {
    const auto id = values[values.size() - 1 - random.below(std::min<std::size_t>(values.size(), 4))];
    unused.erase(id);
    return id;
  };
  for (std::size_t n = 0; n < nodes; ++n) {
    const std::string_view op = random.once_in(3) ? "a" : random.once_in(8) ? "s" : random.once_in(6) ? "d" : "c";
    baton::vector<value_id> inputs{pick()};
    const std::size_t operands = op == "c" && are_counts_random ? 1 + random.below(3) : op == "c" || op == "d" ? 2 : 1;
    while (inputs.size() < operands) inputs.push_back(pick());
    baton::vector<value_id> outputs;
    for (std::size_t i = 0; i < (op == "s" ? 2u : 1u); ++i)
      outputs.push_back(b.add_value(b.make_value("v", type, value_kind::intermediate)));
    b.add_node(b.make_node("n", op), inputs, outputs);
    for (const auto id : outputs) {
      values.push_back(id);
      unused.insert(id);
    }
  }
  for (const auto id : values) {
    if (unused.contains(id) || (index(id) > 1 && random.once_in(8))) b.output(id);
  }
  return b.finish();
}

template <operator_support Commuting>
void check_against_all_maps(std::uint64_t seed, std::size_t& count, bool are_counts_random = false) {
  properties::random_numbers random(seed);
  const auto program = random_graph(random, 3 + random.below(6), are_counts_random);
  const auto pattern = random_graph(random, 2 + random.below(3), are_counts_random);
  if (check_pattern(pattern)) return;
  const auto matches = find_matches<Commuting>(program, graph_id{0}, pattern);
  const auto all = reference::brute_matches<Commuting>(program, pattern);
  INFO("seed " << seed);
  baton::vector<char> is_matched(program.nodes.size(), 0);
  for (const auto& match : matches.value) {
    CHECK(std::find(all.begin(), all.end(), match.nodes) != all.end());
    for (const auto id : match.nodes) CHECK_FALSE(std::exchange(is_matched[index(id)], 1));
  }
  for (const auto& nodes : all) {
    CHECK(std::any_of(nodes.begin(), nodes.end(), [&](node_id id) { return is_matched[index(id)] != 0; }));
  }
  count += matches.value.size();
}

}  // namespace

TEST_CASE("operands are swapped only if a support allows it") {
  CHECK(operands_are_swapped_only_if_allowed());
  CHECK(the_second_order_is_tried_if_the_first_fails_later());
  CHECK(the_second_order_is_tried_for_a_further_output());
  CHECK(the_second_order_is_tried_if_an_outside_use_rejects_the_first());
}

TEST_CASE("the table of commutative operators can be extended") {
  CHECK(a_sum_commutes_if_alpha_is_one());
  CHECK(a_node_needs_two_operands_to_commute());
  CHECK(the_table_contains_operators_by_name());
  CHECK(a_table_can_be_extended());
}

TEST_CASE("disconnected pieces of a pattern are matched without overlap") { CHECK(disconnected_pieces_do_not_overlap()); }

TEST_CASE("a pattern that cannot match is rejected") { CHECK(patterns_that_cannot_match_are_rejected()); }

TEST_CASE("on random graphs, the matches agree with a trial of all maps") {
  std::size_t in_order = 0;
  std::size_t in_any_order = 0;
  for (std::uint64_t seed = 0; seed < 8000; ++seed) {
    check_against_all_maps<no_support>(seed, in_order);
    check_against_all_maps<commutes>(seed, in_any_order);
  }
  CHECK(in_order > 100);
  CHECK(in_any_order > in_order + 40);
}

TEST_CASE("on random graphs of operators with one to three operands, the matches agree with a trial of all maps") {
  std::size_t in_order = 0;
  std::size_t in_any_order = 0;
  for (std::uint64_t seed = 0; seed < 8000; ++seed) {
    check_against_all_maps<no_support>(seed, in_order, true);
    check_against_all_maps<commutes>(seed, in_any_order, true);
  }
  CHECK(in_order > 100);
  CHECK(in_any_order > in_order + 10);
}

namespace {

/// Returns a chain of `count` times `mul` and `relu`, in which each `mul` is also used by a `neg`.
auto forks(std::uint32_t count) -> exported_program {
  constexpr auto type = tensor(dtype::float32, 4);
  program_builder build;
  auto last = build.user_input("x", type);
  for (std::uint32_t n = 0; n < count; ++n) {
    const auto product = build.call(view(join("mul_op", n)), "aten.mul.Tensor", {last, last}, type);
    last = build.call(view(join("relu_op", n)), "aten.relu.default", {product}, type);
    build.output(build.call(view(join("neg_op", n)), "aten.neg.default", {product}, type));
  }
  build.output(last);
  return build.finish();
}

}  // namespace

TEST_CASE("20,000 matches of a pattern with several outputs are found") {
  constexpr std::uint32_t count = 20000;
  CHECK(find_matches(forks(count), graph_id{0}, forks(1)).value.size() == count);
  CHECK(find_matches<commutative>(forks(count), graph_id{0}, forks(1)).value.size() == count);
}

TEST_CASE("50,000 matches are found") {
  constexpr std::uint32_t pairs = 50000;
  constexpr auto type = tensor(dtype::float32, 4);
  program_builder build;
  auto last = build.user_input("x", type);
  for (std::uint32_t n = 0; n < pairs; ++n) {
    last = build.call(view(join("mul_op", n)), "aten.mul.Tensor", {last, last}, type);
    last = build.call(view(join("relu_op", n)), "aten.relu.default", {last}, type);
  }
  build.output(last);
  const auto program = build.finish();

  program_builder pattern;
  const auto x = pattern.user_input("x", type);
  pattern.output(pattern.call("aten.relu.default", {pattern.call("aten.mul.Tensor", {x, x}, type)}, type));
  CHECK(find_matches(program, graph_id{0}, pattern.finish()).value.size() == pairs);
}

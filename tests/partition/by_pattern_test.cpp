// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/by_pattern.hpp>
#include <baton/backend/backend.hpp>
#include <baton/backend/backends.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/detail/pattern_list.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/shared/rules.hpp>

#include "conformance/drawn_graph.hpp"
#include "core/refusals.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace baton;
using namespace conformance;

struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};

constexpr auto conv_relu() -> exported_program { return draw("conv(x) relu_op(conv) -> relu_op"); }
constexpr auto relu_pool() -> exported_program { return draw("relu_op(x) pool(relu_op) -> pool"); }
constexpr auto conv_add() -> exported_program { return draw("conv(x) add_op(conv,y) -> add_op"); }
constexpr auto relu_and_input() -> exported_program { return draw("relu_op(x) -> relu_op x"); }

template <class Partitioner>
constexpr auto tags_of(std::string_view graph) -> text_buffer {
  const auto tagged = tag_program(draw(graph), Partitioner{}).value;
  const program_view program = tagged;
  text_buffer text;
  for (const auto& record : program.nodes) {
    if (record.tag == none<tag_id>) continue;
    append(append(text, text.empty() ? "" : " "), program.text(record.name));
  }
  return text;
}

constexpr auto chain = "conv(x) relu_op(conv) pool(relu_op) -> pool";
constexpr auto residual = "conv(x) add_op(y,conv) conv_1(add_op) add_op_1(conv_1,z) -> add_op_1";

constexpr auto sums_match_in_both_orders_on_request() -> bool {
  using as_written = by_pattern<npu, patterns<conv_add>>;
  using any_order = by_pattern<npu, patterns<conv_add>, no_support, literals::compared, operator_names<"add_op">>;
  return view(tags_of<as_written>(residual)) == "conv_1 add_op_1" && view(tags_of<any_order>(residual)) == "conv add_op conv_1 add_op_1";
}
static_assert(sums_match_in_both_orders_on_request());

template <operator_support Support = no_support, operator_support Commuting = no_support>
constexpr auto outcome(std::string_view graph, std::initializer_list<std::string_view> drawn, overlaps allowed,
                       literals compare = literals::compared) -> failure {
  baton::vector<exported_program> pattern_programs;
  for (const auto text : drawn) pattern_programs.push_back(draw(text));
  return parts_from_patterns<Support, Commuting>(draw(graph), pattern_programs, compare, allowed).error;
}

constexpr auto contradicting_patterns_are_rejected() -> bool {
  const auto why = tag_program(draw(chain), by_pattern<npu, patterns<conv_relu, relu_pool>>{}).error;
  return why.is<"ambiguous_pattern">() && view(why.node_name) == "relu_op" && view(why.op) == "relu_op" &&
         view(why.reason) == "patterns 0 and 1";
}
static_assert(contradicting_patterns_are_rejected());

// The matches are disjoint, one contains the other, the remaining nodes are supported by themselves, or overlaps are merged.
constexpr auto compatible_patterns_are_accepted() -> bool {
  constexpr auto first = "conv(x) relu_op(conv) -> relu_op";
  constexpr auto second = "relu_op(x) pool(relu_op) -> pool";
  return !outcome("conv(x) relu_op(conv) relu_op_1(y) pool(relu_op_1) -> relu_op pool", {first, second}, overlaps::refused) &&
         !outcome(chain, {first, "conv(x) relu_op(conv) pool(relu_op) -> pool"}, overlaps::refused) &&
         !outcome(chain, {"conv(x) relu_op(conv) pool(relu_op) -> pool", second}, overlaps::refused);
}
static_assert(compatible_patterns_are_accepted());
// Constants of their own, because of Clang's limit on steps.
constexpr auto overlapping_patterns_are_accepted() -> bool {
  constexpr auto first = "conv(x) relu_op(conv) -> relu_op";
  constexpr auto second = "relu_op(x) pool(relu_op) -> pool";
  return !outcome<operator_names<"pool">>(chain, {first, second}, overlaps::refused) &&
         !outcome<operator_names<"conv">>(chain, {first, second}, overlaps::refused) &&
         outcome<operator_names<"relu_op">>(chain, {first, second}, overlaps::refused) &&
         !outcome(chain, {first, second}, overlaps::merged);
}
static_assert(overlapping_patterns_are_accepted());

constexpr auto is_duplicate(const failure& why, std::string_view reason) -> bool {
  return why.is<"duplicate_pattern">() && view(why.reason) == reason;
}
constexpr auto sum = "conv(x) add_op(conv,y) -> add_op";
constexpr auto sum_of_conv = "conv(x) add_op(y,conv) -> add_op";
constexpr auto a_redundant_pattern_is_rejected() -> bool {
  constexpr auto sum_and_conv = "conv(x) add_op(conv,y) -> add_op conv";
  return is_duplicate(outcome(chain, {sum, "relu_op(x) -> relu_op", sum}, overlaps::merged),
                      "each match of pattern 2 is also a match of pattern 0") &&
         is_duplicate(outcome(chain, {sum, sum_and_conv}, overlaps::merged), "each match of pattern 0 is also a match of pattern 1") &&
         is_duplicate(outcome(chain, {sum_and_conv, sum}, overlaps::merged), "each match of pattern 1 is also a match of pattern 0");
}
static_assert(a_redundant_pattern_is_rejected());
constexpr auto a_commuted_pattern_is_redundant() -> bool {
  return is_duplicate(outcome<no_support, operator_names<"add_op">>(chain, {sum, sum_of_conv}, overlaps::merged),
                      "each match of pattern 1 is also a match of pattern 0") &&
         !outcome(chain, {sum, sum_of_conv}, overlaps::merged) &&
         !outcome<no_support, operator_names<"add_op">>(chain, {sum, sum_of_conv}, overlaps::merged, literals::ignored);
}
static_assert(a_commuted_pattern_is_redundant());

constexpr auto unordered() -> exported_program {
  auto pattern = draw("conv(x) relu_op(conv) -> relu_op");
  std::swap(pattern.nodes[0], pattern.nodes[1]);
  return pattern;
}
constexpr auto an_invalid_pattern_is_rejected() -> bool {
  const auto why = tag_program(draw(chain), by_pattern<npu, patterns<relu_pool, unordered>>{}).error;
  return why.is<"undefined_value">() && view(why.reason) == "pattern 1: operand conv";
}
static_assert(an_invalid_pattern_is_rejected());

constexpr auto a_failure_names_the_pattern() -> bool {
  const auto why = tag_program(draw(chain), by_pattern<npu, patterns<conv_relu, relu_and_input>>{}).error;
  return why.is<"unmatchable_pattern">() && view(why.reason) == "pattern 1: placeholder x is an output of the pattern";
}
static_assert(a_failure_names_the_pattern());

auto text_thrown_for(std::string_view graph, const auto& partitioner) -> std::string {
  return refusals::text_thrown_by([&] { static_cast<void>(to_backend(backends<npu>, draw(graph), partitioner)); });
}

}  // namespace

TEST_CASE("a pattern matches operands as written, or in both orders on request") { CHECK(sums_match_in_both_orders_on_request()); }

TEST_CASE("patterns may overlap if they do not contradict each other") {
  CHECK(contradicting_patterns_are_rejected());
  CHECK(compatible_patterns_are_accepted());
  CHECK(overlapping_patterns_are_accepted());
}

TEST_CASE("a useless pattern is rejected with its position in the list") {
  CHECK(a_redundant_pattern_is_rejected());
  CHECK(a_commuted_pattern_is_redundant());
  CHECK(a_failure_names_the_pattern());
  CHECK(an_invalid_pattern_is_rejected());
}

TEST_CASE("run-time calls throw the sentences of the compile-time errors") {
  CHECK(text_thrown_for(chain, by_pattern<npu, patterns<conv_relu, relu_pool>>{}) ==
        "baton ambiguous_pattern: two patterns match overlapping nodes and neither contains the other; merge them, or remove one "
        "[node: relu_op] [operator: relu_op] [patterns 0 and 1]");
  CHECK(text_thrown_for(chain, by_pattern<npu, patterns<conv_add, conv_add>>{}) ==
        "baton duplicate_pattern: a pattern matches only nodes that another pattern of the list matches; remove it "
        "[each match of pattern 1 is also a match of pattern 0]");
  CHECK(text_thrown_for(chain, by_pattern<npu, patterns<unordered>>{}) ==
        "baton undefined_value: an operand is neither a graph input nor an output of an earlier node; order the nodes "
        "[node: relu_op] [operator: relu_op] [pattern 0: operand conv]");
  CHECK(text_thrown_for(chain, by_pattern<npu, patterns<relu_and_input>>{}) ==
        "baton unmatchable_pattern: a node or output of a pattern can never match; see the reason "
        "[pattern 0: placeholder x is an output of the pattern]");
}

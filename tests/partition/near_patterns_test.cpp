// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What is said of nodes where no pattern was found.
#include <baton/partition/detail/near_patterns.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/verdicts.hpp>
#include <baton/partition/by_pattern.hpp>
#include <baton/partition/operator_support.hpp>

#include "conformance/drawn_graph.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using conformance::draw;

struct npu {
  static constexpr auto id = name<"Npu">;
};

constexpr auto conv_relu() -> exported_program { return draw("conv(x) relu(conv) -> relu"); }
constexpr auto conv_add() -> exported_program { return draw("conv(x) add(conv,y) -> add"); }
constexpr auto long_chain() -> exported_program { return draw("conv(x) relu(conv) pool(relu) -> pool"); }
constexpr auto square() -> exported_program { return draw("mul(x,x) -> mul"); }
constexpr auto difference() -> exported_program { return draw("sub(x,y) -> sub"); }
constexpr auto two_pieces() -> exported_program { return draw("conv(x) mul(y,y) -> conv mul"); }
constexpr auto returned_conv() -> exported_program { return draw("conv(x) relu(conv) -> conv relu"); }
constexpr auto conv_and_sum() -> exported_program { return draw("conv(x) add(conv,y) -> conv add"); }
constexpr auto fork() -> exported_program { return draw("conv(x) relu(conv) add(conv,relu) -> add"); }

/// What is said of the first node of a name; "-": it is taken.
template <class Partitioner>
constexpr auto said(const exported_program& program, std::string_view name) -> text_buffer {
  const auto found = verdicts_of(program, Partitioner{});
  if (!found) return message(found.error);
  for (const auto& one : found.value) {
    if (program_view(program).text(program.nodes[index(one.node)].name) != name) continue;
    if (one.is_taken) return join("-");
    return one.reason;
  }
  return join("there is no such node");
}
template <auto... Make>
constexpr auto says(std::string_view graph, std::string_view name, std::string_view reason) -> bool {
  return view(said<by_pattern<npu, patterns<Make...>>>(draw(graph), name)) == reason;
}

constexpr auto operators_are_told() -> bool {
  return says<conv_relu>("conv(x) relu(conv) pool(relu) -> pool", "pool", "no pattern has the operator pool") &&
         says<conv_relu>("conv(x) relu(conv) pool(relu) -> pool", "conv", "-") &&
         says<conv_relu>("pool(x) relu(pool) -> relu", "relu",
                         "pattern 0 comes nearest, but operand 0 of relu comes from pool, not from conv") &&
         says<conv_relu>("relu(x) -> relu", "relu",
                         "pattern 0 comes nearest, but operand 0 of relu comes from a placeholder, not from conv") &&
         says<conv_relu>("conv(x) pool(conv) -> pool", "conv", "pattern 0 comes nearest, but output 0 of conv is operand 0 of no relu") &&
         says<conv_add>("conv(x) add(y,conv) -> add", "conv", "pattern 0 comes nearest, but output 0 of conv is operand 0 of no add") &&
         says<conv_add>("conv(x) add(y,conv) -> add", "add",
                        "pattern 0 comes nearest, but operand 0 of add comes from a placeholder, not from conv");
}
static_assert(operators_are_told());

constexpr auto the_nearest_counts() -> bool {
  return says<difference, conv_add, long_chain>("conv(x) relu(conv) add(relu,y) -> add", "relu",
                                                "pattern 2 comes nearest, but output 0 of relu is operand 0 of no pool") &&
         says<conv_add, long_chain>("relu(x) pool(relu) -> pool", "pool",
                                    "pattern 1 comes nearest, but operand 0 of relu comes from a placeholder, not from conv");
}
static_assert(the_nearest_counts());

constexpr auto uses_and_values_are_told() -> bool {
  return says<conv_relu>("conv(x) relu(conv) pool(conv) -> relu pool", "conv",
                         "pattern 0 comes nearest, but output 0 of conv is used outside of it") &&
         says<conv_relu>("conv(x) relu(conv) -> relu conv", "relu",
                         "pattern 0 comes nearest, but output 0 of conv is used outside of it") &&
         says<returned_conv>("conv(x) relu(conv) relu_1(conv) -> relu relu_1", "relu_1",
                             "pattern 0 comes nearest, but conv belongs to another match") &&
         says<square>(
             "mul(x,y) -> mul", "mul",
             "pattern 0 comes nearest, but operand 1 of mul is another value than the one that the pattern has in several places") &&
         says<difference>("sub(x,x) -> sub", "sub", "pattern 0 comes nearest, but what are two values in it is one here") &&
         says<two_pieces>("conv(x) pool(conv) -> pool", "conv", "pattern 0 comes nearest, but the rest of it was not found");
}
static_assert(uses_and_values_are_told());

/// Of several users that one counts with which most fits, wherever it stands.
constexpr auto every_user_is_tried() -> bool {
  constexpr auto reason = "pattern 0 comes nearest, but output 0 of conv is used outside of it";
  return says<long_chain>("conv(x) relu(conv) relu_1(conv) pool(relu_1) -> relu pool", "conv", reason) &&
         says<long_chain>("conv(x) relu(conv) pool(relu) relu_1(conv) -> relu_1 pool", "conv", reason);
}
static_assert(every_user_is_tried());

/// A path that leaves the pattern and enters it again.
constexpr auto paths_are_told() -> bool {
  return says<conv_and_sum>("conv(x) pool(conv) add(conv,pool) -> add", "conv",
                            "pattern 0 comes nearest, but a path leaves it and enters it again");
}
static_assert(paths_are_told());

constexpr auto two = tensor(dtype::float32, 2);
template <std::int64_t Dim>
constexpr auto sum_over() -> exported_program {
  program_builder b;
  b.output(b.call("sum", "sum", {b.user_input("x", two)}, two, {{"dim", Dim}}));
  return b.finish();
}
constexpr auto kept_sum() -> exported_program {
  program_builder b;
  b.output(b.call("sum", "sum", {b.user_input("x", two)}, two, {{"dim", 1}, {"keep", 1}}));
  return b.finish();
}
constexpr auto attributes_are_told() -> bool {
  using one = by_pattern<npu, patterns<sum_over<1>>>;
  return view(said<one>(sum_over<2>(), "sum")) == "pattern 0 comes nearest, but attribute dim of sum differs" &&
         view(said<one>(kept_sum(), "sum")) == "pattern 0 comes nearest, but sum has more attributes" &&
         view(said<one>(sum_over<1>(), "sum")) == "-";
}
static_assert(attributes_are_told());

constexpr auto operands_and_outputs_are_counted() -> bool {
  program_builder b;
  const auto halves = b.call_many("conv", "conv", {b.user_input("x", two)}, {two, two}, {});
  b.output(halves[0]);
  return says<difference>("sub(x) -> sub", "sub", "pattern 0 comes nearest, but sub has another number of operands, 1") &&
         view(said<by_pattern<npu, patterns<conv_relu>>>(b.finish(), "conv")) ==
             "pattern 0 comes nearest, but conv has another number of outputs, 2";
}
static_assert(operands_and_outputs_are_counted());

/// With a support the reason of both; where operands may change places, both orders count.
constexpr auto supports_and_orders_count() -> bool {
  using either_way = by_pattern<npu, patterns<fork>, operator_names<"pool">, literals::compared, operator_names<"add">>;
  return view(said<either_way>(draw("conv(x) relu(conv) add(relu,conv) -> add"), "conv")) == "-" &&
         view(said<either_way>(draw("conv(x) relu(conv) add(relu,conv) pool(conv) -> add pool"), "add")) ==
             "pattern 0 comes nearest, but output 0 of conv is used outside of it; the operator is not in the list" &&
         view(said<either_way>(draw("conv(x) sub(conv) -> sub"), "sub")) ==
             "no pattern has the operator sub; the operator is not in the list";
}
static_assert(supports_and_orders_count());

}  // namespace

TEST_CASE("near patterns: operators and where operands come from") { CHECK(operators_are_told()); }
TEST_CASE("near patterns: the one of which most fits") { CHECK(the_nearest_counts()); }
TEST_CASE("near patterns: uses outside, other matches, values that are one") { CHECK(uses_and_values_are_told()); }
TEST_CASE("near patterns: of several users the one that fits") { CHECK(every_user_is_tried()); }
TEST_CASE("near patterns: paths that come back") { CHECK(paths_are_told()); }
TEST_CASE("near patterns: attributes") { CHECK(attributes_are_told()); }
TEST_CASE("near patterns: counts of operands and outputs") { CHECK(operands_and_outputs_are_counted()); }
TEST_CASE("near patterns: with a support, and in both orders") { CHECK(supports_and_orders_count()); }

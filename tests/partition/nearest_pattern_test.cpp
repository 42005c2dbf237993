// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reasons for nodes that no pattern matches.
#include <baton/partition/detail/nearest_pattern.hpp>

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

constexpr auto conv_relu() -> exported_program { return draw("conv(x) relu_op(conv) -> relu_op"); }
constexpr auto conv_add() -> exported_program { return draw("conv(x) add_op(conv,y) -> add_op"); }
constexpr auto long_chain() -> exported_program { return draw("conv(x) relu_op(conv) pool(relu_op) -> pool"); }
constexpr auto square() -> exported_program { return draw("mul_op(x,x) -> mul_op"); }
constexpr auto difference() -> exported_program { return draw("sub_op(x,y) -> sub_op"); }
constexpr auto two_pieces() -> exported_program { return draw("conv(x) mul_op(y,y) -> conv mul_op"); }
constexpr auto returned_conv() -> exported_program { return draw("conv(x) relu_op(conv) -> conv relu_op"); }
constexpr auto conv_and_sum() -> exported_program { return draw("conv(x) add_op(conv,y) -> conv add_op"); }
constexpr auto fork() -> exported_program { return draw("conv(x) relu_op(conv) add_op(conv,relu_op) -> add_op"); }

/// Returns the reason for the first node of this name, or "-" if the node is delegated.
template <class Partitioner>
constexpr auto reason_for(const exported_program& program, std::string_view name) -> text_buffer {
  const auto verdicts = verdicts_of(program, Partitioner{});
  if (!verdicts) return message(verdicts.error);
  for (const auto& each : verdicts.value) {
    if (program_view(program).text(program.nodes[index(each.node)].name) != name) continue;
    if (each.is_delegated) return join("-");
    return each.reason;
  }
  return join("there is no such node");
}
template <auto... Make>
constexpr auto has_reason(std::string_view graph, std::string_view name, std::string_view reason) -> bool {
  return view(reason_for<by_pattern<npu, patterns<Make...>>>(draw(graph), name)) == reason;
}

constexpr auto operators_are_reported() -> bool {
  return has_reason<conv_relu>("conv(x) relu_op(conv) pool(relu_op) -> pool", "pool", "no pattern has the operator pool") &&
         has_reason<conv_relu>("conv(x) relu_op(conv) pool(relu_op) -> pool", "conv", "-") &&
         has_reason<conv_relu>("pool(x) relu_op(pool) -> relu_op", "relu_op",
                               "pattern 0 is the closest match, but operand 0 of relu_op comes from pool, not from conv") &&
         has_reason<conv_relu>("relu_op(x) -> relu_op", "relu_op",
                               "pattern 0 is the closest match, but operand 0 of relu_op comes from a placeholder, not from conv") &&
         has_reason<conv_relu>("conv(x) pool(conv) -> pool", "conv",
                               "pattern 0 is the closest match, but output 0 of conv is not operand 0 of relu_op") &&
         has_reason<conv_add>("conv(x) add_op(y,conv) -> add_op", "conv",
                              "pattern 0 is the closest match, but output 0 of conv is not operand 0 of add_op") &&
         has_reason<conv_add>("conv(x) add_op(y,conv) -> add_op", "add_op",
                              "pattern 0 is the closest match, but operand 0 of add_op comes from a placeholder, not from conv");
}
static_assert(operators_are_reported());

constexpr auto the_nearest_is_reported() -> bool {
  return has_reason<difference, conv_add, long_chain>("conv(x) relu_op(conv) add_op(relu_op,y) -> add_op", "relu_op",
                                                      "pattern 2 is the closest match, but output 0 of relu_op is not operand 0 of pool") &&
         has_reason<conv_add, long_chain>(
             "relu_op(x) pool(relu_op) -> pool", "pool",
             "pattern 1 is the closest match, but operand 0 of relu_op comes from a placeholder, not from conv");
}
static_assert(the_nearest_is_reported());

constexpr auto uses_and_values_are_reported() -> bool {
  return has_reason<conv_relu>("conv(x) relu_op(conv) pool(conv) -> relu_op pool", "conv",
                               "pattern 0 is the closest match, but output 0 of conv is used outside of the match") &&
         has_reason<conv_relu>("conv(x) relu_op(conv) -> relu_op conv", "relu_op",
                               "pattern 0 is the closest match, but output 0 of conv is used outside of the match") &&
         has_reason<returned_conv>("conv(x) relu_op(conv) relu_op_1(conv) -> relu_op relu_op_1", "relu_op_1",
                                   "pattern 0 is the closest match, but conv belongs to another match") &&
         has_reason<square>(
             "mul_op(x,y) -> mul_op", "mul_op",
             "pattern 0 is the closest match, but operand 1 of mul_op is not the value that the pattern uses in several places") &&
         has_reason<difference>(
             "sub_op(x,x) -> sub_op", "sub_op",
             "pattern 0 is the closest match, but two nodes or values of the pattern match the same one of the program") &&
         has_reason<two_pieces>("conv(x) pool(conv) -> pool", "conv",
                                "pattern 0 is the closest match, but the rest of the pattern does not match");
}
static_assert(uses_and_values_are_reported());

/// If a value has several users, the user with which most of the pattern fits is reported, in any order of the users.
constexpr auto every_user_is_tried() -> bool {
  constexpr auto reason = "pattern 0 is the closest match, but output 0 of conv is used outside of the match";
  return has_reason<long_chain>("conv(x) relu_op(conv) relu_op_1(conv) pool(relu_op_1) -> relu_op pool", "conv", reason) &&
         has_reason<long_chain>("conv(x) relu_op(conv) pool(relu_op) relu_op_1(conv) -> relu_op_1 pool", "conv", reason);
}
static_assert(every_user_is_tried());

/// A path leaves the pattern and enters it again.
constexpr auto paths_are_reported() -> bool {
  return has_reason<conv_and_sum>("conv(x) pool(conv) add_op(conv,pool) -> add_op", "conv",
                                  "pattern 0 is the closest match, but a path leaves the match and enters it again");
}
static_assert(paths_are_reported());

constexpr auto two = tensor(dtype::float32, 2);
template <std::int64_t Dim>
constexpr auto sum_over() -> exported_program {
  program_builder b;
  b.output(b.call("sum_op", "sum_op", {b.user_input("x", two)}, two, {{"dim", Dim}}));
  return b.finish();
}
constexpr auto kept_sum() -> exported_program {
  program_builder b;
  b.output(b.call("sum_op", "sum_op", {b.user_input("x", two)}, two, {{"dim", 1}, {"keep", 1}}));
  return b.finish();
}
constexpr auto attributes_are_reported() -> bool {
  using summing = by_pattern<npu, patterns<sum_over<1>>>;
  return view(reason_for<summing>(sum_over<2>(), "sum_op")) ==
             "pattern 0 is the closest match, but attribute dim of sum_op differs from the pattern" &&
         view(reason_for<summing>(kept_sum(), "sum_op")) ==
             "pattern 0 is the closest match, but sum_op has more attributes than the pattern" &&
         view(reason_for<summing>(sum_over<1>(), "sum_op")) == "-";
}
static_assert(attributes_are_reported());

constexpr auto numbers_of_operands_and_outputs_are_reported() -> bool {
  program_builder b;
  const auto halves = b.call_many("conv", "conv", {b.user_input("x", two)}, {two, two}, {});
  b.output(halves[0]);
  return has_reason<difference>("sub_op(x) -> sub_op", "sub_op",
                                "pattern 0 is the closest match, but the number of operands of sub_op, 1, is not that of the pattern") &&
         view(reason_for<by_pattern<npu, patterns<conv_relu>>>(b.finish(), "conv")) ==
             "pattern 0 is the closest match, but the number of outputs of conv, 2, is not that of the pattern";
}
static_assert(numbers_of_operands_and_outputs_are_reported());

/// With a support, both reasons are reported. If operands may be swapped, both orders are tried.
constexpr auto supports_and_orders_are_respected() -> bool {
  using any_order = by_pattern<npu, patterns<fork>, operator_names<"pool">, literals::compared, operator_names<"add_op">>;
  return view(reason_for<any_order>(draw("conv(x) relu_op(conv) add_op(relu_op,conv) -> add_op"), "conv")) == "-" &&
         view(reason_for<any_order>(draw("conv(x) relu_op(conv) add_op(relu_op,conv) pool(conv) -> add_op pool"), "add_op")) ==
             "pattern 0 is the closest match, but output 0 of conv is used outside of the match; the operator is not in the list" &&
         view(reason_for<any_order>(draw("conv(x) sub_op(conv) -> sub_op"), "sub_op")) ==
             "no pattern has the operator sub_op; the operator is not in the list";
}
static_assert(supports_and_orders_are_respected());

}  // namespace

TEST_CASE("near patterns: missing operators and different sources of operands are reported") { CHECK(operators_are_reported()); }
TEST_CASE("near patterns: the pattern with the largest matching portion is reported") { CHECK(the_nearest_is_reported()); }
TEST_CASE("near patterns: outside uses, other matches, and values that are not distinct are reported") {
  CHECK(uses_and_values_are_reported());
}
TEST_CASE("near patterns: all users of a value are tried") { CHECK(every_user_is_tried()); }
TEST_CASE("near patterns: a path that leaves the pattern and returns is reported") { CHECK(paths_are_reported()); }
TEST_CASE("near patterns: different attributes are reported") { CHECK(attributes_are_reported()); }
TEST_CASE("near patterns: a different number of operands or outputs is reported") { CHECK(numbers_of_operands_and_outputs_are_reported()); }
TEST_CASE("near patterns: the reason of a support is included, and both operand orders are tried") {
  CHECK(supports_and_orders_are_respected());
}

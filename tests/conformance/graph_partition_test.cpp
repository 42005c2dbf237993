// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Section 4.6 of the specification: partitions from node lists. A list has the nodes and parameters of a layer.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/shared/proposed_parts.hpp>

#include "conformance/drawn_graph.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;
using namespace conformance;

template <operator_support Support = no_support>
constexpr auto parts(std::string_view graph, std::initializer_list<std::string_view> layers, std::string_view expected) -> bool {
  const auto program = draw(graph);
  baton::vector<node_list> lists;
  for (const auto names : layers) lists.push_back(listed(program, names));
  const auto partition = parts_from_lists<Support>(program, lists);
  return partition && view(parts_text(program, partition.value, true)) == expected;
}

constexpr auto gpart_1() -> bool {
  return parts(
      "conv(x;1) conv_1(conv;2) conv_2(conv_1;3) conv_3(conv_2;3) relu_op(conv_3) -> relu_op",
      {"conv,p_conv1_weight,p_conv1_bias", "conv_1,p_conv2_weight,p_conv2_bias", "conv_2,conv_3,p_conv3_weight,p_conv3_bias", "relu_op"},
      "{1:conv,conv_1,conv_2,conv_3,p_conv1_bias,p_conv1_weight,p_conv2_bias,p_conv2_weight,p_conv3_bias,p_conv3_weight,relu_op}");
}
constexpr auto gpart_2() -> bool {
  return parts(
      "conv(x;1) conv_1(conv;2) add_op(conv,conv_1) conv_2(add_op;3) conv_3(conv_2;3) relu_op(conv_3) -> relu_op",
      {"conv,p_conv1_weight,p_conv1_bias", "conv_1,p_conv2_weight,p_conv2_bias", "conv_2,conv_3,p_conv3_weight,p_conv3_bias", "relu_op"},
      "{1:conv_2,conv_3,p_conv3_bias,p_conv3_weight,relu_op} "
      "{4:conv,conv_1,p_conv1_bias,p_conv1_weight,p_conv2_bias,p_conv2_weight}");
}
// The original's `max.dim` has two values, which `getitem` nodes extract. Here, a node has several outputs without further nodes.
constexpr auto gpart_3() -> bool {
  return parts<operator_names<"add_op", "div_op">>(
      "conv(x;1) conv_1(conv;2) add_op(conv,conv_1) conv_2(add_op;3) conv_3(conv_2;3) max(conv_2) max_1(conv_3) sub_op(max_1,max) "
      "relu_op(sub_op) -> relu_op",
      {"conv,p_conv1_weight,p_conv1_bias", "conv_1,p_conv2_weight,p_conv2_bias", "conv_2,conv_3,p_conv3_weight,p_conv3_bias", "relu_op"},
      "{0:relu_op} "
      "{2:add_op,conv,conv_1,conv_2,conv_3,p_conv1_bias,p_conv1_weight,p_conv2_bias,p_conv2_weight,p_conv3_bias,p_conv3_weight}");
}
static_assert(gpart_1());
static_assert(gpart_2());
static_assert(gpart_3());

}  // namespace

TEST_CASE("lists of all layers of a chain, with their parameters, form one part (T-GPART-1)") { CHECK(gpart_1()); }
TEST_CASE("a node that is in no list divides the listed layers into two parts (T-GPART-2)") { CHECK(gpart_2()); }
TEST_CASE("an operator support joins nodes that are in no list to listed layers (T-GPART-3)") { CHECK(gpart_3()); }

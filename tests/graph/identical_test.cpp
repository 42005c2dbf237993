// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/graph/identical.hpp>
#include <baton/core/builder.hpp>
#include <baton/graph/copy.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using conformance::two_by_two;

/// A variant of the graph below. Each member that is set changes one part of the graph.
struct variation {
  std::string_view description;
  std::string_view input = "x";
  std::string_view parameter = "w";
  std::string_view op = "aten.mul.Tensor";
  std::string_view name = "mul";
  bool is_swapped = false;
  bool shares = false;
  std::int64_t dim = 1;
  double eps = 0.5;
  dtype type = dtype::float32;
  bool returns_both = false;
};

/// p = relu(x), q = relu(x), mul(p, q, w) with literals.
constexpr auto build(const variation& variant) -> exported_program {
  program_builder b;
  const auto w = b.parameter(variant.parameter, two_by_two);
  const auto x = b.user_input(variant.input, two_by_two);
  const auto p = b.call("p", "aten.relu.default", {x}, two_by_two);
  const auto q = variant.shares ? p : b.call("q", "aten.relu.default", {x}, two_by_two);
  const auto type = tensor(variant.type, 2, 2);
  const auto dims = std::int64_t{variant.dim};
  const auto mul = b.call(variant.name, variant.op, {variant.is_swapped ? q : p, variant.is_swapped ? p : q, w}, type,
                          {{"dims", baton::span<const std::int64_t>{&dims, 1}}, {"eps", variant.eps}});
  if (variant.returns_both) b.output(p);
  b.output(mul);
  return b.finish();
}

constexpr variation different[] = {
    {.description = "another placeholder", .input = "y"},         {.description = "another parameter", .parameter = "v"},
    {.description = "another operator", .op = "aten.add.Tensor"}, {.description = "operands the other way round", .is_swapped = true},
    {.description = "one operand twice", .shares = true},         {.description = "another whole number", .dim = 0},
    {.description = "another real number", .eps = 0.25},          {.description = "another type", .type = dtype::float16},
    {.description = "another output", .returns_both = true},
};

constexpr auto is_detected(const variation& variant) -> bool {
  const auto one = build({});
  const auto other = build(variant);
  return !is_identical(one, other) && !is_identical(other, one) && is_identical(other, other);
}
constexpr auto every_difference_is_detected() -> bool {
  for (const auto& variant : different) {
    if (!is_detected(variant)) return false;
  }
  return true;
}
static_assert(every_difference_is_detected());

// Names of nodes, debug handles and positions of records are ignored.
constexpr auto names_handles_and_positions_are_ignored() -> bool {
  const auto one = build({});
  auto other = build({.description = "another name", .name = "product"});
  for (auto& record : other.nodes) record.debug_handle += 7;
  program_builder b;
  b.user_input("unused", two_by_two);
  program_copier copier(other, b);
  const auto moved = copier.copy_graph(graph_id{0});
  const auto further = b.finish();
  return is_identical(one, other) && is_identical(one, graph_id{0}, further, moved) && !is_identical(one, further) &&
         is_identical(exported_program{}, exported_program{}) && !is_identical(one, exported_program{});
}
static_assert(names_handles_and_positions_are_ignored());

// R132, R133: nodes are compared by operator, operands and literals, not by position. Lists of nodes are compared in order.
constexpr auto nodes_are_compared_by_definition() -> bool {
  const auto one = build({});
  const auto swapped = build({.description = "", .is_swapped = true});
  const node_id forward[] = {node_id{0}, node_id{1}};
  const node_id backward[] = {node_id{1}, node_id{0}};
  const node_id same_twice[] = {node_id{0}, node_id{0}};
  return is_identical(one, node_id{0}, one, node_id{1}) && is_identical(one, node_id{2}, swapped, node_id{2}) &&
         !is_identical(one, node_id{0}, one, node_id{2}) && is_identical(one, forward, one, backward) &&
         !is_identical(one, forward, one, same_twice) && !is_identical(one, forward, one, baton::span{forward}.first(1));
}
static_assert(nodes_are_compared_by_definition());

constexpr auto branches_and_modules_are_compared() -> bool {
  constexpr auto target = backends<conformance::backend_with_compiler_demo>;
  const auto program = conformance::g_cond();
  auto other = conformance::g_cond();
  other.nodes[other[graph_id{1}].nodes.first].op = hash_of("aten.other.default");
  const auto lowered = to_backend(target, program, conformance::add_mul_partitioner_demo{});
  auto another = lowered;
  another.compile_specs.back().value = another.compile_specs.back().key;
  return is_identical(program, program) && !is_identical(program, other) && is_identical(lowered, lowered) &&
         !is_identical(lowered, program) && !is_identical(lowered, another);
}
static_assert(branches_and_modules_are_compared());

}  // namespace

TEST_CASE("is_identical detects every single difference between graphs") {
  for (const auto& variant : different) {
    INFO(variant.description.data());
    CHECK(is_detected(variant));
  }
}
TEST_CASE("is_identical ignores names, debug handles and positions") { CHECK(names_handles_and_positions_are_ignored()); }
TEST_CASE("is_identical compares nodes by definition, including branches and lowered modules") {
  CHECK(nodes_are_compared_by_definition());
  CHECK(branches_and_modules_are_compared());
}

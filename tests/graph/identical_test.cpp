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

/// What a variant of the graph below changes.
struct variation {
  std::string_view what;
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
constexpr auto made(const variation& of) -> exported_program {
  program_builder b;
  const auto w = b.parameter(of.parameter, two_by_two);
  const auto x = b.user_input(of.input, two_by_two);
  const auto p = b.call("p", "aten.relu.default", {x}, two_by_two);
  const auto q = of.shares ? p : b.call("q", "aten.relu.default", {x}, two_by_two);
  const auto type = tensor(of.type, 2, 2);
  const auto dims = std::int64_t{of.dim};
  const auto mul = b.call(of.name, of.op, {of.is_swapped ? q : p, of.is_swapped ? p : q, w}, type,
                          {{"dims", baton::span<const std::int64_t>{&dims, 1}}, {"eps", of.eps}});
  if (of.returns_both) b.output(p);
  b.output(mul);
  return b.finish();
}

constexpr variation different[] = {
    {.what = "another placeholder", .input = "y"},         {.what = "another parameter", .parameter = "v"},
    {.what = "another operator", .op = "aten.add.Tensor"}, {.what = "operands the other way round", .is_swapped = true},
    {.what = "one operand twice", .shares = true},         {.what = "another whole number", .dim = 0},
    {.what = "another real number", .eps = 0.25},          {.what = "another type", .type = dtype::float16},
    {.what = "another output", .returns_both = true},
};

constexpr auto is_reported(const variation& of) -> bool {
  const auto one = made({});
  const auto other = made(of);
  return !is_identical(one, other) && !is_identical(other, one) && is_identical(other, other);
}
constexpr auto every_difference_is_told() -> bool {
  for (const auto& of : different) {
    if (!is_reported(of)) return false;
  }
  return true;
}
static_assert(every_difference_is_told());

// Names of nodes, debug handles and the place of records do not count.
constexpr auto the_rest_does_not_count() -> bool {
  const auto one = made({});
  auto other = made({.what = "another name", .name = "product"});
  for (auto& record : other.nodes) record.debug_handle += 7;
  program_builder b;
  b.user_input("unused", two_by_two);
  program_copier copier(other, b);
  const auto moved = copier.copy_graph(graph_id{0});
  const auto further = b.finish();
  return is_identical(one, other) && is_identical(one, graph_id{0}, further, moved) && !is_identical(one, further) &&
         is_identical(exported_program{}, exported_program{}) && !is_identical(one, exported_program{});
}
static_assert(the_rest_does_not_count());

// R132, R133: nodes by how they are made, wherever they stand, and lists of them one by one.
constexpr auto nodes_compare_by_how_they_are_made() -> bool {
  const auto one = made({});
  const auto swapped = made({.what = "", .is_swapped = true});
  const node_id forward[] = {node_id{0}, node_id{1}};
  const node_id backward[] = {node_id{1}, node_id{0}};
  const node_id same_twice[] = {node_id{0}, node_id{0}};
  return is_identical(one, node_id{0}, one, node_id{1}) && is_identical(one, node_id{2}, swapped, node_id{2}) &&
         !is_identical(one, node_id{0}, one, node_id{2}) && is_identical(one, forward, one, backward) &&
         !is_identical(one, forward, one, same_twice) && !is_identical(one, forward, one, baton::span{forward}.first(1));
}
static_assert(nodes_compare_by_how_they_are_made());

constexpr auto branches_and_modules_count() -> bool {
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
static_assert(branches_and_modules_count());

}  // namespace

TEST_CASE("identical: what graphs say counts, one difference at a time") {
  for (const auto& of : different) {
    INFO(of.what.data());
    CHECK(is_reported(of));
  }
}
TEST_CASE("identical: names, handles and places do not count") { CHECK(the_rest_does_not_count()); }
TEST_CASE("identical: nodes by how they are made, branches and lowered modules too") {
  CHECK(nodes_compare_by_how_they_are_made());
  CHECK(branches_and_modules_count());
}

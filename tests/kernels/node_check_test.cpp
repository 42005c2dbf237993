// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/kernels/node_check.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

constexpr auto four = tensor(dtype::float32, 4);

/// A node of an operator that the library does not know, with one operand, and a node behind it whose operands stand beside.
constexpr auto program() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", four), y = b.user_input("y", four);
  b.output(b.call("my.blend", {x}, four));
  b.output(b.call("my.blend", {x, y}, four));
  return b.finish();
}

constexpr void infer_blend(inference& at) { at.give(0, dtype::float32, {4}); }
constexpr operand_definition operands[] = {{"left"}, {"right"}};
constexpr operator_definition own[] = {{.name = "my.blend", .operands = operands, .infer = infer_blend}};

/// What a check says of node `n` after `ask`; nothing: all is well.
template <class Ask>
constexpr auto says(std::uint32_t n, Ask ask, std::string_view expected) -> bool {
  const auto of = program();
  const program_view seen = of;
  portable::node_check check{seen, seen.nodes[n]};
  ask(check);
  return view(check.verdict_so_far().reason) == expected;
}

constexpr auto operands_and_outputs_that_are_not_there_are_missing() -> bool {
  const auto right = [](auto& check) { check.conforms(), check.input(1, "right"); };
  const auto second = [](auto& check) { check.conforms(), check.output_at(1); };
  return says(0, right, "right is missing") && says(1, right, "") && says(0, second, "output is missing");
}
static_assert(operands_and_outputs_that_are_not_there_are_missing());

constexpr auto operators_of_ones_own_conform_to_their_definition() -> bool {
  const auto conforms = [](auto& check) { check.conforms(1, own); };
  return !says(0, conforms, "") && says(1, conforms, "") && says(0, [](auto& check) { check.conforms(); }, "");
}
static_assert(operators_of_ones_own_conform_to_their_definition());

}  // namespace

TEST_CASE("operands and outputs that are not there are missing") { CHECK(operands_and_outputs_that_are_not_there_are_missing()); }

TEST_CASE("operators of one's own conform to their definition") { CHECK(operators_of_ones_own_conform_to_their_definition()); }

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
#include <initializer_list>
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
constexpr auto says(std::uint32_t n, Ask ask, std::string_view expected, operator_list operators = {}) -> bool {
  auto of = program();
  of.operators = operators;
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
  const auto conforms = [](auto& check) { check.conforms(); };
  return !says(0, conforms, "", own) && says(1, conforms, "", own) && says(0, conforms, "");
}
static_assert(operators_of_ones_own_conform_to_their_definition());

/// A real option may be written as an integer, and as nothing else.
constexpr auto real_options_are_numbers() -> bool {
  const auto read = [](std::initializer_list<named_literal> literals, std::string_view reason) -> double {
    program_builder b;
    b.output(b.call("my.blend", {b.user_input("x", four)}, four, literals));
    const auto of = b.finish();
    const program_view seen = of;
    portable::node_check check{seen, seen.nodes[0]};
    const auto factor = check.real_option("factor", 1.5);
    return view(check.verdict_so_far().reason) == reason ? factor : -1;
  };
  return read({}, "") == 1.5 && read({{"factor", 0.25}}, "") == 0.25 && read({{"factor", 2}}, "") == 2 &&
         read({{"factor", "much"}}, "factor is no number") == 1.5;
}
static_assert(real_options_are_numbers());

/// A constant is demanded of an operand that a node widens from float16, and of one that is computed otherwise; weights may be either.
constexpr auto computed_operands_are_no_constants() -> bool {
  const auto says_of = [](dtype stored, bool takes_computed) {
    program_builder b;
    const auto w = b.parameter("w", tensor(stored, 4), {"\1\2\3\4\5\6\7\10", stored == dtype::float16 ? 8u : 4u});
    b.output(b.call("my.blend", {b.call("tfl.dequantize", {w}, four), w}, four));
    const auto of = b.finish();
    const program_view seen = of;
    portable::node_check check{seen, seen.nodes[1]};
    const auto left = check.input(0, "left"), right = check.input(1, "right");
    check.constant_data(right, "right");
    if (takes_computed) check.weights(left, "left");
    if (!takes_computed) check.constant_data(left, "left");
    return check.verdict_so_far();
  };
  const auto is = [](const verdict& found, std::string_view reason) { return view(found.reason) == reason; };
  return says_of(dtype::float16, true).accepted && says_of(dtype::int8, true).accepted &&
         is(says_of(dtype::float16, false),
            "left is dequantized from float16 and must be a constant of float32; leave the node to the portable kernels, or convert "
            "without float16") &&
         is(says_of(dtype::int8, false), "left is no constant of 16 bytes");
}
static_assert(computed_operands_are_no_constants());

}  // namespace

TEST_CASE("a real option is a number") { CHECK(real_options_are_numbers()); }
TEST_CASE("computed operands are no constants") { CHECK(computed_operands_are_no_constants()); }
TEST_CASE("operands and outputs that are not there are missing") { CHECK(operands_and_outputs_that_are_not_there_are_missing()); }

TEST_CASE("operators of one's own conform to their definition") { CHECK(operators_of_ones_own_conform_to_their_definition()); }

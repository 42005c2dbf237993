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

/// Returns two nodes of an operator that the library does not know: one with one operand, and one with two. The operands of the second
/// follow those of the first in the list of operands.
constexpr auto program() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", four), y = b.user_input("y", four);
  b.output(b.call("my.blend", {x}, four));
  b.output(b.call("my.blend", {x, y}, four));
  return b.finish();
}

constexpr void infer_blend(inference& node) { node.set_output(0, dtype::float32, {4}); }
constexpr operand_definition operands[] = {{"left"}, {"right"}};
constexpr operator_definition custom_operators[] = {{.name = "my.blend", .operands = operands, .infer = infer_blend}};

/// True if a check of node `n` has the reason `expected` after `ask`; "" if there is no error.
template <class Ask>
constexpr auto has_reason(std::uint32_t n, Ask ask, std::string_view expected, operator_list operators = {}) -> bool {
  auto of = program();
  of.operators = operators;
  const program_view seen = of;
  portable::node_check check{seen, seen.nodes[n]};
  ask(check);
  return view(check.verdict_so_far().reason) == expected;
}

constexpr auto absent_operands_and_outputs_are_missing() -> bool {
  const auto right = [](auto& check) { check.conforms(), check.input(1, "right"); };
  const auto second = [](auto& check) { check.conforms(), check.output_at(1); };
  return has_reason(0, right, "right is missing") && has_reason(1, right, "") && has_reason(0, second, "output is missing");
}
static_assert(absent_operands_and_outputs_are_missing());

/// An element of int4 is half a byte, so an operand of 2^30 bytes has 2^31 elements.
constexpr auto counts_of_elements_fit_32_bits() -> bool {
  const auto reason_of = [](const tensor_type& type, bool may_be_empty, std::string_view expected) {
    program_builder b;
    b.output(b.call("my.blend", {b.user_input("x", type)}, four));
    const auto of = b.finish();
    const program_view seen = of;
    portable::node_check check{seen, seen.nodes[0]};
    const auto x = may_be_empty ? check.input_or_empty(0, "input") : check.input(0, "input");
    return view(check.verdict_so_far().reason) == expected && (!expected.empty() || x.count == element_count(type.shape()));
  };
  constexpr auto too_large = "input is empty, of unknown size or over 1073741824 bytes";
  return reason_of(tensor(dtype::int4, 65536, 32768), false, "input has 2147483648 elements; the maximum is 2147483647") &&
         reason_of(tensor(dtype::int4, 65536, 32767), false, "") && reason_of(tensor(dtype::int8, 65536, 16384), false, "") &&
         reason_of(tensor(dtype::int4, 0, 65536, 32768), true, too_large) && reason_of(tensor(dtype::int4, 0, 65536, 16384), true, "");
}
static_assert(counts_of_elements_fit_32_bits());

constexpr auto custom_operators_conform_to_their_definition() -> bool {
  const auto conforms = [](auto& check) { check.conforms(); };
  return !has_reason(0, conforms, "", custom_operators) && has_reason(1, conforms, "", custom_operators) && has_reason(0, conforms, "");
}
static_assert(custom_operators_conform_to_their_definition());

/// A real option may be stored as an integer, but not as any other type.
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
         read({{"factor", "much"}}, "factor is not a number") == 1.5;
}
static_assert(real_options_are_numbers());

/// A computed operand is not a constant, even if it is dequantized from float16. Weights may be computed.
constexpr auto computed_operands_are_not_constants() -> bool {
  const auto verdict_of = [](dtype stored, bool allows_computed) {
    program_builder b;
    const auto w = b.parameter("w", tensor(stored, 4), {"\1\2\3\4\5\6\7\10", stored == dtype::float16 ? 8u : 4u});
    b.output(b.call("my.blend", {b.call("tfl.dequantize", {w}, four), w}, four));
    const auto of = b.finish();
    const program_view seen = of;
    portable::node_check check{seen, seen.nodes[1]};
    const auto left = check.input(0, "left"), right = check.input(1, "right");
    check.constant_data(right, "right");
    if (allows_computed) check.weights(left, "left");
    if (!allows_computed) check.constant_data(left, "left");
    return check.verdict_so_far();
  };
  const auto is = [](const verdict& answer, std::string_view reason) { return view(answer.reason) == reason; };
  return verdict_of(dtype::float16, true).accepted && verdict_of(dtype::int8, true).accepted &&
         is(verdict_of(dtype::float16, false),
            "left is dequantized from float16 and must be a constant of float32; leave the node to the portable kernels, or convert "
            "without float16") &&
         is(verdict_of(dtype::int8, false), "left is not a constant of 16 bytes");
}
static_assert(computed_operands_are_not_constants());

}  // namespace

constexpr auto the_dilation_of_one_tap_is_one() -> bool {
  const auto of = program();
  const program_view seen = of;
  portable::node_check check{seen, seen.nodes[0]};
  const auto one = check.axis("height", false, 5, 5, 1, 1, 1 << 30), two = check.axis("height", false, 5, 3, 2, 1, 2);
  return one.dilation == 1 && two.dilation == 2 && check.verdict_so_far();
}
static_assert(the_dilation_of_one_tap_is_one());

TEST_CASE("real options are numbers") { CHECK(real_options_are_numbers()); }
TEST_CASE("computed operands are not constants") { CHECK(computed_operands_are_not_constants()); }
TEST_CASE("counts of elements fit 32 bits") { CHECK(counts_of_elements_fit_32_bits()); }
TEST_CASE("absent operands and outputs are reported as missing") { CHECK(absent_operands_and_outputs_are_missing()); }

TEST_CASE("custom operators conform to their definition") { CHECK(custom_operators_conform_to_their_definition()); }

TEST_CASE("a window of one tap has the dilation 1") { CHECK(the_dilation_of_one_tap_is_one()); }

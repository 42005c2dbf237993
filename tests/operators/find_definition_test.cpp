// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/find_definition.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/require_operator_name.hpp>
#include <baton/partition/operator_facts.hpp>
#include <baton/partition/operator_support.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;

/// If two definitions had one name, the first one would be found for both.
constexpr auto every_definition_is_found_by_its_name() -> bool {
  std::size_t count = 0;
  for (const auto list : known_operators) {
    for (const auto& definition : list) {
      if (&find_definition(definition.name.hash) != &definition) return false;
      ++count;
    }
  }
  return count > 80;
}
static_assert(every_definition_is_found_by_its_name());

constexpr auto other_names_are_not_known() -> bool {
  const auto is_undefined = [](std::uint64_t op) { return &find_definition(op) == &baton::detail::undefined_operator; };
  return is_undefined(hash_of("tfl.conv_2")) && is_undefined(hash_of("")) && is_undefined(0) && is_undefined(~std::uint64_t{0});
}
static_assert(other_names_are_not_known());

/// The table of names contains all operators. Only the last operand may be repeated.
constexpr auto definitions_are_consistent() -> bool {
  for (const auto list : known_operators) {
    for (const auto& definition : list) {
      if (check_operator_name(definition.name.text)) return false;
      for (std::size_t i = 0; i < definition.operands.size(); ++i) {
        const auto& operand = definition.operands[i];
        if (operand.name.empty() || (operand.use == operand_definition::presence::repeated && i + 1 != definition.operands.size()))
          return false;
      }
      if (definition.is_commutative && definition.operands.size() < 2) return false;
      if (definition.is_structural && definition.operands.size() == 0) return false;
    }
  }
  return true;
}
static_assert(definitions_are_consistent());

// User-defined operators: new ones, and one that overrides a definition of the library.
constexpr auto work_of_fft(const program_view& program, const node& record) -> std::uint64_t {
  const auto count = static_cast<std::uint64_t>(element_count(program.shape(program.inputs(record)[0])));
  return count * count;
}
constexpr operand_definition fft_operands[] = {{"signal"}};
constexpr operator_definition my_operators[] = {
    {.name = "my.fft", .operands = fft_operands, .multiply_adds = work_of_fft},
    {.name = "my.blend", .is_commutative = true},
    {.name = "my.rename", .is_structural = true},
    {.name = "tfl.add", .is_commutative = false},
};

constexpr auto user_definitions_come_first() -> bool {
  constexpr auto type = tensor(dtype::float32, 2, 4);
  program_builder b;
  const auto x = b.user_input("x", type);
  const auto y = b.call("my.fft", {x}, type);
  const auto z = b.call("my.blend", {x, y}, type);
  const auto sum = b.call("tfl.add", {x, b.call("my.rename", {z}, type)}, type);
  b.output(b.call("tfl.mul", {sum, x}, type));
  const auto program = b.finish();
  auto defined = program;
  defined.operators = my_operators;
  const auto& nodes = program.nodes;
  return multiply_adds(program, nodes[0]) == 0 && multiply_adds(defined, nodes[0]) == 64 &&  //
         !commutative::supports(program, nodes[1]) && commutative::supports(defined, nodes[1]).accepted &&
         !structural::supports(program, nodes[2]) && structural::supports(defined, nodes[2]).accepted &&
         commutative::supports(program, nodes[3]).accepted && !commutative::supports(defined, nodes[3]) &&
         commutative::supports(defined, nodes[4]).accepted && !structural::supports(defined, nodes[4]);
}
static_assert(user_definitions_come_first());

/// `tfl.maximum` of one operand has no operands to swap.
constexpr auto nodes_with_one_operand_do_not_commute() -> bool {
  constexpr auto type = tensor(dtype::float32, 2);
  program_builder b;
  const auto x = b.user_input("x", type);
  b.output(b.call("tfl.maximum", {b.call("tfl.maximum", {x}, type), x}, type));
  const auto program = b.finish();
  return !commutative::supports(program, program.nodes[0]) && commutative::supports(program, program.nodes[1]).accepted;
}
static_assert(nodes_with_one_operand_do_not_commute());

TEST_CASE("find_definition finds operators by name, and searches a user-defined list first") {
  CHECK(every_definition_is_found_by_its_name());
  CHECK(other_names_are_not_known());
  CHECK(definitions_are_consistent());
  CHECK(user_definitions_come_first());
  CHECK(nodes_with_one_operand_do_not_commute());
}

}  // namespace

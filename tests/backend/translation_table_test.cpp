// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/translation_table.hpp>
#include <baton/compat/executorch/rejections.hpp>
#include <baton/core/program.hpp>
#include <baton/partition/by_cost.hpp>
#include <baton/partition/by_support.hpp>

#include "conformance/graphs.hpp"
#include "laws/partitioner.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

namespace {

using namespace baton;

/// A processor of a calculator: a letter and the number of operands.
struct instruction {
  char letter = '?';
  std::size_t operands = 0;
};

constexpr auto multiply(const program_view& program, const node& record) -> translation<instruction> {
  return {accept(), {'m', program.inputs(record).size()}};
}
/// Adds what no multiplication made.
constexpr auto add(const program_view& program, const node& record) -> translation<instruction> {
  const auto left = program.inputs(record)[0];
  if (program[left].kind != value_kind::user_input) return {refuse("the left operand is computed"), {'x', 9}};
  return {accept(), {'a', program.inputs(record).size()}};
}
constexpr auto refused(const program_view&, const node&) -> translation<instruction> { return {}; }

using calculator = translation_table<translates<"aten.mm.default", multiply>, translates<"aten.add.Tensor", add>>;
static_assert(operator_support<calculator>);

/// What a table says of node `at` of G-MMADD (mm, add, sub, mm_1, add_1).
template <class Table>
constexpr auto says(std::size_t at, std::string_view reason) -> bool {
  const auto program = conformance::g_mmadd();
  const auto made = Table::translate(program, program.nodes[at]);
  const auto answer = Table::supports(program, program.nodes[at]);
  return !made.found && !answer && view(made.found.reason) == reason && view(answer.reason) == reason && made.made.letter == '?';
}
template <class Table>
constexpr auto makes(std::size_t at, char letter) -> bool {
  const auto program = conformance::g_mmadd();
  const auto made = Table::translate(program, program.nodes[at]);
  return made.found && made.found.reason.empty() && Table::supports(program, program.nodes[at]) && made.made.letter == letter;
}

constexpr auto a_table_supports_what_it_translates() -> bool {
  return makes<calculator>(0, 'm') && makes<calculator>(3, 'm') && says<calculator>(1, "the left operand is computed") &&
         says<calculator>(2, "no translation of aten.sub.Tensor") && laws::operator_support::all<calculator>(conformance::g_mmadd());
}
static_assert(a_table_supports_what_it_translates());
TEST_CASE("translation table: what it translates it supports, what it refuses has a reason") {
  CHECK(a_table_supports_what_it_translates());
}

constexpr auto subtract = [](const program_view&, const node&) -> translation<instruction> { return {refuse("no borrow"), {}}; };
constexpr auto subtract_slowly = [](const program_view&, const node&) -> translation<instruction> { return {accept(), {'s', 2}}; };
constexpr auto subtract_later = [](const program_view&, const node&) -> translation<instruction> { return {accept(), {'l', 2}}; };

template <auto... Rows>
using of_sub = translation_table<translates<"aten.mm.default", multiply>, translates<"aten.sub.Tensor", Rows>...>;

constexpr auto rows_of_one_operator_are_asked_in_order() -> bool {
  return makes<of_sub<subtract, subtract_slowly, subtract_later>>(2, 's') && makes<of_sub<subtract_later, subtract>>(2, 'l') &&
         says<of_sub<subtract, add>>(2, "no borrow; the left operand is computed") &&
         says<of_sub<refused, subtract>>(2, "refused without a reason; no borrow");
}
static_assert(rows_of_one_operator_are_asked_in_order());
TEST_CASE("translation table: the first row that accepts counts, the reasons of all that refuse stand together") {
  CHECK(rows_of_one_operator_are_asked_in_order());
}

struct device {
  static constexpr auto id = name<"device">;
};

struct host {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 10; }
};
struct cycles {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 1; }
  static constexpr double byte = 0.125;
};

constexpr auto is_taken(const partition_result& tagged, std::uint32_t n) -> bool { return tagged.tag_of(node_id{n}) != none<tag_id>; }

constexpr auto partitioners_take_a_table() -> bool {
  const auto tagged = by_support<device, calculator>::partition(conformance::g_mmadd());
  const auto cheapest = by_cost<host, costed_backend<device, calculator, cycles>>{}.partition(conformance::g_mmadd());
  const auto& by_price = cheapest.value;
  for (std::uint32_t n = 0; n < 5; ++n) {
    if (is_taken(tagged, n) != (n == 0 || n == 3) || is_taken(by_price, n) != (n == 0 || n == 3)) return false;
  }
  const auto program = conformance::g_cond();
  return rejections_of<calculator>(program).size() == program.nodes.size() - 2;  // add of the root, mm of a branch
}
static_assert(partitioners_take_a_table());
TEST_CASE("translation table: partitioners take it as it is, in branches too") { CHECK(partitioners_take_a_table()); }

}  // namespace

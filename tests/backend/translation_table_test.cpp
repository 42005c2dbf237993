// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/translation_table.hpp>

#include <baton/compat/executorch/rejections.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_cost.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>

#include "conformance/graphs.hpp"
#include "laws/backend.hpp"
#include "laws/partitioner.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

namespace {

using namespace baton;

/// An instruction of a calculator: a letter and the number of operands.
struct instruction {
  char letter = '?';
  std::size_t operands = 0;
};

constexpr auto multiply(const program_view& program, const node& record) -> translation<instruction> {
  return {accept(), {'m', program.inputs(record).size()}};
}
/// Supports additions if the left operand is a user input.
constexpr auto add(const program_view& program, const node& record) -> translation<instruction> {
  const auto left = program.inputs(record)[0];
  if (program[left].kind != value_kind::user_input) return {refuse("the left operand is computed"), {'x', 9}};
  return {accept(), {'a', program.inputs(record).size()}};
}
constexpr auto refused(const program_view&, const node&) -> translation<instruction> { return {}; }

using calculator = translation_table<translates<"aten.mm.default", multiply>, translates<"aten.add.Tensor", add>>;
static_assert(operator_support<calculator>);

/// True if the table refuses node `at` of G-MMADD (mm, add, sub, mm_1, add_1) with `reason`.
template <class Table>
constexpr auto is_refused(std::size_t at, std::string_view reason) -> bool {
  const auto program = conformance::g_mmadd();
  const auto translated = Table::translate(program, program.nodes[at]);
  const auto answer = Table::supports(program, program.nodes[at]);
  return !translated.support && !answer && view(translated.support.reason) == reason && view(answer.reason) == reason &&
         translated.instruction.letter == '?';
}
template <class Table>
constexpr auto translates_to(std::size_t at, char letter) -> bool {
  const auto program = conformance::g_mmadd();
  const auto translated = Table::translate(program, program.nodes[at]);
  return translated.support && translated.support.reason.empty() && Table::supports(program, program.nodes[at]) &&
         translated.instruction.letter == letter;
}

constexpr auto a_table_supports_the_nodes_it_translates() -> bool {
  return translates_to<calculator>(0, 'm') && translates_to<calculator>(3, 'm') &&
         is_refused<calculator>(1, "the left operand is computed") && is_refused<calculator>(2, "no translation of aten.sub.Tensor") &&
         laws::operator_support::all<calculator>(conformance::g_mmadd());
}
static_assert(a_table_supports_the_nodes_it_translates());
TEST_CASE("translation table: it supports the nodes that it translates, and a refusal has a reason") {
  CHECK(a_table_supports_the_nodes_it_translates());
}

constexpr auto subtract = [](const program_view&, const node&) -> translation<instruction> { return {refuse("no borrow"), {}}; };
constexpr auto subtract_slowly = [](const program_view&, const node&) -> translation<instruction> { return {accept(), {'s', 2}}; };
constexpr auto subtract_later = [](const program_view&, const node&) -> translation<instruction> { return {accept(), {'l', 2}}; };

template <auto... Rows>
using sub_table = translation_table<translates<"aten.mm.default", multiply>, translates<"aten.sub.Tensor", Rows>...>;

constexpr auto rows_of_one_operator_are_asked_in_order() -> bool {
  return translates_to<sub_table<subtract, subtract_slowly, subtract_later>>(2, 's') &&
         translates_to<sub_table<subtract_later, subtract>>(2, 'l') &&
         is_refused<sub_table<subtract, add>>(2, "no borrow; the left operand is computed") &&
         is_refused<sub_table<refused, subtract>>(2, "rejected without a reason; no borrow");
}
static_assert(rows_of_one_operator_are_asked_in_order());
TEST_CASE("translation table: the first row that accepts is used, and a refusal joins the reasons of all rows") {
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

constexpr auto is_tagged(const partition_result& tagged, std::uint32_t n) -> bool { return tagged.tag_of(node_id{n}) != none<tag_id>; }

constexpr auto partitioners_accept_a_table() -> bool {
  const auto tagged = by_support<device, calculator>::partition(conformance::g_mmadd());
  const auto cheapest = by_cost<host, costed_backend<device, calculator, cycles>>{}.partition(conformance::g_mmadd());
  const auto& by_price = cheapest.value;
  for (std::uint32_t n = 0; n < 5; ++n) {
    if (is_tagged(tagged, n) != (n == 0 || n == 3) || is_tagged(by_price, n) != (n == 0 || n == 3)) return false;
  }
  const auto program = conformance::g_cond();
  return rejections_of<calculator>(program).size() == program.nodes.size() - 2;  // add in the root graph, mm in a branch
}
static_assert(partitioners_accept_a_table());
TEST_CASE("translation table: partitioners accept a table as operator support, also in branches") { CHECK(partitioners_accept_a_table()); }

template <char Letter>
constexpr auto letter(const program_view&, const node&) -> translation<char> {
  return {accept(), Letter};
}
/// Refuses squares, which another instruction would compute.
constexpr auto product(const program_view& program, const node& record) -> translation<char> {
  if (program.inputs(record)[0] == program.inputs(record)[1]) return {refuse("a square"), {}};
  return {accept(), 'm'};
}
using letters = translation_table<translates<"aten.mm.default", product>, translates<"aten.add.Tensor", letter<'a'>>>;

/// A backend that compiles with its translation table, so support and compilation have one source.
template <class Table, std::size_t MaxLetters = 100>
struct spelling_backend {
  static constexpr auto id = name<"Speller">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> result<preprocess_result> {
    const auto translated = translate_part<Table>(part);
    if (!translated) return translated.error;
    if (translated.value.size() > MaxLetters) return refuse_part("at most ", MaxLetters, " letters");
    return preprocess_result{view(translated.value)};
  }
};
using speller = spelling_backend<letters>;

constexpr auto the_table_compiles_the_parts() -> bool {
  const auto program = to_backend(backends<speller>, conformance::g_mmadd(), by_support<speller, letters>{});
  const auto modules = delegates(program);
  return modules.size() == 2 && modules[0].processed_bytes() == "ma" && modules[1].processed_bytes() == "ma";
}
static_assert(the_table_compiles_the_parts());
TEST_CASE("translate part: one instruction per node, in order") { CHECK(the_table_compiles_the_parts()); }

constexpr auto a_node_without_translation_is_named() -> bool {
  const auto translated = translate_part<letters>(conformance::g_mmadd());
  return translated.error.is<"refused_part">() && translated.error.node == 2 && view(translated.error.node_name) == "sub" &&
         view(translated.error.reason) == "no translation of aten.sub.Tensor" && translated.value.empty();
}
static_assert(a_node_without_translation_is_named());
TEST_CASE("translate part: a node without a translation is named") { CHECK(a_node_without_translation_is_named()); }

// The law: a supported node compiles. A support that claims more violates it.

template <class Support, class Backend = speller>
constexpr auto holds(const exported_program& program) -> bool {
  return laws::backend::accepts_supported_nodes<Backend, Support>(program);
}
static_assert(holds<letters>(conformance::g_mmadd()));
static_assert(holds<letters>(conformance::g_cond()));
static_assert(holds<letters>(conformance::g_map()));

/// Supports one operator more than the table.
using extra_operator = operator_names<"aten.mm.default", "aten.sub.Tensor">;
static_assert(!holds<extra_operator>(conformance::g_mmadd()));
/// Supports one operator more, in the branches only.
constexpr auto is_sub_1(const program_view& program, const node& record) -> bool { return program.text(record.name) == "sub_1"; }
using extra_operator_in_branches = all_of<operator_names<"aten.sub.Tensor">, supported_if<is_sub_1>>;
static_assert(!holds<extra_operator_in_branches>(conformance::g_cond()));
static_assert(holds<not_of<operator_names<"cond", "aten.sub.Tensor", "aten.eq.Tensor", "aten.select_copy.int">>>(conformance::g_cond()));

/// Supports the operators of the table, without its conditions.
using operators_without_conditions = operator_names<"aten.mm.default", "aten.add.Tensor">;
constexpr auto square() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::float32, 2, 2));
  b.output(b.call("square", "aten.mm.default", {x, x}, tensor(dtype::float32, 2, 2)));
  return b.finish();
}
static_assert(holds<letters>(square()));
static_assert(!holds<operators_without_conditions>(square()));

/// Supports a node only if its weights have data. A constant that the part does not own has data in the program, but not in the part.
constexpr auto filled(const program_view& program, const node& record) -> translation<char> {
  if (program[program.inputs(record)[1]].data.size == 0) return {refuse("weights without data"), {}};
  return {accept(), 'f'};
}
using reads_data = translation_table<translates<"aten.mm.default", filled>>;
constexpr auto with_weights() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::float32, 1, 1));
  constexpr char bytes[] = {1, 2, 3, 4};
  b.output(b.call("mm", "aten.mm.default", {x, b.parameter("w", tensor(dtype::float32, 1, 1), bytes)}, tensor(dtype::float32, 1, 1)));
  return b.finish();
}
static_assert(rejections_of<reads_data>(with_weights()).empty());
static_assert(!holds<reads_data, spelling_backend<reads_data>>(with_weights()));

/// Supports each node, but refuses parts of two nodes. A partitioner that knows the limit keeps the law.
using one_letter_backend = spelling_backend<letters, 1>;
static_assert(!holds<letters, one_letter_backend>(conformance::g_mmadd()));
static_assert(laws::backend::accepts_supported_nodes<one_letter_backend, letters,
                                                     by_support<one_letter_backend, letters, partition_options{.max_nodes = 1}>>(
    conformance::g_mmadd()));

TEST_CASE("law: every node that a table supports compiles") {
  CHECK(holds<letters>(conformance::g_mmadd()));
  CHECK(holds<letters>(conformance::g_cond()));
  CHECK(holds<letters>(conformance::g_map()));
  CHECK(holds<letters>(square()));
}
TEST_CASE("law: a support that claims more than the backend compiles is detected") {
  CHECK_FALSE(holds<extra_operator>(conformance::g_mmadd()));
  CHECK_FALSE(holds<extra_operator_in_branches>(conformance::g_cond()));
  CHECK_FALSE(holds<operators_without_conditions>(square()));
  CHECK_FALSE(holds<reads_data, spelling_backend<reads_data>>(with_weights()));
  CHECK_FALSE(holds<letters, one_letter_backend>(conformance::g_mmadd()));
}

}  // namespace

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Differences from the original that no other row covers: its quirks, and rules with another meaning in Baton.
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/plan/arena.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "conformance/program_queries.hpp"

#include <doctest/doctest.h>

namespace {

using namespace baton;

constexpr auto target = backends<conformance::demo_backend, conformance::backend_with_compiler_demo>;

// The original shares the table of constants with the caller's program, and lowering removes entries from it.
constexpr auto the_input_program_is_unchanged() -> bool {
  const auto program = conformance::g_add3();
  const auto lowered = to_backend(target, program, conformance::all_nodes_partitioner<conformance::demo_backend>{});
  return same(program, conformance::g_add3()) && lowered.delegates.size() == 1;
}
static_assert(the_input_program_is_unchanged());

// The original treats the metadata of the output node differently on its two paths.
constexpr auto both_ways_make_one_program() -> bool {
  const auto alone = to_backend(target, conformance::g_mmadd(), conformance::add_mul_partitioner_demo{});
  const auto together = to_backend(target, methods(method("forward", conformance::g_mmadd())), conformance::add_mul_partitioner_demo{});
  return same(alone, together["forward"]);
}
static_assert(both_ways_make_one_program());

// R97: if a part has an operator with several outputs, but none of the getitems that read them, the original returns all outputs, because
// its call can only return the whole list. In Baton, the outputs of a node are values, so a part returns those that are used outside (R95).
// This equals the result of the original's own partitioners, which move getitems to their operands (R192, R200). An unused output would
// cost memory in every arena.
constexpr auto split_in_three() -> exported_program {
  constexpr auto row = tensor(dtype::float32, 1, 4);
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::float32, 3, 4));
  const auto rows = b.call_many("rows", "aten.split.Tensor", {x}, {row, row, row}, {{"dim", 0}});
  b.output(b.call("sum", "aten.add.Tensor", {rows[2], rows[0]}, row));
  return b.finish();
}
using splits = by_support<conformance::demo_backend, operator_names<"aten.split.Tensor">>;
constexpr auto a_part_returns_only_values_used_outside() -> bool {
  const auto lowered = to_backend(target, split_in_three(), splits{});
  const program_view program = lowered;
  const auto& call = program.nodes_of(program.root())[0];
  const auto& original = program[program[call.delegate].original];
  const auto returned = program.outputs_of(original);
  const auto plan = plan_memory(program).value;
  return conformance::operands_are(program, program.nodes_of(program.root())[1], "rows_2 rows_0") && program.outputs_of(call).size() == 2 &&
         returned.size() == 2 && program.outputs_of(program.nodes_of(original)[0]).size() == 3 &&
         program.text(program[returned[0].value].name) == "rows_0" && program.text(program[returned[1].value].name) == "rows_2" &&
         plan.arena_bytes == (3 + 2) * 16;
}
static_assert(a_part_returns_only_values_used_outside());

}  // namespace

TEST_CASE("lowering does not change its input program (Q10)") { CHECK(the_input_program_is_unchanged()); }
TEST_CASE("a method has the same result if it is lowered alone or with other methods (Q11)") { CHECK(both_ways_make_one_program()); }
TEST_CASE("a part returns only the outputs of an operator that are used outside the part (R97)") {
  CHECK(a_part_returns_only_values_used_outside());
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// R136 and R137. In the original, placeholders and outputs are also nodes. R136 gives them no handle, R137 does. In Baton, they are not
// nodes.
#include <baton/compat/executorch/debug_handles.hpp>
#include <baton/compat/executorch/inspection.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

/// The handles of a program's nodes, by graph: `1 2 / 3`.
constexpr auto handles_are(const program_view& program, std::string_view expected) -> bool {
  text_buffer text;
  for (const auto& g : program.graphs) {
    if (!text.empty()) append(text, " / ");
    bool is_first = true;
    for (const auto& record : program.nodes_of(g)) {
      append(append(text, is_first ? "" : " "), std::int64_t{record.debug_handle});
      is_first = false;
    }
  }
  return view(text) == expected;
}

constexpr auto the_root_comes_before_its_branches() -> bool {
  auto program = conformance::g_cond();
  for (auto& record : program.nodes) record.debug_handle = 77;
  program.nodes[0].folded_handles = {0, 1};
  generate_debug_handles(program);
  return program.nodes[0].folded_handles.size == 0 && handles_are(program, "1 2 3 4 5 6 / 7 8 9 / 10 11 12");
}
static_assert(the_root_comes_before_its_branches());

// The operator is used as the source location: nodes with equal operators have one handle. Sums have no location.
constexpr auto nodes_of_one_source_share_a_handle() -> bool {
  auto program = conformance::g_cond();
  generate_debug_handles(program, [&program](const node& record) {
    const auto op = program.text(record.target);
    return op == "aten.add.Tensor" ? std::string_view{} : op;
  });
  return handles_are(program, "1 2 2 3 4 5 / 5 6 5 / 5 7 5");
}
static_assert(nodes_of_one_source_share_a_handle());

constexpr auto missing_handles_are_filled_in() -> bool {
  auto program = conformance::g_cond();
  for (auto& record : program.nodes) record.debug_handle = 0;
  program.nodes[program.root().nodes.first + 1].debug_handle = 9;
  program.nodes[program.graphs[1].nodes.first].debug_handle = 20;
  auto folded = program;
  complete_debug_handles(program);
  folded.nodes[program.root().nodes.first + 1].folded_handles = {static_cast<std::uint32_t>(folded.integers.size()), 2};
  folded.integers.push_back(4);
  folded.integers.push_back(30);
  const auto greatest = greatest_debug_handle(folded);
  complete_debug_handles(folded);
  return handles_are(program, "21 9 22 23 24 25 / 20 26 27 / 28 29 30") && greatest_debug_handle(program) == 30 && greatest == 30 &&
         handles_are(folded, "31 9 32 33 34 35 / 20 36 37 / 38 39 40");
}
static_assert(missing_handles_are_filled_in());

// R138: the nodes of a delegate keep their handles, also in branches.
constexpr auto delegates_keep_them() -> bool {
  constexpr auto target = backends<conformance::backend_with_compiler_demo>;
  auto program = conformance::g_cond();
  generate_debug_handles(program);
  const auto lowered = to_backend(target, program, conformance::add_mul_partitioner_demo{});
  const auto calls = lowered_submodules(lowered, reach::branches);
  constexpr std::uint32_t expected[] = {1, 8, 11};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& original = lowered[calls[i].module.original()];
    if (original.nodes.size != 1 || lowered.nodes[original.nodes.first].debug_handle != expected[i]) return false;
  }
  return calls.size() == 3;
}
static_assert(delegates_keep_them());

constexpr auto handles_in_delegates_are_not_reused() -> bool {
  constexpr auto target = backends<conformance::backend_with_compiler_demo>;
  auto program = conformance::g_cond();
  generate_debug_handles(program);
  auto lowered = to_backend(target, program, conformance::add_mul_partitioner_demo{});
  auto& missing = lowered.nodes[lowered.root().nodes.first + 1];
  const auto& original = lowered.graphs[index(lowered_submodules(lowered, reach::branches)[0].module.original())];
  lowered.nodes[original.nodes.first].debug_handle = 50;
  missing.debug_handle = 0;
  complete_debug_handles(lowered);
  return missing.debug_handle == 51;
}
static_assert(handles_in_delegates_are_not_reused());

}  // namespace

TEST_CASE("debug handles count from 1, the root graph first, then its branches") { CHECK(the_root_comes_before_its_branches()); }
TEST_CASE("debug handles are shared by nodes of one source") { CHECK(nodes_of_one_source_share_a_handle()); }
TEST_CASE("debug handles that are missing are filled in above the greatest") { CHECK(missing_handles_are_filled_in()); }
TEST_CASE("debug handles go into delegates unchanged") { CHECK(delegates_keep_them()); }
TEST_CASE("debug handles that are missing are filled in above those in delegates") { CHECK(handles_in_delegates_are_not_reused()); }

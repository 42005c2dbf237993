// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Quirks of the original that no row names.
#include <baton/core/compare.hpp>
#include <baton/lower/methods_to_backend.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

namespace {

using namespace baton;

constexpr auto target = backends<conformance::demo_backend, conformance::backend_with_compiler_demo>;

// The original's constants table is shared with the caller's program, from which lowering takes entries.
constexpr auto the_given_program_stays_as_it_was() -> bool {
  const auto program = conformance::g_add3();
  const auto lowered = to_backend(target, program, conformance::all_nodes_partitioner<conformance::demo_backend>{});
  return same(program, conformance::g_add3()) && lowered.delegates.size() == 1;
}
static_assert(the_given_program_stays_as_it_was());

// The original treats the metadata of the output node differently on its two paths.
constexpr auto both_ways_make_one_program() -> bool {
  const auto alone = to_backend(target, conformance::g_mmadd(), conformance::add_mul_partitioner_demo{});
  const auto together = to_backend(target, methods(method("forward", conformance::g_mmadd())), conformance::add_mul_partitioner_demo{});
  return same(alone, together["forward"]);
}
static_assert(both_ways_make_one_program());

}  // namespace

TEST_CASE("Q10: the program that is lowered stays as it was") { CHECK(the_given_program_stays_as_it_was()); }
TEST_CASE("Q11: a method lowered alone and among methods is the same") { CHECK(both_ways_make_one_program()); }

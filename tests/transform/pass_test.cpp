// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/pass.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

struct may_fail {
  static constexpr std::string_view name = "may fail";
  static constexpr auto run(const program_view&) -> result<exported_program> { return exported_program{}; }
};
struct takes_an_owning_program {
  static constexpr std::string_view name = "takes an owning program";
  static constexpr auto run(const exported_program& program) -> exported_program { return program; }
};
struct has_no_name {
  static constexpr auto run(const program_view& program) -> exported_program { return thaw(program); }
};
struct returns_a_number {
  static constexpr std::string_view name = "makes a number";
  static constexpr auto run(const program_view&) -> int { return 1; }
};

static_assert(pass<archetypes::pass> && pass<may_fail> && baton::detail::require_pass<may_fail>());
static_assert(!pass<has_no_name> && !pass<returns_a_number> && !pass<takes_an_owning_program> && !pass<int>);

constexpr auto the_smallest_pass_changes_nothing() -> bool {
  const auto program = conformance::g_add3();
  return same(archetypes::pass::run(program), program);
}
static_assert(the_smallest_pass_changes_nothing());

}  // namespace

TEST_CASE("a minimal pass changes nothing") { CHECK(the_smallest_pass_changes_nothing()); }

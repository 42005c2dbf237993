// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/static_program.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/invalid_program.hpp>
#include <baton/core/shared/is_static_program.hpp>
#include <baton/core/shared/pool_sizes.hpp>
#include <baton/import/shared/rules.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <type_traits>

namespace {

using namespace baton;

constexpr auto model = static_program{conformance::make<conformance::g_crt>{}};

constexpr auto freezing_and_thawing_change_nothing() -> bool {
  const auto program = conformance::g_crt();
  return same(model, program) && same(thaw(model), program) && same(thaw(program), program);
}
static_assert(freezing_and_thawing_change_nothing());

constexpr auto arrays_have_the_exact_size() -> bool {
  constexpr auto sizes = sizes_of(model);
  return sizes == sizes_of(conformance::g_crt()) && model->nodes.size() == 5 && sizes[1] == 5 && model.value().values.size() == sizes[2];
}
static_assert(arrays_have_the_exact_size());

static_assert(std::is_empty_v<decltype(model)> && is_static_program<std::remove_const_t<decltype(model)>> &&
              !is_static_program<exported_program>);
static_assert(decltype(model)::is_valid);

// After a failure, `is_valid` is false without a compile error, so that later stages can stop.
constexpr auto rejected = [] { return result<exported_program>{broken<"foreign_file">("no model")}; };
static_assert(!static_program<std::remove_const_t<decltype(rejected)>>::is_valid);

constexpr auto accepted = [] { return result<exported_program>{conformance::g_sin()}; };
static_assert(same(static_program{accepted}, conformance::g_sin()));

constexpr auto replaced = invalid_program(model);
static_assert(!replaced.is_valid && replaced->nodes.empty() && is_static_program<std::remove_const_t<decltype(replaced)>>);

// The pointer of an array without elements must not be dereferenced.
constexpr auto an_empty_program_freezes() -> bool {
  constexpr auto empty = static_program{[] { return exported_program{}; }};
  return empty->nodes.empty() && same(empty, exported_program{});
}
static_assert(an_empty_program_freezes());

/// A stage whose program is the constant of another static program. The call operator is not evaluated.
struct stored_stage {
  static consteval auto is_stored() -> bool { return true; }
  static constexpr auto stored() -> const auto& { return decltype(model)::value(); }
  constexpr auto operator()() const -> exported_program { return {}; }
};
constexpr auto a_stored_program_is_not_copied() -> bool {
  constexpr static_program<stored_stage> stored{};
  return &stored.value() == &model.value() && same(stored, model) && stored->nodes.size() == 5 && sizes_of(stored) == sizes_of(model);
}
static_assert(a_stored_program_is_not_copied() && static_program<stored_stage>::is_valid);

}  // namespace

TEST_CASE("a static program is a constant of exact size") {
  CHECK(freezing_and_thawing_change_nothing());
  CHECK(arrays_have_the_exact_size());
  CHECK(an_empty_program_freezes());
  CHECK(a_stored_program_is_not_copied());
}

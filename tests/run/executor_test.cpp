// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/executor.hpp>

#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>
#include <baton/plan/memory_policies/no_reuse.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/run/caller_arena.hpp>

#include <doctest/doctest.h>

#include "fail/relu_model.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

using namespace baton;

namespace {

/// Negates where the portable kernel clamps, so that the results show which kernel ran.
struct negated {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept()}; }
  static void compute(const no_plan&, const node_memory& at) {
    std::array<float, 4> values;
    std::memcpy(values.data(), at.inputs[0], sizeof values);
    for (auto& each : values) each = -each;
    std::memcpy(at.outputs[0], values.data(), sizeof values);
  }
};
constexpr auto mine = kernels<negated> + default_kernels;
constexpr plan_options wide{.alignment = 64};
using apart = planned_by<memory_policies::no_reuse>;

std::array<float, 64> memory;
constexpr auto both = methods(method<"a">(model), method<"b">(model));

template <class A, class B>
constexpr bool is_same = std::is_same_v<A, B>;

// The defaults, each alone, and both in every position among other services.
static_assert(is_same<executor<model>, basic_executor<model, default_kernels>>);
static_assert(is_same<executor<model, apart>, basic_executor<model, default_kernels, plan_options{}, apart>>);
static_assert(is_same<executor<model, with_kernels<mine>>, basic_executor<model, mine>>);
static_assert(is_same<executor<model, with_plan_options<wide>>, basic_executor<model, default_kernels, wide>>);
static_assert(is_same<executor<model, with_kernels<mine>, with_plan_options<wide>, apart>, basic_executor<model, mine, wide, apart>>);
static_assert(is_same<executor<model, with_plan_options<wide>, apart, with_kernels<mine>>, basic_executor<model, mine, wide, apart>>);
static_assert(is_same<executor<model, apart, with_kernels<mine>, in_arena<memory>>,
                      basic_executor<model, mine, plan_options{}, apart, in_arena<memory>>>);
static_assert(is_same<methods_executor<both, state_sharing::by_name, apart, with_kernels<mine>>,
                      basic_methods_executor<both, mine, state_sharing::by_name, plan_options{}, apart>>);
static_assert(executor<model, with_plan_options<wide>>::arena_alignment == 64);

}  // namespace

TEST_CASE("services of an executor come in any order, kernels and plan options among them") {
  static executor<model> net;
  static executor<model, apart, with_plan_options<wide>, with_kernels<mine>> net_of_mine;
  const std::array<float, 4> x{-1, 2, -3, 4};
  std::array<float, 4> y{};
  net.run(x, y);
  CHECK(y == std::array<float, 4>{0, 2, 0, 4});
  net_of_mine.run(x, y);
  CHECK(y == std::array<float, 4>{1, -2, 3, -4});
  CHECK(net_of_mine.arena_alignment == 64);
}

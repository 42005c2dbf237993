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

/// Negates instead of clamping like the portable kernel, so that the results show which kernel ran.
struct negated {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept()}; }
  static void compute(const no_plan&, const node_memory& memory) {
    std::array<float, 4> values;
    std::memcpy(values.data(), memory.inputs[0], sizeof values);
    for (auto& each : values) each = -each;
    std::memcpy(memory.outputs[0], values.data(), sizeof values);
  }
};
constexpr auto custom_kernels = kernels<negated> + default_kernels;
constexpr plan_options wide{.alignment = 64};
using disjoint = planned_by<memory_policies::no_reuse>;

std::array<float, 64> memory;
constexpr auto both = methods(method<"a">(model), method<"b">(model));

template <class A, class B>
constexpr bool is_same = std::is_same_v<A, B>;

// The defaults, each service alone, and both in every position among other services.
static_assert(is_same<executor<model>, basic_executor<model, default_kernels>>);
static_assert(is_same<executor<model, disjoint>, basic_executor<model, default_kernels, plan_options{}, disjoint>>);
static_assert(is_same<executor<model, with_kernels<custom_kernels>>, basic_executor<model, custom_kernels>>);
static_assert(is_same<executor<model, with_plan_options<wide>>, basic_executor<model, default_kernels, wide>>);
static_assert(is_same<executor<model, with_kernels<custom_kernels>, with_plan_options<wide>, disjoint>,
                      basic_executor<model, custom_kernels, wide, disjoint>>);
static_assert(is_same<executor<model, with_plan_options<wide>, disjoint, with_kernels<custom_kernels>>,
                      basic_executor<model, custom_kernels, wide, disjoint>>);
static_assert(is_same<executor<model, disjoint, with_kernels<custom_kernels>, in_arena<memory>>,
                      basic_executor<model, custom_kernels, plan_options{}, disjoint, in_arena<memory>>>);
static_assert(is_same<methods_executor<both, state_sharing::by_name, disjoint, with_kernels<custom_kernels>>,
                      basic_methods_executor<both, custom_kernels, state_sharing::by_name, plan_options{}, disjoint>>);
static_assert(executor<model, with_plan_options<wide>>::arena_alignment == 64);

}  // namespace

TEST_CASE("services of an executor may be in any order, including kernels and plan options") {
  static executor<model> net;
  static executor<model, disjoint, with_plan_options<wide>, with_kernels<custom_kernels>> custom_net;
  const std::array<float, 4> x{-1, 2, -3, 4};
  std::array<float, 4> y{};
  net.run(x, y);
  CHECK(y == std::array<float, 4>{0, 2, 0, 4});
  custom_net.run(x, y);
  CHECK(y == std::array<float, 4>{1, -2, 3, -4});
  CHECK(custom_net.arena_alignment == 64);
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Limits of programs with delegates: only nodes that run with the executor's own kernels count, and only their kernels are selected.
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/plan/plan_within.hpp>
#include <baton/plan/within.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/executor_backend.hpp>

#include "plan/stepping.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

/// A backend that adds the constant `others` itself, so the original graph of its delegates does not run.
struct adding {
  static constexpr auto id = name<"Adding">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
  static void execute(const delegate_call& call) {
    const auto to = call.outputs[0];
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<char>(call.inputs[0][i] + stepping::make_chain::ones[i]);
  }
};
using with_kernels_of_its_own = kernel_backend<"Own", kernels<stepping::slow>>;
constexpr auto target = backends<adding, with_kernels_of_its_own, executor_backend>;

/// Assigns node 1 of the root graph to a backend.
template <class Backend>
struct second_node {
  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged{program};
    const auto tag = tagged.add_tag("second", delegation_spec{to_text(Backend::id)});
    tagged.tag_node(static_cast<node_id>(program.root().nodes.first + 1), tag);
    return tagged;
  }
};

// Of three nodes, a backend computes the second: itself, or with its kernels. The last two programs run with the kernels of the executor in
// a delegate, which contains all nodes, or two nodes and the delegate of `adding`.
constexpr static_program chain{stepping::make_chain{}};
constexpr auto with_adding = to_backend(target, chain, second_node<adding>{});
constexpr auto with_kernels_of_backend = to_backend(target, chain, second_node<with_kernels_of_its_own>{});
constexpr auto with_executor = to_backend(target, chain, all_nodes<executor_backend>{});
constexpr auto nested = to_backend(target, with_adding, all_nodes<executor_backend>{});

template <auto Program, limits Limits>
using net_within = basic_executor<Program, stepping::kernels, plan_options{}, within<Limits, stepping::costs>>;
template <auto Program, limits Limits = limits{.flash_bytes = 10'000}>
constexpr auto estimate() -> limited_plan::needs {
  return net_within<Program, Limits>::plan_within_limits().estimate;
}

// The quick form stores 128 bytes for a node, and has 40 bytes of code. The constant operand of a delegate call, `others`, has 64 bytes.
static_assert(estimate<chain>().flash_bytes == 3 * 168 && estimate<with_executor>().flash_bytes == 3 * 168);
static_assert(estimate<with_adding>().flash_bytes == 2 * 168 + 64 && estimate<with_kernels_of_backend>().flash_bytes == 2 * 168 + 64);
static_assert(estimate<nested>().flash_bytes == 2 * 168 + 64 && estimate<nested>().instructions == 2 * 64);
static_assert(net_within<with_adding, limits{.flash_bytes = 10'000}>::plan_within_limits().without_limits.flash_bytes == 2 * 168 + 64);

// The least flash: the slow forms of two nodes read one constant of 64 bytes, and have 10 bytes of code each. The delegate reads `others`.
constexpr limits least{.flash_bytes = 2 * 10 + 64 + 64};
static_assert(estimate<with_adding, least>().flash_bytes == least.flash_bytes);
static_assert(estimate<with_kernels_of_backend, least>().flash_bytes == least.flash_bytes);
static_assert(estimate<nested, least>().flash_bytes == least.flash_bytes);

/// Returns the number of nodes that have forms.
template <auto Program>
constexpr auto nodes_with_forms() -> int {
  int count = 0;
  for (const auto& node : net_within<Program, limits{.flash_bytes = 10'000}>::plan_within_limits().nodes)
    count += node.form.empty() ? 0 : 1;
  return count;
}
static_assert(nodes_with_forms<with_adding>() == 2 && nodes_with_forms<nested>() == 2);
static_assert(nodes_with_forms<with_kernels_of_backend>() == 2 && nodes_with_forms<with_executor>() == 3);

constexpr auto the_search_at_run_time_counts_the_same_nodes() -> bool {
  const program_view program = with_adding;
  const auto planned = plan_within<stepping::costs>(stepping::kernels, program, least);
  const auto failed = plan_within<stepping::costs>(stepping::kernels, program, {.flash_bytes = 147});
  return planned && planned.value.limited.estimate.flash_bytes == least.flash_bytes && failed.error.is<"limits_too_small">() &&
         view(failed.error.reason).find("flash_bytes >= 148 (limit 147)") != std::string_view::npos;
}
static_assert(the_search_at_run_time_counts_the_same_nodes());

template <class Net>
auto is_sum() -> bool {
  static Net net;
  std::array<std::int8_t, 64> x{};
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int8_t>(i);
  std::array<std::int8_t, 64> y{};
  net.run(x, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (y[i] != x[i] + 3 * stepping::make_chain::ones[i]) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("limits: nodes that delegates compute do not count, and the outputs are equal") {
  CHECK(the_search_at_run_time_counts_the_same_nodes());
  CHECK(is_sum<net_within<with_adding, least>>());
  CHECK(is_sum<net_within<nested, least>>());
  CHECK(is_sum<net_within<with_executor, limits{.flash_bytes = 158}>>());
  stepping::runs_of_quick = stepping::runs_of_slow = 0;
  CHECK(is_sum<net_within<with_kernels_of_backend, limits{}>>());
  CHECK(stepping::runs_of_quick == 2);
  CHECK(stepping::runs_of_slow == 1);
}

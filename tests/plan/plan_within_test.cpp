// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random int8 networks within limits: each limit is kept, a tighter limit is never cheaper, and the outputs are exact. Where the Cortex-M
// kernels need more memory in overlapping memory than the portable kernels in disjoint memory, a limit selects slower kernels.
#include <baton/plan/plan_within.hpp>
#include <baton/kernels/cortex_m4_costs.hpp>
#include <baton/operators/verify.hpp>

#include "plan/random_network.hpp"
#include "plan/stepped_networks/kernels.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace baton;

using plan_tests::portable_list;
constexpr auto list = plan_tests::fast_list;
constexpr auto with_forms = list.with_forms();  // the kernels of the plans

// The networks are those of std::mt19937: its number 10,000 is in the standard. They are also constants (tests/plan/stepped_networks).
static_assert([] {
  plan_tests::constant_mt19937 random(5489);
  for (int i = 1; i < 10'000; ++i) random();
  return random();
}() == 4123659995u);

auto input_for(const program_view& program, std::uint32_t seed) -> std::string {
  std::mt19937 random(seed);
  std::string input;
  for (auto left = byte_count(dtype::int8, program.shape(program.inputs(program.root())[0])); left > 0; --left) {
    input.push_back(static_cast<char>(random() & 0xff));
  }
  return input;
}

struct tally {
  int networks = 0;
  int plans = 0;
  int exact = 0;         ///< plans without segments, which were executed
  int streamed = 0;      ///< plans with segments, which were verified row by row
  int forms = 0;         ///< nodes in these plans whose form is not a kernel of `list`, but `packed` or `from_bytes`
  int less_scratch = 0;  ///< nodes in these plans with a form that needs less scratch: by taps, or gathered
  int fast_kernels_need_more = 0;
  int within_portable = 0;
};

/// A random network, and its outputs by the portable kernels.
struct network {
  exported_program program;
  std::string input;
  std::string expected;
  std::uint64_t portable_bytes = 0;  ///< the arena of the portable kernels, in disjoint memory

  explicit network(std::uint32_t seed) : program(plan_tests::random_network(seed).run()), input(input_for(program, seed)) {
    REQUIRE_FALSE(verify(program));
    const auto reference = plan_execution(portable_list, program);
    REQUIRE(reference);
    expected = plan_tests::output_of_plan(portable_list, portable_list, program, reference.value, input);
    portable_bytes = reference.value.memory.arena_bytes;
  }
};

/// Lowers one limit until no plan keeps it. Returns the smallest value of the plans.
auto check_limit(const network& net, std::uint64_t limits::* limit, std::uint64_t limited_plan::needs::* estimate, tally& sum)
    -> std::uint64_t {
  limits within;
  within.*limit = limits::none - 1;
  std::uint64_t instructions = 0;
  auto least = limits::none;
  while (true) {
    CAPTURE(within.*limit);
    const auto planned = plan_within<cortex_m4_costs>(list, net.program, within);
    if (!planned) {
      CHECK(planned.error.is<"limits_too_small">());
      return least;
    }
    const auto& plan = planned.value.plan;
    const auto& needs = planned.value.limited.estimate;
    least = needs.*estimate;
    CHECK(plan.memory.arena_bytes == needs.arena_bytes);
    CHECK(least <= within.*limit);
    CHECK(needs.instructions >= instructions);
    instructions = needs.instructions;
    ++sum.plans;
    CHECK_FALSE(verify_plan(plan.memory, net.program));
    if (plan.memory.streams.segments.empty()) {
      CHECK(plan_tests::output_of_plan(with_forms, portable_list, net.program, plan, net.input) == net.expected);
      ++sum.exact;
    } else {
      ++sum.streamed;
    }
    for (const auto& node : planned.value.limited.nodes) {
      sum.forms += node.form == "cortex_m_packed" || node.form == "cortex_m_from_bytes";
      sum.less_scratch += node.form == "cortex_m_by_taps" || node.form == "cortex_m_gathered";
    }
    within.*limit = least - 1;
  }
}

constexpr std::uint32_t networks = 200;

constexpr std::array<std::pair<std::string_view, std::uint64_t limits::*>, 3> all_limits{
    {{"arena_bytes", &limits::arena_bytes}, {"flash_bytes", &limits::flash_bytes}, {"slice_instructions", &limits::slice_instructions}}};

/// Returns the number that a reason states for a limit; 0 if it states none.
auto stated(const std::string& reason, std::string_view limit) -> std::uint64_t {
  const auto text = std::string(limit) + " >= ";
  const auto at = reason.find(text);
  return at == std::string::npos ? 0 : std::stoull(reason.substr(at + text.size()));
}
auto reason_within(const network& net, const limits& within) -> std::string {
  const auto planned = plan_within<cortex_m4_costs>(list, net.program, within);
  return planned ? std::string{} : std::string(view(planned.error.reason));
}
/// Plans within limits that each can be kept alone. If they cannot be kept together, checks that each stated number is the minimum within
/// the other limits. Returns the number of checked minima.
auto check_stated_minima(const network& net, const limits& within) -> int {
  const auto reason = reason_within(net, within);
  CAPTURE(reason);
  if (reason.empty() || reason.find("no two together") != std::string::npos) return 0;
  CHECK(reason.starts_with("each limit can be kept alone, but not all together; raise one of them; "));
  int checked = 0;
  for (const auto& [name, limit] : all_limits) {
    auto raised = within;
    raised.*limit = within.*limit == limits::none ? 0 : stated(reason, name);
    if (raised.*limit == 0) continue;
    CHECK(raised.*limit > within.*limit);
    CHECK(reason_within(net, raised).empty());
    --(raised.*limit);
    CHECK_FALSE(reason_within(net, raised).empty());
    ++checked;
  }
  CHECK(checked > 0);
  return checked;
}

}  // namespace

TEST_CASE("random networks within limits of the arena: exact, and a tighter limit never needs fewer instructions") {
  tally sum;
  for (std::uint32_t seed = 1; seed <= networks; ++seed) {
    CAPTURE(seed);
    const network net(seed);
    ++sum.networks;
    const auto least = check_limit(net, &limits::arena_bytes, &limited_plan::needs::arena_bytes, sum);
    const auto fast = plan_execution(list, net.program, {}, planned_by<memory_policies::in_place>{});
    sum.fast_kernels_need_more += fast.value.memory.arena_bytes > net.portable_bytes ? 1 : 0;
    sum.within_portable += least <= net.portable_bytes ? 1 : 0;
  }
  CHECK(sum.within_portable == sum.networks);
  CHECK(sum.fast_kernels_need_more > sum.networks / 2);
  CHECK(sum.streamed > 50);
  CHECK(sum.forms > 20);
  CHECK(sum.less_scratch > 20);
  MESSAGE(sum.plans, " plans of ", sum.networks, " networks, ", sum.exact, " executed, ", sum.streamed, " with segments, with ", sum.forms,
          " forms of kernels, and ", sum.less_scratch,
          " with less scratch. The Cortex-M kernels need more in overlapping memory than the portable kernels in disjoint memory in ",
          sum.fast_kernels_need_more, "; with a limit, in ", sum.networks - sum.within_portable);
}

TEST_CASE("random networks within limits of flash and of slices: exact, and a tighter limit never needs fewer instructions") {
  tally sum;
  for (std::uint32_t seed = 1; seed <= networks; ++seed) {
    CAPTURE(seed);
    const network net(seed);
    check_limit(net, &limits::flash_bytes, &limited_plan::needs::flash_bytes, sum);
    check_limit(net, &limits::slice_instructions, &limited_plan::needs::slice_instructions, sum);
  }
  CHECK(sum.plans > 600);
  CHECK(sum.forms > 200);
  MESSAGE(sum.plans, " plans with ", sum.forms, " forms of kernels");
}

TEST_CASE("random networks within several limits: if each limit holds alone, the stated minima are those within the other limits") {
  int checked = 0;
  for (std::uint32_t seed = 1; seed <= networks; seed += 5) {
    CAPTURE(seed);
    const network net(seed);
    const auto reason = reason_within(net, {.arena_bytes = 1, .flash_bytes = 1, .slice_instructions = 1});
    limits least;
    for (const auto& [name, limit] : all_limits) {
      least.*limit = stated(reason, name);
      limits single;
      single.*limit = least.*limit;
      CHECK(reason_within(net, single).empty());
      --(single.*limit);
      CHECK_FALSE(reason_within(net, single).empty());
    }
    checked += check_stated_minima(net, least);
    for (const auto& each : all_limits) {
      auto two = least;
      two.*each.second = limits::none;
      checked += check_stated_minima(net, two);
    }
  }
  CHECK(checked > 100);
  MESSAGE(checked, " minima");
}

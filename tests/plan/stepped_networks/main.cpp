// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs random networks in slices within limits, and compares every output byte with a whole run of the portable kernels. On a Cortex-M,
// also compares the longest slice with the estimate of the plan. networks.hpp has the lines that min_limits.cpp prints.
#include <baton/core/static_program.hpp>
#include <baton/kernels/cortex_m4_costs.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/within.hpp>
#include <baton/run/basic_executor.hpp>

#include "plan/random_network.hpp"
#include "plan/stepped_networks/kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#if defined(__arm__)
#include "cortex_m/measure.hpp"
#include "cortex_m/semihosting.hpp"
#else
#include <cstdio>
#endif

namespace {

using namespace baton;

#if defined(__arm__)
void print(const char* text) { firmware::print(text); }
void print(const char* text, std::uint64_t number) { firmware::print(text, number); }
void start_count() { firmware::instruction_counter::start(); }
auto instructions() -> std::uint64_t { return firmware::instruction_counter::count(); }
#else
void print(const char* text) { std::fputs(text, stdout); }
void print(const char* text, std::uint64_t number) { std::printf("%s%llu", text, static_cast<unsigned long long>(number)); }
void start_count() {}
auto instructions() -> std::uint64_t { return 0; }
#endif

template <std::uint32_t Seed>
struct make_network {
  constexpr auto operator()() const -> exported_program { return plan_tests::random_network(Seed).run(); }
};
template <std::uint32_t Seed>
constexpr static_program network{make_network<Seed>{}};

struct tally {
  std::uint64_t executors = 0;
  std::uint64_t slices = 0;
  std::uint64_t with_segments = 0;
  std::uint64_t cut_nodes = 0;
  std::uint64_t failures = 0;
  std::uint64_t max_excess = 0;          ///< the instructions by which a longest slice exceeds the estimate of its plan
  std::uint64_t estimate_of_excess = 0;  ///< the estimate of that plan
};

template <std::uint32_t Seed, limits Within>
void check(tally& sum) {
  using reference = basic_executor<network<Seed>, plan_tests::portable_list, plan_options{}, planned_by<memory_policies::no_overlap>>;
  using net_type = basic_executor<network<Seed>, plan_tests::fast_list, plan_options{}, within<Within, cortex_m4_costs>, in_slices>;
  static constexpr auto plan = [] {
    struct {
      std::uint64_t slices = 0;
      std::uint64_t cut_nodes = 0;
      std::uint64_t longest = net_type::plan_within_limits().estimate.slice_instructions;
      bool has_segments = false;
    } result;
    for (const auto& each : net_type::plan_within_limits().nodes) {
      result.slices += each.slices;
      result.cut_nodes += each.slices > 1 ? 1 : 0;
      result.has_segments = result.has_segments || each.slices == 0;
    }
    return result;
  }();
  static_assert(plan.longest <= Within.slice_instructions);
  static reference whole;
  static net_type net;
  bool is_exact = true;
  std::uint64_t slices = 0;
  std::uint64_t longest = 0;
  for (std::size_t round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < whole.input().size(); ++i) {
      whole.input()[i] = net.input()[i] = static_cast<char>((i + 3) * (i + 1) * 37 + round * 11);
    }
    whole.run();
    slices = 0;
    net.start();
    for (auto code = status::ok; code == status::ok; ++slices) {
      start_count();
      code = net.step();
      longest = std::max(longest, instructions());
    }
    is_exact = is_exact && std::equal(whole.output().begin(), whole.output().end(), net.output().begin());
  }
  // A slice of rows of a segment is not in the numbers of the nodes.
  const bool has_planned_slices = plan.has_segments ? slices > plan.slices : slices == plan.slices;
  const auto excess = longest > plan.longest ? longest - plan.longest : 0;
  constexpr std::uint64_t counter_step = 40;  // the counter of QEMU counts 40 instructions at a time
  const bool is_short_enough = excess <= counter_step;
  if (!is_exact || !has_planned_slices || !is_short_enough) {
    ++sum.failures;
    print("FAILED: seed ", Seed);
    print(is_exact ? ", exact" : ", not exact");
    print(", slices ", slices);
    print(" of ", plan.slices);
    print(", longest ", longest);
    print(" of ", plan.longest);
    print(", arena ", Within.arena_bytes);
    print(", flash ", Within.flash_bytes);
    print("\n");
  }
  ++sum.executors;
  sum.slices += slices;
  sum.with_segments += plan.has_segments ? 1 : 0;
  sum.cut_nodes += plan.cut_nodes;
  if (excess > sum.max_excess) {
    sum.max_excess = excess;
    sum.estimate_of_excess = plan.longest;
  }
}

template <std::uint32_t Seed, std::uint64_t Slice, std::uint64_t Arena, std::uint64_t SliceInArena, std::uint64_t Flash,
          std::uint64_t SliceInFlash>
struct stepped {
  static void check_all(tally& sum) {
    check<Seed, limits{.slice_instructions = Slice}>(sum);
    check<Seed, limits{.arena_bytes = Arena, .slice_instructions = SliceInArena}>(sum);
    check<Seed, limits{.flash_bytes = Flash, .slice_instructions = SliceInFlash}>(sum);
  }
};

template <class... Networks>
struct list_of {
  static void check_all(tally& sum) { (Networks::check_all(sum), ...); }
};
struct last_of_list {
  static void check_all(tally&) {}
};
using networks = list_of<
#include "networks.hpp"
    last_of_list>;

}  // namespace

int main() {
  tally sum;
  networks::check_all(sum);
  print("executors ", sum.executors);
  print(", slices ", sum.slices);
  print(", cut nodes ", sum.cut_nodes);
  print(", plans with segments ", sum.with_segments);
#if defined(__arm__)
  print(", a slice exceeds its estimate by up to ", sum.max_excess);
  print(" of ", sum.estimate_of_excess);
#endif
  print(", failures ", sum.failures);
  print("\n");
  return sum.failures == 0 ? 0 : 1;
}

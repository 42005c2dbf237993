// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Memory: an arena of the caller for two models that run one after the other; an arena in a fast and a slow memory; outputs that overwrite
// operands that nothing reads later; and a user-defined memory policy.
#include <baton/baton.hpp>
#include <baton/plan.hpp>

#include <array>
#include <cstdio>
#include <string_view>

template <int Times>
constexpr auto model = baton::static_program{[] {
  constexpr auto three = baton::tensor(baton::dtype::float32, 3);
  baton::program_builder build;
  auto x = build.user_input("x", three);
  for (int i = 0; i < Times; ++i) x = build.call("tfl.add", {x, x}, three, {{"fused_activation_function", "none"}});
  build.output(x);
  return build.finish();
}};

// The size of the larger arena. [[gnu::section(".bss.fast_ram")]] in front of it selects a memory section.
baton::arena_for<baton::executor<model<1>>, baton::executor<model<3>>> pool;

template <auto Program>
using net_in_pool = baton::executor<Program, baton::in_arena<pool>>;
net_in_pool<model<1>> twofold;
net_in_pool<model<3>> eightfold;

// The values with the most accesses for their lifetime are in the first 16 bytes. [[gnu::section(".bss.dtcm")]] selects a section for
// `fast`.
baton::memory_region<16> fast;
baton::memory_region<64> slow;
baton::executor<model<3>, baton::in_regions<fast, slow>> in_two;

// A sum overwrites its operand, as far as the kernel allows. So a run overwrites the input.
baton::executor<model<3>, baton::planned_by<baton::memory_policies::in_place>> in_place;
static_assert(in_place.arena_bytes == 16);

// If a model works on images, ranges of nodes are computed row by row, and only a few rows of the images between them are stored. This
// model has no images, so the plan is that of `in_place`.
baton::executor<model<3>, baton::planned_by<baton::memory_policies::row_streaming>> by_rows;
static_assert(by_rows.arena_bytes == 16);

// A memory policy chooses offsets; the planner checks them.
struct smallest_first {
  static constexpr std::string_view name = "smallest first";
  static constexpr auto place(const baton::memory_problem& problem) -> baton::placement {
    const auto is_smaller = [](const baton::lifetime& a, const baton::lifetime& b) { return a.bytes < b.bytes; };
    return {baton::place_in_order(problem.items, is_smaller), name};
  }
};
baton::executor<model<3>, baton::planned_by<smallest_first>> by_policy;

auto main() -> int {
  const std::array<float, 3> x{1, 2, 3};
  std::array<float, 3> y{};
  twofold.run(x, y);
  std::printf("%g %g %g\n", static_cast<double>(y[0]), static_cast<double>(y[1]), static_cast<double>(y[2]));
  eightfold.run(x, y);
  std::printf("%g %g %g\n", static_cast<double>(y[0]), static_cast<double>(y[1]), static_cast<double>(y[2]));
  std::printf("arena: %s\n", sizeof pool == 32 ? "32 bytes" : "another size");
  in_two.run(x, y);
  std::printf("%g %g %g\n", static_cast<double>(y[0]), static_cast<double>(y[1]), static_cast<double>(y[2]));
  constexpr auto used = decltype(in_two)::plan().used;
  std::printf("fast: %d bytes, slow: %d\n", static_cast<int>(used.fast), static_cast<int>(used.slow));
  in_place.run(x, y);
  std::printf("%g %g %g\n", static_cast<double>(y[0]), static_cast<double>(y[1]), static_cast<double>(y[2]));
  by_policy.run(x, y);
  std::printf("%g %g %g, placed %s\n", static_cast<double>(y[0]), static_cast<double>(y[1]), static_cast<double>(y[2]),
              decltype(by_policy)::plan().strategy.data());
}

// Output:
// 2 4 6
// 8 16 24
// arena: 32 bytes
// 8 16 24
// fast: 16 bytes, slow: 16
// 8 16 24
// 8 16 24, placed smallest first

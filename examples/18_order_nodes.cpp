// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the nodes of a model in another order: two branches interleaved.
#include <baton/baton.hpp>
#include <baton/plan.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>

constexpr auto model = baton::static_program{[] {
  constexpr auto three = baton::tensor(baton::dtype::float32, 3);
  baton::program_builder build;
  const auto x = build.user_input("x", three);
  const auto squared = build.call("squared", "tfl.square", {x}, three);
  const auto left = build.call("left", "tfl.neg", {squared}, three);
  const auto magnitude = build.call("magnitude", "tfl.abs", {x}, three);
  const auto right = build.call("right", "tfl.neg", {magnitude}, three);
  build.output(build.call("sum", "tfl.add", {left, right}, three, {{"fused_activation_function", "none"}}));
  return build.finish();
}};

// A schedule policy orders the nodes of a graph: here first the nodes without producers, then their consumers, and so on. The planner
// checks that each node runs after its dependencies.
struct by_depth {
  static constexpr std::string_view name = "by depth";
  static constexpr auto order(const baton::schedule_problem& problem) -> baton::vector<std::uint32_t> {
    const auto count = problem.program[problem.graph].nodes.size;
    baton::vector<std::uint32_t> depth(count, 0);
    for (const auto& [before, after] : problem.dependencies) depth[after] = std::max(depth[after], depth[before] + 1);
    baton::vector<std::uint32_t> order;
    for (std::uint32_t level = 0; order.size() < count; ++level) {
      for (std::uint32_t n = 0; n < count; ++n) {
        if (depth[n] == level) order.push_back(n);
      }
    }
    return order;
  }
};
baton::executor<model> in_program_order;
baton::executor<model, baton::scheduled_by<by_depth>> in_order_of_depth;

auto main() -> int {
  const auto name_node = [](const auto& call) {
    const auto name = call.program().text(call.record().name);
    std::printf(" ");
    std::fwrite(name.data(), 1, name.size(), stdout);
  };
  in_program_order.run(name_node);
  std::printf("\n");
  in_order_of_depth.run(name_node);
  const std::array<float, 3> x{1, -2, 3};
  std::array<float, 3> y{};
  in_order_of_depth.run(x, y);
  std::printf("\n%g %g %g\n", static_cast<double>(y[0]), static_cast<double>(y[1]), static_cast<double>(y[2]));
}

// Output:
//  squared left magnitude right sum
//  squared magnitude left right sum
// -2 -6 -12

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/report/detail/separations.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/lower/to_backend.hpp>

#include "report/by_letter.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>

namespace {

using namespace report_model;
using report::separation_kind;

constexpr auto separations(const exported_program& program) -> report::delegate_separations {
  return report::separations_of(to_backend(backends<device, other>, program, by_letter{}));
}

constexpr auto each_kind_is_reported() -> bool {
  program_builder build;
  const auto x = build.user_input("x", one);
  const auto a = build.call("a", "my.op", {x}, one);        // the first
  const auto middle = build.call("-1", "my.op", {a}, one);  // between a and b
  const auto aside = build.call("-2", "my.op", {x}, one);   // on no path between them
  const auto b = build.call("b", "my.op", {middle, aside, a}, one);
  const auto c = build.call("c", "my.op", {b}, one);         // directly after b
  const auto z = build.call("z", "my.op", {c}, one);         // the same, with a compile spec
  const auto d = build.call("d", "my.op", {x}, one);         // after no delegate
  const auto first = build.call("P", "my.op", {z, d}, one);  // of another backend
  build.output(build.call("e", "my.op", {first}, one));      // after P
  const auto all = separations(build.finish());
  const auto is = [&](std::size_t d_, separation_kind kind, std::uint32_t follows, std::size_t between) {
    const auto& separation = all.separations[d_];
    return separation.kind == kind && separation.follows == follows && separation.between.size == between;
  };
  return all.separations.size() == 7 && is(0, separation_kind::first, npos, 0) && is(1, separation_kind::nodes_between, 0, 1) &&
         is(2, separation_kind::adjacent, 1, 0) && is(3, separation_kind::different_specs, 2, 0) &&
         is(4, separation_kind::independent, npos, 0) && is(5, separation_kind::first, npos, 0) &&
         is(6, separation_kind::nodes_between, 4, 1) && all.between[0] == 1;
}
static_assert(each_kind_is_reported());
TEST_CASE("separations: each kind is reported") { CHECK(each_kind_is_reported()); }

/// More nodes between two delegates than the report names.
constexpr auto long_paths_are_truncated() -> bool {
  program_builder build;
  auto x = build.call("a", "my.op", {build.user_input("x", one)}, one);
  for (std::size_t i = 0; i < report::max_between + 9; ++i) x = build.call("my.op", {x}, one);
  build.output(build.call("b", "my.op", {x}, one));
  const auto all = separations(build.finish());
  return all.separations[1].kind == separation_kind::nodes_between && all.separations[1].between.size == report::max_between;
}
static_assert(long_paths_are_truncated());
TEST_CASE("separations: a long path between two delegates is shortened") { CHECK(long_paths_are_truncated()); }

/// Returns the transitive dependences of each node, by brute force: bit `a` of element `b` is set if `b` depends on `a`.
auto dependences(const program_view& program) -> std::array<std::uint64_t, 64> {
  std::array<std::uint64_t, 64> on{};
  const auto nodes = program.nodes_of(program.root());
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    for (std::size_t m = 0; m < n; ++m) {
      for (const auto input : program.inputs(nodes[n])) {
        for (const auto output : program.outputs_of(nodes[m])) {
          if (input == output) on[n] |= on[m] | std::uint64_t{1} << m;
        }
      }
    }
  }
  return on;
}

TEST_CASE("separations: those of random programs equal those of brute force") {
  std::mt19937 random{11};
  std::size_t between_count = 0;
  for (int round = 0; round < 2'000; ++round) {
    program_builder build;
    baton::vector<value_id> values{build.user_input("x", one), build.user_input("y", one)};
    for (int n = 0; n < 14; ++n) {
      constexpr std::string_view kinds[] = {"aabbccddeeffgg", "PPPQQQRRRSSSTT", "--------------"};
      const auto name = join(kinds[random() % 3].substr(static_cast<std::size_t>(n), 1));
      const auto pick = [&] { return values[values.size() - 1 - random() % std::min<std::size_t>(values.size(), 5)]; };
      values.push_back(build.call(view(name), "my.op", {pick(), pick()}, one));
    }
    build.output(values.back());
    const auto whole = build.finish();
    exported_program program;
    try {
      program = to_backend(backends<device, other>, whole, by_letter{});
    } catch (const baton::error&) {
      continue;  // parts that depend on each other
    }
    const auto all = report::separations_of(program);
    const auto on = dependences(program);
    const auto nodes = program.nodes_of(program.root());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (nodes[n].delegate == none<delegate_id>) continue;
      const auto same = [&](std::size_t m) {
        return nodes[m].delegate != none<delegate_id> &&
               program.text(program[nodes[m].delegate].backend_id) == program.text(program[nodes[n].delegate].backend_id);
      };
      std::size_t before = n;
      for (std::size_t m = 0; m < n; ++m) before = same(m) && (on[n] >> m & 1) != 0 ? m : before;
      const auto& separation = all.separations[index(nodes[n].delegate)];
      REQUIRE((separation.follows == npos) == (before == n));
      if (before == n) continue;
      CHECK(separation.follows == index(nodes[before].delegate));
      baton::vector<std::uint32_t> between;
      for (auto m = before + 1; m < n; ++m) {
        if ((on[n] >> m & 1) != 0 && (on[m] >> before & 1) != 0)
          between.push_back(program.root().nodes.first + static_cast<std::uint32_t>(m));
      }
      between_count += between.size();
      REQUIRE(separation.between.size == between.size());
      for (std::size_t i = 0; i < between.size(); ++i) CHECK(all.between[separation.between.first + i] == between[i]);
    }
  }
  CHECK(between_count > 500);
}

}  // namespace

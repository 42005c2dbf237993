// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The path that is reported if tags form a cycle, for all groupings of all graphs of a few nodes and for random programs.
// A path is reported exactly if there is a cycle. Each step is a use, the path closes through parts, and no path is shorter.
#include <baton/lower/detail/contracted_graph.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/shared/check_parts.hpp>
#include <baton/partition/partitioner.hpp>

#include "properties/random_program.hpp"
#include "properties/random_tags.hpp"
#include "properties/small_graphs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace {

using namespace baton;
using namespace properties;

using path = baton::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr auto path_of(const program_view& program, graph_id id) -> path {
  baton::detail::contraction_tables tables(program);
  return baton::detail::contracted_graph(program, id, tables).cycle(tables.producers);
}

constexpr auto uses(const program_view& program, std::uint32_t user, std::uint32_t producer) -> bool {
  const auto inputs = program.inputs(program.nodes[user]);
  const auto outputs = program.outputs_of(program.nodes[producer]);
  return std::find_first_of(inputs.begin(), inputs.end(), outputs.begin(), outputs.end()) != inputs.end();
}
constexpr auto are_one_unit(const program_view& program, std::uint32_t a, std::uint32_t b) -> bool {
  const auto tag = program.nodes[a].tag;
  return a == b || (baton::has_spec(program, tag) && program.nodes[b].tag == tag);
}

/// Returns the number of steps of a shortest cycle of a graph's units, or 0 if there is none. Searches breadth-first over nodes, from every
/// node; a step to another node of the same unit is free.
auto shortest_cycle(const program_view& program, const graph& scope) -> std::size_t {
  std::size_t best = 0;
  const auto size = scope.nodes.size;
  const auto one_unit = [&](std::size_t a, std::size_t b) {
    return are_one_unit(program, scope.nodes.first + static_cast<std::uint32_t>(a), scope.nodes.first + static_cast<std::uint32_t>(b));
  };
  for (std::size_t start = 0; start < size; ++start) {
    baton::vector<char> here(size, 0);
    for (std::size_t n = 0; n < size; ++n) here[n] = one_unit(start, n) ? 1 : 0;
    for (std::size_t steps = 1; steps <= size && (best == 0 || steps < best); ++steps) {
      baton::vector<char> next(size, 0);
      for (std::size_t n = 0; n < size; ++n) {
        for (std::size_t user = n + 1; user < size && here[n] != 0; ++user) {
          if (one_unit(n, user) ||
              !uses(program, scope.nodes.first + static_cast<std::uint32_t>(user), scope.nodes.first + static_cast<std::uint32_t>(n)))
            continue;
          for (std::size_t m = 0; m < size; ++m) next[m] = next[m] != 0 || one_unit(user, m) ? 1 : 0;
        }
      }
      if (next[start] != 0) best = steps;
      here = std::move(next);
    }
  }
  return best;
}

/// Returns the first error of a path, or an empty text.
constexpr auto error_in_steps(const program_view& program, const graph& scope, const path& steps) -> std::string_view {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto [producer, user] = steps[i];
    const auto is_inside = [&](std::uint32_t n) { return n >= scope.nodes.first && n < scope.nodes.first + scope.nodes.size; };
    if (!is_inside(producer) || !is_inside(user)) return "a node of another graph is on the path";
    if (!uses(program, user, producer)) return "a step of the path is no use";
    if (are_one_unit(program, producer, user)) return "a step of the path stays within its part";
    if (!are_one_unit(program, user, steps[(i + 1) % steps.size()].first)) return "the path is broken";
  }
  if (!steps.empty() && !baton::has_spec(program, program.nodes[steps[0].first].tag)) return "the path begins at no part";
  return {};
}
auto error_in_path(const program_view& program, graph_id id) -> std::string_view {
  const auto steps = path_of(program, id);
  if (const auto wrong = error_in_steps(program, program[id], steps); !wrong.empty()) return wrong;
  if (steps.size() != shortest_cycle(program, program[id])) return "another path is shorter, or there is none";
  return {};
}

/// Calls `f` with each grouping of a graph, as the tags of a program.
template <class F>
void for_each_tagging(const small_graph& graph, const F& f) {
  auto program = program_of(graph);
  for (std::uint32_t t = 0; t < graph.size; ++t) {
    program.tags.push_back({.name = baton::own_bytes(program, view(join("tag", t))), .order = t});
  }
  for (small_set tagged_nodes = 0; tagged_nodes < small_set{1} << graph.size; ++tagged_nodes) {
    for_each_grouping(graph.size, tagged_nodes, [&](const grouping& unit_of, std::size_t) {
      for (std::size_t n = 0; n < graph.size; ++n)
        program.nodes[n].tag = has(tagged_nodes, n) ? static_cast<tag_id>(unit_of[n]) : none<tag_id>;
      f(program);
    });
  }
}

/// A chain of `size` nodes; node 0 and node `tagged` have the same tag.
constexpr auto chain(std::size_t size, std::size_t tagged) -> exported_program {
  small_graph graph{size, {}};
  for (std::size_t n = 1; n < size; ++n) graph.uses[n] = small_set{1} << (n - 1);
  auto program = program_of(graph);
  program.tags.push_back({.name = baton::own_bytes(program, "t"), .order = 0});
  program.nodes[0].tag = program.nodes[tagged].tag = tag_id{0};
  return program;
}
constexpr auto a_path_is_found_at_compile_time() -> bool {
  const auto program = chain(6, 4);
  const auto steps = path_of(program, graph_id{0});
  return error_in_steps(program, program_view(program).root(), steps).empty() && steps == path{{0, 1}, {1, 2}, {2, 3}, {3, 4}} &&
         path_of(chain(6, 1), graph_id{0}).empty();
}
static_assert(a_path_is_found_at_compile_time());

/// A chain of `nodes` nodes with long names; the first and the last node have the same tag.
auto long_chain(std::uint32_t nodes) -> exported_program {
  constexpr auto type = tensor(dtype::float32, 4);
  program_builder b;
  auto latest = b.user_input("x", type);
  for (std::uint32_t n = 0; n < nodes; ++n) latest = b.call(view(join("a_node_of_the_chain_", n)), "u", {latest}, type);
  b.output(latest);
  auto program = b.finish();
  program.tags.push_back({.name = baton::own_bytes(program, "t"), .order = 0});
  program.nodes.front().tag = program.nodes.back().tag = tag_id{0};
  return program;
}

}  // namespace

TEST_CASE("cycles: the path is a shortest one in every grouping of every graph of a few nodes") {
  CHECK(a_path_is_found_at_compile_time());
  for (std::size_t nodes = 1; nodes <= 6; ++nodes) {
    // One in 61 of the largest graphs.
    const std::uint64_t step = nodes < 6 ? 1 : 61;
    for (std::uint64_t number = 0; number < count_of_graphs(nodes); number += step) {
      std::string_view wrong;
      for_each_tagging(graph_of(nodes, number), [&](const exported_program& program) {
        if (wrong.empty()) wrong = error_in_path(program, graph_id{0});
      });
      REQUIRE_MESSAGE(wrong.empty(), wrong, ": nodes ", nodes, ", graph ", number);
    }
  }
}

TEST_CASE("cycles: the path is a shortest one in every graph of random programs with random tags") {
  std::uint64_t cycles = 0;
  for (std::uint64_t seed = 0; seed < 8000; ++seed) {
    const auto tagged = tag_program(with_earlier_tags(make_program(seed, {24, 3})), random_partitioner{seed});
    if (!tagged) continue;
    for (std::uint32_t g = 0; g < tagged.value.graphs.size(); ++g) {
      const auto wrong = error_in_path(tagged.value, static_cast<graph_id>(g));
      REQUIRE_MESSAGE(wrong.empty(), wrong, ": seed ", seed, ", graph ", g);
      cycles += path_of(tagged.value, static_cast<graph_id>(g)).empty() ? 0 : 1;
    }
  }
  MESSAGE(cycles, " cycles");
  CHECK(cycles > 500);
}

TEST_CASE("cycles: a long path is reported by its beginning and its length") {
  const auto reported = check_parts(long_chain(100)).reason;
  constexpr std::string_view step = " -> a_node_of_the_chain_10";
  constexpr std::string_view ending = " -> ..., a cycle of 99 uses";
  CHECK(view(reported).ends_with(ending));
  CHECK(reported.size() <= static_failure::reason_capacity);
  CHECK(reported.size() + step.size() > static_failure::reason_capacity - ending.size());
  auto path = join("a_node_of_the_chain_0 of t");
  for (int n = 1; path.size() + ending.size() < reported.size(); ++n) append(append(path, " -> a_node_of_the_chain_"), n);
  CHECK(view(reported) == view(append(path, ending)));
  CHECK(view(check_parts(long_chain(100000)).reason).ends_with(" -> ..., a cycle of 99999 uses"));
}

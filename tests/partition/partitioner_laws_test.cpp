// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks the laws of partitioners for each canonical partitioner, at compile time and on random programs.
#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/shared/shared_states.hpp>
#include <baton/partition/by_config.hpp>
#include <baton/partition/by_cost.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/by_pattern.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_facts.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/proposed_parts.hpp>
#include <baton/partition/split_cycles.hpp>

#include "conformance/graphs.hpp"
#include "laws/partitioner.hpp"
#include "properties/random_program.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;

struct npu {
  static constexpr auto id = name<"Npu">;
};

/// Returns two lists, which contain two of every three nodes, and all parameters.
constexpr auto two_of_three(const program_view& program) -> baton::vector<node_list> {
  baton::vector<node_list> lists(2, node_list{{}, {}});
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    if (n % 3 != 2) lists[n % 3].nodes.push_back(static_cast<node_id>(n));
  }
  for (std::uint32_t v = 0; v < program.values.size(); ++v) {
    if (program.values[v].kind == value_kind::parameter) lists[0].placeholders.push_back(static_cast<value_id>(v));
  }
  return lists;
}

/// Returns disjoint pairs of a node and the only user of its only output.
constexpr auto pairs(const program_view& program) -> baton::vector<node_list> {
  baton::vector<std::uint32_t> users(program.values.size(), 0);
  baton::vector<node_id> user(program.values.size(), none<node_id>);
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    for (const auto input : program.inputs(program.nodes[n])) {
      if (input == none<value_id>) continue;
      users[index(input)] += 1;
      user[index(input)] = static_cast<node_id>(n);
    }
  }
  baton::vector<char> is_paired(program.nodes.size(), 0);
  baton::vector<node_list> groups;
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    const auto outputs = program.outputs_of(program.nodes[n]);
    if (is_paired[n] != 0 || outputs.size() != 1 || users[index(outputs[0])] != 1) continue;
    const auto other = user[index(outputs[0])];
    if (is_paired[index(other)] != 0) continue;
    is_paired[n] = is_paired[index(other)] = 1;
    groups.push_back({{static_cast<node_id>(n), other}});
  }
  return groups;
}

constexpr auto product_and_sum() -> exported_program {
  constexpr auto type = tensor(dtype::float32, 2, 2);
  program_builder b;
  const auto x = b.user_input("x", type);
  const auto sum =
      b.call("aten.add.Tensor", {b.call("aten.mm.default", {x, b.user_input("w", type)}, type), b.user_input("y", type)}, type);
  b.output(sum);
  return b.finish();
}
constexpr auto difference() -> exported_program {
  constexpr auto type = tensor(dtype::float32, 2, 2);
  program_builder b;
  b.output(b.call("aten.sub.Tensor", {b.user_input("x", type), b.user_input("y", type)}, type));
  return b.finish();
}

struct sums {
  static constexpr auto op = name<"add.Tensor">;
  static constexpr auto is_supported(const program_view&, const node&) -> verdict { return accept(); }
};
struct products {
  static constexpr auto op = name<"mm.default">;
  static constexpr auto is_supported(const program_view&, const node&) -> verdict { return accept(); }
};

using computing = operator_names<"aten.add.Tensor", "aten.mm.default", "aten.mul.Tensor", "aten.relu.default">;
using lists = by_lists<npu, two_of_three>;
using lists_and_support = by_lists<npu, two_of_three, operator_names<"aten.mm.default">>;
using groups = by_groups<npu, pairs, computing>;
using pattern_parts = by_pattern<npu, patterns<product_and_sum, difference>>;
using commuting_pattern_parts =
    by_pattern<npu, patterns<product_and_sum>, operator_names<"aten.mul.Tensor">, literals::compared, commutative>;
using configs = by_config<npu, sums, products>;
struct unit_costs {
  static constexpr auto node(const program_view&, const baton::node& record) -> double { return record.is("aten.mm.default") ? 4 : 1; }
};
struct expensive_costs : unit_costs {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 2; }
  static constexpr double byte = 0.03125;
};
struct npu_2 {
  static constexpr auto id = name<"Npu2">;
};
using cheapest = by_cost<unit_costs, costed_backend<npu, computing, expensive_costs>>;
using cheapest_of_two = by_cost<unit_costs, costed_backend<npu, computing, expensive_costs>,
                                costed_backend<npu_2, operator_names<"aten.sub.Tensor">, expensive_costs>>;
using supported = by_support<npu, computing>;
using supported_in_pairs = by_support<npu, computing, partition_options{.min_nodes = 2}>;
static_assert(explaining_partitioner<lists> && explaining_partitioner<groups> && explaining_partitioner<pattern_parts> &&
              explaining_partitioner<configs> && explaining_partitioner<supported> && explaining_partitioner<all_nodes<npu>> &&
              explaining_partitioner<cheapest> && explaining_partitioner<split_cycles<lists>> &&
              !explaining_partitioner<archetypes::partitioner>);

/// Whether a program can be lowered: a graph with mutable buffers must have one caller.
constexpr auto can_be_lowered(const exported_program& program) -> bool { return !check_shared_states(program); }
constexpr auto has_state(const program_view& program) -> bool {
  for (const auto& record : program.values) {
    if (record.kind == value_kind::mutable_buffer) return true;
  }
  return false;
}

/// Whether all laws hold for a partitioner on a program.
template <class Partitioner>
constexpr auto holds(const exported_program& program) -> bool {
  return laws::partitioner::all(program, Partitioner{});
}
/// Whether all laws hold and the partitioner delegates a node.
template <class Partitioner>
constexpr auto holds_and_delegates(const exported_program& program) -> bool {
  const auto tagged = tag_program(program, Partitioner{});
  return holds<Partitioner>(program) && tagged && !tagged.value.tags.empty();
}

static_assert(holds_and_delegates<lists>(conformance::g_mmadd()));
static_assert(holds_and_delegates<lists_and_support>(conformance::g_mmadd()));
static_assert(holds_and_delegates<groups>(conformance::g_mmadd()));
static_assert(holds_and_delegates<pattern_parts>(conformance::g_mmadd()));
static_assert(holds_and_delegates<commuting_pattern_parts>(conformance::g_mmadd()));
static_assert(holds_and_delegates<configs>(conformance::g_mmadd()));
static_assert(holds_and_delegates<configs>(conformance::g_mut()));
static_assert(holds_and_delegates<all_nodes<npu>>(conformance::g_mmadd()));
static_assert(holds_and_delegates<all_nodes<npu>>(conformance::g_add3()));

/// Checks the laws on `seeds` random programs. Returns the number of programs in which the partitioner delegates a node.
template <class Partitioner>
auto count_delegated(std::uint64_t seeds, bool with_state = true) -> std::size_t {
  std::size_t delegated = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto program = properties::make_program(seed);
    if (!can_be_lowered(program) || (!with_state && has_state(program))) continue;
    INFO("seed " << seed);
    CHECK(holds<Partitioner>(program));
    delegated += tag_program(program, Partitioner{}).value.tags.empty() ? 0u : 1u;
  }
  return delegated;
}

}  // namespace

TEST_CASE("the laws of partitioners hold on a small program") {
  CHECK(holds_and_delegates<lists>(conformance::g_mmadd()));
  CHECK(holds_and_delegates<lists_and_support>(conformance::g_mmadd()));
  CHECK(holds_and_delegates<groups>(conformance::g_mmadd()));
  CHECK(holds_and_delegates<pattern_parts>(conformance::g_mmadd()));
  CHECK(holds_and_delegates<commuting_pattern_parts>(conformance::g_mmadd()));
  CHECK(holds_and_delegates<configs>(conformance::g_mmadd()));
  CHECK(holds_and_delegates<configs>(conformance::g_mut()));
  CHECK(holds_and_delegates<all_nodes<npu>>(conformance::g_mmadd()));
  CHECK(holds_and_delegates<all_nodes<npu>>(conformance::g_add3()));
}

TEST_CASE("the laws of partitioners hold on random programs") {
  CHECK(count_delegated<supported>(500) > 300);
  CHECK(count_delegated<supported_in_pairs>(500) > 300);
  CHECK(count_delegated<lists>(500) > 300);
  CHECK(count_delegated<lists_and_support>(500) > 300);
  CHECK(count_delegated<groups>(500) > 300);
  CHECK(count_delegated<pattern_parts>(500) > 150);
  CHECK(count_delegated<commuting_pattern_parts>(500) > 150);
  CHECK(count_delegated<configs>(500) > 300);
  CHECK(count_delegated<cheapest>(500) > 100);
  CHECK(count_delegated<cheapest_of_two>(500) > 100);
  CHECK(count_delegated<split_cycles<lists>>(500) > 300);
}

// Without states, because a mutated buffer cannot belong to a delegate if it is returned, too, or if its new value is also that of another
// buffer.
TEST_CASE("the laws of partitioners hold for all_nodes on random programs without a state") {
  CHECK(count_delegated<all_nodes<npu>>(1000, false) > 200);
}

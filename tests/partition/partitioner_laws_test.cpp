// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of partitioners, of each canonical one, in the compiler and on random programs.
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

/// Every third node is in none, the others in two lists; and all parameters.
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

/// Each node with the one that alone uses what it makes, in pairs.
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
  baton::vector<char> is_taken(program.nodes.size(), 0);
  baton::vector<node_list> groups;
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    const auto outputs = program.outputs_of(program.nodes[n]);
    if (is_taken[n] != 0 || outputs.size() != 1 || users[index(outputs[0])] != 1) continue;
    const auto other = user[index(outputs[0])];
    if (is_taken[index(other)] != 0) continue;
    is_taken[n] = is_taken[index(other)] = 1;
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
using of_patterns = by_pattern<npu, patterns<product_and_sum, difference>>;
using of_patterns_either_way =
    by_pattern<npu, patterns<product_and_sum>, operator_names<"aten.mul.Tensor">, literals::compared, commutative>;
using configs = by_config<npu, sums, products>;
struct unit_costs {
  static constexpr auto node(const program_view&, const baton::node& record) -> double { return record.is("aten.mm.default") ? 4 : 1; }
};
struct dear_costs : unit_costs {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 2; }
  static constexpr double byte = 0.03125;
};
struct npu_2 {
  static constexpr auto id = name<"Npu2">;
};
using cheap = by_cost<unit_costs, costed_backend<npu, computing, dear_costs>>;
using cheap_of_two =
    by_cost<unit_costs, costed_backend<npu, computing, dear_costs>, costed_backend<npu_2, operator_names<"aten.sub.Tensor">, dear_costs>>;
using supported = by_support<npu, computing>;
using supported_in_pairs = by_support<npu, computing, partition_options{.min_nodes = 2}>;
static_assert(explaining_partitioner<lists> && explaining_partitioner<groups> && explaining_partitioner<of_patterns> &&
              explaining_partitioner<configs> && explaining_partitioner<supported> && explaining_partitioner<all_nodes<npu>> &&
              explaining_partitioner<cheap> && explaining_partitioner<split_cycles<lists>> &&
              !explaining_partitioner<archetypes::partitioner>);

/// Whether a program may be lowered at all: a graph that keeps mutable buffers has one caller.
constexpr auto is_valid(const exported_program& program) -> bool { return !check_shared_states(program); }
constexpr auto has_state(const program_view& program) -> bool {
  for (const auto& record : program.values) {
    if (record.kind == value_kind::mutable_buffer) return true;
  }
  return false;
}

/// Whether all laws hold of a partitioner on a program; and whether it takes something.
template <class Partitioner>
constexpr auto holds(const exported_program& program) -> bool {
  return laws::partitioner::all(program, Partitioner{});
}
template <class Partitioner>
constexpr auto holds_and_takes(const exported_program& program) -> bool {
  const auto tagged = tag_program(program, Partitioner{});
  return holds<Partitioner>(program) && tagged && !tagged.value.tags.empty();
}

static_assert(holds_and_takes<lists>(conformance::g_mmadd()));
static_assert(holds_and_takes<lists_and_support>(conformance::g_mmadd()));
static_assert(holds_and_takes<groups>(conformance::g_mmadd()));
static_assert(holds_and_takes<of_patterns>(conformance::g_mmadd()));
static_assert(holds_and_takes<of_patterns_either_way>(conformance::g_mmadd()));
static_assert(holds_and_takes<configs>(conformance::g_mmadd()));
static_assert(holds_and_takes<configs>(conformance::g_mut()));
static_assert(holds_and_takes<all_nodes<npu>>(conformance::g_mmadd()));
static_assert(holds_and_takes<all_nodes<npu>>(conformance::g_add3()));

/// On how many of so many random programs a partitioner took something; the laws hold on all.
template <class Partitioner>
auto count_taken(std::uint64_t seeds, bool with_state = true) -> std::size_t {
  std::size_t taken = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto program = properties::make_program(seed);
    if (!is_valid(program) || (!with_state && has_state(program))) continue;
    INFO("seed " << seed);
    CHECK(holds<Partitioner>(program));
    taken += tag_program(program, Partitioner{}).value.tags.empty() ? 0u : 1u;
  }
  return taken;
}

}  // namespace

TEST_CASE("the laws of partitioners hold on a small program") {
  CHECK(holds_and_takes<lists>(conformance::g_mmadd()));
  CHECK(holds_and_takes<lists_and_support>(conformance::g_mmadd()));
  CHECK(holds_and_takes<groups>(conformance::g_mmadd()));
  CHECK(holds_and_takes<of_patterns>(conformance::g_mmadd()));
  CHECK(holds_and_takes<of_patterns_either_way>(conformance::g_mmadd()));
  CHECK(holds_and_takes<configs>(conformance::g_mmadd()));
  CHECK(holds_and_takes<configs>(conformance::g_mut()));
  CHECK(holds_and_takes<all_nodes<npu>>(conformance::g_mmadd()));
  CHECK(holds_and_takes<all_nodes<npu>>(conformance::g_add3()));
}

TEST_CASE("the laws of partitioners hold on random programs") {
  CHECK(count_taken<supported>(500) > 300);
  CHECK(count_taken<supported_in_pairs>(500) > 300);
  CHECK(count_taken<lists>(500) > 300);
  CHECK(count_taken<lists_and_support>(500) > 300);
  CHECK(count_taken<groups>(500) > 300);
  CHECK(count_taken<of_patterns>(500) > 150);
  CHECK(count_taken<of_patterns_either_way>(500) > 150);
  CHECK(count_taken<configs>(500) > 300);
  CHECK(count_taken<cheap>(500) > 100);
  CHECK(count_taken<cheap_of_two>(500) > 100);
  CHECK(count_taken<split_cycles<lists>>(500) > 300);
}

// A buffer that the program changes may be returned too, or changed by what makes another's value: then it cannot be a delegate's.
TEST_CASE("the laws of partitioners hold where all nodes are taken, of random programs without a state") {
  CHECK(count_taken<all_nodes<npu>>(1000, false) > 200);
}

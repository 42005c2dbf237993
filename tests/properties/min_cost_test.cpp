// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The cost partitioner against every assignment of every graph with a few nodes, and on large random programs. It finds the cheapest
// assignment if that is promised, stays within a stated distance otherwise, and never produces a cycle.
// BATON_PROPERTY_NODES is the maximum number of nodes of exhaustively tested graphs, 6 by default; BATON_PROPERTY_SEEDS is the number of
// random programs, 20000 by default.
#include <baton/core/program.hpp>
#include <baton/partition/by_cost.hpp>

#include "lower/tags.hpp"
#include "properties/cycle_search.hpp"
#include "properties/environment.hpp"
#include "properties/random.hpp"
#include "properties/random_program.hpp"
#include "properties/small_graphs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using namespace properties;

template <fixed_string Id>
struct backend_named {
  static constexpr auto id = name<Id>;
};

/// The random facts of a node, derived from the seed: its cost on each device, and the devices that support it.
struct node_facts {
  static inline std::uint64_t seed = 0;

  std::array<int, 3> cost{};
  std::array<bool, 3> is_supported{true, true, true};

  explicit node_facts(std::uint32_t handle) {
    random_numbers random(seed << 16 | handle);
    cost = {static_cast<int>(random.below(24)), static_cast<int>(random.below(12)), static_cast<int>(random.below(12))};
    is_supported = {true, !random.once_in(5), !random.once_in(5)};
  }
};
struct kernel_costs {
  static auto node(const program_view&, const baton::node& record) -> double { return node_facts(record.debug_handle).cost[0]; }
};
template <std::size_t Device>
struct supported_by {
  static auto supports(const program_view&, const node& candidate) -> baton::verdict {
    return node_facts(candidate.debug_handle).is_supported[Device] ? accept() : refuse();
  }
};

/// A byte that crosses the boundary of device 1 costs a quarter of the unit, of device 2 an eighth.
constexpr std::array<int, 3> bytes_per_unit{0, 4, 8};
template <std::size_t Device, int Call>
struct costs_of {
  static auto node(const program_view&, const baton::node& record) -> double { return node_facts(record.debug_handle).cost[Device]; }
  static constexpr double byte = 1.0 / bytes_per_unit[Device];
  static constexpr double call = Call;
};
template <std::size_t Device, int Call>
using offer_of = costed_backend<backend_named<Device == 1 ? fixed_string<4>{"Npu"} : fixed_string<4>{"Dsp"}>, supported_by<Device>,
                                costs_of<Device, Call>>;

template <int Call>
using one = by_cost<kernel_costs, offer_of<1, Call>>;
template <int NpuCall, int DspCall>
using two = by_cost<kernel_costs, offer_of<1, NpuCall>, offer_of<2, DspCall>>;

constexpr cost_amount unit = 1024;
using assignment = std::array<device_index, max_small_nodes>;

/// Sets random sizes of 1 to 8 elements for the values of a program.
void vary_sizes(exported_program& program, std::uint64_t seed) {
  random_numbers random(seed);
  const auto first = static_cast<std::uint32_t>(program.integers.size());
  for (std::int64_t size = 1; size <= 8; ++size) program.integers.push_back(size);
  for (auto& record : program.values) record.shape = {first + static_cast<std::uint32_t>(random.below(8)), 1};
}

/// Computes the costs of assignments of a small graph directly from the graph.
class cost_model {
 public:
  cost_model(const small_graph& graph, const program_view& program) : graph_(graph), ends_(ends_of(graph)) {
    const auto carry = [&](value_id id, std::size_t device) -> cost_amount {
      return device == 0 ? 0 : program.shape(id)[0] * 4 * unit / bytes_per_unit[device];
    };
    for (std::size_t n = 0; n < graph.size; ++n) {
      const node_facts of(program.nodes[n].debug_handle);
      for (std::size_t device = 0; device < 3; ++device) {
        node_[n][device] = of.is_supported[device] ? of.cost[device] * unit : -1;
        carry_[n][device] = carry(program.outputs_of(program.nodes[n])[0], device);
        carry_input_[device] = carry(program.inputs(program.root())[0], device);
      }
      for (std::size_t user = n + 1; user < graph.size; ++user) users_[n] |= has(graph.uses[user], n) ? small_set{1} << user : 0;
      users_of_input_ |= graph.uses[n] == 0 ? small_set{1} << n : 0;
    }
  }

  auto is_possible(const assignment& devices) const -> bool {
    for (std::size_t n = 0; n < graph_.size; ++n) {
      if (node_[n][devices[n]] < 0) return false;
    }
    return true;
  }
  /// Returns the cost without calls.
  auto cost_of(const assignment& devices) const -> cost_amount {
    auto sum = carrying(devices, 0, users_of_input_, false, carry_input_);
    for (std::size_t n = 0; n < graph_.size; ++n) {
      sum += node_[n][devices[n]] + carrying(devices, devices[n], users_[n], has(ends_, n), carry_[n]);
    }
    return sum;
  }

 private:
  using by_device = std::array<cost_amount, 3>;

  /// A value leaves its device once, and enters each other device that uses it once.
  auto carrying(const assignment& devices, std::size_t home, small_set users, bool is_returned, const by_device& carry) const
      -> cost_amount {
    cost_amount sum = 0;
    bool leaves = is_returned && home != 0;
    for (std::size_t device = 0; device < 3; ++device) {
      bool is_used_there = false;
      for (std::size_t n = 0; n < graph_.size; ++n) is_used_there = is_used_there || (has(users, n) && devices[n] == device);
      if (!is_used_there || device == home) continue;
      leaves = true;
      sum += carry[device];
    }
    return leaves ? sum + carry[home] : sum;
  }

  small_graph graph_;
  small_set ends_;
  std::array<by_device, max_small_nodes> node_{};
  std::array<by_device, max_small_nodes> carry_{};
  by_device carry_input_{};
  std::array<small_set, max_small_nodes> users_{};
  small_set users_of_input_ = 0;
};

/// Returns the minimum cost of all assignments, each with the fewest parts that form no cycle.
template <std::size_t Devices>
auto min_cost(const small_graph& graph, const cost_model& model, const std::array<int, 3>& calls) -> cost_amount {
  auto minimum = std::numeric_limits<cost_amount>::max();
  assignment devices{};
  for (;;) {
    if (model.is_possible(devices)) {
      auto cost = model.cost_of(devices);
      if (calls != std::array<int, 3>{} && cost < minimum) {
        small_set delegated = 0;
        for (std::size_t n = 0; n < graph.size; ++n) delegated |= devices[n] != 0 ? small_set{1} << n : 0;
        auto min_calls = std::numeric_limits<cost_amount>::max();
        for_each_grouping(
            graph.size, delegated, [&](std::size_t a, std::size_t b) { return devices[a] == devices[b]; },
            [&](const grouping& unit_of, std::size_t) {
              cost_amount sum = 0;
              for (std::size_t n = 0; n < graph.size; ++n) sum += unit_of[n] == n ? calls[devices[n]] * unit : 0;
              if (sum < min_calls && units_on_cycles(graph, unit_of) == 0) min_calls = sum;
            });
        cost += min_calls;
      }
      minimum = std::min(minimum, cost);
    }
    std::size_t at = 0;
    while (at < graph.size && ++devices[at] == Devices) devices[at++] = 0;
    if (at == graph.size) return minimum;
  }
}

/// Returns the error of an assignment, regardless of its cost, or an empty text.
auto wrong_with(const small_graph& graph, const costed_assignment& assigned, const cost_model& model, const std::array<int, 3>& calls)
    -> std::string_view {
  assignment devices{};
  std::copy(assigned.devices.begin(), assigned.devices.end(), devices.begin());
  if (!model.is_possible(devices)) return "a device was given what it does not support";
  auto cost = model.cost_of(devices);
  grouping unit_of{};
  for (std::size_t n = 0; n < graph.size; ++n) unit_of[n] = static_cast<std::uint8_t>(n);
  assignment in_parts{};
  for (const auto& part : assigned.parts) {
    cost += calls[part.on] * unit;
    for (const auto id : part.nodes) {
      unit_of[index(id)] = static_cast<std::uint8_t>(index(part.nodes.front()));
      in_parts[index(id)] = part.on;
    }
  }
  if (in_parts != devices) return "the parts are not the assignment";
  if (units_on_cycles(graph, unit_of) != 0) return "parts form a cycle";
  return cost == assigned.cost ? "" : "the cost is another than it says";
}

/// Returns the minimum number of parts without a cycle for an assignment.
auto fewest_parts_of(const small_graph& graph, const costed_assignment& assigned) -> std::size_t {
  small_set delegated = 0;
  for (std::size_t n = 0; n < graph.size; ++n) delegated |= assigned.devices[n] != 0 ? small_set{1} << n : 0;
  return fewest_parts(graph, delegated, [&](std::size_t a, std::size_t b) { return assigned.devices[a] == assigned.devices[b]; });
}

struct distance {
  std::uint64_t graphs = 0;
  std::uint64_t cheapest = 0;
  double sum_of_ratios = 0;
  double worst = 1;
  std::uint64_t parts = 0;
  std::uint64_t fewest_parts = 0;

  void add(cost_amount cost, cost_amount minimum) {
    const auto ratio = minimum == 0 ? (cost == 0 ? 1.0 : 2.0) : static_cast<double>(cost) / static_cast<double>(minimum);
    graphs += 1;
    cheapest += cost == minimum ? 1 : 0;
    sum_of_ratios += ratio;
    worst = std::max(worst, ratio);
  }
  auto mean() const -> double { return sum_of_ratios / static_cast<double>(graphs); }
};

/// Compares a partitioner with all assignments of every graph of up to `max_nodes` nodes, with `tables` random cost tables per graph.
template <class Partitioner, std::size_t Devices>
auto distance_from_brute_force(std::size_t max_nodes, std::uint64_t tables, const std::array<int, 3>& calls) -> distance {
  distance stats;
  for (std::size_t nodes = 1; nodes <= max_nodes; ++nodes) {
    for (std::uint64_t number = 0; number < count_of_graphs(nodes); ++number) {
      const auto graph = graph_of(nodes, number);
      auto program = program_of(graph);
      for (std::uint64_t table = 0; table < tables; ++table) {
        node_facts::seed = (number * 8 + nodes) * tables + table;
        vary_sizes(program, node_facts::seed);
        const cost_model model(graph, program);
        const auto assigned = Partitioner{}.assign(program).value;
        const auto wrong = wrong_with(graph, assigned, model, calls);
        REQUIRE_MESSAGE(wrong.empty(), std::string(wrong), ": nodes ", nodes, ", graph ", number, ", table ", table);
        stats.add(assigned.cost, min_cost<Devices>(graph, model, calls));
        stats.parts += assigned.parts.size();
        stats.fewest_parts += fewest_parts_of(graph, assigned);
      }
    }
  }
  MESSAGE(stats.graphs, " graphs, cheapest in ", stats.cheapest, ", mean ratio ", stats.mean(), ", worst ", stats.worst, "; ", stats.parts,
          " parts, the fewest are ", stats.fewest_parts);
  return stats;
}

}  // namespace

TEST_CASE("by_cost: one backend: the cheapest assignment and no cycle in every graph of up to 6 nodes") {
  const auto stats = distance_from_brute_force<one<0>, 2>(max_nodes(6), 2, {});
  CHECK(stats.cheapest == stats.graphs);
  CHECK(stats.parts == stats.fewest_parts);
}

TEST_CASE("by_cost: one backend with a fixed cost per call: close to the cheapest and no cycle in every graph of up to 5 nodes") {
  const auto stats = distance_from_brute_force<one<6>, 2>(max_nodes(5), 8, {0, 6, 0});
  CHECK(stats.mean() < 1.005);
  CHECK(stats.worst < 1.25);
  CHECK(stats.parts == stats.fewest_parts);
}

TEST_CASE("by_cost: two backends: close to the cheapest and no cycle in every graph of up to 5 nodes") {
  const auto stats = distance_from_brute_force<two<0, 0>, 3>(max_nodes(5), 8, {});
  CHECK(stats.mean() < 1.005);
  CHECK(stats.worst < 1.25);
  CHECK(20 * stats.parts <= 21 * stats.fewest_parts);
}

TEST_CASE("by_cost: two backends with a fixed cost per call: close to the cheapest and no cycle in every graph of up to 5 nodes") {
  const auto stats = distance_from_brute_force<two<6, 4>, 3>(max_nodes(5), 2, {0, 6, 4});
  CHECK(stats.mean() < 1.01);
  CHECK(stats.worst < 1.25);
  CHECK(20 * stats.parts <= 21 * stats.fewest_parts);
}

TEST_CASE("by_cost: two backends with a fixed cost per call: no cycle in any graph of random programs") {
  const auto seeds = number_from_environment("BATON_PROPERTY_SEEDS", 20000);
  std::uint64_t parts = 0;
  for (node_facts::seed = 0; node_facts::seed < seeds; ++node_facts::seed) {
    const auto program = make_program(node_facts::seed, {60, 1});
    const auto assigned = two<6, 4>{}.partition(program);
    parts += assigned.value.partition_tags.size();
    REQUIRE_MESSAGE(!has_cycle(tags::written(assigned.value, program)), "seed ", node_facts::seed);
  }
  MESSAGE(seeds, " programs, ", parts, " parts");
  CHECK(parts > seeds);
}

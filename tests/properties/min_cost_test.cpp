// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The cost partitioner against every assignment of every graph of a few nodes, and on large random programs: the cheapest where that is
// promised, a stated distance from it elsewhere, and never a cycle.
// BATON_PROPERTY_NODES is how many nodes the graphs have at most of which all are tried, 6 by default; BATON_PROPERTY_SEEDS the number of
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

/// What a seed says of a node: what it costs where, and who supports it.
struct fate {
  static inline std::uint64_t seed = 0;

  std::array<int, 3> cost{};
  std::array<bool, 3> is_supported{true, true, true};

  explicit fate(std::uint32_t handle) {
    random_numbers random(seed << 16 | handle);
    cost = {static_cast<int>(random.below(24)), static_cast<int>(random.below(12)), static_cast<int>(random.below(12))};
    is_supported = {true, !random.once_in(5), !random.once_in(5)};
  }
};
struct host {
  static auto node(const program_view&, const baton::node& record) -> double { return fate(record.debug_handle).cost[0]; }
};
template <std::size_t Device>
struct supported_by {
  static auto supports(const program_view&, const node& candidate) -> verdict {
    return fate(candidate.debug_handle).is_supported[Device] ? accept() : refuse();
  }
};

/// A byte costs a quarter of the unit at the border of device 1, an eighth at that of device 2.
constexpr std::array<int, 3> bytes_a_unit{0, 4, 8};
template <std::size_t Device, int Call>
struct costs_of {
  static auto node(const program_view&, const baton::node& record) -> double { return fate(record.debug_handle).cost[Device]; }
  static constexpr double byte = 1.0 / bytes_a_unit[Device];
  static constexpr double call = Call;
};
template <std::size_t Device, int Call>
using offer_of = costed_backend<backend_named<Device == 1 ? fixed_string<4>{"Npu"} : fixed_string<4>{"Dsp"}>, supported_by<Device>,
                                costs_of<Device, Call>>;

template <int Call>
using one = by_cost<host, offer_of<1, Call>>;
template <int NpuCall, int DspCall>
using two = by_cost<host, offer_of<1, NpuCall>, offer_of<2, DspCall>>;

constexpr cost_amount unit = 1024;
using assignment = std::array<device_index, max_small_nodes>;

/// Gives the values of a program sizes of their own: 1 to 8 elements.
void vary_sizes(exported_program& program, std::uint64_t seed) {
  random_numbers random(seed);
  const auto first = static_cast<std::uint32_t>(program.integers.size());
  for (std::int64_t size = 1; size <= 8; ++size) program.integers.push_back(size);
  for (auto& record : program.values) record.shape = {first + static_cast<std::uint32_t>(random.below(8)), 1};
}

/// What assignments of a small graph cost, worked out from the graph.
class weighing {
 public:
  weighing(const small_graph& graph, const program_view& program) : graph_(graph), ends_(ends_of(graph)) {
    const auto carry = [&](value_id id, std::size_t device) -> cost_amount {
      return device == 0 ? 0 : program.shape(id)[0] * 4 * unit / bytes_a_unit[device];
    };
    for (std::size_t n = 0; n < graph.size; ++n) {
      const fate of(program.nodes[n].debug_handle);
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
  /// Without calls.
  auto cost_of(const assignment& devices) const -> cost_amount {
    auto sum = carrying(devices, 0, users_of_input_, false, carry_input_);
    for (std::size_t n = 0; n < graph_.size; ++n) {
      sum += node_[n][devices[n]] + carrying(devices, devices[n], users_[n], has(ends_, n), carry_[n]);
    }
    return sum;
  }

 private:
  using by_device = std::array<cost_amount, 3>;

  /// A value leaves its device once, and enters every other that uses it once.
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

/// The least cost of all assignments, each with the fewest parts that form no cycle.
template <std::size_t Devices>
auto min_cost(const small_graph& graph, const weighing& weigh, const std::array<int, 3>& calls) -> cost_amount {
  auto least = std::numeric_limits<cost_amount>::max();
  assignment devices{};
  for (;;) {
    if (weigh.is_possible(devices)) {
      auto cost = weigh.cost_of(devices);
      if (calls != std::array<int, 3>{} && cost < least) {
        small_set taken = 0;
        for (std::size_t n = 0; n < graph.size; ++n) taken |= devices[n] != 0 ? small_set{1} << n : 0;
        auto min_calls = std::numeric_limits<cost_amount>::max();
        for_each_grouping(
            graph.size, taken, [&](std::size_t a, std::size_t b) { return devices[a] == devices[b]; },
            [&](const grouping& unit_of, std::size_t) {
              cost_amount sum = 0;
              for (std::size_t n = 0; n < graph.size; ++n) sum += unit_of[n] == n ? calls[devices[n]] * unit : 0;
              if (sum < min_calls && units_on_cycles(graph, unit_of) == 0) min_calls = sum;
            });
        cost += min_calls;
      }
      least = std::min(least, cost);
    }
    std::size_t at = 0;
    while (at < graph.size && ++devices[at] == Devices) devices[at++] = 0;
    if (at == graph.size) return least;
  }
}

/// What is wrong with an assignment, whatever it costs; nothing: an empty text.
auto wrong_with(const small_graph& graph, const costed_assignment& made, const weighing& weigh, const std::array<int, 3>& calls)
    -> std::string_view {
  assignment devices{};
  std::copy(made.devices.begin(), made.devices.end(), devices.begin());
  if (!weigh.is_possible(devices)) return "a device was given what it does not support";
  auto cost = weigh.cost_of(devices);
  grouping unit_of{};
  for (std::size_t n = 0; n < graph.size; ++n) unit_of[n] = static_cast<std::uint8_t>(n);
  assignment in_parts{};
  for (const auto& part : made.parts) {
    cost += calls[part.on] * unit;
    for (const auto id : part.nodes) {
      unit_of[index(id)] = static_cast<std::uint8_t>(index(part.nodes.front()));
      in_parts[index(id)] = part.on;
    }
  }
  if (in_parts != devices) return "the parts are not the assignment";
  if (units_on_cycles(graph, unit_of) != 0) return "parts form a cycle";
  return cost == made.cost ? "" : "the cost is another than it says";
}

/// The fewest parts without a cycle that an assignment can have.
auto fewest_parts_of(const small_graph& graph, const costed_assignment& made) -> std::size_t {
  small_set taken = 0;
  for (std::size_t n = 0; n < graph.size; ++n) taken |= made.devices[n] != 0 ? small_set{1} << n : 0;
  return fewest_parts(graph, taken, [&](std::size_t a, std::size_t b) { return made.devices[a] == made.devices[b]; });
}

struct distance {
  std::uint64_t graphs = 0;
  std::uint64_t cheapest = 0;
  double sum_of_ratios = 0;
  double worst = 1;
  std::uint64_t parts = 0;
  std::uint64_t fewest_parts = 0;

  void add(cost_amount cost, cost_amount least) {
    const auto ratio = least == 0 ? (cost == 0 ? 1.0 : 2.0) : static_cast<double>(cost) / static_cast<double>(least);
    graphs += 1;
    cheapest += cost == least ? 1 : 0;
    sum_of_ratios += ratio;
    worst = std::max(worst, ratio);
  }
  auto mean() const -> double { return sum_of_ratios / static_cast<double>(graphs); }
};

/// Every graph of up to so many nodes, with so many tables of costs each.
template <class Partitioner, std::size_t Devices>
auto distance_from_brute_force(std::size_t max_nodes, std::uint64_t tables, const std::array<int, 3>& calls) -> distance {
  distance found;
  for (std::size_t nodes = 1; nodes <= max_nodes; ++nodes) {
    for (std::uint64_t number = 0; number < count_of_graphs(nodes); ++number) {
      const auto graph = graph_of(nodes, number);
      auto program = program_of(graph);
      for (std::uint64_t table = 0; table < tables; ++table) {
        fate::seed = (number * 8 + nodes) * tables + table;
        vary_sizes(program, fate::seed);
        const weighing weigh(graph, program);
        const auto made = Partitioner{}.assign(program).value;
        const auto wrong = wrong_with(graph, made, weigh, calls);
        REQUIRE_MESSAGE(wrong.empty(), std::string(wrong), ": nodes ", nodes, ", graph ", number, ", table ", table);
        found.add(made.cost, min_cost<Devices>(graph, weigh, calls));
        found.parts += made.parts.size();
        found.fewest_parts += fewest_parts_of(graph, made);
      }
    }
  }
  MESSAGE(found.graphs, " graphs, cheapest in ", found.cheapest, ", mean ratio ", found.mean(), ", worst ", found.worst, "; ", found.parts,
          " parts, the fewest are ", found.fewest_parts);
  return found;
}

}  // namespace

TEST_CASE("by_cost: every graph of up to 6 nodes, one backend: the cheapest of all assignments, and no cycle") {
  const auto found = distance_from_brute_force<one<0>, 2>(max_nodes(6), 2, {});
  CHECK(found.cheapest == found.graphs);
  CHECK(found.parts == found.fewest_parts);
}

TEST_CASE("by_cost: every graph of up to 5 nodes, one backend with a fixed cost a call: no cycle, and how far from the cheapest") {
  const auto found = distance_from_brute_force<one<6>, 2>(max_nodes(5), 8, {0, 6, 0});
  CHECK(found.mean() < 1.005);
  CHECK(found.worst < 1.25);
  CHECK(found.parts == found.fewest_parts);
}

TEST_CASE("by_cost: every graph of up to 5 nodes, two backends: no cycle, and how far from the cheapest") {
  const auto found = distance_from_brute_force<two<0, 0>, 3>(max_nodes(5), 8, {});
  CHECK(found.mean() < 1.005);
  CHECK(found.worst < 1.25);
  CHECK(20 * found.parts <= 21 * found.fewest_parts);
}

TEST_CASE("by_cost: every graph of up to 5 nodes, two backends with a fixed cost a call: no cycle, and how far from the cheapest") {
  const auto found = distance_from_brute_force<two<6, 4>, 3>(max_nodes(5), 2, {0, 6, 4});
  CHECK(found.mean() < 1.01);
  CHECK(found.worst < 1.25);
  CHECK(20 * found.parts <= 21 * found.fewest_parts);
}

TEST_CASE("by_cost: tens of thousands of random programs, two backends with a fixed cost a call: no cycle in any graph") {
  const auto seeds = number_from_environment("BATON_PROPERTY_SEEDS", 20000);
  std::uint64_t parts = 0;
  for (fate::seed = 0; fate::seed < seeds; ++fate::seed) {
    const auto program = make_program(fate::seed, {60, 1});
    const auto made = two<6, 4>{}.partition(program);
    parts += made.value.partition_tags.size();
    REQUIRE_MESSAGE(!has_cycle(tags::written(made.value, program)), "seed ", fate::seed);
  }
  MESSAGE(seeds, " programs, ", parts, " parts");
  CHECK(parts > seeds);
}

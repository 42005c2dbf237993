// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/detail/cost_search.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/detail/costs.hpp>
#include <baton/partition/detail/device_parts.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <random>

namespace {

using namespace baton;

/// Returns random costs on three devices. Carrying a value to devices 1 and 2 is never free.
auto random_costs(const exported_program& program, std::mt19937& random) -> cost_table {
  const auto some = [&](std::size_t count, cost_amount low) {
    baton::vector<cost_amount> costs;
    for (std::size_t i = 0; i < count; ++i) costs.push_back(low + static_cast<cost_amount>(random() % 20));
    return costs;
  };
  cost_table table;
  for (device_index d = 0; d < 3; ++d) {
    table.nodes.push_back(some(program.nodes.size(), 0));
    table.values.push_back(d == 0 ? baton::vector<cost_amount>(program.values.size(), 0) : some(program.values.size(), 1));
    table.calls.push_back(d * 5);
    table.capacities.push_back(UINT64_MAX);
  }
  table.constant_bytes.assign(program.nodes.size(), 0);
  return table;
}

auto random_program(std::mt19937& random) -> exported_program {
  constexpr auto type = tensor(dtype::float32, 4);
  program_builder b;
  baton::vector<value_id> values{b.user_input("x", type), b.user_input("y", type)};
  for (auto nodes = 2 + random() % 12; nodes != 0; --nodes) {
    const auto operand = [&] { return values[random() % values.size()]; };
    const auto outputs = random() % 4 == 0 ? b.call_many("n", "test.two", {operand(), operand()}, {type, type})
                                           : baton::vector<value_id>{b.call("n", "test.op", {operand(), operand()}, type)};
    values.insert(values.end(), outputs.begin(), outputs.end());
  }
  b.output(values.back());
  b.output(values[values.size() / 2]);
  return b.finish();
}

TEST_CASE("savings_of returns the difference of the costs with and without a part") {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    const auto program = random_program(random);
    const auto table = random_costs(program, random);
    baton::vector<device_index> devices;
    for (std::size_t n = 0; n < program.nodes.size(); ++n) devices.push_back(static_cast<device_index>(random() % 3));
    const assignment_cost weigh(program, table);
    detail::part_former former(program, table.capacities, table.constant_bytes);
    former.form(devices.data());
    const auto saved = detail::savings_of(table, weigh, devices.data(), former);
    const auto parts = parts_on_devices(program, devices, table.capacities, table.constant_bytes);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      auto without = devices;
      for (const auto n : parts[p].nodes) without[index(n)] = 0;
      const auto more = weigh.without_calls(without) - weigh.without_calls(devices) - table.calls[parts[p].on];
      REQUIRE_MESSAGE(saved[p] == more, "seed ", seed, ", part ", p);
    }
  }
}

TEST_CASE("part_former forms the parts of several assignments in succession") {
  std::mt19937 random(7);
  const auto program = random_program(random);
  const auto table = random_costs(program, random);
  detail::part_former former(program, table.capacities, table.constant_bytes);
  for (int i = 0; i < 50; ++i) {
    baton::vector<device_index> devices;
    for (std::size_t n = 0; n < program.nodes.size(); ++n) devices.push_back(static_cast<device_index>(random() % 3));
    former.form(devices.data());
    const auto parts = parts_on_devices(program, devices, table.capacities, table.constant_bytes);
    REQUIRE(former.parts().size() == parts.size());
    for (std::uint32_t p = 0; p < parts.size(); ++p) {
      CHECK(former.parts()[p].size == parts[p].nodes.size());
      for (const auto n : parts[p].nodes) CHECK(former.part_of()[index(n)] == p);
    }
  }
}

}  // namespace

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/by_cost.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>

#include "core/refusals.hpp"
#include "laws/partitioner.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>
#include <string_view>

namespace {

using namespace baton;

constexpr auto type = tensor(dtype::float32, 4);  // 16 bytes

template <fixed_string Id>
struct backend_named {
  static constexpr auto id = name<Id>;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};
using npu = backend_named<"Npu">;
using dsp = backend_named<"Dsp">;
constexpr auto target = backends<npu, dsp>;

/// What a node costs stands in its attributes, so that a test can say it: `h` on the portable kernels, `n` on the npu, `d` on the dsp.
struct host {
  static constexpr auto node(const program_view& program, const baton::node& record) -> double {
    return static_cast<double>(program.integer(record, "h", 1));
  }
};
struct npu_costs {
  static constexpr auto node(const program_view& program, const baton::node& record) -> double {
    return static_cast<double>(program.integer(record, "n", 1));
  }
  static constexpr double byte = 0.25;
};
struct dsp_costs {
  static constexpr auto node(const program_view& program, const baton::node& record) -> double {
    return static_cast<double>(program.integer(record, "d", 1));
  }
  static constexpr double byte = 0.125;
};
struct npu_costs_with_calls : npu_costs {
  static constexpr double call = 6;
};
struct dsp_costs_with_calls : dsp_costs {
  static constexpr double call = 4;
};
/// All but what the test forbids by `s`.
struct allowed {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (program.integer(record, "s", 1) != 0) return accept();
    return refuse("forbidden");
  }
};

using one = by_cost<host, costed_backend<npu, allowed, npu_costs>>;
template <cost_options Limits>
using one_within = by_cost_within<Limits, host, costed_backend<npu, allowed, npu_costs>>;
using one_with_calls = by_cost<host, costed_backend<npu, allowed, npu_costs_with_calls>>;
using two = by_cost<host, costed_backend<npu, allowed, npu_costs>, costed_backend<dsp, allowed, dsp_costs>>;
using two_with_calls =
    by_cost<host, costed_backend<npu, allowed, npu_costs_with_calls>, costed_backend<dsp, allowed, dsp_costs_with_calls>>;

struct cheap {
  int host, npu;
};
/// A chain of nodes with these costs.
constexpr auto chain(std::initializer_list<cheap> costs) -> exported_program {
  program_builder b;
  auto latest = b.user_input("x", type);
  for (const auto& cost : costs) latest = b.call("test.op", {latest}, type, {{"h", cost.host}, {"n", cost.npu}});
  b.output(latest);
  return b.finish();
}

constexpr auto devices_of(const exported_program& program) -> baton::vector<device_index> { return one{}.assign(program).value.devices; }

/// A value costs 16 · 0.25 = 4 to carry.
constexpr auto a_node_moves_when_that_pays() -> bool {
  return devices_of(chain({{20, 1}})) == baton::vector<device_index>{1} &&            // 1 + 4 + 4 < 20
         devices_of(chain({{9, 1}})) == baton::vector<device_index>{0} &&             // 1 + 4 + 4 = 9: no gain, it stays
         devices_of(chain({{5, 1}, {5, 1}})) == baton::vector<device_index>{0, 0} &&  // 2 + 8 = 10: no gain
         devices_of(chain({{6, 1}, {6, 1}})) == baton::vector<device_index>{1, 1} &&  // one border for both
         devices_of(chain({{20, 1}, {1, 2}, {20, 1}})) ==
             baton::vector<device_index>{1, 1, 1} &&  // cheaper to stay than to go and come back
         devices_of(chain({{20, 1}, {1, 10}, {20, 1}})) == baton::vector<device_index>{1, 0, 1};
}
static_assert(a_node_moves_when_that_pays());
TEST_CASE("by_cost: a node moves when that pays") { CHECK(a_node_moves_when_that_pays()); }

/// Costs by multiply-adds, of a user-defined operator.
struct host_work {
  static constexpr auto node(const program_view& program, const baton::node& record) -> double {
    return static_cast<double>(multiply_adds(program, record));
  }
};
struct npu_work {
  static constexpr auto node(const program_view& program, const baton::node& record) -> double {
    return static_cast<double>(multiply_adds(program, record)) / 10;
  }
  static constexpr double byte = 0.25;
};
constexpr auto hundred(const program_view&, const baton::node&) -> std::uint64_t { return 100; }
constexpr operator_definition my_operators[] = {{.name = "test.op", .multiply_adds = hundred}};
constexpr auto a_user_defined_operator_has_its_cost() -> bool {
  auto program = chain({{1, 1}});
  const auto device = [&] { return by_cost<host_work, costed_backend<npu, allowed, npu_work>>{}.assign(program).value.devices[0]; };
  const bool is_unknown = device() == 0;
  program.operators = my_operators;
  return is_unknown && device() == 1;
}
static_assert(a_user_defined_operator_has_its_cost());
TEST_CASE("by_cost: a user-defined operator has its cost") { CHECK(a_user_defined_operator_has_its_cost()); }

constexpr auto lowered_as_assigned() -> bool {
  const auto program = to_backend(target, chain({{20, 1}, {1, 10}, {20, 1}}), one{});
  return program.delegates.size() == 2 && program.root().nodes.size == 3 && !verify(program);
}
static_assert(lowered_as_assigned());
TEST_CASE("by_cost: parts become delegates") { CHECK(lowered_as_assigned()); }

template <fixed_string Value>
struct mode {
  constexpr auto operator()() const -> compile_specs { return {compile_spec{"mode", to_text(name<Value>)}}; }
};
/// By node, the specs of its part: the first node is cheap on the npu, the second on the dsp, the third on the portable kernels.
constexpr auto each_backend_gets_its_own_specs() -> bool {
  using with_specs =
      by_cost<host, costed_backend<npu, allowed, npu_costs, mode<"n">{}>, costed_backend<dsp, allowed, dsp_costs, mode<"d">{}>>;
  program_builder b;
  const auto first = b.call("test.op", {b.user_input("x", type)}, type, {{"h", 100}, {"n", 1}, {"d", 100}});
  const auto second = b.call("test.op", {first}, type, {{"h", 100}, {"n", 100}, {"d", 1}});
  b.output(b.call("test.op", {second}, type, {{"h", 1}, {"n", 100}, {"d", 100}}));
  const auto made = tag_program(b.finish(), with_specs{});
  const program_view program = made.value;
  const auto is_given = [&](std::size_t node, std::string_view id, std::string_view value) {
    const auto& spec = program[program.nodes[node].tag];
    return program.text(spec.backend_id) == id && spec.compile_specs.size == 1 &&
           program.text(program.compile_specs[spec.compile_specs.first].value) == value;
  };
  return made && is_given(0, "Npu", "n") && is_given(1, "Dsp", "d") && program.nodes[2].tag == none<tag_id>;
}
static_assert(each_backend_gets_its_own_specs());
TEST_CASE("by_cost: each backend is given its own compile specs") { CHECK(each_backend_gets_its_own_specs()); }

constexpr auto calls_are_weighed() -> bool {
  // Saves 7 and would cost a call of 6; or saves 5.
  return one_with_calls{}.assign(chain({{16, 1}})).value.devices == baton::vector<device_index>{1} &&
         one_with_calls{}.assign(chain({{14, 1}})).value.devices == baton::vector<device_index>{0};
}
static_assert(calls_are_weighed());
TEST_CASE("by_cost: a call has its price") { CHECK(calls_are_weighed()); }

constexpr auto limits_are_kept() -> bool {
  const auto program = chain({{20, 1}, {1, 30}, {40, 1}, {1, 30}, {30, 1}});
  using limited = one_within<cost_options{.max_parts = 1}>;
  using least = one_within<cost_options{.min_nodes = 2}>;
  return one{}.assign(program).value.parts.size() == 3 &&
         limited{}.assign(program).value.devices == baton::vector<device_index>{0, 0, 1, 0, 0} &&
         least{}.assign(program).value.parts.empty();
}
static_assert(limits_are_kept());
TEST_CASE("by_cost: number of parts, least size of a part") { CHECK(limits_are_kept()); }

/// A node that no table has a row for, but that may follow: the part is not torn.
constexpr auto followers_are_weighed() -> bool {
  program_builder b;
  const auto before = b.call("test.op", {b.user_input("x", type)}, type, {{"h", 20}, {"n", 1}});
  const auto between = b.call("test.view", {before}, type, {{"h", 0}, {"n", 0}});
  b.output(b.call("test.op", {between}, type, {{"h", 20}, {"n", 1}}));
  const auto program = b.finish();
  using strict = by_cost<host, costed_backend<npu, operator_names<"test.op">, npu_costs>>;
  using lenient = by_cost<host, costed_backend<npu, with_followers<operator_names<"test.op">, operator_names<"test.view">>, npu_costs>>;
  return strict{}.assign(program).value.devices == baton::vector<device_index>{1, 0, 1} &&
         lenient{}.assign(program).value.devices == baton::vector<device_index>{1, 1, 1};
}
static_assert(followers_are_weighed());
TEST_CASE("by_cost: nodes that may follow keep a part whole") { CHECK(followers_are_weighed()); }

struct small_npu_costs : npu_costs {
  static constexpr std::uint64_t capacity = 40;
};
constexpr auto with_weights(std::size_t nodes) -> exported_program {
  program_builder b;
  auto latest = b.user_input("x", type);
  constexpr char bytes[16] = {};
  for (std::size_t i = 0; i < nodes; ++i) {
    const auto weight = b.parameter(view(join("w", i)), type, bytes);
    latest = b.call("test.op", {latest, weight}, type, {{"h", 100}, {"n", 1}});
  }
  b.output(latest);
  return b.finish();
}
constexpr auto a_part_keeps_to_the_capacity() -> bool {
  const auto assigned = by_cost<host, costed_backend<npu, allowed, small_npu_costs>>{}.assign(with_weights(5)).value;
  return assigned.parts.size() == 3 &&
         std::all_of(assigned.parts.begin(), assigned.parts.end(), [](const device_part& part) { return part.constant_bytes <= 40; });
}
static_assert(a_part_keeps_to_the_capacity());
TEST_CASE("by_cost: a part's constants fit the backend's memory") { CHECK(a_part_keeps_to_the_capacity()); }

/// A partitioner's choice and the least cost, by the same tables.
constexpr auto other_choices_are_weighed() -> bool {
  const auto program = chain({{20, 1}, {1, 10}, {20, 1}});
  using all = by_support<npu, operator_names<"test.op">>;
  const auto of_all = one::cost(program, all{});
  const auto of_none = one::cost(program, archetypes::partitioner{});
  const auto of_least = one::cost(program, one{});
  return of_all && of_all.value == 1 + 10 + 1 + 8 && of_none.value == 41 && of_least.value == 1 + 1 + 1 + 16 &&
         one::in_units(one{}.assign(program).value.cost) == of_least.value &&
         two_with_calls::cost(program, all{}).value == of_all.value + 6;
}
static_assert(other_choices_are_weighed());
TEST_CASE("by_cost: what other partitioners' choices cost") { CHECK(other_choices_are_weighed()); }

constexpr auto an_unsupported_choice_is_refused() -> bool {
  program_builder b;
  b.output(b.call("test.op", {b.user_input("x", type)}, type, {{"s", 0}}));
  const auto weighed = one::cost(b.finish(), by_support<npu, operator_names<"test.op">>{});
  return view(message(weighed.error)) ==
         "baton unsupported_node: a node is assigned to a backend that does not support it; remove its tag, or extend the support "
         "[node: "
         "test_op] [operator: test.op]";
}
static_assert(an_unsupported_choice_is_refused());
TEST_CASE("by_cost: a choice that an offer does not support") { CHECK(an_unsupported_choice_is_refused()); }

// Bad tables.

/// Numbers as template arguments (Clang 16 takes none that are real).
enum class number : std::uint8_t {
  zero,
  unity,
  minus_one,
  not_a_number,
  infinite,
  just_below_a_billion,
  a_billion,
  a_tenth_of_it,
  eight,
  sixteen_and_a_half
};
using enum number;
constexpr auto value_of(number of) -> double {
  constexpr double values[] = {
      0, 1, -1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 999999999, 1e9, 1e8, 8, 16.5};
  return values[static_cast<std::size_t>(of)];
}

/// What every node, byte and call costs, and the capacity.
template <number Node, number Byte = zero, number Call = zero, number Capacity = infinite>
struct costing {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return value_of(Node); }
  static constexpr double byte = value_of(Byte);
  static constexpr double call = value_of(Call);
  static constexpr double capacity = value_of(Capacity);
};
struct whole_negative_capacity : npu_costs {
  static constexpr int capacity = -1;
};

// Tables that are refused.

template <class Costs, class Host = host>
constexpr auto bad(std::string_view sentence, std::string_view facts) -> refusals::error {
  return {facts, [] { return by_cost<Host, costed_backend<npu, allowed, Costs>>{}.partition(with_weights(2)).error; },
          [] { to_backend(target, with_weights(2), by_cost<Host, costed_backend<npu, allowed, Costs>>{}); }, sentence, facts};
}

constexpr std::string_view bad_cost = "baton malformed_cost: a cost is not a number from 0 to below 10^9; correct the cost table";
constexpr std::string_view bad_capacity =
    "baton malformed_capacity: a capacity is negative; state a number of bytes, or omit it for no limit";
constexpr std::string_view no_room =
    "baton capacity_too_small: the capacity of a backend is too small for the constants of any node that it supports; increase it";

constexpr refusals::error bad_tables[] = {
    bad<costing<minus_one>>(bad_cost, " [node: test_op] [operator: test.op] [backend: Npu] [the cost of this node is negative]"),
    bad<costing<not_a_number>>(bad_cost, " [node: test_op] [operator: test.op] [backend: Npu] [the cost of this node is not a number]"),
    bad<costing<a_billion>>(bad_cost, " [node: test_op] [operator: test.op] [backend: Npu] [the cost of this node is 10^9 or more]"),
    bad<costing<infinite>>(bad_cost, " [node: test_op] [operator: test.op] [backend: Npu] [the cost of this node is 10^9 or more]"),
    bad<costing<unity>, costing<minus_one>>(
        bad_cost, " [node: test_op] [operator: test.op] [the cost of this node on the portable kernels is negative]"),
    bad<costing<unity>, costing<not_a_number>>(
        bad_cost, " [node: test_op] [operator: test.op] [the cost of this node on the portable kernels is not a number]"),
    bad<costing<unity, minus_one>>(bad_cost, " [backend: Npu] [the cost of a byte is negative]"),
    bad<costing<unity, not_a_number>>(bad_cost, " [backend: Npu] [the cost of a byte is not a number]"),
    bad<costing<unity, infinite>>(bad_cost, " [backend: Npu] [the cost of a byte is 10^9 or more]"),
    bad<costing<unity, a_tenth_of_it>>(bad_cost, " [backend: Npu] [the cost of carrying value x, 16 bytes, is 10^9 or more]"),
    bad<costing<unity, zero, minus_one>>(bad_cost, " [backend: Npu] [the cost of a call is negative]"),
    bad<costing<unity, zero, not_a_number>>(bad_cost, " [backend: Npu] [the cost of a call is not a number]"),
    bad<costing<unity, zero, a_billion>>(bad_cost, " [backend: Npu] [the cost of a call is 10^9 or more]"),
    bad<costing<unity, zero, zero, minus_one>>(bad_capacity, " [backend: Npu] [the capacity is negative]"),
    bad<whole_negative_capacity>(bad_capacity, " [backend: Npu] [the capacity is negative]"),
    bad<costing<unity, zero, zero, not_a_number>>(bad_capacity, " [backend: Npu] [the capacity is not a number]"),
    bad<costing<unity, zero, zero, eight>>(
        no_room,
        " [node: test_op] [operator: test.op] [backend: Npu] [of 2 supported nodes, this one needs 16 bytes, the "
        "least; the capacity is 8]"),
};
static_assert(refusals::table<bad_tables>::are_all_reported);

/// What is asked why nodes stay has not been asked whether its tables hold.
constexpr auto a_wrong_capacity_is_no_reason() -> bool {
  const auto program = with_weights(1);
  const auto says = [&](auto partitioner, std::string_view begin) {
    return view(partitioner.explain_undelegated(program)(node_id{0})).starts_with(begin);
  };
  return says(by_cost<host, costed_backend<npu, allowed, costing<unity, zero, zero, minus_one>>>{}, "it is supported, but costs least") &&
         says(by_cost<host, costed_backend<npu, allowed, costing<unity, zero, zero, eight>>>{},
              "it is supported, but its constants of 16 bytes are beyond the capacity");
}
static_assert(a_wrong_capacity_is_no_reason());
TEST_CASE("by_cost: a wrong capacity is no reason to leave a node") { CHECK(a_wrong_capacity_is_no_reason()); }

TEST_CASE("by_cost: bad tables") { refusals::check(bad_tables); }

// What is just right.
constexpr auto extreme_tables_are_taken() -> bool {
  using just_below =
      by_cost<costing<just_below_a_billion>, costed_backend<npu, allowed, costing<just_below_a_billion, zero, just_below_a_billion>>>;
  using no_limit = by_cost<host, costed_backend<npu, allowed, costing<unity>>>;
  using fits = by_cost<host, costed_backend<npu, allowed, costing<unity, zero, zero, sixteen_and_a_half>>>;
  return just_below{}.assign(with_weights(2)).value.parts.empty() && no_limit{}.assign(with_weights(2)).value.parts.size() == 1 &&
         fits{}.assign(with_weights(2)).value.parts.size() == 2;
}
static_assert(extreme_tables_are_taken());
TEST_CASE("by_cost: tables that are just right") { CHECK(extreme_tables_are_taken()); }

/// A table of two nodes on two devices that costs so much in all.
constexpr auto table_of(cost_amount host_node, cost_amount npu_node, cost_amount value, cost_amount call) -> cost_table {
  cost_table made;
  made.nodes = {{host_node, host_node}, {cost_table::impossible, npu_node}};
  made.values = {baton::vector<cost_amount>(5, 0), baton::vector<cost_amount>(5, value)};
  made.calls = {0, call};
  made.capacities = {0, 0};
  return made;
}
constexpr auto sums_do_not_overflow() -> bool {
  constexpr std::string_view ids[] = {"", "Npu"};
  constexpr auto most = std::int64_t{1000000000000} * 1024;
  const auto program = with_weights(2);
  const auto reported = [&](const cost_table& table) { return message(check_costs(program, table, ids)); };
  const auto text = join(
      "baton costs_overflow: the costs of a program add up to 10^12 or more; use a larger unit "
      "[node: test_op_1] [operator: test.op] [backend: Npu] [of 2 nodes, this one costs 1000000000000, the most]");
  return reported(table_of(most / 2, 0, 0, 0)).empty() && reported(table_of(most / 4, most / 2, 0, 0)).empty() &&
         view(reported(table_of(1, most, 0, 0))) == view(text) && !reported(table_of(most / 2 + 1, 0, 0, 0)).empty() &&
         reported(table_of(0, 0, most / 16, 0)).empty() && !reported(table_of(0, 0, most / 8, 0)).empty() &&
         !reported(table_of(0, 0, 0, most / 2 + 1)).empty() && !reported(table_of(INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX)).empty();
}
static_assert(sums_do_not_overflow());
TEST_CASE("by_cost: costs that cannot be added up") {
  CHECK(sums_do_not_overflow());
  program_builder b;
  auto latest = b.user_input("x", type);
  for (int n = 0; n < 100000; ++n) latest = b.call("n" + std::to_string(n), "test.op", {latest}, type);
  b.output(latest);
  const auto program = b.finish();
  CHECK(one::costs(program).value.nodes[1].size() == 100000);
  using dear = by_cost<costing<just_below_a_billion>, costed_backend<npu, allowed, costing<unity>>>;
  CHECK(refusals::text_thrown_by([] { to_backend(target, with_weights(1001), dear{}); }) ==
        "baton costs_overflow: the costs of a program add up to 10^12 or more; use a larger unit "
        "[node: test_op] [operator: test.op] [of 1001 nodes, this one costs 999999999 on the portable kernels, the most]");
  CHECK(dear::costs(program).error.is<"costs_overflow">());
}

constexpr auto only_tags_change() -> bool {
  return laws::partitioner::gives_the_result_of_the_program(chain({{20, 1}, {1, 10}, {20, 1}}), one{});
}
constexpr auto answers_are_the_same() -> bool { return laws::partitioner::is_a_function_of_the_program(chain({{20, 1}, {1, 10}}), one{}); }
constexpr auto parts_can_be_cut_out() -> bool {
  return laws::partitioner::makes_parts_that_can_be_cut_out(with_weights(3), two_with_calls{});
}
static_assert(only_tags_change());
static_assert(answers_are_the_same());
static_assert(parts_can_be_cut_out());
TEST_CASE("by_cost: obeys the laws of partitioners") {
  CHECK(only_tags_change());
  CHECK(answers_are_the_same());
  CHECK(parts_can_be_cut_out());
}

// Against all assignments there are.

auto random_program(std::mt19937& random, std::uint32_t nodes) -> exported_program {
  program_builder b;
  baton::vector<value_id> values{b.user_input("x", type), b.user_input("y", type)};
  baton::vector<char> used{0, 0};
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const auto left = random() % values.size();
    const auto right = random() % values.size();
    used[left] = used[right] = 1;
    const auto digit = [&](unsigned below) { return static_cast<int>(random() % below); };
    values.push_back(b.call("test.op", {values[left], values[right]}, type,
                            {{"h", digit(24)}, {"n", digit(12)}, {"d", digit(12)}, {"s", digit(5) != 0 ? 1 : 0}}));
    used.push_back(0);
  }
  for (std::size_t v = 2; v < values.size(); ++v) {
    if (used[v] == 0 || random() % 5 == 0) b.output(values[v]);
  }
  return b.finish();
}

auto keeps(const baton::vector<device_part>& parts, const cost_options& limits) -> bool {
  return parts.size() <= limits.max_parts &&
         std::all_of(parts.begin(), parts.end(), [&](const device_part& part) { return part.nodes.size() >= limits.min_nodes; });
}

auto min_of_all(const exported_program& program, const cost_table& table, const cost_options& limits) -> cost_amount {
  const assignment_cost weigh(program, table);
  baton::vector<device_index> devices(program.nodes.size(), 0);
  auto best = std::numeric_limits<cost_amount>::max();
  for (;;) {
    bool possible = true;
    for (std::size_t n = 0; n < devices.size(); ++n) possible = possible && table.nodes[devices[n]][n] != cost_table::impossible;
    if (possible) {
      auto cost = weigh.without_calls(devices);
      const auto parts = parts_on_devices(program, devices, table.capacities, table.constant_bytes);
      for (const auto& part : parts) cost += table.calls[part.on];
      if (keeps(parts, limits)) best = std::min(best, cost);
    }
    std::size_t at = 0;
    while (at < devices.size() && ++devices[at] == table.devices()) devices[at++] = 0;
    if (at == devices.size()) return best;
  }
}

struct distance {
  int programs = 0;
  int cheapest = 0;
  double mean = 0;
  double worst = 1;
};
template <class Partitioner>
auto distance_from_brute_force(std::uint32_t programs, std::uint32_t max_nodes) -> distance {
  distance found;
  for (std::uint32_t seed = 0; seed < programs; ++seed) {
    std::mt19937 random(seed);
    const auto program = random_program(random, static_cast<std::uint32_t>(3 + random() % (max_nodes - 2)));
    const auto assigned = Partitioner{}.assign(program).value;
    const auto best = min_of_all(program, Partitioner::costs(program).value, Partitioner::options);
    REQUIRE_MESSAGE(keeps(assigned.parts, Partitioner::options), "seed ", seed);
    REQUIRE_MESSAGE(assigned.cost >= best, "seed ", seed);
    const auto ratio = best == 0 ? (assigned.cost == 0 ? 1.0 : 2.0) : static_cast<double>(assigned.cost) / static_cast<double>(best);
    found.programs += 1;
    found.cheapest += assigned.cost == best ? 1 : 0;
    found.mean += ratio / programs;
    found.worst = std::max(found.worst, ratio);
    REQUIRE_MESSAGE(!verify(to_backend(target, program, Partitioner{})), "seed ", seed);
  }
  MESSAGE("cheapest in ", found.cheapest, " of ", found.programs, ", mean ratio ", found.mean, ", worst ", found.worst);
  return found;
}

TEST_CASE("by_cost: one backend, costs a node and a byte: the cheapest of all assignments") {
  const auto found = distance_from_brute_force<one>(3000, 9);
  CHECK(found.cheapest == found.programs);
}
TEST_CASE("by_cost: a fixed cost a call: how far from the cheapest") {
  const auto found = distance_from_brute_force<one_with_calls>(1500, 8);
  CHECK(found.mean < 1.005);
}
TEST_CASE("by_cost: two backends: how far from the cheapest") {
  const auto found = distance_from_brute_force<two>(800, 7);
  CHECK(found.mean < 1.005);
}
TEST_CASE("by_cost: two backends with a fixed cost a call: how far from the cheapest") {
  const auto found = distance_from_brute_force<two_with_calls>(800, 7);
  CHECK(found.mean < 1.01);
}
TEST_CASE("by_cost: limits on parts: how far from the cheapest that keeps them") {
  const auto with_most_parts = distance_from_brute_force<one_within<cost_options{.max_parts = 1}>>(600, 8);
  CHECK(with_most_parts.mean < 1.01);
  const auto with_least_nodes = distance_from_brute_force<one_within<cost_options{.min_nodes = 3}>>(600, 8);
  CHECK(with_least_nodes.mean < 1.04);
}

TEST_CASE("by_cost: limits on thousands of parts") {
  std::mt19937 random(1);
  program_builder b;
  auto latest = b.user_input("x", type);
  for (int i = 0; i < 20'000; ++i) {
    latest = b.call("test.op", {latest}, type,
                    {{"h", static_cast<int>(random() % 24)}, {"n", static_cast<int>(random() % 12)}, {"s", random() % 5 != 0 ? 1 : 0}});
  }
  b.output(latest);
  const auto program = b.finish();
  const auto of_all = one{}.assign(program).value;
  const auto of_few = one_within<cost_options{.max_parts = 100}>{}.assign(program).value;
  const auto of_large = one_within<cost_options{.min_nodes = 8}>{}.assign(program).value;
  CHECK(of_all.parts.size() > 1000);
  CHECK(of_few.parts.size() == 100);
  CHECK(keeps(of_large.parts, {.min_nodes = 8}));
  CHECK(of_large.parts.size() > 10);
  CHECK(of_all.cost < of_large.cost);
  CHECK(of_large.cost < of_few.cost);
}

}  // namespace

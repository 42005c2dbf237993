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

/// The costs of a node are attributes, so that a test can set them: `h` on the portable kernels, `n` on the NPU, `d` on the DSP.
struct kernel_costs {
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
/// Supports every node whose attribute `s` is not 0.
struct allowed {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (program.integer(record, "s", 1) != 0) return accept();
    return refuse("forbidden");
  }
};

using one = by_cost<kernel_costs, costed_backend<npu, allowed, npu_costs>>;
template <cost_options Limits>
using one_within = by_cost_within<Limits, kernel_costs, costed_backend<npu, allowed, npu_costs>>;
using one_with_calls = by_cost<kernel_costs, costed_backend<npu, allowed, npu_costs_with_calls>>;
using two = by_cost<kernel_costs, costed_backend<npu, allowed, npu_costs>, costed_backend<dsp, allowed, dsp_costs>>;
using two_with_calls =
    by_cost<kernel_costs, costed_backend<npu, allowed, npu_costs_with_calls>, costed_backend<dsp, allowed, dsp_costs_with_calls>>;

struct node_costs {
  int kernels, npu;
};
/// Returns a chain of nodes with these costs.
constexpr auto chain(std::initializer_list<node_costs> costs) -> exported_program {
  program_builder b;
  auto latest = b.user_input("x", type);
  for (const auto& cost : costs) latest = b.call("test.op", {latest}, type, {{"h", cost.kernels}, {"n", cost.npu}});
  b.output(latest);
  return b.finish();
}

constexpr auto devices_of(const exported_program& program) -> baton::vector<device_index> { return one{}.assign(program).value.devices; }

/// Carrying a value costs 16 · 0.25 = 4.
constexpr auto a_node_is_delegated_if_that_is_cheaper() -> bool {
  return devices_of(chain({{20, 1}})) == baton::vector<device_index>{1} &&                         // 1 + 4 + 4 < 20
         devices_of(chain({{9, 1}})) == baton::vector<device_index>{0} &&                          // 1 + 4 + 4 = 9: no gain
         devices_of(chain({{5, 1}, {5, 1}})) == baton::vector<device_index>{0, 0} &&               // 2 + 8 = 10: no gain
         devices_of(chain({{6, 1}, {6, 1}})) == baton::vector<device_index>{1, 1} &&               // one boundary for both
         devices_of(chain({{20, 1}, {1, 2}, {20, 1}})) == baton::vector<device_index>{1, 1, 1} &&  // cheaper than to leave and return
         devices_of(chain({{20, 1}, {1, 10}, {20, 1}})) == baton::vector<device_index>{1, 0, 1};
}
static_assert(a_node_is_delegated_if_that_is_cheaper());
TEST_CASE("by_cost: a node is delegated if that is cheaper") { CHECK(a_node_is_delegated_if_that_is_cheaper()); }

/// Costs that depend on the multiply-adds of a user-defined operator.
struct kernel_work {
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
  const auto device = [&] { return by_cost<kernel_work, costed_backend<npu, allowed, npu_work>>{}.assign(program).value.devices[0]; };
  const bool is_unknown = device() == 0;
  program.operators = my_operators;
  return is_unknown && device() == 1;
}
static_assert(a_user_defined_operator_has_its_cost());
TEST_CASE("by_cost: the definition of a user-defined operator determines its cost") { CHECK(a_user_defined_operator_has_its_cost()); }

constexpr auto parts_become_delegates() -> bool {
  const auto program = to_backend(target, chain({{20, 1}, {1, 10}, {20, 1}}), one{});
  return program.delegates.size() == 2 && program.root().nodes.size == 3 && !verify(program);
}
static_assert(parts_become_delegates());
TEST_CASE("by_cost: parts become delegates") { CHECK(parts_become_delegates()); }

template <fixed_string Value>
struct mode {
  constexpr auto operator()() const -> compile_specs { return {compile_spec{"mode", to_text(name<Value>)}}; }
};
/// The first node is cheap on the NPU, the second on the DSP, the third on the portable kernels.
constexpr auto each_backend_gets_its_own_specs() -> bool {
  using with_specs =
      by_cost<kernel_costs, costed_backend<npu, allowed, npu_costs, mode<"n">{}>, costed_backend<dsp, allowed, dsp_costs, mode<"d">{}>>;
  program_builder b;
  const auto first = b.call("test.op", {b.user_input("x", type)}, type, {{"h", 100}, {"n", 1}, {"d", 100}});
  const auto second = b.call("test.op", {first}, type, {{"h", 100}, {"n", 100}, {"d", 1}});
  b.output(b.call("test.op", {second}, type, {{"h", 1}, {"n", 100}, {"d", 100}}));
  const auto table = tag_program(b.finish(), with_specs{});
  const program_view program = table.value;
  const auto has_spec = [&](std::size_t node, std::string_view id, std::string_view value) {
    const auto& spec = program[program.nodes[node].tag];
    return program.text(spec.backend_id) == id && spec.compile_specs.size == 1 &&
           program.text(program.compile_specs[spec.compile_specs.first].value) == value;
  };
  return table && has_spec(0, "Npu", "n") && has_spec(1, "Dsp", "d") && program.nodes[2].tag == none<tag_id>;
}
static_assert(each_backend_gets_its_own_specs());
TEST_CASE("by_cost: each backend has its own compile specs") { CHECK(each_backend_gets_its_own_specs()); }

constexpr auto calls_have_a_cost() -> bool {
  // The first node saves 7, but its call costs 6. The second saves only 5.
  return one_with_calls{}.assign(chain({{16, 1}})).value.devices == baton::vector<device_index>{1} &&
         one_with_calls{}.assign(chain({{14, 1}})).value.devices == baton::vector<device_index>{0};
}
static_assert(calls_have_a_cost());
TEST_CASE("by_cost: a call has a cost") { CHECK(calls_have_a_cost()); }

constexpr auto limits_are_kept() -> bool {
  const auto program = chain({{20, 1}, {1, 30}, {40, 1}, {1, 30}, {30, 1}});
  using limited = one_within<cost_options{.max_parts = 1}>;
  using large_parts = one_within<cost_options{.min_nodes = 2}>;
  return one{}.assign(program).value.parts.size() == 3 &&
         limited{}.assign(program).value.devices == baton::vector<device_index>{0, 0, 1, 0, 0} &&
         large_parts{}.assign(program).value.parts.empty();
}
static_assert(limits_are_kept());
TEST_CASE("by_cost: the number of parts and the minimum size of a part are limited") { CHECK(limits_are_kept()); }

/// A node that is not supported, but is a follower, does not split a part.
constexpr auto followers_do_not_split_a_part() -> bool {
  program_builder b;
  const auto before = b.call("test.op", {b.user_input("x", type)}, type, {{"h", 20}, {"n", 1}});
  const auto between = b.call("test.view", {before}, type, {{"h", 0}, {"n", 0}});
  b.output(b.call("test.op", {between}, type, {{"h", 20}, {"n", 1}}));
  const auto program = b.finish();
  using strict = by_cost<kernel_costs, costed_backend<npu, operator_names<"test.op">, npu_costs>>;
  using lenient =
      by_cost<kernel_costs, costed_backend<npu, with_followers<operator_names<"test.op">, operator_names<"test.view">>, npu_costs>>;
  return strict{}.assign(program).value.devices == baton::vector<device_index>{1, 0, 1} &&
         lenient{}.assign(program).value.devices == baton::vector<device_index>{1, 1, 1};
}
static_assert(followers_do_not_split_a_part());
TEST_CASE("by_cost: a follower does not split a part") { CHECK(followers_do_not_split_a_part()); }

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
constexpr auto parts_fit_the_capacity() -> bool {
  const auto assigned = by_cost<kernel_costs, costed_backend<npu, allowed, small_npu_costs>>{}.assign(with_weights(5)).value;
  return assigned.parts.size() == 3 &&
         std::all_of(assigned.parts.begin(), assigned.parts.end(), [](const device_part& part) { return part.constant_bytes <= 40; });
}
static_assert(parts_fit_the_capacity());
TEST_CASE("by_cost: the constants of a part fit the capacity of its backend") { CHECK(parts_fit_the_capacity()); }

/// Compares the costs of other partitioners' results with the minimum cost, by the same tables.
constexpr auto costs_of_other_results_are_computed() -> bool {
  const auto program = chain({{20, 1}, {1, 10}, {20, 1}});
  using all = by_support<npu, operator_names<"test.op">>;
  const auto all_delegated = one::cost(program, all{});
  const auto none_delegated = one::cost(program, archetypes::partitioner{});
  const auto cheapest = one::cost(program, one{});
  return all_delegated && all_delegated.value == 1 + 10 + 1 + 8 && none_delegated.value == 41 && cheapest.value == 1 + 1 + 1 + 16 &&
         one::in_units(one{}.assign(program).value.cost) == cheapest.value &&
         two_with_calls::cost(program, all{}).value == all_delegated.value + 6;
}
static_assert(costs_of_other_results_are_computed());
TEST_CASE("by_cost: the costs of other partitioners' results are computed") { CHECK(costs_of_other_results_are_computed()); }

/// Delegates the nodes whose attribute `marked` is not 0.
struct marked {
  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged{program};
    const auto tag = tagged.add_tag("marked", delegation_spec{to_text(npu::id)});
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      if (program.integer(program.nodes[n], "marked") != 0) tagged.tag_node(node_id{n}, tag);
    }
    return tagged;
  }
};
/// The root calls a branch whose nodes have other costs. If `is_swapped`, the nodes of the branch are before those of the root. `verify`
/// permits this order, although the builder does not produce it.
constexpr auto with_branch(bool is_swapped) -> exported_program {
  program_builder b;
  const auto branch = b.add_graph("branch");
  const auto inner = b.call("inner", "test.op", {b.user_input("x", type)}, type, {{"h", 7}, {"n", 100}});
  b.output(b.call("last", "test.op", {inner}, type, {{"h", 9}, {"n", 200}}));
  b.enter(graph_id{0});
  const auto first = b.call("first", "test.op", {b.user_input("x", type)}, type, {{"h", 1000}, {"n", 1}, {"marked", 1}});
  const auto condition = b.user_input("p", tensor(dtype::boolean));
  b.output(b.call_many("choice", "cond", {condition, first}, {type}, {{"h", 3}, {"s", 0}}, {branch, branch})[0]);
  auto program = b.finish();
  if (!is_swapped) return program;
  const auto root = program.graphs[0].nodes.size;
  std::rotate(program.nodes.begin(), program.nodes.begin() + root, program.nodes.end());
  program.graphs[0].nodes.first = program.graphs[1].nodes.size;
  program.graphs[1].nodes.first = 0;
  return program;
}
constexpr auto costs_do_not_depend_on_the_order_of_graphs() -> bool {
  const auto in_order = with_branch(false), swapped = with_branch(true);
  if (in_order.graphs[0].nodes.first != 0 || swapped.graphs[0].nodes.first != 2 || verify(in_order) || verify(swapped)) return false;
  const auto cost = one::cost(in_order, marked{}), swapped_cost = one::cost(swapped, marked{});
  return cost && swapped_cost && cost.value == 1 + 3 + 7 + 9 + 8 && swapped_cost.value == cost.value;
}
static_assert(costs_do_not_depend_on_the_order_of_graphs());
TEST_CASE("by_cost: costs do not depend on the order of the graphs' nodes") { CHECK(costs_do_not_depend_on_the_order_of_graphs()); }

constexpr auto an_unsupported_node_is_an_error() -> bool {
  program_builder b;
  b.output(b.call("test.op", {b.user_input("x", type)}, type, {{"s", 0}}));
  const auto cost = one::cost(b.finish(), by_support<npu, operator_names<"test.op">>{});
  return view(message(cost.error)) ==
         "baton unsupported_node: a node is assigned to a backend that does not support it; remove its tag, or extend the support "
         "[node: "
         "test_op] [operator: test.op]";
}
static_assert(an_unsupported_node_is_an_error());
TEST_CASE("by_cost: the cost of a result with an unsupported node is an error") { CHECK(an_unsupported_node_is_an_error()); }

// Invalid tables

/// Numbers as template arguments, because Clang 16 does not support floating-point ones.
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
constexpr auto value_of(number which) -> double {
  constexpr double values[] = {
      0, 1, -1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 999999999, 1e9, 1e8, 8, 16.5};
  return values[static_cast<std::size_t>(which)];
}

/// The costs of every node, byte and call, and the capacity.
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

// Tables that are rejected.

template <class Costs, class Host = kernel_costs>
constexpr auto rejected(std::string_view sentence, std::string_view facts) -> refusals::error {
  return {facts, [] { return by_cost<Host, costed_backend<npu, allowed, Costs>>{}.partition(with_weights(2)).error; },
          [] { to_backend(target, with_weights(2), by_cost<Host, costed_backend<npu, allowed, Costs>>{}); }, sentence, facts};
}

constexpr std::string_view bad_cost = "baton malformed_cost: a cost is not in the range [0, 10^9); correct the cost table";
constexpr std::string_view bad_capacity =
    "baton malformed_capacity: a capacity is negative or not a number; state a number of bytes, or omit it for no limit";
constexpr std::string_view no_room =
    "baton capacity_too_small: the capacity of a backend is too small for the constants of any node that it supports; increase it";

constexpr refusals::error invalid_tables[] = {
    rejected<costing<minus_one>>(bad_cost, " [node: test_op] [operator: test.op] [backend: Npu] [the cost of this node is negative]"),
    rejected<costing<not_a_number>>(bad_cost,
                                    " [node: test_op] [operator: test.op] [backend: Npu] [the cost of this node is not a number]"),
    rejected<costing<a_billion>>(bad_cost, " [node: test_op] [operator: test.op] [backend: Npu] [the cost of this node is 10^9 or more]"),
    rejected<costing<infinite>>(bad_cost, " [node: test_op] [operator: test.op] [backend: Npu] [the cost of this node is 10^9 or more]"),
    rejected<costing<unity>, costing<minus_one>>(
        bad_cost, " [node: test_op] [operator: test.op] [the cost of this node on the portable kernels is negative]"),
    rejected<costing<unity>, costing<not_a_number>>(
        bad_cost, " [node: test_op] [operator: test.op] [the cost of this node on the portable kernels is not a number]"),
    rejected<costing<unity, minus_one>>(bad_cost, " [backend: Npu] [the cost of a byte is negative]"),
    rejected<costing<unity, not_a_number>>(bad_cost, " [backend: Npu] [the cost of a byte is not a number]"),
    rejected<costing<unity, infinite>>(bad_cost, " [backend: Npu] [the cost of a byte is 10^9 or more]"),
    rejected<costing<unity, a_tenth_of_it>>(bad_cost, " [backend: Npu] [the cost of transferring value x, 16 bytes, is 10^9 or more]"),
    rejected<costing<unity, zero, minus_one>>(bad_cost, " [backend: Npu] [the cost of a call is negative]"),
    rejected<costing<unity, zero, not_a_number>>(bad_cost, " [backend: Npu] [the cost of a call is not a number]"),
    rejected<costing<unity, zero, a_billion>>(bad_cost, " [backend: Npu] [the cost of a call is 10^9 or more]"),
    rejected<costing<unity, zero, zero, minus_one>>(bad_capacity, " [backend: Npu] [the capacity is negative]"),
    rejected<whole_negative_capacity>(bad_capacity, " [backend: Npu] [the capacity is negative]"),
    rejected<costing<unity, zero, zero, not_a_number>>(bad_capacity, " [backend: Npu] [the capacity is not a number]"),
    rejected<costing<unity, zero, zero, eight>>(no_room,
                                                " [node: test_op] [operator: test.op] [backend: Npu] [this node needs 16 bytes of "
                                                "constants, the least of the 2 supported nodes; the capacity is 8 bytes]"),
};
static_assert(refusals::table<invalid_tables>::are_all_reported);

/// `explain_undelegated` does not check the tables, so an invalid capacity must not become a reason.
constexpr auto an_invalid_capacity_is_not_a_reason() -> bool {
  const auto program = with_weights(1);
  const auto starts_with = [&](auto partitioner, std::string_view begin) {
    return view(partitioner.explain_undelegated(program)(node_id{0})).starts_with(begin);
  };
  return starts_with(by_cost<kernel_costs, costed_backend<npu, allowed, costing<unity, zero, zero, minus_one>>>{},
                     "it is supported, but the executor's kernels are cheaper in total") &&
         starts_with(by_cost<kernel_costs, costed_backend<npu, allowed, costing<unity, zero, zero, eight>>>{},
                     "it is supported, but its constants of 16 bytes exceed the capacity");
}
static_assert(an_invalid_capacity_is_not_a_reason());
TEST_CASE("by_cost: an invalid capacity is not a reason") { CHECK(an_invalid_capacity_is_not_a_reason()); }

TEST_CASE("by_cost: invalid tables are rejected") { refusals::check(invalid_tables); }

// Tables at the limits.
constexpr auto extreme_tables_are_accepted() -> bool {
  using just_below =
      by_cost<costing<just_below_a_billion>, costed_backend<npu, allowed, costing<just_below_a_billion, zero, just_below_a_billion>>>;
  using no_limit = by_cost<kernel_costs, costed_backend<npu, allowed, costing<unity>>>;
  using fits = by_cost<kernel_costs, costed_backend<npu, allowed, costing<unity, zero, zero, sixteen_and_a_half>>>;
  return just_below{}.assign(with_weights(2)).value.parts.empty() && no_limit{}.assign(with_weights(2)).value.parts.size() == 1 &&
         fits{}.assign(with_weights(2)).value.parts.size() == 2;
}
static_assert(extreme_tables_are_accepted());
TEST_CASE("by_cost: tables at the limits are accepted") { CHECK(extreme_tables_are_accepted()); }

/// Returns a table of two nodes on two devices with these costs.
constexpr auto table_of(cost_amount kernel_node, cost_amount npu_node, cost_amount value, cost_amount call) -> cost_table {
  cost_table table;
  table.nodes = {{kernel_node, kernel_node}, {cost_table::impossible, npu_node}};
  table.values = {baton::vector<cost_amount>(5, 0), baton::vector<cost_amount>(5, value)};
  table.calls = {0, call};
  table.capacities = {0, 0};
  return table;
}
constexpr auto sums_do_not_overflow() -> bool {
  constexpr std::string_view ids[] = {"", "Npu"};
  constexpr auto limit = std::int64_t{1000000000000} * 1024;
  const auto program = with_weights(2);
  const auto reported = [&](const cost_table& table) { return message(check_costs(program, table, ids)); };
  const auto text = join(
      "baton costs_overflow: the costs of a program add up to more than 10^12; use a larger unit "
      "[node: test_op_1] [operator: test.op] [backend: Npu] [this node costs 1000000000000, the highest cost of the 2 nodes]");
  return reported(table_of(limit / 2, 0, 0, 0)).empty() && reported(table_of(limit / 4, limit / 2, 0, 0)).empty() &&
         view(reported(table_of(1, limit, 0, 0))) == view(text) && !reported(table_of(limit / 2 + 1, 0, 0, 0)).empty() &&
         reported(table_of(0, 0, limit / 16, 0)).empty() && !reported(table_of(0, 0, limit / 8, 0)).empty() &&
         !reported(table_of(0, 0, 0, limit / 2 + 1)).empty() && !reported(table_of(INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX)).empty();
}
static_assert(sums_do_not_overflow());
TEST_CASE("by_cost: costs whose sum overflows are rejected") {
  CHECK(sums_do_not_overflow());
  program_builder b;
  auto latest = b.user_input("x", type);
  for (int n = 0; n < 100000; ++n) latest = b.call("n" + std::to_string(n), "test.op", {latest}, type);
  b.output(latest);
  const auto program = b.finish();
  CHECK(one::costs(program).value.nodes[1].size() == 100000);
  using expensive = by_cost<costing<just_below_a_billion>, costed_backend<npu, allowed, costing<unity>>>;
  CHECK(refusals::text_thrown_by([] { to_backend(target, with_weights(1001), expensive{}); }) ==
        "baton costs_overflow: the costs of a program add up to more than 10^12; use a larger unit "
        "[node: test_op] [operator: test.op] [this node costs 999999999 on the portable kernels, the highest cost of the 1001 nodes]");
  CHECK(expensive::costs(program).error.is<"costs_overflow">());
}

constexpr auto only_tags_change() -> bool { return laws::partitioner::result_matches_program(chain({{20, 1}, {1, 10}, {20, 1}}), one{}); }
constexpr auto results_are_reproducible() -> bool { return laws::partitioner::is_deterministic(chain({{20, 1}, {1, 10}}), one{}); }
constexpr auto parts_can_be_lowered() -> bool { return laws::partitioner::parts_are_extractable(with_weights(3), two_with_calls{}); }
static_assert(only_tags_change());
static_assert(results_are_reproducible());
static_assert(parts_can_be_lowered());
TEST_CASE("by_cost: the laws of partitioners hold") {
  CHECK(only_tags_change());
  CHECK(results_are_reproducible());
  CHECK(parts_can_be_lowered());
}

// Comparison with all assignments.

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

auto respects(const baton::vector<device_part>& parts, const cost_options& limits) -> bool {
  return parts.size() <= limits.max_parts &&
         std::all_of(parts.begin(), parts.end(), [&](const device_part& part) { return part.nodes.size() >= limits.min_nodes; });
}

auto min_cost_of_all(const exported_program& program, const cost_table& table, const cost_options& limits) -> cost_amount {
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
      if (respects(parts, limits)) best = std::min(best, cost);
    }
    std::size_t at = 0;
    while (at < devices.size() && ++devices[at] == table.devices()) devices[at++] = 0;
    if (at == devices.size()) return best;
  }
}

struct comparison {
  int programs = 0;
  int cheapest = 0;
  double mean = 0;
  double worst = 1;
};
template <class Partitioner>
auto compare_with_brute_force(std::uint32_t programs, std::uint32_t max_nodes) -> comparison {
  comparison statistics;
  for (std::uint32_t seed = 0; seed < programs; ++seed) {
    std::mt19937 random(seed);
    const auto program = random_program(random, static_cast<std::uint32_t>(3 + random() % (max_nodes - 2)));
    const auto assigned = Partitioner{}.assign(program).value;
    const auto best = min_cost_of_all(program, Partitioner::costs(program).value, Partitioner::options);
    REQUIRE_MESSAGE(respects(assigned.parts, Partitioner::options), "seed ", seed);
    REQUIRE_MESSAGE(assigned.cost >= best, "seed ", seed);
    const auto ratio = best == 0 ? (assigned.cost == 0 ? 1.0 : 2.0) : static_cast<double>(assigned.cost) / static_cast<double>(best);
    statistics.programs += 1;
    statistics.cheapest += assigned.cost == best ? 1 : 0;
    statistics.mean += ratio / programs;
    statistics.worst = std::max(statistics.worst, ratio);
    REQUIRE_MESSAGE(!verify(to_backend(target, program, Partitioner{})), "seed ", seed);
  }
  MESSAGE("cheapest in ", statistics.cheapest, " of ", statistics.programs, ", mean ratio ", statistics.mean, ", worst ", statistics.worst);
  return statistics;
}

TEST_CASE("by_cost: with one backend and no call costs, the assignment is the cheapest of all") {
  const auto statistics = compare_with_brute_force<one>(3000, 9);
  CHECK(statistics.cheapest == statistics.programs);
}
TEST_CASE("by_cost: with call costs, the mean cost is within 0.5% of the minimum") {
  const auto statistics = compare_with_brute_force<one_with_calls>(1500, 8);
  CHECK(statistics.mean < 1.005);
}
TEST_CASE("by_cost: with two backends, the mean cost is within 0.5% of the minimum") {
  const auto statistics = compare_with_brute_force<two>(800, 7);
  CHECK(statistics.mean < 1.005);
}
TEST_CASE("by_cost: with two backends and call costs, the mean cost is within 1% of the minimum") {
  const auto statistics = compare_with_brute_force<two_with_calls>(800, 7);
  CHECK(statistics.mean < 1.01);
}
TEST_CASE("by_cost: with limits on parts, the mean cost is within 4% of the minimum") {
  const auto few_parts = compare_with_brute_force<one_within<cost_options{.max_parts = 1}>>(600, 8);
  CHECK(few_parts.mean < 1.01);
  const auto large_parts = compare_with_brute_force<one_within<cost_options{.min_nodes = 3}>>(600, 8);
  CHECK(large_parts.mean < 1.04);
}

TEST_CASE("by_cost: limits apply to thousands of parts") {
  std::mt19937 random(1);
  program_builder b;
  auto latest = b.user_input("x", type);
  for (int i = 0; i < 20'000; ++i) {
    latest = b.call("test.op", {latest}, type,
                    {{"h", static_cast<int>(random() % 24)}, {"n", static_cast<int>(random() % 12)}, {"s", random() % 5 != 0 ? 1 : 0}});
  }
  b.output(latest);
  const auto program = b.finish();
  const auto all_delegated = one{}.assign(program).value;
  const auto few = one_within<cost_options{.max_parts = 100}>{}.assign(program).value;
  const auto large = one_within<cost_options{.min_nodes = 8}>{}.assign(program).value;
  CHECK(all_delegated.parts.size() > 1000);
  CHECK(few.parts.size() == 100);
  CHECK(respects(large.parts, {.min_nodes = 8}));
  CHECK(large.parts.size() > 10);
  CHECK(all_delegated.cost < large.cost);
  CHECK(large.cost < few.cost);
}

}  // namespace

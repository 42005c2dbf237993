// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Delegates in delegates, in branches and in loops, and states of parts: the results equal those of the reference.
#include <baton/run/executor_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "conformance/graphs.hpp"
#include "reference/interpreter.hpp"
#include "reference/kernels.hpp"

#include <doctest/doctest.h>

namespace {

using namespace baton;
using reference::any_aten;

constexpr auto target = backends<executor_backend>;
constexpr auto pair = tensor(dtype::float32, 2);
constexpr char quarter_and_two[] = {0, 0, '\x80', '\x3e', 0, 0, 0, '\x40'};

template <auto Program>
auto equals_reference(const program_view& expected) -> bool {
  static basic_executor<Program, any_aten> net;
  reference::state buffers;
  for (std::uint64_t seed = 1; seed < 10; ++seed) {
    const auto inputs = reference::some_inputs(expected, seed);
    if (reference::execute(net, Program.value(), inputs) != reference::evaluate(expected, inputs, buffers)) return false;
  }
  return true;
}

/// Tags each node of some operators, in every graph, as a separate part.
template <class Support>
struct every_graph {
  static constexpr auto partition(const exported_program& program) -> partition_result {
    partition_result tagged(program);
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      if (!Support::supports(program, program.nodes[n])) continue;
      tagged.tag_node(static_cast<node_id>(n), tagged.add_tag(view(join("tag", n)), delegation_spec{to_text(executor_backend::id)}));
    }
    return tagged;
  }
};

constexpr static_program g_seq{conformance::make<conformance::g_seq>{}};
using differences = by_support<executor_backend, operator_names<"aten.sub.Tensor">>;
using sums = by_support<executor_backend, operator_names<"aten.add.Tensor">>;
constexpr auto lowered_once = to_backend(target, g_seq, differences{});
constexpr auto lowered_twice = to_backend(target, lowered_once, sums{});
constexpr auto lowered_thrice = to_backend(target, lowered_twice, by_support<executor_backend, not_of<no_support>>{});
static_assert(delegates(lowered_thrice).size() == 1 &&
              delegates(lowered_thrice, delegates(lowered_thrice)[0].original()).size() == delegates(lowered_twice).size());

constexpr static_program g_cond{[] { return reference::with_data(conformance::g_cond()); }};
constexpr auto whole_cond = to_backend(target, g_cond, by_support<executor_backend, operator_names<"cond", "aten.eq.Tensor">>{});
static_assert(control_flow_of(whole_cond, whole_cond->nodes[whole_cond->root().nodes.size - 1]) == control_flow::none);

constexpr auto counter() -> exported_program {
  program_builder b;
  const auto total = b.mutable_buffer("total", pair, quarter_and_two);
  const auto x = b.user_input("x", pair);
  const auto next = b.call("next", "aten.add.Tensor", {x, total}, pair);
  b.mutation(next, "total");
  b.output(b.call("y", "aten.mul.Tensor", {next, x}, pair));
  return b.finish();
}
constexpr auto parts_in_branches = to_backend(target, g_cond, every_graph<operator_names<"aten.sub.Tensor", "aten.mm.default">>{});
constexpr static_program g_map{conformance::make<conformance::g_map>{}};
constexpr auto parts_in_a_loop = to_backend(target, g_map, every_graph<operator_names<"aten.sub.Tensor", "aten.mm.default">>{});

constexpr static_program state_program{[] { return counter(); }};

// Tags the sums, and the state together with the first of them.
struct with_state {
  static constexpr auto partition(const program_view& program) -> partition_result {
    auto tagged = sums::partition(program);
    for (std::uint32_t v = 0; v < program.values.size(); ++v) {
      if (program.values[v].kind == value_kind::mutable_buffer) tagged.tag_value(static_cast<value_id>(v), tagged.partition_tags[0].first);
    }
    return tagged;
  }
};

constexpr auto state_in_a_part = to_backend(target, state_program, with_state{});
static_assert(state_in_a_part->inputs(state_in_a_part->root()).size() == 1);

}  // namespace

TEST_CASE("a program that is lowered two or three times runs") {
  CHECK(equals_reference<lowered_once>(g_seq));
  CHECK(equals_reference<lowered_twice>(g_seq));
  CHECK(equals_reference<lowered_thrice>(g_seq));
}

TEST_CASE("a whole conditional in a delegate runs") { CHECK(equals_reference<whole_cond>(g_cond)); }

TEST_CASE("delegates in branches and loops run") {
  CHECK(equals_reference<parts_in_branches>(g_cond));
  CHECK(equals_reference<parts_in_a_loop>(g_map));
}

TEST_CASE("a state has its initial data before the first run, and is kept from run to run") {
  CHECK(equals_reference<state_program>(state_program));
  CHECK(equals_reference<state_in_a_part>(state_program));
}

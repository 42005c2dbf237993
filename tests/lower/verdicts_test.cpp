// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/lower/verdicts.hpp>

#include <baton/backend/backends.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/lower/contracts.hpp>
#include <baton/lower/partitioners.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_config.hpp>
#include <baton/partition/by_cost.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/drawn_graph.hpp"
#include "conformance/graphs.hpp"
#include "lower/tags.hpp"
#include "properties/random_program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

using sums = operator_names<"aten.add.Tensor", "aten.mm.default">;
using demo = conformance::backend_with_compiler_demo;

struct expected {
  std::string_view name;
  std::string_view backend;
  std::string_view reason;
};
constexpr std::string_view refused = "the operator is not in the list";

/// True if the verdicts are as expected, in order.
template <std::size_t N>
constexpr auto are_expected(const baton::vector<node_verdict>& verdicts, const program_view& program, const expected (&all)[N]) -> bool {
  if (verdicts.size() != N) return false;
  for (std::size_t i = 0; i < N; ++i) {
    const auto& verdict = verdicts[i];
    const bool is_delegated = !all[i].backend.empty();
    if (program.text(program[verdict.node].name) != all[i].name || view(verdict.backend) != all[i].backend ||
        view(verdict.reason) != all[i].reason || verdict.is_delegated != is_delegated || verdict.tag.empty() == is_delegated ||
        verdict.debug_handle != program[verdict.node].debug_handle) {
      return false;
    }
  }
  return true;
}

constexpr expected expected_of_cond[] = {{"add", "BackendWithCompilerDemo", ""},
                                         {"sel", "", refused},
                                         {"sel_1", "", refused},
                                         {"eq", "", refused},
                                         {"cond", "", refused},
                                         {"sub", "", refused},
                                         {"sub", "", refused},
                                         {"add", "BackendWithCompilerDemo", ""},
                                         {"sub_1", "", refused},
                                         {"sub", "", refused},
                                         {"mm", "BackendWithCompilerDemo", ""},
                                         {"sub_1", "", refused}};

constexpr auto every_node_has_a_verdict() -> bool {
  const auto program = conformance::g_cond();
  const auto verdicts = verdicts_of(program, by_support<demo, sums>{});
  return verdicts && are_expected(verdicts.value, program, expected_of_cond);
}
static_assert(every_node_has_a_verdict());
TEST_CASE("verdicts: every node has one, also in branches") { CHECK(every_node_has_a_verdict()); }

/// Nodes inside a delegate have no verdict; its call has one.
constexpr auto lowered_programs_have_verdicts() -> bool {
  const auto lowered = to_backend(backends<demo>, conformance::g_cond(), by_support<demo, sums>{});
  const auto verdicts = verdicts_of(lowered, by_support<demo, sums>{});
  std::size_t delegated_nodes = 0;
  for (const auto& verdict : verdicts.value) {
    delegated_nodes += verdict.is_delegated ? 1u : 0u;
    if (verdict.is_delegated && (view(verdict.backend) != "BackendWithCompilerDemo" || !view(verdict.tag).starts_with("lowered_module_")))
      return false;
  }
  return verdicts.value.size() == 12 && delegated_nodes == 3;
}
static_assert(lowered_programs_have_verdicts());
TEST_CASE("verdicts: the nodes of a lowered program have verdicts, except inside its delegates") {
  CHECK(lowered_programs_have_verdicts());
}

/// A branch is delegated with its node, whether or not the support accepts the nodes inside.
constexpr auto branches_are_delegated_with_their_node() -> bool {
  const auto program = conformance::g_cond();
  const auto verdicts = verdicts_of(program, by_support<demo, operator_names<"cond">>{});
  for (const auto& verdict : verdicts.value) {
    const bool is_inside =
        index(verdict.node) >= program.graphs[0].nodes.size || program_view(program).text(program[verdict.node].name) == "cond";
    if (verdict.is_delegated != is_inside || verdict.reason.empty() != is_inside) return false;
  }
  return verdicts.value.size() == 12;
}
static_assert(branches_are_delegated_with_their_node());
TEST_CASE("verdicts: branches are delegated with their node") { CHECK(branches_are_delegated_with_their_node()); }

constexpr auto loop_bodies_have_verdicts() -> bool {
  const auto program = conformance::g_map();
  const auto verdicts = verdicts_of(program, by_support<demo, sums>{});
  return verdicts.value.size() == program.nodes.size() && program.graphs.size() > 1;
}
static_assert(loop_bodies_have_verdicts());
TEST_CASE("verdicts: nodes in loop bodies have verdicts") { CHECK(loop_bodies_have_verdicts()); }

/// If a partitioner has no reasons, the verdict reports this.
constexpr auto a_partitioner_without_reasons_is_reported() -> bool {
  const auto verdicts = verdicts_of(conformance::g_mmadd(), archetypes::partitioner{});
  for (const auto& verdict : verdicts.value) {
    if (verdict.is_delegated || view(verdict.reason) != "the partitioner did not select the node, and gives no reason") return false;
  }
  return verdicts.value.size() == conformance::g_mmadd().nodes.size();
}
static_assert(a_partitioner_without_reasons_is_reported());
TEST_CASE("verdicts: a partitioner without reasons is reported") { CHECK(a_partitioner_without_reasons_is_reported()); }

// Reasons why a supported node is not delegated.

constexpr auto is_undelegated(const result<baton::vector<node_verdict>>& verdicts, std::size_t at, std::string_view reason) -> bool {
  return verdicts && !verdicts.value[at].is_delegated && view(verdicts.value[at].reason) == reason;
}
constexpr auto parts_that_are_too_small_are_reported() -> bool {
  const auto verdicts = verdicts_of(conformance::g_mmadd(), by_support<demo, sums, partition_options{.min_nodes = 3}>{});
  return is_undelegated(verdicts, 0, "it is supported, but its part has fewer than 3 nodes");
}
static_assert(parts_that_are_too_small_are_reported());

struct host {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 1; }
};
struct expensive {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 2; }
  static constexpr double byte = 1;
};
struct small : expensive {
  static constexpr std::uint64_t capacity = 3;
};
constexpr auto with_weights() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, 2));
  constexpr char bytes[] = {1, 2, 3, 4};
  const auto weights = b.parameter("w", tensor(dtype::int8, 4), bytes);
  const auto mm = b.call("mm", "aten.mm.default", {x, weights}, tensor(dtype::int8, 2));
  b.output(b.call("add", "aten.add.Tensor", {mm, x}, tensor(dtype::int8, 2)));
  return b.finish();
}
constexpr auto costs_and_capacities_are_reported() -> bool {
  const auto expensive_nodes = verdicts_of(with_weights(), by_cost<host, costed_backend<demo, sums, expensive>>{});
  const auto small_capacity = verdicts_of(with_weights(), by_cost<host, costed_backend<demo, sums, small>>{});
  const auto limited =
      verdicts_of(with_weights(), by_cost_within<cost_options{.min_nodes = 2}, host, costed_backend<demo, sums, expensive>>{});
  return is_undelegated(expensive_nodes, 0,
                        "it is supported, but the executor's kernels are cheaper in total (this node alone, without transfers and calls: "
                        "executor's kernels 1, backend 2)") &&
         is_undelegated(small_capacity, 0, "it is supported, but its constants of 4 bytes exceed the capacity") &&
         is_undelegated(small_capacity, 1,
                        "it is supported, but the executor's kernels are cheaper in total (this node alone, without transfers and calls: "
                        "executor's kernels 1, backend 2)") &&
         is_undelegated(
             limited, 0,
             "it is supported, but the executor's kernels are cheaper in total, or min_nodes or max_parts excludes its part (this "
             "node alone, without transfers and calls: "
             "executor's kernels 1, backend 2)");
}
static_assert(costs_and_capacities_are_reported());
TEST_CASE("verdicts: a supported node that a partitioner did not tag has a reason") {
  CHECK(parts_that_are_too_small_are_reported());
  CHECK(costs_and_capacities_are_reported());
}

// Several partitioners.

struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};
struct dsp {
  static constexpr auto id = name<"Dsp">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};

using convs = by_support<npu, operator_names<"conv">>;
using pools = by_support<dsp, operator_names<"pool", "conv">, partition_options{.min_nodes = 2}>;

/// The verdicts as lines "name: backend" or "name: reason".
constexpr auto reported(const exported_program& program, const result<baton::vector<node_verdict>>& verdicts) -> text_buffer {
  text_buffer text;
  for (const auto& verdict : verdicts.value) {
    append(append(text, program_view(program).text(program.nodes[index(verdict.node)].name)), ": ");
    append(append(text, view(verdict.is_delegated ? verdict.backend : verdict.reason)), "\n");
  }
  return text;
}

constexpr auto partitioners_are_asked_in_order() -> bool {
  const auto program = conformance::draw("conv(x) relu(conv) pool(relu) pool_1(pool) conv_1(pool_1) pool_2(y) -> conv_1 pool_2");
  const auto verdicts = verdicts_of(program, in_order(convs{}, pools{}, tags::partitioner<tags::part<"t", "Other", "pool_2">>{}));
  return verdicts && view(reported(program, verdicts)) ==
                         "conv: Npu\n"
                         "relu: Npu: the operator is not in the list; Dsp: the operator is not in the list; "
                         "partitioner 3: the partitioner did not select the node, and gives no reason\n"
                         "pool: Dsp\npool_1: Dsp\nconv_1: Npu\npool_2: Dsp\n";
}
static_assert(partitioners_are_asked_in_order());

constexpr auto a_static_program_has_the_same_verdicts() -> bool {
  constexpr auto make = [] { return conformance::draw("conv(x) relu(conv) pool(relu) pool_1(pool) -> pool_1"); };
  const auto program = make();
  const auto order = in_order(convs{}, pools{});
  return view(reported(program, verdicts_of(static_program{make}, order))) == view(reported(program, verdicts_of(program, order))) &&
         view(reported(program, verdicts_of(static_program{make}, convs{}))) == view(reported(program, verdicts_of(program, convs{})));
}
static_assert(a_static_program_has_the_same_verdicts());

/// Nodes of the first partitioner do not count for the second, so one pool is too few.
constexpr auto delegated_nodes_do_not_count_again() -> bool {
  const auto program = conformance::draw("conv(x) pool(conv) -> pool");
  return view(reported(program, verdicts_of(program, in_order(pools{}, convs{})))) == "conv: Dsp\npool: Dsp\n" &&
         view(reported(program, verdicts_of(program, in_order(convs{}, pools{})))) ==
             "conv: Npu\npool: Npu: the operator is not in the list; Dsp: it is supported, but its part has fewer than 2 "
             "nodes\n";
}
static_assert(delegated_nodes_do_not_count_again());

/// Nodes without debug handles, or with equal ones, have separate verdicts.
constexpr auto handles_need_not_be_unique() -> bool {
  auto program = conformance::draw("conv(x) relu(conv) pool(relu) pool_1(pool) -> pool_1");
  for (auto& record : program.nodes) record.debug_handle = 0;
  program.nodes[1].debug_handle = program.nodes[2].debug_handle = 7;
  const auto verdicts = verdicts_of(program, in_order(convs{}, pools{}));
  return verdicts && verdicts.value[0].is_delegated && !verdicts.value[1].is_delegated && verdicts.value[2].is_delegated &&
         verdicts.value[3].is_delegated && verdicts.value[1].debug_handle == 7 && verdicts.value[3].debug_handle == 0;
}
static_assert(handles_need_not_be_unique());

constexpr auto branches_have_verdicts() -> bool {
  const auto program = conformance::g_cond();
  const auto verdicts = verdicts_of(
      program, in_order(by_support<npu, operator_names<"aten.add.Tensor">>{}, by_support<dsp, operator_names<"aten.mm.default">>{}));
  std::size_t npus = 0;
  std::size_t dsps = 0;
  for (const auto& verdict : verdicts.value) {
    npus += view(verdict.backend) == "Npu" ? 1u : 0u;
    dsps += view(verdict.backend) == "Dsp" ? 1u : 0u;
    if (!verdict.is_delegated && view(verdict.reason) != "Npu: the operator is not in the list; Dsp: the operator is not in the list")
      return false;
  }
  return verdicts.value.size() == program.nodes.size() && npus == 2 && dsps == 1;
}
static_assert(branches_have_verdicts());

/// Parts may own their constants.
struct config_of_sums {
  static constexpr auto op = name<"add.Tensor">;
  static constexpr auto is_supported(const program_view&, const baton::node&) -> verdict { return accept(); }
};
struct config_of_products : config_of_sums {
  static constexpr auto op = name<"mm.default">;
};
constexpr auto parts_may_own_constants() -> bool {
  const auto program = conformance::g_add3();
  const auto verdicts = verdicts_of(program, in_order(by_config<npu, config_of_sums>{}, convs{}));
  for (const auto& verdict : verdicts.value) {
    if (!verdict.is_delegated || view(verdict.backend) != "Npu") return false;
  }
  return verdicts && verdicts.value.size() == program.nodes.size();
}
static_assert(parts_may_own_constants());

constexpr auto an_error_names_the_partitioner() -> bool {
  const auto verdicts = verdicts_of(conformance::g_mmadd(),
                                    in_order(convs{}, tags::writes<[](partition_result& to) { to.tag_node(node_id{0}, tag_id{0}); }>{}));
  return verdicts.error.is<"misplaced_index">() && view(verdicts.error.reason) == "partitioner 2 of 2: the tag does not exist";
}
static_assert(an_error_names_the_partitioner());

constexpr auto an_empty_list_delegates_nothing() -> bool {
  const auto verdicts = verdicts_of(conformance::g_mmadd(), in_order());
  return verdicts && verdicts.value.size() == conformance::g_mmadd().nodes.size() && !verdicts.value[0].is_delegated;
}
static_assert(an_empty_list_delegates_nothing());

}  // namespace

TEST_CASE("verdicts in order: the partitioners are applied in order") {
  CHECK(partitioners_are_asked_in_order());
  CHECK(delegated_nodes_do_not_count_again());
  CHECK(an_empty_list_delegates_nothing());
  CHECK(parts_may_own_constants());
}
TEST_CASE("verdicts: a static program has the same verdicts") { CHECK(a_static_program_has_the_same_verdicts()); }
TEST_CASE("verdicts in order: nodes need no debug handles") { CHECK(handles_need_not_be_unique()); }
TEST_CASE("verdicts in order: nodes in branches have verdicts") { CHECK(branches_have_verdicts()); }
TEST_CASE("verdicts in order: an error names the partitioner") { CHECK(an_error_names_the_partitioner()); }

// The verdicts agree with lowering.
TEST_CASE("verdicts in order: on random programs, to_backend leaves the same nodes undelegated") {
  const auto order = in_order(by_config<npu, config_of_products>{},
                              by_support<dsp, operator_names<"aten.add.Tensor", "aten.relu.default">, partition_options{.min_nodes = 2}>{});
  std::size_t with_both = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    INFO("seed " << seed);
    const auto program = properties::make_program(seed);
    const auto lowering = try_to_backend(backends<npu, dsp>, program, order, validation::on);
    if (!lowering) continue;  // dead code
    const auto& lowered = lowering.value;
    const auto verdicts = verdicts_of(program, order);
    REQUIRE(verdicts);
    baton::vector<std::int64_t> expected_handles;
    for (const auto& verdict : verdicts.value) {
      if (!verdict.is_delegated) expected_handles.push_back(verdict.debug_handle);
      CHECK(verdict.is_delegated == verdict.reason.empty());
    }
    baton::vector<std::int64_t> actual_handles;
    for (const auto id : undelegated(lowered)) actual_handles.push_back(lowered.nodes[index(id)].debug_handle);
    std::sort(expected_handles.begin(), expected_handles.end());
    std::sort(actual_handles.begin(), actual_handles.end());
    CHECK(std::equal(expected_handles.begin(), expected_handles.end(), actual_handles.begin(), actual_handles.end()));
    const auto is_from = [&](std::string_view id) {
      return std::any_of(verdicts.value.begin(), verdicts.value.end(), [&](const auto& verdict) { return view(verdict.backend) == id; });
    };
    with_both += is_from("Npu") && is_from("Dsp") ? 1u : 0u;
  }
  CHECK(with_both > 50);
}

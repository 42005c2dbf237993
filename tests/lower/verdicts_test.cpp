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

/// Whether each verdict says what is expected of the node of that name, in order.
template <std::size_t N>
constexpr auto say(const baton::vector<node_verdict>& found, const program_view& program, const expected (&all)[N]) -> bool {
  if (found.size() != N) return false;
  for (std::size_t i = 0; i < N; ++i) {
    const auto& one = found[i];
    const bool is_taken = !all[i].backend.empty();
    if (program.text(program[one.node].name) != all[i].name || view(one.backend) != all[i].backend || view(one.reason) != all[i].reason ||
        one.is_taken != is_taken || one.tag.empty() == is_taken || one.debug_handle != program[one.node].debug_handle) {
      return false;
    }
  }
  return true;
}

constexpr expected after[] = {{"add", "BackendWithCompilerDemo", ""},
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
  const auto found = verdicts_of(program, by_support<demo, sums>{});
  return found && say(found.value, program, after);
}
static_assert(every_node_has_a_verdict());
TEST_CASE("verdicts: every node has one, in branches too") { CHECK(every_node_has_a_verdict()); }

/// What lies inside a delegate has no verdict; its call does.
constexpr auto lowered_programs_have_verdicts() -> bool {
  const auto lowered = to_backend(backends<demo>, conformance::g_cond(), by_support<demo, sums>{});
  const auto found = verdicts_of(lowered, by_support<demo, sums>{});
  std::size_t taken = 0;
  for (const auto& one : found.value) {
    taken += one.is_taken ? 1u : 0u;
    if (one.is_taken && (view(one.backend) != "BackendWithCompilerDemo" || !view(one.tag).starts_with("lowered_module_"))) return false;
  }
  return found.value.size() == 12 && taken == 3;
}
static_assert(lowered_programs_have_verdicts());
TEST_CASE("verdicts: of a lowered program, not inside delegates") { CHECK(lowered_programs_have_verdicts()); }

/// A branch goes where the node goes that has it, whatever the support says of what is inside.
constexpr auto branches_are_taken_along() -> bool {
  const auto program = conformance::g_cond();
  const auto found = verdicts_of(program, by_support<demo, operator_names<"cond">>{});
  for (const auto& one : found.value) {
    const bool is_inside = index(one.node) >= program.graphs[0].nodes.size || program_view(program).text(program[one.node].name) == "cond";
    if (one.is_taken != is_inside || one.reason.empty() != is_inside) return false;
  }
  return found.value.size() == 12;
}
static_assert(branches_are_taken_along());
TEST_CASE("verdicts: branches are taken along") { CHECK(branches_are_taken_along()); }

constexpr auto loop_bodies_have_verdicts() -> bool {
  const auto program = conformance::g_map();
  const auto found = verdicts_of(program, by_support<demo, sums>{});
  return found.value.size() == program.nodes.size() && program.graphs.size() > 1;
}
static_assert(loop_bodies_have_verdicts());
TEST_CASE("verdicts: loop bodies have them") { CHECK(loop_bodies_have_verdicts()); }

/// A partitioner without reasons: the verdict says that.
constexpr auto who_says_nothing_is_told_of() -> bool {
  const auto found = verdicts_of(conformance::g_mmadd(), archetypes::partitioner{});
  for (const auto& one : found.value) {
    if (one.is_taken || view(one.reason) != "its partitioner left it and gives no reason") return false;
  }
  return found.value.size() == conformance::g_mmadd().nodes.size();
}
static_assert(who_says_nothing_is_told_of());
TEST_CASE("verdicts: of a partitioner that says nothing") { CHECK(who_says_nothing_is_told_of()); }

// Why what is supported stays.

constexpr auto left(const result<baton::vector<node_verdict>>& found, std::size_t at, std::string_view reason) -> bool {
  return found && !found.value[at].is_taken && view(found.value[at].reason) == reason;
}
constexpr auto parts_too_small_are_told() -> bool {
  const auto found = verdicts_of(conformance::g_mmadd(), by_support<demo, sums, partition_options{.min_nodes = 3}>{});
  return left(found, 0, "it is supported, but in a part smaller than the least of 3 nodes");
}
static_assert(parts_too_small_are_told());

struct host {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 1; }
};
struct dear {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 2; }
  static constexpr double byte = 1;
};
struct small : dear {
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
constexpr auto costs_and_capacities_are_told() -> bool {
  const auto by_price = verdicts_of(with_weights(), by_cost<host, costed_backend<demo, sums, dear>>{});
  const auto by_room = verdicts_of(with_weights(), by_cost<host, costed_backend<demo, sums, small>>{});
  const auto limited = verdicts_of(with_weights(), by_cost_within<cost_options{.min_nodes = 2}, host, costed_backend<demo, sums, dear>>{});
  return left(by_price, 0, "it is supported, but costs least on the kernels (the node alone 1, here 2)") &&
         left(by_room, 0, "it is supported, but its constants of 4 bytes are beyond the capacity") &&
         left(by_room, 1, "it is supported, but costs least on the kernels (the node alone 1, here 2)") &&
         left(limited, 0, "it is supported, but costs least on the kernels or in a part beyond the limits (the node alone 1, here 2)");
}
static_assert(costs_and_capacities_are_told());
TEST_CASE("verdicts: why a partitioner left what is supported") {
  CHECK(parts_too_small_are_told());
  CHECK(costs_and_capacities_are_told());
}

// Of several partitioners.

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

/// "name: backend" or "name: reason", line by line.
constexpr auto reported(const exported_program& program, const result<baton::vector<node_verdict>>& found) -> text_buffer {
  text_buffer text;
  for (const auto& one : found.value) {
    append(append(text, program_view(program).text(program.nodes[index(one.node)].name)), ": ");
    append(append(text, view(one.is_taken ? one.backend : one.reason)), "\n");
  }
  return text;
}

constexpr auto each_is_asked_in_its_turn() -> bool {
  const auto program = conformance::draw("conv(x) relu(conv) pool(relu) pool_1(pool) conv_1(pool_1) pool_2(y) -> conv_1 pool_2");
  const auto found = verdicts_of(program, in_order(convs{}, pools{}, tags::partitioner<tags::part<"t", "Other", "pool_2">>{}));
  return found && view(reported(program, found)) ==
                      "conv: Npu\n"
                      "relu: Npu: the operator is not in the list; Dsp: the operator is not in the list; "
                      "partitioner 3: its partitioner left it and gives no reason\n"
                      "pool: Dsp\npool_1: Dsp\nconv_1: Npu\npool_2: Dsp\n";
}
static_assert(each_is_asked_in_its_turn());

constexpr auto a_program_of_the_compiler_is_asked_alike() -> bool {
  constexpr auto make = [] { return conformance::draw("conv(x) relu(conv) pool(relu) pool_1(pool) -> pool_1"); };
  const auto program = make();
  const auto order = in_order(convs{}, pools{});
  return view(reported(program, verdicts_of(static_program{make}, order))) == view(reported(program, verdicts_of(program, order))) &&
         view(reported(program, verdicts_of(static_program{make}, convs{}))) == view(reported(program, verdicts_of(program, convs{})));
}
static_assert(a_program_of_the_compiler_is_asked_alike());

/// What the first takes counts for the second no more: one pool is too few.
constexpr auto what_is_taken_is_closed() -> bool {
  const auto program = conformance::draw("conv(x) pool(conv) -> pool");
  return view(reported(program, verdicts_of(program, in_order(pools{}, convs{})))) == "conv: Dsp\npool: Dsp\n" &&
         view(reported(program, verdicts_of(program, in_order(convs{}, pools{})))) ==
             "conv: Npu\npool: Npu: the operator is not in the list; Dsp: it is supported, but in a part smaller than the least of 2 "
             "nodes\n";
}
static_assert(what_is_taken_is_closed());

/// Nodes without debug handles, or with the same, are told apart all the same.
constexpr auto handles_need_not_be_unique() -> bool {
  auto program = conformance::draw("conv(x) relu(conv) pool(relu) pool_1(pool) -> pool_1");
  for (auto& record : program.nodes) record.debug_handle = 0;
  program.nodes[1].debug_handle = program.nodes[2].debug_handle = 7;
  const auto found = verdicts_of(program, in_order(convs{}, pools{}));
  return found && found.value[0].is_taken && !found.value[1].is_taken && found.value[2].is_taken && found.value[3].is_taken &&
         found.value[1].debug_handle == 7 && found.value[3].debug_handle == 0;
}
static_assert(handles_need_not_be_unique());

constexpr auto branches_have_them() -> bool {
  const auto program = conformance::g_cond();
  const auto found = verdicts_of(
      program, in_order(by_support<npu, operator_names<"aten.add.Tensor">>{}, by_support<dsp, operator_names<"aten.mm.default">>{}));
  std::size_t npus = 0;
  std::size_t dsps = 0;
  for (const auto& one : found.value) {
    npus += view(one.backend) == "Npu" ? 1u : 0u;
    dsps += view(one.backend) == "Dsp" ? 1u : 0u;
    if (!one.is_taken && view(one.reason) != "Npu: the operator is not in the list; Dsp: the operator is not in the list") return false;
  }
  return found.value.size() == program.nodes.size() && npus == 2 && dsps == 1;
}
static_assert(branches_have_them());

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
  const auto found = verdicts_of(program, in_order(by_config<npu, config_of_sums>{}, convs{}));
  for (const auto& one : found.value) {
    if (!one.is_taken || view(one.backend) != "Npu") return false;
  }
  return found && found.value.size() == program.nodes.size();
}
static_assert(parts_may_own_constants());

constexpr auto mistakes_name_their_place() -> bool {
  const auto found = verdicts_of(conformance::g_mmadd(),
                                 in_order(convs{}, tags::writes<[](partition_result& to) { to.tag_node(node_id{0}, tag_id{0}); }>{}));
  return found.error.is<"misplaced_index">() && view(found.error.reason) == "partitioner 2 of 2: a tag that is not there";
}
static_assert(mistakes_name_their_place());

constexpr auto nobody_takes_nothing() -> bool {
  const auto found = verdicts_of(conformance::g_mmadd(), in_order());
  return found && found.value.size() == conformance::g_mmadd().nodes.size() && !found.value[0].is_taken;
}
static_assert(nobody_takes_nothing());

}  // namespace

TEST_CASE("verdicts in order: each partitioner is asked in its turn") {
  CHECK(each_is_asked_in_its_turn());
  CHECK(what_is_taken_is_closed());
  CHECK(nobody_takes_nothing());
  CHECK(parts_may_own_constants());
}
TEST_CASE("verdicts: of a program of the compiler, too") { CHECK(a_program_of_the_compiler_is_asked_alike()); }
TEST_CASE("verdicts in order: nodes need no debug handles") { CHECK(handles_need_not_be_unique()); }
TEST_CASE("verdicts in order: inside branches") { CHECK(branches_have_them()); }
TEST_CASE("verdicts in order: errors name the partitioner") { CHECK(mistakes_name_their_place()); }

// What they say is what lowering does.
TEST_CASE("verdicts in order: on random programs what stays is what to_backend leaves") {
  const auto order = in_order(by_config<npu, config_of_products>{},
                              by_support<dsp, operator_names<"aten.add.Tensor", "aten.relu.default">, partition_options{.min_nodes = 2}>{});
  std::size_t with_both = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    INFO("seed " << seed);
    const auto program = properties::make_program(seed);
    const auto made = try_to_backend(backends<npu, dsp>, program, order, validation::on);
    if (!made) continue;  // dead code
    const auto& lowered = made.value;
    const auto found = verdicts_of(program, order);
    REQUIRE(found);
    baton::vector<std::int64_t> stay;
    for (const auto& one : found.value) {
      if (!one.is_taken) stay.push_back(one.debug_handle);
      CHECK(one.is_taken == one.reason.empty());
    }
    baton::vector<std::int64_t> left;
    for (const auto id : undelegated(lowered)) left.push_back(lowered.nodes[index(id)].debug_handle);
    std::sort(stay.begin(), stay.end());
    std::sort(left.begin(), left.end());
    CHECK(std::equal(stay.begin(), stay.end(), left.begin(), left.end()));
    const auto is_from = [&](std::string_view id) {
      return std::any_of(found.value.begin(), found.value.end(), [&](const auto& one) { return view(one.backend) == id; });
    };
    with_both += is_from("Npu") && is_from("Dsp") ? 1u : 0u;
  }
  CHECK(with_both > 50);
}

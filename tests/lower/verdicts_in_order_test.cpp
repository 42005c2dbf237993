// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/backends.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/lower/contracts.hpp>
#include <baton/lower/partitioners.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/lower/verdicts.hpp>
#include <baton/partition/by_config.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/drawn_graph.hpp"
#include "conformance/graphs.hpp"
#include "lower/tags.hpp"
#include "properties/random_program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};
struct dsp {
  static constexpr auto id = name<"Dsp">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};

using convs = by_support<npu, operators<"conv">>;
using pools = by_support<dsp, operators<"pool", "conv">, partition_options{.least_nodes = 2}>;

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
  const auto found =
      verdicts_of(program, in_order(by_support<npu, operators<"aten.add.Tensor">>{}, by_support<dsp, operators<"aten.mm.default">>{}));
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
struct sums {
  static constexpr auto op = name<"add.Tensor">;
  static constexpr auto may_take(const program_view&, const baton::node&) -> verdict { return accept(); }
};
struct products : sums {
  static constexpr auto op = name<"mm.default">;
};
constexpr auto parts_may_own_constants() -> bool {
  const auto program = conformance::g_add3();
  const auto found = verdicts_of(program, in_order(by_config<npu, sums>{}, convs{}));
  for (const auto& one : found.value) {
    if (!one.is_taken || view(one.backend) != "Npu") return false;
  }
  return found && found.value.size() == program.nodes.size();
}
static_assert(parts_may_own_constants());

constexpr auto mistakes_name_their_place() -> bool {
  const auto found = verdicts_of(conformance::g_mmadd(),
                                 in_order(convs{}, tags::writes<[](partition_result& to) { to.tag_node(node_id{0}, tag_id{0}); }>{}));
  return found.error.rule == rule::misplaced_index::sentence && view(found.error.reason) == "partitioner 2 of 2: a tag that is not there";
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
TEST_CASE("verdicts in order: nodes need no debug handles") { CHECK(handles_need_not_be_unique()); }
TEST_CASE("verdicts in order: inside branches") { CHECK(branches_have_them()); }
TEST_CASE("verdicts in order: mistakes name the partitioner") { CHECK(mistakes_name_their_place()); }

// What they say is what lowering does.
TEST_CASE("verdicts in order: on random programs what stays is what to_backend leaves") {
  const auto order = in_order(by_config<npu, products>{},
                              by_support<dsp, operators<"aten.add.Tensor", "aten.relu.default">, partition_options{.least_nodes = 2}>{});
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

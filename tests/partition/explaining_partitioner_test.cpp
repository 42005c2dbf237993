// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What the canonical partitioners say of the nodes that they leave.
#include <baton/partition/partitioner.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/lower/verdicts.hpp>
#include <baton/partition/by_config.hpp>
#include <baton/partition/by_cost.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/shared/proposed_parts.hpp>
#include <baton/partition/split_cycles.hpp>

#include "conformance/drawn_graph.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using conformance::draw;

struct npu {
  static constexpr auto id = name<"Npu">;
};
struct dsp {
  static constexpr auto id = name<"Dsp">;
};

/// What is said of the first node of a name; "-": it is taken.
constexpr auto said_of(const result<baton::vector<node_verdict>>& found, const program_view& program, std::string_view name)
    -> text_buffer {
  for (const auto& one : found.value) {
    if (program.text(program[one.node].name) != name) continue;
    if (one.is_taken) return join("-");
    return one.reason;
  }
  return join("there is no such node");
}
template <class Partitioner>
constexpr auto says(std::string_view graph, std::string_view name, std::string_view reason, const Partitioner& partitioner = {}) -> bool {
  const auto program = draw(graph);
  return view(said_of(verdicts_of(program, partitioner), program, name)) == reason;
}

constexpr auto graph = "conv(x) relu(conv) pool(relu) view(pool) view_1(y) -> view view_1";

using convs = with_followers<operator_names<"conv">, operator_names<"view">>;
constexpr auto supports_say_it() -> bool {
  return says<by_support<npu, convs>>(graph, "conv", "-") &&
         says<by_support<npu, convs>>(graph, "relu", "the operator is not in the list") &&
         says<by_support<npu, convs>>(graph, "view", "it goes along with what makes its input, and that is not taken") &&
         says<by_support<npu, no_support>>(graph, "relu", "it is not supported") &&
         says<by_support<npu, convs, partition_options{.min_nodes = 2}>>(
             graph, "conv", "it is supported, but in a part smaller than the least of 2 nodes") &&
         says<split_cycles<by_support<npu, convs>>>(graph, "relu", "the operator is not in the list");
}
static_assert(supports_say_it());

constexpr auto first_node(const program_view&) -> baton::vector<node_list> { return {{{node_id{0}}, {}}}; }
constexpr auto lists_and_groups_say_it() -> bool {
  return says<by_lists<npu, first_node>>(graph, "conv", "-") && says<by_lists<npu, first_node>>(graph, "relu", "it is in no list") &&
         says<by_lists<npu, first_node, operator_names<"pool">>>(graph, "relu", "it is in no list; the operator is not in the list") &&
         says<by_groups<npu, first_node, operator_names<"pool">>>(graph, "conv", "the operator is not in the list") &&
         says<by_groups<npu, first_node, operator_names<"pool">>>(graph, "pool", "-");
}
static_assert(lists_and_groups_say_it());

struct of_convs {
  static constexpr auto op = name<"conv">;
  static constexpr auto is_supported(const program_view&, const node&) -> verdict { return refuse("it has no zero point"); }
};
struct of_relus {
  static constexpr auto op = name<"relu">;
  static constexpr auto is_supported(const program_view&, const node&) -> verdict { return refuse(); }
};
struct of_pools {
  static constexpr auto op = name<"pool">;
  static constexpr auto is_supported(const program_view&, const node&) -> verdict { return accept(); }
  static constexpr auto group_of(const program_view& program, node_id) -> node_list {
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      if (program.text(program.nodes[n].name) == "view") return {{node_id{n}}, {}};
    }
    return {{}, {}};
  }
};
constexpr auto configs_say_it() -> bool {
  using configs = by_config<npu, of_convs, of_relus, of_pools>;
  return says<configs>(graph, "conv", "it has no zero point") && says<configs>(graph, "relu", "its config refuses it") &&
         says<configs>(graph, "pool", "its config accepts it, but leaves it out of what is taken along") &&
         says<configs>(graph, "view", "-") && says<configs>(graph, "view_1", "there is no config for view");
}
static_assert(configs_say_it());

struct host {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 1; }
};
struct dear {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 2; }
  static constexpr double byte = 1;
};
constexpr auto offers_say_it_each() -> bool {
  using two = by_cost<host, costed_backend<npu, operator_names<"conv">, dear>, costed_backend<dsp, no_support, dear>>;
  return says<two>(graph, "conv",
                   "Npu: it is supported, but costs least on the kernels (the node alone 1, here 2); Dsp: it is not supported") &&
         says<two>(graph, "relu", "Npu: the operator is not in the list; Dsp: it is not supported") &&
         says<by_cost<host, costed_backend<npu, operator_names<"conv">, dear>>>(graph, "relu", "the operator is not in the list");
}
static_assert(offers_say_it_each());

/// A second entry point, beside the root.
constexpr auto two_entries() -> exported_program {
  constexpr auto type = tensor(dtype::float32, 2);
  program_builder b;
  b.output(b.call("add", "add", {b.user_input("x", type)}, type));
  b.enter(b.add_graph("other"));
  b.output(b.call("sub", "sub", {b.user_input("y", type)}, type));
  return b.finish();
}
constexpr auto other_entry_points_are_told_of() -> bool {
  const auto program = two_entries();
  const auto found = verdicts_of(program, all_nodes<npu>{});
  return view(said_of(found, program, "add")) == "-" &&
         view(said_of(found, program, "sub")) == "it lies in a graph that the root graph does not run";
}
static_assert(other_entry_points_are_told_of());

/// Reasons come from inside branches too.
constexpr auto branches_are_told_of() -> bool {
  const auto program = conformance::g_cond();
  const auto found = verdicts_of(program, by_config<npu, of_pools>{});
  for (const auto& one : found.value) {
    const auto op = program_view(program).text(program.nodes[index(one.node)].target);
    if (view(one.reason) != view(join("there is no config for ", op))) return false;
  }
  return found.value.size() == program.nodes.size();
}
static_assert(branches_are_told_of());

}  // namespace

TEST_CASE("reasons: of supports, with followers and least sizes") { CHECK(supports_say_it()); }
TEST_CASE("reasons: of lists and groups") { CHECK(lists_and_groups_say_it()); }
TEST_CASE("reasons: of configs") { CHECK(configs_say_it()); }
TEST_CASE("reasons: of several offers, each by its backend") { CHECK(offers_say_it_each()); }
TEST_CASE("reasons: of an entry point beside the root") { CHECK(other_entry_points_are_told_of()); }
TEST_CASE("reasons: inside branches") { CHECK(branches_are_told_of()); }

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reasons of the canonical partitioners for nodes that are not delegated.
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

/// Returns the reason for the first node of this name, or "-" if the node is delegated.
constexpr auto reason_for(const result<baton::vector<node_verdict>>& verdicts, const program_view& program, std::string_view name)
    -> text_buffer {
  for (const auto& each : verdicts.value) {
    if (program.text(program[each.node].name) != name) continue;
    if (each.is_delegated) return join("-");
    return each.reason;
  }
  return join("there is no such node");
}
template <class Partitioner>
constexpr auto has_reason(std::string_view graph, std::string_view name, std::string_view reason, const Partitioner& partitioner = {})
    -> bool {
  const auto program = draw(graph);
  return view(reason_for(verdicts_of(program, partitioner), program, name)) == reason;
}

constexpr auto graph = "conv(x) relu_op(conv) pool(relu_op) view(pool) view_1(y) -> view view_1";

using convs = with_followers<operator_names<"conv">, operator_names<"view">>;
constexpr auto supports_have_reasons() -> bool {
  return has_reason<by_support<npu, convs>>(graph, "conv", "-") &&
         has_reason<by_support<npu, convs>>(graph, "relu_op", "the operator is not in the list") &&
         has_reason<by_support<npu, convs>>(graph, "view", "it is delegated only with the producer of its input, which is not delegated") &&
         has_reason<by_support<npu, no_support>>(graph, "relu_op", "it is not supported") &&
         has_reason<by_support<npu, convs, partition_options{.min_nodes = 2}>>(graph, "conv",
                                                                               "it is supported, but its part has fewer than 2 nodes") &&
         has_reason<split_cycles<by_support<npu, convs>>>(graph, "relu_op", "the operator is not in the list");
}
static_assert(supports_have_reasons());

constexpr auto first_node(const program_view&) -> baton::vector<node_list> { return {{{node_id{0}}, {}}}; }
constexpr auto lists_and_groups_have_reasons() -> bool {
  return has_reason<by_lists<npu, first_node>>(graph, "conv", "-") &&
         has_reason<by_lists<npu, first_node>>(graph, "relu_op", "it is in no list") &&
         has_reason<by_lists<npu, first_node, operator_names<"pool">>>(graph, "relu_op",
                                                                       "it is in no list; the operator is not in the list") &&
         has_reason<by_groups<npu, first_node, operator_names<"pool">>>(graph, "conv", "the operator is not in the list") &&
         has_reason<by_groups<npu, first_node, operator_names<"pool">>>(graph, "pool", "-");
}
static_assert(lists_and_groups_have_reasons());

struct conv_config {
  static constexpr auto op = name<"conv">;
  static constexpr auto is_supported(const program_view&, const node&) -> verdict { return refuse("it has no zero point"); }
};
struct relu_config {
  static constexpr auto op = name<"relu_op">;
  static constexpr auto is_supported(const program_view&, const node&) -> verdict { return refuse(); }
};
struct pool_config {
  static constexpr auto op = name<"pool">;
  static constexpr auto is_supported(const program_view&, const node&) -> verdict { return accept(); }
  static constexpr auto group_of(const program_view& program, node_id) -> node_list {
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      if (program.text(program.nodes[n].name) == "view") return {{node_id{n}}, {}};
    }
    return {{}, {}};
  }
};
constexpr auto configs_have_reasons() -> bool {
  using configs = by_config<npu, conv_config, relu_config, pool_config>;
  return has_reason<configs>(graph, "conv", "it has no zero point") &&
         has_reason<configs>(graph, "relu_op", "its config does not support it") &&
         has_reason<configs>(graph, "pool", "its config supports it, but its group does not contain it") &&
         has_reason<configs>(graph, "view", "-") && has_reason<configs>(graph, "view_1", "there is no config for view");
}
static_assert(configs_have_reasons());

struct kernel_costs {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 1; }
};
struct expensive {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 2; }
  static constexpr double byte = 1;
};
constexpr auto each_backend_has_a_reason() -> bool {
  using two = by_cost<kernel_costs, costed_backend<npu, operator_names<"conv">, expensive>, costed_backend<dsp, no_support, expensive>>;
  return has_reason<two>(graph, "conv",
                         "Npu: it is supported, but the executor's kernels are cheaper in total (this node alone, without transfers and "
                         "calls: executor's kernels 1, backend 2); Dsp: it "
                         "is not supported") &&
         has_reason<two>(graph, "relu_op", "Npu: the operator is not in the list; Dsp: it is not supported") &&
         has_reason<by_cost<kernel_costs, costed_backend<npu, operator_names<"conv">, expensive>>>(graph, "relu_op",
                                                                                                   "the operator is not in the list");
}
static_assert(each_backend_has_a_reason());

/// A program with a second entry point.
constexpr auto two_entries() -> exported_program {
  constexpr auto type = tensor(dtype::float32, 2);
  program_builder b;
  b.output(b.call("add_op", "add_op", {b.user_input("x", type)}, type));
  b.enter(b.add_graph("other"));
  b.output(b.call("sub_op", "sub_op", {b.user_input("y", type)}, type));
  return b.finish();
}
constexpr auto other_entry_points_have_a_reason() -> bool {
  const auto program = two_entries();
  const auto verdicts = verdicts_of(program, all_nodes<npu>{});
  return view(reason_for(verdicts, program, "add_op")) == "-" &&
         view(reason_for(verdicts, program, "sub_op")) == "it is in a graph that the root graph does not call";
}
static_assert(other_entry_points_have_a_reason());

/// Nodes in branches have reasons, too.
constexpr auto nodes_in_branches_have_reasons() -> bool {
  const auto program = conformance::g_cond();
  const auto verdicts = verdicts_of(program, by_config<npu, pool_config>{});
  for (const auto& each : verdicts.value) {
    const auto op = program_view(program).text(program.nodes[index(each.node)].target);
    if (view(each.reason) != view(join("there is no config for ", op))) return false;
  }
  return verdicts.value.size() == program.nodes.size();
}
static_assert(nodes_in_branches_have_reasons());

}  // namespace

TEST_CASE("supports have reasons, also for followers and small parts") { CHECK(supports_have_reasons()); }
TEST_CASE("lists and groups have reasons") { CHECK(lists_and_groups_have_reasons()); }
TEST_CASE("configs have reasons") { CHECK(configs_have_reasons()); }
TEST_CASE("with several backends, each reason has the id of its backend") { CHECK(each_backend_has_a_reason()); }
TEST_CASE("nodes of other entry points have a reason") { CHECK(other_entry_points_have_a_reason()); }
TEST_CASE("nodes in branches have reasons") { CHECK(nodes_in_branches_have_reasons()); }

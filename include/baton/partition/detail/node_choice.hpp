// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The nodes from which parts (the nodes of a graph that become one delegate) are formed: supported nodes, listed nodes, and their followers
// (`with_followers`).
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/partition/detail/device_parts.hpp>
#include <baton/partition/node_list.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/shared/visible_graphs.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace baton::detail {

/// The nodes and placeholders (inputs, parameters, buffers and constants) from which parts are formed. A follower joins the part of another
/// node, its leader.
struct node_choice {
  vector<device_index> device_of;        ///< indexed by node: 1 if the node is chosen, else 0
  vector<char> is_placeholder_chosen{};  ///< indexed by value: 1 if the placeholder is chosen, else 0; empty if none is chosen
  /// Indexed by node: the leader of a follower, or the node itself. `none` for a node that partitioners do not visit (`visible_nodes`).
  /// Empty if the support has no followers.
  vector<node_id> leader_of{};
  vector<std::uint32_t> weights{};  ///< indexed by node: how much the node counts toward `min_nodes`; empty if each weight is 1

  constexpr auto is_chosen(node_id id) const -> bool { return device_of[index(id)] != 0; }
  constexpr auto weight(std::size_t n) const -> std::uint32_t { return weights.empty() ? 1 : weights[n]; }
  constexpr auto follows(node_id id) const -> bool { return !leader_of.empty() && leader_of[index(id)] != id; }
};

/// Chooses listed nodes and supported nodes. A follower (`with_followers`) that is in no list has weight 0, and is chosen if and only if
/// its leader is chosen. Any other chosen node has weight 0 if `NonCompute` accepts the node, otherwise weight 1. If `Alone` accepts the
/// node, the weight is higher by 1.
template <operator_support Support, operator_support NonCompute = no_support, operator_support Alone = no_support>
constexpr auto choose_nodes(const program_view& program, span<const node_list> lists = {}) -> node_choice {
  constexpr bool is_weighed = has_followers<Support> || !std::is_same_v<NonCompute, no_support> || !std::is_same_v<Alone, no_support>;
  node_choice choice{vector<device_index>(program.nodes.size(), 0)};
  if (!lists.empty()) choice.is_placeholder_chosen.resize(program.values.size(), 0);
  for (const auto& list : lists) {
    for (const auto id : list.nodes) choice.device_of[index(id)] = 1;
    for (const auto id : list.placeholders) choice.is_placeholder_chosen[index(id)] = 1;
  }
  vector<node_id> producers;
  if constexpr (has_followers<Support>) {
    producers = producers_of(program);
    choice.leader_of.resize(program.nodes.size(), none<node_id>);
  }
  if constexpr (is_weighed) choice.weights.resize(program.nodes.size(), 0);
  for (const auto id : visible_nodes(program)) {
    auto& device = choice.device_of[index(id)];
    if constexpr (has_followers<Support>) {
      choice.leader_of[index(id)] = id;
      if (device == 0 && Support::follows(program, program[id])) {
        const auto producer = producers[index(program.inputs(program[id])[0])];
        if (producer == none<node_id>) continue;
        choice.leader_of[index(id)] = choice.leader_of[index(producer)];
        device = choice.device_of[index(producer)];
        continue;
      }
    }
    if (device == 0) device = Support::supports(program, program[id]).accepted ? 1 : 0;
    if constexpr (is_weighed) {
      if (device == 0) continue;
      choice.weights[index(id)] =
          (NonCompute::supports(program, program[id]).accepted ? 0u : 1u) + (Alone::supports(program, program[id]).accepted ? 1u : 0u);
    }
  }
  return choice;
}

}  // namespace baton::detail

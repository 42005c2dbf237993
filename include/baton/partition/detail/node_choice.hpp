// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What parts are to be made of: the nodes that a support accepts or lists name, and what goes along with them.
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

/// What is to be put into parts.
struct node_choice {
  vector<device_index> device_of;       ///< by node: 1 if it is taken
  vector<char> is_placeholder_taken{};  ///< by value; empty: none is
  vector<node_id> leader_of{};          ///< by node: itself, or the one that it goes along with, in the end; empty: none goes along
  vector<std::uint32_t> weights{};      ///< by node: what counts against the least size of a part; empty: 1 each

  constexpr auto is_taken(node_id id) const -> bool { return device_of[index(id)] != 0; }
  constexpr auto weight(std::size_t n) const -> std::uint32_t { return weights.empty() ? 1 : weights[n]; }
  constexpr auto follows(node_id id) const -> bool { return !leader_of.empty() && leader_of[index(id)] != id; }
};

/// What lists name and what a support accepts; a node that is in no list may follow another, which takes it where that one is. A node of
/// `NonCompute` weighs nothing, one of `Alone` 1 more, one that follows another nothing.
template <operator_support Support, operator_support NonCompute = no_support, operator_support Alone = no_support>
constexpr auto choose_nodes(const program_view& program, span<const node_list> lists = {}) -> node_choice {
  constexpr bool is_weighed = has_followers<Support> || !std::is_same_v<NonCompute, no_support> || !std::is_same_v<Alone, no_support>;
  node_choice made{vector<device_index>(program.nodes.size(), 0)};
  if (!lists.empty()) made.is_placeholder_taken.resize(program.values.size(), 0);
  for (const auto& list : lists) {
    for (const auto id : list.nodes) made.device_of[index(id)] = 1;
    for (const auto id : list.placeholders) made.is_placeholder_taken[index(id)] = 1;
  }
  vector<node_id> producers;
  if constexpr (has_followers<Support>) {
    producers = producers_of(program);
    made.leader_of.resize(program.nodes.size(), none<node_id>);
  }
  if constexpr (is_weighed) made.weights.resize(program.nodes.size(), 0);
  for (const auto id : visible_nodes(program)) {
    auto& device = made.device_of[index(id)];
    if constexpr (has_followers<Support>) {
      made.leader_of[index(id)] = id;
      if (device == 0 && Support::follows(program, program[id])) {
        const auto producer = producers[index(program.inputs(program[id])[0])];
        if (producer == none<node_id>) continue;
        made.leader_of[index(id)] = made.leader_of[index(producer)];
        device = made.device_of[index(producer)];
        continue;
      }
    }
    if (device == 0) device = Support::supports(program, program[id]).accepted ? 1 : 0;
    if constexpr (is_weighed) {
      if (device == 0) continue;
      made.weights[index(id)] =
          (NonCompute::supports(program, program[id]).accepted ? 0u : 1u) + (Alone::supports(program, program[id]).accepted ? 1u : 0u);
    }
  }
  return made;
}

}  // namespace baton::detail

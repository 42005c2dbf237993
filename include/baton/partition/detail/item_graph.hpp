// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// One graph as items that use one another, some of which belong together, and the parts that are made of them.
#pragma once

#include <baton/core/npos.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// One graph's placeholders, then its nodes, as items with users, each once.
struct item_graph {
  vector<value_id> placeholders;
  std::uint32_t first_node = 0;
  adjacency users;

  constexpr item_graph(const program_view& program, graph_id id)
      : placeholders(program.inputs(program[id]).begin(), program.inputs(program[id]).end()),
        first_node(program[id].nodes.first),
        producers_(program.values.size(), npos) {
    for (std::uint32_t i = 0; i < placeholders.size(); ++i) producers_[index(placeholders[i])] = i;
    vector<edge> uses;
    auto item = static_cast<std::uint32_t>(placeholders.size());
    vector<std::uint32_t> latest_user(placeholders.size() + program[id].nodes.size, npos);
    for (const auto& record : program.nodes_of(program[id])) {
      for (const auto input : program.inputs(record)) {
        const auto producer = producer_of(input);
        if (producer == npos || latest_user[producer] == item) continue;
        latest_user[producer] = item;
        uses.emplace_back(producer, item);
      }
      for (const auto output : program.outputs_of(record)) producers_[index(output)] = item;
      ++item;
    }
    users = {uses, latest_user.size()};
  }
  /// The item that a value is, or that makes it; `npos` of this graph.
  constexpr auto producer_of(value_id id) const -> std::uint32_t { return id == none<value_id> ? npos : producers_[index(id)]; }
  /// Uses of what nodes make. Placeholders come before nothing: owned data is there for all its users, whatever part it goes along with.
  constexpr auto uses_of_nodes() const -> vector<edge> {
    vector<edge> listed;
    for (auto item = static_cast<std::uint32_t>(placeholders.size()); item < users.size(); ++item) {
      for (const auto user : users[item]) listed.emplace_back(item, user);
    }
    return listed;
  }
  constexpr auto size() const -> std::size_t { return users.size(); }
  constexpr auto is_node(std::size_t item) const -> bool { return item >= placeholders.size(); }
  constexpr auto node_of(std::size_t item) const -> node_id {
    return static_cast<node_id>(first_node + static_cast<std::uint32_t>(item - placeholders.size()));
  }
  constexpr auto item_of(node_id id) const -> std::size_t { return placeholders.size() + (index(id) - first_node); }

 private:
  vector<std::uint32_t> producers_;  ///< by value
};

/// What stands for an item's group where it has none of its own.
namespace item_group {

inline constexpr std::uint32_t alone = 0xfffffffeu;  ///< it may join any part

}  // namespace item_group

/// The parts of a graph.
struct item_parts {
  vector<std::uint32_t> part_of;  ///< by item, its position in `ids`; `npos`
  vector<std::uint32_t> ids;
  std::uint32_t next_id = 0;  ///< larger than all of them
};

}  // namespace baton::detail

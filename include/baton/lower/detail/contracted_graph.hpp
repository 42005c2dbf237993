// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A graph of a program, with each part contracted to one node. A part is the nodes of a graph that become one delegate. The contracted
// graph provides the node order of the lowered graph, and the cycles through parts.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/graph/cycle.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/graph/order.hpp>
#include <baton/graph/shared/cycle_text.hpp>
#include <baton/graph/shared/edges_between_units.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/operators/shared/state_order.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::detail {

/// Tables that all contracted graphs of a program share. The size of the tables is O(values + tags). A tag is the name of a part.
struct contraction_tables {
  vector<node_id> producers;          ///< the result of `producers_of`
  vector<std::uint32_t> unit_of_tag;  ///< indexed by tag; all `npos` except while a contracted graph is constructed

  constexpr explicit contraction_tables(const program_view& program)
      : producers(producers_of(program)),
        unit_of_tag(program.tags.size(), npos) {}
};

/// A graph of units. A unit is a part, or a single node outside parts.
class contracted_graph {
 public:
  constexpr contracted_graph(const program_view& program, graph_id id, contraction_tables& tables)
      : program_(program),
        graph_(program[id]) {
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      const auto tag = node_at(n).tag;
      auto unit = has_spec(program, tag) ? tables.unit_of_tag[index(tag)] : npos;
      if (unit == npos) {
        unit = static_cast<std::uint32_t>(last_.size());
        last_.push_back(n);
        if (has_spec(program, tag)) tables.unit_of_tag[index(tag)] = unit;
      }
      last_[unit] = n;
      unit_.push_back(unit);
    }
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      if (const auto tag = node_at(n).tag; has_spec(program, tag)) tables.unit_of_tag[index(tag)] = npos;
    }
    successors_ = {edges_between_units(dependencies_between(program, graph_, tables.producers), unit_), units()};
  }

  /// Returns the units in a topological order close to the graph's node order. Each unit is represented by its last node. If the units form
  /// a cycle, the result has fewer than `units()` elements.
  constexpr auto order() const -> vector<node_id> {
    vector<node_id> nodes;
    for (const auto unit : topological_order(successors_, last_)) nodes.push_back(static_cast<node_id>(graph_.nodes.first + last_[unit]));
    return nodes;
  }
  constexpr auto units() const -> std::size_t { return last_.size(); }

  /// Returns a shortest cycle through parts as edges between nodes of the program, or an empty list if there is no cycle. In each edge, the
  /// second node depends on the first. The end of an edge and the start of the next edge are the same node, or nodes of one part.
  constexpr auto cycle(const vector<node_id>& producers) const -> vector<edge> {
    const auto uses = dependencies_between(program_, graph_, producers);
    auto edges = cycle_finder(uses, unit_, units()).shortest();
    for (auto& [from, to] : edges) {
      from += graph_.nodes.first;
      to += graph_.nodes.first;
    }
    return edges;
  }

  /// Returns the failure `dependency_cycle`. The failure names the first node of the cycle and that node's tag; the reason lists the whole
  /// cycle. The graph must have a cycle.
  constexpr auto cycle_failure(const vector<node_id>& producers) const -> failure {
    const auto edges = cycle(producers);
    const auto name = [this](std::uint32_t n) { return program_.text(program_.nodes[n].name); };
    const auto tag = [this](std::uint32_t n) {
      const auto id = program_.nodes[n].tag;
      return has_spec(program_, id) ? program_.text(program_[id].name) : std::string_view{};
    };
    auto text = cycle_text(edges, name, tag);
    add_state_steps(text, program_, edges);
    auto why = broken<"dependency_cycle">(view(text));
    const auto first = edges.front().first;
    return with_tag_of(locate(std::move(why), program_, static_cast<node_id>(first)), program_, program_.nodes[first].tag);
  }

 private:
  constexpr auto node_at(std::uint32_t n) const -> const node& { return program_.nodes[graph_.nodes.first + n]; }

  program_view program_;
  graph graph_;
  vector<std::uint32_t> unit_;  ///< indexed by node of the graph: the unit that contains the node
  vector<std::uint32_t> last_;  ///< indexed by unit: the last node of the unit
  adjacency successors_;        ///< indexed by unit: the units that depend on the unit, possibly listed more than once
};

}  // namespace baton::detail

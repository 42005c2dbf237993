// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A graph in which every part is one node: the order of what lowering leaves, and the cycles that a tag would make.
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

/// Tables of a program's size that every contracted graph of it needs, made once for all.
struct contraction_tables {
  vector<node_id> producers;
  vector<std::uint32_t> unit_of_tag;  ///< by tag: `npos` between two graphs

  constexpr explicit contraction_tables(const program_view& program)
      : producers(producers_of(program)),
        unit_of_tag(program.tags.size(), npos) {}
};

/// A graph whose parts count as one node each: its units.
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
    following_ = {edges_between_units(dependencies_between(program, graph_, tables.producers), unit_), units()};
  }

  /// The units in an order in which each comes after all it depends on, close to that of the graph: a unit is named by its last node.
  /// Shorter than the number of units if there is a cycle.
  constexpr auto order() const -> vector<node_id> {
    vector<node_id> placed;
    for (const auto unit : topological_order(following_, last_)) placed.push_back(static_cast<node_id>(graph_.nodes.first + last_[unit]));
    return placed;
  }
  constexpr auto units() const -> std::size_t { return last_.size(); }

  /// A shortest cycle through parts, as the nodes of the program along it: each depends on the one before, from part to part or node; empty
  /// if there is none.
  constexpr auto cycle(const vector<node_id>& producers) const -> vector<edge> {
    const auto uses = dependencies_between(program_, graph_, producers);
    auto found = cycle_finder(uses, unit_, units()).shortest();
    for (auto& [from, to] : found) {
      from += graph_.nodes.first;
      to += graph_.nodes.first;
    }
    return found;
  }

  /// The failure that names the tag and the whole path of a cycle that is there.
  constexpr auto cycle_failure(const vector<node_id>& producers) const -> failure {
    const auto found = cycle(producers);
    const auto name = [this](std::uint32_t n) { return program_.text(program_.nodes[n].name); };
    const auto tag = [this](std::uint32_t n) {
      const auto id = program_.nodes[n].tag;
      return has_spec(program_, id) ? program_.text(program_[id].name) : std::string_view{};
    };
    auto text = cycle_text(found, name, tag);
    add_state_steps(text, program_, found);
    auto why = broken<"dependency_cycle">(view(text));
    const auto first = found.front().first;
    return with_tag_of(locate(std::move(why), program_, static_cast<node_id>(first)), program_, program_.nodes[first].tag);
  }

 private:
  constexpr auto node_at(std::uint32_t n) const -> const node& { return program_.nodes[graph_.nodes.first + n]; }

  program_view program_;
  graph graph_;
  vector<std::uint32_t> unit_;  ///< by node
  vector<std::uint32_t> last_;  ///< by unit: its last node
  adjacency following_;         ///< by unit, those that use it; a pair may stand there more than once
};

}  // namespace baton::detail

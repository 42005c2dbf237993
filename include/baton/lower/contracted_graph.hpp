// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A graph in which every part is one node: the order of what lowering leaves, and the cycles that a tag would make.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/part.hpp>
#include <baton/lower/part_rules.hpp>
#include <baton/partition/cycle.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::detail {

/// Tables of a program's size that every contracted graph of it needs, made once for all.
struct contraction_tables {
  static constexpr std::uint32_t nothing = 0xffffffffu;

  vector<std::uint32_t> maker;        ///< by value: the node that makes it
  vector<std::uint32_t> unit_of_tag;  ///< by tag: `nothing` between two graphs

  constexpr explicit contraction_tables(const program_view& program)
      : maker(program.values.size(), nothing),
        unit_of_tag(program.tags.size(), nothing) {
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      for (const auto output : program.outputs_of(program.nodes[n])) maker[index(output)] = n;
    }
  }
};

/// Kahn's algorithm over a graph whose parts count as one node each; what cannot be placed lies on a cycle, or behind one.
class contracted_graph {
 public:
  constexpr contracted_graph(const program_view& program, graph_id id, contraction_tables& tables)
      : program_(program),
        graph_(program[id]) {
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      const auto tag = node_at(n).tag;
      auto unit = has_spec(program, tag) ? tables.unit_of_tag[index(tag)] : no_unit;
      if (unit == no_unit) {
        unit = static_cast<std::uint32_t>(last_.size());
        last_.push_back(n);
        if (has_spec(program, tag)) tables.unit_of_tag[index(tag)] = unit;
      }
      last_[unit] = n;
      unit_.push_back(unit);
    }
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      if (const auto tag = node_at(n).tag; has_spec(program, tag)) tables.unit_of_tag[index(tag)] = no_unit;
    }
    connect(tables.maker);
  }

  /// The units in an order in which each comes after all it depends on, close to that of the graph: a unit is told by its last node.
  /// Shorter than the number of units if there is a cycle.
  constexpr auto order() -> vector<node_id> {
    vector<node_id> placed;
    vector<std::uint32_t> ready;  // a heap: the unit whose last node is earliest comes first
    const auto later = [this](std::uint32_t a, std::uint32_t b) { return last_[a] > last_[b]; };
    const auto push = [&](std::uint32_t unit) {
      ready.push_back(unit);
      std::push_heap(ready.begin(), ready.end(), later);
    };
    for (std::uint32_t unit = 0; unit < waiting_.size(); ++unit) {
      if (waiting_[unit] == 0) push(unit);
    }
    while (!ready.empty()) {
      std::pop_heap(ready.begin(), ready.end(), later);
      const auto unit = ready.back();
      ready.pop_back();
      placed.push_back(static_cast<node_id>(graph_.nodes.first + last_[unit]));
      for (auto e = first_edge_[unit]; e < first_edge_[unit + 1]; ++e) {
        if (--waiting_[targets_[e]] == 0) push(targets_[e]);
      }
    }
    return placed;
  }
  constexpr auto units() const -> std::size_t { return last_.size(); }

  /// A shortest cycle through parts, as the nodes of the program along it: each uses what the one before makes, from part to part or node;
  /// empty if there is none.
  constexpr auto cycle(const vector<std::uint32_t>& maker) const -> vector<item_use> {
    vector<item_use> uses;
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      for (const auto input : program_.inputs(node_at(n))) {
        if (const auto made_by = maker_in_graph(maker, input); made_by != no_unit) uses.emplace_back(made_by, n);
      }
    }
    auto found = cycle_finder(uses, unit_, units()).shortest();
    for (auto& [from, to] : found) {
      from += graph_.nodes.first;
      to += graph_.nodes.first;
    }
    return found;
  }

  /// The failure that names the tag and the whole path of a cycle that is there.
  constexpr auto cycle_failure(const vector<std::uint32_t>& maker) const -> failure {
    const auto found = cycle(maker);
    const auto name = [this](std::uint32_t n) { return program_.text(program_.nodes[n].name); };
    const auto tag = [this](std::uint32_t n) {
      const auto id = program_.nodes[n].tag;
      return has_spec(program_, id) ? program_.text(program_[id].name) : std::string_view{};
    };
    auto why = broken<rule::dependency_cycle>(view(told_cycle(found, name, tag)));
    const auto first = found.front().first;
    return with_tag_of(locate(std::move(why), program_, static_cast<node_id>(first)), program_, program_.nodes[first].tag);
  }

 private:
  static constexpr std::uint32_t no_unit = contraction_tables::nothing;

  constexpr auto node_at(std::uint32_t n) const -> const node& { return program_.nodes[graph_.nodes.first + n]; }

  /// The place in this graph of the node that makes an operand; `no_unit`: none makes it here.
  constexpr auto maker_in_graph(const vector<std::uint32_t>& maker, value_id input) const -> std::uint32_t {
    const auto made_by = input == none<value_id> ? no_unit : maker[index(input)];
    const bool is_here = made_by >= graph_.nodes.first && made_by - graph_.nodes.first < graph_.nodes.size;
    return is_here ? made_by - graph_.nodes.first : no_unit;
  }

  // Edges from unit to unit, as a compressed list; a pair may stand there more than once.
  constexpr void connect(const vector<std::uint32_t>& maker) {
    waiting_.assign(last_.size(), 0);
    first_edge_.assign(last_.size() + 1, 0);
    vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      for (const auto input : program_.inputs(node_at(n))) {
        const auto made_by = maker_in_graph(maker, input);
        if (made_by == no_unit) continue;
        const auto from = unit_[made_by];
        if (from == unit_[n]) continue;
        edges.emplace_back(from, unit_[n]);
        first_edge_[from + 1] += 1;
        waiting_[unit_[n]] += 1;
      }
    }
    for (std::size_t unit = 0; unit + 1 < first_edge_.size(); ++unit) first_edge_[unit + 1] += first_edge_[unit];
    targets_.assign(edges.size(), 0);
    auto next = first_edge_;
    for (const auto& [from, to] : edges) targets_[next[from]++] = to;
  }

  program_view program_;
  graph graph_;
  vector<std::uint32_t> unit_;  ///< by node
  vector<std::uint32_t> last_;  ///< by unit: its last node
  vector<std::uint32_t> waiting_;
  vector<std::uint32_t> first_edge_;
  vector<std::uint32_t> targets_;
};

}  // namespace baton::detail

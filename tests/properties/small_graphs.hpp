// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Every acyclic graph with a few nodes, and exhaustive searches: the groupings that form a cycle, and the minimum number of parts.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace properties {

inline constexpr std::size_t max_small_nodes = 8;

/// A set of nodes of a small graph, or of its units.
using small_set = std::uint32_t;
constexpr auto has(small_set set, std::size_t member) -> bool { return (set >> member & 1) != 0; }

/// A graph with nodes in topological order, and for each node the earlier nodes that it uses.
struct small_graph {
  std::size_t size = 0;
  std::array<small_set, max_small_nodes> uses{};

  constexpr auto edges() const -> std::size_t { return size * (size - 1) / 2; }
};

/// Returns the number of graphs with `nodes` nodes: one for each set of forward edges.
constexpr auto count_of_graphs(std::size_t nodes) -> std::uint64_t { return std::uint64_t{1} << (nodes * (nodes - 1) / 2); }

/// Returns the graph of a number, which has one bit per edge.
constexpr auto graph_of(std::size_t nodes, std::uint64_t number) -> small_graph {
  small_graph graph{nodes, {}};
  for (std::size_t n = 1; n < nodes; ++n) {
    graph.uses[n] = static_cast<small_set>(number & ((std::uint64_t{1} << n) - 1));
    number >>= n;
  }
  return graph;
}

/// Returns the nodes without users.
constexpr auto ends_of(const small_graph& graph) -> small_set {
  small_set used = 0;
  for (std::size_t n = 0; n < graph.size; ++n) used |= graph.uses[n];
  return ~used & ((small_set{1} << graph.size) - 1);
}

/// The unit of each node. The nodes of a part have one unit; every other node is a unit alone.
using grouping = std::array<std::uint8_t, max_small_nodes>;

/// Returns the units on a cycle, if every unit counts as one node.
constexpr auto units_on_cycles(const small_graph& graph, const grouping& unit_of) -> small_set {
  std::array<small_set, max_small_nodes> reach{};
  for (std::size_t n = 0; n < graph.size; ++n) {
    for (std::size_t used = 0; used < n; ++used) {
      if (has(graph.uses[n], used) && unit_of[n] != unit_of[used]) reach[unit_of[used]] |= small_set{1} << unit_of[n];
    }
  }
  // Warshall's algorithm: allows paths through one more unit at a time.
  for (std::size_t through = 0; through < max_small_nodes; ++through) {
    for (auto& from : reach) {
      if (has(from, through)) from |= reach[through];
    }
  }
  small_set result = 0;
  for (std::size_t unit = 0; unit < max_small_nodes; ++unit) {
    if (has(reach[unit], unit)) result |= small_set{1} << unit;
  }
  return result;
}

namespace detail {

template <class Mergeable, class F>
constexpr void for_each_grouping_from(std::size_t n, std::size_t size, small_set tagged, std::size_t parts, grouping& unit_of,
                                      const Mergeable& mergeable, const F& f) {
  if (n == size) {
    f(unit_of, parts);
    return;
  }
  if (!has(tagged, n)) {
    for_each_grouping_from(n + 1, size, tagged, parts, unit_of, mergeable, f);
    return;
  }
  // A part has the number of its first node, so that it differs from all single units.
  for (std::size_t first = 0; first < n; ++first) {
    if (!has(tagged, first) || unit_of[first] != first || !mergeable(first, n)) continue;
    unit_of[n] = static_cast<std::uint8_t>(first);
    for_each_grouping_from(n + 1, size, tagged, parts, unit_of, mergeable, f);
  }
  unit_of[n] = static_cast<std::uint8_t>(n);
  for_each_grouping_from(n + 1, size, tagged, parts + 1, unit_of, mergeable, f);
}

}  // namespace detail

/// Calls `f` with every grouping of the nodes of a set into parts, and the number of parts. Other nodes are single units. Two nodes may
/// share a part only if `mergeable` returns true.
template <class Mergeable, class F>
constexpr void for_each_grouping(std::size_t size, small_set tagged, const Mergeable& mergeable, const F& f) {
  grouping unit_of{};
  for (std::size_t n = 0; n < max_small_nodes; ++n) unit_of[n] = static_cast<std::uint8_t>(n);
  detail::for_each_grouping_from(0, size, tagged, 0, unit_of, mergeable, f);
}

template <class F>
constexpr void for_each_grouping(std::size_t size, small_set tagged, const F& f) {
  for_each_grouping(size, tagged, [](std::size_t, std::size_t) { return true; }, f);
}

/// Returns the minimum number of parts that contain these nodes and form no cycle, over all groupings.
template <class Mergeable>
constexpr auto fewest_parts(const small_graph& graph, small_set tagged, const Mergeable& mergeable) -> std::size_t {
  auto fewest = graph.size + 1;
  for_each_grouping(graph.size, tagged, mergeable, [&](const grouping& unit_of, std::size_t parts) {
    if (parts < fewest && units_on_cycles(graph, unit_of) == 0) fewest = parts;
  });
  return fewest;
}
constexpr auto fewest_parts(const small_graph& graph, small_set tagged) -> std::size_t {
  return fewest_parts(graph, tagged, [](std::size_t, std::size_t) { return true; });
}

/// Returns the grouping by the tags of a program. Node n of the program is node n of the graph.
constexpr auto grouping_of(const baton::program_view& program) -> grouping {
  grouping unit_of{};
  for (std::size_t n = 0; n < program.nodes.size(); ++n) {
    const auto tag = program.nodes[n].tag;
    unit_of[n] = static_cast<std::uint8_t>(n);
    for (std::size_t earlier = 0; earlier < n && unit_of[n] == n; ++earlier) {
      if (tag != baton::none<baton::tag_id> && program.nodes[earlier].tag == tag) unit_of[n] = static_cast<std::uint8_t>(earlier);
    }
  }
  return unit_of;
}

/// Options for the program of a small graph.
struct small_program_form {
  std::size_t outputs = 1;               ///< of every node
  std::uint64_t choices = 0;             ///< with two outputs: two bits per edge, for the first, the second, or both
  small_set returned = 0;                ///< nodes whose first output is returned, besides nodes without users
  small_set readers = 0;                 ///< nodes that read the mutable buffer
  std::size_t writer = max_small_nodes;  ///< the node that produces the new value of the buffer, if any
};

/// Returns the program of a graph. Node n of the program is node n of the graph, with operator `aten.u`. Its operands are the outputs of
/// the nodes that it uses, or the user input if there are none.
constexpr auto program_of(const small_graph& graph, const small_program_form& form = {}) -> baton::exported_program {
  constexpr auto type = baton::tensor(baton::dtype::float32, 4);
  const bool has_buffer = form.readers != 0 || form.writer < graph.size;
  baton::program_builder b;
  const auto x = b.user_input("x", type);
  const auto buffer = has_buffer ? b.mutable_buffer("state", type) : baton::none<baton::value_id>;
  baton::vector<baton::value_id> values;
  auto choices = form.choices;
  for (std::size_t n = 0; n < graph.size; ++n) {
    baton::vector<baton::value_id> inputs;
    for (std::size_t used = 0; used < n; ++used) {
      if (!has(graph.uses[n], used)) continue;
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(used * form.outputs);
      if (form.outputs == 1) {
        inputs.push_back(*first);
        continue;
      }
      if (choices % 4 != 1) inputs.push_back(first[0]);
      if (choices % 4 != 0) inputs.push_back(first[1]);
      choices >>= 2;
    }
    if (has(form.readers, n)) inputs.push_back(buffer);
    if (inputs.empty()) inputs.push_back(x);
    const auto outputs = values.size();
    for (std::size_t o = 0; o < form.outputs; ++o) {
      values.push_back(b.add_value(b.make_value(baton::view(baton::join("v", values.size())), type, baton::value_kind::intermediate)));
    }
    b.add_node(b.make_node(baton::view(baton::join("n", n)), "aten.u"), inputs, baton::span{values}.subspan(outputs));
  }
  if (form.writer < graph.size) b.mutation(values[form.writer * form.outputs], "state");
  for (std::size_t n = 0; n < graph.size; ++n) {
    const bool is_used = !has(ends_of(graph), n) || n == form.writer;
    if (!is_used || has(form.returned, n)) b.output(values[n * form.outputs]);
  }
  return b.finish();
}

/// Returns the minimum number of parts without a cycle that keep groups whole, over all groupings of the supported nodes; 0 if there is
/// none.
inline auto fewest_around_groups(const small_graph& graph, small_set set, const grouping& group_of) -> std::size_t {
  std::size_t fewest = 0;
  for_each_grouping(graph.size, set, [&](const grouping& unit_of, std::size_t parts) {
    bool keeps = true;
    for (std::size_t n = 0; n < graph.size; ++n) keeps = keeps && unit_of[n] == unit_of[group_of[n]];
    if (keeps && units_on_cycles(graph, unit_of) == 0 && (fewest == 0 || parts < fewest)) fewest = parts;
  });
  return fewest;
}

}  // namespace properties

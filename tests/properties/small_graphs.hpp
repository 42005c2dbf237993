// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Every acyclic graph of a few nodes, and what is known of it by trying all there is: which groupings form a cycle, how few parts there
// are.
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

/// A set of nodes of a small graph, or of units of one.
using small_set = std::uint32_t;
constexpr auto has(small_set set, std::size_t member) -> bool { return (set >> member & 1) != 0; }

/// Nodes in a topological order: for each, the earlier nodes that it uses.
struct small_graph {
  std::size_t size = 0;
  std::array<small_set, max_small_nodes> uses{};

  constexpr auto edges() const -> std::size_t { return size * (size - 1) / 2; }
};

/// The number of graphs of so many nodes: one for each set of edges that go forward.
constexpr auto count_of_graphs(std::size_t nodes) -> std::uint64_t { return std::uint64_t{1} << (nodes * (nodes - 1) / 2); }

/// The graph of that number: a bit an edge.
constexpr auto graph_of(std::size_t nodes, std::uint64_t number) -> small_graph {
  small_graph made{nodes, {}};
  for (std::size_t n = 1; n < nodes; ++n) {
    made.uses[n] = static_cast<small_set>(number & ((std::uint64_t{1} << n) - 1));
    number >>= n;
  }
  return made;
}

/// The nodes that nobody uses.
constexpr auto ends_of(const small_graph& graph) -> small_set {
  small_set used = 0;
  for (std::size_t n = 0; n < graph.size; ++n) used |= graph.uses[n];
  return ~used & ((small_set{1} << graph.size) - 1);
}

/// For each node its unit: those of a part have one, everybody else one alone.
using grouping = std::array<std::uint8_t, max_small_nodes>;

/// The units that lie on a cycle when every unit counts as one node: those from which a path leads back to them.
constexpr auto units_on_cycles(const small_graph& graph, const grouping& unit_of) -> small_set {
  std::array<small_set, max_small_nodes> reach{};
  for (std::size_t n = 0; n < graph.size; ++n) {
    for (std::size_t used = 0; used < n; ++used) {
      if (has(graph.uses[n], used) && unit_of[n] != unit_of[used]) reach[unit_of[used]] |= small_set{1} << unit_of[n];
    }
  }
  // Warshall: a path is as long as it likes once it may pass through every unit.
  for (std::size_t through = 0; through < max_small_nodes; ++through) {
    for (auto& from : reach) {
      if (has(from, through)) from |= reach[through];
    }
  }
  small_set found = 0;
  for (std::size_t unit = 0; unit < max_small_nodes; ++unit) {
    if (has(reach[unit], unit)) found |= small_set{1} << unit;
  }
  return found;
}

namespace detail {

template <class Mergeable, class F>
constexpr void for_each_grouping_from(std::size_t n, std::size_t size, small_set taken, std::size_t parts, grouping& unit_of,
                                      const Mergeable& mergeable, const F& f) {
  if (n == size) {
    f(unit_of, parts);
    return;
  }
  if (!has(taken, n)) {
    for_each_grouping_from(n + 1, size, taken, parts, unit_of, mergeable, f);
    return;
  }
  // A part is called by its first node, so that it has the number of no unit that stands alone.
  for (std::size_t first = 0; first < n; ++first) {
    if (!has(taken, first) || unit_of[first] != first || !mergeable(first, n)) continue;
    unit_of[n] = static_cast<std::uint8_t>(first);
    for_each_grouping_from(n + 1, size, taken, parts, unit_of, mergeable, f);
  }
  unit_of[n] = static_cast<std::uint8_t>(n);
  for_each_grouping_from(n + 1, size, taken, parts + 1, unit_of, mergeable, f);
}

}  // namespace detail

/// Calls `f` with every way to group the nodes of a set into parts, and the number of parts; the others stand alone. Two nodes share a part
/// only where `mergeable` says that they may.
template <class Mergeable, class F>
constexpr void for_each_grouping(std::size_t size, small_set taken, const Mergeable& mergeable, const F& f) {
  grouping unit_of{};
  for (std::size_t n = 0; n < max_small_nodes; ++n) unit_of[n] = static_cast<std::uint8_t>(n);
  detail::for_each_grouping_from(0, size, taken, 0, unit_of, mergeable, f);
}

template <class F>
constexpr void for_each_grouping(std::size_t size, small_set taken, const F& f) {
  for_each_grouping(size, taken, [](std::size_t, std::size_t) { return true; }, f);
}

/// The smallest number of parts that take these nodes and form no cycle, of all groupings there are.
template <class Mergeable>
constexpr auto fewest_parts(const small_graph& graph, small_set taken, const Mergeable& mergeable) -> std::size_t {
  auto fewest = graph.size + 1;
  for_each_grouping(graph.size, taken, mergeable, [&](const grouping& unit_of, std::size_t parts) {
    if (parts < fewest && units_on_cycles(graph, unit_of) == 0) fewest = parts;
  });
  return fewest;
}
constexpr auto fewest_parts(const small_graph& graph, small_set taken) -> std::size_t {
  return fewest_parts(graph, taken, [](std::size_t, std::size_t) { return true; });
}

/// The grouping that the tags of a program mean, whose node n is the graph's node n.
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

/// How a small graph becomes a program.
struct small_program_form {
  std::size_t outputs = 1;               ///< of every node
  std::uint64_t choices = 0;             ///< with two outputs: two bits an edge: the first, the second, or both
  small_set returned = 0;                ///< nodes whose first output is returned, besides those that nobody uses
  small_set readers = 0;                 ///< nodes that read the mutable buffer
  std::size_t writer = max_small_nodes;  ///< the node that makes the buffer's new value; none
};

/// The graph as a program: node n is its node n, of operator `u`, whose operands are the outputs of the nodes it uses, or the user input if
/// there are none.
constexpr auto program_of(const small_graph& graph, const small_program_form& form = {}) -> baton::exported_program {
  constexpr auto type = baton::tensor(baton::dtype::float32, 4);
  const bool has_buffer = form.readers != 0 || form.writer < graph.size;
  baton::program_builder b;
  const auto x = b.user_input("x", type);
  const auto buffer = has_buffer ? b.mutable_buffer("state", type) : baton::none<baton::value_id>;
  baton::vector<baton::value_id> made;
  auto choices = form.choices;
  for (std::size_t n = 0; n < graph.size; ++n) {
    baton::vector<baton::value_id> inputs;
    for (std::size_t used = 0; used < n; ++used) {
      if (!has(graph.uses[n], used)) continue;
      const auto first = made.begin() + static_cast<std::ptrdiff_t>(used * form.outputs);
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
    const auto outputs = made.size();
    for (std::size_t o = 0; o < form.outputs; ++o) {
      made.push_back(b.add_value(b.make_value(baton::view(baton::join("v", made.size())), type, baton::value_kind::intermediate)));
    }
    b.add_node(b.make_node(baton::view(baton::join("n", n)), "aten.u"), inputs, baton::span{made}.subspan(outputs));
  }
  if (form.writer < graph.size) b.mutation(made[form.writer * form.outputs], "state");
  for (std::size_t n = 0; n < graph.size; ++n) {
    const bool is_used = !has(ends_of(graph), n) || n == form.writer;
    if (!is_used || has(form.returned, n)) b.output(made[n * form.outputs]);
  }
  return b.finish();
}

/// The fewest parts without a cycle that keep groups whole, of all groupings of the nodes that are supported; 0: there are none.
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

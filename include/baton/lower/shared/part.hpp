// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A part: the nodes of one graph with one tag, which become one delegate. Finds the parts of a program and their boundaries.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/partition_result.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// The id of a part: the nodes of `graph` with tag `tag`.
struct part_id {
  graph_id graph{0};
  tag_id tag{0};
};

/// The nodes of a part, and the values that cross its boundary, as ids of the program that contains the part.
struct part_boundary {
  part_id id;
  vector<node_id> nodes;       ///< in graph order
  vector<value_id> owned;      ///< data that the part owns: parameters, buffers, then constants, each in the order of the graph's inputs
  vector<value_id> arguments;  ///< the arguments of the delegate call, in order of first use
  vector<value_id> mutations;  ///< the new values of buffers that the part owns, in graph order
  vector<byte_ref> mutated;    ///< for each mutation, the fully qualified name of its buffer
  vector<value_id> outputs;    ///< the values that are used outside the part, in graph order
};

namespace detail {

/// Returns `why` with the names of a tag and its backend added.
constexpr auto with_tag_of(failure why, const program_view& program, tag_id id) -> failure {
  why.tag = join(program.text(program[id].name));
  why.backend = join(program.text(program[id].backend_id));
  return why;
}

/// True if at least one node of the graph `g` belongs to a part.
constexpr auto has_parts(const program_view& program, const graph& g) -> bool {
  const auto nodes = program.nodes_of(g);
  return std::any_of(nodes.begin(), nodes.end(), [&](const node& record) { return has_spec(program, record.tag); });
}

/// Returns, indexed by graph, whether the graph is a subgraph of a node or the original graph of a lowered module. A lowered module is the
/// nodes that a backend's `preprocess` has compiled.
constexpr auto inner_graphs(const program_view& program) -> vector<char> {
  vector<char> is_inner(program.graphs.size(), 0);
  for (const auto& record : program.nodes) {
    for (const auto g : program.subgraphs_of(record)) is_inner[index(g)] = 1;
  }
  for (const auto& module : program.delegates) is_inner[index(module.original)] = 1;
  return is_inner;
}

/// Returns the graphs whose parts are lowered. Graphs within lowered modules, and subgraphs of nodes in a part, are excluded. The order is
/// depth-first: each entry point is followed by the subgraphs of its nodes, in node order. An entry point is a graph that `inner_graphs`
/// does not mark.
constexpr auto graphs_in_order(const program_view& program) -> vector<graph_id> {
  const auto is_inner = inner_graphs(program);
  vector<char> seen(program.graphs.size(), 0);
  vector<graph_id> order;
  vector<graph_id> open;
  for (auto entry = program.graphs.size(); entry-- > 0;) {
    if (is_inner[entry] == 0) open.push_back(static_cast<graph_id>(entry));
  }
  while (!open.empty()) {
    const auto id = open.back();
    open.pop_back();
    if (std::exchange(seen[index(id)], char{1}) != 0) continue;
    order.push_back(id);
    const auto first = static_cast<std::ptrdiff_t>(open.size());
    for (const auto& record : program.nodes_of(program[id])) {
      if (has_spec(program, record.tag)) continue;
      for (const auto called : program.subgraphs_of(record)) open.push_back(called);
    }
    std::reverse(open.begin() + first, open.end());
  }
  return order;
}

/// Returns, indexed by graph, whether the parts of the graph are lowered.
constexpr auto lowered_graphs(const program_view& program) -> vector<char> {
  vector<char> is_lowered(program.graphs.size(), 0);
  for (const auto id : graphs_in_order(program)) is_lowered[index(id)] = 1;
  return is_lowered;
}

/// A search for the boundaries of parts, graph by graph. O(program size), independent of the number of parts. Tables that are indexed by
/// value are not cleared between graphs, because each value belongs to one graph.
class boundary_finder {
 public:
  constexpr boundary_finder(const program_view& program, span<const part_id> parts)
      : program_(program),
        position_of_tag_(program.tags.size(), npos),
        producer_(program.values.size(), npos),
        roles_(program.values.size(), 0),
        lister_(program.values.size(), npos) {
    boundaries_.reserve(parts.size());
    for (const auto& id : parts) boundaries_.push_back({id, {}, {}, {}, {}, {}, {}});
  }

  constexpr auto run() -> vector<part_boundary> {
    std::uint32_t end = 0;
    for (std::uint32_t begin = 0; begin < boundaries_.size(); begin = end) {
      while (end < boundaries_.size() && boundaries_[end].id.graph == boundaries_[begin].id.graph) ++end;
      visit_graph(begin, end);
    }
    return std::move(boundaries_);
  }

 private:
  constexpr void visit_graph(std::uint32_t begin, std::uint32_t end) {
    graph_ = program_[boundaries_[begin].id.graph];
    for (auto position = begin; position < end; ++position) position_of_tag_[index(boundaries_[position].id.tag)] = position;
    own(value_kind::parameter, value_kind::parameter);
    own(value_kind::buffer, value_kind::mutable_buffer);
    own(value_kind::constant, value_kind::constant);
    visit_nodes();
    for (const auto& spec : program_.outputs_of(graph_)) visit_output(spec);
    for (auto position = begin; position < end; ++position) {
      list_arguments(position);
      list_outputs(boundaries_[position]);
    }
    for (auto position = begin; position < end; ++position) position_of_tag_[index(boundaries_[position].id.tag)] = npos;
  }

  /// How a value is used. `used_outside`: outside the part that produces or owns the value. `mutates`: as the new value of a buffer that
  /// the same part owns.
  enum role : char { used_outside = 1, mutates = 2 };

  constexpr auto position_of(tag_id id) const -> std::uint32_t { return id == none<tag_id> ? npos : position_of_tag_[index(id)]; }
  constexpr void add_role(value_id id, role added) { roles_[index(id)] = static_cast<char>(roles_[index(id)] | added); }
  constexpr auto has_role(value_id id, role wanted) const -> bool { return (roles_[index(id)] & wanted) != 0; }

  /// Adds each graph input of kind `kind` or `alternative` to the owned data of the part with the same tag.
  constexpr void own(value_kind kind, value_kind alternative) {
    for (const auto input : program_.inputs(graph_)) {
      const auto position = position_of(program_[input].tag);
      if (position == npos || (program_[input].kind != kind && program_[input].kind != alternative)) continue;
      boundaries_[position].owned.push_back(input);
      producer_[index(input)] = position;
    }
  }

  // One traversal is sufficient, because the producer of a value precedes its users.
  constexpr void visit_nodes() {
    for (std::uint32_t n = graph_.nodes.first; n < graph_.nodes.first + graph_.nodes.size; ++n) {
      const auto& record = program_.nodes[n];
      const auto position = position_of(record.tag);
      for (const auto input : program_.inputs(record)) {
        if (input != none<value_id> && producer_[index(input)] != position) add_role(input, used_outside);
      }
      if (position == npos) continue;
      boundaries_[position].nodes.push_back(static_cast<node_id>(n));
      for (const auto output : program_.outputs_of(record)) producer_[index(output)] = position;
    }
  }

  constexpr void visit_output(const output_spec& spec) {
    const bool is_mutation = mutates_data_of_its_part(spec);
    add_role(spec.value, is_mutation ? mutates : used_outside);
    if (!is_mutation) return;
    targets_.resize(program_.values.size(), byte_ref{});
    targets_[index(spec.value)] = spec.target;
  }
  constexpr auto mutates_data_of_its_part(const output_spec& spec) const -> bool {
    const auto position = producer_[index(spec.value)];
    if (position == npos) return false;
    const auto& owned = boundaries_[position].owned;
    return std::any_of(owned.begin(), owned.end(), [&](value_id id) { return program_.is_mutated_by(id, spec); });
  }

  // Parts are visited in sequence, so it suffices to store the last part that listed a value.
  constexpr void list_arguments(std::uint32_t position) {
    for (const auto id : boundaries_[position].nodes) {
      for (const auto input : program_.inputs(program_[id])) {
        if (input == none<value_id> || producer_[index(input)] == position || lister_[index(input)] == position) continue;
        if (program_[input].kind == value_kind::scratch) continue;  // the part contains a copy of the scratch value
        lister_[index(input)] = position;
        boundaries_[position].arguments.push_back(input);
      }
    }
  }

  constexpr void list_outputs(part_boundary& part) const {
    for (const auto id : part.nodes) {
      for (const auto output : program_.outputs_of(program_[id])) {
        if (has_role(output, mutates)) {
          part.mutations.push_back(output);
          part.mutated.push_back(targets_[index(output)]);
        }
        if (has_role(output, used_outside)) part.outputs.push_back(output);
      }
    }
  }

  program_view program_;
  graph graph_{};
  vector<std::uint32_t> position_of_tag_;  ///< indexed by tag: the position of the current graph's part with this tag, or `npos`
  vector<std::uint32_t> producer_;         ///< indexed by value: the position of the part that produces or owns the value, or `npos`
  vector<char> roles_;                     ///< indexed by value: a set of `role`
  vector<byte_ref> targets_;               ///< indexed by value: for a mutation, the name of the buffer
  vector<std::uint32_t> lister_;           ///< indexed by value: the position of the last part that listed the value as an argument
  vector<part_boundary> boundaries_;
};

}  // namespace detail

/// Returns the parts of a tagged program, graph by graph, and within a graph in the order of the tags in
/// `partition_result::partition_tags`. A tag without a spec (backend and compile specs) or without nodes forms no part. Tags within lowered
/// modules, or within subgraphs of nodes in a part, are ignored.
constexpr auto parts_of(const program_view& program) -> vector<part_id> {
  vector<part_id> parts;
  vector<char> seen(program.tags.size(), 0);
  const auto is_lowered = detail::lowered_graphs(program);
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (is_lowered[g] == 0) continue;
    const auto first = parts.size();
    for (const auto& record : program.nodes_of(program.graphs[g])) {
      if (!has_spec(program, record.tag) || seen[index(record.tag)] != 0) continue;
      seen[index(record.tag)] = 1;
      parts.push_back({static_cast<graph_id>(g), record.tag});
    }
    for (auto i = first; i < parts.size(); ++i) seen[index(parts[i].tag)] = 0;
    sort(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(),
         [&](const part_id& a, const part_id& b) { return program[a.tag].order < program[b.tag].order; });
  }
  return parts;
}

/// Returns the boundaries of `parts`, in the same order. The parts of one graph must be contiguous, as in the result of `parts_of`.
/// O(program size), independent of the number of parts.
constexpr auto boundaries_of(const program_view& program, span<const part_id> parts) -> vector<part_boundary> {
  if (parts.empty()) return {};
  return detail::boundary_finder(program, parts).run();
}

/// Returns the boundary of a part.
constexpr auto boundary_of(const program_view& program, part_id id) -> part_boundary {
  return std::move(boundaries_of(program, span{&id, 1}).front());
}

}  // namespace baton

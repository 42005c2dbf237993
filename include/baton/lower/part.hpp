// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A part: the nodes of one graph with one tag. Finds the parts, checks them, and cuts each out as a program of its own.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/copy.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace baton {

/// Which part: the nodes of this graph that carry this tag.
struct part_id {
  graph_id graph{0};
  tag_id tag{0};
};

/// What crosses the border of a part, as values of the owning program.
struct part_outline {
  part_id id;
  std::vector<node_id> nodes;       ///< in graph order
  std::vector<value_id> owned;      ///< tagged owned data: parameters, buffers, then constants
  std::vector<value_id> arguments;  ///< what the call is given, in the order of first use
  std::vector<value_id> mutations;  ///< values written to buffers that the part owns
  std::vector<value_id> outputs;    ///< values used outside the part, in graph order
};

namespace detail {

constexpr auto has_spec(const program_view& program, tag_id id) -> bool { return id != none<tag_id> && program[id].order != 0xffffffffu; }

constexpr auto with_tag_of(failure why, const program_view& program, tag_id id) -> failure {
  why.tag = join(program.text(program[id].name));
  why.backend = join(program.text(program[id].backend_id));
  return why;
}

/// For each graph, whether its parts count: not what lies within a lowered module, nor a branch of a node that belongs to a part itself.
constexpr auto graphs_with_parts(const program_view& program) -> std::vector<char> {
  std::vector<char> counts(program.graphs.size(), 1);
  for (const auto& record : program.nodes) {
    for (const auto g : program.subgraphs_of(record)) counts[index(g)] = 0;
  }
  for (const auto& module : program.delegates) counts[index(module.original)] = 0;
  std::vector<graph_id> open;
  for (std::uint32_t g = 0; g < counts.size(); ++g) {
    if (counts[g] != 0) open.push_back(static_cast<graph_id>(g));
  }
  while (!open.empty()) {
    const auto id = open.back();
    open.pop_back();
    for (const auto& record : program.nodes_of(program[id])) {
      if (has_spec(program, record.tag)) continue;
      for (const auto g : program.subgraphs_of(record)) {
        if (counts[index(g)] == 0) open.push_back(g);
        counts[index(g)] = 1;
      }
    }
  }
  return counts;
}

}  // namespace detail

/// The parts of a tagged program, graph by graph, each graph's in the order of the tag map. Tags without a spec or without nodes make none,
/// nor do tags within lowered modules and within branches that a part takes along.
constexpr auto parts_of(const program_view& program) -> std::vector<part_id> {
  std::vector<part_id> parts;
  std::vector<char> seen(program.tags.size(), 0);
  const auto counts = detail::graphs_with_parts(program);
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (counts[g] == 0) continue;
    const auto first = parts.size();
    for (const auto& record : program.nodes_of(program.graphs[g])) {
      if (!detail::has_spec(program, record.tag) || seen[index(record.tag)] != 0) continue;
      seen[index(record.tag)] = 1;
      parts.push_back({static_cast<graph_id>(g), record.tag});
    }
    for (auto i = first; i < parts.size(); ++i) seen[index(parts[i].tag)] = 0;
    std::sort(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(),
              [&](const part_id& a, const part_id& b) { return program[a.tag].order < program[b.tag].order; });
  }
  return parts;
}

/// Where a part begins and ends. Linear in the part's graph.
constexpr auto outline(const program_view& program, part_id id) -> part_outline {
  part_outline part{id, {}, {}, {}, {}, {}};
  const auto& graph = program[id.graph];
  // A mark a value: 1 made or owned by the part, 2 listed as argument, 4 used outside.
  std::vector<char> marks(program.values.size(), 0);
  for (const auto kind : {value_kind::parameter, value_kind::buffer, value_kind::mutable_buffer, value_kind::constant}) {
    for (const auto input : program.inputs(graph)) {
      if (program[input].kind == kind && program[input].tag == id.tag) {
        part.owned.push_back(input);
        marks[index(input)] = 1;
      }
    }
  }
  for (std::uint32_t n = graph.nodes.first; n < graph.nodes.first + graph.nodes.size; ++n) {
    const auto& record = program.nodes[n];
    if (record.tag == id.tag) {
      part.nodes.push_back(static_cast<node_id>(n));
      for (const auto output : program.outputs_of(record)) marks[index(output)] = 1;
    }
    for (const auto input : program.inputs(record)) {
      if (input == none<value_id>) continue;
      auto& mark = marks[index(input)];
      if (record.tag != id.tag) {
        mark = static_cast<char>(mark | 4);
      } else if ((mark & 3) == 0) {
        part.arguments.push_back(input);
        mark = static_cast<char>(mark | 2);
      }
    }
  }
  for (const auto& spec : program.outputs_of(graph)) {
    const auto owns = [&](value_id owned) {
      return program[owned].kind == value_kind::mutable_buffer && program.text(program[owned].target) == program.text(spec.target);
    };
    if (spec.kind == output_kind::buffer_mutation && std::any_of(part.owned.begin(), part.owned.end(), owns)) {
      part.mutations.push_back(spec.value);
    } else {
      marks[index(spec.value)] = static_cast<char>(marks[index(spec.value)] | 4);
    }
  }
  for (const auto n : part.nodes) {
    for (const auto output : program.outputs_of(program[n])) {
      if ((marks[index(output)] & 4) != 0) part.outputs.push_back(output);
    }
  }
  return part;
}

namespace detail {

/// Kahn's algorithm over a graph whose parts count as one node each; what cannot be placed lies on a cycle.
class contracted_graph {
 public:
  constexpr contracted_graph(const program_view& program, graph_id id) : program_(program), graph_(program[id]) {
    unit_of_tag_.assign(program.tags.size(), no_unit);
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      const auto tag = node_at(n).tag;
      auto unit = has_spec(program, tag) ? unit_of_tag_[index(tag)] : no_unit;
      if (unit == no_unit) {
        unit = static_cast<std::uint32_t>(last_.size());
        last_.push_back(n);
        if (has_spec(program, tag)) unit_of_tag_[index(tag)] = unit;
      }
      last_[unit] = n;
      unit_.push_back(unit);
    }
    connect();
  }

  /// The units in an order in which each comes after all it depends on, close to that of the graph: a unit is told by its last node.
  /// Shorter than the number of units if there is a cycle.
  constexpr auto order() -> std::vector<node_id> {
    std::vector<node_id> placed;
    std::vector<std::uint32_t> ready;  // a heap: the unit whose last node is earliest comes first
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

  /// After `order`: the failure that names a tag on the cycle and what it passes through.
  constexpr auto cycle() const -> failure {
    const auto is_stuck = [this](std::uint32_t n) { return waiting_[unit_[n]] != 0; };
    auto why = broken<rule::dependency_cycle>();
    std::string_view first_tag;
    for (std::uint32_t n = 0; n < unit_.size(); ++n) {
      const auto tag = node_at(n).tag;
      if (!is_stuck(n)) continue;
      if (has_spec(program_, tag) && first_tag.empty()) {
        why = with_tag_of(locate(std::move(why), program_, static_cast<node_id>(graph_.nodes.first + n)), program_, tag);
        first_tag = program_.text(program_[tag].name);
      } else if (why.reason.empty() && !first_tag.empty()) {
        if (!has_spec(program_, tag))
          why.reason = join("through node ", program_.text(node_at(n).name));
        else if (program_.text(program_[tag].name) != first_tag)
          why.reason = join("through tag ", program_.text(program_[tag].name));
      }
    }
    return why;
  }

 private:
  static constexpr std::uint32_t no_unit = 0xffffffffu;

  constexpr auto node_at(std::uint32_t n) const -> const node& { return program_.nodes[graph_.nodes.first + n]; }

  // Edges from unit to unit, as a compressed list; a pair may stand there more than once.
  constexpr void connect() {
    std::vector<std::uint32_t> maker(program_.values.size(), no_unit);
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      for (const auto output : program_.outputs_of(node_at(n))) maker[index(output)] = unit_[n];
    }
    waiting_.assign(last_.size(), 0);
    first_edge_.assign(last_.size() + 1, 0);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t n = 0; n < graph_.nodes.size; ++n) {
      for (const auto input : program_.inputs(node_at(n))) {
        const auto from = input == none<value_id> ? no_unit : maker[index(input)];
        if (from == no_unit || from == unit_[n]) continue;
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
  std::vector<std::uint32_t> unit_of_tag_;
  std::vector<std::uint32_t> unit_;  ///< by node
  std::vector<std::uint32_t> last_;  ///< by unit: its last node
  std::vector<std::uint32_t> waiting_;
  std::vector<std::uint32_t> first_edge_;
  std::vector<std::uint32_t> targets_;
};

/// Checks that what a graph returns is not data that a part owns, and that a part makes the new values of the buffers that it owns.
constexpr auto check_returned_values(const program_view& program, const graph& g) -> failure {
  for (const auto& spec : program.outputs_of(g)) {
    const auto& returned = program[spec.value];
    if (is_owned_data(returned.kind) && has_spec(program, returned.tag)) {
      return with_tag_of(broken<rule::shared_constant>("constant ", program.text(returned.name), ", its user: the output"), program,
                         returned.tag);
    }
    if (spec.kind != output_kind::buffer_mutation) continue;
    for (const auto input : program.inputs(g)) {
      const auto& owned = program[input];
      if (owned.kind != value_kind::mutable_buffer || !has_spec(program, owned.tag) ||
          program.text(owned.target) != program.text(spec.target))
        continue;
      const auto tagged = [&](const node& record) {
        const auto outputs = program.outputs_of(record);
        return record.tag == owned.tag && std::find(outputs.begin(), outputs.end(), spec.value) != outputs.end();
      };
      const auto nodes = program.nodes_of(g);
      if (std::any_of(nodes.begin(), nodes.end(), tagged)) continue;
      return with_tag_of(broken<rule::foreign_mutation>("buffer ", program.text(owned.target), ", new value ", program.text(returned.name)),
                         program, owned.tag);
    }
  }
  return {};
}

/// Checks the tags on inputs and outputs of a graph.
constexpr auto check_tagged_values(const program_view& program, const graph& g) -> failure {
  if (has_spec(program, g.output_tag))
    return with_tag_of(broken<rule::tagged_output>("graph ", program.text(g.name)), program, g.output_tag);
  for (const auto input : program.inputs(g)) {
    const auto& record = program[input];
    if (has_spec(program, record.tag) && !is_owned_data(record.kind)) {
      return with_tag_of(broken<rule::tagged_user_input>("input ", program.text(record.name)), program, record.tag);
    }
  }
  for (std::uint32_t n = g.nodes.first; n < g.nodes.first + g.nodes.size; ++n) {
    for (const auto input : program.inputs(program.nodes[n])) {
      if (input == none<value_id> || !is_owned_data(program[input].kind)) continue;
      const auto tag = program[input].tag;
      if (has_spec(program, tag) && tag != program.nodes[n].tag) {
        const auto users = program.nodes[n].tag;
        return locate(with_tag_of(broken<rule::shared_constant>("constant ", program.text(program[input].name), ", whose user has tag ",
                                                                users == none<tag_id> ? "none" : program.text(program[users].name)),
                                  program, tag),
                      program, static_cast<node_id>(n));
      }
    }
  }
  return check_returned_values(program, g);
}

}  // namespace detail

/// Checks what a partitioner tagged.
/// Errors: `tagged_output`, `tagged_user_input`, `shared_constant`, `foreign_mutation`, `dependency_cycle`.
constexpr auto check_parts(const program_view& program) -> failure {
  const auto counts = detail::graphs_with_parts(program);
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (counts[g] == 0) continue;
    if (auto why = detail::check_tagged_values(program, program.graphs[g])) return why;
    detail::contracted_graph contracted(program, static_cast<graph_id>(g));
    if (contracted.order().size() != contracted.units()) return contracted.cycle();
  }
  return {};
}

/// A part as a program of its own. Placeholders: owned parameters, buffers and constants, then the arguments as user inputs.
/// Outputs: mutations of owned buffers, then what is used outside, flat. Names, debug handles and quantization are those of the owner.
/// Errors: `part_without_outputs`.
constexpr auto extract(const program_view& program, const part_outline& part) -> result<exported_program> {
  if (part.outputs.empty() && part.mutations.empty()) {
    return detail::with_tag_of(locate(broken<rule::part_without_outputs>(), program, part.nodes.front()), program, part.id.tag);
  }
  program_builder to;
  program_copier copier(program, to);
  for (const auto owned : part.owned) copier.copy_input(owned);
  for (const auto argument : part.arguments) {
    auto record = copier.record_of(argument);
    record.kind = value_kind::user_input;
    record.data = {};
    record.target = {};
    copier.replace(argument, to.add_input(record));
  }
  for (const auto id : part.nodes) copier.copy_node(id);
  for (const auto& spec : program.outputs_of(program[part.id.graph])) {
    if (spec.kind == output_kind::buffer_mutation &&
        std::find(part.mutations.begin(), part.mutations.end(), spec.value) != part.mutations.end()) {
      to.add_output({spec.kind, copier.copy_of(spec.value), copier.copy(spec.target)});
    }
  }
  for (const auto output : part.outputs) to.output(copier.copy_of(output));
  return to.finish();
}

}  // namespace baton

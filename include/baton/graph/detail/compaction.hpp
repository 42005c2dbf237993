// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Applies recorded changes to a program: removes erased records and adds inserted nodes.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/greatest_debug_handle.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// The insertion of a new node `id`. `place` is 2n if the node is inserted before node n, or 2n + 1 if it is inserted after node n. If
/// `needs_handle` is set, `id` has no debug handle yet. A debug handle is the number that identifies a node of the model.
struct node_insertion {
  std::uint32_t place;
  node_id id;
  bool needs_handle;
};

/// The changes to the records of a program.
struct program_changes {
  vector<node_id> producer;      ///< indexed by value: the producer of the value, or `none`
  vector<value_id> replacement;  ///< indexed by value: the replacement of the value, or `none`
  vector<char> dropped;          ///< indexed by value: whether the value is removed; set only for a value without a producer
  vector<char> erased;           ///< indexed by node: whether the node is erased
  vector<node_id> folded_into;   ///< indexed by node: the other node into which this node is folded if erased; `none` if unknown
  vector<node_insertion> inserted;
  vector<value_id> new_inputs;  ///< new placeholders: added constants, and node outputs that became constants

  /// Sorts the inserted nodes into the order of execution. O(n) if they are already sorted, which is usual.
  constexpr void sort_inserted() {
    const auto is_before = [](const node_insertion& a, const node_insertion& b) {
      return a.place != b.place ? a.place < b.place : index(a.id) < index(b.id);
    };
    const auto* const last = inserted.end();
    for (const auto* each = inserted.begin(); each != last && each + 1 != last; ++each) {
      if (is_before(each[1], each[0])) return sort(inserted.begin(), inserted.end(), is_before);
    }
  }
  /// Returns the last value in the chain of replacements of `id`, or `id` if it is not replaced. Shortens the chain (path compression).
  constexpr auto current(value_id id) -> value_id {
    if (id == none<value_id> || replacement[static_cast<std::size_t>(id)] == none<value_id>) return id;
    auto last = id;
    while (replacement[last] != none<value_id>) last = replacement[last];
    while (id != last) id = std::exchange(replacement[id], last);
    return last;
  }
};

/// Rebuilds the pools of graphs, nodes, values, operands, outputs and subgraphs. The pools are the flat arrays of a program. Records of
/// other pools are neither moved nor removed, even if they are unused. `program_changes::inserted` must be sorted.
class compaction {
 public:
  constexpr compaction(exported_program& program, program_changes& changes) : program_(program), changes_(changes) {}

  constexpr void run() {
    number_new_nodes();
    find_graphs();
    find_values();
    list_graphs();
    copy_values();
  }

 private:
  /// Assigns a debug handle to each inserted node that needs one. The new handles are greater than all existing handles, so no handle
  /// changes its meaning.
  constexpr void number_new_nodes() {
    if (changes_.inserted.empty()) return;
    auto greatest = greatest_debug_handle(program_);
    for (const auto& each : changes_.inserted) {
      if (each.needs_handle) program_.nodes[each.id].debug_handle = ++greatest;
    }
  }

  /// Computes `new_graph_id_`. A graph that nodes call is removed if each of these nodes is erased or is in a removed graph. If this graph
  /// stayed, it would become an entry point, because no remaining node calls it.
  constexpr void find_graphs() {
    new_graph_id_.assign(program_.graphs.size(), none<graph_id>);
    if (program_.subgraphs.empty()) {  // no node calls a graph, so all graphs stay
      for (std::uint32_t g = 0; g < new_graph_id_.size(); ++g) new_graph_id_[g] = static_cast<graph_id>(g);
      return;
    }
    vector<graph_id> kept;
    vector<char> is_pending(program_.graphs.size(), 0);
    for (const auto& record : program_.nodes) {
      for (const auto called : std::as_const(program_).subgraphs_of(record)) is_pending[called] = 1;
    }
    const auto add = [&](graph_id id) {
      kept.push_back(id);
      is_pending[id] = 0;
    };
    for (std::uint32_t g = 0; g < is_pending.size(); ++g) {
      if (is_pending[g] == 0) add(static_cast<graph_id>(g));
    }
    for (std::size_t at = 0; at < kept.size(); ++at) {
      const auto [first, size] = program_[kept[at]].nodes;
      new_graph_id_[kept[at]] = graph_id{0};
      const auto add_called = [&](node_id id) {
        if (changes_.erased[id] != 0) return;
        for (const auto called : std::as_const(program_).subgraphs_of(program_[id])) {
          if (is_pending[called] != 0) add(called);
        }
      };
      for (auto n = first; n < first + size; ++n) add_called(static_cast<node_id>(n));
      for (auto next = first_inserted(first); next != changes_.inserted.end() && next->place < 2 * (first + size); ++next)
        add_called(next->id);
    }
    std::uint32_t next = 0;
    for (auto& id : new_graph_id_) id = id == none<graph_id> ? id : static_cast<graph_id>(next++);
  }

  /// Returns the first insertion whose `place` is at least 2 * `n`.
  constexpr auto first_inserted(std::uint32_t n) const -> const node_insertion* {
    return std::lower_bound(changes_.inserted.begin(), changes_.inserted.end(), 2 * n,
                            [](const node_insertion& each, std::uint32_t place) { return each.place < place; });
  }

  constexpr void find_values() {
    new_value_id_.assign(program_.values.size(), none<value_id>);
    for (std::uint32_t v = 0; v < new_value_id_.size(); ++v) {
      if (is_kept(v)) new_value_id_[v] = static_cast<value_id>(value_count_++);
    }
  }
  constexpr auto is_kept(std::uint32_t v) const -> bool {
    const auto& record = program_.values[v];
    if (changes_.dropped[v] != 0 || new_graph_id_[record.graph] == none<graph_id>) return false;
    if (record.kind != value_kind::intermediate) return true;
    return changes_.producer[v] != none<node_id> && changes_.erased[changes_.producer[v]] == 0;
  }

  constexpr void list_graphs() {
    vector<node> nodes;
    nodes.reserve(program_.nodes.size());
    operands_.reserve(program_.operands.size());
    for (std::uint32_t g = 0; g < new_graph_id_.size(); ++g) {
      if (new_graph_id_[g] == none<graph_id>) continue;
      auto record = program_.graphs[g];
      copy_signature(record, static_cast<graph_id>(g));
      const auto first = static_cast<std::uint32_t>(nodes.size());
      auto next = first_inserted(record.nodes.first);
      for (auto n = record.nodes.first; n < record.nodes.first + record.nodes.size; ++n) {
        for (; next != changes_.inserted.end() && next->place == 2 * n; ++next) copy_node(next->id, nodes);
        copy_node(static_cast<node_id>(n), nodes);
        for (; next != changes_.inserted.end() && next->place == 2 * n + 1; ++next) copy_node(next->id, nodes);
      }
      record.nodes = {first, static_cast<std::uint32_t>(nodes.size()) - first};
      program_.graphs[new_graph_id_[g]] = record;  // the new id is at most `g`, so the graphs that follow are not overwritten
      graph_count_ += 1;
    }
    program_.graphs.resize(graph_count_);
    program_.nodes = std::move(nodes);
    program_.operands = std::move(operands_);
    program_.outputs = std::move(outputs_);
    program_.subgraphs = std::move(subgraphs_);
    for (auto& module : program_.delegates) module.original = new_graph_id_[module.original];
  }
  constexpr void copy_node(node_id id, vector<node>& nodes) {
    if (changes_.erased[id] != 0) return;
    nodes.push_back(program_[id]);
    auto& copy = nodes.back();
    copy.inputs = copy_operands(copy.inputs);
    copy.outputs = copy_operands(copy.outputs);
    const auto called = copy.subgraphs;
    copy.subgraphs.first = static_cast<std::uint32_t>(subgraphs_.size());
    for (std::uint32_t i = 0; i < called.size; ++i) subgraphs_.push_back(new_graph_id_[program_.subgraphs[called.first + i]]);
  }
  constexpr auto new_id(value_id id) -> value_id {
    const auto last = changes_.current(id);
    return last == none<value_id> ? last : new_value_id_[last];
  }
  constexpr auto copy_operands(range operands) -> range {
    const auto first = static_cast<std::uint32_t>(operands_.size());
    for (std::uint32_t i = 0; i < operands.size; ++i) operands_.push_back(new_id(program_.operands[operands.first + i]));
    return {first, operands.size};
  }
  /// Copies the inputs and outputs of a graph. Inserts new placeholders (`program_changes::new_inputs`) before the first user input,
  /// because importers use this order.
  constexpr void copy_signature(graph& record, graph_id id) {
    const auto first = static_cast<std::uint32_t>(operands_.size());
    bool are_new_copied = false;
    const auto copy_new_inputs = [&] {
      if (std::exchange(are_new_copied, true)) return;
      for (const auto input : changes_.new_inputs) {
        if (program_[input].graph == id) copy_input(input);
      }
    };
    for (std::uint32_t i = 0; i < record.inputs.size; ++i) {
      const auto input = program_.operands[record.inputs.first + i];
      if (program_[input].kind == value_kind::user_input) copy_new_inputs();
      copy_input(input);
    }
    copy_new_inputs();
    record.inputs = {first, static_cast<std::uint32_t>(operands_.size()) - first};
    const auto outputs = record.outputs;
    record.outputs.first = static_cast<std::uint32_t>(outputs_.size());
    for (std::uint32_t i = 0; i < outputs.size; ++i) {
      outputs_.push_back(program_.outputs[outputs.first + i]);
      outputs_.back().value = new_id(outputs_.back().value);
    }
  }
  constexpr void copy_input(value_id id) {
    if (changes_.dropped[id] == 0) operands_.push_back(new_value_id_[id]);
  }

  constexpr void copy_values() {
    for (std::uint32_t v = 0; v < new_value_id_.size(); ++v) {
      if (new_value_id_[v] == none<value_id>) continue;
      auto& record = program_.values[new_value_id_[v]];
      record = program_.values[v];
      record.graph = new_graph_id_[record.graph];
    }
    program_.values.resize(value_count_);
  }

  exported_program& program_;
  program_changes& changes_;
  vector<value_id> operands_;
  vector<output_spec> outputs_;
  vector<graph_id> subgraphs_;
  vector<graph_id> new_graph_id_;  ///< indexed by graph: the id of the graph in the new program, or `none` if the graph is removed
  vector<value_id> new_value_id_;  ///< indexed by value: the id of the value in the new program, or `none` if the value is removed
  std::uint32_t graph_count_ = 0;
  std::uint32_t value_count_ = 0;
};

}  // namespace baton::detail

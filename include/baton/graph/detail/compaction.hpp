// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Carries out what was noted of a program: leaves out what is gone, puts in what is new.
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

/// A new node, before one that was there. `needs_handle`: it takes no other's place.
struct node_insertion {
  std::uint32_t before;
  node_id id;
  bool needs_handle;
};

/// What is to become of the records of a program, by value and by node.
struct program_changes {
  vector<node_id> producer;     ///< by value: who makes it
  vector<value_id> stands_for;  ///< by value: what all its users use instead
  vector<char> dropped;         ///< by value
  vector<char> gone;            ///< by node
  vector<node_id> heir;         ///< by node: who does its work when it is gone, `none`: nobody has said
  vector<node_insertion> inserted;
  vector<value_id> new_inputs;  ///< data that became, or are, placeholders

  /// Puts what is inserted in the order in which it will run.
  constexpr void sort_inserted() {
    sort(inserted.begin(), inserted.end(), [](const node_insertion& a, const node_insertion& b) {
      return a.before != b.before ? a.before < b.before : index(a.id) < index(b.id);
    });
  }
  /// What stands for a value in the end; ways are shortened as they are gone.
  constexpr auto now(value_id id) -> value_id {
    if (id == none<value_id> || stands_for[index(id)] == none<value_id>) return id;
    auto last = id;
    while (stands_for[index(last)] != none<value_id>) last = stands_for[index(last)];
    while (id != last) id = std::exchange(stands_for[index(id)], last);
    return last;
  }
};

/// Rewrites graphs, nodes, values and their lists; attributes, numbers and bytes stay where they are, used or not. `inserted` is in order.
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
  /// Above all handles there were, so that none comes to mean another node.
  constexpr void number_new_nodes() {
    if (changes_.inserted.empty()) return;
    auto greatest = greatest_debug_handle(program_);
    for (const auto& each : changes_.inserted) {
      if (each.needs_handle) program_.nodes[index(each.id)].debug_handle = ++greatest;
    }
  }

  /// A graph that only nodes called which are gone goes with them; as a graph that nobody calls it would be an entry point.
  constexpr void find_graphs() {
    new_graph_id_.assign(program_.graphs.size(), none<graph_id>);
    vector<graph_id> left;
    vector<char> waits(program_.graphs.size(), 0);
    for (const auto& record : program_.nodes) {
      for (const auto called : std::as_const(program_).subgraphs_of(record)) waits[index(called)] = 1;
    }
    const auto add = [&](graph_id id) {
      left.push_back(id);
      waits[index(id)] = 0;
    };
    for (std::uint32_t g = 0; g < waits.size(); ++g) {
      if (waits[g] == 0) add(static_cast<graph_id>(g));
    }
    for (std::size_t at = 0; at < left.size(); ++at) {
      const auto run = program_[left[at]].nodes;
      new_graph_id_[index(left[at])] = graph_id{0};
      for (auto n = run.first; n < run.first + run.size; ++n) {
        if (changes_.gone[n] != 0) continue;
        for (const auto called : std::as_const(program_).subgraphs_of(program_.nodes[n])) {
          if (waits[index(called)] != 0) add(called);
        }
      }
    }
    std::uint32_t next = 0;
    for (auto& id : new_graph_id_) id = id == none<graph_id> ? id : static_cast<graph_id>(next++);
  }

  constexpr void find_values() {
    new_value_id_.assign(program_.values.size(), none<value_id>);
    for (std::uint32_t v = 0; v < new_value_id_.size(); ++v) {
      if (stays(v)) new_value_id_[v] = static_cast<value_id>(values_left_++);
    }
  }
  constexpr auto stays(std::uint32_t v) const -> bool {
    const auto& record = program_.values[v];
    if (changes_.dropped[v] != 0 || new_graph_id_[index(record.graph)] == none<graph_id>) return false;
    if (record.kind != value_kind::intermediate) return true;
    return changes_.producer[v] != none<node_id> && changes_.gone[index(changes_.producer[v])] == 0;
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
      auto next = std::lower_bound(changes_.inserted.begin(), changes_.inserted.end(), record.nodes.first,
                                   [](const node_insertion& each, std::uint32_t n) { return each.before < n; });
      for (auto n = record.nodes.first; n < record.nodes.first + record.nodes.size; ++n) {
        for (; next != changes_.inserted.end() && next->before == n; ++next) copy_node(next->id, nodes);
        copy_node(static_cast<node_id>(n), nodes);
      }
      record.nodes = {first, static_cast<std::uint32_t>(nodes.size()) - first};
      program_.graphs[index(new_graph_id_[g])] = record;  // which is none of those that come
      graphs_left_ += 1;
    }
    program_.graphs.resize(graphs_left_);
    program_.nodes = std::move(nodes);
    program_.operands = std::move(operands_);
    program_.outputs = std::move(outputs_);
    program_.subgraphs = std::move(subgraphs_);
    for (auto& module : program_.delegates) module.original = new_graph_id_[index(module.original)];
  }
  constexpr void copy_node(node_id id, vector<node>& nodes) {
    if (changes_.gone[index(id)] != 0) return;
    nodes.push_back(program_[id]);
    nodes.back().inputs = new_id(nodes.back().inputs);
    nodes.back().outputs = new_id(nodes.back().outputs);
    const auto called = nodes.back().subgraphs;
    nodes.back().subgraphs.first = static_cast<std::uint32_t>(subgraphs_.size());
    for (std::uint32_t i = 0; i < called.size; ++i) subgraphs_.push_back(new_graph_id_[index(program_.subgraphs[called.first + i])]);
  }
  constexpr auto new_id(value_id id) -> value_id {
    const auto last = changes_.now(id);
    return last == none<value_id> ? last : new_value_id_[index(last)];
  }
  constexpr auto new_id(range run) -> range {
    const auto first = static_cast<std::uint32_t>(operands_.size());
    for (std::uint32_t i = 0; i < run.size; ++i) operands_.push_back(new_id(program_.operands[run.first + i]));
    return {first, run.size};
  }
  /// New data stands before the inputs of users, as importers have it.
  constexpr void copy_signature(graph& of, graph_id id) {
    const auto first = static_cast<std::uint32_t>(operands_.size());
    bool are_new_copied = false;
    const auto copy_new_inputs = [&] {
      if (std::exchange(are_new_copied, true)) return;
      for (const auto input : changes_.new_inputs) {
        if (program_[input].graph == id) copy_input(input);
      }
    };
    for (std::uint32_t i = 0; i < of.inputs.size; ++i) {
      const auto input = program_.operands[of.inputs.first + i];
      if (program_[input].kind == value_kind::user_input) copy_new_inputs();
      copy_input(input);
    }
    copy_new_inputs();
    of.inputs = {first, static_cast<std::uint32_t>(operands_.size()) - first};
    const auto outputs = of.outputs;
    of.outputs.first = static_cast<std::uint32_t>(outputs_.size());
    for (std::uint32_t i = 0; i < outputs.size; ++i) {
      outputs_.push_back(program_.outputs[outputs.first + i]);
      outputs_.back().value = new_id(outputs_.back().value);
    }
  }
  constexpr void copy_input(value_id id) {
    if (changes_.dropped[index(id)] == 0) operands_.push_back(new_value_id_[index(id)]);
  }

  constexpr void copy_values() {
    for (std::uint32_t v = 0; v < new_value_id_.size(); ++v) {
      if (new_value_id_[v] == none<value_id>) continue;
      auto& record = program_.values[index(new_value_id_[v])];
      record = program_.values[v];
      record.graph = new_graph_id_[index(record.graph)];
    }
    program_.values.resize(values_left_);
  }

  exported_program& program_;
  program_changes& changes_;
  vector<value_id> operands_;
  vector<output_spec> outputs_;
  vector<graph_id> subgraphs_;
  vector<graph_id> new_graph_id_;  ///< by graph: its position in the end, `none`: it goes
  vector<value_id> new_value_id_;  ///< by value: its position in the end, `none`: it goes
  std::uint32_t graphs_left_ = 0;
  std::uint32_t values_left_ = 0;
};

}  // namespace baton::detail

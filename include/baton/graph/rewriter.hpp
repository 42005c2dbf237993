// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Changes single nodes and values of a program.
#pragma once

#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/pools.hpp>
#include <baton/core/shared/states.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/graph/detail/compaction.hpp>
#include <baton/graph/detail/handle_heirs.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace baton {

/// A program that is being changed. Its records stay where they are until `finish`, so ids hold throughout; what is not changed, tags,
/// delegates, names, quantization, states and subgraphs among it, stays as it was, and a program that nobody changes comes back the same.
/// A change is cheap (replacing all uses of a value takes no longer than replacing one); `finish` is linear in the program. Nothing is
/// checked: `verify` does that after every pass. Graphs of lowered modules are what blobs were made from, and stay. Debug handles of nodes
/// that go stand on from then on as folded ones on the nodes that do their work: those into which they were folded, those that make what
/// stands for their results, else the first that use these.
/// `HasEffects` says of a node whether it must stay although nobody uses its outputs: a room that knows operators names it
/// (`baton::rewriter`).
template <auto (*HasEffects)(const program_view& program, const node& record)->bool>
class basic_rewriter {
 public:
  constexpr explicit basic_rewriter(const program_view& source)
      : program_(thaw(source)),
        uses_(source.values.size(), 0),
        outputs_(source.values.size(), 0) {
    changes_.producer = producers_of(source);
    changes_.stands_for.assign(source.values.size(), none<value_id>);
    changes_.dropped.assign(source.values.size(), 0);
    changes_.gone.assign(source.nodes.size(), 0);
    changes_.heir.assign(source.nodes.size(), none<node_id>);
    if (!source.delegates.empty()) modules_ = modules_of_graphs(source);
    for (const auto& record : source.nodes) use_inputs(record);
    for (const auto& graph : source.graphs) {
      for (const auto& spec : source.outputs_of(graph)) {
        uses_[index(spec.value)] += 1;
        outputs_[index(spec.value)] += 1;
      }
    }
  }

  // Asking

  /// The records as they stand. Operands are those that were written: `input` says what they became.
  constexpr auto program() const -> program_view { return program_; }
  /// A record, in fewer steps than by way of a view.
  constexpr auto operator[](node_id id) const -> const node& { return program_.nodes[index(id)]; }
  constexpr auto operator[](value_id id) const -> const value& { return program_.values[index(id)]; }
  /// The nodes of the program given, but for those of lowered modules, graph by graph in order; later erased ones are among them.
  constexpr auto nodes() const -> vector<node_id> {
    vector<node_id> found;
    for (std::uint32_t g = 0; g < program_.graphs.size(); ++g) {
      if (!modules_.empty() && modules_[g] != none<delegate_id>) continue;
      const auto run = program_.graphs[g].nodes;
      for (auto n = run.first; n < run.first + run.size; ++n) found.push_back(static_cast<node_id>(n));
    }
    return found;
  }
  constexpr auto is_erased(node_id id) const -> bool { return changes_.gone[index(id)] != 0; }
  /// An operand of a node, `none` where it is left out or there are not so many.
  constexpr auto input(node_id of, std::uint32_t at) -> value_id {
    const auto run = program_[of].inputs;
    return at < run.size ? now(program_.operands[run.first + at]) : none<value_id>;
  }
  /// The only output of a node, `none` if it has none or several.
  constexpr auto output(node_id of) const -> value_id {
    const auto run = program_[of].outputs;
    return run.size == 1 ? program_.operands[run.first] : none<value_id>;
  }
  /// The node that makes a value, `none` if it is a placeholder or scratch.
  constexpr auto producer_of(value_id id) const -> node_id { return id == none<value_id> ? none<node_id> : changes_.producer[index(id)]; }
  /// How often a value is an operand or an output of its graph.
  constexpr auto uses_of(value_id id) const -> std::uint32_t { return uses_[index(id)]; }
  /// Whether a value is an output of its graph, be it that a state takes it.
  constexpr auto is_output(value_id id) const -> bool { return outputs_[index(id)] != 0; }

  // Changing

  /// Lets another value of the graph, which is there before the first use, stand for a value from now on: as an operand and as an output.
  constexpr void replace_uses(value_id id, value_id by) {
    by = now(by);
    if (by == id || changes_.stands_for[index(id)] != none<value_id>) return;
    changes_.stands_for[index(id)] = by;
    uses_[index(by)] += std::exchange(uses_[index(id)], 0);
    outputs_[index(by)] += std::exchange(outputs_[index(id)], 0);
    unused_.push_back(id);
    is_changed_ = true;
  }
  /// Lets the node that makes a value make another instead, whose own producer was erased; the first is gone, all its uses are of the
  /// second. So a graph's output keeps its name.
  constexpr void move_result(value_id from, value_id to) {
    const auto producer = producer_of(from);
    auto& outputs = program_.nodes[index(producer)].outputs;
    outputs = append_copy(program_.operands, outputs);
    for (auto& output : span{program_.operands}.subspan(outputs.first, outputs.size)) output = output == from ? to : output;
    changes_.producer[index(to)] = producer;
    changes_.producer[index(from)] = none<node_id>;
    changes_.dropped[index(from)] = 1;
    replace_uses(from, to);
  }
  /// Gives a node another operand. If the node that made the one before goes, it was folded into this one.
  constexpr void set_input(node_id of, std::uint32_t at, value_id to) {
    const auto before = input(of, at);
    if (const auto made_by = producer_of(before); made_by != none<node_id>) changes_.heir[index(made_by)] = of;
    release(before);
    use(now(to));
    auto& inputs = program_.nodes[index(of)].inputs;
    inputs = append_copy(program_.operands, inputs);
    program_.operands[inputs.first + at] = to;
    is_changed_ = true;
  }
  /// Gives a node an attribute, in place of one of that name if it has one.
  constexpr void set_attribute(node_id of, const named_literal& literal) {
    const auto set = own_attribute(program_, literal);
    auto& attributes = program_.nodes[index(of)].attributes;
    attributes = append_copy(program_.attributes, attributes);
    bool is_there = false;
    for (auto& record : span{program_.attributes}.subspan(attributes.first, attributes.size)) {
      if (record.key != set.key) continue;
      record = set;
      is_there = true;
    }
    if (!is_there) {
      add_to(program_.attributes, set);
      attributes.size += 1;
    }
    is_changed_ = true;
  }

  /// Erases a node. If one of its outputs is used when all is done, the program is broken. What had no other use goes with it: nodes
  /// without effects, and owned data but for mutable buffers.
  constexpr void erase(node_id id) {
    if (changes_.gone[index(id)] != 0) return;
    changes_.gone[index(id)] = 1;
    const auto run = program_[id].inputs;
    for (std::uint32_t i = 0; i < run.size; ++i) release(input(id, i));
    is_changed_ = true;
  }
  /// Erases what nobody uses: nodes without effects, whatever graphs they call, and owned data but for mutable buffers.
  constexpr void erase_dead() {
    for (std::uint32_t v = 0; v < uses_.size(); ++v) {
      if (uses_[v] == 0 && is_open(program_.values[v].graph)) unused_.push_back(static_cast<value_id>(v));
    }
  }
  /// Lets the only output of a node be a constant with these bytes, under its name, and erases the node.
  constexpr void replace_by_constant(node_id id, byte_ref data) {
    const auto result = output(id);
    auto& record = program_.values[index(result)];
    record.kind = value_kind::constant;
    record.data = data;
    record.target = record.name;
    changes_.producer[index(result)] = none<node_id>;
    changes_.new_inputs.push_back(result);
    unused_.push_back(result);
    erase(id);
  }

  /// Text or bytes that the program keeps a copy of.
  constexpr auto own(std::string_view text) -> byte_ref { return own_bytes(program_, text); }
  /// Numbers that the program keeps, a shape for example.
  constexpr auto own(span<const std::int64_t> numbers) -> range { return add_to(program_.integers, numbers); }
  /// A new value of a graph, to be the output of a node that is inserted.
  constexpr auto add_value(graph_id in, std::string_view name, const tensor_type& type) -> value_id {
    auto record = own_value(program_, name, type, value_kind::intermediate);
    record.graph = in;
    return add(record);
  }
  /// A new constant of a graph.
  constexpr auto add_constant(graph_id in, std::string_view name, const tensor_type& type, std::string_view data) -> value_id {
    const auto id = add_value(in, name, type);
    auto& record = program_.values[index(id)];
    record.kind = value_kind::constant;
    record.data = own(data);
    record.target = record.name;
    changes_.new_inputs.push_back(id);
    unused_.push_back(id);
    return id;
  }
  /// The value with all that may be changed of it: name, quantization, shape.
  constexpr auto at(value_id id) -> value& {
    is_changed_ = true;
    return program_.values[index(id)];
  }
  /// A new node before one of the program given, which may be an erased one; of several, the first comes first. With `replaced` it has
  /// the debug handle and the tag of that node, so that reports still say where it came from; else a handle that no node has had.
  constexpr auto insert_before(node_id position, std::string_view name, std::string_view op, std::initializer_list<value_id> inputs,
                               std::initializer_list<value_id> outputs, std::initializer_list<named_literal> literals = {},
                               node_id replaced = none<node_id>) -> node_id {
    auto record = own_node(program_, name, op);
    record.inputs = add_to(program_.operands, span{inputs.begin(), inputs.size()});
    record.outputs = add_to(program_.operands, span{outputs.begin(), outputs.size()});
    record.attributes = own_attributes(program_, span{literals.begin(), literals.size()});
    if (replaced != none<node_id>) {
      record.debug_handle = program_[replaced].debug_handle;
      record.tag = program_[replaced].tag;
    }
    const auto id = static_cast<node_id>(add_to(program_.nodes, record));
    changes_.gone.push_back(0);
    changes_.heir.push_back(none<node_id>);
    changes_.inserted.push_back({index(position), id, record.debug_handle == 0});
    for (const auto output : outputs) changes_.producer[index(output)] = id;
    use_inputs(record);
    is_changed_ = true;
    return id;
  }

  /// The program as it has become, without the records that are gone.
  constexpr auto finish() -> exported_program {
    sweep();
    if (is_changed_) {
      changes_.sort_inserted();
      detail::handle_heirs(program_, changes_).run();
      detail::compaction(program_, changes_).run();
    }
    return std::move(program_);
  }

 private:
  constexpr auto is_open(graph_id id) const -> bool { return modules_.empty() || modules_[index(id)] == none<delegate_id>; }
  constexpr void use_inputs(const node& record) {
    for (std::uint32_t i = 0; i < record.inputs.size; ++i) use(now(program_.operands[record.inputs.first + i]));
  }
  constexpr void use(value_id id) {
    if (id != none<value_id>) uses_[index(id)] += 1;
  }
  constexpr void release(value_id id) {
    if (id != none<value_id> && --uses_[index(id)] == 0) unused_.push_back(id);
  }
  constexpr auto now(value_id id) -> value_id { return changes_.now(id); }
  constexpr auto add(const value& record) -> value_id {
    const auto id = static_cast<value_id>(add_to(program_.values, record));
    changes_.producer.push_back(none<node_id>);
    changes_.stands_for.push_back(none<value_id>);
    uses_.push_back(0);
    outputs_.push_back(0);
    changes_.dropped.push_back(0);
    is_changed_ = true;
    return id;
  }

  // What has lost its last use

  constexpr void sweep() {
    for (std::size_t i = 0; i < unused_.size(); ++i) {  // grows
      const auto id = unused_[i];
      if (uses_[index(id)] != 0) continue;
      const auto producer = changes_.producer[index(id)];
      const auto kind = program_[id].kind;
      if (producer == none<node_id>) {
        const bool may_go = (is_owned_data(kind) && kind != value_kind::mutable_buffer) || kind == value_kind::scratch;
        if (!may_go || changes_.dropped[index(id)] != 0) continue;
        changes_.dropped[index(id)] = 1;
        is_changed_ = true;
      } else if (changes_.gone[index(producer)] == 0 && is_unused(program_[producer]) && !HasEffects(program_, program_[producer])) {
        erase(producer);
      }
    }
    unused_.clear();
  }
  constexpr auto is_unused(const node& record) const -> bool {
    std::uint32_t uses = 0;
    for (std::uint32_t i = 0; i < record.outputs.size; ++i) uses += uses_[index(program_.operands[record.outputs.first + i])];
    return uses == 0;
  }

  exported_program program_;
  detail::program_changes changes_;
  vector<delegate_id> modules_;    ///< by graph: the lowered module to which it belongs; empty: there is none
  vector<std::uint32_t> uses_;     ///< by value
  vector<std::uint32_t> outputs_;  ///< by value: how many of its uses are as outputs
  vector<value_id> unused_;        ///< lost a use, perhaps the last
  bool is_changed_ = false;
};

}  // namespace baton

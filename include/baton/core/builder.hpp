// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Builds a program, either in a few lines (for tests) or record by record (for importers and rewriting passes).
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/shared/pools.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace baton {

/// A builder of programs. The builder copies all names and bytes that it receives. Exception: `view` returns a reference to memory that is
/// not copied. This memory must outlive the program. The builder does not check the program; call `verify` to check it.
class program_builder {
 public:
  constexpr program_builder() { add_graph("forward"); }

  // Graphs

  /// Adds a graph, which becomes the current graph. The root graph, "forward", always exists.
  constexpr auto add_graph(std::string_view name) -> graph_id {
    lists_.emplace_back();
    return current_ = static_cast<graph_id>(add_to(program_.graphs, {.name = own(name)}));
  }
  /// Makes a graph the current graph. Inputs, nodes and outputs are added to the current graph.
  constexpr void enter(graph_id id) { current_ = id; }
  constexpr auto current() const -> graph_id { return current_; }

  /// Sets the definitions of user-defined operators: `build.define(my_operators)`. The array to which `operators` refers must outlive the
  /// program.
  constexpr void define(span<const operator_definition> operators) { program_.operators = operators; }
  /// Sets the dialect, which defines the operators of the program's file format. The dialect must outlive the program.
  constexpr void set_dialect(const operator_dialect& dialect) { program_.dialect = &dialect; }

  // A graph in a few lines

  /// Adds a user input to the current graph.
  constexpr auto user_input(std::string_view name, const tensor_type& type) -> value_id {
    return add_input(make_value(name, type, value_kind::user_input));
  }
  /// Adds a parameter with the fully qualified name `target`. The name of the value is derived from `target`: `conv1.weight` becomes
  /// `p_conv1_weight`. `data` may be empty.
  constexpr auto parameter(std::string_view target, const tensor_type& type, span<const char> data = {}) -> value_id {
    return owned_data("p_", target, type, value_kind::parameter, data);
  }
  /// Adds an immutable buffer. The name of the value is derived from `target` as in `parameter`, with the prefix `b_` instead of `p_`.
  /// `persistent` states whether PyTorch's state dict contains the buffer.
  constexpr auto buffer(std::string_view target, const tensor_type& type, span<const char> data = {}, bool persistent = true) -> value_id {
    const auto id = owned_data("b_", target, type, value_kind::buffer, data);
    at(id).persistent = persistent;
    return id;
  }
  /// Adds a state: a mutable buffer with the fully qualified name `target`. Buffers with the same fully qualified name in several graphs
  /// are one state. A lowered module, which is a part that a backend has compiled, has its own states. A state of a module and a state
  /// outside the module are different, even if their names are equal. Every graph that uses the state must add the state, with the same
  /// type and data. Returns the value that the state has at the start of the current graph. `mutation` writes the state at the end of the
  /// current graph. At that time, all called graphs have run. If a called graph writes the state, nodes of the calling graph after the call
  /// must not use the returned value; otherwise, `verify` fails with `stale_state`. The calling graph may still write the state with
  /// `mutation`.
  constexpr auto mutable_buffer(std::string_view target, const tensor_type& type, span<const char> data = {}) -> value_id {
    return owned_data("b_", target, type, value_kind::mutable_buffer, data);
  }
  /// Adds a constant. The name of the value is derived from `target` as in `parameter`, with the prefix `c_` instead of `p_`.
  constexpr auto constant(std::string_view target, const tensor_type& type, span<const char> data = {}) -> value_id {
    return owned_data("c_", target, type, value_kind::constant, data);
  }

  /// Adds scratch memory. The returned value must become an operand of a custom operator.
  constexpr auto scratch(std::string_view name, const tensor_type& type) -> value_id {
    return add_value(make_value(name, type, value_kind::scratch));
  }

  /// Adds a node with one output, and returns the output. The node and its output are named after the operator, in lower case, with
  /// underscores instead of dots. If a graph has several nodes of an operator, the name of the second node ends with `_1`, the name of the
  /// third node with `_2`.
  constexpr auto call(std::string_view op, std::initializer_list<value_id> inputs, const tensor_type& type,
                      std::initializer_list<named_literal> literals = {}) -> value_id {
    const auto name = name_of_call(op);
    const auto id = add_value(make_value(view_of(name), type, value_kind::intermediate));
    add_node(make_node(view_of(name), op), {inputs.begin(), inputs.size()}, span{&id, 1}, span{literals.begin(), literals.size()});
    return id;
  }
  /// Adds a node with one output, and returns the output. The node and the output have the name `name`.
  constexpr auto call(std::string_view name, std::string_view op, std::initializer_list<value_id> inputs, const tensor_type& type,
                      std::initializer_list<named_literal> literals = {}) -> value_id {
    const auto id = add_value(make_value(name, type, value_kind::intermediate));
    add_node(make_node(name, op), {inputs.begin(), inputs.size()}, span{&id, 1}, span{literals.begin(), literals.size()});
    return id;
  }
  /// Adds a node with any number of outputs and subgraphs. Returns the outputs, named `<name>_0`, `<name>_1` and so on.
  constexpr auto call_many(std::string_view name, std::string_view op, std::initializer_list<value_id> inputs,
                           std::initializer_list<tensor_type> types, std::initializer_list<named_literal> literals = {},
                           std::initializer_list<graph_id> subgraphs = {}) -> vector<value_id> {
    vector<value_id> ids;
    for (const auto& type : types)
      ids.push_back(add_value(make_value(view_of(join(name, "_", ids.size())), type, value_kind::intermediate)));
    auto record = make_node(name, op);
    record.subgraphs = add_to(program_.subgraphs, span{subgraphs.begin(), subgraphs.size()});
    add_node(record, {inputs.begin(), inputs.size()}, ids, span{literals.begin(), literals.size()});
    return ids;
  }

  /// Adds a user output to the current graph. Add all mutations of the graph before its first user output.
  constexpr void output(value_id id) { add_output({output_kind::user_output, id, {}}); }
  /// Makes `id` the new value of the mutable buffer `target`. The mutations of a graph take effect together, at the end of the graph. User
  /// outputs and other mutations still use the old values of mutable buffers. Add all mutations before the user outputs. User inputs cannot
  /// be mutated (ExecuTorch's `USER_INPUT_MUTATION`): `verify` fails with `mutated_user_input` if `target` is the name of a user input.
  constexpr void mutation(value_id id, std::string_view target) { add_output({output_kind::buffer_mutation, id, own(target)}); }

  /// Sets the quantization of a value, per tensor.
  constexpr void quantize(value_id id, float scale, std::int64_t zero_point) { quantize(id, span{&scale, 1}, span{&zero_point, 1}, 0); }
  /// Sets the quantization of a value, per channel along `axis`.
  constexpr void quantize(value_id id, span<const float> scales, span<const std::int64_t> zero_points, std::int32_t axis) {
    text_buffer packed;
    for (const auto scale : scales) append_little_endian(packed, std::bit_cast<std::uint32_t>(scale), 4);
    at(id).quant.scales = own(view_of(packed));
    packed.clear();
    for (const auto zero_point : zero_points) append_little_endian(packed, static_cast<std::uint64_t>(zero_point), 8);
    at(id).quant.zero_points = own(view_of(packed));
    at(id).quant.channels = static_cast<std::uint32_t>(scales.size());
    at(id).quant.axis = axis;
  }

  // Record by record

  /// Copies text or bytes into the program, and returns a reference to the copy.
  constexpr auto own(std::string_view text) -> byte_ref { return own_bytes(program_, text); }
  /// Returns a reference to text or bytes outside the program. The memory of `text` must outlive the program.
  static constexpr auto view(std::string_view text) -> byte_ref {
    return text.empty() ? byte_ref{} : byte_ref{text.data(), 0, static_cast<std::uint32_t>(text.size())};
  }

  /// `integers` and `reals` copy numbers into the program, and return their range in the program's array of integers or of real numbers.
  constexpr auto integers(span<const std::int64_t> numbers) -> range { return add_to(program_.integers, numbers); }
  constexpr auto reals(span<const double> numbers) -> range { return add_to(program_.reals, numbers); }

  /// Returns the record of a value, without adding it. Copies the name and the shape into the program.
  constexpr auto make_value(std::string_view name, const tensor_type& type, value_kind kind) -> value {
    return own_value(program_, name, type, kind);
  }
  /// Returns the record of a node with a new debug handle, without adding it. Copies the names into the program.
  constexpr auto make_node(std::string_view name, std::string_view op) -> node {
    auto record = own_node(program_, name, op);
    record.debug_handle = ++handles_;
    return record;
  }

  /// Adds a value to the current graph. The value must become an output of a node, or must be scratch.
  constexpr auto add_value(value record) -> value_id {
    record.graph = current_;
    return static_cast<value_id>(add_to(program_.values, record));
  }
  /// Adds a placeholder to the current graph.
  constexpr auto add_input(const value& record) -> value_id {
    const auto id = add_value(record);
    add_input(id);
    return id;
  }
  /// Adds an existing value of the current graph to the graph's placeholders.
  constexpr void add_input(value_id id) { lists().inputs.push_back(id); }
  /// Adds a user output or a mutation to the current graph.
  constexpr void add_output(const output_spec& spec) { lists().outputs.push_back(spec); }

  /// Adds a node to the current graph. Later calls of `add_attribute` and `set_subgraphs` change the latest node.
  constexpr void add_node(node record, span<const value_id> inputs, span<const value_id> outputs, span<const named_literal> literals = {}) {
    record.inputs = add_to(program_.operands, inputs);
    record.outputs = add_to(program_.operands, outputs);
    record.attributes = own_attributes(program_, literals);
    add_to(program_.nodes, record);
    node_graphs_.push_back(current_);
  }
  constexpr void add_attribute(const attribute& record) {
    add_to(program_.attributes, record);
    program_.nodes.back().attributes.size += 1;
  }
  constexpr void set_subgraphs(span<const graph_id> ids) { program_.nodes.back().subgraphs = add_to(program_.subgraphs, ids); }

  /// Returns a reference to the record of a value. The caller may change the record. The reference is valid until the next value is added.
  constexpr auto at(value_id id) -> value& { return program_.values[index(id)]; }
  /// Returns the graph to which a node was added.
  constexpr auto graph_of(node_id id) const -> graph_id { return node_graphs_[index(id)]; }
  /// Returns the node that was added last.
  constexpr auto latest_node() -> node& { return program_.nodes.back(); }
  /// Returns the unfinished program. The graphs of this program have no nodes, inputs or outputs until `finish`.
  constexpr auto draft() -> exported_program& { return program_; }

  /// Finishes the program and returns it. Makes the nodes of each graph contiguous, and adds the inputs and outputs of each graph to the
  /// program's pools.
  constexpr auto finish() -> exported_program {
    for (std::size_t g = 0; g < lists_.size(); ++g) {
      program_.graphs[g].inputs = add_to(program_.operands, span<const value_id>{lists_[g].inputs});
      program_.graphs[g].outputs = add_to(program_.outputs, span<const output_spec>{lists_[g].outputs});
    }
    sort_nodes_by_graph();
    return std::move(program_);
  }

 private:
  struct operator_count {
    std::uint64_t op;
    std::uint32_t nodes;
  };
  struct graph_lists {
    vector<value_id> inputs;
    vector<output_spec> outputs;
    vector<operator_count> operators;  ///< for each operator, the number of nodes that `earlier_nodes` has counted
  };

  static constexpr auto view_of(const text_buffer& text) -> std::string_view { return baton::view(text); }
  constexpr auto lists() -> graph_lists& { return lists_[index(current_)]; }

  constexpr auto owned_data(std::string_view prefix, std::string_view target, const tensor_type& type, value_kind kind,
                            span<const char> data) -> value_id {
    auto name = join(prefix, target);
    for (auto& c : name) c = c == '.' ? '_' : c;
    auto record = make_value(view_of(name), type, kind);
    record.target = own(target);
    if (!data.empty()) record.data = own({data.data(), data.size()});
    return add_input(record);
  }

  constexpr auto name_of_call(std::string_view op) -> text_buffer {
    auto name = join(op);
    for (auto& c : name) c = c == '.' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const auto earlier = earlier_nodes(hash_of(op));
    return earlier == 0 ? name : append(append(name, "_"), static_cast<std::int64_t>(earlier));
  }
  /// Returns the number of nodes of the current graph whose operator has the hash `op`. Each call visits only the nodes that were added
  /// after the previous call, because `lists_` keeps the counts of all graphs.
  constexpr auto earlier_nodes(std::uint64_t op) -> std::uint32_t {
    for (; counted_nodes_ < program_.nodes.size(); ++counted_nodes_) {
      count_of(lists_[index(node_graphs_[counted_nodes_])], program_.nodes[counted_nodes_].op) += 1;
    }
    return count_of(lists(), op);
  }
  static constexpr auto count_of(graph_lists& lists, std::uint64_t op) -> std::uint32_t& {
    for (auto& entry : lists.operators) {
      if (entry.op == op) return entry.nodes;
    }
    lists.operators.push_back({op, 0});
    return lists.operators.back().nodes;
  }

  constexpr void sort_nodes_by_graph() {
    if (program_.graphs.size() == 1) {
      program_.graphs[0].nodes = {0, static_cast<std::uint32_t>(program_.nodes.size())};
      return;
    }
    vector<std::uint32_t> next(program_.graphs.size() + 1, 0);
    for (const auto g : node_graphs_) next[index(g) + 1] += 1;
    for (std::size_t g = 0; g < program_.graphs.size(); ++g) {
      program_.graphs[g].nodes = {next[g], next[g + 1]};
      next[g + 1] += next[g];
    }
    vector<node> ordered(program_.nodes.size(), node{});
    for (std::size_t i = 0; i < ordered.size(); ++i) ordered[next[index(node_graphs_[i])]++] = program_.nodes[i];
    program_.nodes = std::move(ordered);
  }

  exported_program program_;
  vector<graph_lists> lists_;
  vector<graph_id> node_graphs_;
  graph_id current_{0};
  std::size_t counted_nodes_ = 0;
  std::uint32_t handles_ = 0;
};

}  // namespace baton

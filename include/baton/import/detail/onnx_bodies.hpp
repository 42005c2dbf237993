// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The bodies of control flow in ONNX: graphs whose captured values become inputs, and the nodes that run these graphs.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/onnx_reading.hpp>
#include <baton/import/detail/onnx_scope.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/operators/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::onnx::detail {

/// The common base of the emitters of control flow. A captured value is defined by an outer graph and used by a body. A captured constant
/// is copied into each body, so that it stays a constant. Every other captured value becomes an operand of the node and an input of each
/// body.
template <class Emitter>
class body_emitter {
 protected:
  constexpr body_emitter(Emitter& emit, scope& in, const node_record& record)
      : emitter_(emit),
        scope_(in),
        record_(record),
        outer_(emit.model().builder.current()) {}

  constexpr auto model() -> reading& { return emitter_.model(); }
  constexpr auto program() -> exported_program& { return emitter_.draft(); }
  constexpr auto builder() -> program_builder& { return model().builder; }

  /// Records an error at this node, unless an error is already recorded. Returns false.
  template <fixed_string Rule, class... Parts>
  constexpr auto refuse(Parts... reason) -> bool {
    if (model().why) return false;
    model().template refuse<Rule>(reason...);
    model().why.node_name = join(record_.name);
    model().why.op = join("onnx.", record_.op);
    return false;
  }

  // Attributes and operands

  constexpr auto attribute(std::string_view name) -> const attribute_record* {
    for (std::uint32_t a = 0; a < record_.attributes.size; ++a) {
      const auto& each = scope_.attributes[record_.attributes.first + a];
      if (each.name == name) return &each;
    }
    return nullptr;
  }
  /// Returns the index of the body in the attribute `name`, for `emitter::scope_at`. Returns `npos` if the attribute is missing or is not a
  /// graph.
  constexpr auto body(std::string_view name) -> std::uint32_t {
    const auto* const stored = attribute(name);
    return stored == nullptr ? npos : stored->body;
  }
  constexpr auto integer(std::string_view name) -> std::int64_t {
    const auto* const stored = attribute(name);
    return stored == nullptr ? 0 : emitter_.attributes().integer(*stored);
  }
  constexpr auto integers(std::string_view name) -> vector<std::int64_t> {
    const auto* const stored = attribute(name);
    if (stored == nullptr) return {};
    return emitter_.attributes().integers(*stored);
  }
  constexpr auto operand(std::uint32_t at) -> value_id {
    return at < record_.inputs.size ? emitter_.value_of(scope_, scope_.operands[record_.inputs.first + at]) : none<value_id>;
  }

  // Bodies

  /// Appends the captured non-constant values to `operands`.
  constexpr void append_captures(vector<value_id>& operands) {
    for (const auto capture : captures()) {
      if (scope_.names[capture].constant == npos) operands.push_back(emitter_.value_of(scope_, capture));
    }
  }

  /// Adds a graph and makes it the current graph. Returns the id of the graph.
  constexpr auto begin_graph(byte_ref name) -> graph_id {
    const auto id = builder().add_graph({});
    program().graphs[index(id)].name = name;
    inputs_.clear();
    return id;
  }
  /// Adds the graph of a body and makes it the current graph. Captured constants become constants of the body. Returns the id of the graph.
  constexpr auto begin(scope& body) -> graph_id {
    const auto id = begin_graph(body.name.empty() ? builder().own(baton::view(join(record_.name, ".body"))) : model().view(body.name));
    for (std::uint32_t i = 0; i < body.captures.size(); ++i) {
      const auto outer = body.captured_from[i];
      if (outer == npos || scope_.names[outer].constant == npos) continue;
      body.names[body.captures[i]].constant = static_cast<std::uint32_t>(body.constants.size());
      body.constants.push_back(scope_.constants[scope_.names[outer].constant]);
    }
    return id;
  }
  /// Adds input `at` of the body. If `is_slice` is true, the input has the type of one slice of `from` along dimension 0, otherwise the
  /// type of `from`. Returns false after an error.
  constexpr auto add_input(scope& body, std::size_t at, value_id from, bool is_slice) -> bool {
    if (from == none<value_id>) return refuse<"malformed_operator">("operand ", at, " is missing");
    auto& named = body.names[body.inputs[at]];
    const auto& outer = program().values[index(from)];
    if (is_slice && outer.shape.size == 0) return refuse<"malformed_operator">("operand ", at, " is a scalar and has no slices");
    auto shape = outer.shape;
    if (is_slice) shape = {shape.first + 1, shape.size - 1};
    named.id = add_user_input({.name = model().view(named.name), .type = outer.type, .shape = shape});
    return true;
  }
  /// Adds an input with the name and type of `from`, a value of another graph.
  constexpr auto add_input_like(value_id from) -> value_id {
    const auto& outer = program().values[index(from)];
    return add_user_input({.name = outer.name, .type = outer.type, .shape = outer.shape});
  }
  constexpr auto add_user_input(value record) -> value_id {
    reserve_inputs(1);
    return set_input(inputs_.size() - 1, record);
  }
  /// Reserves the next `count` inputs of the current graph, and returns the position of the first reserved input. `set_input` sets each
  /// reserved input.
  constexpr auto reserve_inputs(std::size_t count) -> std::size_t {
    const auto first = inputs_.size();
    inputs_.resize(first + count, none<value_id>);
    return first;
  }
  constexpr auto set_input(std::size_t at, value record) -> value_id {
    record.kind = value_kind::user_input;
    return inputs_[at] = builder().add_value(record);
  }

  /// Adds the captured non-constant values as inputs, then adds the nodes of the body. Returns false after an error.
  constexpr auto emit(scope& body) -> bool {
    add_captures(body);
    return emitter_.emit(body);
  }
  constexpr void add_captures(scope& body) {
    for (const auto capture : captures()) {
      if (scope_.names[capture].constant != npos) continue;
      model().reader.charge(reading::cost_of_record);
      const auto id = add_input_like(scope_.names[capture].id);
      for (std::uint32_t i = 0; i < body.captures.size(); ++i) {
        if (body.captured_from[i] == capture) body.names[body.captures[i]].id = id;
      }
    }
  }
  /// Makes the value with index `output` in `body.names` an output of the current graph. Returns the value. If no node computes the value,
  /// records an error and returns an arbitrary value.
  constexpr auto add_graph_output(scope& body, std::uint32_t output) -> value_id {
    const auto id = emitter_.value_of(body, output);
    if (id == none<value_id>) {
      refuse<"damaged_model">("no node computes output ", baton::view(printable_name(body.names[output].name)), " of a body");
      return value_id{0};
    }
    builder().output(id);
    return id;
  }
  /// Adds the inputs of the body to its graph. After the call, the current graph is the graph of the node again.
  constexpr void end() {
    for (const auto id : inputs_) builder().add_input(id);
    builder().enter(outer_);
  }

  // Values that are not in the file

  /// Returns a name for a new value or graph of the node: `<node>.<suffix>`, followed by `_<at>` unless `at` is `npos`.
  constexpr auto name_of(std::string_view suffix, std::size_t at = npos) -> byte_ref {
    auto name = join(record_.name, ".", suffix);
    if (at != npos) append(append(name, "_"), static_cast<std::int64_t>(at));
    return builder().own(baton::view(name));
  }
  constexpr auto constant(byte_ref name, const tensor_type& type, std::string_view bytes) -> value_id {
    return builder().add_input({.name = name,
                                .type = type.type,
                                .kind = value_kind::constant,
                                .shape = builder().integers(type.shape()),
                                .data = builder().own(bytes),
                                .target = name});
  }
  /// Adds a constant that contains a list of int64 numbers.
  constexpr auto integer_constant(byte_ref name, span<const std::int64_t> list) -> value_id {
    return constant(name, tensor(dtype::int64, list.size()), baton::view(bytes_of(list, dtype::int64)));
  }

  // The node

  /// Adds a node with the operator `op` for `record_`. The node has `outputs` outputs. Output `i` is `own[i]`, a value that the caller has
  /// already added. If `own[i]` is absent or `none`, adds a value for output `i` of the record (`emitter::add_output`).
  constexpr void add_node(literal_name op, span<const value_id> operands, std::size_t outputs, span<const graph_id> graphs,
                          span<const value_id> own = {}) {
    vector<value_id> ids;
    for (std::uint32_t i = 0; i < outputs; ++i)
      ids.push_back(i < own.size() && own[i] != none<value_id> ? own[i] : emitter_.add_output(scope_, record_, i));
    emitter_.add_node(record_, op, operands, ids);
    builder().set_subgraphs(graphs);
  }
  constexpr auto output(std::size_t at) -> value& { return builder().at(program().operands[program().nodes.back().outputs.first + at]); }
  constexpr auto has_same_type(value_id left, value_id right) -> bool {
    const baton::program_view view(program());
    return view[left].type == view[right].type && same(view.shape(left), view.shape(right));
  }
  /// Sets the type of output `at` of the latest node to the common type of two values. A size that differs between the values becomes -1
  /// (unknown). Fails with `malformed_operator` if the element types or ranks of the values differ.
  constexpr auto set_common_type(std::size_t at, value_id left, value_id right) -> bool {
    const auto a = program().values[index(left)], b = program().values[index(right)];
    if (a.type != b.type || a.shape.size != b.shape.size) return refuse<"malformed_operator">("output ", at, " has two different types");
    auto& integers = program().integers;
    vector<std::int64_t> sizes;
    for (std::uint32_t d = 0; d < a.shape.size; ++d) {
      const auto size = integers[a.shape.first + d];
      sizes.push_back(size == integers[b.shape.first + d] ? size : -1);
    }
    output(at).type = a.type;
    output(at).shape = builder().integers(sizes);
    return true;
  }
  /// Adds a `scan` node. The operands of the node are `carried` loop-carried values, then `stacks` scan inputs, then loop-invariant values.
  /// `results` are the outputs of the body. `own` has the outputs of the node that the caller has already added (see `add_node`).
  constexpr auto add_scan_node(span<const value_id> operands, std::size_t carried, std::size_t stacks, span<const value_id> results,
                               span<const graph_id> graphs, span<const value_id> own = {}) -> bool {
    if (model().why) return false;
    const auto& first = program().values[index(operands[carried])].shape;
    const auto steps = program().integers[first.first];
    add_node("scan", operands, results.size(), graphs, own);
    emitter_.add_integer("carried", static_cast<std::int64_t>(carried));
    emitter_.add_integer("scanned", static_cast<std::int64_t>(stacks));
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (i < carried) {
        if (!set_common_type(i, operands[i], results[i])) return false;
        continue;
      }
      const auto slice = program().values[index(results[i])];
      vector<std::int64_t> sizes{steps};
      for (std::uint32_t d = 0; d < slice.shape.size; ++d) sizes.push_back(program().integers[slice.shape.first + d]);
      output(i).type = slice.type;
      output(i).shape = builder().integers(sizes);
    }
    return true;
  }

  constexpr auto captures() const -> span<const std::uint32_t> {
    return span<const std::uint32_t>{scope_.operands}.subspan(record_.captures.first, record_.captures.size);
  }

  Emitter& emitter_;
  scope& scope_;
  const node_record& record_;

 private:
  graph_id outer_;           ///< the graph of the node
  vector<value_id> inputs_;  ///< the user inputs of the current body
};

}  // namespace baton::onnx::detail

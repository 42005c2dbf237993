// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Converts the records of ONNX graphs to nodes and values of a program.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/graph/order.hpp>
#include <baton/import/detail/onnx_attributes.hpp>
#include <baton/import/detail/onnx_control_flow.hpp>
#include <baton/import/detail/onnx_reading.hpp>
#include <baton/import/detail/onnx_schema.hpp>
#include <baton/import/detail/onnx_scope.hpp>
#include <baton/import/detail/onnx_stated_types.hpp>
#include <baton/import/detail/temporary_constants.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/onnx_integers.hpp>
#include <baton/operators/shared/onnx_types.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace baton::onnx::detail {

/// An emitter of the nodes of ONNX graphs. It adds the nodes to the builder's current graph in topological order, and infers the types of
/// their outputs.
class emitter {
 public:
  constexpr emitter(reading& model, attribute_reader& attributes, vector<scope>& scopes, symbol_table& symbols)
      : reading_(model),
        attributes_(attributes),
        scopes_(scopes),
        symbols_(symbols) {}

  constexpr auto model() -> reading& { return reading_; }
  constexpr auto attributes() -> attribute_reader& { return attributes_; }
  constexpr auto scope_at(std::uint32_t at) -> scope& { return scopes_[at]; }
  constexpr auto draft() -> exported_program& { return reading_.builder.draft(); }

  /// Returns the program's value for `in.names[name_index]`. Returns `none` if `name_index` is `npos`, or if the value is not in the
  /// program. Adds a constant to the current graph at its first use.
  constexpr auto value_of(scope& in, std::uint32_t name_index) -> value_id {
    if (name_index == npos) return none<value_id>;
    auto& named = in.names[name_index];
    if (named.id == none<value_id> && named.constant != npos) named.id = reading_.builder.add_input(in.constants[named.constant]);
    return named.id;
  }

  /// Adds the nodes of a graph. The inputs of the graph, and the non-constant values of outer graphs that it uses, must already be values
  /// of the program. Returns false after an error.
  constexpr auto emit(scope& from) -> bool {
    vector<std::uint32_t> order;
    if (!sort(from, order)) return false;
    for (std::uint32_t n = 0; n < from.nodes.size(); ++n) {
      const auto& record = from.nodes[order.empty() ? n : order[n]];
      if (is_control_flow(record)) {
        if (!control_flow_emitter<emitter>(*this, from, record).run()) return false;
      } else if (!emit_node(from, record)) {
        return locate_error();
      }
    }
    return true;
  }

  /// Adds a node with the operator `op`. The node gets the name and the debug handle of `record`. A debug handle is the number that
  /// identifies a node of the model.
  constexpr void add_node(const node_record& record, literal_name op, span<const value_id> inputs, span<const value_id> outputs) {
    reading_.builder.add_node({.name = reading_.view(record.name.empty() ? record.op : record.name),
                               .target = program_builder::view(op.text),
                               .op = op.hash,
                               .debug_handle = record.handle},
                              inputs, outputs);
  }
  /// Adds an integer attribute to the latest node.
  constexpr void add_integer(literal_name name, std::int64_t integer) {
    reading_.builder.add_attribute({.name = program_builder::view(name.text), .key = name.hash, .integer = integer});
  }
  /// Adds a value for output `i` of a record, and returns it. If the record omits the output, the value has a new name and no users.
  constexpr auto add_output(scope& in, const node_record& record, std::uint32_t i) -> value_id {
    const auto name_index = i < record.outputs.size ? in.operands[record.outputs.first + i] : npos;
    if (name_index == npos)
      return reading_.builder.add_value({.name = reading_.builder.own(baton::view(join(record.name, "_output_", i)))});
    return in.names[name_index].id = reading_.builder.add_value({.name = reading_.view(in.names[name_index].name)});
  }
  /// Records the latest node as the location of the current error, unless the error already has a node. Returns false.
  constexpr auto locate_error() -> bool {
    if (!reading_.check_errors("the record of the node in the file") && !draft().nodes.empty() && reading_.why.node < 0) {
      const auto latest = static_cast<node_id>(draft().nodes.size() - 1);
      reading_.why = locate(std::move(reading_.why), draft(), latest);
    }
    return false;
  }

  /// Makes the node outputs that were temporarily constants intermediate values again. These outputs have known integers, which inference
  /// uses (`temporary_constants`). Called after the last node.
  constexpr void finish() { integers_.restore(draft()); }

 private:
  /// Sets `order` to a topological order of the nodes, or leaves it empty if the file order is topological. Fails with `cyclic_graph` if
  /// there is a cycle, and with `damaged_model` if an operand is not defined.
  constexpr auto sort(scope& in, vector<std::uint32_t>& order) -> bool {
    vector<edge> edges;
    bool is_sorted = true;
    for (std::uint32_t n = 0; n < in.nodes.size(); ++n) {
      const auto& record = in.nodes[n];
      for (const auto operands : {record.inputs, record.captures}) {
        for (std::uint32_t i = 0; i < operands.size; ++i) {
          const auto operand = in.operands[operands.first + i];
          if (operand == npos) continue;
          const auto& entry = in.names[operand];
          if (entry.producer == npos && entry.id == none<value_id> && entry.constant == npos) {
            return reading_.refuse<"damaged_model">("node ", baton::view(printable_name(record.name)), " uses ",
                                                    baton::view(printable_name(entry.name)), ", which nothing defines");
          }
          if (entry.producer == npos) continue;
          edges.emplace_back(entry.producer, n);
          is_sorted = is_sorted && entry.producer < n;
        }
      }
    }
    if (is_sorted) return true;
    vector<std::uint32_t> ranks(in.nodes.size(), 0);
    for (std::uint32_t n = 0; n < ranks.size(); ++n) ranks[n] = n;
    order = topological_order(adjacency(edges, in.nodes.size()), ranks);
    if (order.size() == in.nodes.size()) return true;
    vector<char> is_placed(in.nodes.size(), 0);
    for (const auto n : order) is_placed[n] = 1;
    std::size_t first = 0;
    while (is_placed[first] != 0) ++first;
    return reading_.refuse<"cyclic_graph">("node ", baton::view(printable_name(in.nodes[first].name)),
                                           " is in the cycle, or depends on it");
  }

  constexpr auto emit_node(scope& in, const node_record& record) -> bool {
    auto& operands = draft().operands;
    const auto& definition = find_definition(record.hash, draft().operators, draft().dialect);
    const auto first = static_cast<std::uint32_t>(operands.size());
    for (std::uint32_t i = 0; i < record.inputs.size; ++i) operands.push_back(value_of(in, in.operands[record.inputs.first + i]));
    auto outputs = record.outputs.size;
    while (outputs > 0 && in.operands[record.outputs.first + outputs - 1] == npos) --outputs;
    for (std::uint32_t i = 0; i < outputs; ++i) operands.push_back(add_output(in, record, i));
    reading_.builder.add_node({.name = reading_.view(record.name.empty() ? record.op : record.name),
                               .target = program_builder::view(definition.name.text),
                               .op = record.hash,
                               .debug_handle = record.handle},
                              {}, {});
    auto& added = reading_.builder.latest_node();
    added.inputs = {first, record.inputs.size};
    added.outputs = {first + record.inputs.size, outputs};
    for (std::uint32_t a = 0; a < record.attributes.size; ++a) attributes_.add(in.attributes[record.attributes.first + a]);
    if (definition.is_versioned) add_integer("opset", static_cast<std::int64_t>(record.version));
    if (!reading_.reader.ok() || reading_.why) return false;
    if (!set_types(in, record, outputs)) return false;
    if (outputs == 1) integers_.add(draft(), draft().operands[first + record.inputs.size], folded_integers(draft(), added));
    return true;
  }

  /// Sets the types of the latest node's outputs to the inferred types. Element types, ranks and sizes that inference does not determine
  /// are taken from the file. Fails with the errors of `infer`. Also fails with `unresolved_type` if the element type or the rank of a
  /// named output remains unknown. An unknown size is not an error here.
  constexpr auto set_types(scope& in, const node_record& record, std::uint32_t outputs) -> bool {
    const baton::program_view program(draft());
    auto inferred = infer(program, program.nodes[program.nodes.size() - 1]);
    if (!inferred) {
      reading_.why = std::move(inferred.error);
      return false;
    }
    inferred.value.resize(outputs, inferred_type{});
    for (std::uint32_t i = 0; i < outputs; ++i) {
      auto& type = inferred.value[i];
      const auto name_index = in.operands[record.outputs.first + i];
      if (!is_complete(type) && name_index != npos) add_stated(in, in.names[name_index].name, type);
      const auto id = draft().operands[draft().nodes.back().outputs.first + i];
      auto& added = reading_.builder.at(id);
      if (!type.has_type || !type.has_shape) {
        // An omitted output may have any type.
        if (name_index == npos) continue;
        return reading_.refuse<"unresolved_type">(type.has_type ? "the rank of " : "the element type of ",
                                                  baton::view(printable_name(in.names[name_index].name)),
                                                  " does not follow from its operands, and the file does not state it");
      }
      added.type = type.type;
      added.shape = reading_.builder.integers(type.shape.view());
    }
    return true;
  }
  static constexpr auto is_complete(const inferred_type& type) -> bool {
    bool is_known = type.has_type && type.has_shape;
    for (std::size_t d = 0; is_known && d < type.shape.rank; ++d) is_known = type.shape.sizes[d] >= 0;
    return is_known;
  }
  /// Completes a type. If the element type, the rank or a size is unknown, uses the one that the file states for the value `name`.
  constexpr void add_stated(scope& in, std::string_view name, inferred_type& type) {
    reading_.reader.charge(in.stated_types.size() + in.output_types.size());
    for (const auto* list : {&in.stated_types, &in.output_types}) {
      for (const auto& each : *list) {
        const auto stated = read_stated_type(reading_, each);
        if (stated.name != name || stated.is_other) continue;
        const auto element = element_type_of(static_cast<std::int64_t>(stated.element));
        if (!type.has_type && element.is_known) {
          type.has_type = true;
          type.type = element.type;
        }
        if (!stated.has_shape || stated.sizes.size() > tensor_type::max_rank) continue;
        if (!type.has_shape) {
          type.has_shape = true;
          type.shape = inferred_shape{};
          for (const auto& size : stated.sizes) type.shape.add(symbols_.size_of(size));
        }
        for (std::size_t d = 0; d < type.shape.rank && d < stated.sizes.size(); ++d) {
          if (type.shape.sizes[d] < 0) type.shape.sizes[d] = symbols_.size_of(stated.sizes[d]);
        }
      }
    }
  }

  reading& reading_;
  attribute_reader& attributes_;
  vector<scope>& scopes_;
  symbol_table& symbols_;
  baton::detail::temporary_constants integers_;
};

}  // namespace baton::onnx::detail

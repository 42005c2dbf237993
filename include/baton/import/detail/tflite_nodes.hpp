// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The nodes of TFLite models: operator, operands, outputs, attributes, and hidden states (states for which the file has no tensor).
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/tflite_attributes.hpp>
#include <baton/import/detail/tflite_graph_values.hpp>
#include <baton/import/detail/tflite_graph_variables.hpp>
#include <baton/import/detail/tflite_item_updates.hpp>
#include <baton/import/detail/tflite_offline_memory.hpp>
#include <baton/import/detail/tflite_operator_codes.hpp>
#include <baton/import/detail/tflite_reading.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/detail/tflite_variables.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::tflite::detail {

/// A converter of operators to nodes of the current graph.
class node_reader {
 public:
  using table = flatbuffer::table;

  constexpr node_reader(reading& model, operator_codes& codes, tensor_reader& tensors, graph_values& values, graph_variables& variables)
      : reading_(model),
        codes_(codes),
        values_(values),
        variables_(variables),
        attributes_(model),
        updates_(model, codes, tensors) {}

 private:
  // This member template is defined before its first use, because Clang requires it.
  constexpr void add_node(const node& record, const auto& inputs, const flatbuffer::vector<std::int32_t>& outputs, role operand_role) {
    reading_.charge_records(1);
    reading_.charge_elements(inputs.size() + outputs.size());
    auto& operands = reading_.builder.draft().operands;
    const auto first = static_cast<std::uint32_t>(operands.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      operands.push_back(inputs[i] == -1 ? none<value_id> : values_.find(inputs[i], operand_role));
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) operands.push_back(values_.find(outputs[i], role::result));
    const auto first_output = first + static_cast<std::uint32_t>(inputs.size());
    reading_.builder.add_node(record, {}, {});
    reading_.builder.latest_node().inputs = {first, first_output - first};
    reading_.builder.latest_node().outputs = {first_output, static_cast<std::uint32_t>(outputs.size())};
  }

 public:
  /// Reads the arena offsets in the file if the model has custom operators; only custom operators get the attribute `arena_offsets`. Must
  /// be called after all operator codes are known.
  constexpr void read_arena_offsets() {
    if (codes_.has_custom()) memory_.find(reading_.reader.view(0, reading_.reader.size()));
  }

  /// Begins the current graph, whose table is `stored`.
  constexpr void begin(const table& stored) { updates_.begin(stored); }

  /// Converts the operator at position `position` of the graph. If the operator cannot be read, records an error and returns false.
  constexpr auto read(const table& stored, std::size_t position) -> bool {
    const auto code = stored.scalar<std::uint32_t>(slot::operation::opcode_index);
    if (!reading_.check_errors("operator ", position)) return false;
    if (code >= codes_.size()) return reading_.refuse<"damaged_model">("operator ", position, ": there is no operator code ", code);
    const auto handle = ++handles_;
    if (variables_.are_mutable_buffers() && codes_.variable_uses()[code] != variable_use::none)
      return variables_.apply(codes_.variable_uses()[code], stored);
    const auto& entry = codes_[code];
    if (updates_.action_of(position) != item_updates::action::read) return read_part_of_update(entry, stored, position);
    add_node({.name = codes_.name_of_node(entry), .target = entry.target, .op = entry.op, .debug_handle = handle},
             stored.elements<std::int32_t>(slot::operation::inputs), stored.elements<std::int32_t>(slot::operation::outputs),
             entry.is_custom ? role::operand_of_custom : role::operand);
    attributes_.read(entry.schema, entry.is_custom, stored);
    if (entry.is_custom && memory_.is_present())
      attributes_.add_arena_offsets(memory_, reading_.number_of(reading_.builder.current()), stored);
    if (entry.is_custom) add_hidden_state(find_definition(entry.op, reading_.builder.draft().operators));
    if (reading_.check_errors("its table in the file")) return true;
    const auto& program = reading_.builder.draft();
    reading_.why = locate(std::move(reading_.why), program, static_cast<node_id>(program.nodes.size() - 1));
    return false;
  }

 private:
  /// Converts an operator of an item update (`item_updates`).
  constexpr auto read_part_of_update(const operator_entry& entry, const table& stored, std::size_t position) -> bool {
    using action = item_updates::action;
    const auto treatment = updates_.action_of(position);
    if (treatment == action::skip) return true;
    constexpr literal_name update{"tfl.dynamic_update_slice"};
    node record{.name = codes_.name_of_node(entry), .target = entry.target, .op = entry.op, .debug_handle = handles_};
    if (treatment == action::update) {
      record.target = program_builder::view(update.text);
      record.op = update.hash;
    }
    add_node(record, updates_.inputs_of(position), stored.elements<std::int32_t>(slot::operation::outputs), role::operand);
    if (treatment == action::start) attributes_.read(entry.schema, entry.is_custom, stored);
    return reading_.check_errors("operator ", position);
  }

  /// Appends the hidden state to the latest node's operands, if the operator has a hidden state.
  constexpr void add_hidden_state(const operator_definition& definition) {
    auto& program = reading_.builder.draft();
    const auto record = program.nodes.back();
    if (definition.hidden_state == nullptr || record.inputs.size + 1 != definition.operands.size() ||
        !reading_.check_errors("its operands"))
      return;
    for (std::uint32_t i = 0; i < record.inputs.size; ++i) {
      if (program.operands[record.inputs.first + i] == none<value_id>) return;
    }
    const auto bytes = static_cast<std::int64_t>(definition.hidden_state(program_view(program), record));
    if (bytes == 0) return;
    reading_.charge_records(1);
    const auto name = reading_.own(join(program.text(record.name), ".state"));
    const auto id =
        values_.add_state({.name = name, .type = dtype::uint8, .shape = reading_.builder.integers({&bytes, 1}), .target = name});
    // Inserts `id` after the operands and before the outputs of the node. The node's operands and outputs are the last elements of the
    // operand pool.
    auto& operands = program.operands;
    operands.push_back(none<value_id>);
    for (auto at = operands.size() - 1; at > record.outputs.first; --at) operands[at] = operands[at - 1];
    operands[record.outputs.first] = id;
    ++reading_.builder.latest_node().inputs.size;
    ++reading_.builder.latest_node().outputs.first;
  }

  reading& reading_;
  operator_codes& codes_;
  graph_values& values_;
  graph_variables& variables_;
  attribute_reader attributes_;
  item_updates updates_;
  offline_memory memory_;
  std::uint32_t handles_ = 0;  ///< the debug handle of the latest operator; a debug handle identifies a node of the model
};

}  // namespace baton::tflite::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Nodes of TFLite models: operator, operands, results, attributes, and what they keep.
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
#include <baton/import/detail/tflite_held_variables.hpp>
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

/// Makes nodes of operators, in the graph that is being read.
class node_reader {
 public:
  using table = flatbuffer::table;

  constexpr node_reader(reading& to, operator_codes& codes, graph_values& values, held_variables& variables)
      : to_(to),
        codes_(codes),
        values_(values),
        variables_(variables),
        attributes_(to) {}

  /// Once all codes are known: finds where the file places tensors, which custom operators are told.
  constexpr void begin() {
    if (codes_.has_custom()) memory_.find(to_.reader.view(0, to_.reader.size()));
  }

  /// The operator at a position of the graph; false, and a mistake is noted, if it cannot be read.
  constexpr auto read(const table& stored, std::size_t position) -> bool {
    const auto code = stored.scalar<std::uint32_t>(slot::operation::opcode_index);
    if (!to_.all_is_well("operator ", position)) return false;
    if (code >= codes_.size()) return to_.refuse<"damaged_model">("operator ", position, ": there is no operator code ", code);
    const auto handle = ++handles_;
    if (variables_.are_states() && codes_.uses()[code] != variable_use::none) return variables_.use(codes_.uses()[code], stored);
    const auto& entry = codes_[code];
    add_node({.name = codes_.name_of_node(entry), .target = entry.target, .op = entry.op, .debug_handle = handle}, stored,
             entry.is_custom ? role::operand_of_custom : role::operand);
    attributes_.read(entry.schema, entry.is_custom, stored);
    if (entry.is_custom && memory_.is_there()) attributes_.add_arena_offsets(memory_, to_.number_of(to_.builder.current()), stored);
    if (entry.is_custom) add_hidden_state(find_definition(entry.op, to_.builder.draft().operators));
    if (to_.all_is_well("its table in the file")) return true;
    const auto& program = to_.builder.draft();
    to_.why = locate(std::move(to_.why), program, static_cast<node_id>(program.nodes.size() - 1));
    return false;
  }

 private:
  constexpr void add_node(const node& record, const table& stored, role of_operands) {
    const auto inputs = stored.elements<std::int32_t>(slot::operation::inputs);
    const auto outputs = stored.elements<std::int32_t>(slot::operation::outputs);
    to_.pay_for_records(1);
    to_.pay_for_elements(inputs.size() + outputs.size());
    auto& operands = to_.builder.draft().operands;
    const auto first = static_cast<std::uint32_t>(operands.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      operands.push_back(inputs[i] == -1 ? none<value_id> : values_.find(inputs[i], of_operands));
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) operands.push_back(values_.find(outputs[i], role::result));
    const auto middle = first + static_cast<std::uint32_t>(inputs.size());
    to_.builder.add_node(record, {}, {});
    to_.builder.latest_node().inputs = {first, middle - first};
    to_.builder.latest_node().outputs = {middle, static_cast<std::uint32_t>(outputs.size())};
  }

  /// What the latest node keeps from run to run, which the file has no tensor for, becomes its last operand.
  constexpr void add_hidden_state(const operator_definition& definition) {
    auto& program = to_.builder.draft();
    const auto made = program.nodes.back();
    if (definition.hidden_state == nullptr || made.inputs.size + 1 != definition.operands.size() || !to_.all_is_well("its operands"))
      return;
    for (std::uint32_t i = 0; i < made.inputs.size; ++i) {
      if (program.operands[made.inputs.first + i] == none<value_id>) return;
    }
    const auto bytes = static_cast<std::int64_t>(definition.hidden_state(program_view(program), made));
    if (bytes == 0) return;
    to_.pay_for_records(1);
    const auto name = to_.own(join(program.text(made.name), ".state"));
    const auto id = values_.add_state({.name = name, .type = dtype::uint8, .shape = to_.builder.integers({&bytes, 1}), .target = name});
    // Between the operands and the outputs, which stand side by side at the end of their pool.
    auto& operands = program.operands;
    operands.push_back(none<value_id>);
    for (auto at = operands.size() - 1; at > made.outputs.first; --at) operands[at] = operands[at - 1];
    operands[made.outputs.first] = id;
    ++to_.builder.latest_node().inputs.size;
    ++to_.builder.latest_node().outputs.first;
  }

  reading& to_;
  operator_codes& codes_;
  graph_values& values_;
  held_variables& variables_;
  attribute_reader attributes_;
  offline_memory memory_;
  std::uint32_t handles_ = 0;
};

}  // namespace baton::tflite::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The variables of the graph of a TFLite model that is being read, where they are mutable buffers.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/tflite_graph_values.hpp>
#include <baton/import/detail/tflite_reading.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/detail/tflite_tensors.hpp>
#include <baton/import/detail/tflite_variables.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::tflite::detail {

/// Of a handle nothing is left; reading is a name for what was assigned last, with which the variable is left.
class held_variables {
 public:
  using table = flatbuffer::table;

  constexpr held_variables(reading& to, variable_scan& found, graph_values& values, tensor_reader& reader)
      : to_(to),
        found_(found),
        values_(values),
        reader_(reader) {}

  /// Whether variables are mutable buffers here; if not, all nodes on them stay.
  constexpr auto are_states() const -> bool { return found_.are_states(); }

  /// Of a graph with so many tensors.
  constexpr void begin(std::size_t tensors) {
    to_.reader.spend(found_.variables().size() + tensors);
    held_.assign(found_.variables().size(), held_variable{});
    variable_of_.assign(tensors, npos);
  }

  /// Does what a node does with a variable; the scan has seen that its operands are there.
  constexpr auto use(variable_use use, const table& stored) -> bool {
    if (use == variable_use::call_once) return true;  // its constants are what variables begin with
    const auto inputs = stored.elements<std::int32_t>(slot::operation::inputs);
    const auto outputs = stored.elements<std::int32_t>(slot::operation::outputs);
    if (use == variable_use::handle) {
      variable_of_[static_cast<std::size_t>(outputs[0])] = found_.find(stored);
      return to_.all_is_well("a variable");
    }
    const auto variable = variable_of_[static_cast<std::size_t>(inputs[0])];
    auto& held = held_[variable];
    if (held.buffer == none<value_id>) held.buffer = held.now = add_variable(found_.variables()[variable]);
    if (use == variable_use::assign) {
      held.now = values_.find(inputs[1], role::operand);
    } else {
      values_.set(outputs[0], held.now);
    }
    return to_.all_is_well("a variable");
  }

  /// What the graph leaves variables with.
  constexpr void add_mutations() {
    for (const auto& each : held_) {
      if (each.now != each.buffer) to_.builder.add_output({output_kind::buffer_mutation, each.now, to_.builder.at(each.buffer).target});
    }
  }

 private:
  /// What a variable is in the graph that is being read.
  struct held_variable {
    value_id buffer = none<value_id>;  ///< what it was when the graph began; `none`: nobody has asked
    value_id now = none<value_id>;
  };

  constexpr auto add_variable(const stored_variable& stored) -> value_id {
    auto record = reader_.read(stored.form, 0);
    record.kind = value_kind::mutable_buffer;
    if (stored.initial) {
      record.data = reader_.data_of(stored.initial);
    } else if (stored.assigned) {
      record.data = reader_.zeros(record, stored.assigned);
    }
    record.target = to_.view(stored.name.empty() ? std::string_view{"variable"} : stored.name);
    if (!stored.container.empty()) record.target = to_.own(join(stored.container, "/", stored.name));
    record.name = record.target;
    return to_.builder.add_input(record);
  }

  reading& to_;
  variable_scan& found_;
  graph_values& values_;
  tensor_reader& reader_;
  vector<held_variable> held_;         ///< by variable
  vector<std::uint32_t> variable_of_;  ///< by tensor: the variable that it is a handle of
};

}  // namespace baton::tflite::detail

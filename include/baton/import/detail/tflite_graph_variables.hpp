// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Converts the resource variables of one graph of a TFLite model to mutable buffers (buffers that keep their values from run to run).
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

/// The values of resource variables within a graph. A handle is a tensor by which operators refer to a variable. Handles, and nodes that
/// use handles, are not added to the program. A read yields the value that was assigned last. The value that the graph assigns last becomes
/// the mutation of the variable's buffer, the output with the buffer's new value.
class graph_variables {
 public:
  using table = flatbuffer::table;

  constexpr graph_variables(reading& model, variable_scan& scan, graph_values& values, tensor_reader& reader)
      : reading_(model),
        scan_(scan),
        values_(values),
        reader_(reader) {}

  /// True if the variables of the model become mutable buffers. If not, all nodes that use variables remain in the program.
  constexpr auto are_mutable_buffers() const -> bool { return scan_.are_mutable_buffers(); }

  /// Begins a graph with `tensors` tensors.
  constexpr void begin(std::size_t tensors) {
    reading_.reader.charge(scan_.variables().size() + tensors);
    states_.assign(scan_.variables().size(), variable_state{});
    variable_of_.assign(tensors, npos);
  }

  /// Applies operator `stored` to a variable. `use` states how the operator uses the variable. `variable_scan` has already checked that the
  /// operator's operands are present. Returns false after an error.
  constexpr auto apply(variable_use use, const table& stored) -> bool {
    if (use == variable_use::call_once) return true;  // the called graph assigns initial values, which `variable_scan` has found
    const auto inputs = stored.elements<std::int32_t>(slot::operation::inputs);
    const auto outputs = stored.elements<std::int32_t>(slot::operation::outputs);
    if (use == variable_use::handle) {
      variable_of_[static_cast<std::size_t>(outputs[0])] = scan_.find_or_add(stored);
      return reading_.check_errors("a variable");
    }
    const auto variable = variable_of_[static_cast<std::size_t>(inputs[0])];
    auto& state = states_[variable];
    if (state.buffer == none<value_id>) state.buffer = state.current = add_variable(scan_.variables()[variable]);
    if (use == variable_use::assign) {
      state.current = values_.find(inputs[1], role::operand);
    } else {
      values_.set(outputs[0], state.current);
    }
    return reading_.check_errors("a variable");
  }

  /// Adds the last assignments of the graph as mutations.
  constexpr void add_mutations() {
    for (const auto& each : states_) {
      if (each.current != each.buffer)
        reading_.builder.add_output({output_kind::buffer_mutation, each.current, reading_.builder.at(each.buffer).target});
    }
  }

 private:
  /// A variable in the current graph.
  struct variable_state {
    value_id buffer = none<value_id>;   ///< the mutable buffer of the variable; `none` if the graph has not used the variable yet
    value_id current = none<value_id>;  ///< the value that was assigned last, or `buffer`
  };

  constexpr auto add_variable(const stored_variable& stored) -> value_id {
    auto record = reader_.convert(stored.form, 0);
    record.kind = value_kind::mutable_buffer;
    if (stored.initial) {
      record.data = reader_.data_of(stored.initial);
    } else if (stored.assigned) {
      record.data = reader_.initial_zero_points(record, stored.assigned);
    }
    record.target = reading_.view(stored.name.empty() ? std::string_view{"variable"} : stored.name);
    if (!stored.container.empty()) record.target = reading_.own(join(stored.container, "/", stored.name));
    record.name = record.target;
    return reading_.builder.add_input(record);
  }

  reading& reading_;
  variable_scan& scan_;
  graph_values& values_;
  tensor_reader& reader_;
  vector<variable_state> states_;      ///< indexed by variable (`variable_scan::variables`)
  vector<std::uint32_t> variable_of_;  ///< the variable of a handle, else `npos`; indexed by tensor
};

}  // namespace baton::tflite::detail

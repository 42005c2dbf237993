// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The resource variables of a TFLite model that can become mutable buffers (buffers that keep their values from run to run). The variables
// are identified by handles (the tensors by which operators refer to a variable).
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/tflite_same_quantization.hpp>
#include <baton/import/detail/tflite_slots.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::tflite::detail {

/// The way in which an operator uses resource variables.
enum class variable_use : std::uint8_t { none, handle, read, assign, call_once };

constexpr auto variable_use_of(std::int32_t code) -> variable_use {
  switch (code) {
    case 129:
      return variable_use::call_once;
    case 142:
      return variable_use::handle;
    case 143:
      return variable_use::read;
    case 144:
      return variable_use::assign;
    default:
      return variable_use::none;
  }
}

/// A resource variable. All handles with the same container and name refer to the same variable.
struct stored_variable {
  std::string_view container{};
  std::string_view name{};
  /// A tensor with the dtype and shape of the variable. It is the output of a read, or an assigned tensor if there is no read.
  flatbuffer::table form{};
  flatbuffer::table initial{};   ///< the constant assigned in a graph that `call_once` calls; absent if there is none
  flatbuffer::table assigned{};  ///< the first tensor assigned in any other graph
  flatbuffer::table latest{};    ///< the last tensor assigned in the current graph
  bool is_form_read = false;     ///< true if `form` is the output of a read
};

/// A search for the resource variables of a model. It decides whether the variables can become mutable buffers. Three conditions must hold:
/// - Every graph creates its own handles, and uses them only to read and assign variables.
/// - All reads and assignments of a variable have the same dtype and shape, and all reads have the same quantization. The last
///   tensor that is assigned before a read in the same graph also has the quantization of the reads.
/// - In each graph, `call_once` precedes all reads and assignments. The graphs that `call_once` calls only create handles and assign
///   constants. They never assign two different constants to one variable.
///
/// If a condition does not hold, all nodes that use variables remain as in the file. No kernel supports these nodes, but a backend may.
class variable_scan {
 public:
  using table = flatbuffer::table;

  constexpr explicit variable_scan(byte_reader& reader) : reader_(reader) {}

  /// Scans all graphs. `uses[i]` states how the operators with operator code `i` use variables.
  constexpr void run(const flatbuffer::vector<table>& graphs, const flatbuffer::vector<table>& buffers, const vector<variable_use>& uses) {
    bool has_handles = false;
    for (const auto use : uses) has_handles = has_handles || use == variable_use::handle;
    if (!has_handles) return;
    are_mutable_buffers_ = true;
    buffers_ = buffers;
    is_initial_.assign(graphs.size(), 0);
    for (std::size_t g = 0; g < graphs.size(); ++g) note_calls(graphs[g], uses);
    for (std::size_t g = 0; g < graphs.size() && are_mutable_buffers_; ++g) scan(graphs[g], uses, is_initial_[g] != 0);
  }

  /// True if the variables become mutable buffers.
  constexpr auto are_mutable_buffers() const -> bool { return are_mutable_buffers_; }
  constexpr auto variables() const -> const vector<stored_variable>& { return variables_; }

  /// Returns the variable of the handle that `operation` produces. Adds the variable if it is new.
  constexpr auto find_or_add(const table& operation) -> std::uint32_t {
    const auto options = options_of(operation, 111);
    const auto container = options.text(0);
    const auto name = options.text(1);
    reader_.charge(variables_.size());
    for (std::uint32_t i = 0; i < variables_.size(); ++i) {
      if (variables_[i].container == container && variables_[i].name == name) return i;
    }
    variables_.push_back({.container = container, .name = name});
    return static_cast<std::uint32_t>(variables_.size() - 1);
  }

 private:
  static constexpr auto options_of(const table& operation, std::uint8_t type) -> table {
    const auto options = operation.member(slot::operation::builtin_options_type);
    return options.type == type ? options.value : table{};
  }
  static constexpr auto use_of(const table& operation, const vector<variable_use>& uses) -> variable_use {
    const auto code = operation.scalar<std::uint32_t>(slot::operation::opcode_index);
    return code < uses.size() ? uses[code] : variable_use::none;
  }
  constexpr void require(bool holds) { are_mutable_buffers_ = are_mutable_buffers_ && holds; }

  // Finds the graphs that `call_once` calls. These graphs assign initial values.
  constexpr void note_calls(const table& graph, const vector<variable_use>& uses) {
    const auto operations = graph.elements<table>(slot::subgraph::operators);
    bool has_begun = false;
    for (std::size_t i = 0; i < operations.size() && are_mutable_buffers_; ++i) {
      const auto operation = operations[i];
      const auto use = use_of(operation, uses);
      has_begun = has_begun || use == variable_use::read || use == variable_use::assign;
      if (use != variable_use::call_once) continue;
      const auto called = options_of(operation, 103).scalar<std::int32_t>(0);
      require(!has_begun && called >= 0 && static_cast<std::size_t>(called) < is_initial_.size());
      if (are_mutable_buffers_) is_initial_[static_cast<std::size_t>(called)] = 1;
    }
  }

  constexpr void scan(const table& graph, const vector<variable_use>& uses, bool is_initial) {
    tensors_ = graph.elements<table>(slot::subgraph::tensors);
    variable_of_.assign(tensors_.size(), npos);
    reader_.charge(variables_.size());
    for (auto& each : variables_) each.latest = {};
    const auto operations = graph.elements<table>(slot::subgraph::operators);
    for (std::size_t i = 0; i < operations.size() && are_mutable_buffers_; ++i) {
      const auto operation = operations[i];
      scan(operation, use_of(operation, uses), is_initial);
    }
    require_no_handles(graph.elements<std::int32_t>(slot::subgraph::inputs));
    require_no_handles(graph.elements<std::int32_t>(slot::subgraph::outputs));
  }

  constexpr void scan(const table& operation, variable_use use, bool is_initial) {
    const auto inputs = operation.elements<std::int32_t>(slot::operation::inputs);
    const auto outputs = operation.elements<std::int32_t>(slot::operation::outputs);
    if (use == variable_use::handle) {
      require(inputs.empty() && outputs.size() == 1 && is_tensor(outputs[0]) && variable_of(outputs[0]) == npos);
      if (are_mutable_buffers_) variable_of_[static_cast<std::size_t>(outputs[0])] = find_or_add(operation);
    } else if (use == variable_use::read) {
      require(inputs.size() == 1 && outputs.size() == 1 && variable_of(inputs[0]) != npos && is_tensor(outputs[0]) && !is_initial);
      if (are_mutable_buffers_) note_read(variables_[variable_of(inputs[0])], tensors_[static_cast<std::size_t>(outputs[0])]);
    } else if (use == variable_use::assign) {
      require(inputs.size() == 2 && outputs.empty() && variable_of(inputs[0]) != npos && is_tensor(inputs[1]) &&
              variable_of(inputs[1]) == npos);
      if (are_mutable_buffers_)
        note_assigned(variables_[variable_of(inputs[0])], tensors_[static_cast<std::size_t>(inputs[1])], is_initial);
    } else {
      require(!is_initial);
      require_no_handles(inputs);
      require_no_handles(outputs);
    }
  }

  constexpr auto is_tensor(std::int32_t tensor) const -> bool { return tensor >= 0 && static_cast<std::size_t>(tensor) < tensors_.size(); }
  constexpr auto variable_of(std::int32_t tensor) const -> std::uint32_t {
    return is_tensor(tensor) ? variable_of_[static_cast<std::size_t>(tensor)] : npos;
  }
  constexpr void require_no_handles(const flatbuffer::vector<std::int32_t>& tensors) {
    for (std::size_t i = 0; i < tensors.size() && are_mutable_buffers_; ++i) require(variable_of(tensors[i]) == npos);
  }

  constexpr void note_read(stored_variable& variable, const table& tensor) {
    require(!variable.form || has_form_of(variable.form, tensor));
    require(!variable.is_form_read || has_quantization_of(variable.form, tensor));
    require(!variable.latest || has_quantization_of(variable.latest, tensor));  // the read yields the tensor `latest`
    variable.form = tensor;
    variable.is_form_read = true;
  }
  constexpr void note_assigned(stored_variable& variable, const table& tensor, bool is_initial) {
    require(!variable.form || has_form_of(variable.form, tensor));
    if (!variable.form) variable.form = tensor;
    if (!is_initial) {
      if (!variable.assigned) variable.assigned = tensor;
      variable.latest = tensor;
      return;
    }
    const auto buffer = tensor.scalar<std::uint32_t>(slot::tensor::buffer);
    require(buffer < buffers_.size() && (!variable.initial || variable.initial.scalar<std::uint32_t>(slot::tensor::buffer) == buffer));
    require(are_mutable_buffers_ && buffer != 0 && has_data(buffers_[buffer]));
    variable.initial = tensor;
  }
  static constexpr auto has_data(const table& buffer) -> bool {
    return !buffer.bytes(slot::buffer::data).empty() || buffer.scalar<std::uint64_t>(slot::buffer::offset) > 1;
  }

  static constexpr auto has_form_of(const table& a, const table& b) -> bool {
    return a.scalar<std::int8_t>(slot::tensor::type) == b.scalar<std::int8_t>(slot::tensor::type) &&
           are_same(a.elements<std::int32_t>(slot::tensor::shape), b.elements<std::int32_t>(slot::tensor::shape));
  }

  byte_reader& reader_;
  bool are_mutable_buffers_ = false;
  vector<stored_variable> variables_;
  flatbuffer::vector<table> buffers_;
  vector<char> is_initial_;  ///< 1 if `call_once` calls the graph, indexed by graph
  // For the current graph:
  flatbuffer::vector<table> tensors_;
  vector<std::uint32_t> variable_of_;  ///< the variable of a handle, else `npos`; indexed by tensor
};

}  // namespace baton::tflite::detail

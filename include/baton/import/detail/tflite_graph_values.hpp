// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The values of the current graph of a TFLite model, indexed by tensor.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/open_values.hpp>
#include <baton/import/detail/tflite_reading.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/detail/tflite_tensors.hpp>
#include <baton/import/shared/rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::tflite::detail {

/// The context in which a tensor is used.
enum class role : std::uint8_t { user_input, operand, operand_of_custom, result };

/// The values of a graph's tensors. A tensor becomes a value at its first use, so an unused tensor has no value.
class graph_values {
 public:
  using table = flatbuffer::table;

  constexpr graph_values(reading& model, tensor_reader& reader) : reading_(model), reader_(reader) {}

  constexpr void begin(const flatbuffer::vector<table>& tensors, const flatbuffer::vector<table>& operations) {
    tensors_ = tensors;
    operations_ = operations;
    has_producer_.clear();
    names_of_variables_.clear();
    values_.assign(tensors_.size(), none<value_id>);
  }

  /// Returns the values, indexed by tensor; `none` for a tensor that has not been used yet.
  constexpr auto values() const -> const vector<value_id>& { return values_; }

  /// Returns the value of a tensor. Adds the value at its first use, in the context `as`. If the graph has no such tensor, records
  /// `damaged_model` and returns `none`.
  constexpr auto find(std::int32_t tensor, role as) -> value_id {
    if (tensor < 0 || static_cast<std::size_t>(tensor) >= values_.size()) {
      reading_.refuse<"damaged_model">("there is no tensor ", tensor);
      return none<value_id>;
    }
    auto& id = values_[static_cast<std::size_t>(tensor)];
    if (id == none<value_id>) id = add_value(static_cast<std::size_t>(tensor), as);
    return id;
  }

  /// Returns the values with open sizes: sizes that the file marks as unknown. The list includes the values of all graphs, except the
  /// inputs of the root graph.
  constexpr auto open() const -> const vector<baton::detail::open_shape>& { return open_; }

  /// Sets the value of `tensor` to the existing value `id`. Records an error if the tensor already has a value.
  constexpr void set(std::int32_t tensor, value_id id) {
    auto& value = values_[static_cast<std::size_t>(tensor)];
    if (value != none<value_id>) reading_.refuse<"damaged_model">("tensor ", tensor, " is produced twice");
    if (value == none<value_id>) value = id;
  }

  /// Adds a mutable buffer to the current graph. A mutable buffer keeps its value from run to run. The target of the buffer is the
  /// name of the state. In all graphs except the root, the target gets a prefix, because buffers with equal targets are one state.
  constexpr auto add_state(value record) -> value_id {
    record.kind = value_kind::mutable_buffer;
    const auto g = index(reading_.builder.current());
    if (g != 0) record.target = reading_.own(join("subgraph_", g, ".", baton::program_view(reading_.builder.draft()).text(record.name)));
    return reading_.builder.add_input(record);
  }

 private:
  constexpr auto add_value(std::size_t tensor, role as) -> value_id {
    const auto stored = tensors_[tensor];
    auto record = reader_.read(stored, tensor);
    if (as == role::user_input) {
      record.kind = value_kind::user_input;
      const auto id = reading_.builder.add_value(record);  // becomes a graph input later, after all constants and mutable buffers
      if (index(reading_.builder.current()) != 0) note_open_sizes(id, record, stored);
      return id;
    }
    record.data = reader_.data_of(stored);
    const bool is_operand = as != role::result;
    if (record.data.size != 0 || (is_operand && reader_.is_empty(record))) {
      record.kind = value_kind::constant;
    } else if (is_operand && stored.scalar<bool>(slot::tensor::is_variable)) {  // an output is computed in every run, so it needs no state
      record.kind = value_kind::mutable_buffer;
      if (record.type == dtype::int8) record.data = reader_.initial_zero_points(record, stored);
    } else if (as == role::operand_of_custom && !has_producer(tensor)) {
      record.kind = value_kind::scratch;
    } else if (is_operand && reading_.check_errors("tensor ", tensor)) {
      reading_.refuse<"damaged_model">("tensor ", tensor, " is used before it is produced");
    }
    if (!reading_.check_errors("tensor ", tensor)) return none<value_id>;
    if (record.kind == value_kind::intermediate) {
      const auto id = reading_.builder.add_value(record);
      note_open_sizes(id, record, stored);
      return id;
    }
    if (record.kind == value_kind::scratch) return reading_.builder.add_value(record);
    if (record.kind == value_kind::mutable_buffer) record.name = unique_name(record.name, tensor);
    record.target = record.name;
    return record.kind == value_kind::mutable_buffer ? add_state(record) : reading_.builder.add_input(record);
  }

  constexpr void note_open_sizes(value_id id, const value& record, const table& stored) {
    const auto signature = stored.elements<std::int32_t>(slot::tensor::shape_signature);
    const auto rank = signature.size();
    if (rank != record.shape.size) return;
    std::size_t known = 0;
    while (known < rank && signature[known] >= 0) ++known;
    if (known < rank) open_.push_back({id, reading_.integers(signature)});
  }

  /// Returns a unique name for the variable tensor `tensor`, whose name in the file is `name`. A variable tensor has the flag
  /// `is_variable`. Each variable tensor is a separate state, even if several variable tensors have the same name. So the number of the
  /// tensor is appended if another variable tensor of the graph has the same name.
  constexpr auto unique_name(byte_ref name, std::size_t tensor) -> byte_ref {
    const auto has_same_name = [&](byte_ref variable_name) {
      const baton::program_view program(reading_.builder.draft());
      return program.text(variable_name) == program.text(name);
    };
    reading_.charge_elements(names_of_variables_.size());
    while (std::any_of(names_of_variables_.begin(), names_of_variables_.end(), has_same_name)) {
      name = reading_.own(join(baton::program_view(reading_.builder.draft()).text(name), "_", tensor));
    }
    names_of_variables_.push_back(name);
    return name;
  }

  /// True if any operator of the graph, even a later one, produces the tensor.
  constexpr auto has_producer(std::size_t tensor) -> bool {
    if (has_producer_.empty()) {
      has_producer_.assign(tensors_.size(), 0);
      for (std::size_t i = 0; i < operations_.size(); ++i) {
        const auto outputs = operations_[i].elements<std::int32_t>(slot::operation::outputs);
        for (std::size_t o = 0; o < outputs.size(); ++o) {
          if (outputs[o] >= 0 && static_cast<std::size_t>(outputs[o]) < has_producer_.size())
            has_producer_[static_cast<std::size_t>(outputs[o])] = 1;
        }
      }
    }
    return has_producer_[tensor] != 0;
  }

  reading& reading_;
  tensor_reader& reader_;
  flatbuffer::vector<table> tensors_;
  flatbuffer::vector<table> operations_;
  vector<value_id> values_;  ///< the values, indexed by tensor
  vector<byte_ref> names_of_variables_;
  vector<baton::detail::open_shape> open_;
  vector<char> has_producer_;  ///< 1 if an operator produces the tensor, indexed by tensor; empty until the first query
};

}  // namespace baton::tflite::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The values of the graph of a TFLite model that is being read, by tensor.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/open_sizes.hpp>
#include <baton/import/detail/tflite_reading.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/detail/tflite_tensors.hpp>
#include <baton/import/shared/rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::tflite::detail {

/// As what a tensor is met.
enum class role : std::uint8_t { user_input, operand, operand_of_custom, result };

/// A tensor becomes a value where it is first met; one that nobody uses never does.
class graph_values {
 public:
  using table = flatbuffer::table;

  constexpr graph_values(reading& to, tensor_reader& reader) : to_(to), reader_(reader) {}

  constexpr void begin(const flatbuffer::vector<table>& tensors, const flatbuffer::vector<table>& operations) {
    tensors_ = tensors;
    operations_ = operations;
    made_.clear();
    names_of_variables_.clear();
    values_.assign(tensors_.size(), none<value_id>);
  }

  /// By tensor, `none`: it has not been met.
  constexpr auto met() const -> const vector<value_id>& { return values_; }

  constexpr auto find(std::int32_t tensor, role as) -> value_id {
    if (tensor < 0 || static_cast<std::size_t>(tensor) >= values_.size()) {
      to_.refuse<"damaged_model">("there is no tensor ", tensor);
      return none<value_id>;
    }
    auto& id = values_[static_cast<std::size_t>(tensor)];
    if (id == none<value_id>) id = add_value(static_cast<std::size_t>(tensor), as);
    return id;
  }

  /// The values that have open sizes; of inputs those of graphs that are called.
  constexpr auto open() const -> const vector<baton::detail::open_shape>& { return open_; }

  /// Lets a tensor that has not been met be a value that there is.
  constexpr void set(std::int32_t tensor, value_id id) {
    auto& value = values_[static_cast<std::size_t>(tensor)];
    if (value != none<value_id>) to_.refuse<"damaged_model">("tensor ", tensor, " is made twice");
    if (value == none<value_id>) value = id;
  }

  /// Adds a mutable buffer of a graph: one name would be one state.
  constexpr auto add_state(value record) -> value_id {
    record.kind = value_kind::mutable_buffer;
    const auto g = index(to_.builder.current());
    if (g != 0) record.target = to_.own(join("subgraph_", g, ".", baton::program_view(to_.builder.draft()).text(record.name)));
    return to_.builder.add_input(record);
  }

 private:
  constexpr auto add_value(std::size_t tensor, role as) -> value_id {
    const auto stored = tensors_[tensor];
    auto record = reader_.read(stored, tensor);
    if (as == role::user_input) {
      record.kind = value_kind::user_input;
      const auto id = to_.builder.add_value(record);  // who reads the graph makes it an input, after all owned data
      if (index(to_.builder.current()) != 0) note_open_sizes(id, record, stored);
      return id;
    }
    record.data = reader_.data_of(stored);
    const bool is_operand = as != role::result;
    if (record.data.size != 0 || (is_operand && reader_.is_empty(record))) {
      record.kind = value_kind::constant;
    } else if (is_operand && stored.scalar<bool>(slot::tensor::is_variable)) {  // a result is made anew
      record.kind = value_kind::mutable_buffer;
      if (record.type == dtype::int8) record.data = reader_.zeros(record, stored);
    } else if (as == role::operand_of_custom && !is_made(tensor)) {
      record.kind = value_kind::scratch;
    } else if (is_operand && to_.all_is_well("tensor ", tensor)) {
      to_.refuse<"damaged_model">("tensor ", tensor, " is used before it is made");
    }
    if (!to_.all_is_well("tensor ", tensor)) return none<value_id>;
    if (record.kind == value_kind::intermediate) {
      const auto id = to_.builder.add_value(record);
      note_open_sizes(id, record, stored);
      return id;
    }
    if (record.kind == value_kind::scratch) return to_.builder.add_value(record);
    if (record.kind == value_kind::mutable_buffer) record.name = unique_name(record.name, tensor);
    record.target = record.name;
    return record.kind == value_kind::mutable_buffer ? add_state(record) : to_.builder.add_input(record);
  }

  constexpr void note_open_sizes(value_id id, const value& record, const table& stored) {
    const auto signature = stored.elements<std::int32_t>(slot::tensor::shape_signature);
    const auto rank = signature.size();
    if (rank != record.shape.size) return;
    std::size_t known = 0;
    while (known < rank && signature[known] >= 0) ++known;
    if (known < rank) open_.push_back({id, to_.integers(signature)});
  }

  /// The name of a variable tensor of this graph, with the tensor's number appended if another one has that name: each tensor is a state
  /// of its own, whatever a compiler called it.
  constexpr auto unique_name(byte_ref name, std::size_t tensor) -> byte_ref {
    const auto is_taken = [&](byte_ref each) {
      const baton::program_view program(to_.builder.draft());
      return program.text(each) == program.text(name);
    };
    to_.pay_for_elements(names_of_variables_.size());
    while (std::any_of(names_of_variables_.begin(), names_of_variables_.end(), is_taken)) {
      name = to_.own(join(baton::program_view(to_.builder.draft()).text(name), "_", tensor));
    }
    names_of_variables_.push_back(name);
    return name;
  }

  /// Whether an operator of the graph makes a tensor, be it later.
  constexpr auto is_made(std::size_t tensor) -> bool {
    if (made_.empty()) {
      made_.assign(tensors_.size(), 0);
      for (std::size_t i = 0; i < operations_.size(); ++i) {
        const auto outputs = operations_[i].elements<std::int32_t>(slot::operation::outputs);
        for (std::size_t o = 0; o < outputs.size(); ++o) {
          if (outputs[o] >= 0 && static_cast<std::size_t>(outputs[o]) < made_.size()) made_[static_cast<std::size_t>(outputs[o])] = 1;
        }
      }
    }
    return made_[tensor] != 0;
  }

  reading& to_;
  tensor_reader& reader_;
  flatbuffer::vector<table> tensors_;
  flatbuffer::vector<table> operations_;
  vector<value_id> values_;  ///< by tensor
  vector<byte_ref> names_of_variables_;
  vector<baton::detail::open_shape> open_;
  vector<char> made_;  ///< by tensor: whether an operator makes it; empty until somebody asks
};

}  // namespace baton::tflite::detail

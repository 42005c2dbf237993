// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The attributes of TFLite operators: the option fields that a schema lists, and the raw options of operators without a schema.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/tflite_offline_memory.hpp>
#include <baton/import/detail/tflite_options.hpp>
#include <baton/import/detail/tflite_reading.hpp>
#include <baton/import/detail/tflite_schema.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::tflite::detail {

/// A reader of operator options. It adds the options to the builder's latest node, as attributes and subgraphs.
class attribute_reader {
 public:
  using table = flatbuffer::table;

  constexpr explicit attribute_reader(reading& model) : reading_(model) {}

  /// Reads the options of the operator that the table `stored` (`Operator` in the schema) describes. `schema` is null if the operator is
  /// custom, or if the importer's operator table does not contain the operator.
  constexpr void read(const operator_schema* schema, bool is_custom, const table& stored) {
    if (schema == nullptr && !is_custom) add_raw_options(stored);
    if (schema != nullptr && !schema->fields.empty()) add_fields(*schema, stored);
    if (is_custom || stored.field(slot::operation::custom_options) != 0) add_custom_options(stored);
  }

  /// Adds the attribute `arena_offsets` to a custom operator. The attribute lists the offset that the file assigns to each operand, then to
  /// each output (`no_offset` for a tensor without an offset).
  constexpr void add_arena_offsets(const offline_memory& memory, std::uint32_t graph, const table& stored) {
    const auto inputs = stored.elements<std::int32_t>(slot::operation::inputs);
    const auto outputs = stored.elements<std::int32_t>(slot::operation::outputs);
    reading_.charge_elements(inputs.size() + outputs.size());
    reading_.charge_attributes(1);
    if (!reading_.reader.ok()) return;
    vector<std::int64_t> offsets;
    const auto add = [&](std::int32_t tensor) {
      offsets.push_back(tensor < 0 ? offline_memory::no_offset : memory.offset_of(graph, static_cast<std::uint32_t>(tensor)));
    };
    for (std::size_t i = 0; i < inputs.size(); ++i) add(inputs[i]);
    for (std::size_t i = 0; i < outputs.size(); ++i) add(outputs[i]);
    constexpr literal_name name{"arena_offsets"};
    reading_.builder.add_attribute({.name = program_builder::view(name.text),
                                    .key = name.hash,
                                    .kind = attribute_kind::integers,
                                    .list = reading_.builder.integers(offsets)});
  }

 private:
  constexpr void add_custom_options(const table& stored) {
    const auto at = stored.scalar<std::uint64_t>(slot::operation::large_custom_options_offset);
    add_bytes("custom_options", at > 1 ? reading_.file_bytes(at, stored.scalar<std::uint64_t>(slot::operation::large_custom_options_size))
                                       : reading_.view(stored.bytes(slot::operation::custom_options)));
  }

  /// Adds three attributes for the options of an operator without a schema. `builtin_options_type` is the union type.
  /// `builtin_options_position` is the position of the options table, at which `flatbuffer::table` can open the table. `builtin_options`
  /// contains the inline bytes of the table.
  constexpr void add_raw_options(const table& stored) {
    auto options = stored.member(slot::operation::builtin_options_type);
    if (!options.value) options = stored.member(slot::operation::builtin_options_2_type);
    add_integer("builtin_options_type", options.type);
    add_integer("builtin_options_position", static_cast<std::int64_t>(options.value.position()));
    add_bytes("builtin_options", options.value ? reading_.view(options.value.own_bytes()) : byte_ref{});
  }

  constexpr void add_fields(const operator_schema& schema, const table& stored) {
    auto options =
        stored.member(schema.options == builtin_options ? slot::operation::builtin_options_type : slot::operation::builtin_options_2_type);
    if (options.type != schema.options_type) options.value = {};
    reading_.charge_attributes(schema.fields.size());
    subgraphs_.clear();
    for (const auto& field : schema.fields) add_field(field, options.value);
    if (!subgraphs_.empty()) reading_.builder.set_subgraphs(subgraphs_);
  }

  constexpr void add_field(const field_schema& field, const table& options) {
    attribute literal{.name = program_builder::view(field.name.text), .key = field.name.hash};
    const auto absent = static_cast<std::int32_t>(field.default_value);
    switch (field.type) {
      case field_type::boolean:
        literal.kind = attribute_kind::boolean;
        literal.integer = options.scalar<bool>(field.slot, field.default_value != 0) ? 1 : 0;
        break;
      case field_type::int32:
        literal.integer = options.scalar<std::int32_t>(field.slot, absent);
        break;
      case field_type::int64:
        literal.integer = options.scalar<std::int64_t>(field.slot, field.default_value);
        break;
      case field_type::float32:
        literal.kind = attribute_kind::real;
        literal.real = static_cast<double>(options.scalar<float>(field.slot));
        break;
      case field_type::enumeration8:
      case field_type::enumeration32:
      case field_type::tensor_type:
        literal.kind = attribute_kind::text;
        literal.bytes = program_builder::view(symbol_of(field, code_of(field, options)));
        break;
      case field_type::subgraph:
        return add_subgraph(options.scalar<std::int32_t>(field.slot, absent));
      case field_type::subgraph_vector:
        return add_subgraphs(options.elements<std::int32_t>(field.slot));
      default:
        fill_list(literal, field, options);
    }
    reading_.builder.add_attribute(literal);
  }

  constexpr void fill_list(attribute& literal, const field_schema& field, const table& options) {
    literal.kind = attribute_kind::integers;
    switch (field.type) {
      case field_type::boolean_vector:
        literal.list = reading_.integers(options.elements<bool>(field.slot));
        break;
      case field_type::int32_vector:
        literal.list = reading_.integers(options.elements<std::int32_t>(field.slot));
        break;
      case field_type::int64_vector:
        literal.list = reading_.integers(options.elements<std::int64_t>(field.slot));
        break;
      case field_type::float32_vector:
        literal.kind = attribute_kind::reals;
        literal.list = reading_.reals(options.elements<float>(field.slot));
        break;
      case field_type::enumeration32_vector:
        literal.kind = attribute_kind::text;
        literal.bytes = symbols_of(field, options.elements<std::int32_t>(field.slot));
        break;
      case field_type::uint8_vector:
        literal.kind = attribute_kind::bytes;
        literal.bytes = reading_.view(options.bytes(field.slot));
        break;
      default:
        literal.kind = attribute_kind::text;
        literal.bytes = reading_.view(options.text(field.slot));
    }
  }

  constexpr void add_integer(literal_name name, std::int64_t number) {
    reading_.builder.add_attribute({.name = program_builder::view(name.text), .key = name.hash, .integer = number});
  }
  constexpr void add_bytes(literal_name name, byte_ref bytes) {
    reading_.builder.add_attribute(
        {.name = program_builder::view(name.text), .key = name.hash, .kind = attribute_kind::bytes, .bytes = bytes});
  }

  static constexpr auto code_of(const field_schema& field, const table& options) -> std::int32_t {
    const auto absent = static_cast<std::int32_t>(field.default_value);
    if (field.type == field_type::enumeration32) return options.scalar<std::int32_t>(field.slot, absent);
    return options.scalar<std::int8_t>(field.slot, static_cast<std::int8_t>(absent));
  }
  constexpr auto symbol_of(const field_schema& field, std::int32_t code) -> std::string_view {
    if (field.type == field_type::tensor_type) {
      if (const auto* type = find_tensor_type(code)) return facts(*type).name;
    } else if (code >= 0 && static_cast<std::size_t>(code) < field.symbols.size()) {
      return field.symbols[static_cast<std::size_t>(code)];
    }
    reading_.refuse<"unsupported_model">("the field ", field.name.text, " has the unknown value ", code);
    return {};
  }
  /// Returns the symbols of a vector, separated by commas.
  constexpr auto symbols_of(const field_schema& field, const flatbuffer::vector<std::int32_t>& codes) -> byte_ref {
    text_buffer text;
    for (std::size_t i = 0; i < codes.size() && !reading_.why; ++i) append(append(text, i == 0 ? "" : ","), symbol_of(field, codes[i]));
    return reading_.own(text);
  }

  constexpr void add_subgraph(std::int32_t number) {
    const auto id = reading_.find_graph(number);
    if (id != none<graph_id>) subgraphs_.push_back(id);
  }
  constexpr void add_subgraphs(const flatbuffer::vector<std::int32_t>& numbers) {
    reading_.charge_elements(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) add_subgraph(numbers[i]);
  }

  reading& reading_;
  vector<graph_id> subgraphs_;
};

}  // namespace baton::tflite::detail

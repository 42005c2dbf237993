// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes FlatBuffers and small TFLite models, at compile time and at run time. Nothing is aligned, so readers must not require alignment.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/tflite_schema.hpp>
#include <baton/import/detail/tflite_slots.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tests {

/// A reference to a written object: the number of bytes from its beginning to the end of the file. 0 means no object.
using reference = std::size_t;

/// A field of a table.
struct field {
  std::uint16_t slot = 0;
  std::uint8_t size = 0;
  std::uint64_t bits = 0;
  reference to = 0;
};
constexpr auto byte_field(std::uint16_t slot, int number) -> field { return {slot, 1, static_cast<std::uint8_t>(number)}; }
constexpr auto int_field(std::uint16_t slot, std::int32_t number) -> field { return {slot, 4, static_cast<std::uint32_t>(number)}; }
constexpr auto long_field(std::uint16_t slot, std::int64_t number) -> field { return {slot, 8, static_cast<std::uint64_t>(number)}; }
constexpr auto float_field(std::uint16_t slot, float number) -> field { return {slot, 4, std::bit_cast<std::uint32_t>(number)}; }
constexpr auto offset_field(std::uint16_t slot, reference to) -> field { return {slot, 4, 0, to}; }

template <class T>
constexpr auto bits_of(T number) -> std::uint64_t {
  if constexpr (sizeof(T) == 1) return static_cast<std::uint8_t>(number);
  if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(number);
  if constexpr (sizeof(T) == 8) return std::bit_cast<std::uint64_t>(number);
}

/// Writes from the end to the beginning, so that the target of an offset is written before the offset.
class flatbuffer_writer {
 public:
  /// Writes a vector of numbers.
  template <class T>
  constexpr auto vector(baton::span<const T> numbers) -> reference {
    for (std::size_t i = numbers.size(); i-- > 0;) put(bits_of(numbers[i]), sizeof(T));
    return put(numbers.size(), 4);
  }
  template <class T>
  constexpr auto vector(std::initializer_list<T> numbers) -> reference {
    return vector(baton::span<const T>{numbers.begin(), numbers.size()});
  }
  constexpr auto text(std::string_view characters) -> reference {
    return vector(baton::span<const char>{characters.data(), characters.size()});
  }
  /// Writes a vector of offsets to tables or texts.
  constexpr auto offsets(baton::span<const reference> objects) -> reference {
    for (std::size_t i = objects.size(); i-- > 0;) put_offset(objects[i]);
    return put(objects.size(), 4);
  }
  constexpr auto offsets(std::initializer_list<reference> objects) -> reference {
    return offsets(baton::span<const reference>{objects.begin(), objects.size()});
  }

  /// Writes a table, directly after its vtable. Offset fields with reference 0 are omitted.
  constexpr auto table(baton::span<const field> fields) -> reference {
    std::uint16_t field_offsets[40] = {};
    std::uint16_t size = 4;
    std::uint16_t slots = 0;
    for (const auto& f : fields) {
      if (is_absent(f)) continue;
      field_offsets[f.slot] = size;
      size = static_cast<std::uint16_t>(size + f.size);
      slots = std::max(slots, static_cast<std::uint16_t>(f.slot + 1));
    }
    for (std::size_t i = fields.size(); i-- > 0;) {
      if (is_absent(fields[i])) continue;
      fields[i].to != 0 ? put_offset(fields[i].to) : put(fields[i].bits, fields[i].size);
    }
    const auto position = put(4u + 2u * slots, 4);
    for (std::size_t i = slots; i-- > 0;) put(field_offsets[i], 2);
    put(size, 2);
    put(4u + 2u * slots, 2);
    return position;
  }
  constexpr auto table(std::initializer_list<field> fields) -> reference {
    return table(baton::span<const field>{fields.begin(), fields.size()});
  }

  /// Returns the bytes of the file.
  constexpr auto finish(reference root, std::string_view identifier) -> baton::vector<char> {
    for (std::size_t i = identifier.size(); i-- > 0;) reversed_.push_back(identifier[i]);
    put_offset(root);
    std::reverse(reversed_.begin(), reversed_.end());
    return reversed_;
  }

 private:
  static constexpr auto is_absent(const field& f) -> bool { return f.to == 0 && f.bits == 0 && (f.size == 0 || f.size == 4); }
  constexpr auto put(std::uint64_t bits, std::size_t size) -> reference {
    for (std::size_t i = size; i-- > 0;) reversed_.push_back(static_cast<char>(bits >> (8 * i) & 255u));
    return reversed_.size();
  }
  constexpr auto put_offset(reference to) -> reference { return put(reversed_.size() + 4 - to, 4); }

  baton::vector<char> reversed_;
};

/// Writes TFLite models, table by table. Extra fields are stored at the end of a table.
class tflite_writer : public flatbuffer_writer {
 public:
  constexpr auto operator_code(std::int32_t code, std::string_view custom = {}) -> reference {
    using slot = baton::tflite::slot::operator_code;
    const auto name = custom.empty() ? 0 : text(custom);
    return table({byte_field(slot::deprecated_builtin_code, std::min(code, 127)), offset_field(slot::custom_code, name),
                  int_field(slot::builtin_code, code)});
  }
  constexpr auto tensor(std::string_view name, std::initializer_list<std::int32_t> shape, int type, std::int32_t buffer = 0,
                        field extra = {}) -> reference {
    using slot = baton::tflite::slot::tensor;
    const auto sizes = vector(shape);
    const auto label = name.empty() ? 0 : text(name);
    return table({offset_field(slot::shape, sizes), byte_field(slot::type, type), int_field(slot::buffer, buffer),
                  offset_field(slot::name, label), extra});
  }
  constexpr auto quantization(std::initializer_list<float> scales, std::initializer_list<std::int64_t> zero_points, std::int32_t axis = 0)
      -> field {
    using slot = baton::tflite::slot::quantization_parameters;
    const auto s = vector(scales);
    const auto z = vector(zero_points);
    return offset_field(baton::tflite::slot::tensor::quantization, table({offset_field(slot::scale, s), offset_field(slot::zero_point, z),
                                                                          int_field(slot::quantized_dimension, axis)}));
  }
  constexpr auto operation(std::int32_t code, std::initializer_list<std::int32_t> inputs, std::initializer_list<std::int32_t> outputs,
                           baton::vector<field> fields = {}) -> reference {
    using slot = baton::tflite::slot::operation;
    fields.push_back(int_field(slot::opcode_index, code));
    fields.push_back(offset_field(slot::inputs, vector(inputs)));
    fields.push_back(offset_field(slot::outputs, vector(outputs)));
    return table(fields);
  }
  /// Returns the two fields of an operator's options.
  constexpr auto options(int type, std::initializer_list<field> fields) -> baton::vector<field> {
    using slot = baton::tflite::slot::operation;
    return {byte_field(slot::builtin_options_type, type), offset_field(slot::builtin_options, table(fields))};
  }
  constexpr auto graph(std::initializer_list<reference> tensors, std::initializer_list<std::int32_t> inputs,
                       std::initializer_list<std::int32_t> outputs, std::initializer_list<reference> operators, std::string_view name = {})
      -> reference {
    return graph(baton::span{tensors.begin(), tensors.size()}, inputs, outputs, baton::span{operators.begin(), operators.size()}, name);
  }
  constexpr auto graph(baton::span<const reference> tensors, std::initializer_list<std::int32_t> inputs,
                       std::initializer_list<std::int32_t> outputs, baton::span<const reference> operators, std::string_view name = {})
      -> reference {
    using slot = baton::tflite::slot::subgraph;
    const auto label = name.empty() ? 0 : text(name);
    const auto t = offsets(tensors);
    const auto i = vector(inputs);
    const auto o = vector(outputs);
    const auto n = offsets(operators);
    return table({offset_field(slot::tensors, t), offset_field(slot::inputs, i), offset_field(slot::outputs, o),
                  offset_field(slot::operators, n), offset_field(slot::name, label)});
  }
  /// Writes a signature with one input and one output.
  constexpr auto signature(std::string_view key, std::int32_t graph, std::string_view input, std::int32_t input_tensor,
                           std::string_view output, std::int32_t output_tensor) -> reference {
    using slot = baton::tflite::slot::signature_def;
    using map = baton::tflite::slot::tensor_map;
    const auto tensor_list = [this](std::string_view name, std::int32_t tensor) {
      return offsets({table({offset_field(map::name, text(name)), int_field(map::tensor_index, tensor)})});
    };
    const auto i = tensor_list(input, input_tensor);
    const auto o = tensor_list(output, output_tensor);
    return table({offset_field(slot::inputs, i), offset_field(slot::outputs, o), offset_field(slot::signature_key, text(key)),
                  int_field(slot::subgraph_index, graph)});
  }
  /// Returns the field of a tensor with its shape signature, in which unknown sizes are -1.
  constexpr auto shape_signature(std::initializer_list<std::int32_t> sizes) -> field {
    return offset_field(baton::tflite::slot::tensor::shape_signature, vector(sizes));
  }
  constexpr auto buffer(std::string_view data) -> reference {
    return data.empty() ? table({}) : table({offset_field(baton::tflite::slot::buffer::data, text(data))});
  }
  /// Writes a metadata entry: a name and the index of a buffer.
  constexpr auto metadata(std::string_view name, std::int32_t buffer) -> reference {
    using slot = baton::tflite::slot::metadata;
    return table({offset_field(slot::name, text(name)), int_field(slot::buffer, buffer)});
  }
  /// Returns the field of a model with all its metadata entries.
  constexpr auto all_metadata(std::initializer_list<reference> entries) -> field {
    return offset_field(baton::tflite::slot::model::metadata, offsets(entries));
  }
  constexpr auto model(std::initializer_list<reference> codes, std::initializer_list<reference> graphs,
                       std::initializer_list<reference> buffers, std::int32_t version = 3, std::initializer_list<reference> signatures = {},
                       field extra = {}) -> baton::vector<char> {
    using slot = baton::tflite::slot::model;
    const auto s = signatures.size() == 0 ? 0 : offsets(signatures);
    const auto c = offsets(codes);
    const auto g = offsets(graphs);
    const auto b = offsets(buffers);
    return finish(table({int_field(slot::version, version), offset_field(slot::operator_codes, c), offset_field(slot::subgraphs, g),
                         offset_field(slot::buffers, b), offset_field(slot::signature_defs, s), extra}),
                  baton::tflite::file_identifier);
  }
};

/// The codes of TensorType in the schema that the tests need.
enum : int { float32 = 0, int32 = 2, boolean = 6, int8 = 9 };

}  // namespace tests

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes small TFLite models, at compile time and at run time.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/tflite_schema.hpp>
#include <baton/import/detail/tflite_slots.hpp>

#include "import/flatbuffer_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tests {

/// Writes TFLite models, table by table. Extra fields are stored at the end of a table.
class tflite_writer : public flatbuffer_writer {
 public:
  constexpr auto operator_code(std::int32_t code, std::string_view custom = {}) -> reference {
    using slot = baton::tflite::slot::operator_code;
    const auto name = custom.empty() ? 0 : text(custom);
    return table({byte_field(slot::deprecated_builtin_code, std::min<std::int32_t>(code, 127)), offset_field(slot::custom_code, name),
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

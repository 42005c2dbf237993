// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The structure of TFLite files, which are FlatBuffers. A table of a FlatBuffer has a vtable, which contains the offsets of the table's
// fields. A slot is the index of a field in the vtable. This file has the slots of all tables of a model except the operators' options.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>
#include <string_view>

namespace baton::tflite {

/// The identifier of a TFLite file, at its byte 4.
inline constexpr std::string_view file_identifier = "TFL3";

/// The version that `Model.version` must state.
inline constexpr std::uint32_t schema_version = 3;

/// The vtable slots of a table's fields, for `flatbuffer::table`: `table.text(slot::tensor::name)`. A union has two slots: its type, then
/// its table (source: schema.fbs of LiteRT, version 3d, August 2026; deprecated fields are not listed).
namespace slot {

/// The root table.
struct model {
  enum : std::uint16_t {
    version,
    operator_codes,
    subgraphs,
    description,
    buffers,
    metadata_buffer,
    metadata,
    signature_defs,
    external_buffer_groups,
    external_buffers
  };
};

/// An operator code. The code is the greater of `deprecated_builtin_code` and `builtin_code`. `deprecated_builtin_code` is a signed byte,
/// at most 127. `builtin_code` is an int32, and is missing in old files. `version` is 1 by default.
struct operator_code {
  enum : std::uint16_t { deprecated_builtin_code, custom_code, version, builtin_code };
};

/// A graph; subgraph 0 is the main graph.
struct subgraph {
  enum : std::uint16_t { tensors, inputs, outputs, operators, name, debug_metadata_index };
};

/// A tensor. `buffer` (uint32) is 0 if there is no data. `shape_signature` has -1 for unknown sizes. `external_buffer` (uint32) is 0 or the
/// `id` of an ExternalBuffer.
struct tensor {
  enum : std::uint16_t {
    shape,
    type,
    buffer,
    name,
    quantization,
    is_variable,
    sparsity,
    shape_signature,
    has_rank,
    variant_tensors,
    external_buffer
  };
};

/// The type and shape of a tensor inside a tensor of type `variant` (`tensor::variant_tensors`).
struct variant_sub_type {
  enum : std::uint16_t { shape, type, has_rank };
};

/// real = scale * (stored - zero_point); scales are floats, zero points int64.
struct quantization_parameters {
  enum : std::uint16_t { min, max, scale, zero_point, details_type, details, quantized_dimension };
};

struct custom_quantization {
  enum : std::uint16_t { custom };
};

/// `scales` and `zero_points` are indices of tensors of the subgraph; if `zero_points` is -1, there are no zero points.
struct blockwise_quantization {
  enum : std::uint16_t { scales, zero_points, block_size };
};

/// Like `blockwise_quantization`, but for several dimensions; a block size of 0 means one scale per channel.
struct multi_axis_quantization {
  enum : std::uint16_t { scales, zero_points, block_size, quantized_dimensions };
};

/// A sparse tensor.
struct sparsity_parameters {
  enum : std::uint16_t { traversal_order, block_map, dim_metadata };
};

/// A dimension of a sparse tensor. `format` 0: dense, 1: compressed sparse rows.
struct dimension_metadata {
  enum : std::uint16_t { format, dense_size, array_segments_type, array_segments, array_indices_type, array_indices };
};

/// The members of the union SparseIndexVector: int32 (type 1), uint16 (2) or uint8 (3).
struct sparse_index_vector {
  enum : std::uint16_t { values };
};

/// The table Operator. An input of -1 is omitted. `large_custom_options_offset` counts from the beginning of the file, and is valid if
/// greater than 1. `debug_metadata_index` is -1 by default.
struct operation {
  enum : std::uint16_t {
    opcode_index,
    inputs,
    outputs,
    builtin_options_type,
    builtin_options,
    custom_options,
    custom_options_format,
    mutating_variable_inputs,
    intermediates,
    large_custom_options_offset,
    large_custom_options_size,
    builtin_options_2_type,
    builtin_options_2,
    debug_metadata_index
  };
};

/// The bytes of a constant. `offset` (uint64) counts from the beginning of the file, points outside the FlatBuffer, and is valid if greater
/// than 1.
struct buffer {
  enum : std::uint16_t { data, offset, size };
};

/// An external file with constants.
struct external_buffer_group {
  enum : std::uint16_t { name };
};

/// A range of bytes in the file of an `external_buffer_group`. `group` is the index of the group; `offset` and `length` are uint64.
struct external_buffer {
  enum : std::uint16_t { id, group, offset, length, packing };
};

/// Named bytes: `buffer` is the index of a buffer.
struct metadata {
  enum : std::uint16_t { name, buffer };
};

/// A named entry point.
struct signature_def {
  enum : std::uint16_t { inputs, outputs, signature_key, subgraph_index = 4 };
};

/// The name of an input or output within a signature.
struct tensor_map {
  enum : std::uint16_t { name, tensor_index };
};

}  // namespace slot

/// The types of the union QuantizationDetails.
enum class quantization_details : std::uint8_t { none, custom, blockwise, multi_axis };

}  // namespace baton::tflite

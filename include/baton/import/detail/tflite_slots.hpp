// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// TFLite's structure: the vtable slots of every table of a model but the operators' options.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>
#include <string_view>

namespace baton::tflite {

/// The identifier of a TFLite file, at its byte 4.
inline constexpr std::string_view file_identifier = "TFL3";

/// The version that `Model.version` must state.
inline constexpr std::uint32_t schema_version = 3;

/// The vtable slots of a table's fields, as `flatbuffer::table` takes them: `table.text(slot::tensor::name)`. A union stands as its
/// type and, one slot on, its table (source: schema.fbs of LiteRT, version 3d, August 2026; deprecated fields are left out).
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

/// Which operator: the greater of the two codes (`deprecated_builtin_code`, a signed byte, stops at 127; `builtin_code` is an int32 and
/// missing in old files). `version` is 1 by default.
struct operator_code {
  enum : std::uint16_t { deprecated_builtin_code, custom_code, version, builtin_code };
};

/// A graph; subgraph 0 is the main one.
struct subgraph {
  enum : std::uint16_t { tensors, inputs, outputs, operators, name, debug_metadata_index };
};

/// A tensor. `buffer` 0 (a uint32): no data. `shape_signature` has -1 for unknown sizes. `external_buffer` (a uint32): 0, or the `id` of an
/// ExternalBuffer.
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

/// The tensors within a variant.
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

/// Scales and zero points are indices of tensors of the subgraph; a zero point of -1: none.
struct blockwise_quantization {
  enum : std::uint16_t { scales, zero_points, block_size };
};

/// The same over several dimensions; a block size of 0: a scale a channel.
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

/// The table Operator. Inputs of -1 are left out. `large_custom_options_offset` counts from the beginning of the file and holds if above 1;
/// `debug_metadata_index` is -1 by default.
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

/// Bytes of a constant. `offset` (a uint64) counts from the beginning of the file, outside the FlatBuffer, and holds if above 1.
struct buffer {
  enum : std::uint16_t { data, offset, size };
};

/// A file with constants.
struct external_buffer_group {
  enum : std::uint16_t { name };
};

/// A piece of such a file: `group` is the index of the file, offset and length are uint64.
struct external_buffer {
  enum : std::uint16_t { id, group, offset, length, packing };
};

/// Named bytes: `buffer` is the index of a buffer.
struct metadata {
  enum : std::uint16_t { name, buffer };
};

/// An entry point by name.
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

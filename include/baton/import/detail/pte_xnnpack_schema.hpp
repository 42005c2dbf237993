// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The schema of the processed bytes of ExecuTorch's XNNPACK backend: slots of fields, operators, data types and flags. Processed bytes are
// the result of a backend's `preprocess`.
#pragma once

#include <baton/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

/// The slots of fields and the values of union tags in backends/xnnpack/serialization/schema.fbs of ExecuTorch 1.5. New versions of the
/// schema only append fields, so older files have the same slots.
namespace baton::pte::xnnpack {

namespace slot {
struct graph {
  enum : std::uint16_t { version, nodes, values, num_externs, input_ids, output_ids, constant_buffer, mem_buffer_sizes, constant_data };
};
struct node {
  enum : std::uint16_t { type, value, debug_handle, output_min_max };
};
struct bounds {
  enum : std::uint16_t { min, max };
};
/// A value: a union that contains a tensor with or without quantization.
struct any_value {
  enum : std::uint16_t { type, value };
};
struct tensor {
  enum : std::uint16_t { datatype, num_dims, dims, constant_buffer_idx, external_id, flags, id_out, dq_datatype };
};
struct quantized_tensor {
  enum : std::uint16_t { tensor, parameters_type, parameters };
};
struct per_channel {
  enum : std::uint16_t { scale, channel_dim, scale_buffer_idx, num_scales };
};
struct per_group {
  enum : std::uint16_t { scale, channel_dim, group_size, old_scale, scale_buffer_idx, num_scales };
};
struct per_tensor {
  enum : std::uint16_t { scale, zero_point };
};
struct constant {
  enum : std::uint16_t { offset, size, named_key };
};
struct buffer {
  enum : std::uint16_t { storage };
};
struct unary {
  enum : std::uint16_t { input, output, flags };
};
/// `XNNELU` and `XNNLeakyReLU`, which have a parameter `alpha`.
struct parametric {
  enum : std::uint16_t { alpha, input, output, flags };
};
struct binary {
  enum : std::uint16_t { first, second, output, flags };
};
struct fully_connected {
  enum : std::uint16_t { input, filter, bias, output, flags };
};
/// `XNNStaticTranspose` and `XNNStaticReshape`.
struct sized {
  enum : std::uint16_t { num_dims, sizes, input, output, flags };
};
struct slice {
  enum : std::uint16_t { num_dims, offsets, sizes, input, output, flags };
};
struct pad {
  enum : std::uint16_t { before, after, padding_value, input, output, flags };
};
struct resize {
  enum : std::uint16_t { height, width, input, output, flags };
};
struct concatenation {
  enum : std::uint16_t { axis, first, second, third, fourth, output, flags, fifth };
};
/// The first fields of convolutions and pooling operators.
struct window {
  enum : std::uint16_t { top, right, bottom, left, height, width, stride_height, stride_width, dilation_height, dilation_width };
};
struct convolution : window {
  enum : std::uint16_t {
    group_inputs = 10,
    group_outputs,
    groups,
    adjustment_height,
    adjustment_width,
    input,
    filter,
    bias,
    output,
    flags
  };
};
struct pool : window {
  enum : std::uint16_t { input = 10, output, flags };
};
struct argmax_pool {
  enum : std::uint16_t { top, right, bottom, left, height, width, input, output, index, flags };
};
}  // namespace slot

/// The operators, numbered as in the union `XNodeUnion`.
enum class operation : std::uint8_t {
  none,
  add,
  fully_connected,
  softmax,
  sigmoid,
  transpose,
  clamp,
  convolution,
  divide,
  resize_bilinear,
  pad,
  average_pool,
  minimum,
  depthwise,
  max_pool,
  multiply,
  subtract,
  floor,
  convert,
  global_average_pool,
  reshape,
  argmax_pool,
  square_root,
  ceiling,
  hard_swish,
  leaky_relu,
  maximum,
  negate,
  square,
  elu,
  abs,
  prelu,
  concatenate_2,
  concatenate_3,
  concatenate_4,
  slice,
  attention,
  matrix_product,
  concatenate_5,
  transposed_convolution,
  reciprocal_square_root,
  log,
  gelu,
  tanh,
  exp,
  sin,
  copy,
  cos
};

/// Returns the name of an operator in the schema, or an empty text if the schema does not have the operator.
constexpr auto name_of(operation op) -> std::string_view {
  constexpr std::string_view names[] = {"no operator",
                                        "XNNAdd",
                                        "XNNFullyConnected",
                                        "XNNSoftmax",
                                        "XNNSigmoid",
                                        "XNNStaticTranspose",
                                        "XNNClamp",
                                        "XNNConv2d",
                                        "XNNDiv",
                                        "XNNStaticResizeBilinear2D",
                                        "XNNStaticConstantPad",
                                        "XNNAvgPooling2d",
                                        "XNNMinimum",
                                        "XNNDepthwiseConv2d",
                                        "XNNMaxPooling2d",
                                        "XNNMultiply",
                                        "XNNSubtract",
                                        "XNNFloor",
                                        "XNNConvert",
                                        "XNNGlobalAvgPooling2d",
                                        "XNNStaticReshape",
                                        "XNNArgMaxPooling2d",
                                        "XNNSquareRoot",
                                        "XNNCeiling",
                                        "XNNHardswish",
                                        "XNNLeakyReLU",
                                        "XNNMaximum",
                                        "XNNNegate",
                                        "XNNSquare",
                                        "XNNELU",
                                        "XNNAbs",
                                        "XNNPReLU",
                                        "XNNConcatenate2",
                                        "XNNConcatenate3",
                                        "XNNConcatenate4",
                                        "XNNStaticSlice",
                                        "XNNScaledDotProductAttention",
                                        "XNNBatchMatrixMultiply",
                                        "XNNConcatenate5",
                                        "XNNConvTranspose2d",
                                        "XNNReciprocalSquareRoot",
                                        "XNNLog",
                                        "XNNGelu",
                                        "XNNTanh",
                                        "XNNExp",
                                        "XNNSin",
                                        "XNNCopy",
                                        "XNNCos"};
  const auto number = static_cast<std::size_t>(op);
  return number < sizeof names / sizeof names[0] ? names[number] : std::string_view{};
}

/// The data types, numbered as in `XNNDatatype`.
enum class datatype : std::int16_t {
  invalid,
  fp32,
  fp16,
  qint8,
  quint8,
  qint32,
  qcint8,
  qcint32,
  qcint4,
  qdint8,
  qbint4,
  qpint8,
  int32,
  pfp32,
  bf16
};

/// Returns the name of a data type, or an empty text if the schema does not have the data type.
constexpr auto name_of(datatype type) -> std::string_view {
  constexpr std::string_view names[] = {"invalid", "fp32",   "fp16",   "qint8",  "quint8", "qint32", "qcint8", "qcint32",
                                        "qcint4",  "qdint8", "qbint4", "qpint8", "int32",  "pfp32",  "bf16"};
  const auto number = static_cast<std::size_t>(type);
  return number < sizeof names / sizeof names[0] ? names[number] : std::string_view{};
}

/// The members of the union `XNNQuantParams`.
enum class quantization_kind : std::uint8_t { none, per_channel, per_tensor, per_token, per_group };

/// The members of the union `XValueUnion`.
enum class value_kind : std::uint8_t { none, tensor, quantized_tensor };

/// The flags of nodes and values (xnnpack.h). The meaning of a bit depends on the operator.
namespace flag {
inline constexpr std::uint32_t external_input = 1;
inline constexpr std::uint32_t external_output = 2;
inline constexpr std::uint32_t depthwise_filter = 1;
inline constexpr std::uint32_t transposed_weights = 1;
inline constexpr std::uint32_t same_padding = 4;
inline constexpr std::uint32_t reshape_to_matrix = 4;
inline constexpr std::uint32_t legacy_resize = 4;
inline constexpr std::uint32_t align_corners = 8;
inline constexpr std::uint32_t yield_workers = 16;
inline constexpr std::uint32_t keep_dims = 64;
}  // namespace flag

/// The id of an omitted value.
inline constexpr std::uint32_t no_value = 0xffffffffu;
/// The `debug_handle` that files of ExecuTorch state for a node without a debug handle. A debug handle is the number that identifies a node
/// of the model. The value 0 has the same meaning.
inline constexpr std::uint32_t no_handle = 65535;

}  // namespace baton::pte::xnnpack

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// TFLite's builtin operators as data: the code, name and options of each operator; and the dtypes of tensors.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/import/detail/tflite_options.hpp>
#include <baton/operators/shared/operator_names.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::tflite {

/// The union, in the table `Operator`, that contains the options of an operator.
enum options_union : std::uint8_t { no_options, builtin_options, builtin_options_2 };

/// The code of custom operators, whose name is the text `OperatorCode.custom_code`.
inline constexpr std::int32_t custom_operator = 32;

/// The options of a builtin operator: the union that contains the options, the type of the union member, and the fields. If the union in a
/// file has another type or is empty, all fields have their default values, as in TFLite.
struct options_schema {
  literal_name name;  ///< the name of the operator
  options_union options = no_options;
  std::uint8_t options_type = 0;
  span<const field_schema> fields{};
};

/// All builtin operators that have options, by ascending code. Source: schema.fbs of LiteRT, version 3d, August 2026. The schema does not
/// state which operator has which options; the pairs are from TFLite's option_writer_generator and flatbuffer_conversions.
inline constexpr options_schema operators_with_options[] = {
    {"tfl.add", builtin_options, 11, fields::add},
    {"tfl.average_pool_2d", builtin_options, 5, fields::pool_2d},
    {"tfl.concatenation", builtin_options, 10, fields::concatenation},
    {"tfl.conv_2d", builtin_options, 1, fields::conv_2d},
    {"tfl.depthwise_conv_2d", builtin_options, 2, fields::depthwise_conv_2d},
    {"tfl.depth_to_space", builtin_options, 94, fields::depth_to_space},
    {"tfl.dequantize", builtin_options, 38},
    {"tfl.fully_connected", builtin_options, 8, fields::fully_connected},
    {"tfl.l2_normalization", builtin_options, 12, fields::l2_norm},
    {"tfl.l2_pool_2d", builtin_options, 5, fields::pool_2d},
    {"tfl.local_response_normalization", builtin_options, 13, fields::local_response_normalization},
    {"tfl.lsh_projection", builtin_options, 4, fields::lsh_projection},
    {"tfl.lstm", builtin_options, 14, fields::lstm},
    {"tfl.max_pool_2d", builtin_options, 5, fields::pool_2d},
    {"tfl.mul", builtin_options, 21, fields::mul},
    {"tfl.reshape", builtin_options, 17, fields::reshape},
    {"tfl.resize_bilinear", builtin_options, 15, fields::resize_bilinear},
    {"tfl.rnn", builtin_options, 7, fields::rnn},
    {"tfl.softmax", builtin_options, 9, fields::softmax},
    {"tfl.space_to_depth", builtin_options, 19, fields::space_to_depth},
    {"tfl.svdf", builtin_options, 6, fields::svdf},
    {"tfl.concat_embeddings", builtin_options, 3, fields::concat_embeddings},
    {"tfl.skip_gram", builtin_options, 18, fields::skip_gram},
    {"tfl.call", builtin_options, 16, fields::call},
    {"tfl.embedding_lookup_sparse", builtin_options, 20, fields::embedding_lookup_sparse},
    {"tfl.pad", builtin_options, 22},
    {"tfl.unidirectional_sequence_rnn", builtin_options, 31, fields::sequence_rnn},
    {"tfl.gather", builtin_options, 23, fields::gather},
    {"tfl.batch_to_space_nd", builtin_options, 24},
    {"tfl.space_to_batch_nd", builtin_options, 25},
    {"tfl.transpose", builtin_options, 26},
    {"tfl.mean", builtin_options, 27, fields::reducer},
    {"tfl.sub", builtin_options, 28, fields::sub},
    {"tfl.div", builtin_options, 29, fields::div},
    {"tfl.squeeze", builtin_options, 30, fields::squeeze},
    {"tfl.unidirectional_sequence_lstm", builtin_options, 71, fields::unidirectional_sequence_lstm},
    {"tfl.strided_slice", builtin_options, 32, fields::strided_slice},
    {"tfl.bidirectional_sequence_rnn", builtin_options, 70, fields::bidirectional_sequence_rnn},
    {"tfl.exp", builtin_options, 33},
    {"tfl.topk_v2", builtin_options, 34},
    {"tfl.split", builtin_options, 35, fields::split},
    {"tfl.log_softmax", builtin_options, 36},
    {"tfl.bidirectional_sequence_lstm", builtin_options, 69, fields::bidirectional_sequence_lstm},
    {"tfl.cast", builtin_options, 37, fields::cast},
    {"tfl.maximum", builtin_options, 39},
    {"tfl.arg_max", builtin_options, 40, fields::arg_max},
    {"tfl.minimum", builtin_options, 39},
    {"tfl.less", builtin_options, 41},
    {"tfl.neg", builtin_options, 42},
    {"tfl.padv2", builtin_options, 43},
    {"tfl.greater", builtin_options, 44},
    {"tfl.greater_equal", builtin_options, 45},
    {"tfl.less_equal", builtin_options, 46},
    {"tfl.select", builtin_options, 47},
    {"tfl.slice", builtin_options, 48},
    {"tfl.transpose_conv", builtin_options, 49, fields::transpose_conv},
    {"tfl.sparse_to_dense", builtin_options, 50, fields::sparse_to_dense},
    {"tfl.tile", builtin_options, 51},
    {"tfl.expand_dims", builtin_options, 52},
    {"tfl.equal", builtin_options, 53},
    {"tfl.not_equal", builtin_options, 54},
    {"tfl.sum", builtin_options, 27, fields::reducer},
    {"tfl.shape", builtin_options, 55, fields::shape},
    {"tfl.pow", builtin_options, 56},
    {"tfl.arg_min", builtin_options, 57, fields::arg_min},
    {"tfl.fake_quant", builtin_options, 58, fields::fake_quant},
    {"tfl.reduce_prod", builtin_options, 27, fields::reducer},
    {"tfl.reduce_max", builtin_options, 27, fields::reducer},
    {"tfl.pack", builtin_options, 59, fields::pack},
    {"tfl.logical_or", builtin_options, 60},
    {"tfl.one_hot", builtin_options, 61, fields::one_hot},
    {"tfl.logical_and", builtin_options, 62},
    {"tfl.logical_not", builtin_options, 63},
    {"tfl.unpack", builtin_options, 64, fields::unpack},
    {"tfl.reduce_min", builtin_options, 27, fields::reducer},
    {"tfl.floor_div", builtin_options, 65},
    {"tfl.reduce_any", builtin_options, 27, fields::reducer},
    {"tfl.square", builtin_options, 66},
    {"tfl.zeros_like", builtin_options, 67},
    {"tfl.fill", builtin_options, 68},
    {"tfl.floor_mod", builtin_options, 72},
    {"tfl.range", builtin_options, 73},
    {"tfl.resize_nearest_neighbor", builtin_options, 74, fields::resize_nearest_neighbor},
    {"tfl.leaky_relu", builtin_options, 75, fields::leaky_relu},
    {"tfl.squared_difference", builtin_options, 76},
    {"tfl.mirror_pad", builtin_options, 77, fields::mirror_pad},
    {"tfl.abs", builtin_options, 78},
    {"tfl.split_v", builtin_options, 79, fields::split_v},
    {"tfl.unique", builtin_options, 80, fields::unique},
    {"tfl.reverse_v2", builtin_options, 81},
    {"tfl.add_n", builtin_options, 82},
    {"tfl.gather_nd", builtin_options, 83},
    {"tfl.cos", builtin_options, 84},
    {"tfl.where", builtin_options, 85},
    {"tfl.rank", builtin_options, 86},
    {"tfl.reverse_sequence", builtin_options, 87, fields::reverse_sequence},
    {"tfl.matrix_diag", builtin_options, 88},
    {"tfl.quantize", builtin_options, 89},
    {"tfl.matrix_set_diag", builtin_options, 90},
    {"tfl.hard_swish", builtin_options, 91},
    {"tfl.if", builtin_options, 92, fields::if_else},
    {"tfl.while", builtin_options, 93, fields::while_loop},
    {"tfl.non_max_suppression_v4", builtin_options, 95},
    {"tfl.non_max_suppression_v5", builtin_options, 96},
    {"tfl.scatter_nd", builtin_options, 97},
    {"tfl.select_v2", builtin_options, 98},
    {"tfl.densify", builtin_options, 99},
    {"tfl.segment_sum", builtin_options, 100},
    {"tfl.batch_matmul", builtin_options, 101, fields::batch_matmul},
    {"tfl.cumsum", builtin_options, 102, fields::cumsum},
    {"tfl.call_once", builtin_options, 103, fields::call_once},
    {"tfl.broadcast_to", builtin_options, 104},
    {"tfl.rfft2d", builtin_options, 105},
    {"tfl.conv_3d", builtin_options, 106, fields::conv_3d},
    {"tfl.hashtable", builtin_options, 107, fields::hashtable},
    {"tfl.hashtable_find", builtin_options, 108},
    {"tfl.hashtable_import", builtin_options, 109},
    {"tfl.hashtable_size", builtin_options, 110},
    {"tfl.reduce_all", builtin_options, 27, fields::reducer},
    {"tfl.conv_3d_transpose", builtin_options, 106, fields::conv_3d},
    {"tfl.var_handle", builtin_options, 111, fields::var_handle},
    {"tfl.read_variable", builtin_options, 112},
    {"tfl.assign_variable", builtin_options, 113},
    {"tfl.random_standard_normal", builtin_options, 114, fields::random},
    {"tfl.bucketize", builtin_options, 115, fields::bucketize},
    {"tfl.random_uniform", builtin_options, 114, fields::random},
    {"tfl.multinomial", builtin_options, 114, fields::random},
    {"tfl.gelu", builtin_options, 116, fields::gelu},
    {"tfl.dynamic_update_slice", builtin_options, 117},
    {"tfl.unsorted_segment_prod", builtin_options, 118},
    {"tfl.unsorted_segment_max", builtin_options, 119},
    {"tfl.unsorted_segment_sum", builtin_options, 121},
    {"tfl.atan2", builtin_options, 122},
    {"tfl.unsorted_segment_min", builtin_options, 120},
    {"tfl.sign", builtin_options, 123},
    {"tfl.bitcast", builtin_options, 124},
    {"tfl.bitwise_xor", builtin_options, 125},
    {"tfl.right_shift", builtin_options, 126},
    {"tfl.stablehlo_concatenate", builtin_options_2, 1, fields::stablehlo_concatenate},
    {"tfl.stablehlo_broadcast_in_dim", builtin_options_2, 2, fields::stablehlo_broadcast_in_dim},
    {"tfl.stablehlo_convolution", builtin_options_2, 4, fields::stablehlo_convolution},
    {"tfl.stablehlo_slice", builtin_options_2, 3, fields::stablehlo_slice},
    {"tfl.stablehlo_custom_call", builtin_options_2, 5, fields::stablehlo_custom_call},
    {"tfl.stablehlo_reduce", builtin_options_2, 6, fields::stablehlo_reduce},
    {"tfl.stablehlo_scatter", builtin_options_2, 7, fields::stablehlo_scatter},
    {"tfl.stablehlo_compare", builtin_options_2, 8, fields::stablehlo_compare},
    {"tfl.stablehlo_dynamic_slice", builtin_options_2, 9, fields::stablehlo_dynamic_slice},
    {"tfl.stablehlo_pad", builtin_options_2, 10, fields::stablehlo_pad},
    {"tfl.stablehlo_iota", builtin_options_2, 11, fields::stablehlo_iota},
    {"tfl.stablehlo_dot_general", builtin_options_2, 12, fields::stablehlo_dot_general},
    {"tfl.stablehlo_reduce_window", builtin_options_2, 13, fields::stablehlo_reduce_window},
    {"tfl.stablehlo_sort", builtin_options_2, 14, fields::stablehlo_sort},
    {"tfl.stablehlo_while", builtin_options_2, 15, fields::stablehlo_while},
    {"tfl.stablehlo_gather", builtin_options_2, 16, fields::stablehlo_gather},
    {"tfl.stablehlo_transpose", builtin_options_2, 17, fields::stablehlo_transpose},
    {"tfl.dilate", builtin_options_2, 18},
    {"tfl.stablehlo_rng_bit_generator", builtin_options_2, 19, fields::stablehlo_rng_bit_generator},
    {"tfl.reduce_window", builtin_options_2, 20, fields::reduce_window},
    {"tfl.stablehlo_composite", builtin_options_2, 21, fields::stablehlo_composite},
    {"tfl.stablehlo_shift_left", builtin_options_2, 22},
    {"tfl.stablehlo_case", builtin_options_2, 23, fields::stablehlo_case},
};

/// A builtin operator: its name, its BuiltinOperator code, and its options.
struct operator_schema : options_schema {
  std::int32_t code;
};

namespace detail {

template <std::size_t... Code>
consteval auto all_operators(std::index_sequence<Code...>) {
  std::array<operator_schema, sizeof...(Code)> schemas{operator_schema{{operator_names[Code]}, static_cast<std::int32_t>(Code)}...};
  std::size_t row = 0;
  for (auto& op : schemas) {
    if (row == std::size(operators_with_options) || op.name.hash != operators_with_options[row].name.hash) continue;
    static_cast<options_schema&>(op) = operators_with_options[row++];
  }
  return schemas;
}

}  // namespace detail

/// All builtin operators, indexed by code.
inline constexpr auto operators = detail::all_operators(std::make_index_sequence<std::size(operator_names)>{});
namespace detail {
consteval auto count_with_options() -> std::size_t {
  std::size_t count = 0;
  for (const auto& op : operators) count += op.options != no_options ? 1u : 0u;
  return count;
}
}  // namespace detail
static_assert(detail::count_with_options() == std::size(operators_with_options), "an operator with options is misspelled or out of order");

/// Returns the builtin operator with this code, or null if the schema has no such operator.
constexpr auto find_operator(std::int32_t code) -> const operator_schema* {
  return code >= 0 && static_cast<std::size_t>(code) < std::size(operators) ? &operators[static_cast<std::size_t>(code)] : nullptr;
}

/// The dtypes of TFLite's tensors, indexed by TensorType. The name of a dtype is `facts(dtype).name`.
inline constexpr dtype tensor_types[] = {dtype::float32, dtype::float16,     dtype::int32,      dtype::uint8,     dtype::int64,
                                         dtype::text,    dtype::boolean,     dtype::int16,      dtype::complex64, dtype::int8,
                                         dtype::float64, dtype::complex128,  dtype::uint64,     dtype::resource,  dtype::variant,
                                         dtype::uint32,  dtype::uint16,      dtype::int4,       dtype::bfloat16,  dtype::int2,
                                         dtype::uint4,   dtype::float8_e4m3, dtype::float8_e5m2};

/// Returns the dtype of a TensorType, or null if the schema has no such TensorType.
constexpr auto find_tensor_type(std::int32_t code) -> const dtype* {
  return code >= 0 && static_cast<std::size_t>(code) < std::size(tensor_types) ? &tensor_types[code] : nullptr;
}

}  // namespace baton::tflite

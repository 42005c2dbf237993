// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The options of TFLite's builtin operators: the fields of each options table, with slot, type and default.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/span.hpp>

#include <cstdint>
#include <string_view>

namespace baton::tflite {

/// The storage type and the meaning of a field. Numbers are little-endian. No options table contains another table or a struct.
enum class field_type : std::uint8_t {
  boolean,  ///< a byte
  int32,
  int64,
  float32,
  text,
  enumeration8,    ///< a signed byte, an index into the field's symbols
  enumeration32,   ///< four bytes, an index into the field's symbols
  tensor_type,     ///< a signed byte, an index into `tensor_types`
  subgraph,        ///< four bytes, the index of a subgraph of the model
  boolean_vector,  ///< bytes
  uint8_vector,    ///< bytes in a format that the schema does not describe
  int32_vector,
  int64_vector,
  float32_vector,
  enumeration32_vector,  ///< four bytes each, indices into the field's symbols
  subgraph_vector,       ///< four bytes each, the indices of subgraphs of the model
};

/// A field of an options table: its name in the schema, its vtable slot, and its default value, for files that omit the field. The default
/// is a number, a boolean or the index of a symbol; texts and vectors are empty by default, and floats are 0.
struct field_schema {
  literal_name name;
  std::uint16_t slot;
  field_type type;
  span<const std::string_view> symbols{};
  std::int64_t default_value = 0;
};

/// The symbols of the schema's enumerations, indexed by number, in lower case.
namespace symbols {

inline constexpr std::string_view padding[] = {"same", "valid"};
inline constexpr std::string_view activation[] = {"none", "relu", "relu_n1_to_1", "relu6", "tanh", "sign_bit"};
inline constexpr std::string_view lsh_projection_kind[] = {"unknown", "sparse", "dense"};
inline constexpr std::string_view weights_format[] = {"default", "shuffled4x16int8"};
inline constexpr std::string_view lstm_kernel[] = {"full", "basic"};
inline constexpr std::string_view combiner[] = {"sum", "mean", "sqrtn"};
inline constexpr std::string_view mirror_pad_mode[] = {"reflect", "symmetric"};
inline constexpr std::string_view precision[] = {"default", "high", "highest"};
inline constexpr std::string_view comparison_direction[] = {"stablehlo_comparison_direction_eq", "stablehlo_comparison_direction_ne",
                                                            "stablehlo_comparison_direction_ge", "stablehlo_comparison_direction_gt",
                                                            "stablehlo_comparison_direction_le", "stablehlo_comparison_direction_lt"};
inline constexpr std::string_view comparison_type[] = {"stablehlo_comparison_type_notype", "stablehlo_comparison_type_float",
                                                       "stablehlo_comparison_type_float_total_order", "stablehlo_comparison_type_signed",
                                                       "stablehlo_comparison_type_unsigned"};
inline constexpr std::string_view rng_algorithm[] = {"default", "philox", "threefry"};
inline constexpr std::string_view reduce_window_function[] = {"unsupported", "add", "mul", "minimum", "maximum", "all", "any"};
inline constexpr std::string_view custom_options_format[] = {"flexbuffers"};

}  // namespace symbols

/// The fields of each options table (source: schema.fbs of LiteRT, version 3d, August 2026). Tables without fields are not listed.
/// Deprecated fields are not listed either, but their slots stay reserved.
namespace fields {

using enum field_type;

inline constexpr field_schema conv_2d[] = {
    {"padding", 0, enumeration8, symbols::padding},
    {"stride_w", 1, int32},
    {"stride_h", 2, int32},
    {"fused_activation_function", 3, enumeration8, symbols::activation},
    {"dilation_w_factor", 4, int32, {}, 1},
    {"dilation_h_factor", 5, int32, {}, 1},
    {"quantized_bias_type", 6, tensor_type},
};

inline constexpr field_schema depthwise_conv_2d[] = {
    {"padding", 0, enumeration8, symbols::padding},
    {"stride_w", 1, int32},
    {"stride_h", 2, int32},
    {"depth_multiplier", 3, int32},
    {"fused_activation_function", 4, enumeration8, symbols::activation},
    {"dilation_w_factor", 5, int32, {}, 1},
    {"dilation_h_factor", 6, int32, {}, 1},
};

inline constexpr field_schema concat_embeddings[] = {
    {"num_channels", 0, int32},
    {"num_columns_per_channel", 1, int32_vector},
    {"embedding_dim_per_channel", 2, int32_vector},
};

inline constexpr field_schema lsh_projection[] = {{"type", 0, enumeration8, symbols::lsh_projection_kind}};

inline constexpr field_schema pool_2d[] = {
    {"padding", 0, enumeration8, symbols::padding},
    {"stride_w", 1, int32},
    {"stride_h", 2, int32},
    {"filter_width", 3, int32},
    {"filter_height", 4, int32},
    {"fused_activation_function", 5, enumeration8, symbols::activation},
};

inline constexpr field_schema svdf[] = {
    {"rank", 0, int32},
    {"fused_activation_function", 1, enumeration8, symbols::activation},
    {"asymmetric_quantize_inputs", 2, boolean},
};

inline constexpr field_schema rnn[] = {
    {"fused_activation_function", 0, enumeration8, symbols::activation},
    {"asymmetric_quantize_inputs", 1, boolean},
};

inline constexpr field_schema fully_connected[] = {
    {"fused_activation_function", 0, enumeration8, symbols::activation},
    {"weights_format", 1, enumeration8, symbols::weights_format},
    {"keep_num_dims", 2, boolean},
    {"asymmetric_quantize_inputs", 3, boolean},
    {"quantized_bias_type", 4, tensor_type},
};

inline constexpr field_schema softmax[] = {{"beta", 0, float32}};

inline constexpr field_schema concatenation[] = {
    {"axis", 0, int32},
    {"fused_activation_function", 1, enumeration8, symbols::activation},
};

inline constexpr field_schema add[] = {
    {"fused_activation_function", 0, enumeration8, symbols::activation},
    {"pot_scale_int16", 1, boolean, {}, 1},
};

inline constexpr field_schema l2_norm[] = {{"fused_activation_function", 0, enumeration8, symbols::activation}};

inline constexpr field_schema local_response_normalization[] = {
    {"radius", 0, int32},
    {"bias", 1, float32},
    {"alpha", 2, float32},
    {"beta", 3, float32},
};

inline constexpr field_schema lstm[] = {
    {"fused_activation_function", 0, enumeration8, symbols::activation},
    {"cell_clip", 1, float32},
    {"proj_clip", 2, float32},
    {"kernel_type", 3, enumeration8, symbols::lstm_kernel},
    {"asymmetric_quantize_inputs", 4, boolean},
};

inline constexpr field_schema resize_bilinear[] = {{"align_corners", 2, boolean}, {"half_pixel_centers", 3, boolean}};
inline constexpr field_schema call[] = {{"subgraph", 0, subgraph}};
inline constexpr field_schema reshape[] = {{"new_shape", 0, int32_vector}};

inline constexpr field_schema skip_gram[] = {
    {"ngram_size", 0, int32},
    {"max_skip_size", 1, int32},
    {"include_all_ngrams", 2, boolean},
};

inline constexpr field_schema space_to_depth[] = {{"block_size", 0, int32}};
inline constexpr field_schema embedding_lookup_sparse[] = {{"combiner", 0, enumeration8, symbols::combiner}};
inline constexpr field_schema mul[] = {{"fused_activation_function", 0, enumeration8, symbols::activation}};
inline constexpr field_schema gather[] = {{"axis", 0, int32}, {"batch_dims", 1, int32}};
inline constexpr field_schema reducer[] = {{"keep_dims", 0, boolean}};

inline constexpr field_schema sub[] = {
    {"fused_activation_function", 0, enumeration8, symbols::activation},
    {"pot_scale_int16", 1, boolean, {}, 1},
};

inline constexpr field_schema div[] = {{"fused_activation_function", 0, enumeration8, symbols::activation}};
inline constexpr field_schema squeeze[] = {{"squeeze_dims", 0, int32_vector}};

inline constexpr field_schema sequence_rnn[] = {
    {"time_major", 0, boolean},
    {"fused_activation_function", 1, enumeration8, symbols::activation},
    {"asymmetric_quantize_inputs", 2, boolean},
};

inline constexpr field_schema strided_slice[] = {
    {"begin_mask", 0, int32},    {"end_mask", 1, int32},         {"ellipsis_mask", 2, int32},
    {"new_axis_mask", 3, int32}, {"shrink_axis_mask", 4, int32}, {"offset", 5, boolean},
};

inline constexpr field_schema split[] = {{"num_splits", 0, int32}};
inline constexpr field_schema cast[] = {{"in_data_type", 0, tensor_type}, {"out_data_type", 1, tensor_type}};
inline constexpr field_schema arg_max[] = {{"output_type", 0, tensor_type}};

inline constexpr field_schema transpose_conv[] = {
    {"padding", 0, enumeration8, symbols::padding},
    {"stride_w", 1, int32},
    {"stride_h", 2, int32},
    {"fused_activation_function", 3, enumeration8, symbols::activation},
    {"quantized_bias_type", 4, tensor_type},
};

inline constexpr field_schema sparse_to_dense[] = {{"validate_indices", 0, boolean}};
inline constexpr field_schema shape[] = {{"out_type", 0, tensor_type}};
inline constexpr field_schema arg_min[] = {{"output_type", 0, tensor_type}};

inline constexpr field_schema fake_quant[] = {
    {"min", 0, float32},
    {"max", 1, float32},
    {"num_bits", 2, int32},
    {"narrow_range", 3, boolean},
};

inline constexpr field_schema pack[] = {{"values_count", 0, int32}, {"axis", 1, int32}};
inline constexpr field_schema one_hot[] = {{"axis", 0, int32}};
inline constexpr field_schema unpack[] = {{"num", 0, int32}, {"axis", 1, int32}};

inline constexpr field_schema bidirectional_sequence_lstm[] = {
    {"fused_activation_function", 0, enumeration8, symbols::activation},
    {"cell_clip", 1, float32},
    {"proj_clip", 2, float32},
    {"merge_outputs", 3, boolean},
    {"time_major", 4, boolean, {}, 1},
    {"asymmetric_quantize_inputs", 5, boolean},
};

inline constexpr field_schema bidirectional_sequence_rnn[] = {
    {"time_major", 0, boolean},
    {"fused_activation_function", 1, enumeration8, symbols::activation},
    {"merge_outputs", 2, boolean},
    {"asymmetric_quantize_inputs", 3, boolean},
};

inline constexpr field_schema unidirectional_sequence_lstm[] = {
    {"fused_activation_function", 0, enumeration8, symbols::activation},
    {"cell_clip", 1, float32},
    {"proj_clip", 2, float32},
    {"time_major", 3, boolean},
    {"asymmetric_quantize_inputs", 4, boolean},
    {"diagonal_recurrent_tensors", 5, boolean},
};

inline constexpr field_schema resize_nearest_neighbor[] = {{"align_corners", 0, boolean}, {"half_pixel_centers", 1, boolean}};
inline constexpr field_schema leaky_relu[] = {{"alpha", 0, float32}};
inline constexpr field_schema mirror_pad[] = {{"mode", 0, enumeration8, symbols::mirror_pad_mode}};
inline constexpr field_schema split_v[] = {{"num_splits", 0, int32}};
inline constexpr field_schema unique[] = {{"idx_out_type", 0, tensor_type, {}, 2}};
inline constexpr field_schema reverse_sequence[] = {{"seq_dim", 0, int32}, {"batch_dim", 1, int32}};
inline constexpr field_schema if_else[] = {{"then_subgraph_index", 0, subgraph}, {"else_subgraph_index", 1, subgraph}};
inline constexpr field_schema while_loop[] = {{"cond_subgraph_index", 0, subgraph}, {"body_subgraph_index", 1, subgraph}};
inline constexpr field_schema depth_to_space[] = {{"block_size", 0, int32}};

inline constexpr field_schema batch_matmul[] = {
    {"adj_x", 0, boolean},
    {"adj_y", 1, boolean},
    {"asymmetric_quantize_inputs", 2, boolean},
};

inline constexpr field_schema cumsum[] = {{"exclusive", 0, boolean}, {"reverse", 1, boolean}};
inline constexpr field_schema call_once[] = {{"init_subgraph_index", 0, subgraph}};

inline constexpr field_schema conv_3d[] = {
    {"padding", 0, enumeration8, symbols::padding},
    {"stride_d", 1, int32},
    {"stride_w", 2, int32},
    {"stride_h", 3, int32},
    {"fused_activation_function", 4, enumeration8, symbols::activation},
    {"dilation_d_factor", 5, int32, {}, 1},
    {"dilation_w_factor", 6, int32, {}, 1},
    {"dilation_h_factor", 7, int32, {}, 1},
};

inline constexpr field_schema hashtable[] = {
    {"table_id", 0, int32},
    {"key_dtype", 1, tensor_type},
    {"value_dtype", 2, tensor_type},
};

inline constexpr field_schema var_handle[] = {{"container", 0, text}, {"shared_name", 1, text}};
inline constexpr field_schema random[] = {{"seed", 0, int64}, {"seed2", 1, int64}};
inline constexpr field_schema bucketize[] = {{"boundaries", 0, float32_vector}};
inline constexpr field_schema gelu[] = {{"approximate", 0, boolean}};
inline constexpr field_schema stablehlo_concatenate[] = {{"dimension", 0, int64}};
inline constexpr field_schema stablehlo_broadcast_in_dim[] = {{"broadcast_dimensions", 0, int64_vector}};

inline constexpr field_schema stablehlo_slice[] = {
    {"start_indices", 0, int64_vector},
    {"limit_indices", 1, int64_vector},
    {"strides", 2, int64_vector},
};

inline constexpr field_schema stablehlo_convolution[] = {
    {"window_strides", 0, int64_vector},
    {"padding", 1, int64_vector},
    {"lhs_dilation", 2, int64_vector},
    {"rhs_dilation", 3, int64_vector},
    {"window_reversal", 4, boolean_vector},
    {"input_batch_dimension", 5, int64},
    {"input_feature_dimension", 6, int64},
    {"input_spatial_dimensions", 7, int64_vector},
    {"kernel_input_feature_dimension", 8, int64},
    {"kernel_output_feature_dimension", 9, int64},
    {"kernel_spatial_dimensions", 10, int64_vector},
    {"output_batch_dimension", 11, int64},
    {"output_feature_dimension", 12, int64},
    {"output_spatial_dimensions", 13, int64_vector},
    {"feature_group_count", 14, int64},
    {"batch_group_count", 15, int64},
    {"precision_config", 16, enumeration32_vector, symbols::precision},
};

inline constexpr field_schema stablehlo_custom_call[] = {
    {"call_target_name", 0, text},
    {"has_side_effect", 1, boolean},
    {"backend_config", 2, text},
    {"api_version", 3, int32},
    {"called_computations", 4, subgraph_vector},
    {"custom_attributes", 5, uint8_vector},
};

inline constexpr field_schema stablehlo_reduce[] = {{"dimensions", 0, int64_vector}, {"body_subgraph_index", 1, subgraph}};

inline constexpr field_schema stablehlo_scatter[] = {
    {"indices_are_sorted", 0, boolean},
    {"update_window_dims", 1, int64_vector},
    {"inserted_window_dims", 2, int64_vector},
    {"scatter_dims_to_operand_dims", 3, int64_vector},
    {"index_vector_dim", 4, int64},
    {"unique_indices", 5, boolean},
    {"update_computation_subgraph_index", 6, subgraph},
};

inline constexpr field_schema stablehlo_compare[] = {
    {"comparison_direction", 0, enumeration32, symbols::comparison_direction},
    {"compare_type", 1, enumeration32, symbols::comparison_type},
};

inline constexpr field_schema stablehlo_dynamic_slice[] = {{"slice_sizes", 0, int64_vector}};

inline constexpr field_schema stablehlo_pad[] = {
    {"edge_padding_low", 0, int64_vector},
    {"edge_padding_high", 1, int64_vector},
    {"interior_padding", 2, int64_vector},
};

inline constexpr field_schema stablehlo_iota[] = {{"iota_dimension", 0, int64}};

inline constexpr field_schema stablehlo_dot_general[] = {
    {"lhs_batching_dimensions", 0, int64_vector},
    {"rhs_batching_dimensions", 1, int64_vector},
    {"lhs_contracting_dimensions", 2, int64_vector},
    {"rhs_contracting_dimensions", 3, int64_vector},
    {"precision_config", 4, enumeration32_vector, symbols::precision},
};

inline constexpr field_schema stablehlo_reduce_window[] = {
    {"window_dimensions", 0, int64_vector}, {"window_strides", 1, int64_vector}, {"base_dilations", 2, int64_vector},
    {"window_dilations", 3, int64_vector},  {"padding", 4, int64_vector},        {"body_subgraph_index", 5, subgraph},
};

inline constexpr field_schema stablehlo_sort[] = {
    {"dimension", 0, int64},
    {"is_stable", 1, boolean},
    {"comparator_subgraph_index", 2, subgraph},
};

inline constexpr field_schema stablehlo_while[] = {{"cond_subgraph_index", 0, subgraph}, {"body_subgraph_index", 1, subgraph}};

inline constexpr field_schema stablehlo_gather[] = {
    {"offset_dims", 0, int64_vector}, {"collapsed_slice_dims", 1, int64_vector}, {"start_index_map", 2, int64_vector},
    {"index_vector_dim", 3, int64},   {"slice_sizes", 4, int64_vector},          {"indices_are_sorted", 5, boolean},
};

inline constexpr field_schema stablehlo_transpose[] = {{"permutation", 0, int64_vector}};
inline constexpr field_schema stablehlo_rng_bit_generator[] = {{"algorithm", 0, enumeration8, symbols::rng_algorithm}};
inline constexpr field_schema reduce_window[] = {{"reduce_function", 0, enumeration32, symbols::reduce_window_function}};

inline constexpr field_schema stablehlo_composite[] = {
    {"name", 0, text},
    {"decomposition_subgraph_index", 1, subgraph},
    {"composite_attributes", 2, uint8_vector},
    {"composite_attributes_format", 3, enumeration8, symbols::custom_options_format},
    {"version", 4, int32},
};

inline constexpr field_schema stablehlo_case[] = {{"branch_subgraph_indices", 0, subgraph_vector}};

}  // namespace fields

}  // namespace baton::tflite

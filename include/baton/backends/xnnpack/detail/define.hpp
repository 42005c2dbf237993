// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Defines the values and operators of processed bytes in an XNNPACK subgraph.
#pragma once

#include <baton/backends/xnnpack/detail/format.hpp>
#include <baton/backends/xnnpack/detail/library.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::xnnpack::detail {

/// The addresses of a constant's bytes and scales.
struct constant_bytes {
  const char* data = nullptr;
  const float* scales = nullptr;
};

/// Defines a value that is quantized at run time. Fails with `xnn_status_unsupported_parameter` if this version of XNNPACK has no such
/// values.
template <class Datatype, class Subgraph>
auto define_dynamic_value(Subgraph graph, const value_record& value, const std::size_t* sizes, std::uint32_t id) -> xnn_status {
  if constexpr (has_dynamic_values<Subgraph, Datatype>) {
    auto result = id;
    return xnn_define_dynamically_quantized_tensor_value(graph, Datatype::xnn_datatype_qdint8, value.rank, value.axis, sizes, id, 0,
                                                         &result);
  }
  return xnn_status_unsupported_parameter;
}

/// Defines a value. The id of the value in the subgraph is its index in the processed bytes.
inline auto define_value(xnn_subgraph_t graph, const value_record& value, std::uint32_t id, const constant_bytes& constant,
                         std::uint32_t flags) -> xnn_status {
  std::array<std::size_t, max_dimensions> sizes{};
  for (std::uint32_t d = 0; d < value.rank; ++d) sizes[d] = value.sizes[d];
  auto result = id;
  if (value.type == element::float32)
    return xnn_define_tensor_value(graph, xnn_datatype_fp32, value.rank, sizes.data(), constant.data, id, flags, &result);
  if (value.type == element::dynamic_int8) return define_dynamic_value<xnn_datatype>(graph, value, sizes.data(), id);
  const bool is_int8 = value.type == element::int8;
  if (constant.scales != nullptr) {
    return xnn_define_channelwise_quantized_tensor_value(graph, is_int8 ? xnn_datatype_qcint8 : xnn_datatype_qcint32, constant.scales,
                                                         value.rank, value.axis, sizes.data(), constant.data, id, flags, &result);
  }
  return xnn_define_quantized_tensor_value(graph, is_int8 ? xnn_datatype_qint8 : xnn_datatype_qint32, value.zero_point, value.scale,
                                           value.rank, sizes.data(), constant.data, id, flags, &result);
}

/// The minimum number of operands of an operator, and the minimum number of elements in `operator_record::numbers`.
struct min_counts {
  std::uint32_t operands;
  std::uint32_t numbers;
};
constexpr auto min_counts_of(opcode op) -> min_counts {
  switch (op) {
    case opcode::convolution:
      return {3, 13};
    case opcode::depthwise_convolution:
    case opcode::transposed_convolution:
      return {3, 12};
    case opcode::fully_connected:
      return {3, 0};
    case opcode::average_pooling:
    case opcode::max_pooling:
      return {1, 8};
    case opcode::add:
    case opcode::subtract:
    case opcode::multiply:
    case opcode::divide:
    case opcode::maximum:
    case opcode::minimum:
    case opcode::squared_difference:
    case opcode::prelu:
      return {2, 0};
    case opcode::resize_bilinear:
      return {1, 2};
    case opcode::depth_to_space:
      return {1, 1};
    case opcode::concatenate:
      return {2, 1};
    default:
      return {1, 0};
  }
}

/// Defines an operator that only some versions of the library have. `Subgraph` is a template parameter, so that the library's functions are
/// looked up only at instantiation.
template <class Subgraph>
auto define_newer(Subgraph graph, const operator_record& code) -> xnn_status {
  const auto& from = code.from;
  if constexpr (has_tanh<Subgraph>) {
    if (code.op == opcode::tanh) return xnn_define_tanh(graph, from[0], code.to, 0);
  }
  if constexpr (has_concatenation<Subgraph>) {
    const auto axis = static_cast<std::int32_t>(code.numbers[0]);
    if (code.op == opcode::concatenate && code.operands == 2) return xnn_define_concatenate2(graph, axis, from[0], from[1], code.to, 0);
    if (code.op == opcode::concatenate && code.operands == 3)
      return xnn_define_concatenate3(graph, axis, from[0], from[1], from[2], code.to, 0);
    if (code.op == opcode::concatenate && code.operands == 4)
      return xnn_define_concatenate4(graph, axis, from[0], from[1], from[2], from[3], code.to, 0);
  }
  return xnn_status_unsupported_parameter;
}

/// Defines an operator whose output has `output_rank` dimensions. Fails with the status of the library, or with
/// `xnn_status_unsupported_parameter` if this version of XNNPACK lacks the operator. Fails with `xnn_status_invalid_parameter` if `code`
/// has too few operands or numbers, or if a padding or a reshape has too many dimensions.
inline auto define_operator(xnn_subgraph_t graph, const operator_record& code, std::uint32_t output_rank) -> xnn_status {
  const auto required = min_counts_of(code.op);
  if (code.operands < required.operands || code.count < required.numbers) return xnn_status_invalid_parameter;
  const auto [first, second, third, fourth] = code.from;
  const auto to = code.to;
  const auto low = code.lower;
  const auto high = code.upper;
  const auto& n = code.numbers;
  static_cast<void>(fourth);
  switch (code.op) {
    case opcode::convolution:
      return xnn_define_convolution_2d(graph, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12], low, high,
                                       first, second, third, to, code.flags);
    case opcode::depthwise_convolution:
      return xnn_define_depthwise_convolution_2d(graph, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], low, high,
                                                 first, second, third, to, code.flags);
    case opcode::transposed_convolution:
      return xnn_define_deconvolution_2d(graph, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], 1, 1, 1, n[10], n[11], low,
                                         high, first, second, third, to, code.flags);
    case opcode::fully_connected:
      return xnn_define_fully_connected(graph, low, high, first, second, third, to, code.flags);
    case opcode::average_pooling:
      return xnn_define_average_pooling_2d(graph, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], low, high, first, to, code.flags);
    case opcode::max_pooling:
      return xnn_define_max_pooling_2d(graph, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], 1, 1, low, high, first, to, code.flags);
    case opcode::global_average_pooling:
      return xnn_define_global_average_pooling_2d(graph, low, high, first, to, code.flags | (output_rank == 4 ? keep_dims : 0u));
    case opcode::add:
      return xnn_define_add2(graph, low, high, first, second, to, code.flags);
    case opcode::subtract:
      return xnn_define_subtract(graph, low, high, first, second, to, code.flags);
    case opcode::multiply:
      return xnn_define_multiply2(graph, low, high, first, second, to, code.flags);
    case opcode::divide:
      return xnn_define_divide(graph, low, high, first, second, to, code.flags);
    case opcode::maximum:
      return xnn_define_maximum2(graph, first, second, to, code.flags);
    case opcode::minimum:
      return xnn_define_minimum2(graph, first, second, to, code.flags);
    case opcode::squared_difference:
      return xnn_define_squared_difference(graph, first, second, to, code.flags);
    case opcode::clamp:
      return xnn_define_clamp(graph, low, high, first, to, code.flags);
    case opcode::sigmoid:
      return xnn_define_sigmoid(graph, first, to, code.flags);
    case opcode::softmax:
      return xnn_define_softmax(graph, first, to, code.flags);
    case opcode::hard_swish:
      return xnn_define_hardswish(graph, first, to, code.flags);
    case opcode::leaky_relu:
      return xnn_define_leaky_relu(graph, low, first, to, code.flags);
    case opcode::elu:
      return xnn_define_elu(graph, low, first, to, code.flags);
    case opcode::absolute:
      return xnn_define_abs(graph, first, to, code.flags);
    case opcode::negate:
      return xnn_define_negate(graph, first, to, code.flags);
    case opcode::floor:
      return xnn_define_floor(graph, first, to, code.flags);
    case opcode::ceiling:
      return xnn_define_ceiling(graph, first, to, code.flags);
    case opcode::round:
      return xnn_define_bankers_rounding(graph, first, to, code.flags);
    case opcode::square:
      return xnn_define_square(graph, first, to, code.flags);
    case opcode::square_root:
      return xnn_define_square_root(graph, first, to, code.flags);
    case opcode::prelu:
      return xnn_define_prelu(graph, first, second, to, code.flags);
    case opcode::pad: {
      std::array<std::size_t, max_dimensions> before{};
      std::array<std::size_t, max_dimensions> after{};
      const auto rank = code.count / 2;
      if (rank > max_dimensions) return xnn_status_invalid_parameter;
      for (std::uint32_t d = 0; d < rank; ++d) before[d] = n[d], after[d] = n[rank + d];
      return xnn_define_static_constant_pad(graph, before.data(), after.data(), low, first, to, code.flags);
    }
    case opcode::reshape: {
      std::array<std::size_t, max_dimensions> sizes{};
      if (code.count > max_dimensions) return xnn_status_invalid_parameter;
      for (std::uint32_t d = 0; d < code.count; ++d) sizes[d] = n[d];
      return xnn_define_static_reshape(graph, code.count, sizes.data(), first, to, code.flags);
    }
    case opcode::resize_bilinear:
      return xnn_define_static_resize_bilinear_2d(graph, n[0], n[1], first, to, code.flags);
    case opcode::convert:
      return xnn_define_convert(graph, first, to, code.flags);
    case opcode::depth_to_space:
      return xnn_define_depth_to_space(graph, first, to, n[0], code.flags);
    default:
      return define_newer(graph, code);
  }
}

}  // namespace baton::xnnpack::detail

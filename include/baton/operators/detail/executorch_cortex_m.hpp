// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The operators of the namespace `cortex_m`. ExecuTorch lowers int8 models to these operators (backends/cortex_m/ops/operators.yaml).
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/detail/executorch_layers.hpp>
#include <baton/operators/detail/executorch_rules.hpp>
#include <baton/operators/detail/product.hpp>
#include <baton/operators/detail/work_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::executorch::definitions {

// An omitted bias is the operand `none`, so that the following operands keep their positions.
inline constexpr operand_definition quantized_convolution_operands[] = {
    {"input"}, {"weight"}, {"bias", optional}, {"requantize_multipliers"}, {"requantize_shifts"}};
inline constexpr operand_definition quantized_linear_operands[] = {{"input"}, {"weights"}, {"bias", optional}, {"kernel_sum", optional}};
inline constexpr operand_definition activation_operands[] = {{"input"}, {"lut"}};

/// Infers the output of a quantized convolution. Images are [N, C, H, W], or [N, H, W, C] for the operators with the suffix `_nhwc`.
/// Weights are [outputs, height, width, inputs], or [1, height, width, outputs] for a depthwise convolution.
template <bool IsDepthwise, bool IsNhwc>
constexpr void infer_quantized_convolution(inference& node) {
  if (!node.require_rank(0, 4) || !node.require_rank(1, 4)) return;
  node.set_type(0, dtype::int8);
  const ordered_tensors tensors(node);
  auto shape = tensors.shape(0);
  if (!shape.has_rank) return;
  const windows window{node.list("arg_3"), node.list("arg_4"), node.list("arg_5")};
  auto* const sides = shape.sizes.data() + (IsNhwc ? 1 : 2);
  for (std::size_t d = 0; d < 2; ++d) sides[d] = window.along(d, sides[d], node.size(1, d + 1));
  shape.sizes[IsNhwc ? 3 : 1] = node.size(1, IsDepthwise ? 3 : 0);
  tensors.set_output_shape(shape);
}
template <bool IsNhwc>
constexpr void infer_quantized_max_pool(inference& node) {
  if (!node.require_rank(0, 4)) return;
  node.set_type(0, node.type(0));
  return set_pool_shape(node, node.list("arg_4"), node.integer("arg_5") != 0, IsNhwc);
}
template <bool IsNhwc>
constexpr void infer_quantized_average_pool(inference& node) {
  if (!node.require_rank(0, 4)) return;
  node.set_type(0, node.type(0));
  return set_pool_shape(node, {}, node.integer("arg_4") != 0, IsNhwc);
}
constexpr void infer_quantized_linear(inference& node) {
  node.set_type(0, dtype::int8);
  return baton::definitions::set_row_product_shape(node);
}
constexpr void infer_transposed_tensor(inference& node) {
  node.set_type(0, node.type(0));
  const ordered_tensors tensors(node);
  const auto from = tensors.shape(0);
  const auto list = node.list("arg_1");
  if (!from.has_rank || list.size() != from.rank) return;
  inferred_shape shape;
  for (const auto axis : list) {
    const auto d = inference::dimension(axis, from.rank);
    if (d == from.rank) return node.fail({"there is no dimension ", axis});
    shape.add(from.sizes[d]);
  }
  tensors.set_output_shape(shape);
}
/// Infers the output of `cortex_m.pad`. Argument 1 lists the paddings before the elements, and argument 2 the paddings after the elements.
/// Each list has four numbers; a tensor of rank r uses the last r numbers. The numbers are in memory order if the tensor is a channels-last
/// image, otherwise in dimension order. An image with one channel, or with one pixel, counts as channels-last.
constexpr void infer_padded_tensor(inference& node) {
  node.set_type(0, node.type(0));
  const ordered_tensors tensors(node);
  const auto shape = tensors.shape(0);
  const auto before = node.list("arg_1"), after = node.list("arg_2");
  if (!shape.has_rank || before.size() < shape.rank || after.size() != before.size()) return;
  constexpr std::int64_t channels_last_order[] = {0, 2, 3, 1};
  constexpr std::size_t positions_in_memory[] = {0, 3, 1, 2};  // indexed by dimension of a channels-last image
  const auto& sizes = shape.sizes;
  const bool is_channels_last =
      shape.rank == 4 && (sizes[1] == 1 || (sizes[2] == 1 && sizes[3] == 1) || tensors.has_order(0, channels_last_order));
  auto padded = shape;
  for (std::size_t d = 0; d < shape.rank; ++d) {
    const auto i = before.size() - shape.rank + (is_channels_last ? positions_in_memory[d] : d);
    const bool is_known = before[i] >= 0 && after[i] >= 0 && before[i] <= known_sizes::max && after[i] <= known_sizes::max;
    padded.sizes[d] = is_known && sizes[d] >= 0 ? sizes[d] + before[i] + after[i] : -1;
  }
  tensors.set_output_shape(padded);
}

/// Definitions of the operators of the namespace `cortex_m`.
inline constexpr operator_definition cortex_m[] = {
    {.name = "cortex_m.quantized_conv2d.out",
     .operands = quantized_convolution_operands,
     .is_functional = true,
     .infer = infer_quantized_convolution<false, false>,
     .multiply_adds = work_rules::filter},
    {.name = "cortex_m.quantized_conv2d_nhwc.out",
     .operands = quantized_convolution_operands,
     .is_functional = true,
     .infer = infer_quantized_convolution<false, true>,
     .multiply_adds = work_rules::filter},
    {.name = "cortex_m.quantized_depthwise_conv2d.out",
     .operands = quantized_convolution_operands,
     .is_functional = true,
     .infer = infer_quantized_convolution<true, false>,
     .multiply_adds = work_rules::filters_in_last_dimension},
    {.name = "cortex_m.quantized_depthwise_conv2d_nhwc.out",
     .operands = quantized_convolution_operands,
     .is_functional = true,
     .infer = infer_quantized_convolution<true, true>,
     .multiply_adds = work_rules::filters_in_last_dimension},
    {.name = "cortex_m.quantized_linear.out",
     .operands = quantized_linear_operands,
     .is_functional = true,
     .infer = infer_quantized_linear,
     .multiply_adds = work_rules::filter},
    {.name = "cortex_m.quantized_max_pool2d.out", .operands = one_operand, .is_functional = true, .infer = infer_quantized_max_pool<false>},
    {.name = "cortex_m.quantized_max_pool2d_nhwc.out",
     .operands = one_operand,
     .is_functional = true,
     .infer = infer_quantized_max_pool<true>},
    {.name = "cortex_m.quantized_avg_pool2d.out",
     .operands = one_operand,
     .is_functional = true,
     .infer = infer_quantized_average_pool<false>},
    {.name = "cortex_m.quantized_avg_pool2d_nhwc.out",
     .operands = one_operand,
     .is_functional = true,
     .infer = infer_quantized_average_pool<true>},
    {.name = "cortex_m.quantized_add.out", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "cortex_m.quantized_mul.out", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "cortex_m.minimum.out",
     .operands = two_operands,
     .is_commutative = true,
     .is_functional = true,
     .infer = infer_elementwise_binary},
    {.name = "cortex_m.maximum.out",
     .operands = two_operands,
     .is_commutative = true,
     .is_functional = true,
     .infer = infer_elementwise_binary},
    {.name = "cortex_m.quantized_activation.out",
     .operands = activation_operands,
     .is_functional = true,
     .infer = infer_same_type_and_shape},
    {.name = "cortex_m.softmax.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "cortex_m.transpose.out", .operands = one_operand, .is_functional = true, .infer = infer_transposed_tensor},
    {.name = "cortex_m.pad.out", .operands = one_operand, .is_functional = true, .infer = infer_padded_tensor},
    {.name = "cortex_m.quantize_per_tensor.out", .operands = one_operand, .is_functional = true, .infer = infer_same_shape},
    {.name = "cortex_m.dequantize_per_tensor.out", .operands = one_operand, .is_functional = true, .infer = infer_dequantized},
};

}  // namespace baton::executorch::definitions

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

// An omitted bias keeps its position in the list of operands.
inline constexpr operand_definition quantized_convolution_operands[] = {
    {"input"}, {"weight"}, {"bias", optional}, {"requantize_multipliers"}, {"requantize_shifts"}};
inline constexpr operand_definition quantized_linear_operands[] = {{"input"}, {"weights"}, {"bias", optional}, {"kernel_sum", optional}};
inline constexpr operand_definition activation_operands[] = {{"input"}, {"lut"}};

/// Images are [N, C, H, W], or [N, H, W, C] for the operators with the suffix `_nhwc`. Weights are [outputs, height, width, inputs], or
/// [1, height, width, outputs] of a depthwise convolution.
template <bool IsDepthwise, bool IsNhwc>
constexpr void infer_quantized_convolution(inference& at) {
  if (!at.needs_rank(0, 4) || !at.needs_rank(1, 4)) return;
  at.give_type(0, dtype::int8);
  const ordered_tensors tensors(at);
  auto shape = tensors.shape(0);
  if (!shape.has_rank) return;
  const windows window{at.list("arg_3"), at.list("arg_4"), at.list("arg_5")};
  auto* const sides = shape.sizes.data() + (IsNhwc ? 1 : 2);
  for (std::size_t d = 0; d < 2; ++d) sides[d] = window.along(d, sides[d], at.size(1, d + 1));
  shape.sizes[IsNhwc ? 3 : 1] = at.size(1, IsDepthwise ? 3 : 0);
  tensors.give(shape);
}
template <bool IsNhwc>
constexpr void infer_quantized_max_pool(inference& at) {
  if (!at.needs_rank(0, 4)) return;
  at.give_type(0, at.type(0));
  return give_pool(at, at.list("arg_4"), at.integer("arg_5") != 0, IsNhwc);
}
template <bool IsNhwc>
constexpr void infer_quantized_average_pool(inference& at) {
  if (!at.needs_rank(0, 4)) return;
  at.give_type(0, at.type(0));
  return give_pool(at, {}, at.integer("arg_4") != 0, IsNhwc);
}
constexpr void infer_quantized_linear(inference& at) {
  at.give_type(0, dtype::int8);
  return baton::definitions::give_rows(at);
}
constexpr void infer_transposed_tensor(inference& at) {
  at.give_type(0, at.type(0));
  const ordered_tensors tensors(at);
  const auto from = tensors.shape(0);
  const auto list = at.list("arg_1");
  if (!from.has_rank || list.size() != from.rank) return;
  inferred_shape shape;
  for (const auto axis : list) {
    const auto d = inference::dimension(axis, from.rank);
    if (d == from.rank) return at.misfit({"there is no dimension ", axis});
    shape.add(from.sizes[d]);
  }
  tensors.give(shape);
}
/// The paddings are two lists of four numbers. A tensor of rank r uses the last r numbers of each list. They are in memory order if the
/// tensor is a channels-last image, otherwise in dimension order.
constexpr void infer_padded_tensor(inference& at) {
  at.give_type(0, at.type(0));
  const ordered_tensors tensors(at);
  const auto shape = tensors.shape(0);
  const auto before = at.list("arg_1"), after = at.list("arg_2");
  if (!shape.has_rank || before.size() < shape.rank || after.size() != before.size()) return;
  constexpr std::int64_t last[] = {0, 2, 3, 1};
  constexpr std::size_t positions[] = {0, 3, 1, 2};
  const auto& sizes = shape.sizes;
  const bool is_last = shape.rank == 4 && (sizes[1] == 1 || (sizes[2] == 1 && sizes[3] == 1) || tensors.has_order(0, last));
  auto padded = shape;
  for (std::size_t d = 0; d < shape.rank; ++d) {
    const auto i = before.size() - shape.rank + (is_last ? positions[d] : d);
    const bool is_known = before[i] >= 0 && after[i] >= 0 && before[i] <= known_sizes::max && after[i] <= known_sizes::max;
    padded.sizes[d] = is_known && sizes[d] >= 0 ? sizes[d] + before[i] + after[i] : -1;
  }
  tensors.give(padded);
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
     .multiply_adds = work_rules::last_filter},
    {.name = "cortex_m.quantized_depthwise_conv2d_nhwc.out",
     .operands = quantized_convolution_operands,
     .is_functional = true,
     .infer = infer_quantized_convolution<true, true>,
     .multiply_adds = work_rules::last_filter},
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
    {.name = "cortex_m.quantized_add.out", .operands = two_operands, .is_functional = true, .infer = infer_pair},
    {.name = "cortex_m.quantized_mul.out", .operands = two_operands, .is_functional = true, .infer = infer_pair},
    {.name = "cortex_m.minimum.out", .operands = two_operands, .is_commutative = true, .is_functional = true, .infer = infer_pair},
    {.name = "cortex_m.maximum.out", .operands = two_operands, .is_commutative = true, .is_functional = true, .infer = infer_pair},
    {.name = "cortex_m.quantized_activation.out", .operands = activation_operands, .is_functional = true, .infer = infer_alike},
    {.name = "cortex_m.softmax.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "cortex_m.transpose.out", .operands = one_operand, .is_functional = true, .infer = infer_transposed_tensor},
    {.name = "cortex_m.pad.out", .operands = one_operand, .is_functional = true, .infer = infer_padded_tensor},
    {.name = "cortex_m.quantize_per_tensor.out", .operands = one_operand, .is_functional = true, .infer = infer_shape_alike},
    {.name = "cortex_m.dequantize_per_tensor.out", .operands = one_operand, .is_functional = true, .infer = infer_dequantized},
};

}  // namespace baton::executorch::definitions

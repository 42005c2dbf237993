// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The operators of the namespace `cortex_m`, which ExecuTorch lowers int8 models to (backends/cortex_m/ops/operators.yaml).
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/detail/executorch_rules.hpp>
#include <baton/operators/detail/work_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/window.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::executorch::definitions {

// The bias is omitted, but keeps its place.
inline constexpr operand_definition quantized_convolution_operands[] = {
    {"input"}, {"weight"}, {"bias", optional}, {"requantize_multipliers"}, {"requantize_shifts"}};
inline constexpr operand_definition quantized_linear_operands[] = {{"input"}, {"weights"}, {"bias", optional}, {"kernel_sum", optional}};
inline constexpr operand_definition activation_operands[] = {{"input"}, {"lut"}};

/// An image [N, C, H, W], or [N, H, W, C] for the operators with the suffix `_nhwc`.
class image_tensors : public ordered_tensors {
 public:
  constexpr image_tensors(inference& at, bool is_nhwc) : ordered_tensors(at), is_nhwc_(is_nhwc) {}

  constexpr auto batches() const -> std::int64_t { return size(0, 0); }
  constexpr auto channels() const -> std::int64_t { return size(0, is_nhwc_ ? 3 : 1); }
  /// Returns height or width of operand 0.
  constexpr auto side(std::size_t d) const -> std::int64_t { return size(0, d + (is_nhwc_ ? 1 : 2)); }
  constexpr void give_image(std::int64_t channels, std::int64_t height, std::int64_t width) const {
    if (is_nhwc_) return give({batches(), height, width, channels});
    return give({batches(), channels, height, width});
  }

 private:
  bool is_nhwc_;
};

/// Weights are [outputs, height, width, inputs], or [1, height, width, outputs] of a depthwise convolution.
template <bool IsDepthwise, bool IsNhwc>
constexpr void infer_quantized_convolution(inference& at) {
  if (!at.needs_rank(0, 4) || !at.needs_rank(1, 4)) return;
  at.give_type(0, dtype::int8);
  const image_tensors image(at, IsNhwc);
  const auto along = [&](std::size_t d) {
    const auto size = image.side(d), padding = number_of(at.list("arg_4"), d, 0);
    return window_size(false, size < 0 || padding < 0 ? -1 : size + 2 * padding, at.size(1, d + 1), number_of(at.list("arg_3"), d, 1),
                       number_of(at.list("arg_5"), d, 1));
  };
  image.give_image(at.size(1, IsDepthwise ? 3 : 0), along(0), along(1));
}
template <bool IsNhwc>
constexpr void infer_quantized_max_pool(inference& at) {
  if (!at.needs_rank(0, 4)) return;
  at.give_type(0, at.type(0));
  const image_tensors image(at, IsNhwc);
  const auto along = [&](std::size_t d) {
    const auto size = number_of(at.list("arg_1"), d, -1), padding = number_of(at.list("arg_3"), d, 0);
    return pooled_size(image.side(d), padding, padding, size, number_of(at.list("arg_2"), d, size), number_of(at.list("arg_4"), d, 1),
                       at.integer("arg_5") != 0);
  };
  image.give_image(image.channels(), along(0), along(1));
}
template <bool IsNhwc>
constexpr void infer_quantized_average_pool(inference& at) {
  if (!at.needs_rank(0, 4)) return;
  at.give_type(0, at.type(0));
  const image_tensors image(at, IsNhwc);
  const auto along = [&](std::size_t d) {
    const auto size = number_of(at.list("arg_1"), d, -1), padding = number_of(at.list("arg_3"), d, 0);
    return pooled_size(image.side(d), padding, padding, size, number_of(at.list("arg_2"), d, size), 1, at.integer("arg_4") != 0);
  };
  image.give_image(image.channels(), along(0), along(1));
}
constexpr void infer_quantized_linear(inference& at) {
  if (!at.needs_rank(1, 2) || at.rank(0) == 0) return;
  const auto last = at.size(0, at.rank(0) - 1);
  if (last >= 0 && at.size(1, 1) >= 0 && last != at.size(1, 1))
    return at.misfit({"the weights have ", at.size(1, 1), " columns, the input ", last});
  at.give_type(0, dtype::int8);
  inferred_shape shape;
  for (std::size_t d = 0; d + 1 < at.rank(0); ++d) shape.add(at.size(0, d));
  shape.add(at.size(1, 0));
  at.give_shape(0, shape);
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
/// The paddings are lists for the last dimensions of four.
constexpr void infer_padded_tensor(inference& at) {
  at.give_type(0, at.type(0));
  const ordered_tensors tensors(at);
  auto shape = tensors.shape(0);
  const auto before = at.list("arg_1"), after = at.list("arg_2");
  if (!shape.has_rank || before.size() < shape.rank || after.size() != before.size()) return;
  for (std::size_t d = 0; d < shape.rank; ++d) {
    const auto i = before.size() - shape.rank + d;
    const bool is_known = before[i] >= 0 && after[i] >= 0 && before[i] <= known_sizes::max && after[i] <= known_sizes::max;
    shape.sizes[d] = is_known && shape.sizes[d] >= 0 ? shape.sizes[d] + before[i] + after[i] : -1;
  }
  tensors.give(shape);
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

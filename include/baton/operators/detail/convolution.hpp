// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Definitions of convolution operators: their operands, output types and output shapes.
#pragma once

#include <baton/operators/detail/work_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/baton_operators.hpp>
#include <baton/operators/shared/window.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::definitions {

inline constexpr operand_definition convolution_operands[] = {{"input"}, {"filter"}, {"bias", operand_definition::presence::optional}};
inline constexpr operand_definition scaled_convolution_operands[] = {{"input"},
                                                                     {"filter"},
                                                                     {"bias", operand_definition::presence::optional},
                                                                     {"multipliers", operand_definition::presence::optional},
                                                                     {"shifts", operand_definition::presence::optional}};
inline constexpr operand_definition transposed_convolution_operands[] = {
    {"output_shape"}, {"filter"}, {"input"}, {"bias", operand_definition::presence::optional}};

/// Infers the output of a two-dimensional convolution with `channels` output channels. Height and width are dimensions 1 and 2, both of the
/// input and of the filter.
constexpr void infer_output_image(inference& node, std::int64_t channels) {
  const bool is_same = node.text("padding") == "same";
  const auto rows = window_size(is_same, node.size(0, 1), node.size(1, 1), node.integer("stride_h"), node.integer("dilation_h_factor", 1));
  const auto columns =
      window_size(is_same, node.size(0, 2), node.size(1, 2), node.integer("stride_w"), node.integer("dilation_w_factor", 1));
  node.set_output(0, node.type(0), {node.size(0, 0), rows, columns, channels});
}
/// Same as `infer_output_image`, but the attribute `pads` states the padding, and an omitted stride is 1.
constexpr void infer_output_image_with_pads(inference& node, std::int64_t channels) {
  const auto pads = image_pads::of(node.has("pads"), node.list("pads"));
  const auto along = [&](std::size_t dimension, std::int64_t padding, std::int64_t stride, std::int64_t dilation) {
    const auto size = node.size(0, dimension);
    return window_size(false, size < 0 || !pads.is_valid ? -1 : size + padding, node.size(1, dimension), stride, dilation);
  };
  node.set_output(0, node.type(0),
                  {node.size(0, 0), along(1, pads.top + pads.bottom, node.integer("stride_h", 1), node.integer("dilation_h_factor", 1)),
                   along(2, pads.left + pads.right, node.integer("stride_w", 1), node.integer("dilation_w_factor", 1)), channels});
}
/// Returns true if the input and the filter have four dimensions, and the number of filter channels divides the number of input channels.
/// If not, calls `fail` and returns false. If the filter has fewer channels than the input, the convolution is grouped
/// (`lite/kernels/conv.cc`).
constexpr auto require_channels(inference& node) -> bool {
  if (!node.require_rank(0, 4) || !node.require_rank(1, 4)) return false;
  const auto channels = node.size(0, 3);
  const auto each = node.size(1, 3);
  const bool fits = channels < 0 || each <= 0 || channels % each == 0;
  if (!fits) node.fail({"the filter's ", each, " channels do not divide the input's ", channels});
  return fits;
}
constexpr void infer_conv_2d(inference& node) {
  if (require_channels(node)) infer_output_image(node, node.size(1, 0));
}
constexpr void infer_padded_conv_2d(inference& node) {
  if (require_channels(node)) infer_output_image_with_pads(node, node.size(1, 0));
}
/// Infers the output as in `lite/kernels/depthwise_conv.cc` of TensorFlow Lite.
constexpr void infer_depthwise_conv_2d(inference& node) {
  if (node.require_rank(0, 4) && node.require_rank(1, 4)) infer_output_image(node, node.size(1, 3));
}
constexpr void infer_padded_depthwise_conv_2d(inference& node) {
  if (node.require_rank(0, 4) && node.require_rank(1, 4)) infer_output_image_with_pads(node, node.size(1, 3));
}
/// Infers the output as in `lite/kernels/conv3d.cc` of TensorFlow Lite.
constexpr void infer_conv_3d(inference& node) {
  if (!node.require_rank(0, 5)) return;
  if (!node.require_rank(1, 5)) return;
  const bool is_same = node.text("padding") == "same";
  const auto along = [&](std::size_t image, std::size_t filter, std::int64_t stride, std::int64_t dilation) {
    return window_size(is_same, node.size(0, image), node.size(1, filter), stride, dilation);
  };
  node.set_output(0, node.type(0),
                  {node.size(0, 0), along(1, 0, node.integer("stride_d"), node.integer("dilation_d_factor", 1)),
                   along(2, 1, node.integer("stride_h"), node.integer("dilation_h_factor", 1)),
                   along(3, 2, node.integer("stride_w"), node.integer("dilation_w_factor", 1)), node.size(1, 4)});
}
/// Sets the output shape to the sizes in operand 0, or sets only the output rank if these sizes are not constant
/// (`lite/kernels/{transpose_conv,conv3d_transpose}.cc`).
constexpr void infer_transposed(inference& node) {
  node.set_type(0, node.type(2));
  inferred_shape shape;
  const auto sizes = node.integers(0);
  for (std::size_t i = 0; i < node.rank(2); ++i) shape.add(i < sizes.count ? sizes[i] : -1);
  if (sizes.are_known && sizes.count != node.rank(2))
    return node.fail({"operand output_shape has ", sizes.count, " sizes, but the input has ", node.rank(2), " dimensions"});
  node.set_shape(0, shape);
}

/// Infers the output of PyTorch's convolution. The layout is channels-first, with an optional batch dimension. Omitted attributes have the
/// defaults of `torch.nn.functional`. The shape of a transposed convolution is not inferred.
constexpr void infer_convolution(inference& node) {
  const auto rank = node.rank(1);
  if (rank < 3 || (node.rank(0) != rank && node.rank(0) + 1 != rank))
    return node.fail({"the filter has ", rank, " dimensions, the input ", node.rank(0)});
  node.set_type(0, node.type(0));
  if (node.integer("transposed") != 0) return;
  const auto batches = node.rank(0) + 1 - rank;  // 1 or 0
  inferred_shape shape;
  if (batches != 0) shape.add(node.size(0, 0));
  shape.add(node.size(1, 0));
  const auto channels = node.size(0, batches), filter_channels = node.size(1, 1), groups = node.integer("groups", 1);
  if (channels >= 0 && filter_channels >= 0 && channels != filter_channels * groups)
    return node.fail({"the filter needs ", filter_channels * groups, " channels, the input has ", channels});
  for (std::size_t d = 2; d < rank; ++d) {
    const auto value_of = [&](span<const std::int64_t> list, std::int64_t absent) {  // a single number applies to all dimensions
      if (list.size() != rank - 2 && list.size() != 1) return list.empty() ? absent : std::int64_t{-1};
      const auto number = list[list.size() == 1 ? 0 : d - 2];
      return number > 0x7fffffff ? -1 : number;
    };
    const auto stride = value_of(node.list("stride"), 1), padding = value_of(node.list("padding"), 0),
               dilation = value_of(node.list("dilation"), 1);
    const auto size = node.size(0, d - 1 + batches), filter = node.size(1, d);
    const bool is_known = size >= 0 && filter > 0 && stride > 0 && padding >= 0 && dilation > 0;
    shape.add(is_known ? window_size(false, size + 2 * padding, filter, stride, dilation) : -1);
  }
  node.set_shape(0, shape);
}

/// Definitions of convolutions.
inline constexpr operator_definition convolution[] = {
    {.name = "tfl.conv_2d", .operands = convolution_operands, .infer = infer_conv_2d, .multiply_adds = work_rules::filter},
    {.name = "baton.conv_2d", .operands = scaled_convolution_operands, .infer = infer_padded_conv_2d, .multiply_adds = work_rules::filter},
    {.name = "baton.depthwise_conv_2d",
     .operands = scaled_convolution_operands,
     .infer = infer_padded_depthwise_conv_2d,
     .multiply_adds = work_rules::filters_in_last_dimension},
    {.name = "tfl.depthwise_conv_2d",
     .operands = convolution_operands,
     .infer = infer_depthwise_conv_2d,
     .multiply_adds = work_rules::filters_in_last_dimension},
    {.name = "tfl.conv_3d",
     .operands = convolution_operands,
     .infer = infer_conv_3d,
     .multiply_adds = work_rules::filters_in_last_dimension},
    {.name = "tfl.transpose_conv",
     .operands = transposed_convolution_operands,
     .infer = infer_transposed,
     .multiply_adds = work_rules::every_tap},
    {.name = "tfl.conv_3d_transpose",
     .operands = transposed_convolution_operands,
     .infer = infer_transposed,
     .multiply_adds = work_rules::every_tap},
    {.name = "aten.convolution.default", .operands = convolution_operands, .infer = infer_convolution, .multiply_adds = work_rules::filter},
};

}  // namespace baton::definitions

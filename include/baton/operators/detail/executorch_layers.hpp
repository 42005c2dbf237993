// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ExecuTorch's layers, matrix products, normalizations, reductions and image resizing.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/detail/executorch_rules.hpp>
#include <baton/operators/detail/product.hpp>
#include <baton/operators/detail/work_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/window.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::executorch::definitions {

using baton::definitions::infer_addmm;
using baton::definitions::infer_bmm;
using baton::definitions::infer_linear;
using baton::definitions::infer_mm;

inline constexpr operand_definition convolution_operands[] = {{"input"}, {"weight"}, {"bias", optional}};
inline constexpr operand_definition linear_operands[] = {{"input"}, {"weight"}, {"bias", optional}};
inline constexpr operand_definition addmm_operands[] = {{"self"}, {"mat1"}, {"mat2"}};
inline constexpr operand_definition layer_norm_operands[] = {{"input"}, {"weight", optional}, {"bias", optional}};
inline constexpr operand_definition batch_norm_operands[] = {
    {"input"}, {"weight", optional}, {"bias", optional}, {"running_mean"}, {"running_var"}};

/// The windows of a convolution or of a pool: lists of strides, paddings and dilations. A padding applies to both sides of its dimension.
struct windows {
  span<const std::int64_t> strides;
  span<const std::int64_t> paddings;
  span<const std::int64_t> dilations;
  bool is_ceil = false;  ///< true if the number of windows is rounded up

  /// Returns the number of windows of `filter` elements along spatial dimension `d`, which has `size` elements. In a two-dimensional image,
  /// spatial dimension 0 is the height.
  constexpr auto along(std::size_t d, std::int64_t size, std::int64_t filter) const -> std::int64_t {
    const auto padding = number_of(paddings, d, 0);
    return pooled_size(size, padding, padding, filter, number_of(strides, d, 1), number_of(dilations, d, 1), is_ceil);
  }
};

/// Infers the output of a convolution. Arguments 3 to 8 are stride, padding, dilation, whether the convolution is transposed, output
/// padding, and groups. The shape of a transposed convolution is not inferred.
constexpr void infer_convolution(inference& node) {
  node.set_type(0, node.type(0));
  const ordered_tensors tensors(node);
  const auto image = tensors.shape(0), weights = tensors.shape(1);
  if (!image.has_rank || !weights.has_rank || node.integer("arg_6") != 0) return;
  if (image.rank < 3 || image.rank != weights.rank)
    return node.fail({"the weights have ", weights.rank, " dimensions, the input ", image.rank});
  const auto channels = image.sizes[1], each = weights.sizes[1], groups = node.integer("arg_8", 1);
  if (channels >= 0 && each >= 0 && channels != each * groups)
    return node.fail({"the weights need ", each * groups, " channels, the input has ", channels});
  const windows window{node.list("arg_3"), node.list("arg_4"), node.list("arg_5")};
  inferred_shape shape{image.sizes[0], weights.sizes[0]};
  for (std::size_t d = 0; d + 2 < image.rank; ++d) shape.add(window.along(d, image.sizes[d + 2], weights.sizes[d + 2]));
  tensors.set_output_shape(shape);
}
/// Sets the shape of output 0 of a pool. Arguments 1 to 3 are the window size, the stride and the padding. An omitted stride is the window
/// size. The channels are the last dimension of an image if `is_nhwc` is set, otherwise the dimension before height and width.
constexpr void set_pool_shape(inference& node, span<const std::int64_t> dilations, bool is_ceil, bool is_nhwc = false) {
  const ordered_tensors tensors(node);
  auto shape = tensors.shape(0);
  if (!shape.has_rank || shape.rank < 3) return;
  const auto sizes = node.list("arg_1"), strides = node.list("arg_2");
  const windows window{strides.empty() ? sizes : strides, node.list("arg_3"), dilations, is_ceil};
  auto* const sides = shape.sizes.data() + shape.rank - (is_nhwc ? 3 : 2);
  for (std::size_t d = 0; d < 2; ++d) sides[d] = window.along(d, sides[d], number_of(sizes, d, -1));
  tensors.set_output_shape(shape);
}
constexpr void infer_average_pool(inference& node) {
  node.set_type(0, node.type(0));
  return set_pool_shape(node, {}, node.integer("arg_4") != 0);
}
/// Infers the outputs of a maximum pool. Output 0 has the largest elements. Output 1 has the positions of these elements; only the type of
/// output 1 is inferred.
constexpr void infer_max_pool(inference& node) {
  node.set_type(0, node.type(0));
  node.set_type(1, dtype::int64);
  return set_pool_shape(node, node.list("arg_4"), node.integer("arg_5") != 0);
}
/// Sets the shape of output 0 to the shape of operand 0 reduced along `axes`, or along all dimensions if the list is empty. The reduced
/// dimensions are removed, or have the size 1 if `are_kept` is set.
constexpr void set_reduction(inference& node, span<const std::int64_t> axes, bool are_kept) {
  const ordered_tensors tensors(node);
  const auto from = tensors.shape(0);
  if (!from.has_rank) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < from.rank; ++d) {
    bool is_reduced = axes.empty();
    for (const auto axis : axes) is_reduced = is_reduced || inference::dimension(axis, from.rank) == d;
    if (!is_reduced) shape.add(from.sizes[d]);
    if (is_reduced && are_kept) shape.add(1);
  }
  tensors.set_output_shape(shape);
}
/// Sets the shape of output 0 to the shape of operand 0 reduced along the dimension in argument 1. If the argument is omitted, all
/// dimensions are reduced. Argument 2 states whether the dimension is kept with size 1.
constexpr void set_reduction_of_one(inference& node) {
  const std::int64_t axes[] = {node.integer("arg_1")};
  if (node.has("arg_1")) node.require_dimension(axes[0], node.rank(0) == 0 ? 1 : node.rank(0));
  return set_reduction(node, node.has("arg_1") ? span<const std::int64_t>{axes} : span<const std::int64_t>{}, node.integer("arg_2") != 0);
}
/// Infers the output of a reduction. Argument 1 lists the dimensions to reduce. Argument 2 states whether these dimensions are kept with
/// size 1.
constexpr void infer_reduction(inference& node) {
  node.set_type(0, node.type(0));
  return set_reduction(node, node.list("arg_1"), node.integer("arg_2") != 0);
}
constexpr void infer_product(inference& node) {
  node.set_type(0, node.type(0));
  return set_reduction_of_one(node);
}
constexpr void infer_reduction_of_all(inference& node) {
  node.set_type(0, node.type(0));
  node.set_shape(0, inferred_shape{});
}
constexpr void infer_boolean_of_all(inference& node) { node.set_output(0, dtype::boolean, inferred_shape{}); }
constexpr void infer_boolean_along(inference& node) {
  node.set_type(0, dtype::boolean);
  return set_reduction(node, node.list("arg_1"), node.integer("arg_2") != 0);
}
/// Infers the output of a variance operator. Arguments 1 to 3 are the dimensions, the correction, and whether the dimensions are kept with
/// size 1.
constexpr void infer_variance(inference& node) {
  node.set_type(0, node.type(0));
  return set_reduction(node, node.list("arg_1"), node.integer("arg_3") != 0);
}
/// Infers an image whose last `Dimensions` dimensions have the sizes in argument 1. A single number is the size of each of these
/// dimensions. If the argument is absent, the sizes are unknown.
template <std::size_t Dimensions = 2>
constexpr void infer_resized_image(inference& node) {
  node.set_type(0, node.type(0));
  const ordered_tensors tensors(node);
  auto shape = tensors.shape(0);
  const auto sizes = node.list("arg_1");
  if (!shape.has_rank || shape.rank < Dimensions + 1) return;
  for (std::size_t d = 0; d < Dimensions; ++d) shape.sizes[shape.rank - Dimensions + d] = number_of(sizes, d, -1);
  tensors.set_output_shape(shape);
}
/// Infers an image whose height and width are multiplied by the factor in argument 1. The number of channels is divided by the square of
/// the factor.
constexpr void infer_pixel_shuffle(inference& node) {
  node.set_type(0, node.type(0));
  const ordered_tensors tensors(node);
  auto shape = tensors.shape(0);
  const auto factor = node.integer("arg_1");
  constexpr std::int64_t max_factor = 1 << 15;
  if (!shape.has_rank || shape.rank < 3 || factor <= 0 || factor > max_factor) return;
  for (std::size_t d = 1; d <= 3; ++d) {
    auto& size = shape.sizes[shape.rank - d];
    if (size >= 0) size = d == 3 ? size / (factor * factor) : size > known_sizes::max / factor ? -1 : size * factor;
  }
  tensors.set_output_shape(shape);
}
constexpr void infer_boolean_of_one(inference& node) {
  node.set_type(0, dtype::boolean);
  return set_reduction_of_one(node);
}

/// Definitions of layers, matrix products, normalizations, reductions and image resizing.
inline constexpr operator_definition layers[] = {
    {.name = "aten.convolution.out",
     .operands = convolution_operands,
     .is_functional = true,
     .infer = infer_convolution,
     .multiply_adds = work_rules::filter},
    {.name = "aten.linear.out",
     .operands = linear_operands,
     .is_functional = true,
     .infer = infer_linear,
     .multiply_adds = work_rules::filter},
    {.name = "aten.mm.out", .operands = two_operands, .is_functional = true, .infer = infer_mm, .multiply_adds = work_rules::inner},
    {.name = "aten.bmm.out", .operands = two_operands, .is_functional = true, .infer = infer_bmm, .multiply_adds = work_rules::inner},
    {.name = "aten.addmm.out",
     .operands = addmm_operands,
     .is_functional = true,
     .infer = infer_addmm,
     .multiply_adds = work_rules::inner_of_1},
    {.name = "aten.avg_pool2d.out", .operands = one_operand, .is_functional = true, .infer = infer_average_pool},
    {.name = "aten.max_pool2d_with_indices.out", .operands = one_operand, .is_functional = true, .infer = infer_max_pool},
    {.name = "aten.native_layer_norm.out", .operands = layer_norm_operands, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten._native_batch_norm_legit_no_training.out",
     .operands = batch_norm_operands,
     .is_functional = true,
     .infer = infer_same_type_and_shape},
    {.name = "aten.mean.out", .operands = one_operand, .is_functional = true, .infer = infer_reduction},
    {.name = "aten.sum.IntList_out", .operands = one_operand, .is_functional = true, .infer = infer_reduction},
    {.name = "aten.amax.out", .operands = one_operand, .is_functional = true, .infer = infer_reduction},
    {.name = "aten.amin.out", .operands = one_operand, .is_functional = true, .infer = infer_reduction},
    {.name = "aten.any.out", .operands = one_operand, .is_functional = true, .infer = infer_boolean_of_one},
    {.name = "aten.any.dims_out", .operands = one_operand, .is_functional = true, .infer = infer_boolean_along},
    {.name = "aten.any.all_out", .operands = one_operand, .is_functional = true, .infer = infer_boolean_of_all},
    {.name = "aten.mean.dtype_out", .operands = one_operand, .is_functional = true, .infer = infer_reduction_of_all},
    {.name = "aten.prod.out", .operands = one_operand, .is_functional = true, .infer = infer_reduction_of_all},
    {.name = "aten.prod.int_out", .operands = one_operand, .is_functional = true, .infer = infer_product},
    {.name = "aten.max.unary_out", .operands = one_operand, .is_functional = true, .infer = infer_reduction_of_all},
    {.name = "aten.min.unary_out", .operands = one_operand, .is_functional = true, .infer = infer_reduction_of_all},
    {.name = "aten.var.correction_out", .operands = one_operand, .is_functional = true, .infer = infer_variance},
    {.name = "aten.var.out", .operands = one_operand, .is_functional = true, .infer = infer_variance},
    {.name = "aten.native_group_norm.out", .operands = layer_norm_operands, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.upsample_nearest2d.vec_out", .operands = one_operand, .is_functional = true, .infer = infer_resized_image<>},
    {.name = "aten.upsample_bilinear2d.vec_out", .operands = one_operand, .is_functional = true, .infer = infer_resized_image<>},
    {.name = "aten._adaptive_avg_pool2d.out", .operands = one_operand, .is_functional = true, .infer = infer_resized_image<>},
    {.name = "aten.pixel_shuffle.out", .operands = one_operand, .is_functional = true, .infer = infer_pixel_shuffle},
};

}  // namespace baton::executorch::definitions

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ExecuTorch's layers, matrix products, normalizations and reductions.
#pragma once

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
using baton::definitions::infer_mm;

inline constexpr operand_definition convolution_operands[] = {{"input"}, {"weight"}, {"bias", optional}};
inline constexpr operand_definition linear_operands[] = {{"input"}, {"weight"}, {"bias", optional}};
inline constexpr operand_definition addmm_operands[] = {{"self"}, {"mat1"}, {"mat2"}};
inline constexpr operand_definition layer_norm_operands[] = {{"input"}, {"weight", optional}, {"bias", optional}};
inline constexpr operand_definition batch_norm_operands[] = {
    {"input"}, {"weight", optional}, {"bias", optional}, {"running_mean"}, {"running_var"}};

/// Arguments 3 to 8: stride, padding, dilation, whether it is transposed, output padding, groups.
constexpr void infer_convolution(inference& at) {
  at.give_type(0, at.type(0));
  const ordered_tensors tensors(at);
  const auto image = tensors.shape(0), weights = tensors.shape(1);
  if (!image.has_rank || !weights.has_rank || at.integer("arg_6") != 0) return;
  if (image.rank < 3 || image.rank != weights.rank)
    return at.misfit({"the weights have ", weights.rank, " dimensions, the input ", image.rank});
  const auto channels = image.sizes[1], each = weights.sizes[1], groups = at.integer("arg_8", 1);
  if (channels >= 0 && each >= 0 && channels != each * groups)
    return at.misfit({"the weights need ", each * groups, " channels, the input has ", channels});
  inferred_shape shape{image.sizes[0], weights.sizes[0]};
  for (std::size_t d = 0; d + 2 < image.rank; ++d) {
    const auto padding = number_of(at.list("arg_4"), d, 0), size = image.sizes[d + 2];
    shape.add(window_size(false, size < 0 || padding < 0 ? -1 : size + 2 * padding, weights.sizes[d + 2], number_of(at.list("arg_3"), d, 1),
                          number_of(at.list("arg_5"), d, 1)));
  }
  tensors.give(shape);
}
/// Arguments 1 to 3: size, stride (by default the size), padding. The sizes are rounded up if the argument `ceil` is not 0.
constexpr void give_pool(inference& at, literal_name dilation, literal_name ceil) {
  const ordered_tensors tensors(at);
  const auto image = tensors.shape(0);
  if (!image.has_rank || image.rank < 3) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < image.rank; ++d) {
    if (d + 2 < image.rank) {
      shape.add(image.sizes[d]);
      continue;
    }
    const auto side = d + 2 - image.rank;
    const auto size = number_of(at.list("arg_1"), side, -1), padding = number_of(at.list("arg_3"), side, 0);
    shape.add(pooled_size(image.sizes[d], padding, padding, size, number_of(at.list("arg_2"), side, size),
                          number_of(at.list(dilation), side, 1), at.integer(ceil) != 0));
  }
  tensors.give(shape);
}
constexpr void infer_average_pool(inference& at) {
  at.give_type(0, at.type(0));
  return give_pool(at, "no_dilation", "arg_4");
}
/// The outputs are the largest elements and their positions.
constexpr void infer_max_pool(inference& at) {
  at.give_type(0, at.type(0));
  at.give_type(1, dtype::int64);
  return give_pool(at, "arg_4", "arg_5");
}
constexpr void infer_linear(inference& at) {
  at.give_type(0, at.type(0));
  if (at.rank(0) == 0 || at.rank(1) != 2) return;
  inferred_shape shape;
  for (std::size_t d = 0; d + 1 < at.rank(0); ++d) shape.add(at.size(0, d));
  shape.add(at.size(1, 0));
  at.give_shape(0, shape);
}
/// Arguments 1 and 2: the dimensions, all if there are none, and whether they are kept.
constexpr void give_reduction(inference& at) {
  const ordered_tensors tensors(at);
  const auto from = tensors.shape(0);
  const auto axes = at.list("arg_1");
  if (!from.has_rank) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < from.rank; ++d) {
    bool is_reduced = axes.empty();
    for (const auto axis : axes) is_reduced = is_reduced || inference::dimension(axis, from.rank) == d;
    if (!is_reduced) shape.add(from.sizes[d]);
    if (is_reduced && at.integer("arg_2") != 0) shape.add(1);
  }
  tensors.give(shape);
}
constexpr void infer_reduction(inference& at) {
  at.give_type(0, at.type(0));
  return give_reduction(at);
}
/// Argument 1 is one dimension.
constexpr void infer_any(inference& at) {
  at.give_type(0, dtype::boolean);
  const ordered_tensors tensors(at);
  const auto from = tensors.shape(0);
  if (!from.has_rank) return;
  const auto axis = inference::dimension(at.integer("arg_1"), from.rank);
  inferred_shape shape;
  for (std::size_t d = 0; d < from.rank; ++d) {
    if (d != axis) shape.add(from.sizes[d]);
    if (d == axis && at.integer("arg_2") != 0) shape.add(1);
  }
  tensors.give(shape);
}

/// Definitions of layers, matrix products, normalizations and reductions.
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
    {.name = "aten.native_layer_norm.out", .operands = layer_norm_operands, .is_functional = true, .infer = infer_alike},
    {.name = "aten._native_batch_norm_legit_no_training.out", .operands = batch_norm_operands, .is_functional = true, .infer = infer_alike},
    {.name = "aten.mean.out", .operands = one_operand, .is_functional = true, .infer = infer_reduction},
    {.name = "aten.sum.IntList_out", .operands = one_operand, .is_functional = true, .infer = infer_reduction},
    {.name = "aten.amax.out", .operands = one_operand, .is_functional = true, .infer = infer_reduction},
    {.name = "aten.amin.out", .operands = one_operand, .is_functional = true, .infer = infer_reduction},
    {.name = "aten.any.out", .operands = one_operand, .is_functional = true, .infer = infer_any},
};

}  // namespace baton::executorch::definitions

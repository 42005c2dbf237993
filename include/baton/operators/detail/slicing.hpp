// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that extract elements of a tensor, or write elements to given positions.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/strided_axis.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace baton::definitions {

inline constexpr operand_definition selected_operands[] = {{"input"}};
inline constexpr operand_definition slice_operands[] = {{"input"}, {"begin"}, {"size"}};
inline constexpr operand_definition strided_slice_operands[] = {{"input"}, {"begin"}, {"end"}, {"strides"}};
inline constexpr operand_definition gather_operands[] = {{"input"}, {"positions"}};
inline constexpr operand_definition scatter_operands[] = {{"positions"}, {"updates"}, {"shape"}};
inline constexpr operand_definition topk_operands[] = {{"input"}, {"k"}};
inline constexpr operand_definition lookup_operands[] = {{"positions"}, {"table"}};

/// Infers the output of PyTorch's `select`, which removes the selected dimension.
constexpr void infer_select_along(inference& node) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(0);
  const auto axis = node.require_dimension(node.integer("dim"), rank);
  if (axis == rank) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    if (d != axis) shape.add(node.size(0, d));
  }
  node.set_shape(0, shape);
}
/// Infers the output of a slice (`lite/kernels/slice.cc`). A size of -1 selects all elements from `begin` to the end of the dimension.
constexpr void infer_slice(inference& node) {
  node.set_type(0, node.type(0));
  const auto begin = node.integers(1);
  const auto size = node.integers(2);
  const auto rank = node.rank(0);
  if ((begin.are_known && begin.count != rank) || (size.are_known && size.count != rank))
    return node.fail({"a dimension has no begin or size"});
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    auto count = size.are_known ? size[d] : -1;
    const auto whole = node.size(0, d);
    if (size.are_known && count < 0 && begin.are_known && whole >= 0) count = whole - begin[d];
    if (begin.are_known && whole >= 0 && (begin[d] < 0 || begin[d] + std::max<std::int64_t>(count, 0) > whole)) {
      return node.fail({"the slice is out of range in dimension ", d});
    }
    shape.add(count);
  }
  node.set_shape(0, shape);
}

/// Infers the output of a strided slice (`lite/kernels/strided_slice.cc`). Dimensions that have no entry in `begin`, `end` and `strides`
/// are not sliced. The shape is not inferred if the slice has new dimensions or an ellipsis, or if the attribute `offset` makes `end`
/// relative to `begin`.
constexpr void infer_strided_slice(inference& node) {
  node.set_type(0, node.type(0));
  if (node.integer("ellipsis_mask") != 0 || node.integer("new_axis_mask") != 0 || node.integer("offset") != 0) return;
  const auto begin = node.integers(1);
  const auto end = node.integers(2);
  const auto strides = node.integers(3);
  const auto rank = node.rank(0);
  if (node.rank(1) != 1 || rank > tensor_type::max_rank) return;
  const auto sliced_count = node.size(1, 0);
  if (sliced_count < 0) return;
  if (sliced_count > static_cast<std::int64_t>(rank)) return node.fail({"the slice has ", sliced_count, " dimensions, the input ", rank});
  for (const auto& list : {begin, end, strides}) {
    if (list.are_known && static_cast<std::int64_t>(list.count) != sliced_count)
      return node.fail({"begin, end and strides have different lengths"});
  }
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    const auto whole = node.size(0, d);
    const auto bit = std::int64_t{1} << d;
    if (static_cast<std::int64_t>(d) >= sliced_count) {
      shape.add(whole);
      continue;
    }
    if ((node.integer("shrink_axis_mask") & bit) != 0) continue;
    const bool is_from_start = (node.integer("begin_mask") & bit) != 0;
    const bool is_to_end = (node.integer("end_mask") & bit) != 0;
    const bool is_known = whole >= 0 && strides.are_known && (begin.are_known || is_from_start) && (end.are_known || is_to_end);
    if (!is_known) {
      shape.add(-1);
      continue;
    }
    const auto stride = strides[d];
    if (stride == 0) return node.fail({"the stride of dimension ", d, " is 0"});
    const auto first = is_from_start ? strided_axis::from_start(stride) : begin[d];
    const auto last = is_to_end ? strided_axis::to_end(stride) : end[d];
    shape.add(strided_axis{whole, first, last, stride}.count());
  }
  node.set_shape(0, shape);
}
/// Infers the output of a gather along one axis (`lite/kernels/gather.cc`). The dimensions of the positions, except the batch dimensions,
/// replace the axis.
constexpr void infer_gather(inference& node) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(0);
  const auto axis = node.require_dimension(node.integer("axis"), rank);
  if (axis == rank) return;
  const auto count = node.integer("batch_dims");
  // A negative `count` is relative to the rank of the positions: -1 means all dimensions but the last.
  const auto batches = inference::dimension(count < 0 ? count - 1 : count, node.rank(1) + 1);
  if (batches > axis || batches > node.rank(1)) return node.fail({"batch_dims ", count, " is out of range"});
  inferred_shape shape(node.shape(0).first(axis));
  for (auto d = batches; d < node.rank(1); ++d) shape.add(node.size(1, d));
  for (auto d = axis + 1; d < rank; ++d) shape.add(node.size(0, d));
  node.set_shape(0, shape);
}
/// Infers gathered elements (`lite/kernels/gather_nd.cc`). The size of the last dimension of `positions` is the number of indexed
/// dimensions of the input.
constexpr void infer_gather_nd(inference& node) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(1);
  if (rank == 0) return node.fail({"the positions have no dimension"});
  const auto indexed = node.size(1, rank - 1);
  if (indexed < 0) return;
  if (indexed > static_cast<std::int64_t>(node.rank(0)))
    return node.fail({"each position has ", indexed, " indices, but the tensor has ", node.rank(0), " dimensions"});
  inferred_shape shape(node.shape(1).first(rank - 1));
  for (auto d = static_cast<std::size_t>(indexed); d < node.rank(0); ++d) shape.add(node.size(0, d));
  node.set_shape(0, shape);
}
/// Sets the output shape to the elements of operand 2 (`lite/kernels/scatter_nd.cc`). The size of the last dimension of `positions` is the
/// number of indexed dimensions of the output.
constexpr void infer_scatter_nd(inference& node) {
  node.set_type(0, node.type(1));
  const auto rank = node.rank(0);
  if (rank == 0) return node.fail({"the positions have no dimension"});
  const auto sizes = node.integers(2);
  if (!sizes.are_known) return;
  const auto indexed = node.size(0, rank - 1);
  const auto dimensions = static_cast<std::int64_t>(sizes.count);
  if (indexed > dimensions) return node.fail({"each position has ", indexed, " indices, but the tensor has ", dimensions, " dimensions"});
  inferred_shape shape;
  for (std::size_t d = 0; d < sizes.count && shape.has_rank; ++d) shape.add(sizes[d]);
  node.set_shape(0, shape);
}
/// Infers the `k` largest elements along the last dimension, and their positions (`lite/kernels/topk_v2.cc`).
constexpr void infer_topk(inference& node) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(0);
  if (rank == 0) return node.fail({"the input has no dimension"});
  const auto k = node.integers(1);
  inferred_shape shape(node.shape(0).first(rank - 1));
  shape.add(k.count == 0 ? -1 : k[0]);
  node.set_shape(0, shape);
  node.set_shape(1, shape);
}
/// Infers slices of a table along dimension 0, one per position (`lite/kernels/embedding_lookup.cc`).
constexpr void infer_lookup(inference& node) {
  if (!node.require_rank(0, 1)) return;
  if (node.rank(1) < 2) return node.fail({"the table has fewer than two dimensions"});
  if (node.type(1) == dtype::float32) node.set_type(0, dtype::float32);
  inferred_shape shape{node.size(0, 0)};
  for (std::size_t d = 1; d < node.rank(1); ++d) shape.add(node.size(1, d));
  node.set_shape(0, shape);
}

/// Definitions of operators that extract elements of a tensor, or write elements to given positions.
inline constexpr operator_definition slicing[] = {
    {.name = "aten.select_copy.int", .operands = selected_operands, .infer = infer_select_along},
    {.name = "tfl.slice", .operands = slice_operands, .infer = infer_slice},
    {.name = "tfl.strided_slice", .operands = strided_slice_operands, .infer = infer_strided_slice},
    {.name = "tfl.gather", .operands = gather_operands, .infer = infer_gather},
    {.name = "tfl.gather_nd", .operands = gather_operands, .infer = infer_gather_nd},
    {.name = "tfl.scatter_nd", .operands = scatter_operands, .infer = infer_scatter_nd},
    {.name = "tfl.topk_v2", .operands = topk_operands, .infer = infer_topk},
    {.name = "tfl.embedding_lookup", .operands = lookup_operands, .infer = infer_lookup},
};

}  // namespace baton::definitions

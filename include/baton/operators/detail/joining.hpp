// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that join or split tensors.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::definitions {

inline constexpr operand_definition joined_operands[] = {{"inputs", operand_definition::presence::repeated}};
inline constexpr operand_definition divided_operands[] = {{"input"}};
inline constexpr operand_definition split_operands[] = {{"axis"}, {"input"}};
inline constexpr operand_definition split_v_operands[] = {{"input"}, {"sizes"}, {"axis"}};

/// Infers the concatenation of operands `first`, `first + step` and so on along the axis `along`. All other dimensions of the operands must
/// be equal.
constexpr void infer_joined(inference& node, std::int64_t along, std::size_t first = 0, std::size_t step = 1) {
  node.set_type(0, node.type(first));
  const auto rank = node.rank(first);
  const auto axis = node.require_dimension(along, rank);
  if (axis == rank) return;
  inferred_shape shape(node.shape(first));
  if (!shape.has_rank) return;
  shape.sizes[axis] = node.size(first, axis);  // at most `known_sizes::max`, so that the sum does not overflow
  for (auto i = first + step; i < node.operand_count(); i += step) {
    if (!node.has(i)) return node.fail({"operand ", i, " is missing"});
    if (node.rank(i) != rank || node.type(i) != node.type(first))
      return node.fail({"operand ", i, " differs from the first in type or rank"});
    for (std::size_t d = 0; d < rank; ++d) {
      const auto size = node.size(i, d);
      auto& whole = shape.sizes[d];
      if (d == axis) {
        whole = whole < 0 || size < 0 ? -1 : std::min(whole + size, 2 * known_sizes::max);
      } else if (whole < 0) {
        whole = size;
      } else if (size >= 0 && size != whole) {
        return node.fail({"dimension ", d, " of operand ", i, " is ", size, ", but in earlier operands ", whole});
      }
    }
  }
  node.set_shape(0, shape);
}

/// Infers the output as in `lite/kernels/concatenation.cc` of TensorFlow Lite.
constexpr void infer_concatenation(inference& node) { return infer_joined(node, node.integer("axis")); }
/// Infers the output of PyTorch's `cat`.
constexpr void infer_cat(inference& node) { return infer_joined(node, node.integer("dim")); }
/// Infers the outputs of PyTorch's `split`, except for the sizes along the split dimension.
constexpr void infer_split_along(inference& node) {
  const auto rank = node.rank(0);
  const auto axis = node.require_dimension(node.integer("dim"), rank);
  if (axis == rank) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) shape.add(d == axis ? -1 : node.size(0, d));
  for (std::size_t o = 0; o < node.output_count(); ++o) node.set_output(o, node.type(0), shape);
}
/// Infers the output as in `lite/kernels/pack.cc` of TensorFlow Lite.
constexpr void infer_pack(inference& node) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(0) + 1;
  const auto axis = node.require_dimension(node.integer("axis"), rank);
  if (axis == rank) return;
  for (std::size_t i = 1; i < node.operand_count(); ++i) {
    if (node.rank(i) + 1 != rank || node.type(i) != node.type(0))
      return node.fail({"operand ", i, " differs from the first in type or rank"});
  }
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    shape.add(d == axis ? static_cast<std::int64_t>(node.operand_count()) : node.size(0, d < axis ? d : d - 1));
  }
  node.set_shape(0, shape);
}
/// Infers the output as in `lite/kernels/unpack.cc` of TensorFlow Lite.
constexpr void infer_unpack(inference& node) {
  const auto rank = node.rank(0);
  const auto axis = node.require_dimension(node.integer("axis"), rank);
  if (axis == rank) return;
  const auto count = static_cast<std::int64_t>(node.output_count());
  if (node.size(0, axis) >= 0 && node.size(0, axis) != count)
    return node.fail({"the node has ", count, " outputs, but dimension ", axis, " has ", node.size(0, axis), " elements"});
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    if (d != axis) shape.add(node.size(0, d));
  }
  for (std::size_t o = 0; o < node.output_count(); ++o) node.set_output(o, node.type(0), shape);
}
/// Infers the output as in `lite/kernels/split.cc` of TensorFlow Lite.
constexpr void infer_split(inference& node) {
  for (std::size_t o = 0; o < node.output_count(); ++o) node.set_type(o, node.type(1));
  const auto axes = node.integers(0);
  inferred_shape shape(node.shape(1));
  if (axes.count == 0 || !shape.has_rank || node.output_count() == 0) return;
  const auto axis = node.require_dimension(axes[0], shape.rank);
  if (axis == shape.rank) return;
  const auto count = static_cast<std::int64_t>(node.output_count());
  const auto size = node.size(1, axis);
  if (size >= 0 && size % count != 0) return node.fail({size, " slices cannot be split into ", count, " equal outputs"});
  shape.sizes[axis] = size < 0 ? -1 : size / count;
  for (std::size_t o = 0; o < node.output_count(); ++o) node.set_shape(o, shape);
}
/// Infers outputs with the sizes in operand 1; an output with size -1 has the remaining elements (`lite/kernels/split_v.cc`).
constexpr void infer_split_v(inference& node) {
  for (std::size_t o = 0; o < node.output_count(); ++o) node.set_type(o, node.type(0));
  const auto sizes = node.integers(1);
  const auto axes = node.integers(2);
  inferred_shape shape(node.shape(0));
  if (axes.count == 0 || !shape.has_rank) return;
  const auto axis = node.require_dimension(axes[0], shape.rank);
  if (axis == shape.rank) return;
  if (sizes.are_known && sizes.count != node.output_count())
    return node.fail({sizes.count, " sizes for ", node.output_count(), " outputs"});
  std::int64_t remainder = node.size(0, axis);
  for (std::size_t i = 0; i < sizes.count && remainder >= 0; ++i) remainder -= std::max<std::int64_t>(sizes[i], 0);
  if (node.size(0, axis) >= 0 && remainder < 0) return node.fail({"the outputs need more than the ", node.size(0, axis), " slices"});
  for (std::size_t o = 0; o < node.output_count(); ++o) {
    shape.sizes[axis] = -1;
    if (sizes.are_known) shape.sizes[axis] = sizes[o] >= 0 ? sizes[o] : remainder;
    node.set_shape(o, shape);
  }
}

/// Definitions of operators that join or split tensors.
inline constexpr operator_definition joining[] = {
    {.name = "aten.cat.default", .operands = joined_operands, .infer = infer_cat},
    {.name = "aten.split.Tensor", .operands = divided_operands, .infer = infer_split_along},
    {.name = "tfl.concatenation", .operands = joined_operands, .infer = infer_concatenation},
    {.name = "tfl.pack", .operands = joined_operands, .infer = infer_pack},
    {.name = "tfl.unpack", .operands = divided_operands, .infer = infer_unpack},
    {.name = "tfl.split", .operands = split_operands, .infer = infer_split},
    {.name = "tfl.split_v", .operands = split_v_operands, .infer = infer_split_v},
};

}  // namespace baton::definitions

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
inline constexpr operand_definition parted_operands[] = {{"input"}};
inline constexpr operand_definition split_operands[] = {{"axis"}, {"input"}};
inline constexpr operand_definition split_v_operands[] = {{"input"}, {"sizes"}, {"axis"}};

/// Concatenation of operands `first`, `first + step` and so on along the axis `along`. All other dimensions of the operands must be equal.
constexpr void infer_joined(inference& at, std::int64_t along, std::size_t first = 0, std::size_t step = 1) {
  at.give_type(0, at.type(first));
  const auto rank = at.rank(first);
  const auto axis = at.needs_dimension(along, rank);
  if (axis == rank) return;
  inferred_shape shape(at.shape(first));
  if (!shape.has_rank) return;
  shape.sizes[axis] = at.size(first, axis);  // at most `known_sizes::max`, so that the sum does not overflow
  for (auto i = first + step; i < at.operand_count(); i += step) {
    if (!at.has(i)) return at.misfit({"operand ", i, " is missing"});
    if (at.rank(i) != rank || at.type(i) != at.type(first)) return at.misfit({"operand ", i, " differs from the first in type or rank"});
    for (std::size_t d = 0; d < rank; ++d) {
      const auto size = at.size(i, d);
      auto& whole = shape.sizes[d];
      if (d == axis) {
        whole = whole < 0 || size < 0 ? -1 : std::min(whole + size, 2 * known_sizes::max);
      } else if (whole < 0) {
        whole = size;
      } else if (size >= 0 && size != whole) {
        return at.misfit({"dimension ", d, " of operand ", i, " is ", size, ", but in earlier operands ", whole});
      }
    }
  }
  at.give_shape(0, shape);
}

/// `lite/kernels/concatenation.cc`
constexpr void infer_concatenation(inference& at) { return infer_joined(at, at.integer("axis")); }
/// PyTorch's `cat`
constexpr void infer_cat(inference& at) { return infer_joined(at, at.integer("dim")); }
/// PyTorch's `split`: the sizes along the split dimension are not inferred.
constexpr void infer_split_along(inference& at) {
  const auto rank = at.rank(0);
  const auto axis = at.needs_dimension(at.integer("dim"), rank);
  if (axis == rank) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) shape.add(d == axis ? -1 : at.size(0, d));
  for (std::size_t o = 0; o < at.output_count(); ++o) at.give(o, at.type(0), shape);
}
/// `lite/kernels/pack.cc`
constexpr void infer_pack(inference& at) {
  at.give_type(0, at.type(0));
  const auto rank = at.rank(0) + 1;
  const auto axis = at.needs_dimension(at.integer("axis"), rank);
  if (axis == rank) return;
  for (std::size_t i = 1; i < at.operand_count(); ++i) {
    if (at.rank(i) + 1 != rank || at.type(i) != at.type(0)) return at.misfit({"operand ", i, " differs from the first in type or rank"});
  }
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    shape.add(d == axis ? static_cast<std::int64_t>(at.operand_count()) : at.size(0, d < axis ? d : d - 1));
  }
  at.give_shape(0, shape);
}
/// `lite/kernels/unpack.cc`
constexpr void infer_unpack(inference& at) {
  const auto rank = at.rank(0);
  const auto axis = at.needs_dimension(at.integer("axis"), rank);
  if (axis == rank) return;
  const auto count = static_cast<std::int64_t>(at.output_count());
  if (at.size(0, axis) >= 0 && at.size(0, axis) != count) return at.misfit({count, " outputs for ", at.size(0, axis), " slices"});
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    if (d != axis) shape.add(at.size(0, d));
  }
  for (std::size_t o = 0; o < at.output_count(); ++o) at.give(o, at.type(0), shape);
}
/// `lite/kernels/split.cc`
constexpr void infer_split(inference& at) {
  for (std::size_t o = 0; o < at.output_count(); ++o) at.give_type(o, at.type(1));
  const auto axes = at.integers(0);
  inferred_shape shape(at.shape(1));
  if (axes.count == 0 || !shape.has_rank || at.output_count() == 0) return;
  const auto axis = at.needs_dimension(axes[0], shape.rank);
  if (axis == shape.rank) return;
  const auto count = static_cast<std::int64_t>(at.output_count());
  const auto size = at.size(1, axis);
  if (size >= 0 && size % count != 0) return at.misfit({size, " slices cannot be split into ", count, " equal parts"});
  shape.sizes[axis] = size < 0 ? -1 : size / count;
  for (std::size_t o = 0; o < at.output_count(); ++o) at.give_shape(o, shape);
}
/// `lite/kernels/split_v.cc`: an output with size -1 gets the remaining elements.
constexpr void infer_split_v(inference& at) {
  for (std::size_t o = 0; o < at.output_count(); ++o) at.give_type(o, at.type(0));
  const auto sizes = at.integers(1);
  const auto axes = at.integers(2);
  inferred_shape shape(at.shape(0));
  if (axes.count == 0 || !shape.has_rank) return;
  const auto axis = at.needs_dimension(axes[0], shape.rank);
  if (axis == shape.rank) return;
  if (sizes.are_known && sizes.count != at.output_count()) return at.misfit({sizes.count, " sizes for ", at.output_count(), " outputs"});
  std::int64_t remainder = at.size(0, axis);
  for (std::size_t i = 0; i < sizes.count && remainder >= 0; ++i) remainder -= std::max<std::int64_t>(sizes[i], 0);
  if (at.size(0, axis) >= 0 && remainder < 0) return at.misfit({"the parts need more than the ", at.size(0, axis), " slices"});
  for (std::size_t o = 0; o < at.output_count(); ++o) {
    shape.sizes[axis] = -1;
    if (sizes.are_known) shape.sizes[axis] = sizes[o] >= 0 ? sizes[o] : remainder;
    at.give_shape(o, shape);
  }
}

/// Definitions of operators that join or split tensors.
inline constexpr operator_definition joining[] = {
    {.name = "aten.cat.default", .operands = joined_operands, .infer = infer_cat},
    {.name = "aten.split.Tensor", .operands = parted_operands, .infer = infer_split_along},
    {.name = "tfl.concatenation", .operands = joined_operands, .infer = infer_concatenation},
    {.name = "tfl.pack", .operands = joined_operands, .infer = infer_pack},
    {.name = "tfl.unpack", .operands = parted_operands, .infer = infer_unpack},
    {.name = "tfl.split", .operands = split_operands, .infer = infer_split},
    {.name = "tfl.split_v", .operands = split_v_operands, .infer = infer_split_v},
};

}  // namespace baton::definitions

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ONNX operators that return the elements of their operands in another shape or order: reshapes, transposes, joins and splits.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/detail/joining.hpp>
#include <baton/operators/detail/onnx_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::onnx::definitions {

inline constexpr operand_definition shaped_operands[] = {{"data"}, {"shape", optional}};
inline constexpr operand_definition axes_operands[] = {{"data"}, {"axes", optional}};
inline constexpr operand_definition divided_operands[] = {{"input"}, {"split", optional}};
inline constexpr operand_definition joined_operands[] = {{"inputs", repeated}};
inline constexpr operand_definition expand_operands[] = {{"input"}, {"shape"}};
inline constexpr operand_definition tile_operands[] = {{"input"}, {"repeats"}};

/// Returns `a * b`, or -1 if a factor is unknown or the product does not fit in 63 bits.
constexpr auto product_of(std::int64_t a, std::int64_t b) -> std::int64_t {
  return a < 0 || b < 0 || (a > 0 && b > INT64_MAX / a) ? -1 : a * b;
}

/// Infers the output of a Reshape. A size of 0 copies the size of the same dimension of the input, unless `allowzero` is set. One size may
/// be -1. This size can be computed even if copied sizes are unknown, because copied sizes cancel out in the quotient of the element
/// counts. The shape is an attribute before version 5.
constexpr void infer_reshape(inference& node) {
  node.set_type(0, node.type(0));
  const auto sizes = numbers_of(node, 1, "shape");
  if (!sizes.is_given) return node.fail({"it has no shape"});
  if (!sizes.is_known) return set_rank(node, node.rank(1) == 1 ? node.size(1, 0) : -1);
  inferred_shape shape;
  std::size_t open = tensor_type::max_rank;
  std::int64_t stated = 1, remaining = 1;
  const auto rank = node.rank(0);
  const bool copies = node.integer("allowzero") == 0;
  for (std::size_t i = 0; i < std::max(rank, sizes.count); ++i) {
    const bool is_copied = copies && i < sizes.count && sizes[i] == 0;
    if (is_copied && i >= rank) return node.fail({"size ", i, " of the shape is 0, and the input has ", rank, " dimensions"});
    if (i < rank && !is_copied) remaining = product_of(remaining, node.size(0, i));
    if (i >= sizes.count) continue;
    if (sizes[i] == -1 && open != tensor_type::max_rank) return node.fail({"the new shape has two unknown sizes"});
    if (sizes[i] < -1) return node.fail({"size ", i, " of the shape is ", sizes[i], ", which is less than -1"});
    if (sizes[i] == -1) open = i;
    if (sizes[i] >= 0 && !is_copied) stated = product_of(stated, sizes[i]);
    shape.add(is_copied ? node.size(0, i) : sizes[i]);
  }
  if (!shape.has_rank) return;
  if (remaining >= 0 && stated >= 0) {
    const bool is_open = open != tensor_type::max_rank;
    const bool fits = is_open ? (stated == 0 ? remaining == 0 : remaining % stated == 0) : remaining == stated;
    if (!fits) return node.fail({"the new shape does not have the ", element_count(node.shape(0)), " elements of the input"});
    if (is_open) shape.sizes[open] = stated == 0 ? 0 : remaining / stated;
  }
  node.set_shape(0, shape);
}
constexpr void infer_flatten(inference& node) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(0);
  const auto stated = node.integer("axis", 1);
  const auto axis = stated < 0 ? stated + static_cast<std::int64_t>(rank) : stated;
  if (axis < 0 || axis > static_cast<std::int64_t>(rank)) return node.fail({"there is no dimension ", stated});
  const auto before = static_cast<std::size_t>(axis);
  node.set_shape(0, {element_count(node.shape(0).first(before)), element_count(node.shape(0).subspan(before))});
}
/// Infers an output without the dimensions in `axes`, or without all dimensions of size 1 if there are no axes.
constexpr void infer_squeeze(inference& node) {
  node.set_type(0, node.type(0));
  const auto axes = numbers_of(node, 1, "axes");
  if (axes.is_given && !axes.is_known) return;
  const auto rank = node.rank(0);
  inferred_shape shape;
  for (std::size_t i = 0; i < axes.count; ++i) {
    if (node.require_dimension(axes[i], rank) == rank) return;
  }
  for (std::size_t d = 0; d < rank; ++d) {
    const auto size = node.size(0, d);
    const bool is_named = axes.has_axis(d, rank);
    if (is_named && size >= 0 && size != 1) return node.fail({"dimension ", d, " has ", size, " elements and cannot be removed"});
    if (!axes.is_given && size < 0) return;
    if (axes.is_given ? !is_named : size != 1) shape.add(size);
  }
  node.set_shape(0, shape);
}
/// Infers an output with inserted dimensions of size 1. The axes are dimensions of the output.
constexpr void infer_unsqueeze(inference& node) {
  node.set_type(0, node.type(0));
  const auto axes = numbers_of(node, 1, "axes");
  if (!axes.is_given) return node.fail({"it has no axes"});
  if (!axes.is_known) {
    if (node.rank(1) == 1 && node.size(1, 0) >= 0) set_rank(node, static_cast<std::int64_t>(node.rank(0)) + node.size(1, 0));
    return;
  }
  const auto rank = node.rank(0) + axes.count;
  if (rank > tensor_type::max_rank) return;
  inferred_shape shape;
  for (std::size_t i = 0; i < axes.count; ++i) {
    const auto axis = node.require_dimension(axes[i], rank);
    if (axis == rank) return;
    for (std::size_t j = 0; j < i; ++j) {
      if (inference::dimension(axes[j], rank) == axis) return node.fail({"dimension ", axis, " is inserted twice"});
    }
  }
  for (std::size_t d = 0, from = 0; d < rank; ++d) {
    const bool is_new = axes.has_axis(d, rank);
    shape.add(is_new ? 1 : node.size(0, from));
    if (!is_new) ++from;
  }
  node.set_shape(0, shape);
}

/// Infers the output of a Transpose. `perm` is the order of the dimensions; if it is absent, the dimensions are reversed.
constexpr void infer_transpose(inference& node) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(0);
  const auto order = numbers_of(node, "perm");
  if (order.is_given && order.count != rank) return node.fail({"perm has ", order.count, " entries, the input ", rank, " dimensions"});
  if (rank > tensor_type::max_rank) return;
  inferred_shape shape;
  bool is_taken[tensor_type::max_rank] = {};
  for (std::size_t d = 0; d < rank; ++d) {
    const auto axis = order.is_given ? node.require_dimension(order[d], rank) : rank - 1 - d;
    if (axis == rank) return;
    if (is_taken[axis]) return node.fail({"perm has dimension ", axis, " twice"});
    is_taken[axis] = true;
    shape.add(node.size(0, axis));
  }
  node.set_shape(0, shape);
}

/// Infers the output of a Concat. The default of the axis is 1, as in version 1; newer versions have no default.
constexpr void infer_concat(inference& node) { return baton::definitions::infer_joined(node, node.integer("axis", 1)); }

/// Infers the pieces of a Split. Operand 1 or the attribute `split` lists the sizes of the pieces. Without sizes, the pieces are equal,
/// except that the last piece may be smaller (version 18).
constexpr void infer_split(inference& node) {
  for (std::size_t o = 0; o < node.output_count(); ++o) node.set_type(o, node.type(0));
  const auto rank = node.rank(0);
  const auto axis = node.require_dimension(node.integer("axis"), rank);
  if (axis == rank || node.output_count() == 0) return;
  const auto sizes = numbers_of(node, 1, "split");
  if (sizes.is_known && sizes.count != node.output_count()) return node.fail({sizes.count, " sizes for ", node.output_count(), " outputs"});
  auto shape = shape_of(node, 0);
  if (!shape.has_rank) return;
  const auto whole = node.size(0, axis);
  const auto count = static_cast<std::int64_t>(node.output_count());
  const auto each = whole < 0 ? -1 : (whole + count - 1) / count;
  std::int64_t end = 0;
  for (std::size_t o = 0; o < node.output_count(); ++o) {
    const auto equal_size = whole < 0 ? -1 : std::max<std::int64_t>(0, std::min(each, whole - end));
    shape.sizes[axis] = sizes.is_known ? std::max<std::int64_t>(0, sizes[o]) : sizes.is_given ? -1 : equal_size;
    end = std::min(end + std::max<std::int64_t>(0, shape.sizes[axis]), 2 * known_sizes::max);
    node.set_shape(o, shape);
  }
  if (sizes.is_known && whole >= 0 && end != whole) node.fail({"the sizes of the outputs add up to ", end, ", not ", whole});
}

/// Infers an output with the broadcast shape of the input and of the shape that operand 1 lists.
constexpr void infer_expand(inference& node) {
  node.set_type(0, node.type(0));
  if (!node.require_rank(1, 1)) return;
  const auto sizes = numbers_of(node, 1);
  if (!sizes.is_known) {
    if (node.size(1, 0) >= 0) set_rank(node, std::max(node.size(1, 0), static_cast<std::int64_t>(node.rank(0))));
    return;
  }
  inferred_shape wanted, shape;
  for (std::size_t i = 0; i < sizes.count && wanted.has_rank; ++i) wanted.add(sizes[i]);
  if (!wanted.has_rank) return;
  if (!broadcast(node.shape(0), wanted.view(), shape)) return node.fail({"the input cannot be expanded to the shape"});
  node.set_shape(0, shape);
}
constexpr void infer_tile(inference& node) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(0);
  const auto repeats = numbers_of(node, 1);
  if (repeats.is_known && repeats.count != rank) return node.fail({repeats.count, " repeats for ", rank, " dimensions"});
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) shape.add(repeats.is_known ? product_of(node.size(0, d), repeats[d]) : -1);
  node.set_shape(0, shape);
}

/// Definitions of reshapes, transposes, joins and splits.
inline constexpr operator_definition reshaping[] = {
    {.name = "onnx.Reshape",
     .operands = shaped_operands,
     .is_structural = true,
     .is_functional = true,
     .is_versioned = true,
     .infer = infer_reshape},
    {.name = "onnx.Flatten", .operands = one_operand, .is_structural = true, .is_functional = true, .infer = infer_flatten},
    {.name = "onnx.Squeeze",
     .operands = axes_operands,
     .is_structural = true,
     .is_functional = true,
     .is_versioned = true,
     .infer = infer_squeeze},
    {.name = "onnx.Unsqueeze",
     .operands = axes_operands,
     .is_structural = true,
     .is_functional = true,
     .is_versioned = true,
     .infer = infer_unsqueeze},
    {.name = "onnx.Transpose", .operands = one_operand, .is_functional = true, .infer = infer_transpose},
    {.name = "onnx.Concat", .operands = joined_operands, .is_functional = true, .infer = infer_concat},
    {.name = "onnx.Split", .operands = divided_operands, .is_functional = true, .is_versioned = true, .infer = infer_split},
    {.name = "onnx.Expand", .operands = expand_operands, .is_functional = true, .infer = infer_expand},
    {.name = "onnx.Tile", .operands = tile_operands, .is_functional = true, .infer = infer_tile},
};

}  // namespace baton::onnx::definitions

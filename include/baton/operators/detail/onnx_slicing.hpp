// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ONNX operators that extract elements, insert elements, or rearrange blocks of elements.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/detail/onnx_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/strided_axis.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::onnx::definitions {

inline constexpr operand_definition slice_operands[] = {
    {"data"}, {"starts", optional}, {"ends", optional}, {"axes", optional}, {"steps", optional}};
inline constexpr operand_definition gather_operands[] = {{"data"}, {"indices"}};
inline constexpr operand_definition scatter_operands[] = {{"data"}, {"indices"}, {"updates"}};
inline constexpr operand_definition pad_operands[] = {{"data"}, {"pads", optional}, {"constant_value", optional}, {"axes", optional}};
inline constexpr operand_definition topk_operands[] = {{"X"}, {"K", optional}};
inline constexpr operand_definition one_hot_operands[] = {{"indices"}, {"depth"}, {"values"}};
inline constexpr operand_definition resize_operands[] = {{"X"}, {"roi", optional}, {"scales", optional}, {"sizes", optional}};
inline constexpr operand_definition upsample_operands[] = {{"X"}, {"scales", optional}};

/// Infers the output of a slice, as in NumPy. Starts, ends and axes are attributes before version 10.
constexpr void infer_slice(inference& node) {
  node.set_type(0, node.type(0));
  const auto starts = numbers_of(node, 1, "starts"), ends = numbers_of(node, 2, "ends"), axes = numbers_of(node, 3, "axes");
  const auto steps = numbers_of(node, 4);
  const auto rank = node.rank(0);
  if (!starts.is_given || !ends.is_given) return node.fail({"it has no starts or ends"});
  auto shape = shape_of(node, 0);
  if (!shape.has_rank) return;
  if (axes.is_given && !axes.is_known) return set_rank(node, static_cast<std::int64_t>(rank));
  const auto count = axes.is_given ? axes.count : starts.is_known ? starts.count : ends.count;
  const bool fits = (!starts.is_known || starts.count == count) && (!ends.is_known || ends.count == count) &&
                    (!steps.is_known || steps.count == count) && count <= rank;
  if (!fits) return node.fail({"starts, ends, axes and steps have different lengths, or more entries than the input has dimensions"});
  if (!starts.is_known && !ends.is_known && !axes.is_given) return set_rank(node, static_cast<std::int64_t>(rank));
  for (std::size_t i = 0; i < count; ++i) {
    const auto axis = node.require_dimension(axes.is_given ? axes[i] : static_cast<std::int64_t>(i), rank);
    if (axis == rank) return;
    const auto step = steps.is_known ? steps[i] : steps.is_given ? 0 : 1;
    if (steps.is_known && step == 0) return node.fail({"the step of dimension ", axis, " is 0"});
    const bool is_known = starts.is_known && ends.is_known && step != 0 && shape.sizes[axis] >= 0;
    shape.sizes[axis] = is_known ? strided_axis{shape.sizes[axis], starts[i], ends[i], step}.count() : -1;
  }
  node.set_shape(0, shape);
}
/// Infers the shape of the data with dimension `axis` replaced by the dimensions of the indices.
constexpr void infer_gather(inference& node) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(0);
  const auto axis = node.require_dimension(node.integer("axis"), rank);
  if (axis == rank) return;
  inferred_shape shape(node.shape(0).first(axis));
  for (std::size_t d = 0; d < node.rank(1); ++d) shape.add(node.size(1, d));
  for (auto d = axis + 1; d < rank; ++d) shape.add(node.size(0, d));
  node.set_shape(0, shape);
}
constexpr void infer_gather_elements(inference& node) { node.set_output(0, node.type(0), inferred_shape(node.shape(1))); }
/// Infers the output of GatherND. The data and the indices have the first `batch_dims` dimensions in common. The next n dimensions of the
/// data are indexed, where n is the size of the last dimension of the indices.
constexpr void infer_gather_nd(inference& node) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(1);
  if (rank == 0) return node.fail({"the indices have no dimension"});
  const auto batches = node.integer("batch_dims");
  const auto indexed = node.size(1, rank - 1);
  if (indexed < 0) return;
  if (batches < 0 || batches + indexed > static_cast<std::int64_t>(node.rank(0)))
    return node.fail(
        {"each position has ", indexed, " indices after ", batches, " batch dimensions, but the tensor has ", node.rank(0), " dimensions"});
  inferred_shape shape(node.shape(1).first(rank - 1));
  for (auto d = static_cast<std::size_t>(batches + indexed); d < node.rank(0); ++d) shape.add(node.size(0, d));
  node.set_shape(0, shape);
}
/// Infers a padded tensor. The list of pads has the pads before the elements, then the pads after the elements. Both halves have one pad
/// for each axis in operand 3, by default for each dimension.
constexpr void infer_pad(inference& node) {
  node.set_type(0, node.type(0));
  const auto pads = node.has("paddings") ? numbers_of(node, "paddings") : numbers_of(node, 1, "pads");
  const auto axes = numbers_of(node, 3);
  const auto rank = node.rank(0);
  if (!pads.is_given) return node.fail({"it has no pads"});
  if (!pads.is_known || (axes.is_given && !axes.is_known)) return set_rank(node, static_cast<std::int64_t>(rank));
  const auto count = axes.is_given ? axes.count : rank;
  if (pads.count != 2 * count) return node.fail({pads.count, " pads for ", count, " dimensions"});
  auto shape = shape_of(node, 0);
  if (!shape.has_rank) return;
  for (std::size_t i = 0; i < count; ++i) {
    const auto axis = node.require_dimension(axes.is_given ? axes[i] : static_cast<std::int64_t>(i), rank);
    if (axis == rank) return;
    if (shape.sizes[axis] < 0) continue;
    const auto size = shape.sizes[axis] + pads[i] + pads[i + count];
    if (size < 0) return node.fail({"the pads of dimension ", axis, " remove more elements than it has"});
    shape.sizes[axis] = size;
  }
  node.set_shape(0, shape);
}
/// Infers the selected values and their positions. K is an attribute before version 10.
constexpr void infer_topk(inference& node) {
  node.set_type(0, node.type(0));
  node.set_type(1, dtype::int64);
  const auto rank = node.rank(0);
  const auto axis = node.require_dimension(node.integer("axis", -1), rank);
  if (axis == rank) return;
  auto shape = shape_of(node, 0);
  if (!shape.has_rank) return;
  const auto k = numbers_of(node, 1);
  const auto count = k.is_given ? (k.has(1) ? k[0] : -1) : node.integer("k", -1);
  if (count < -1) return node.fail({"K is ", count});
  if (count >= 0 && shape.sizes[axis] >= 0 && count > shape.sizes[axis])
    return node.fail({"there are ", shape.sizes[axis], " elements, and K is ", count});
  shape.sizes[axis] = count;
  node.set_shape(0, shape);
  node.set_shape(1, shape);
}
/// Returns `size * factor`, rounded down, computed in float32 like the standard's shape inference. Returns -1 if `size` is unknown or the
/// product is out of range.
constexpr auto scaled(std::int64_t size, float factor) -> std::int64_t {
  const auto product = static_cast<float>(size) * factor;
  return size < 0 || !(product >= 0 && product < 2147483648.0F) ? -1 : static_cast<std::int64_t>(product);
}
/// Infers an output with a new dimension of one element per class. The number of classes may be a float32 number.
constexpr void infer_one_hot(inference& node) {
  node.set_type(0, node.type(2));
  const auto rank = node.rank(0) + 1;
  const auto axis = node.require_dimension(node.integer("axis", -1), rank);
  if (axis == rank) return;
  const auto depth = numbers_of(node, 1);
  const bool is_real = node.type(1) == dtype::float32 && node.bytes(1).size() == 4;
  const auto classes = depth.has(1) ? depth[0] : is_real ? scaled(1, float_at(node.bytes(1), 0)) : -1;
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) shape.add(d == axis ? classes : node.size(0, d < axis ? d : d - 1));
  node.set_shape(0, shape);
}

/// The scale factors of dimensions, from a constant float32 operand or from an attribute.
struct factors {
  span<const char> stored{};
  span<const double> listed{};

  constexpr auto size() const -> std::size_t { return stored.empty() ? listed.size() : stored.size() / 4; }
  constexpr auto operator[](std::size_t i) const -> float { return stored.empty() ? static_cast<float>(listed[i]) : float_at(stored, i); }
};
/// Infers the output of a Resize to `sizes`. If `keep_aspect_ratio_policy` is "not_larger", all resized dimensions are scaled by the
/// smallest of the factors that result from `sizes`. If the policy is "not_smaller", these dimensions are scaled by the largest factor.
constexpr void infer_resize_to(inference& node, const numbers& sizes, const numbers& axes) {
  auto shape = shape_of(node, 0);
  const auto rank = node.rank(0);
  const auto policy = node.text("keep_aspect_ratio_policy");
  const bool is_smaller = policy == "not_larger", is_larger = policy == "not_smaller";
  double factor = 0;
  for (int pass = is_smaller || is_larger ? 0 : 1; pass < 2; ++pass) {
    for (std::size_t i = 0; i < sizes.count; ++i) {
      const auto axis = node.require_dimension(axes.is_given ? axes[i] : static_cast<std::int64_t>(i), rank);
      if (axis == rank) return;
      const auto whole = node.size(0, axis);
      if (sizes[i] < 0) return node.fail({"element ", i, " of sizes is ", sizes[i], ", a negative size"});
      if (pass == 0 && whole <= 0) return set_rank(node, static_cast<std::int64_t>(rank));
      const auto factor_here = whole <= 0 ? 0.0 : static_cast<double>(sizes[i]) / static_cast<double>(whole);
      if (pass == 0 && (i == 0 || (is_smaller ? factor_here < factor : factor_here > factor))) factor = factor_here;
      if (pass == 1) shape.sizes[axis] = sizes[i];
      if (pass == 1 && (is_smaller || is_larger)) shape.sizes[axis] = static_cast<std::int64_t>(factor * static_cast<double>(whole) + 0.5);
    }
  }
  node.set_shape(0, shape);
}
constexpr void infer_scaled(inference& node, const factors& scales, const numbers& axes) {
  const auto rank = node.rank(0);
  auto shape = shape_of(node, 0);
  if (!shape.has_rank) return;
  if (scales.size() == 0 || (axes.is_given && !axes.is_known)) return set_rank(node, static_cast<std::int64_t>(rank));
  if (scales.size() != (axes.is_given ? axes.count : rank))
    return node.fail({scales.size(), " scales for ", axes.is_given ? axes.count : rank, " dimensions"});
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const auto axis = node.require_dimension(axes.is_given ? axes[i] : static_cast<std::int64_t>(i), rank);
    if (axis == rank) return;
    shape.sizes[axis] = scaled(node.size(0, axis), scales[i]);
  }
  node.set_shape(0, shape);
}
/// Infers the output of a Resize. Version 10 has the operands X and scales; newer versions have X, roi, scales and sizes. If a region of
/// the input is cropped, sizes that are computed from scales depend on the region, so these sizes are not inferred.
constexpr void infer_resize(inference& node) {
  node.set_type(0, node.type(0));
  const auto axes = numbers_of(node, "axes");
  if (version(node) < 11) return infer_scaled(node, {node.bytes(1)}, axes);
  const auto rank = node.rank(0);
  const bool has_sizes = node.has(3) && (node.rank(3) != 1 || node.size(3, 0) != 0);
  if (has_sizes) {
    const auto sizes = numbers_of(node, 3);
    if (!sizes.is_known || rank > tensor_type::max_rank) return set_rank(node, static_cast<std::int64_t>(rank));
    const auto needed = axes.is_given ? axes.count : rank;
    if (sizes.count != needed) return node.fail({sizes.count, " sizes for ", needed, " dimensions"});
    return infer_resize_to(node, sizes, axes);
  }
  if (!node.has(2)) return node.fail({"it has neither scales nor sizes"});
  if (node.text("coordinate_transformation_mode") == "tf_crop_and_resize") return set_rank(node, static_cast<std::int64_t>(rank));
  return infer_scaled(node, {node.type(2) == dtype::float32 ? node.bytes(2) : span<const char>{}}, axes);
}
/// Infers the output of an Upsample. Scales are an attribute before version 9.
constexpr void infer_upsample(inference& node) {
  node.set_type(0, node.type(0));
  return infer_scaled(node, {node.has(1) ? node.bytes(1) : span<const char>{}, node.reals("scales")}, {});
}
/// Infers the output of DepthToSpace if `is_to_space`, otherwise of SpaceToDepth. DepthToSpace moves blocks of `blocksize * blocksize`
/// channels to image positions; SpaceToDepth moves them back.
constexpr void infer_blocks(inference& node, bool is_to_space) {
  node.set_type(0, node.type(0));
  if (!node.require_rank(0, 4)) return;
  const auto block = node.integer("blocksize");
  if (block <= 0 || block > 0x7fff) return node.fail({"blocksize is ", block, ", not 1 to 32767"});
  const auto batch = node.size(0, 0), channels = node.size(0, 1), rows = node.size(0, 2), columns = node.size(0, 3);
  const bool fits = is_to_space ? channels < 0 || channels % (block * block) == 0
                                : (rows < 0 || rows % block == 0) && (columns < 0 || columns % block == 0);
  if (!fits) return node.fail({"a size is not a multiple of the block size ", block});
  if (is_to_space) {
    return node.set_shape(0, {batch, channels < 0 ? -1 : channels / (block * block), rows < 0 ? -1 : rows * block,  //
                              columns < 0 ? -1 : columns * block});
  }
  node.set_shape(0,
                 {batch, channels < 0 ? -1 : channels * block * block, rows < 0 ? -1 : rows / block, columns < 0 ? -1 : columns / block});
}
constexpr void infer_depth_to_space(inference& node) { return infer_blocks(node, true); }
constexpr void infer_space_to_depth(inference& node) { return infer_blocks(node, false); }

/// Definitions of operators that extract, insert or rearrange elements.
inline constexpr operator_definition slicing[] = {
    {.name = "onnx.Slice", .operands = slice_operands, .is_functional = true, .is_versioned = true, .infer = infer_slice},
    {.name = "onnx.Gather", .operands = gather_operands, .is_functional = true, .infer = infer_gather},
    {.name = "onnx.GatherElements", .operands = gather_operands, .is_functional = true, .infer = infer_gather_elements},
    {.name = "onnx.GatherND", .operands = gather_operands, .is_functional = true, .infer = infer_gather_nd},
    {.name = "onnx.ScatterElements", .operands = scatter_operands, .is_functional = true, .infer = infer_same},
    {.name = "onnx.ScatterND", .operands = scatter_operands, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Pad", .operands = pad_operands, .is_functional = true, .is_versioned = true, .infer = infer_pad},
    {.name = "onnx.TopK", .operands = topk_operands, .is_functional = true, .is_versioned = true, .infer = infer_topk},
    {.name = "onnx.OneHot", .operands = one_hot_operands, .is_functional = true, .infer = infer_one_hot},
    {.name = "onnx.Resize", .operands = resize_operands, .is_functional = true, .is_versioned = true, .infer = infer_resize},
    {.name = "onnx.Upsample", .operands = upsample_operands, .is_functional = true, .is_versioned = true, .infer = infer_upsample},
    {.name = "onnx.DepthToSpace", .operands = one_operand, .is_functional = true, .infer = infer_depth_to_space},
    {.name = "onnx.SpaceToDepth", .operands = one_operand, .is_functional = true, .infer = infer_space_to_depth},
};

}  // namespace baton::onnx::definitions

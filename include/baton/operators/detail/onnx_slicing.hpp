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

/// Slices as in NumPy. Starts, ends and axes are attributes before version 10.
constexpr void infer_slice(inference& at) {
  at.give_type(0, at.type(0));
  const auto starts = numbers_of(at, 1, "starts"), ends = numbers_of(at, 2, "ends"), axes = numbers_of(at, 3, "axes");
  const auto steps = numbers_of(at, 4);
  const auto rank = at.rank(0);
  if (!starts.is_given || !ends.is_given) return at.misfit({"it has no starts or ends"});
  auto shape = shape_of(at, 0);
  if (!shape.has_rank) return;
  if (axes.is_given && !axes.is_known) return give_rank(at, static_cast<std::int64_t>(rank));
  const auto count = axes.is_given ? axes.count : starts.is_known ? starts.count : ends.count;
  const bool fits = (!starts.is_known || starts.count == count) && (!ends.is_known || ends.count == count) &&
                    (!steps.is_known || steps.count == count) && count <= rank;
  if (!fits) return at.misfit({"starts, ends, axes and steps are not of one length"});
  if (!starts.is_known && !ends.is_known && !axes.is_given) return give_rank(at, static_cast<std::int64_t>(rank));
  for (std::size_t i = 0; i < count; ++i) {
    const auto axis = at.needs_dimension(axes.is_given ? axes[i] : static_cast<std::int64_t>(i), rank);
    if (axis == rank) return;
    const auto step = steps.is_known ? steps[i] : steps.is_given ? 0 : 1;
    if (steps.is_known && step == 0) return at.misfit({"the step of dimension ", axis, " is 0"});
    const bool is_known = starts.is_known && ends.is_known && step != 0 && shape.sizes[axis] >= 0;
    shape.sizes[axis] = is_known ? strided_axis{shape.sizes[axis], starts[i], ends[i], step}.count() : -1;
  }
  at.give_shape(0, shape);
}
/// The dimension `axis` of the data is replaced by the dimensions of the indices.
constexpr void infer_gather(inference& at) {
  at.give_type(0, at.type(0));
  const auto rank = at.rank(0);
  const auto axis = at.needs_dimension(at.integer("axis"), rank);
  if (axis == rank) return;
  inferred_shape shape(at.shape(0).first(axis));
  for (std::size_t d = 0; d < at.rank(1); ++d) shape.add(at.size(1, d));
  for (auto d = axis + 1; d < rank; ++d) shape.add(at.size(0, d));
  at.give_shape(0, shape);
}
constexpr void infer_gather_elements(inference& at) { at.give(0, at.type(0), inferred_shape(at.shape(1))); }
/// The size of the last dimension of the indices is the number of data dimensions that are indexed, after the `batch_dims` common
/// dimensions.
constexpr void infer_gather_nd(inference& at) {
  at.give_type(0, at.type(0));
  const auto rank = at.rank(1);
  if (rank == 0) return at.misfit({"the indices have no dimension"});
  const auto batches = at.integer("batch_dims");
  const auto indexed = at.size(1, rank - 1);
  if (indexed < 0) return;
  if (batches < 0 || batches + indexed > static_cast<std::int64_t>(at.rank(0)))
    return at.misfit({"indices have ", indexed, " numbers for ", at.rank(0), " dimensions"});
  inferred_shape shape(at.shape(1).first(rank - 1));
  for (auto d = static_cast<std::size_t>(batches + indexed); d < at.rank(0); ++d) shape.add(at.size(0, d));
  at.give_shape(0, shape);
}
/// Each dimension grows by its pads. The list has the pads before the elements of all dimensions, then the pads after the elements.
constexpr void infer_pad(inference& at) {
  at.give_type(0, at.type(0));
  const auto pads = at.has("paddings") ? numbers_of(at, "paddings") : numbers_of(at, 1, "pads");
  const auto axes = numbers_of(at, 3);
  const auto rank = at.rank(0);
  if (!pads.is_given) return at.misfit({"it has no pads"});
  if (!pads.is_known || (axes.is_given && !axes.is_known)) return give_rank(at, static_cast<std::int64_t>(rank));
  const auto count = axes.is_given ? axes.count : rank;
  if (pads.count != 2 * count) return at.misfit({pads.count, " pads for ", count, " dimensions"});
  auto shape = shape_of(at, 0);
  if (!shape.has_rank) return;
  for (std::size_t i = 0; i < count; ++i) {
    const auto axis = at.needs_dimension(axes.is_given ? axes[i] : static_cast<std::int64_t>(i), rank);
    if (axis == rank) return;
    if (shape.sizes[axis] < 0) continue;
    const auto size = shape.sizes[axis] + pads[i] + pads[i + count];
    if (size < 0) return at.misfit({"the pads of dimension ", axis, " remove more than its elements"});
    shape.sizes[axis] = size;
  }
  at.give_shape(0, shape);
}
/// Outputs: the values, and their positions. K is an attribute before version 10.
constexpr void infer_topk(inference& at) {
  at.give_type(0, at.type(0));
  at.give_type(1, dtype::int64);
  const auto rank = at.rank(0);
  const auto axis = at.needs_dimension(at.integer("axis", -1), rank);
  if (axis == rank) return;
  auto shape = shape_of(at, 0);
  if (!shape.has_rank) return;
  const auto k = numbers_of(at, 1);
  const auto count = k.is_given ? (k.has(1) ? k[0] : -1) : at.integer("k", -1);
  if (count < -1) return at.misfit({"K is ", count});
  if (count >= 0 && shape.sizes[axis] >= 0 && count > shape.sizes[axis])
    return at.misfit({"there are ", shape.sizes[axis], " elements, and K is ", count});
  shape.sizes[axis] = count;
  at.give_shape(0, shape);
  at.give_shape(1, shape);
}
/// Returns `size * factor`, rounded down, computed in float32 like the standard's shape inference. Returns -1 if `size` is unknown or the
/// product is out of range.
constexpr auto scaled(std::int64_t size, float factor) -> std::int64_t {
  const auto product = static_cast<float>(size) * factor;
  return size < 0 || !(product >= 0 && product < 2147483648.0F) ? -1 : static_cast<std::int64_t>(product);
}
/// Inserts a dimension with one element per class. The number of classes may be a float32 number.
constexpr void infer_one_hot(inference& at) {
  at.give_type(0, at.type(2));
  const auto rank = at.rank(0) + 1;
  const auto axis = at.needs_dimension(at.integer("axis", -1), rank);
  if (axis == rank) return;
  const auto depth = numbers_of(at, 1);
  const bool is_real = at.type(1) == dtype::float32 && at.bytes(1).size() == 4;
  const auto classes = depth.has(1) ? depth[0] : is_real ? scaled(1, float_at(at.bytes(1), 0)) : -1;
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) shape.add(d == axis ? classes : at.size(0, d < axis ? d : d - 1));
  at.give_shape(0, shape);
}

/// The scale factors of dimensions, from a constant float32 operand or from an attribute.
struct factors {
  span<const char> stored{};
  span<const double> listed{};

  constexpr auto size() const -> std::size_t { return stored.empty() ? listed.size() : stored.size() / 4; }
  constexpr auto operator[](std::size_t i) const -> float { return stored.empty() ? static_cast<float>(listed[i]) : float_at(stored, i); }
};
/// Infers a Resize to `sizes`. If `keep_aspect_ratio_policy` is set, all dimensions are scaled by the smallest or the largest of the
/// factors that result from `sizes`.
constexpr void infer_resize_to(inference& at, const numbers& sizes, const numbers& axes) {
  auto shape = shape_of(at, 0);
  const auto rank = at.rank(0);
  const auto policy = at.text("keep_aspect_ratio_policy");
  const bool is_smaller = policy == "not_larger", is_larger = policy == "not_smaller";
  double factor = 0;
  for (int pass = is_smaller || is_larger ? 0 : 1; pass < 2; ++pass) {
    for (std::size_t i = 0; i < sizes.count; ++i) {
      const auto axis = at.needs_dimension(axes.is_given ? axes[i] : static_cast<std::int64_t>(i), rank);
      if (axis == rank) return;
      const auto whole = at.size(0, axis);
      if (sizes[i] < 0) return at.misfit({"size ", i, " is ", sizes[i]});
      if (pass == 0 && whole <= 0) return give_rank(at, static_cast<std::int64_t>(rank));
      const auto own = whole <= 0 ? 0.0 : static_cast<double>(sizes[i]) / static_cast<double>(whole);
      if (pass == 0 && (i == 0 || (is_smaller ? own < factor : own > factor))) factor = own;
      if (pass == 1) shape.sizes[axis] = sizes[i];
      if (pass == 1 && (is_smaller || is_larger)) shape.sizes[axis] = static_cast<std::int64_t>(factor * static_cast<double>(whole) + 0.5);
    }
  }
  at.give_shape(0, shape);
}
constexpr void infer_scaled(inference& at, const factors& scales, const numbers& axes) {
  const auto rank = at.rank(0);
  auto shape = shape_of(at, 0);
  if (!shape.has_rank) return;
  if (scales.size() == 0 || (axes.is_given && !axes.is_known)) return give_rank(at, static_cast<std::int64_t>(rank));
  if (scales.size() != (axes.is_given ? axes.count : rank))
    return at.misfit({scales.size(), " scales for ", axes.is_given ? axes.count : rank, " dimensions"});
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const auto axis = at.needs_dimension(axes.is_given ? axes[i] : static_cast<std::int64_t>(i), rank);
    if (axis == rank) return;
    shape.sizes[axis] = scaled(at.size(0, axis), scales[i]);
  }
  at.give_shape(0, shape);
}
/// Version 10 has the operands X and scales; newer versions have X, roi, scales and sizes. If a region of the input is cropped, sizes that
/// are computed from scales depend on the region, so they are not inferred.
constexpr void infer_resize(inference& at) {
  at.give_type(0, at.type(0));
  const auto axes = numbers_of(at, "axes");
  if (version(at) < 11) return infer_scaled(at, {at.bytes(1)}, axes);
  const auto rank = at.rank(0);
  const bool has_sizes = at.has(3) && (at.rank(3) != 1 || at.size(3, 0) != 0);
  if (has_sizes) {
    const auto sizes = numbers_of(at, 3);
    if (!sizes.is_known || rank > tensor_type::max_rank) return give_rank(at, static_cast<std::int64_t>(rank));
    const auto needed = axes.is_given ? axes.count : rank;
    if (sizes.count != needed) return at.misfit({sizes.count, " sizes for ", needed, " dimensions"});
    return infer_resize_to(at, sizes, axes);
  }
  if (!at.has(2)) return at.misfit({"it has neither scales nor sizes"});
  if (at.text("coordinate_transformation_mode") == "tf_crop_and_resize") return give_rank(at, static_cast<std::int64_t>(rank));
  return infer_scaled(at, {at.type(2) == dtype::float32 ? at.bytes(2) : span<const char>{}}, axes);
}
/// Scales are an attribute before version 9.
constexpr void infer_upsample(inference& at) {
  at.give_type(0, at.type(0));
  return infer_scaled(at, {at.has(1) ? at.bytes(1) : span<const char>{}, at.reals("scales")}, {});
}
/// Moves blocks of `blocksize * blocksize` channels to image positions, or back.
constexpr void infer_blocks(inference& at, bool is_to_space) {
  at.give_type(0, at.type(0));
  if (!at.needs_rank(0, 4)) return;
  const auto block = at.integer("blocksize");
  if (block <= 0 || block > 0x7fff) return at.misfit({"blocksize is ", block});
  const auto batch = at.size(0, 0), channels = at.size(0, 1), rows = at.size(0, 2), columns = at.size(0, 3);
  const bool fits = is_to_space ? channels < 0 || channels % (block * block) == 0
                                : (rows < 0 || rows % block == 0) && (columns < 0 || columns % block == 0);
  if (!fits) return at.misfit({"a size is not a multiple of the block size ", block});
  if (is_to_space) {
    return at.give_shape(0, {batch, channels < 0 ? -1 : channels / (block * block), rows < 0 ? -1 : rows * block,  //
                             columns < 0 ? -1 : columns * block});
  }
  at.give_shape(0, {batch, channels < 0 ? -1 : channels * block * block, rows < 0 ? -1 : rows / block, columns < 0 ? -1 : columns / block});
}
constexpr void infer_depth_to_space(inference& at) { return infer_blocks(at, true); }
constexpr void infer_space_to_depth(inference& at) { return infer_blocks(at, false); }

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

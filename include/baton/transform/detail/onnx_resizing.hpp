// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ONNX operators that change the size of images. The replacements are operators of TensorFlow Lite.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_image.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace baton::detail {

/// The coordinates (`coordinate_transformation_mode`) that `resized_dimension` supports.
inline constexpr std::string_view resize_coordinates[] = {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
                                                          "asymmetric"};
/// The rounding modes (`nearest_mode`) that `resized_dimension` supports. The default is `round_prefer_floor`.
inline constexpr std::string_view resize_roundings[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};

/// One dimension of an image that is resized. `coordinates` is the attribute `coordinate_transformation_mode` of ONNX.
struct resized_dimension {
  std::int64_t in = 1;   ///< the size of the input
  std::int64_t out = 1;  ///< the size of the output
  double scale = 1;      ///< the scale in the file, or `out` / `in` if the file has no scale
  std::string_view coordinates;
  bool has_exact_scale = true;  ///< whether `scale` is `out` / `in` up to rounding

  /// Returns the input coordinate of output position `at`.
  constexpr auto position(std::int64_t at) const -> double {
    const auto x = static_cast<double>(at);
    if (coordinates == "asymmetric") return x / scale;
    if (coordinates == "align_corners") {
      return out == 1 ? 0 : x * static_cast<double>(in - 1) / static_cast<double>(out - 1);
    }
    if (coordinates == "pytorch_half_pixel" && out == 1) return 0;
    if (coordinates == "half_pixel_symmetric") {
      const auto whole = scale * static_cast<double>(in);
      const auto adjustment = static_cast<double>(out) / whole;
      const auto center = static_cast<double>(in) / 2;
      return center * (1 - adjustment) + (x + 0.5) / scale - 0.5;
    }
    return (x + 0.5) / scale - 0.5;
  }
  /// Returns the input position to which the input coordinate of output position `at` is rounded. `rounding` is the attribute
  /// `nearest_mode`.
  constexpr auto nearest(std::int64_t at, std::string_view rounding) const -> std::int64_t {
    const auto x = position(at);
    const auto floor =
        static_cast<double>(static_cast<std::int64_t>(x)) > x ? static_cast<std::int64_t>(x) - 1 : static_cast<std::int64_t>(x);
    const auto fraction = x - static_cast<double>(floor);
    auto result = floor;
    if (rounding == "ceil") result += fraction > 0 ? 1 : 0;
    if (rounding == "round_prefer_ceil") result += fraction >= 0.5 ? 1 : 0;
    if (rounding.empty() || rounding == "round_prefer_floor") result += fraction > 0.5 ? 1 : 0;
    return std::clamp<std::int64_t>(result, 0, in - 1);
  }
  /// Returns the input position that `tfl.resize_nearest_neighbor` selects for output position `at`. Computes in float32, like
  /// `lite/kernels/internal/reference/resize_nearest_neighbor.h`.
  constexpr auto nearest_of_tfl(std::int64_t at, bool aligns_corners, bool has_half_pixels) const -> std::int64_t {
    const bool maps_last_to_last = aligns_corners && out > 1;
    const auto input_step = static_cast<float>(maps_last_to_last ? in - 1 : in) / static_cast<float>(maps_last_to_last ? out - 1 : out);
    const auto real = (static_cast<float>(at) + (has_half_pixels ? 0.5F : 0.0F)) * input_step;
    auto result = static_cast<std::int64_t>(real);
    if (aligns_corners && real - static_cast<float>(result) >= 0.5F) ++result;
    return std::min(result, in - 1);
  }
  /// True if `nearest_of_tfl` selects the same input position as `nearest` for each output position.
  constexpr auto matches_tfl(std::string_view rounding, bool aligns_corners, bool has_half_pixels) const -> bool {
    for (std::int64_t at = 0; at < out; ++at) {
      if (nearest(at, rounding) != nearest_of_tfl(at, aligns_corners, has_half_pixels)) return false;
    }
    return true;
  }
};

/// Returns the spatial dimensions of a resized image. The scales are operand `scales_at`. Refuses the node (the pass then fails with
/// `unsupported_operator`) if a size is unknown or more than 2^20, or if batches or channels are resized. Also refuses an operand that is
/// not an image, and coordinates that are not in `resize_coordinates`. With aligned corners, refuses a scale that differs from output size
/// / input size.
constexpr auto resized_dimensions(emission& emitter, std::size_t scales_at) -> vector<resized_dimension> {
  vector<resized_dimension> result;
  const auto in = emitter.file_type(emitter.operand(0)), out = emitter.file_type(emitter.output());
  const bool is_upsample = scales_at == 1;
  auto coordinates = emitter.text("coordinate_transformation_mode");
  if (coordinates.empty()) coordinates = is_upsample ? "asymmetric" : "half_pixel";
  if (in.rank < 3 || in.rank != out.rank) return emitter.refuse("the operand is not an image, or the rank changes"), result;
  const auto* const end = std::end(resize_coordinates);
  if (std::find(std::begin(resize_coordinates), end, coordinates) == end)
    return emitter.refuse("coordinates ", coordinates, " are not supported"), result;
  const auto listed = emitter.list("axes");
  const auto scales =
      emitter.has(scales_at) ? static_cast<std::size_t>(element_count(emitter.stored_type(emitter.operand(scales_at)).shape())) : 0;
  for (std::size_t d = 0; d < in.rank; ++d) {
    if (in.sizes[d] <= 0 || out.sizes[d] <= 0 || in.sizes[d] > 1 << 20 || out.sizes[d] > 1 << 20) {
      return emitter.refuse("the size of dimension ", d, " is unknown or more than 1048576"), result;
    }
    if (d < 2 && in.sizes[d] != out.sizes[d]) return emitter.refuse("resizing batches or channels is not supported"), result;
    resized_dimension next{in.sizes[d], out.sizes[d], static_cast<double>(out.sizes[d]) / static_cast<double>(in.sizes[d]), coordinates};
    auto at = listed.empty() ? d : listed.size();
    for (std::size_t i = 0; i < listed.size(); ++i) {
      if (listed[i] == static_cast<std::int64_t>(d) || listed[i] + static_cast<std::int64_t>(in.rank) == static_cast<std::int64_t>(d))
        at = i;
    }
    if (scales != 0 && at < scales) next.scale = static_cast<double>(emitter.real_element(scales_at, at, 1));
    const auto exact = static_cast<double>(next.out) / static_cast<double>(next.in);
    next.has_exact_scale = (next.scale < exact ? exact - next.scale : next.scale - exact) <= 1e-6 * exact;
    if (coordinates == "align_corners" && !next.has_exact_scale)
      return emitter.refuse("a scale differs from output size / input size"), result;
    if (d >= 2) result.push_back(next);
  }
  return result;
}

/// Emits an `onnx.Resize` that selects the nearest elements. If `tfl.resize_nearest_neighbor` cannot select the same elements, emits a
/// gather for each dimension.
constexpr void emit_nearest(emission& emitter, const vector<resized_dimension>& axes, std::string_view rounding) {
  auto in = emitter.channels_last_operand(0);
  for (const bool aligns_corners : {false, true}) {
    for (const bool has_half_pixels : {false, true}) {
      bool fits = axes.size() == 2;
      for (const auto& axis : axes) fits = fits && axis.matches_tfl(rounding, aligns_corners, has_half_pixels);
      if (!fits) continue;
      const std::int64_t size[] = {axes[0].out, axes[1].out};
      emitter.copy_quantization(in, emitter.output());
      return emitter.finish("tfl.resize_nearest_neighbor", {in, emitter.integer_constant("size", size)},
                            {{"align_corners", aligns_corners}, {"half_pixel_centers", has_half_pixels}});
    }
  }
  auto part = emitter.stored_type(in);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    vector<std::int64_t> positions;
    for (std::int64_t at = 0; at < axes[i].out; ++at) positions.push_back(axes[i].nearest(at, rounding));
    part.sizes[i + 1] = axes[i].out;
    const auto suffix = join("positions_", i);
    const auto list = emitter.integer_constant(view(suffix), positions);
    const auto step = join("resized_", i);
    in = emitter.add(view(step), "tfl.gather", {in, list}, part, {{"axis", i + 1}, {"batch_dims", 0}}, emitter.layout(in));
  }
  emitter.finish_reshape(in);
}
/// Emits an `onnx.Resize` by linear interpolation. Refuses coordinates that `tfl.resize_bilinear` does not support.
constexpr void emit_linear(emission& emitter, const vector<resized_dimension>& axes) {
  const bool aligns_corners = axes[0].coordinates == "align_corners", is_asymmetric = axes[0].coordinates == "asymmetric";
  if (axes.size() > 2) return emitter.refuse("linear interpolation along ", axes.size(), " dimensions is not supported");
  if (emitter.integer("antialias") != 0) return emitter.refuse("antialias is not supported");
  for (const auto& axis : axes) {
    const bool is_plain = aligns_corners || is_asymmetric || axis.coordinates == "half_pixel" ||
                          (axis.coordinates == "pytorch_half_pixel" && axis.out > 1) || (axis.coordinates == "half_pixel_symmetric");
    if (!is_plain) return emitter.refuse("coordinates ", axis.coordinates, " are not supported");
    if (!axis.has_exact_scale) return emitter.refuse("a scale differs from output size / input size");
  }
  const auto in = image_with_height(emitter, axes.size());
  begin_image_output(emitter, axes.size());
  const std::int64_t size[] = {axes.size() == 1 ? 1 : axes[0].out, axes[axes.size() - 1].out};
  emitter.finish("tfl.resize_bilinear", {in, emitter.integer_constant("size", size)},
                 {{"align_corners", aligns_corners}, {"half_pixel_centers", !aligns_corners && !is_asymmetric}});
  end_image_output(emitter, axes.size());
}
/// Replaces `onnx.Resize` and `onnx.Upsample`. The scales are operand `ScalesAt`.
template <std::size_t ScalesAt>
constexpr void emit_resize(emission& emitter) {
  const auto mode = emitter.has_attribute("mode") ? emitter.text("mode") : std::string_view("nearest");
  if (emitter.has(ScalesAt) && !emitter.is_data(emitter.operand(ScalesAt))) return emitter.refuse("the scales are not a constant");
  const auto axes = resized_dimensions(emitter, ScalesAt);
  if (emitter.is_refused()) return;
  if (mode == "nearest") {
    const auto rounding = ScalesAt == 1 ? std::string_view("floor") : emitter.text("nearest_mode");
    const auto* const end = std::end(resize_roundings);
    if (!rounding.empty() && std::find(std::begin(resize_roundings), end, rounding) == end)
      return emitter.refuse("nearest_mode ", rounding, " is not supported");
    return emit_nearest(emitter, axes, rounding);
  }
  if (mode == "linear" || mode == "bilinear") return emit_linear(emitter, axes);
  emitter.refuse("mode ", mode, " is not supported");
}

/// Replaces `onnx.DepthToSpace`. In mode CRD, consecutive input channels become the pixels of one block of an output channel. Mode DCR has
/// the order of `tfl.depth_to_space`.
constexpr void emit_depth_to_space(emission& emitter) {
  const auto block = emitter.integer("blocksize");
  const auto in = emitter.channels_last_operand(0);
  const auto type = emitter.stored_type(in);
  if (type.rank != 4 || block <= 0 || block > 1 << 15) return emitter.refuse("the operand is not an image, or the block size is invalid");
  if (type.sizes[3] % (block * block) != 0)
    return emitter.refuse("the ", type.sizes[3], " channels are not a multiple of ", block * block, ", the square of the block size");
  emitter.copy_quantization(in, emitter.output());
  if (emitter.text("mode") != "CRD") return emitter.finish("tfl.depth_to_space", {in}, {{"block_size", block}});
  const auto& s = type.sizes;
  const auto split = tensor(type.type, s[0], s[1], s[2], s[3] / (block * block), block, block);
  const auto parts = emitter.add("parts", "tfl.reshape", {in}, split, {{"new_shape", split.shape()}});
  const std::int64_t order[] = {0, 1, 4, 2, 5, 3};
  const auto moved = tensor(type.type, s[0], s[1], block, s[2], block, s[3] / (block * block));
  emitter.finish_reshape(emitter.add("blocks", "tfl.transpose", {parts, emitter.integer_constant("order", order)}, moved));
}
/// Replaces `onnx.SpaceToDepth`.
constexpr void emit_space_to_depth(emission& emitter) {
  const auto block = emitter.integer("blocksize");
  const auto in = emitter.channels_last_operand(0);
  if (emitter.stored_type(in).rank != 4 || block <= 0) return emitter.refuse("the operand is not an image, or the block size is invalid");
  emitter.copy_quantization(in, emitter.output());
  emitter.finish("tfl.space_to_depth", {in}, {{"block_size", block}});
}

/// The rows (`legalization_row`) of operators that change the size of images.
inline constexpr legalization_row onnx_resizing[] = {
    {"onnx.Resize", layout_rule::image, emit_resize<2>},
    {"onnx.Upsample", layout_rule::image, emit_resize<1>},
    {"onnx.DepthToSpace", layout_rule::image, emit_depth_to_space},
    {"onnx.SpaceToDepth", layout_rule::image, emit_space_to_depth},
};

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The windows of ONNX convolutions and pools.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/shared/window.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/fold_padding.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The window of a convolution or pool over height and width. A window over one dimension has a height of 1.
struct onnx_window {
  struct axis {
    std::int64_t size = 1;
    std::int64_t filter = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t before = 0;
    std::int64_t after = 0;
    std::int64_t extra = 0;  ///< the number of elements by which the last window exceeds the padded image (`ceil_mode`)
  };

  std::array<axis, 2> axes{};  ///< height, width
  std::size_t dimensions = 2;  ///< 1 or 2
  bool is_unpadded = true;     ///< whether the image has no padding and `has_extra` is false
  bool is_same = false;        ///< whether the padding equals SAME padding
  bool has_extra = false;      ///< whether the last window exceeds the padded image along an axis

  /// Returns the padding in the order of the attribute `pads` of `baton.conv_2d`: top, left, bottom, right.
  constexpr auto pads() const -> std::array<std::int64_t, 4> { return {axes[0].before, axes[1].before, axes[0].after, axes[1].after}; }
  constexpr auto padding() const -> const char* { return is_unpadded ? "valid" : "same"; }
};

/// Reads the window of the current node from `strides`, `dilations`, `pads`, `auto_pad`, and the sizes of the image and the output.
/// `filter` has the sizes of the window. Refuses the node (the pass then fails with `unsupported_operator`) if one of these statements is
/// true:
/// - The image does not have one or two spatial dimensions.
/// - The output or the window has another number of spatial dimensions than the image.
/// - A size, stride, dilation or padding is invalid.
/// - The attributes do not yield the size of the output.
constexpr auto window_of(emission& emitter, span<const std::int64_t> filter) -> onnx_window {
  onnx_window window;
  const auto in = emitter.file_type(emitter.operand(0)), out = emitter.file_type(emitter.output());
  const auto dimensions = in.rank < 2 ? 0 : in.rank - 2;
  if (dimensions == 0 || dimensions > 2) return emitter.refuse("images of ", dimensions, " dimensions are not supported"), window;
  if (out.rank != in.rank || filter.size() != dimensions) {
    emitter.refuse("the input, the output and the window have different numbers of dimensions");
    return window;
  }
  window.dimensions = dimensions;
  window.is_same = true;
  const auto mode = emitter.text("auto_pad");
  const bool is_upper = !mode.empty() && mode == "SAME_UPPER", is_lower = !mode.empty() && mode == "SAME_LOWER";
  const bool is_valid = !mode.empty() && mode == "VALID";
  const auto strides = emitter.list("strides"), dilations = emitter.list("dilations"), pads = emitter.list("pads");
  for (std::size_t d = 0; d < dimensions; ++d) {
    auto& axis = window.axes[2 - dimensions + d];
    axis.size = in.sizes[2 + d];
    axis.filter = filter[d];
    axis.stride = emitter.entry(strides, d, 1);
    axis.dilation = emitter.entry(dilations, d, 1);
    const auto windows = out.sizes[2 + d];
    constexpr std::int64_t max_size = 1 << 24;
    const bool is_in_range = axis.size > 0 && axis.size < max_size && axis.filter > 0 && axis.filter < max_size && axis.stride > 0 &&
                             axis.stride < max_size && axis.dilation > 0 && axis.dilation < max_size && windows > 0 && windows < max_size;
    if (!is_in_range) return emitter.refuse("a size, stride or dilation is invalid"), window;
    const auto reach = (windows - 1) * axis.stride + filter_span(axis.filter, axis.dilation);
    const auto missing = std::max<std::int64_t>(0, reach - axis.size);
    if (is_upper || is_lower) {
      axis.before = is_upper ? missing / 2 : missing - missing / 2;
      axis.after = missing - axis.before;
    } else if (!is_valid) {
      axis.before = emitter.entry(pads, d, 0);
      axis.after = emitter.entry(pads, d + dimensions, 0);
    }
    if (axis.before < 0 || axis.after < 0 || axis.before > max_size || axis.after > max_size) {
      return emitter.refuse("a padding is negative or too large"), window;
    }
    axis.extra = std::max<std::int64_t>(0, reach - axis.size - axis.before - axis.after);
    window.has_extra = window.has_extra || axis.extra != 0;
    const auto padded = axis.size + axis.before + axis.after + axis.extra;
    if (axis.extra >= axis.stride || window_size(false, padded, axis.filter, axis.stride, axis.dilation) != windows) {
      return emitter.refuse("the padding does not result in ", windows, " outputs along dimension ", 2 + d), window;
    }
    window.is_unpadded = window.is_unpadded && axis.before == 0 && axis.after == 0 && axis.extra == 0;
  }
  for (const auto& axis : window.axes) {
    const padded_axis padded{axis.size, axis.before, axis.after + axis.extra, axis.filter, axis.stride, axis.dilation};
    window.is_same = window.is_same && padded.is_same_padding();
  }
  return window;
}

}  // namespace baton::detail

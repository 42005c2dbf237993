// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces operators of torch.export that change the size of images.
#pragma once

#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_resizing.hpp>

#include <cstddef>

namespace baton::detail {

/// `aten.upsample_nearest2d.*`: position x of the output is position floor(x · in / out) of the input.
constexpr void emit_torch_upsample_nearest(emission& to) {
  to.state({{"coordinate_transformation_mode", "asymmetric"}});
  const auto axes = resized_dimensions(to, 1);
  if (!to.is_refused()) emit_nearest(to, axes, "floor");
}
/// `aten.upsample_bilinear2d.*`: input, size, and whether the corners are aligned.
constexpr void emit_torch_upsample_bilinear(emission& to) {
  const bool aligns_corners = to.integer("arg_2") != 0;
  to.state({{"coordinate_transformation_mode", aligns_corners ? "align_corners" : "half_pixel"}});
  const auto axes = resized_dimensions(to, 1);
  if (!to.is_refused()) emit_linear(to, axes);
}
/// `aten.pixel_shuffle.default`: input and factor.
constexpr void emit_torch_pixel_shuffle(emission& to) {
  to.state({{"blocksize", to.integer("arg_1")}, {"mode", "CRD"}});
  emit_depth_to_space(to);
}

/// Operators that change the size of images.
inline constexpr legalization_row torch_images[] = {
    {"aten.upsample_nearest2d.vec", manner::image, emit_torch_upsample_nearest},
    {"aten.upsample_nearest2d.default", manner::image, emit_torch_upsample_nearest},
    {"aten.upsample_bilinear2d.vec", manner::image, emit_torch_upsample_bilinear},
    {"aten.upsample_bilinear2d.default", manner::image, emit_torch_upsample_bilinear},
    {"aten.pixel_shuffle.default", manner::image, emit_torch_pixel_shuffle},
};

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces operators of torch.export that change the size of images.
#pragma once

#include <baton/transform/detail/executorch_images.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/legalization_row.hpp>

namespace baton::detail {

/// The rows (`legalization_row`) of operators that change the size of images.
inline constexpr legalization_row torch_images[] = {
    {"aten.upsample_nearest2d.vec", layout_rule::image, emit_upsample_nearest},
    {"aten.upsample_nearest2d.default", layout_rule::image, emit_upsample_nearest},
    {"aten.upsample_bilinear2d.vec", layout_rule::image, emit_upsample_bilinear},
    {"aten.upsample_bilinear2d.default", layout_rule::image, emit_upsample_bilinear},
    {"aten.pixel_shuffle.default", layout_rule::image, emit_pixel_shuffle},
};

}  // namespace baton::detail

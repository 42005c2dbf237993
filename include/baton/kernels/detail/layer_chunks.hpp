// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The chunks of layers with weights whose arithmetic has no specialized code: int16, 4-bit weights, and hybrid layers.
#pragma once

#include <baton/kernels/detail/channel_numbers.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/image_scale.hpp>
#include <baton/kernels/detail/layer.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::portable::detail {

/// The maximum number of channels of a chunk. A chunk consists of channels of one output pixel. Hybrid layers compute this number of
/// channels in one step.
inline constexpr std::int32_t channels_per_layer_chunk = 8;

/// Returns the number of chunks of one output pixel.
constexpr auto chunks_of_pixel(const layer& plan) -> std::int32_t {
  return (plan.out.channels + channels_per_layer_chunk - 1) / channels_per_layer_chunk;
}
/// Returns the number of chunks of a layer without specialized code. A hybrid layer is divided into chunks only if it has one group, and if
/// input and output images have one pixel, as in fully connected layers. All other hybrid layers have one chunk, because each call
/// quantizes the whole image again, and earlier outputs may have overwritten a part of the image.
constexpr auto chunks_of(const layer& plan) -> std::int32_t {
  const auto pixels = plan.out_height() * plan.out_width();
  const bool reads_whole_image = plan.in_height() * plan.in_width() * pixels == 1 && plan.group_channels == plan.in_channels;
  if (is_hybrid(plan.out.by) && !reads_whole_image) return 1;
  return plan.batches * pixels * chunks_of_pixel(plan);
}

/// Computes the chunks [`first`, `last`) of a node in ascending order. Chunk numbers continue from pixel to pixel, and from image to image
/// of the batch.
template <channel_scaling Scaling, auto Geometry, class Call>
void run_layer_chunks(const Call& call, std::int32_t first, std::int32_t last) {
  with_plain_layer<Scaling, Geometry>(call, [&](const layer& plan, const char* input, const char* weights, const char* bias,
                                                char* to) __attribute__((always_inline)) {
    constexpr auto by = layer_of(Geometry).out.by;
    const auto parts = chunks_of_pixel(plan);
    image_scale image;
    for (auto chunk = first; chunk < last; ++chunk) {
      const auto pixel = chunk / parts;
      const auto row = pixel / plan.out_width();
      const auto begin = row / plan.out_height() * (plan.in_height() * plan.in_width());
      const auto channel = chunk % parts * channels_per_layer_chunk;
      if constexpr (is_hybrid(by)) {
        if (chunk == first || channel == 0) image = scale_at(plan, input, begin);
      }
      compute_pixel<by>(plan, image, input, weights, bias, to, begin, row % plan.out_height(), pixel % plan.out_width(),
                        pixel * plan.out.channels, channel, std::min(channel + channels_per_layer_chunk, plan.out.channels), Call::order());
    }
  });
}

}  // namespace baton::portable::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The chunks (see `kernel_facts::chunks`) of transposed convolutions, and of other layers whose arithmetic has no specialized code: int16,
// 4-bit weights and hybrid.
#pragma once

#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernels/detail/channel_numbers.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/image_scale.hpp>
#include <baton/kernels/detail/layer.hpp>
#include <baton/kernels/detail/set_chunks.hpp>
#include <baton/kernels/unaligned.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::portable::detail {

/// The maximum number of channels of a chunk. In some grouped hybrid layers, a chunk is a whole pixel instead (`layer_chunks`). Hybrid
/// layers compute this number of channels in one step.
inline constexpr std::int32_t channels_per_layer_chunk = 8;

/// True if separate chunks determine the quantization of the inputs of a hybrid layer. False for layers with one input pixel, one output
/// pixel and one group, such as fully connected layers. In such layers, each call of `run_layer_chunks` determines the quantization again.
constexpr auto has_range_chunks(const layer& plan) -> bool {
  const bool is_one_pixel = plan.in_height() * plan.in_width() * plan.out_height() * plan.out_width() == 1;
  return is_hybrid(plan.out.by) && !(is_one_pixel && plan.group_channels == plan.in_channels);
}

/// The chunks of a layer without specialized code. If `has_range_chunks`, the first chunks of each image of the batch determine the range
/// of its elements, and scratch contains this range between the calls. Every other chunk computes some channels of an output pixel. Chunk
/// numbers continue from pixel to pixel, and from image to image.
struct layer_chunks {
  std::int32_t channels = channels_per_layer_chunk;  ///< the channels of a chunk
  std::int32_t chunks_per_pixel = 1;                 ///< the chunks of an output pixel
  std::int32_t elements = 0;                         ///< the elements of an input image, if chunks determine their range
  std::int32_t elements_per_chunk = 1;
  std::int32_t pixels = 1;  ///< the output pixels of an image

  constexpr explicit layer_chunks(const layer& plan) : pixels(plan.out_height() * plan.out_width()) {
    // A chunk must not end inside a step of eight channels. Each group begins with a new step. With groups of 12 channels, for example, the
    // second group begins with the step of channels 12 to 19, but the second chunk ends after channel 15. In such layers, a chunk is a
    // whole pixel.
    const bool has_short_steps = plan.group_outputs > channels && plan.group_outputs % channels != 0;
    if (is_hybrid(plan.out.by) && plan.group_outputs != plan.out.channels && has_short_steps) channels = plan.out.channels;
    chunks_per_pixel = (plan.out.channels + channels - 1) / channels;
    if (!has_range_chunks(plan)) return;
    elements = plan.in_height() * plan.in_width() * plan.in_channels;
    // A step of eight channels that reads n elements costs about as much as determining the range of 4 · n elements. So chunks of both
    // kinds have similar costs.
    elements_per_chunk = std::max<std::int32_t>(64, 4 * plan.rows.filter * plan.columns.filter * plan.group_channels);
  }

  constexpr auto range_chunks() const -> std::int32_t { return (elements + elements_per_chunk - 1) / elements_per_chunk; }
  constexpr auto chunks_per_image() const -> std::int32_t { return range_chunks() + pixels * chunks_per_pixel; }
};

/// Adds the chunks of a layer without specialized code to its facts, and the scratch that they need.
constexpr void add_layer_chunks(const layer& plan, kernel_facts& facts) {
  const layer_chunks chunks(plan);
  facts.chunks = plan.batches * chunks.chunks_per_image();
  if (chunks.range_chunks() == 0) facts.uneven_chunks_percent = chunk_axis{plan.out.channels, chunks.channels}.uneven_percent();
  if (has_range_chunks(plan)) facts.scratch_bytes = sizeof(image_range);
}

/// Computes the chunks [`first`, `last`) of a node in ascending order.
template <channel_scaling Scaling, auto Geometry, class Call>
void run_layer_chunks(const Call& call, std::int32_t first, std::int32_t last) {
  with_plain_layer<Scaling, Geometry>(
      call, [&](const layer& plan, const char* input, const char* weights, const char* bias, char* to) __attribute__((always_inline)) {
        constexpr auto by = layer_of(Geometry).out.by;
        constexpr bool keeps_range = has_range_chunks(layer_of(Geometry));
        constexpr layer_chunks chunks(layer_of(Geometry));
        image_range range;
        if constexpr (keeps_range) {
          if (first % chunks.chunks_per_image() != 0) range = load<image_range>(call.scratch().data());
        }
        image_scale scale;
        bool has_scale = false;
        for (auto chunk = first; chunk < last; ++chunk) {
          const auto image = chunk / chunks.chunks_per_image();
          const auto begin = image * (plan.in_height() * plan.in_width());
          const auto part = chunk % chunks.chunks_per_image();
          if constexpr (keeps_range) {
            if (part == 0) range = {};
            if (part < chunks.range_chunks()) {
              const auto element = part * chunks.elements_per_chunk;
              range.add(input + std::ptrdiff_t{4} * (begin * plan.in_channels + element),
                        std::min(chunks.elements_per_chunk, chunks.elements - element));
              has_scale = false;
              continue;
            }
            if (!has_scale) scale = scale_of_range(range, plan.is_asymmetric != 0);
            has_scale = true;
          }
          const auto pixel = (part - chunks.range_chunks()) / chunks.chunks_per_pixel;
          const auto channel = (part - chunks.range_chunks()) % chunks.chunks_per_pixel * chunks.channels;
          if constexpr (is_hybrid(by) && !keeps_range) {
            if (chunk == first || channel == 0) scale = scale_at(plan, input, begin);
          }
          compute_pixel<by>(plan, scale, input, weights, bias, to, begin, pixel / plan.out_width(), pixel % plan.out_width(),
                            (image * chunks.pixels + pixel) * plan.out.channels, channel,
                            std::min(channel + chunks.channels, plan.out.channels), write_order::ascending);
        }
        if constexpr (keeps_range) store(call.scratch().data(), 0, range);
      });
}

}  // namespace baton::portable::detail

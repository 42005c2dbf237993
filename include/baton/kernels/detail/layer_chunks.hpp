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
#include <baton/kernels/window.hpp>

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

/// Relative costs of the parts of a hybrid layer. They are instructions on a Cortex-M4, measured by `sh tests/budget/kernel_costs.sh`.
struct hybrid_costs {
  std::int64_t range_element = 13;  ///< per input element of a chunk that determines the range
  std::int64_t step_element = 67;   ///< per input element of a step of eight channels
  std::int64_t element = 32;        ///< per input element of a channel that is computed alone; includes the quantization of the element
  std::int64_t output = 60;         ///< per output
};

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

  /// Returns `kernel_facts::uneven_chunks_percent`.
  constexpr auto uneven_percent(const layer& plan) const -> std::uint32_t {
    const auto of_channels = chunk_axis{plan.out.channels, channels}.uneven_percent();
    return is_hybrid(plan.out.by) ? std::max(of_channels, uneven_percent_of_hybrid(plan)) : of_channels;
  }

 private:
  /// The taps of the outputs along an axis that are not in the padding.
  struct tap_count {
    std::int64_t total = 0;
    std::int64_t max = 0;  ///< of one output

    constexpr tap_count(const layer& plan, const window_axis& axis, std::int32_t outputs) {
      for (std::int32_t at = 0; at < outputs; ++at) {
        const auto walk = walk_of(plan.is_transposed != 0, axis, at);
        const auto taps = std::max<std::int64_t>(0, walk.last - walk.first);
        total += taps;
        max = std::max(max, taps);
      }
    }
  };

  /// Returns the percentage by which the most expensive chunk of a hybrid layer exceeds an equal share, by `hybrid_costs`. Fewer than eight
  /// channels can cost more than a step of eight channels, because each of them quantizes its inputs again.
  constexpr auto uneven_percent_of_hybrid(const layer& plan) const -> std::uint32_t {
    constexpr hybrid_costs costs;
    const auto per_group = [&](std::int64_t of_step, std::int64_t of_channel) {
      return plan.group_outputs / channels_per_layer_chunk * of_step + plan.group_outputs % channels_per_layer_chunk * of_channel;
    };
    const auto groups = plan.out.channels / plan.group_outputs;
    const tap_count rows(plan, plan.rows, plan.out_height());
    const tap_count columns(plan, plan.columns, plan.out_width());
    const auto total = elements * costs.range_element + std::int64_t{pixels} * plan.out.channels * costs.output +
                       rows.total * columns.total * plan.group_channels * groups * per_group(costs.step_element, costs.element);
    // The most expensive chunk determines the range, or belongs to a pixel with the most taps. All chunks of this pixel cost the same
    // (`full`), except the last one (`last`).
    const auto inputs = rows.max * columns.max * plan.group_channels;
    const auto step = inputs * costs.step_element + channels_per_layer_chunk * costs.output;
    const auto alone = inputs * costs.element + costs.output;
    const auto full = plan.group_outputs < channels_per_layer_chunk ? channels_per_layer_chunk * alone : step;
    const auto last = groups * per_group(step, alone) - (chunks_per_pixel - 1) * full;
    const auto range = std::min(elements, elements_per_chunk) * costs.range_element;
    return uneven_chunks_percent(total, chunks_per_image(), std::max({range, chunks_per_pixel == 1 ? last : full, last}));
  }
};

/// Adds the chunks of a layer without specialized code to its facts, and the scratch that they need.
constexpr void add_layer_chunks(const layer& plan, kernel_facts& facts) {
  const layer_chunks chunks(plan);
  facts.chunks = plan.batches * chunks.chunks_per_image();
  facts.uneven_chunks_percent = chunks.uneven_percent(plan);
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

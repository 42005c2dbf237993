// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The packing and the loops of layers in which each output channel depends on all input channels. The loops compute four channels of a
// pixel at a time, with 16 products per instruction.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernels/helium/detail/packed_layer.hpp>
#include <baton/kernels/helium/detail/vectors.hpp>

#include <cstdint>

namespace baton::helium::detail {

/// A packing with four output channels per block (see `kernel_facts::prepared_blocks`). A block consists of the factors (`four_factors`) of
/// its channels, then the weights of its channels. The layout of the weights is [vectors, 4 channels, 16 weights].
struct dense {
  static constexpr std::int32_t block_channels = 4;

  static constexpr auto depth(const packed_layer& plan) -> std::int32_t { return plan.taps() * plan.in_channels; }
  static constexpr auto block_words(const packed_layer& plan) -> std::int32_t {
    return four_factors::words + vectors_of(depth(plan)) * vector_bytes;
  }
  /// Returns the size of a window that `gather` copies, in bytes, rounded up to whole vectors. Returns 0 if windows are not copied.
  static constexpr auto patch_bytes(const packed_layer& plan) -> std::int32_t {
    return plan.is_gathered() ? vectors_of(depth(plan)) * vector_bytes : 0;
  }

  static constexpr auto check(const program_view& program, const node& record, const layer& of) -> verdict {
    if (of.group_channels != of.in_channels) return refuse("the layer has groups; the Helium kernel supports only one group");
    return check_layer(program, record, of);
  }

  static constexpr void pack(const layer& of, const char* weights, std::int32_t channel, std::int32_t lane, std::int32_t* block) {
    std::int32_t sum = 0;
    std::int32_t k = 0;
    for (std::int32_t tap = 0; tap < of.rows.filter * of.columns.filter; ++tap) {
      const char* from = weights + channel * of.channel_step + tap * of.tap_step;
      for (std::int32_t i = 0; i < of.in_channels; ++i, ++k) {
        const std::int32_t weight = static_cast<signed char>(from[i]);
        sum += weight;
        set_byte(block + four_factors::words, (k / vector_bytes * 4 + lane) * vector_bytes + k % vector_bytes, weight);
      }
    }
    set_factors(of, channel, sum, block, lane);
  }

  /// Computes one pixel from contiguous inputs. If `IsPadded`, the inputs are padded to whole vectors.
  template <bool IsPadded>
  [[gnu::always_inline]] static void compute_pixel(const packed_layer& plan, const std::int8_t* numbers, const std::int32_t* block,
                                                   std::int8_t* to) {
    for (std::int32_t channel = 0; channel < plan.out_channels; channel += 4, block += block_words(plan)) {
      const auto* weights = reinterpret_cast<const std::int8_t*>(block + four_factors::words);
      const auto count = plan.out_channels % 4 == 0 ? 4 : plan.out_channels - channel;
      store_four(dot_four<IsPadded>(numbers, weights, depth(plan), block), block, plan.output, count, to + channel);
    }
  }

  [[gnu::always_inline]] static void compute(const packed_layer& plan, const std::int8_t* input, const std::int32_t* packed,
                                             std::int8_t* patch, std::int8_t* output, std::int32_t first, std::int32_t last) {
    if (plan.is_gathered()) fill_bytes(patch, 0, patch_bytes(plan));
    for_pixels(plan, input, output, first, last,
               [&](const std::int8_t* image, std::int32_t top, std::int32_t left, std::int8_t* to) __attribute__((always_inline)) {
                 if (plan.is_gathered()) {
                   gather(plan, image, top, left, patch);
                   compute_pixel<true>(plan, patch, packed, to);
                 } else {
                   compute_pixel<false>(plan, image + (top * plan.columns.input + left) * plan.in_channels, packed, to);
                 }
               });
  }
};

}  // namespace baton::helium::detail

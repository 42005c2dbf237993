// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The sizes of the buffers that CMSIS-NN's functions need, in bytes, as compile-time constants. CMSIS-NN's functions
// `arm_..._get_buffer_size` return the same sizes at run time. The sizes depend on the `instruction_set` for which CMSIS-NN is compiled.
#pragma once

#include <baton/backends/cmsis_nn/detail/library.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::cmsis_nn::detail {

/// Returns the size of the im2col buffer of `arm_convolve_s8`. The buffer holds two windows of 16-bit numbers, each rounded up to a
/// multiple of 4 numbers. With Helium, the buffer holds four windows of 8-bit numbers, each rounded up to a multiple of 16 numbers.
constexpr auto convolve_buffer(instruction_set target, const cmsis_nn_dims& input, const cmsis_nn_dims& filter) -> std::int32_t {
  const auto window = input.c * filter.w * filter.h;
  if (target == instruction_set::mve) return 4 * ((window + 15) / 16 * 16);
  return 4 * ((window + 3) / 4 * 4);
}

/// Returns the size of the buffer of `arm_convolve_1_x_n_s8`. Without Helium, this size equals the size for `arm_convolve_s8`.
constexpr auto convolve_1_x_n_buffer(instruction_set target, const cmsis_nn_conv_params& params, const cmsis_nn_dims& input,
                                     const cmsis_nn_dims& filter, const cmsis_nn_dims& output) -> std::int32_t {
  if (target != instruction_set::mve) return convolve_buffer(target, input, filter);
  const auto left_padding = params.padding.w;
  const auto uneven = ((output.w - 1) * params.stride.w + filter.w - input.w) % 2;
  const auto outputs_in = [&](std::int32_t padding) {
    return std::max<std::int32_t>(1, (padding + params.stride.w - 1) / params.stride.w);
  };
  const auto right = left_padding + uneven != 0 ? outputs_in(left_padding + uneven) : 0;
  const auto left = left_padding != 0 ? outputs_in(left_padding) : 0;
  if (right + std::max<std::int32_t>(output.w - (right + left), 0) + left != output.w) return convolve_buffer(target, input, filter);
  const auto right_padding = uneven != 0 ? right : left_padding;
  return std::max((filter.w + left_padding) * input.c, (filter.w - 1 + right_padding) * input.c);
}

/// Returns the size of the buffer of `arm_depthwise_conv_s8_opt`. With the DSP extension, the buffer holds a window of 16-bit numbers. With
/// Helium, the buffer holds four windows of 8-bit numbers, each for a block of `CH_IN_BLOCK_MVE` channels. In plain C, there is no buffer.
constexpr auto depthwise_buffer(instruction_set target, const cmsis_nn_dims& input, const cmsis_nn_dims& filter) -> std::int32_t {
  const auto taps = filter.w * filter.h;
  if (target == instruction_set::mve) return 4 * CH_IN_BLOCK_MVE * taps;
  return target == instruction_set::dsp ? input.c * taps * 2 : 0;
}

/// Returns the size of the buffer of `arm_avgpool_s8`. With the DSP extension, the buffer holds a 32-bit sum for each channel. Without this
/// extension or with Helium, there is no buffer.
constexpr auto average_pool_buffer(instruction_set target, const cmsis_nn_dims& input) -> std::int32_t {
  return target == instruction_set::dsp ? input.c * 4 : 0;
}

}  // namespace baton::cmsis_nn::detail

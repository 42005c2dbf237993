// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The options of the Cortex-M kernels.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton::cortex_m {

/// The optimization goal. `speed`: minimizes executed instructions; the code of most layers has the layer's geometry as constants.
/// `code_size`: minimizes code size; layers share routines that read the geometry at run time.
enum class optimize_for : std::int32_t { speed, code_size };

/// The options of the Cortex-M kernels. The type is structural, because it is a template argument of the kernels.
struct options {
  optimize_for optimize = optimize_for::speed;
  /// The maximum number of weights of a convolution with wide weights. Wide weights are int8 weights that are stored in 16 bits. A
  /// convolution with more weights has packed 8-bit weights, if no weight is -128 and its sums provably fit 32 bits. Compared to packed
  /// weights, wide weights save a tenth of the instructions, and cost one more byte of flash per weight.
  std::int32_t max_wide_weights = 4096;
  /// The maximum additional flash of the transformed weights of a Winograd convolution, compared to the weights of `conv_2d`, in bytes per
  /// layer.
  std::int32_t max_winograd_bytes = 24576;
  /// Whether `conv_2d` gathers the inputs of each pixel if windows extend into the padding. If false, `conv_2d` copies rows with their
  /// padding to scratch. Gathering needs less scratch than copying, and more instructions.
  bool gathers_inputs = false;
};

}  // namespace baton::cortex_m

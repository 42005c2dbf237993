// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a user may choose of the Cortex-M kernels.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton::cortex_m {

/// Fewest instructions, or least code: layers then share routines that get their geometry at run time.
enum class optimize_for : std::int32_t { speed, code_size };

/// Structural, as a template argument of the kernels.
struct options {
  optimize_for optimize = optimize_for::speed;
  /// The most products of an output times output channels for which int8 weights become 16 bits wide: a tenth fewer instructions, one byte
  /// of flash more for each weight.
  std::int32_t wide_weights = 4096;
  /// The most bytes of flash that the transformed weights of one layer may cost beyond those of its other form (Winograd convolution).
  std::int32_t winograd_bytes = 24576;
};

}  // namespace baton::cortex_m

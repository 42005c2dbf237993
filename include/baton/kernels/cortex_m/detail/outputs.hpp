// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Clamping of outputs to the range of an activation.
#pragma once

#include <baton/kernels/unaligned.hpp>
#include <baton/operators/requantization.hpp>

#include <cstdint>

namespace baton::cortex_m::detail {

/// Clamps int8 outputs to the range of an activation. Does nothing if the range is the whole range of int8, which is the case for most
/// layers.
[[gnu::always_inline]] inline void clamp_outputs(quantized::bounds<std::int32_t> range, char* outputs, std::int32_t count) {
  if (range.lower <= -128 && range.upper >= 127) return;
  for (std::int32_t i = 0; i < count; ++i)
    portable::store(outputs, i, static_cast<std::int8_t>(range.clamp(portable::load<std::int8_t>(outputs, i))));
}

}  // namespace baton::cortex_m::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What is left to do with outputs that saturate to int8.
#pragma once

#include <baton/kernels/unaligned.hpp>
#include <baton/operators/requantization.hpp>

#include <cstdint>

namespace baton::cortex_m::detail {

/// Cuts outputs to the range of an activation; nothing to do where that is all of int8, as it is of most layers.
[[gnu::always_inline]] inline void cut_outputs(portable::bounds<std::int32_t> range, char* outputs, std::int32_t count) {
  if (range.lower <= -128 && range.upper >= 127) return;
  for (std::int32_t i = 0; i < count; ++i)
    portable::store(outputs, i, static_cast<std::int8_t>(range.clamp(portable::load<std::int8_t>(outputs, i))));
}

}  // namespace baton::cortex_m::detail

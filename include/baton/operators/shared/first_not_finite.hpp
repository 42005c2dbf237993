// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Scales that are no numbers.
#pragma once

#include <baton/core/config.hpp>

namespace baton {

/// The first of the floats from `scale` on, little-endian, that is not finite; `end` if all are. Nearly all exponents are told by one byte.
constexpr auto first_not_finite(const char* scale, const char* end) -> const char* {
  while (scale != end && ((scale[3] & 0x7f) != 0x7f || (scale[2] & 0x80) == 0)) scale += 4;
  return scale;
}

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A search for scales that are not finite.
#pragma once

#include <baton/core/config.hpp>

namespace baton {

/// Returns a pointer to the first infinity or NaN among the little-endian floats in [`scale`, `end`), or `end` if all floats are finite.
/// For nearly all finite floats, the first comparison decides.
constexpr auto first_not_finite(const char* scale, const char* end) -> const char* {
  while (scale != end && ((scale[3] & 0x7f) != 0x7f || (scale[2] & 0x80) == 0)) scale += 4;
  return scale;
}

}  // namespace baton

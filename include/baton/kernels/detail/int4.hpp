// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Int4 elements.
#pragma once

#include <baton/kernels/unaligned.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::portable::detail {

/// Returns an element of an int4 array: two elements per byte, the first in the low half.
[[gnu::always_inline]] inline auto load_int4(const char* from, std::ptrdiff_t element) -> std::int32_t {
  const auto two = load<std::int8_t>(from, element / 2);
  return element % 2 != 0 ? two >> 4 : static_cast<std::int8_t>(static_cast<unsigned char>(two) << 4) >> 4;
}

}  // namespace baton::portable::detail

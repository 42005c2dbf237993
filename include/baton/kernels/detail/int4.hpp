// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Elements of int4.
#pragma once

#include <baton/kernels/unaligned.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::portable::detail {

/// An element of an array of int4, two in a byte, the first in its low half.
[[gnu::always_inline]] inline auto load_int4(const char* from, std::ptrdiff_t element) -> std::int32_t {
  const auto both = load<std::int8_t>(from, element / 2);
  return element % 2 != 0 ? both >> 4 : static_cast<std::int8_t>(static_cast<unsigned char>(both) << 4) >> 4;
}

}  // namespace baton::portable::detail

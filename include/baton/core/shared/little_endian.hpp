// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Numbers as little-endian bytes.
#pragma once

#include <baton/core/error.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// Appends the lowest `width` bytes of `bits`, the lowest byte first.
constexpr void append_little_endian(text_buffer& bytes, std::uint64_t bits, std::size_t width) {
  for (std::size_t b = 0; b < width; ++b) bytes.push_back(static_cast<char>(bits >> (8 * b) & 0xff));
}

}  // namespace baton

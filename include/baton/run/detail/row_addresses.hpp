// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions for the rows that a segment (consecutive nodes that run row by row, see `stream_segment`) keeps. One moves rows to lower
// addresses. The other computes addresses, which may be outside of a buffer.
#pragma once

#include <baton/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::detail {

/// Moves `bytes` bytes to a lower address; the ranges may overlap. Copies 16 bytes at a time, and then the remaining bytes one by one,
/// because `memmove` of small C libraries copies one byte at a time.
inline void move_down(char* to, const char* from, std::size_t bytes) {
  struct words {
    std::uint32_t each[4];
  };
  std::size_t at = 0;
  for (; at + sizeof(words) <= bytes; at += sizeof(words)) {
    words some;
    std::memcpy(&some, from + at, sizeof some);
    std::memcpy(to + at, &some, sizeof some);
  }
  for (; at < bytes; ++at) to[at] = from[at];
}

/// Returns the address `bytes` bytes before `at`. Computes an integer, not a pointer, because the address may be outside the buffer that
/// contains `at`.
inline auto bytes_before(char* at, std::ptrdiff_t bytes) -> char* {
  return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(at) - static_cast<std::uintptr_t>(bytes));
}

}  // namespace baton::detail

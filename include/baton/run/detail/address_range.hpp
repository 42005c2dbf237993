// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A range of addresses, for checks that memory is disjoint.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton::detail {

/// `bytes` bytes at address `begin`. Addresses are compared as integers, because pointers to different objects are not ordered.
struct address_range {
  std::uintptr_t begin = 0;
  std::uintptr_t bytes = 0;

  constexpr auto overlaps(const address_range& other) const -> bool {
    return begin < other.begin + other.bytes && other.begin < begin + bytes;
  }
};

/// Returns the `bytes` bytes at `begin`.
inline auto range_at(const void* begin, std::uintptr_t bytes) -> address_range { return {reinterpret_cast<std::uintptr_t>(begin), bytes}; }

}  // namespace baton::detail

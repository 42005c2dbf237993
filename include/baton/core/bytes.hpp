// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Bytes by the thousand in a constant: copied and compared within what compilers allow a constant by default.
#pragma once

#include <baton/core/config.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

namespace baton {

/// Copies bytes to memory that has room for them.
constexpr void copy_bytes(std::span<const char> from, char* to) {
  if (from.empty()) return;
  if constexpr (builtins_take_constant_bytes) {
    __builtin_memcpy(to, from.data(), from.size());
  } else {
    // GCC allows a loop 262,144 turns.
    constexpr std::size_t turns = 4096;
    for (std::size_t first = 0; first < from.size(); first += turns) {
      const auto last = std::min(first + turns, from.size());
      for (auto i = first; i < last; ++i) to[i] = from[i];
    }
  }
}

/// Whether two runs of bytes are equal; the same memory is not looked at.
constexpr auto same_bytes(std::span<const char> a, std::span<const char> b) -> bool {
  if (a.size() != b.size()) return false;
  if (a.empty() || a.data() == b.data()) return true;
  if constexpr (builtins_take_constant_bytes) {
    return __builtin_memcmp(a.data(), b.data(), a.size()) == 0;
  } else {
    constexpr std::size_t turns = 4096;
    for (std::size_t first = 0; first < a.size(); first += turns) {
      const auto last = std::min(first + turns, a.size());
      for (auto i = first; i < last; ++i) {
        if (a[i] != b[i]) return false;
      }
    }
    return true;
  }
}

}  // namespace baton

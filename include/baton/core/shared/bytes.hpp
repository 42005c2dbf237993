// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Bytes by the thousand in a constant: copied and compared within what compilers allow a constant by default.
#pragma once

#include <baton/core/config.hpp>
#include <baton/core/shared/constant_builtins.hpp>
#include <baton/core/span.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace baton {

/// Copies bytes to memory that has room for them.
constexpr void copy_bytes(span<const char> from, char* to) {
  if (from.empty()) return;
  if constexpr (builtins_take_constant_bytes) {
    __builtin_memcpy(to, from.data(), from.size());
  } else {
    // GCC allows a loop 262,144 turns.
    constexpr std::size_t chunk = 4096;
    const char* source = from.data();  // no call a byte
    for (std::size_t first = 0; first < from.size(); first += chunk) {
      const auto last = std::min(first + chunk, from.size());
      for (auto i = first; i < last; ++i) to[i] = source[i];
    }
  }
}

/// Whether two addresses are the same. In a constant, Clang does not compare the addresses of different literals: those count as different.
constexpr auto is_same_address(const char* a, const char* b) -> bool {
  if (std::is_constant_evaluated()) return __builtin_constant_p(a == b) && a == b;
  return a == b;
}

/// Negative, 0 or positive, as the first run of bytes comes before, is equal to or comes after the second: shorter ones come first, then it
/// is the first different byte that counts. The same memory is not looked at.
constexpr auto compare_bytes(span<const char> a, span<const char> b) -> int {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  if (a.empty() || is_same_address(a.data(), b.data())) return 0;
  if constexpr (builtins_take_constant_bytes) {
    return __builtin_memcmp(a.data(), b.data(), a.size());
  } else {
    constexpr std::size_t chunk = 4096;
    for (std::size_t first = 0; first < a.size(); first += chunk) {
      const auto last = std::min(first + chunk, a.size());
      for (auto i = first; i < last; ++i) {
        if (a[i] != b[i]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[i]) ? -1 : 1;
      }
    }
    return 0;
  }
}

/// Whether two runs of bytes are equal.
constexpr auto same_bytes(span<const char> a, span<const char> b) -> bool { return compare_bytes(a, b) == 0; }

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Copies and compares thousands of bytes within the default limits of compilers for constant expressions.
#pragma once

#include <baton/core/config.hpp>
#include <baton/core/shared/constant_builtins.hpp>
#include <baton/core/span.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace baton {

/// Copies bytes to `to`, which must have room for all bytes of `from`.
constexpr void copy_bytes(span<const char> from, char* to) {
  if (from.empty()) return;
  if constexpr (builtins_take_constant_bytes) {
    __builtin_memcpy(to, from.data(), from.size());
  } else {
    // Copies in chunks, because GCC limits each loop in a constant expression to 262,144 iterations.
    constexpr std::size_t chunk = 4096;
    const char* source = from.data();  // a pointer, because `from[i]` would be a function call for each byte
    for (std::size_t first = 0; first < from.size(); first += chunk) {
      const auto last = std::min(first + chunk, from.size());
      for (auto i = first; i < last; ++i) to[i] = source[i];
    }
  }
}

/// True if two addresses are the same. In a constant expression, Clang cannot compare the addresses of different literals; then this
/// function returns false.
constexpr auto is_same_address(const char* a, const char* b) -> bool {
  if (std::is_constant_evaluated()) return __builtin_constant_p(a == b) && a == b;
  return a == b;
}

/// Compares two ranges of bytes. Returns a negative number if `a` comes before `b`, 0 if both are equal, and a positive number if `a` comes
/// after `b`. A shorter range comes before a longer one. Ranges of equal size are ordered by the first different byte. If both ranges are
/// the same memory, no byte is read.
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

/// True if two ranges of bytes are equal.
constexpr auto same_bytes(span<const char> a, span<const char> b) -> bool { return compare_bytes(a, b) == 0; }

}  // namespace baton

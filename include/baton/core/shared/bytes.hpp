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
    // Copies in blocks, because GCC limits each loop in a constant expression to 262,144 iterations.
    constexpr std::size_t block = 4096;
    const char* source = from.data();  // a pointer, because `from[i]` would be a function call for each byte
    for (std::size_t first = 0; first < from.size(); first += block) {
      const auto last = std::min(first + block, from.size());
      for (auto i = first; i < last; ++i) to[i] = source[i];
    }
  }
}

/// True if two addresses are the same. Returns false in a constant expression if Clang cannot compare the addresses, because they belong to
/// different literals.
constexpr auto is_same_address(const char* a, const char* b) -> bool {
  if (std::is_constant_evaluated()) return __builtin_constant_p(a == b) && a == b;
  return a == b;
}

namespace detail {

/// True if `__builtin_memcmp` can compare `size` bytes. In a constant expression, GCC can compare only string literals and arrays of zeros.
constexpr auto can_call_memcmp(const char* a, const char* b, std::size_t size) -> bool {
  if (builtins_take_constant_bytes || !std::is_constant_evaluated()) return true;
  return __builtin_constant_p(__builtin_memcmp(a, b, size));
}

}  // namespace detail

/// Compares two ranges of bytes. Returns a negative number if `a` comes before `b`, 0 if both are equal, and a positive number if `a` comes
/// after `b`. A shorter range comes before a longer one. Ranges of equal size are ordered by the first different byte. If both ranges are
/// the same memory, no byte is read.
constexpr auto compare_bytes(span<const char> a, span<const char> b) -> int {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  if (a.empty() || is_same_address(a.data(), b.data())) return 0;
  if (detail::can_call_memcmp(a.data(), b.data(), a.size())) return __builtin_memcmp(a.data(), b.data(), a.size());
  constexpr std::size_t block = 4096;
  const char* const left = a.data();  // pointers, because `a[i]` would be a function call for each byte
  const char* const right = b.data();
  for (std::size_t first = 0; first < a.size(); first += block) {
    const auto last = std::min(first + block, a.size());
    for (auto i = first; i < last; ++i) {
      if (left[i] != right[i]) return static_cast<unsigned char>(left[i]) < static_cast<unsigned char>(right[i]) ? -1 : 1;
    }
  }
  return 0;
}

/// True if two ranges of bytes are equal.
constexpr auto same_bytes(span<const char> a, span<const char> b) -> bool { return compare_bytes(a, b) == 0; }

/// True if all bytes are 0, or there are none.
constexpr auto are_zero(span<const char> bytes) -> bool {
  if (bytes.empty()) return true;
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  if (detail::can_call_memcmp(at, at + 1, bytes.size() - 1)) return *at == 0 && __builtin_memcmp(at, at + 1, bytes.size() - 1) == 0;
  // Tests eight bytes in one expression, because a loop over thousands of single bytes takes long in a constant expression.
  for (; end - at >= 8; at += 8) {
    if ((at[0] | at[1] | at[2] | at[3] | at[4] | at[5] | at[6] | at[7]) != 0) return false;
  }
  for (; at != end; ++at) {
    if (*at != 0) return false;
  }
  return true;
}

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Order and equality of bytes, however many there are, in both times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace baton {

/// Whether two addresses are the same. In a constant, Clang does not compare the addresses of different literals: those count as different.
constexpr auto is_same_address(const char* first, const char* second) -> bool {
  if (std::is_constant_evaluated()) return __builtin_constant_p(first == second) && first == second;
  return first == second;
}

/// Negative, 0 or positive, as the first bytes come before, are equal to or come after the second: shorter ones first, then by content.
/// The same memory is equal without a look at it. It works in pieces: GCC bounds the turns of one loop in a constant.
constexpr auto compare_bytes(std::string_view first, std::string_view second) -> int {
  constexpr std::size_t piece = 65'536;
  if (first.size() != second.size()) return first.size() < second.size() ? -1 : 1;
  if (is_same_address(first.data(), second.data())) return 0;
  for (std::size_t at = 0; at < first.size(); at += piece) {
    const auto order = first.substr(at, piece).compare(second.substr(at, piece));
    if (order != 0) return order;
  }
  return 0;
}

}  // namespace baton

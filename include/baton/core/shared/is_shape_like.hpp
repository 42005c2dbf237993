// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Comparison of shapes with unknown sizes.
#pragma once

#include <baton/core/span.hpp>

#include <cstdint>

namespace baton {

/// True if two shapes have equal ranks and sizes. An unknown (negative) size matches any size.
constexpr auto is_shape_like(span<const std::int64_t> a, span<const std::int64_t> b) -> bool {
  if (a.size() != b.size()) return false;
  const auto* other = b.data();
  for (const auto size : a) {
    if (size != *other && size >= 0 && *other >= 0) return false;
    ++other;
  }
  return true;
}

}  // namespace baton

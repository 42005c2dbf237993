// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Shapes with sizes that are not known.
#pragma once

#include <baton/core/span.hpp>

#include <cstdint>

namespace baton {

/// Whether two shapes can be those of one tensor: a size that is not known (negative) fits any.
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

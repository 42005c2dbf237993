// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Room for further records in a pool.
#pragma once

#include <baton/core/vector.hpp>

#include <cstddef>

namespace baton::detail {

/// True if `count` more records can be appended to a pool without reallocation.
template <class T>
constexpr auto has_room(const vector<T>& pool, std::size_t count) -> bool {
  return pool.size() + count <= pool.capacity();
}
/// Reserves room for `count` more records. At least doubles a pool that has no room, so that appending costs O(1) for each record.
template <class T>
constexpr void make_room(vector<T>& pool, std::size_t count) {
  if (!has_room(pool, count)) pool.reserve(pool.size() + (pool.size() > count ? pool.size() : count));
}

}  // namespace baton::detail

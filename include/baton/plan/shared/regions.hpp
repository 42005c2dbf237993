// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An arena that is split over two memories, a fast and a slow one.
#pragma once

#include <baton/core/vector.hpp>

#include <cstdint>
#include <string_view>

namespace baton {

/// Bytes of two memories over which an arena is split. Both 0: it is not split.
struct memory_regions {
  std::uint64_t fast = 0;
  std::uint64_t slow = 0;

  constexpr auto are_given() const -> bool { return fast != 0 || slow != 0; }
};

/// What was placed in two regions. By entry its offset: below the end of the fast region, or so far behind it as it lies in the slow one.
struct split_layout {
  vector<std::uint64_t> offsets;
  memory_regions used{};  ///< bytes; of what did not fit, those of a slow region that would be enough, if not the least
  std::string_view way;
  bool fits = false;
};

}  // namespace baton

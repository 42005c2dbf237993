// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An arena that is split into two regions, a fast and a slow one.
#pragma once

#include <baton/core/vector.hpp>

#include <cstdint>
#include <string_view>

namespace baton {

/// The sizes of the two regions of a split arena, in bytes. Both are 0 if the arena is not split.
struct memory_regions {
  std::uint64_t fast = 0;
  std::uint64_t slow = 0;

  constexpr auto are_given() const -> bool { return fast != 0 || slow != 0; }
};

/// A placement in two regions. Offsets below `memory_regions::fast` are in the fast region. All other offsets are in the slow region, which
/// begins at offset `memory_regions::fast`.
struct split_layout {
  vector<std::uint64_t> offsets;
  memory_regions used{};  ///< in bytes; if not all items fit, `slow` is a sufficient size for the slow region, not always the smallest
  std::string_view strategy;
  bool fits = false;
};

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Where things with lifetimes lie.
#pragma once

#include <baton/core/vector.hpp>

#include <cstdint>
#include <string_view>

namespace baton {

/// Offsets by entry, and the bytes that all need together.
struct memory_layout {
  vector<std::uint64_t> offsets;
  std::uint64_t bytes = 0;
};

/// What a memory policy makes of a problem.
struct placement : memory_layout {
  std::string_view way;           ///< how it was found, for people
  bool is_optimal = false;        ///< whether it is known that no placement of the policy's kind needs less
  std::uint64_t lower_bound = 0;  ///< bytes that no placement of the policy's kind goes below; 0: those of items that lie apart
};

}  // namespace baton

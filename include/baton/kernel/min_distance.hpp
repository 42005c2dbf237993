// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The minimum distance in memory between an operand of a node and the node's output.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton {

/// The order of addresses in which a node writes its output.
enum class write_order : std::uint8_t { ascending, descending };

/// The minimum distance, in bytes, between the output and an operand that nothing reads after the node. A kernel declares it. At this
/// distance no byte of the operand is overwritten before it is read:
/// - if the output is written in ascending order, and the operand begins at least `ascending` bytes after the output begins;
/// - if it is written in descending order, and the operand ends at least `descending` bytes before the output ends.
///
/// Either distance may be negative. `apart`: the two must not overlap.
///
/// To derive `ascending`: at each read, subtract the lowest offset that is read from the number of bytes written so far. The maximum of
/// these differences is the distance. For `descending`, count both from the ends.
struct min_distance {
  static constexpr std::int64_t apart = INT64_MAX;

  std::int64_t ascending = apart;
  std::int64_t descending = apart;

  constexpr auto operator==(const min_distance&) const -> bool = default;
};

}  // namespace baton

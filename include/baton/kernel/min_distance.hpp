// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The minimum distance in memory between an operand of a node and the node's output.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton {

/// The order in which a node writes the bytes of its output: by ascending or by descending address.
enum class write_order : std::uint8_t { ascending, descending };

/// The minimum distance, in bytes, between the output and an operand that nothing reads after the node. A kernel declares this distance. In
/// each of these two cases, no byte of the operand is overwritten before it is read:
/// - the output is written in ascending order, and the operand begins at least `ascending` bytes after the beginning of the output;
/// - the output is written in descending order, and the operand ends at least `descending` bytes before the end of the output.
///
/// Either distance may be negative. `disjoint` means that the operand and the output must not overlap.
///
/// `ascending` is the maximum, over all reads, of (bytes written so far) - (lowest offset of the read). `descending` is computed in the
/// same way, but with offsets and bytes counted from the ends of the operand and the output.
struct min_distance {
  static constexpr std::int64_t disjoint = INT64_MAX;

  std::int64_t ascending = disjoint;
  std::int64_t descending = disjoint;

  constexpr auto operator==(const min_distance&) const -> bool = default;
};

}  // namespace baton

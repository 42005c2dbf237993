// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The minimum distance in memory between an operand of a node and the node's output. The distance states how far the two may overlap.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton {

/// The order in which a node writes the bytes of its output: by ascending or by descending address.
enum class write_order : std::uint8_t { ascending, descending };

/// How far the output of a node may overlap an operand that nothing reads after the node. A kernel declares a minimum distance in bytes for
/// each order of writing. In each of these two cases, no byte of the operand is overwritten before it is read:
/// - the output is written in ascending order, and the operand begins at least `ascending` bytes after the beginning of the output;
/// - the output is written in descending order, and the operand ends at least `descending` bytes before the end of the output.
///
/// Either distance may be negative, which permits more overlap than the distance 0. `disjoint` means that the operand and the output must
/// not overlap. Example: a kernel that reads element i just before it writes element i, of the same size, declares 0 for both orders. Then
/// the output may have the address of the operand.
///
/// To find `ascending`, compute (bytes written so far) - (lowest offset of the read) for each read of the operand; `ascending` is the
/// maximum. `descending` is found in the same way, with offsets and bytes counted from the ends of the operand and the output.
struct min_distance {
  static constexpr std::int64_t disjoint = INT64_MAX;

  std::int64_t ascending = disjoint;
  std::int64_t descending = disjoint;

  constexpr auto operator==(const min_distance&) const -> bool = default;
};

}  // namespace baton

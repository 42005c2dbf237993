// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// How near to its output an operand of a node may lie.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton {

/// The order of addresses in which a node writes its output.
enum class write_order : std::uint8_t { ascending, descending };

/// How near to its output an operand may lie that nothing reads after the node, in bytes: what a kernel declares. Written upward, the
/// output spoils nothing that is still to be read if the operand begins at least `ascending` bytes after the output begins; written
/// downward, if the operand ends at least `descending` bytes before the output ends. Either may be negative; `apart`: the two must not
/// overlap at all.
///
/// The least such distance: over all moments at which a node reads after it has written something, the most that the bytes written exceed
/// the lowest offset read (of `descending`: both counted from the ends).
struct least_distance {
  static constexpr std::int64_t apart = INT64_MAX;

  std::int64_t ascending = apart;
  std::int64_t descending = apart;

  constexpr auto operator==(const least_distance&) const -> bool = default;
};

}  // namespace baton

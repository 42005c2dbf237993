// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The greatest debug handle, after which new debug handles may begin.
#pragma once

#include <baton/core/program.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// Returns the greatest debug handle of a node, including the handles of nodes that were folded into it; 0 if it has none.
constexpr auto greatest_debug_handle(const program_view& program, const node& record) -> std::uint32_t {
  const auto folded = program.folded_handles(record);
  return folded.empty() ? record.debug_handle : std::max(record.debug_handle, static_cast<std::uint32_t>(folded.back()));
}
/// Returns the greatest debug handle in a program, including those of folded nodes; 0 if there is none.
constexpr auto greatest_debug_handle(const program_view& program) -> std::uint32_t {
  std::uint32_t greatest = 0;
  for (const auto& record : program.nodes) greatest = std::max(greatest, greatest_debug_handle(program, record));
  return greatest;
}

}  // namespace baton

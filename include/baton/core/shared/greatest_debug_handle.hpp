// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The greatest debug handle. New debug handles must be greater.
#pragma once

#include <baton/core/program.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// Returns the greatest debug handle of a node, including the handles of nodes that were folded into this node, or 0 if there is none.
constexpr auto greatest_debug_handle(const program_view& program, const node& record) -> std::uint32_t {
  const auto folded = program.folded_handles(record);
  return folded.empty() ? record.debug_handle : std::max(record.debug_handle, static_cast<std::uint32_t>(folded.back()));
}
/// Returns the greatest debug handle in a program, including the handles of folded nodes, or 0 if there is none.
constexpr auto greatest_debug_handle(const program_view& program) -> std::uint32_t {
  std::uint32_t greatest = 0;
  for (const auto& record : program.nodes) greatest = std::max(greatest, greatest_debug_handle(program, record));
  return greatest;
}

}  // namespace baton

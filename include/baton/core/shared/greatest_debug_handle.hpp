// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The greatest debug handle. New debug handles must be greater.
#pragma once

#include <baton/core/program.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// Returns the greatest debug handle in a program, or 0 if the program has no debug handles. Folded handles (the debug handles of nodes
/// that passes merged into another node, see `node::folded_handles`) are included.
constexpr auto greatest_debug_handle(const program_view& program) -> std::uint32_t {
  std::uint32_t greatest = 0;
  for (const auto& record : program.nodes) {
    const auto folded = program.folded_handles(record);
    greatest = std::max(greatest, record.debug_handle);
    if (!folded.empty()) greatest = std::max(greatest, static_cast<std::uint32_t>(folded.back()));
  }
  return greatest;
}

}  // namespace baton

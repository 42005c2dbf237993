// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Where new debug handles may begin.
#pragma once

#include <baton/core/program.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// The greatest debug handle of a node, those of nodes that were folded into it among them; 0 if it has none.
constexpr auto greatest_debug_handle(const program_view& program, const node& of) -> std::uint32_t {
  const auto folded = program.folded_handles(of);
  return folded.empty() ? of.debug_handle : std::max(of.debug_handle, static_cast<std::uint32_t>(folded.back()));
}
/// The greatest debug handle in a program, those of folded nodes among them; 0 if there is none.
constexpr auto greatest_debug_handle(const program_view& program) -> std::uint32_t {
  std::uint32_t greatest = 0;
  for (const auto& record : program.nodes) greatest = std::max(greatest, greatest_debug_handle(program, record));
  return greatest;
}

}  // namespace baton

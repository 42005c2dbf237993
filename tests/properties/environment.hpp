// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The sizes of property tests, from environment variables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace properties {

inline auto number_from_environment(const char* variable, std::uint64_t absent) -> std::uint64_t {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : absent;
}

/// Returns the maximum number of nodes of exhaustively tested graphs: BATON_PROPERTY_NODES, but at most `absent`.
inline auto max_nodes(std::uint64_t absent) -> std::size_t {
  return std::min(number_from_environment("BATON_PROPERTY_NODES", absent), absent);
}

}  // namespace properties

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// How much a property test tries, as the environment says.
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

/// How many nodes graphs have at most of which all are tried.
inline auto max_nodes(std::uint64_t absent) -> std::size_t {
  return std::min(number_from_environment("BATON_PROPERTY_NODES", absent), absent);
}

}  // namespace properties

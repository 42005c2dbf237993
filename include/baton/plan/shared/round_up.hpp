// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rounding of sizes to an alignment.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton {

/// Returns `bytes`, rounded up to a multiple of `alignment`.
constexpr auto round_up(std::uint64_t bytes, std::uint32_t alignment) -> std::uint64_t {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace baton

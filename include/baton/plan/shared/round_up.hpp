// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sizes that are multiples of an alignment.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton {

constexpr auto round_up(std::uint64_t bytes, std::uint32_t alignment) -> std::uint64_t {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace baton

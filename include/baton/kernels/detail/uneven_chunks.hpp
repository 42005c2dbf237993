// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The share of the largest chunk of a node.
#pragma once

#include <baton/core/config.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::portable::detail {

/// Returns the percentage by which the largest chunk exceeds an equal share of `all` elements in `chunks` chunks, rounded up
/// (`kernel_facts::uneven_chunks_percent`). `largest` is the maximum number of elements of a chunk.
constexpr auto uneven_chunks_percent(std::int64_t largest, std::int64_t chunks, std::int64_t all) -> std::uint32_t {
  const auto in_chunks = std::min(largest, all) * chunks;
  return in_chunks <= all ? 0 : static_cast<std::uint32_t>((100 * in_chunks + all - 1) / all - 100);
}

}  // namespace baton::portable::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The share of the largest chunk of a node.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton::portable::detail {

/// Returns the percentage by which the largest chunk exceeds an equal share of `all` elements in `chunks` chunks, rounded up
/// (`kernel_facts::uneven_chunks_percent`). `largest` is the number of elements of the largest chunk.
constexpr auto uneven_chunks_percent(std::int64_t largest, std::int64_t chunks, std::int64_t all) -> std::uint32_t {
  if (all <= 0 || largest * chunks <= all) return 0;
  return static_cast<std::uint32_t>((100 * largest * chunks + all - 1) / all - 100);
}

}  // namespace baton::portable::detail

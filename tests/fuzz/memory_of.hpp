// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory of an imported program.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/pool_sizes.hpp>

#include <cstddef>

namespace fuzz {

/// Returns the capacity of all pools of a program, in bytes.
inline auto memory_of(const baton::exported_program& program) -> std::size_t {
  std::size_t bytes = 0;
  baton::for_each_pool([&](const auto& pool) { bytes += pool.capacity() * sizeof(*pool.data()); }, program);
  return bytes;
}

}  // namespace fuzz

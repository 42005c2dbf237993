// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The work of running a damaged program, so that tests skip programs that take too long.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/find_definition.hpp>

#include <algorithm>
#include <cstdint>

namespace nodes {

/// Returns the approximate work of one run in multiply-adds, where four bytes of memory count as one. At most 2^40.
inline auto work_of(const baton::program_view& program) -> std::uint64_t {
  constexpr std::uint64_t limit = std::uint64_t{1} << 40;
  std::uint64_t work = 0;
  for (const auto& value : program.values) {
    const auto size = baton::byte_count(value.type, program.integer_list(value.shape));
    if (size > 0) work += std::min<std::uint64_t>(static_cast<std::uint64_t>(size), limit) / 4;
    work = std::min(work, limit);
  }
  for (const auto& record : program.nodes) work = std::min(limit, work + std::min(limit, baton::multiply_adds(program, record)));
  return work;
}

}  // namespace nodes

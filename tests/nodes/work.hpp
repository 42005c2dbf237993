// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// How dear a run of a damaged program would be, so that tests run those they can afford.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/find_definition.hpp>

#include <algorithm>
#include <cstdint>

namespace nodes {

/// What one run computes, in multiply-adds, elements counted as one and bytes of memory as a few; at most about 10^18, whatever the program
/// holds.
inline auto work_of(const baton::program_view& program) -> std::uint64_t {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  std::uint64_t work = 0;
  for (const auto& value : program.values) {
    const auto size = baton::byte_count(value.type, program.integer_list(value.shape));
    if (size > 0) work += std::min<std::uint64_t>(static_cast<std::uint64_t>(size), most) / 4;
    work = std::min(work, most);
  }
  for (const auto& record : program.nodes) work = std::min(most, work + std::min(most, baton::multiply_adds(program, record)));
  return work;
}

}  // namespace nodes

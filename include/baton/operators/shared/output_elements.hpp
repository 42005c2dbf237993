// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The number of elements that a node computes. Estimates use this number as the size of a node without multiply-adds.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// Returns the number of elements of all outputs of a node. Omitted outputs and outputs of unknown size count as 0.
constexpr auto output_elements(const program_view& program, const node& record) -> std::uint64_t {
  std::uint64_t count = 0;
  for (const auto output : program.outputs_of(record)) {
    if (output != none<value_id>) count += static_cast<std::uint64_t>(std::max<std::int64_t>(0, element_count(program.shape(output))));
  }
  return count;
}

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether two values of a program are of one type, so that one may stand for the other.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// Whether two values mean the same real numbers by the same elements; what is not quantized is so alike. Scales are compared bit by bit;
/// absent zero points are 0.
constexpr auto is_same_quantization(const program_view& program, value_id a, value_id b) -> bool {
  const auto& one = program[a].quant;
  const auto& other = program[b].quant;
  if (one.channels != other.channels || (one.channels > 1 && one.axis != other.axis)) return false;
  if (!same_bytes(program.data(one.scales), program.data(other.scales))) return false;
  if (one.zero_points.size == other.zero_points.size) return same_bytes(program.data(one.zero_points), program.data(other.zero_points));
  for (std::uint32_t c = 0; c < one.channels; ++c) {
    if (program.zero_point(one, c) != program.zero_point(other, c)) return false;
  }
  return true;
}

/// Whether two values have one dtype, one shape, all of whose sizes are known, and one quantization.
constexpr auto is_same_type(const program_view& program, value_id a, value_id b) -> bool {
  const auto shape = program.shape(a);
  const auto other = program.shape(b);
  return program[a].type == program[b].type && std::equal(shape.begin(), shape.end(), other.begin(), other.end()) &&
         std::all_of(shape.begin(), shape.end(), [](std::int64_t size) { return size >= 0; }) && is_same_quantization(program, a, b);
}

}  // namespace baton

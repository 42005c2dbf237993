// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether two values have the same type, so that one can replace the other.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// True if quantization `one` of `program` and quantization `other` of `other_program` are the same, or are both absent: equal elements
/// then represent equal real numbers. Scales must be bit-identical. An absent zero point equals 0.
constexpr auto is_same_quantization(const program_view& program, const quantization& one, const program_view& other_program,
                                    const quantization& other) -> bool {
  if (one.channels != other.channels || (one.channels > 1 && one.axis != other.axis)) return false;
  if (!same_bytes(program.data(one.scales), other_program.data(other.scales))) return false;
  if (one.zero_points.size == other.zero_points.size)
    return same_bytes(program.data(one.zero_points), other_program.data(other.zero_points));
  for (std::uint32_t c = 0; c < one.channels; ++c) {
    if (program.zero_point(one, c) != other_program.zero_point(other, c)) return false;
  }
  return true;
}

/// True if two values have the same quantization, or are both unquantized.
constexpr auto is_same_quantization(const program_view& program, value_id a, value_id b) -> bool {
  return is_same_quantization(program, program[a].quant, program, program[b].quant);
}

/// True if two values have the same dtype, the same shape with known sizes, and the same quantization.
constexpr auto is_same_type(const program_view& program, value_id a, value_id b) -> bool {
  const auto shape = program.shape(a);
  const auto other = program.shape(b);
  return program[a].type == program[b].type && std::equal(shape.begin(), shape.end(), other.begin(), other.end()) &&
         std::all_of(shape.begin(), shape.end(), [](std::int64_t size) { return size >= 0; }) && is_same_quantization(program, a, b);
}

}  // namespace baton

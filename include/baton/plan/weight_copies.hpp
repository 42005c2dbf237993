// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The plan of an executor that copies constants to fast memory.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// The plan of the executor service `copied_weights`: the constants that are copied to a buffer in fast memory, and their offsets in this
/// buffer.
struct weight_copy_plan {
  /// A constant that a kernel of the root graph reads.
  struct constant {
    std::uint32_t step = 0;  ///< the step of the root graph that reads the constant, counted from 0
    std::uint32_t node = 0;  ///< the node that reads the constant, as an index in the program
    value_id data =
        none<value_id>;       ///< the value with the data; `none` for the constant that the kernel computed at compile time (`prepare`)
    std::uint32_t bytes = 0;  ///< the size of the constant
    std::uint32_t reserved_bytes = 0;  ///< the size in the buffer: the constant, the bytes that the kernel reads past its end, and padding
    std::uint32_t offset = npos;       ///< the offset in the buffer; `npos` if the kernel reads the constant in place

    constexpr auto is_copied() const -> bool { return offset != npos; }
  };

  vector<constant> constants;    ///< in the order of steps; in each step, the largest first
  std::size_t buffer_bytes = 0;  ///< the used size of the buffer

  /// Returns the number of bytes that one inference copies.
  constexpr auto copied_bytes() const -> std::uint64_t { return sum(true); }
  /// Returns the total size of the constants that are not copied. Kernels read these constants in place.
  constexpr auto in_place_bytes() const -> std::uint64_t { return sum(false); }

 private:
  constexpr auto sum(bool is_copied) const -> std::uint64_t {
    std::uint64_t bytes = 0;
    for (const auto& each : constants) bytes += each.is_copied() == is_copied ? each.bytes : 0;
    return bytes;
  }
};

}  // namespace baton

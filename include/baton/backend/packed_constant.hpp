// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A constant of a part in a blob, in the order and with the padding that a device reads.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <cstdint>

namespace baton {

/// A constant of the part as a loop nest that reads one element a step and writes it to the blob. The coordinate of an element along a
/// dimension is the sum of position times step of all loops over that dimension, so several loops over one dimension make tiles.
/// An element outside of the constant is written as padding. Example: weights [rows, columns] in tiles of 8 rows, column by column:
/// `{weights, {{.dimension = 0, .count = (rows + 7) / 8, .step = 8}, {.dimension = 1, .count = columns}, {.dimension = 0, .count = 8}}}`.
struct packed_constant {
  struct loop {
    std::uint32_t dimension = 0;  ///< of the constant
    std::uint32_t count = 0;
    std::uint32_t step = 1;  ///< in elements of that dimension
  };

  value_id value = none<value_id>;  ///< a placeholder of the part's root graph that owns its data
  vector<loop> loops{};             ///< outermost first; none: the bytes as they are
  char padding = 0;                 ///< every byte of an element outside
};

}  // namespace baton

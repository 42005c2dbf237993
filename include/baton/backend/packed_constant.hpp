// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A constant that is stored in processed bytes with the element order and the padding that a device requires. Processed bytes are the
// result of a backend's `preprocess` for a part. A part is the nodes of a graph that become one delegate.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <cstdint>

namespace baton {

/// A constant of a part, and a loop nest that copies it to the processed bytes. The body of the innermost loop copies one element. Each
/// loop contributes its index times `step` to the element's coordinate along `dimension`. So two loops with the same `dimension` produce
/// tiles. If a coordinate is outside the constant, the innermost loop writes padding instead of an element. Example: weights
/// [rows, columns] in tiles of 8 rows, where each tile is stored column by column:
/// `{weights, {{.dimension = 0, .count = (rows + 7) / 8, .step = 8}, {.dimension = 1, .count = columns}, {.dimension = 0, .count = 8}}}`.
struct packed_constant {
  struct loop {
    std::uint32_t dimension = 0;  ///< a dimension of the constant
    std::uint32_t count = 0;
    std::uint32_t step = 1;  ///< in elements along that dimension
  };

  value_id value = none<value_id>;  ///< a placeholder of the part's root graph, whose data the part owns
  vector<loop> loops{};             ///< outermost first; if there are no loops, the bytes are copied unchanged
  char padding = 0;                 ///< the value of every byte of an element outside the constant
};

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A constant of a part that is stored in a blob with the element order and the padding of a device.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <cstdint>

namespace baton {

/// A constant of a part, and a loop nest whose innermost body copies one element of it to the blob. The coordinate of the element along a
/// dimension is the sum of index times `step` over all loops over it. Two loops over one dimension thus produce tiles. An element
/// outside the constant is written as padding. Example: weights [rows, columns] in tiles of 8 rows, each tile column by column:
/// `{weights, {{.dimension = 0, .count = (rows + 7) / 8, .step = 8}, {.dimension = 1, .count = columns}, {.dimension = 0, .count = 8}}}`.
struct packed_constant {
  struct loop {
    std::uint32_t dimension = 0;  ///< of the constant
    std::uint32_t count = 0;
    std::uint32_t step = 1;  ///< in elements along that dimension
  };

  value_id value = none<value_id>;  ///< a placeholder of the part's root graph that owns its data
  vector<loop> loops{};             ///< outermost first; empty: the bytes are copied unchanged
  char padding = 0;                 ///< the value of every byte of an element outside the constant
};

}  // namespace baton

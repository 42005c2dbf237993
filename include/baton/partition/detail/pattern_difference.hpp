// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// In what a program differs from a pattern.
#pragma once

#include <baton/core/program.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// In what a part of a program differs from a pattern that is laid over it.
struct pattern_difference {
  enum kind : std::uint8_t {
    nothing,
    attribute,  ///< `position`: in the pattern's list
    more_attributes,
    operand_count,
    output_count,
    subgraphs,
    operand,           ///< `position`: which; it comes from another operator
    repeated_operand,  ///< `position`: which; it is another value than where the pattern has the same
    no_user,           ///< `position`: of the output that `user` should use
    several_uses,      ///< one node or value stands where the pattern has several
    not_all,           ///< nodes of the pattern that are not connected to this one
    used_elsewhere,    ///< `position`: of the output
    taken,
    path
  };
  kind what = nothing;
  node_id at = none<node_id>;      ///< of the program
  node_id wanted = none<node_id>;  ///< of the pattern, what stands there
  std::size_t position = 0;
  std::size_t position_in_pattern = 0;  ///< of an operand
  node_id user = none<node_id>;         ///< of the pattern
};

/// How well a pattern fits where it was laid, and what differs first.
struct pattern_fit {
  std::size_t score = 0;
  pattern_difference difference;
};

}  // namespace baton::detail

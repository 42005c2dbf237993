// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The comparison mode and the result of a pattern search.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

namespace baton {

/// Whether a pattern search compares the attributes of nodes.
enum class literals : bool { ignored, compared };

/// A match of a pattern in a program.
struct pattern_match {
  vector<node_id> nodes;          ///< indexed by node of the pattern: the matched node; `none` for nodes outside the pattern's root graph
  vector<value_id> placeholders;  ///< in the order of the pattern's inputs: the matched value of each placeholder
};

}  // namespace baton

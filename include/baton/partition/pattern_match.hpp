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
  vector<node_id> nodes;          ///< the matched node of each node of the pattern
  vector<value_id> placeholders;  ///< the matched value of each placeholder of the pattern
};

}  // namespace baton

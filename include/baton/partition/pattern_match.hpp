// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What is compared where a pattern is sought, and what is found.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

namespace baton {

/// Whether the attributes of nodes count where a pattern is sought.
enum class literals : bool { ignored, compared };

/// Where a pattern was found.
struct pattern_match {
  vector<node_id> nodes;          ///< by node of the pattern
  vector<value_id> placeholders;  ///< by placeholder of the pattern
};

}  // namespace baton

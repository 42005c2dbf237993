// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A list of nodes that a partitioner treats together.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

namespace baton {

/// Nodes, and placeholders of owned data, that a partitioner treats together.
struct node_list {
  vector<node_id> nodes;
  vector<value_id> placeholders{};
};

}  // namespace baton

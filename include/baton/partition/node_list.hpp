// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A group of nodes that a partitioner assigns to the same part (the nodes of a graph that become one delegate).
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

namespace baton {

/// A group of nodes, and of placeholders of owned data (parameters, buffers and constants), that a partitioner assigns to the same part.
struct node_list {
  vector<node_id> nodes;
  vector<value_id> placeholders{};
};

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A list of nodes, the input of the partitioners `by_lists`, `by_groups` and `by_config`.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

namespace baton {

/// A list of nodes, and of placeholders (inputs of a graph) with owned data: parameters, buffers and constants. `by_lists` delegates all
/// nodes of a list, and may split them between parts. A part is the nodes of a graph that become one delegate. For `by_groups` and
/// `by_config`, a list is a group: its delegated nodes are in one part.
struct node_list {
  vector<node_id> nodes;
  vector<value_id> placeholders{};
};

}  // namespace baton

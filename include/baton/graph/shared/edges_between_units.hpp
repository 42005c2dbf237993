// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The edges between sets of items.
#pragma once

#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include <cstdint>

namespace baton {

/// Returns the edges whose items are in different units, as pairs of units. Units are disjoint sets of items; `unit_of` contains the unit
/// of each item.
constexpr auto edges_between_units(const vector<edge>& edges, const vector<std::uint32_t>& unit_of) -> vector<edge> {
  vector<edge> between;
  for (const auto& [from, to] : edges) {
    if (unit_of[from] != unit_of[to]) between.emplace_back(unit_of[from], unit_of[to]);
  }
  return between;
}

}  // namespace baton

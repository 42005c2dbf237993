// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What holds of every model that is planned by rows: its segments are asked for in constants, an observer is told of each node once.
#pragma once

#include <baton/baton.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace streamed {

template <auto& Model>
using executor = baton::executor<Model, baton::planned_by<baton::memory_policies::row_streaming>>;

/// Whether a segment of a plan is of the nodes from `first` to `last`.
template <class Net>
constexpr auto is_segment(std::size_t index, std::uint32_t first, std::uint32_t last) -> bool {
  const auto segments = Net::plan().streams.segments;
  return index < segments.size() && segments[index].first == first && segments[index].last() == last;
}

/// How often an observer is told of each node, before and after.
template <std::size_t Nodes>
struct counter {
  std::array<int, Nodes> before_node{};
  std::array<int, Nodes> after_node{};

  template <class Call>
  void before(const Call&) {
    ++before_node[Call::index];
  }
  template <class Call>
  void operator()(const Call&) {
    ++after_node[Call::index];
  }
};

template <auto& Model>
void check_observed_once(executor<Model>& net) {
  counter<std::remove_cvref_t<decltype(Model)>::value().nodes.size()> times;
  net.run(times);
  for (std::size_t n = 0; n < times.after_node.size(); ++n) {
    CHECK(times.before_node[n] == 1);
    CHECK(times.after_node[n] == 1);
  }
}

}  // namespace streamed

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks of row-streamed models: their segments in constant expressions, and that an observer is notified of each node once.
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

/// True if a segment of the plan consists of the nodes from `first` to `last`.
template <class Net>
constexpr auto is_segment(std::size_t index, std::uint32_t first, std::uint32_t last) -> bool {
  const auto segments = Net::plan().streams.segments;
  return index < segments.size() && segments[index].first == first && segments[index].last() == last;
}

/// Counts how often an observer is notified before and after each node.
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

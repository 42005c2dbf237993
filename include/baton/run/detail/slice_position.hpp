// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The position of an inference that runs in slices.
#pragma once

#include <baton/plan/schedule.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The position in a segment that is computed row by row. All zero before its first row.
template <std::size_t Nodes>
struct segment_position {
  std::array<std::int32_t, Nodes> rows{};  ///< number of computed rows of each node
  std::int32_t summed = 0;                 ///< number of rows that are added to the sum of the last node
};
template <>
struct segment_position<0> {};

/// The position of an inference. `Nodes` is the maximum number of nodes of a segment.
template <std::size_t Nodes>
struct slice_position {
  /// The step of the root graph that the next slice runs or continues, counted from 1; 0 if no inference is in progress.
  std::uint16_t next = 0;
  std::uint16_t method = 0;  ///< the method to which `next` belongs, if methods share this position
  [[no_unique_address]] segment_position<Nodes> segment{};
};

/// The position of an executor that does not run in slices.
struct no_slice_position {};

/// Returns the maximum number of nodes of the segments of the root graph.
template <class Execution>
constexpr auto max_segment_nodes() -> std::size_t {
  std::size_t nodes = 0;
  if constexpr (!Execution::view().graphs.empty()) {
    constexpr auto steps = Execution::tables.steps[0];
    for (auto s = steps.first; s < steps.first + steps.size; ++s) {
      const auto& step = Execution::tables.step[s];
      if (step.kind == step_kind::rows && step.nodes.size > nodes) nodes = step.nodes.size;
    }
  }
  return nodes;
}

}  // namespace baton::detail

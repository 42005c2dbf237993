// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The position of an inference that runs in slices. A slice is the work of one call of `step` (see `in_slices`).
#pragma once

#include <baton/core/program.hpp>
#include <baton/plan/schedule.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace baton::detail {

/// The position in a segment (consecutive nodes that run row by row, see `stream_segment`), or in a cut node. A node is cut into slices of
/// rows, or of chunks (small parts of its output, see `kernel_facts::chunks`). All members are zero at the start.
template <std::size_t Nodes>
struct segment_position {
  std::array<std::int32_t, Nodes> rows{};  ///< the number of computed rows of each node of a segment; for a cut node, element 0 is the
                                           ///< number of its computed rows or chunks
  std::int32_t summed = 0;                 ///< the number of operand rows that the last node of a segment has added to its sums

  constexpr auto is_at_start() const -> bool {
    return std::all_of(rows.begin(), rows.end(), [](std::int32_t computed) { return computed == 0; });
  }
};
template <>
struct segment_position<0> {
  static constexpr auto is_at_start() -> bool { return true; }
};

/// The position of an inference. `Nodes` is the maximum number of nodes whose rows are counted at the same time.
template <std::size_t Nodes>
struct slice_position {
  /// The step of the root graph that the next slice runs or continues, counted from 1; 0 if no inference is in progress.
  std::uint16_t next = 0;
  std::uint16_t method = 0;  ///< the method to which `next` belongs, if methods share this position
  [[no_unique_address]] segment_position<Nodes> segment{};

  constexpr auto is_at_start() const -> bool { return next == 1 && segment.is_at_start(); }
};

/// True if `slice_position::next` can represent every step of the root graph, and the position after the last step.
constexpr auto can_count_steps(std::size_t steps) -> bool { return steps < std::numeric_limits<decltype(slice_position<0>::next)>::max(); }

/// Fails at compile time if the root graph has too many steps for a `slice_position`.
template <std::size_t Steps>
consteval auto require_countable_steps() -> bool {
  constexpr bool are_countable = can_count_steps(Steps);
  static_assert(are_countable,
                "baton executor: the root graph has too many steps for slices, more than 65534; remove in_slices, or divide the program");
  return are_countable;
}

/// The position of an executor that does not run in slices.
struct no_slice_position {};

/// Returns the division of the node of step `S` into slices. Only a node that a kernel computes can be cut.
template <class Execution, std::uint64_t MaxOperations, std::uint32_t S>
consteval auto cut_of_step() -> typename Execution::node_cut {
  constexpr schedule_step step = Execution::tables.step[S];
  if constexpr (step.kind == step_kind::kernel) {
    return Execution::template cut<index(Execution::tables.node[step.nodes.first]), MaxOperations>;
  } else {
    return {};
  }
}

/// Returns the maximum number of nodes of the root graph whose rows are counted at the same time. This is the number of nodes of the
/// segment with the most nodes, but at least 1 if a node is cut.
template <class Execution, std::uint64_t MaxOperations>
consteval auto max_counted_nodes() -> std::size_t {
  std::size_t nodes = 0;
  if constexpr (!Execution::view().graphs.empty()) {
    constexpr auto steps = Execution::tables.steps[0];
    for (auto s = steps.first; s < steps.first + steps.size; ++s) {
      const auto& step = Execution::tables.step[s];
      if (step.kind == step_kind::rows && step.nodes.size > nodes) nodes = step.nodes.size;
    }
    if constexpr (Execution::template cuts_nodes<MaxOperations>) {
      [&]<std::uint32_t... S>(std::integer_sequence<std::uint32_t, S...>) {
        const std::array<bool, steps.size> is_cut{cut_of_step<Execution, MaxOperations, steps.first + S>().is_cut()...};
        if (std::any_of(is_cut.begin(), is_cut.end(), [](bool is) { return is; })) nodes = std::max<std::size_t>(nodes, 1);
      }(std::make_integer_sequence<std::uint32_t, steps.size>{});
    }
  }
  return nodes;
}

}  // namespace baton::detail

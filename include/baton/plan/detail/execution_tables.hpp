// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An execution plan in arrays. The array sizes are computed from the program at compile time.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/locations.hpp>
#include <baton/plan/shared/memory_locations.hpp>
#include <baton/plan/shared/regions.hpp>
#include <baton/plan/shared/row_graph.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The outcome of planning.
struct execution_outcome {
  static_failure why{};
  bool is_planned = false;
  std::uint64_t arena_bytes = 0;
  std::uint64_t lower_bound = 0;
  memory_regions used{};       ///< the used bytes of the fast and the slow region, if the arena is split
  std::size_t alignment = 0;   ///< the alignment of the arena, in bytes
  std::size_t states = 0;      ///< the number of used elements of `execution_tables::states`
  std::size_t copies = 0;      ///< the number of used elements of `execution_tables::copy`
  bool has_states = false;     ///< whether a graph that runs has mutable buffers or variables
  bool has_variables = false;  ///< whether a graph that runs has resource variables
};

/// A mutable buffer, and its location in the memory of the root graph.
struct state_location {
  value_id buffer = none<value_id>;
  memory_location location{};
};

/// Upper bounds of the list sizes of an execution plan, for every possible set of graphs that run. A mutation is the copy of a new value to
/// a mutable buffer. It counts as two copies, because a cycle of copies needs one more copy. In a cycle, each copy overwrites the source of
/// another copy, so one value is saved first. Each cycle contains a mutation. Several calls of a graph do not multiply these copies,
/// because planning fails with `shared_state` if a graph with mutable buffers has several callers.
struct execution_limits {
  std::size_t states = 0;
  std::size_t outputs = 0;
  std::size_t copies = 0;

  constexpr explicit execution_limits(const program_view& program) {
    for (const auto& record : program.values) states += record.kind == value_kind::mutable_buffer ? 1 : 0;
    if (program.graphs.empty()) return;
    outputs = program.outputs_of(program.root()).size();
    copies = outputs;
    for (const auto& spec : program.outputs) copies += spec.kind == output_kind::buffer_mutation ? 2 : 0;
    for (const auto& record : program.nodes) {
      copies += record.outputs.size * (record.subgraphs.size + (record.delegate != none<delegate_id> ? 1 : 0));
    }
  }
};

/// The array sizes of `execution_tables`: the number of records of each kind in the program.
struct table_sizes {
  std::size_t graphs = 0;
  std::size_t nodes = 0;
  std::size_t values = 0;
  std::size_t delegates = 0;
  std::size_t streamed = 0;  ///< the number of nodes if the policy supports segments (consecutive nodes that run row by row), else 0
  std::size_t bound = 0;     ///< the number of bound values (`bound_tensors`)
};

/// An execution plan in arrays, indexed by node, value or delegate of the program, or by position in the schedule. Only the mutable buffers
/// and copies of graphs that run are listed.
template <table_sizes Sizes, std::size_t States, std::size_t Outputs, std::size_t Copies>
struct execution_tables {
  execution_outcome outcome{};
  std::array<std::uint32_t, Sizes.nodes> kernel{};         ///< see `execution_plan::kernels`
  std::array<memory_location, Sizes.nodes> scratch{};      ///< the scratch of the node, or the memory of the graphs that it calls
  std::array<std::uint32_t, Sizes.nodes> scratch_bytes{};  ///< the scratch of the node's kernel
  std::array<memory_location, Sizes.values> location{};
  std::array<bool, Sizes.delegates> runs_original{};
  std::array<state_location, States> states{};
  std::array<memory_location, Outputs> output{};  ///< see `execution_plan::outputs`
  std::array<copy_locations, Copies> copy{};      ///< see `execution_plan::copies`
  std::array<write_order, Sizes.nodes> order{};
  std::array<node_id, Sizes.nodes> node{};                 ///< see `schedule::nodes`
  std::array<schedule_step, Sizes.nodes + Copies> step{};  ///< see `schedule::steps`
  std::array<range, Sizes.graphs> steps{};                 ///< see `schedule::graph_steps`
  std::array<schedule::copies_of_call, Copies> copies{};   ///< see `schedule::copies`
  std::array<kept_rows, Sizes.streamed> kept{};  ///< indexed by position in the schedule; empty if the policy does not support segments
  std::array<memory_location, Sizes.streamed> memory{};  ///< indexed by position in the schedule: the memory of the node's segment

  std::array<std::uint32_t, Sizes.bound> bound_overreads{};  ///< see `execution_plan::bound_overreads`
  memory_location addresses{};                               ///< the table of the addresses of bound values

  constexpr void fill(const program_view& program, const execution_plan& plan) {
    outcome.is_planned = true;
    outcome.arena_bytes = plan.memory.arena_bytes;
    outcome.used = plan.memory.used;
    outcome.lower_bound = plan.memory.lower_bound;
    outcome.alignment = plan.memory.alignment;
    std::copy(plan.kernels.begin(), plan.kernels.end(), kernel.begin());
    std::copy(plan.scratch_bytes.begin(), plan.scratch_bytes.end(), scratch_bytes.begin());
    std::copy(plan.locations.begin(), plan.locations.end(), location.begin());
    std::copy(plan.outputs.begin(), plan.outputs.end(), output.begin());
    std::copy(plan.copies.begin(), plan.copies.end(), copy.begin());
    outcome.copies = plan.copies.size();
    std::copy(plan.memory.orders.begin(), plan.memory.orders.end(), order.begin());
    for (std::uint32_t n = 0; n < plan.kernels.size(); ++n) scratch[n] = location_of_scratch(program, plan.memory, n);
    for (std::size_t d = 0; d < plan.calls.runs_original.size(); ++d) runs_original[d] = plan.calls.runs_original[d] != 0;
    for (const auto id : states_of(program, plan.calls)) {
      states[outcome.states++] = {id, location_in(plan.memory, graph_id{0}, plan.memory.offset_of(id))};
    }
    std::copy(plan.memory.steps.nodes.begin(), plan.memory.steps.nodes.end(), node.begin());
    std::copy(plan.memory.steps.steps.begin(), plan.memory.steps.steps.end(), step.begin());
    std::copy(plan.memory.steps.graph_steps.begin(), plan.memory.steps.graph_steps.end(), steps.begin());
    std::copy(plan.memory.steps.copies.begin(), plan.memory.steps.copies.end(), copies.begin());
    if constexpr (Sizes.bound != 0) {
      std::copy(plan.bound_overreads.begin(), plan.bound_overreads.end(), bound_overreads.begin());
      addresses = location_in(plan.memory, graph_id{0}, plan.memory.offset_of_addresses());
    }
    if constexpr (Sizes.streamed != 0) {
      const auto& streams = plan.memory.streams;
      for (const auto& segment : streams.segments) {
        std::copy_n(streams.kept_of(segment).begin(), segment.count, kept.begin() + segment.first);
        for (auto n = segment.first; n <= segment.last(); ++n) {
          auto& at = scratch[index(node[n])];
          memory[n] = at;
          at.offset += segment.scratch_offset;
        }
      }
    }
    for (const auto& record : program.values) {
      if (!plan.calls.runs(record.graph)) continue;
      outcome.has_states = outcome.has_states || is_state(record);
      outcome.has_variables = outcome.has_variables || record.type == dtype::resource;
    }
  }
};

}  // namespace baton::detail

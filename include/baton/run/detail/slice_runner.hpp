// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the root graph of a static program in slices. A slice is the work of one call of `step` (see `in_slices`).
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernel/shared/visible_accesses.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/run/detail/graph_runner.hpp>
#include <baton/run/detail/segment_runner.hpp>
#include <baton/run/detail/slice_position.hpp>
#include <baton/run/detail/weight_copier.hpp>
#include <baton/run/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// A `graph_runner` that runs one slice of the root graph. A slice is one of these:
/// - one step of the schedule;
/// - some rows of a segment (consecutive nodes that run row by row, see `stream_segment`);
/// - some units of a node that is cut. The units are rows, or chunks (small parts of the output, see `kernel_facts::chunks`). A node is cut
///   only if it exceeds `MaxOperations` operations, or the maximum number of instructions of a slice.
template <class Execution, class Owner, class Observer, std::uint64_t MaxOperations>
class slice_runner : graph_runner<Execution, Owner, Observer> {
  using runner = graph_runner<Execution, Owner, Observer>;
  using weights = weight_copier<Execution>;

 public:
  using runner::runner;

  /// Runs the next slice at the base address `base`, and moves `at` to the following slice. After the last slice, or if a node fails, sets
  /// `at.next` to 0, so that no inference is in progress. Returns false if a node failed.
  template <class Position>
  auto run_slice(char* base, Position& at) -> bool {
    base = visible_accesses::opaque(base);
    constexpr auto steps = Execution::tables.steps[0];
    if (at.is_at_start()) weights::begin();
    if constexpr (steps.size != 0) {
      static_cast<void>(require_countable_steps<steps.size>());
      switch (run_one<steps.first, steps.size>(base, at, steps.first + at.next - 1)) {
        case end_of_slice::failure:
          at.next = 0;
          return weights::end_after_failure();
        case end_of_slice::inside_step:
          return true;
        case end_of_slice::after_step:
          break;
      }
      at.segment = {};
    }
    if (at.next++ < steps.size) return true;
    at.next = 0;
    runner::template finish<none<node_id>, graph_id{0}>(base, 0);
    return true;
  }

 private:
  enum class end_of_slice : std::uint8_t { failure, inside_step, after_step };

  /// Runs a slice of step `step`, which is one of the steps `First` to `First + Count - 1`. Selects the step by a binary search, without a
  /// table of functions.
  template <std::uint32_t First, std::uint32_t Count, class Position>
  auto run_one(char* base, Position& at, [[maybe_unused]] std::uint32_t step) -> end_of_slice {
    if constexpr (Count != 1) {
      if (step < First + Count / 2) return run_one<First, Count / 2>(base, at, step);
      return run_one<First + Count / 2, Count - Count / 2>(base, at, step);
    } else {
      constexpr schedule_step only = Execution::tables.step[First];
      if constexpr (cut_of_step<Execution, MaxOperations, First>().is_cut()) {
        if constexpr (weights::has_copies) {
          if (at.segment.rows[0] == 0) weights::template before_step<First>();
        }
        return run_units<First>(base, at.segment.rows[0]) ? end_of_slice::after_step : end_of_slice::inside_step;
      } else if constexpr (only.kind == step_kind::rows) {
        if constexpr (weights::has_copies) {
          if (at.segment.is_at_start()) weights::template before_step<First>();
        }
        segment_runner<Execution, Observer, only.nodes.first, only.nodes.size> segment(base, runner::observer_);
        return segment.run_slice(at.segment) ? end_of_slice::after_step : end_of_slice::inside_step;
      } else {
        return runner::template run_step<First>(base) ? end_of_slice::after_step : end_of_slice::failure;
      }
    }
  }

  /// Computes the units of the next slice of step `S`, whose node is cut. Does not notify the observer. `done` is the number of computed
  /// units, and is updated. Returns true if the node is complete.
  template <std::uint32_t S, class Count>
  auto run_units(char* base, Count& done) -> bool {
    constexpr auto n = index(Execution::tables.node[Execution::tables.step[S].nodes.first]);
    constexpr auto cut = cut_of_step<Execution, MaxOperations, S>();
    constexpr auto units = cut.selected();
    using kernel = typename Execution::template kernel_type<n>;
    const typename weights::template call_of<n> call{base};
    const Count end = std::min(done + units.units_per_slice, units.units);
    for (Count unit = done; unit < end; unit += units.units_per_call()) {
      const auto part = units.units_of_call(unit / units.units_per_call());
      if constexpr (cut.is_by_chunks) {
        kernel::compute_chunks(call, part.first, part.last);
      } else {
        kernel::compute_rows(call, part.first, part.last);
      }
    }
    done = end;
    return end == units.units;
  }
};

/// Runs one inference of an executor, slice by slice. Returns `ok` or the status of the failure. The return type is `void` if the executor
/// cannot fail.
template <class Net>
auto run_slices(Net& net) -> typename Net::run_result {
  if constexpr (Net::can_fail) {
    auto code = net.start();
    while (code == status::ok) code = net.step();
    return code == status::end_of_method ? status::ok : code;
  } else {
    net.start();
    while (net.step() == status::ok) {
    }
  }
}

}  // namespace baton::detail

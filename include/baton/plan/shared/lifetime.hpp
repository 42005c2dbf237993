// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The lifetimes of the values of a graph.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/plan/detail/variables.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/chosen_schedule.hpp>
#include <baton/plan/shared/end_copies.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/locations.hpp>
#include <baton/plan/shared/pinned_states.hpp>
#include <baton/plan/shared/regions.hpp>
#include <baton/plan/shared/round_up.hpp>
#include <baton/plan/shared/rules.hpp>
#include <baton/plan/shared/streams.hpp>
#include <baton/plan/storage_map.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// The memory needs of a program. An entry is one contiguous piece of memory. An entry contains one of these:
/// - a value, or a value that is saved at the end of a graph;
/// - the scratch of a delegate or a kernel;
/// - the memory of called graphs;
/// - the rows that a segment (consecutive nodes that run row by row, see `stream_segment`) keeps;
/// - the table of the addresses of bound values (values in buffers of the caller).
struct memory_needs {
  vector<lifetime> lifetimes;             ///< indexed by entry, graph by graph: the size of the entry, and the steps in which it is live
  vector<std::uint32_t> value_entries;    ///< indexed by value: the entry of the value, or `npos` if there is none
  vector<std::uint32_t> scratch_entries;  ///< indexed by node: the entry of the node's scratch, called graphs or segment, or `npos`
  vector<planned_copy> copies;            ///< the copies at the end of graphs
  vector<distance> distances;             ///< graph by graph: the pairs of entries that may overlap, and how far
  std::uint32_t address_entry = npos;     ///< the entry of the table of the addresses of bound values, or `npos` if no value is bound
  /// Indexed by value: the value's offset in its entry, or `whole` if the value fills the entry; empty if no value has an offset.
  vector<std::uint64_t> within;

  static constexpr std::uint64_t whole = UINT64_MAX;
  /// True if a value has an offset in its entry, because it is stored as a part of another value or of scratch.
  constexpr auto is_nested(value_id id) const -> bool { return !within.empty() && within[index(id)] != whole; }
};

/// The distance (how far an operand and an output may overlap, see `min_distance`) that a kernel declares for an operand that is not read
/// later.
struct declared_distance {
  std::uint32_t node = 0;  ///< the index of the node in the program
  value_id input = none<value_id>;
  value_id output = none<value_id>;
  min_distance min{};
};

/// The input of memory planning, in addition to the program. Members are views. A list is empty if the program has no such elements.
struct memory_request {
  /// The memory that contains each value. Null means that no value is stored inside another value, except that the buffers of one state
  /// share memory. Only `plan_memory` accepts null.
  const storage_map* storage = nullptr;
  std::uint32_t overread_bytes = 0;           ///< the maximum number of bytes that a backend or a kernel reads past an operand
  pinned_states pinned{};                     ///< mutable buffers with fixed offsets
  memory_regions regions{};                   ///< the fast and the slow region of the arena, if it is split
  span<const declared_distance> distances{};  ///< sorted by node
  span<const std::uint32_t> scratch_bytes{};  ///< indexed by node of the program: the bytes of its kernel's scratch
  const schedule* order = nullptr;            ///< null means program order; only `plan_memory` accepts null
  const stream_plan* streams = nullptr;       ///< the segments of the root, which are steps of `order`; null if there are none
  std::uint32_t address_bytes = 0;            ///< the size of the table of the addresses of bound values
};

namespace detail {

/// A collector of lifetimes, graph by graph.
class lifetime_scan {
 public:
  constexpr lifetime_scan(const program_view& program, const graph_calls& calls, std::uint32_t alignment, const memory_request& request)
      : program_(program),
        calls_(calls),
        alignment_(alignment),
        request_(request) {
    needs_.value_entries.assign(program.values.size(), npos);
    needs_.scratch_entries.assign(program.nodes.size(), npos);
    needs_.copies = plan_end_copies(program, calls, *request.storage);
  }

  /// Adds the entries of a graph. `bytes_of_graph` is the memory size of each graph; only the elements of graphs that `id` calls are read.
  /// Fails with `dynamic_shape` if the size of a value in memory is unknown.
  constexpr auto add_graph(graph_id id, span<const std::uint64_t> bytes_of_graph) -> failure {
    bytes_of_graph_ = bytes_of_graph;
    const auto& graph = program_[id];
    const auto end = request_.order->graph_steps[index(id)].size;
    for (const auto input : program_.inputs(graph)) {
      touch(input, 0);
      if (program_[input].kind == value_kind::mutable_buffer) touch(input, end);
    }
    const auto* const steps = request_.order->steps.data() + request_.order->graph_steps[index(id)].first;
    const auto* const nodes = request_.order->nodes.data();
    for (std::uint32_t step = 0; step < end; ++step) {
      const auto& planned = steps[step];
      if (planned.kind == step_kind::rows) {
        add_segment(planned, step);
      } else {
        add_node(index(nodes[planned.nodes.first]), step);
      }
    }
    for (const auto& spec : program_.outputs_of(graph)) touch(spec.value, end);
    add_saved_values(id, end);
    if (index(id) == 0) {
      add_addresses(end);
      add_states(end);
      add_variables(end);
    }
    if (unsized_ == none<value_id>) return {};
    return broken<"dynamic_shape">("value ", program_.text(program_[unsized_].name));
  }
  constexpr auto needs() -> memory_needs& { return needs_; }

 private:
  constexpr void touch_values_of(const node& record, std::uint32_t step) {
    for (const auto input : program_.inputs(record)) {
      if (input != none<value_id>) touch(input, step);
    }
    for (const auto output : program_.outputs_of(record)) touch(output, step);
  }
  /// Adds one entry for the nodes of a segment. The entry contains the rows that the segment keeps, and the scratch of its kernels.
  constexpr void add_segment(const schedule_step& planned, std::uint32_t step) {
    const auto bytes = request_.streams->segment_of(planned.nodes.first)->bytes;
    auto memory = npos;
    for (const auto n : request_.order->nodes_of(planned)) {
      touch_values_of(program_[n], step);
      if (memory == npos && bytes != 0) memory = add(step, bytes);
      needs_.scratch_entries[index(n)] = memory;
    }
  }
  constexpr void add_node(std::uint32_t at, std::uint32_t step) {
    touch_values_of(program_.nodes[at], step);
    if (needs_.scratch_entries[at] != npos) {
      extend(needs_.scratch_entries[at], step);
    } else if (const auto bytes = scratch_of(at); bytes != 0) {
      needs_.scratch_entries[at] = add(step, bytes);
    }
  }
  /// Returns the bytes of scratch of a node: the memory that the node's kernel, delegate or called graphs need.
  constexpr auto scratch_of(std::uint32_t at) const -> std::uint64_t {
    const auto& record = program_.nodes[at];
    std::uint64_t bytes = request_.scratch_bytes.empty() ? 0 : request_.scratch_bytes[at];
    if (record.delegate != none<delegate_id>) bytes = lowered_module_view(program_, record.delegate).scratch_bytes();
    for (const auto inner : graphs_run_by(program_, record, calls_.runs_original)) bytes = std::max(bytes, bytes_of_graph_[index(inner)]);
    return bytes;
  }

  /// Adds the entries for saved values. A copy at the end of the graph saves a value before another copy overwrites it. A saved value is
  /// live only in the last step, in which the outputs are read. All other lifetimes begin earlier.
  constexpr void add_saved_values(graph_id id, std::uint32_t end) {
    auto exchanged = npos;
    for (auto& copy : needs_.copies) {
      if (copy.graph != id || copy.to != none<value_id>) continue;
      if (copy.reason == copy_reason::old_output || exchanged == npos) {
        copy.memory = add(end, copy.bytes);
        if (copy.reason == copy_reason::exchange) exchanged = copy.memory;
      } else {  // exchanges are executed one at a time, so all of them use one entry
        copy.memory = exchanged;
        auto& bytes = needs_.lifetimes[exchanged].bytes;
        bytes = std::max(bytes, round_up(copy.bytes, alignment_));
      }
    }
  }

  /// Adds the table of the addresses of bound values. A run writes the table before the first step, so the table is live in all steps.
  constexpr void add_addresses(std::uint32_t end) {
    if (request_.address_bytes == 0) return;
    needs_.address_entry = add(0, request_.address_bytes);
    needs_.lifetimes[needs_.address_entry].last = end;
  }

  /// Adds the mutable buffers of called graphs to the entries of the root, because buffers keep their values between runs. Buffers of one
  /// state share an entry.
  constexpr void add_states(std::uint32_t end) {
    for (std::size_t g = 1; g < calls_.order.size(); ++g) {
      for (const auto input : program_.inputs(program_[calls_.order[g]])) {
        if (program_[input].kind != value_kind::mutable_buffer) continue;
        const auto at = (*request_.storage)[input];
        const auto first = at.why == storage_reason::one_state ? static_cast<value_id>(at.id) : input;
        auto& entry = needs_.value_entries[index(first)];
        if (entry == npos) entry = add(0, bytes_of(input));
        needs_.lifetimes[entry].last = end;
        needs_.value_entries[index(input)] = entry;
      }
    }
  }

  /// Adds the resource variables. A handle has no memory of its own, so the entry of a handle is the entry of the variable.
  constexpr void add_variables(std::uint32_t end) {
    const auto list = variables_of(program_, calls_);
    for (const auto& variable : list.variables) {
      if (variable.largest == none<value_id>) continue;
      const auto entry = add(0, bytes_of(variable.largest));
      needs_.lifetimes[entry].last = end;
      for (const auto handle : span{list.handles}.subspan(variable.handles.first, variable.handles.size)) {
        needs_.value_entries[index(handle)] = entry;
      }
    }
  }

  constexpr auto add(std::uint32_t step, std::uint64_t bytes) -> std::uint32_t {
    needs_.lifetimes.push_back({step, step, round_up(bytes, alignment_)});
    return static_cast<std::uint32_t>(needs_.lifetimes.size() - 1);
  }

  constexpr auto bytes_of(value_id id) -> std::uint64_t {
    const auto bytes = byte_count(program_[id].type, program_.shape(id));
    if (bytes < 0 && unsized_ == none<value_id>) unsized_ = id;
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes));
  }

  /// Extends the lifetime of an entry so that it includes a step.
  constexpr void extend(std::uint32_t entry, std::uint32_t step) {
    auto& life = needs_.lifetimes[entry];
    life.first = std::min(life.first, step);
    life.last = std::max(life.last, step);
  }

  // Extends the lifetime of the memory that contains a value: the value's own memory, the memory of another value, or scratch.
  constexpr void touch(value_id id, std::uint32_t step) {
    if (!needs_memory(program_[id])) return;
    if (request_.storage->is_own(id)) {
      const auto& record = program_[id];
      if (record.type == dtype::resource || (is_state(record) && index(record.graph) != 0)) return;
      auto& entry = needs_.value_entries[index(id)];
      if (entry == npos) entry = add(step, bytes_of(id));
      extend(entry, step);
    } else {
      touch_nested(id, step);
    }
  }
  /// Same as `touch`, for a value that has no memory of its own.
  constexpr void touch_nested(value_id id, std::uint32_t step) {
    const auto root = request_.storage->root_of(id);
    const auto& record = program_[root.value];
    const auto at = (*request_.storage)[root.value];
    if (at.in == container::rows) return;
    if (!needs_memory(record) || record.type == dtype::resource || (is_state(record) && index(record.graph) != 0)) return;
    if (at.why == storage_reason::from_caller || at.in == container::bound) {
      static_cast<void>(bytes_of(root.value));
      return;
    }
    auto& entry = root.node == npos ? needs_.value_entries[index(root.value)] : needs_.scratch_entries[root.node];
    if (entry == npos) entry = add(step, root.node == npos ? bytes_of(root.value) : scratch_of(root.node));
    extend(entry, step);
    needs_.value_entries[index(id)] = entry;
    if (!root.is_part) return;
    if (needs_.within.empty()) needs_.within.assign(program_.values.size(), memory_needs::whole);
    needs_.within[index(id)] = root.offset;
  }

  program_view program_;
  const graph_calls& calls_;
  std::uint32_t alignment_;
  memory_request request_;
  span<const std::uint64_t> bytes_of_graph_{};  // the argument of `add_graph`
  memory_needs needs_;
  value_id unsized_ = none<value_id>;  // the first value in memory whose size is unknown
};

}  // namespace detail

/// Returns the lifetimes of the root graph. The memory of called graphs is not included. A user input is live from the first step to its
/// last use. An output is live from its producer until the caller reads the outputs. A scratch value is live from its first use to its last
/// use. Mutable buffers and resource variables are always live. Constants need no memory. A value of unknown size counts as 0 bytes.
/// O(nodes + operands).
constexpr auto lifetimes(const program_view& program, std::uint32_t alignment, const storage_map& storage = {}) -> memory_needs {
  graph_calls root_alone;
  root_alone.order.push_back(graph_id{0});
  const vector<std::uint64_t> no_bytes(program.graphs.size(), std::uint64_t{0});
  const auto order = make_schedule(program, root_alone);
  detail::lifetime_scan scan(program, root_alone, alignment, {.storage = &storage, .order = &order.value});
  static_cast<void>(scan.add_graph(graph_id{0}, no_bytes));
  return std::move(scan.needs());
}

}  // namespace baton

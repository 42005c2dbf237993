// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The division of a node outside of segments (`stream_segment`) into slices. A slice is the work of one call of `step` (see `in_slices`). A
// slice consists of rows, or of chunks (small parts of the output, see `kernel_facts::chunks`).
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel_costs.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/shared/output_elements.hpp>
#include <baton/plan/detail/uneven_rows.hpp>
#include <baton/plan/shared/memory_locations.hpp>
#include <baton/plan/shared/row_graph.hpp>
#include <baton/plan/shared/row_operands.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The units (rows or chunks of a node) [`first`, `last`).
struct range_of_units {
  std::int32_t first = 0;
  std::int32_t last = 0;

  constexpr auto operator==(const range_of_units&) const -> bool = default;
};

/// Returns the maximum cost of `units` units, rounded up. The node has `all` units, with a total cost of `total`. The most expensive unit
/// exceeds an equal share of this cost by `uneven_percent` percent.
constexpr auto largest_share(std::uint64_t total, std::uint64_t units, std::uint64_t all, std::uint64_t uneven_percent) -> std::uint64_t {
  return std::min(total, (total * units * (100 + uneven_percent) + 100 * all - 1) / (100 * all));
}

/// The division of a node into slices of equal units: rows (`compute_rows`) or chunks (`compute_chunks`). By default, the node cannot be
/// cut. A step is the smallest number of units that a slice may have. Only the slice that contains the last unit may have fewer.
struct unit_cut {
  std::int32_t units = 0;            ///< the number of rows of the output, or of chunks; 0 if the node cannot be cut
  std::int32_t units_per_step = 1;   ///< `kernel_facts::rows_per_step`, or 1
  std::int32_t units_per_slice = 0;  ///< a multiple of `units_per_step`, or `units` if one slice computes the whole node
  /// True if an operand overlaps the output, and the units are rows. In this case, each call of `compute_rows` computes `units_per_step`
  /// rows, because the declared `min_distance` is valid only for such calls. If false, one call computes a whole slice.
  bool is_overlapped = false;
  /// True if an operand overlaps the output, and the node must write its output in descending order. Then the steps of rows are computed in
  /// descending order, beginning with the last step.
  bool is_descending = false;
  /// The percentage by which the cost of the most expensive unit exceeds an equal share of the node's cost.
  std::uint32_t uneven_percent = 0;

  constexpr auto is_cut() const -> bool { return units_per_slice < units; }
  constexpr auto units_per_call() const -> std::int32_t { return is_overlapped ? units_per_step : units_per_slice; }
  constexpr auto slices() const -> std::int32_t { return is_cut() ? (units + units_per_slice - 1) / units_per_slice : 1; }
  /// Returns the units of call number `call`, counted from 0 in the order of the calls. Each call computes `units_per_call()` units. Only
  /// the call that computes the last unit may compute fewer.
  constexpr auto units_of_call(std::int32_t call) const -> range_of_units {
    const auto calls = (units + units_per_call() - 1) / units_per_call();
    const auto first = (is_descending ? calls - 1 - call : call) * units_per_call();
    return {first, std::min(first + units_per_call(), units)};
  }

  /// Returns an upper bound of the cost of the longest slice. `whole` is the cost of the uncut node. `added` is the additional cost of
  /// cutting the node.
  constexpr auto slice_cost(std::uint64_t whole, node_cost::cut added) const -> std::uint64_t {
    if (!is_cut()) return whole;
    const auto all = static_cast<std::uint64_t>(units);
    const auto calls = (units_per_slice + units_per_call() - 1) / units_per_call();
    const auto total = whole + added.in_total;
    return largest_share(total, static_cast<std::uint64_t>(units_per_slice), all, uneven_percent) +
           added.per_call * static_cast<std::uint64_t>(calls) + added.at_first;
  }
  /// Returns the additional cost of all slices.
  constexpr auto added_cost(node_cost::cut added) const -> std::uint64_t {
    if (!is_cut()) return 0;
    return added.in_total + added.per_call * static_cast<std::uint64_t>((units + units_per_call() - 1) / units_per_call());
  }

  /// Cuts the node into the smallest number of slices, each of which costs at most `max`. If a slice of one step costs more than `max`,
  /// cuts the node into slices of one step. Does not cut the node if a slice of one step costs at least as much as the node.
  constexpr void limit_to(std::uint64_t max, std::uint64_t whole, node_cost::cut added) {
    if (slice_cost(whole, added) <= max) return;
    auto cut = *this;
    cut.units_per_slice = units_per_step;
    if (cut.slice_cost(whole, added) >= whole) return;
    std::int32_t low = 1;  // a binary search for the number of steps in a slice
    for (auto high = units_per_slice / units_per_step; low < high;) {
      const auto steps = (low + high + 1) / 2;
      cut.units_per_slice = steps * units_per_step;
      if (cut.slice_cost(whole, added) <= max) {
        low = steps;
      } else {
        high = steps - 1;
      }
    }
    cut.units_per_slice = low * units_per_step;
    const auto equal_units = (units + cut.slices() - 1) / cut.slices();
    cut.units_per_slice = (equal_units + units_per_step - 1) / units_per_step * units_per_step;
    *this = cut;
  }
};

/// The costs of a node that may be cut: the cost of the whole node, and the additional costs of slices of rows and of slices of chunks.
struct cut_costs {
  std::uint64_t whole = 0;
  node_cost::cut by_rows{};
  node_cost::cut by_chunks{};

  /// Returns the costs of a node, increased by the margins of the estimate. The cost per call has no margin.
  static constexpr auto of(const node_cost& cost) -> cut_costs {
    const auto with_margin = [&cost](const node_cost::cut& added) {
      return node_cost::cut{added.per_call, cost.with_margin(added.in_total), cost.with_margin(added.at_first)};
    };
    return {cost.bound(cost.instructions), with_margin(cost.by_rows), with_margin(cost.by_chunks)};
  }
};

/// The division of a node into slices: of rows, or of chunks if slices of rows would be too long or cost more.
struct node_cut {
  unit_cut rows{};
  unit_cut chunks{};
  bool is_by_chunks = false;
  bool rows_keep_limits = true;    ///< whether slices of rows keep all limits of `limit_to`
  bool chunks_keep_limits = true;  ///< whether slices of chunks keep all limits of `limit_to`

  constexpr auto selected() const -> const unit_cut& { return is_by_chunks ? chunks : rows; }
  constexpr auto is_cut() const -> bool { return selected().is_cut(); }
  constexpr auto slices() const -> std::int32_t { return selected().slices(); }

  constexpr auto slice_cost(const cut_costs& costs) const -> std::uint64_t {
    return is_by_chunks ? chunks.slice_cost(costs.whole, costs.by_chunks) : rows.slice_cost(costs.whole, costs.by_rows);
  }
  constexpr auto added_cost(const cut_costs& costs) const -> std::uint64_t {
    return selected().added_cost(is_by_chunks ? costs.by_chunks : costs.by_rows);
  }
  /// Limits the cost of a slice (see `unit_cut::limit_to`). A second call adds a limit.
  constexpr void limit_to(std::uint64_t max, const cut_costs& costs) {
    rows.limit_to(max, costs.whole, costs.by_rows);
    chunks.limit_to(max, costs.whole, costs.by_chunks);
    const auto of_rows = rows.slice_cost(costs.whole, costs.by_rows);
    const auto of_chunks = chunks.slice_cost(costs.whole, costs.by_chunks);
    rows_keep_limits = rows_keep_limits && of_rows <= max;
    chunks_keep_limits = chunks_keep_limits && of_chunks <= max;
    // If only one division keeps the limits, it is selected. If both keep the limits, the one with the lower `added_cost` is selected. A
    // tighter limit never lowers the added cost of a division, so it never lowers the added cost of the selected one. If neither keeps the
    // limits, chunks are selected if their slices are shorter. If both or neither keep the limits, chunks stay selected if an earlier call
    // has selected them.
    const bool is_cheaper = chunks.added_cost(costs.by_chunks) < rows.added_cost(costs.by_rows);
    if (rows_keep_limits != chunks_keep_limits) {
      is_by_chunks = chunks_keep_limits;
    } else if (rows_keep_limits ? is_cheaper : of_chunks < of_rows) {
      is_by_chunks = true;
    }
  }
  /// Limits the operations of a slice. All rows have the same number of operations, because filter taps in the padding are counted.
  constexpr void limit_operations_to(std::uint64_t max, std::uint64_t operations) {
    const auto uneven_percent = rows.uneven_percent;
    rows.uneven_percent = 0;
    limit_to(max, {operations});
    rows.uneven_percent = uneven_percent;
  }
};

/// True if two values have bytes in common. False if one of the values is a constant or is in a buffer of the caller. Buffers of the caller
/// need no check here. Before each inference, the executor checks that the buffer of a bound output overlaps no other bound buffer.
constexpr auto have_common_bytes(const program_view& program, value_id a, value_id b, span<const memory_location> locations) -> bool {
  const auto& of_a = locations[index(a)];
  const auto& of_b = locations[index(b)];
  if (of_a.is_constant() || of_b.is_constant() || of_a.is_bound || of_b.is_bound || of_a.base != of_b.base) return false;
  return of_a.offset < of_b.offset + byte_count(program[b].type, program.shape(b)) &&
         of_b.offset < of_a.offset + byte_count(program[a].type, program.shape(a));
}

/// True if a node copies nothing, because its outputs already contain the bytes of its operands. This holds in two cases:
/// - The output has the address of the first operand (`kernel_facts::output_aliases_input`).
/// - The node splits a value into its outputs, or joins its operands to one output, and the plan stores each piece at its place inside the
///   larger value (`kernel_facts::subviews`).
constexpr auto is_view(const program_view& program, const node& record, const kernel_facts& facts, span<const memory_location> locations)
    -> bool {
  const auto inputs = program.inputs(record);
  const auto outputs = program.outputs_of(record);
  if (facts.output_aliases_input) return locations[index(inputs[0])] == locations[index(outputs[0])];
  const auto& layout = facts.subviews;
  if (layout.offset == kernel_facts::subview_layout::none) return false;
  const bool is_split = layout.whole_operand != npos;
  auto expected = locations[index(is_split ? inputs[layout.whole_operand] : outputs[0])];
  if (expected.is_constant() || expected.is_bound) return false;
  expected.offset += layout.offset;
  for (const auto part : is_split ? outputs : inputs) {
    const auto bytes = part == none<value_id> ? 0 : byte_count(program[part].type, program.shape(part));
    if (bytes == 0) continue;
    if (locations[index(part)] != expected) return false;
    expected.offset += bytes;
  }
  return true;
}

/// The overlaps of the operands of a node with its outputs.
struct operand_overlaps {
  bool exist = false;
  /// False if an operand that overlaps an output has no declared distance for the order of the writes, or is nearer than this distance.
  /// Also false if there is an overlap and the node has several outputs.
  bool permit_steps = true;

  constexpr operand_overlaps(const program_view& program, const node& record, const kernel_facts& facts,
                             span<const memory_location> locations, write_order order) {
    const auto inputs = program.inputs(record);
    const auto outputs = program.outputs_of(record);
    const auto output = outputs[0];
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto overlaps = [&](value_id each) { return each != none<value_id> && have_common_bytes(program, inputs[i], each, locations); };
      if (inputs[i] == none<value_id> || std::none_of(outputs.begin(), outputs.end(), overlaps)) continue;
      exist = true;
      const auto& declared = facts.operand(i).distance;
      const auto begins = locations[index(inputs[i])].offset - locations[index(output)].offset;
      const auto ends =
          byte_count(program[output].type, program.shape(output)) - byte_count(program[inputs[i]].type, program.shape(inputs[i])) - begins;
      const bool ascends = order == write_order::ascending;
      const auto needed = ascends ? declared.ascending : declared.descending;
      if (outputs.size() != 1 || (ascends ? begins : ends) < needed) permit_steps = false;
    }
  }
};

/// Returns the division of a node into one slice, which `node_cut::limit_to` can divide further. `facts` are the facts of the node's
/// kernel. `locations` are indexed by value. `order` is the order in which the node must write its output.
///
/// An operand may overlap the output if the kernel declares its distance for the order of the writes. At this distance, calls of
/// `compute_rows` for `rows_per_step` rows, in this order, read no byte that an earlier call has overwritten. The slices make exactly such
/// calls. If the node has no rows, the same holds for calls of `compute_chunks` in ascending order. Nothing is known about chunks in
/// descending order, or about operands without a distance. Therefore, a node with such an overlap is not cut. A node that copies nothing
/// (`is_view`) is not cut, because `compute_rows` would copy its rows onto themselves.
constexpr auto node_cut_of(const program_view& program, const node& record, const kernel_facts& facts,
                           span<const memory_location> locations, write_order order) -> node_cut {
  if (record.outputs.size == 0 || is_view(program, record, facts, locations)) return {};
  const operand_overlaps overlaps(program, record, facts, locations, order);
  if (!overlaps.permit_steps) return {};
  const bool descends = overlaps.exist && order == write_order::descending;
  node_cut result;
  const auto ignore = [](value_id, const image_facts&, const kernel_facts::operand_facts&) {};
  const bool can_compute_rows = visit_row_operands(program, record, facts, ignore);
  if (can_compute_rows) {
    const auto rows = image_of(program, program.outputs_of(record)[0]).rows;
    const auto step = std::clamp<std::int32_t>(facts.rows_per_step, 1, rows);
    result.rows = {rows, step, rows, overlaps.exist, descends, uneven_rows_percent(program, record, facts)};
  }
  if (facts.chunks > 1 && !descends && !(can_compute_rows && overlaps.exist)) {
    result.chunks = {facts.chunks, 1, facts.chunks, false, false, facts.uneven_chunks_percent};
  }
  return result;
}

/// Returns the number of operations of a node: its multiply-adds, and one for each element of its outputs.
constexpr auto operations_of(const program_view& program, const node& record) -> std::uint64_t {
  return multiply_adds(program, record) + output_elements(program, record);
}

}  // namespace baton::detail

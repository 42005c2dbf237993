// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Builds a storage map from the valid storage proposals (proposals to store a value inside other memory, see `storage_proposal`).
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/streams.hpp>
#include <baton/plan/storage_map.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// True if a proposal stores an output of its node. False if the proposal stores an operand of its node.
constexpr auto stores_output(const program_view& program, const storage_proposal& proposed) -> bool {
  const auto outputs = program.outputs_of(program[proposed.node]);
  return std::find(outputs.begin(), outputs.end(), proposed.value) != outputs.end();
}

/// A builder that places values one by one. A value of the root is stored in at most one other value, at an aligned offset, as one
/// contiguous block. Two values share bytes only if one is stored inside the other, or if both are stored inside a third value, such as
/// overlapping slices. So the shared bytes have the same contents for both values. Exception: in the scratch of a delegate, results may
/// overlap arguments, because the delegate may overwrite its arguments.
class storage_builder {
 public:
  /// `map` is the storage map without proposals. `streams` contains the segments (consecutive nodes that run row by row, see
  /// `stream_segment`); null if there are no segments.
  constexpr storage_builder(const program_view& program, const schedule& order, storage_map map, std::uint32_t alignment,
                            const stream_plan* streams)
      : program_(program),
        order_(order),
        map_(std::move(map)),
        alignment_(alignment),
        streams_(streams) {
    if (streams_ != nullptr) place_rows();
  }

  /// Returns why a value cannot be stored as proposed, or `refusal::none` if the proposal is valid. Proposals to store values inside other
  /// values must be checked and placed before proposals to store values in scratch.
  constexpr auto check(const storage_proposal& proposed) -> refusal {
    return proposed.where.in == container::scratch ? check_scratch(proposed) : check_subview(proposed);
  }
  constexpr auto place(const storage_proposal& proposed) -> refusal {
    const auto why = check(proposed);
    if (why != refusal::none) return why;
    if (proposed.where.in == container::scratch) in_scratch_.push_back(range_in_scratch(proposed));
    map_.place(map_.root_of(proposed.value).value, proposed.where);
    return why;
  }
  constexpr auto finish() -> storage_map { return std::move(map_); }

 private:
  struct scratch_range {
    node_id node;
    bool is_input;
    std::uint64_t begin;
    std::uint64_t end;
  };

  constexpr auto is_bound(value_id id) const -> bool { return map_[id].in == container::bound; }
  constexpr auto bytes_of(value_id id) const -> std::int64_t { return byte_count(program_[id].type, program_.shape(id)); }
  constexpr auto nodes() const -> span<const node_id> { return span<const node_id>{order_.nodes}.first(program_.root().nodes.size); }

  constexpr void place_rows() {
    for (const auto& segment : streams_->segments) {
      const auto kept = streams_->kept_of(segment);
      for (std::uint32_t i = 0; i + 1 < segment.count; ++i) {
        const auto output = streams_->graph.nodes[segment.first + i].output;
        map_.place(output, {container::rows, storage_reason::by_rows, index(order_.nodes[segment.first]), kept[i].offset});
      }
    }
  }

  /// Checks a proposal to store a value as a subview: inside another value. Only kernels of nodes outside of segments may produce and use a
  /// subview. Values that are passed to delegates, called graphs or segments must have memory of their own. New values of states must also
  /// have memory of their own.
  constexpr auto check_subview(const storage_proposal& proposed) -> refusal {
    if (must_keep_memory_.empty()) find_excluded();
    const auto whole = map_.root_of(static_cast<value_id>(proposed.where.id));
    const auto owner = map_.root_of(proposed.value);
    const bool is_output = stores_output(program_, proposed);
    if (is_bound(whole.value) || is_bound(owner.value)) return refusal::bound;
    if (is_output && program_[whole.value].kind != value_kind::intermediate) return refusal::not_an_output;
    if (proposed.where.offset % alignment_ != 0) return refusal::unaligned;
    if (owner.is_part || whole.value == owner.value) return refusal::shares_memory;
    if (must_keep_memory_[index(owner.value)] != 0) return refusal::used_elsewhere;
    if (program_[owner.value].kind != value_kind::intermediate) return refusal::not_an_output;
    return bytes_of(owner.value) == bytes_of(proposed.value) ? refusal::none : refusal::shares_memory;
  }
  constexpr void find_excluded() {
    must_keep_memory_.assign(program_.values.size(), 0);
    const auto exclude = [this](value_id id) {
      if (id != none<value_id>) must_keep_memory_[index(map_.root_of(id).value)] = 1;
    };
    for (std::uint32_t at = 0; at < nodes().size(); ++at) {
      const auto& record = program_[nodes()[at]];
      const bool is_by_kernel = record.delegate == none<delegate_id> && control_flow_of(program_, record) == control_flow::none;
      if (is_by_kernel && (streams_ == nullptr || streams_->segment_of(at) == nullptr)) continue;
      for (const auto id : program_.inputs(record)) exclude(id);
      for (const auto id : program_.outputs_of(record)) exclude(id);
    }
    for (const auto& spec : program_.outputs_of(program_.root())) {
      if (spec.kind != output_kind::user_output) exclude(spec.value);
    }
  }

  /// Checks a proposal to store a value in the scratch of a delegate. The value must be a user input or an intermediate value, and not a
  /// subview. If the value is an argument, neither the value nor its subviews may be read after the call.
  constexpr auto check_scratch(const storage_proposal& proposed) -> refusal {
    if (last_use_.empty()) note_last_uses();
    const auto owner = map_.root_of(proposed.value);
    const auto at = index(owner.value);
    const auto kind = program_.values[at].kind;
    if (kind != value_kind::intermediate && kind != value_kind::user_input) return refusal::not_an_output;
    if (is_bound(owner.value)) return refusal::bound;
    if (is_state_[at] != 0) return refusal::used_elsewhere;
    if (owner.node != npos || map_[owner.value].in != container::arena) return refusal::shares_memory;
    const bool is_input = !stores_output(program_, proposed);
    if (is_input && last_use_[at] != order_.step_of[index(proposed.node)]) return refusal::used_later;
    const auto size = bytes_of(proposed.value);
    if (size < 0 || bytes_of(owner.value) != size) return refusal::shares_memory;
    const auto& where = proposed.where;
    if (where.offset % alignment_ != 0) return refusal::unaligned;
    const auto scratch = std::uint64_t{program_[program_[proposed.node].delegate].scratch_bytes};
    const auto bytes = static_cast<std::uint64_t>(size);
    if (bytes > scratch || where.offset > scratch - bytes) return refusal::no_room;
    const auto requested = range_in_scratch(proposed);
    const auto overlaps = [&requested](const scratch_range& other) {
      return other.node == requested.node && other.is_input == requested.is_input && other.begin < requested.end &&
             requested.begin < other.end;
    };
    return std::any_of(in_scratch_.begin(), in_scratch_.end(), overlaps) ? refusal::no_room : refusal::none;
  }
  constexpr auto range_in_scratch(const storage_proposal& proposed) const -> scratch_range {
    const auto begin = proposed.where.offset;
    return {proposed.node, !stores_output(program_, proposed), begin, begin + static_cast<std::uint64_t>(bytes_of(proposed.value))};
  }
  /// For each value that owns memory, records the last step that reads this memory, or `npos` if the memory contains an output of the root.
  constexpr void note_last_uses() {
    last_use_.assign(program_.values.size(), 0);
    is_state_.assign(program_.values.size(), 0);
    for (const auto n : nodes()) {
      for (const auto id : program_.inputs(program_[n])) {
        if (id == none<value_id>) continue;
        auto& last = last_use_[index(map_.root_of(id).value)];
        last = std::max(last, order_.step_of[index(n)]);
      }
    }
    for (const auto& spec : program_.outputs_of(program_.root())) {
      const auto owner = index(map_.root_of(spec.value).value);
      last_use_[owner] = npos;
      if (spec.kind != output_kind::user_output) is_state_[owner] = 1;
    }
  }

  program_view program_;
  const schedule& order_;
  storage_map map_;
  std::uint32_t alignment_;
  const stream_plan* streams_;
  vector<char> must_keep_memory_;   // indexed by value that owns memory: whether the value must keep this memory; empty until the first use
  vector<std::uint32_t> last_use_;  // see `note_last_uses`
  vector<char> is_state_;           // indexed by value that owns memory: whether the memory contains the new value of a state
  vector<scratch_range> in_scratch_;
};

}  // namespace baton::detail

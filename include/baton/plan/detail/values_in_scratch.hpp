// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which values may lie in the scratch of the delegate that reads or makes them, so that handing them over copies nothing.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/nested_storage.hpp>
#include <baton/plan/shared/backend_needs.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// An argument or a result of a call that could lie where the backend wants it.
struct scratch_wish {
  nested_value place;
  value_id owner = none<value_id>;  ///< whose memory `place.value` is
  bool is_input = false;
};

/// Finds the values of the root graph that may lie in scratch: a user input or what a node makes, whole, of which nothing else reads an
/// argument, or a part of it, after the call. What a delegate does to its scratch is its own affair, so arguments may be gone then, and
/// results may lie where arguments did. `storage_of` is that of the plan: parts have the memory of the whole.
class scratch_wishes {
 public:
  constexpr scratch_wishes(const program_view& program, const backend_needs& needs, span<const value_id> storage_of,
                           std::uint32_t alignment)
      : program_(program),
        needs_(needs),
        storage_of_(storage_of),
        alignment_(alignment) {}

  /// Arguments in the order of nodes, then results.
  constexpr auto run() -> vector<scratch_wish> {
    if (needs_.places.empty()) return {};
    note_last_uses();
    for (const bool is_input : {true, false}) {
      const auto nodes = program_.root().nodes;
      for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
        const auto& record = program_.nodes[n];
        if (record.delegate == none<delegate_id> || needs_.runs_original[index(record.delegate)] != 0) continue;
        const auto& places = needs_.places[index(record.delegate)];
        add(n, is_input ? program_.inputs(record) : program_.outputs_of(record), is_input ? places.inputs : places.outputs, is_input);
      }
    }
    return std::move(found_);
  }

 private:
  constexpr auto owner_of(value_id id) const -> value_id { return storage_of_[index(id)] == none<value_id> ? id : storage_of_[index(id)]; }
  constexpr auto bytes_of(value_id id) const -> std::int64_t { return byte_count(program_[id].type, program_.shape(id)); }

  /// By the owner of memory: the last node that reads it, or one behind all nodes where the graph returns it.
  constexpr void note_last_uses() {
    last_use_.assign(program_.values.size(), 0);
    is_state_.assign(program_.values.size(), 0);
    is_wished_.assign(program_.values.size(), 0);
    const auto nodes = program_.root().nodes;
    for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
      for (const auto id : program_.inputs(program_.nodes[n])) {
        if (id != none<value_id>) last_use_[index(owner_of(id))] = n;
      }
    }
    for (const auto& spec : program_.outputs_of(program_.root())) {
      last_use_[index(owner_of(spec.value))] = nodes.first + nodes.size;
      if (spec.kind != output_kind::user_output) is_state_[index(owner_of(spec.value))] = 1;
    }
  }

  constexpr void add(std::uint32_t n, span<const value_id> values, const vector<std::int64_t>& offsets, bool is_input) {
    for (std::size_t i = 0; i < values.size() && i < offsets.size(); ++i) {
      if (offsets[i] < 0 || values[i] == none<value_id>) continue;
      const scratch_wish wish{
          {static_cast<node_id>(n), values[i], none<value_id>, static_cast<std::uint64_t>(offsets[i])}, owner_of(values[i]), is_input};
      if (!is_possible(wish, n)) continue;
      is_wished_[index(wish.owner)] = 1;
      found_.push_back(wish);
    }
  }

  constexpr auto is_possible(const scratch_wish& wish, std::uint32_t n) const -> bool {
    const auto& record = program_[wish.owner];
    const bool is_made_or_given = record.kind == value_kind::intermediate || record.kind == value_kind::user_input;
    if (!is_made_or_given || is_state_[index(wish.owner)] != 0 || is_wished_[index(wish.owner)] != 0) return false;
    if (wish.is_input && last_use_[index(wish.owner)] != n) return false;
    const auto size = bytes_of(wish.place.value);
    if (size < 0 || bytes_of(wish.owner) != size) return false;
    const auto scratch = std::uint64_t{program_[program_.nodes[n].delegate].scratch_bytes};
    const auto bytes = static_cast<std::uint64_t>(size);
    if (wish.place.offset % alignment_ != 0 || bytes > scratch || wish.place.offset > scratch - bytes) return false;
    for (auto i = found_.size(); i-- > 0 && found_[i].place.node == wish.place.node;) {
      const auto& other = found_[i];
      if (other.is_input != wish.is_input) continue;
      const auto end_of_other = other.place.offset + static_cast<std::uint64_t>(bytes_of(other.place.value));
      if (other.place.offset < wish.place.offset + bytes && wish.place.offset < end_of_other) return false;
    }
    return true;
  }

  program_view program_;
  const backend_needs& needs_;
  span<const value_id> storage_of_;
  std::uint64_t alignment_;
  vector<std::uint32_t> last_use_;
  vector<char> is_state_;
  vector<char> is_wished_;
  vector<scratch_wish> found_;
};

}  // namespace baton::detail

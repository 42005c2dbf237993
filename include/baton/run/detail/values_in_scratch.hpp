// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Values that lie in the scratch of the delegate that reads or makes them, so that handing them over copies nothing.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/npos.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/graph_calls.hpp>
#include <baton/plan/lifetime.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/run/backend_needs.hpp>
#include <baton/run/detail/nested_storage.hpp>

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
/// argument after the call. What a delegate does to its scratch is its own affair, so arguments may be gone then, and results may lie
/// where arguments did.
class scratch_wishes {
 public:
  constexpr scratch_wishes(const program_view& program, const backend_needs& needs, span<const value_id> storage_of,
                           std::uint32_t alignment)
      : program_(program),
        needs_(needs),
        storage_of_(storage_of),
        alignment_(alignment) {}

  constexpr auto run() -> vector<scratch_wish> {
    if (needs_.places.empty()) return {};
    const auto nodes = program_.root().nodes;
    for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
      const auto id = program_.nodes[n].delegate;
      if (id == none<delegate_id> || needs_.runs_original[index(id)] != 0) continue;
      const auto& places = needs_.places[index(id)];
      if (last_use_.empty()) note_last_uses();
      add(n, program_.inputs(program_.nodes[n]), places.inputs, true);
      add(n, program_.outputs_of(program_.nodes[n]), places.outputs, false);
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
      if (is_possible(wish, n)) found_.push_back(wish);
    }
  }

  constexpr auto is_possible(const scratch_wish& wish, std::uint32_t n) const -> bool {
    const auto& record = program_[wish.owner];
    const bool is_made_or_given = record.kind == value_kind::intermediate || record.kind == value_kind::user_input;
    if (!is_made_or_given || is_state_[index(wish.owner)] != 0 || bytes_of(wish.owner) != bytes_of(wish.place.value)) return false;
    if (wish.is_input && last_use_[index(wish.owner)] != n) return false;
    const auto end = wish.place.offset + static_cast<std::uint64_t>(bytes_of(wish.place.value));
    if (wish.place.offset % alignment_ != 0 || end > program_[program_.nodes[n].delegate].scratch_bytes) return false;
    for (const auto& other : found_) {
      if (other.owner == wish.owner) return false;
      if (other.place.node != wish.place.node || other.is_input != wish.is_input) continue;
      const auto end_of_other = other.place.offset + static_cast<std::uint64_t>(bytes_of(other.place.value));
      if (other.place.offset < end && wish.place.offset < end_of_other) return false;
    }
    return true;
  }

  program_view program_;
  const backend_needs& needs_;
  span<const value_id> storage_of_;
  std::uint64_t alignment_;
  vector<std::uint32_t> last_use_;
  vector<char> is_state_;
  vector<scratch_wish> found_;
};

/// By value as in `memory_request`, for those wishes that are granted.
struct scratch_storage {
  vector<std::uint32_t> hosts;
  vector<std::uint64_t> within;
  vector<nested_value> values;

  constexpr void grant(const scratch_wish& wish, span<const value_id> storage_of) {
    if (hosts.empty()) {
      hosts.assign(storage_of.size(), npos);
      within.assign(storage_of.size(), memory_needs::whole);
    }
    for (std::uint32_t v = 0; v < hosts.size(); ++v) {
      if (v != index(wish.owner) && storage_of[v] != wish.owner) continue;
      hosts[v] = index(wish.place.node);
      within[v] = wish.place.offset;
    }
    values.push_back(wish.place);
  }
};

/// Plans with arguments and results in scratch where backends want them: with all of them, or, where the arena would grow by that, with
/// those by which it does not, one after the other. `storage` gets what was granted, `request` points into it.
constexpr auto plan_with_scratch(const program_view& program, const graph_calls& calls, const plan_options& options,
                                 memory_request& request, const chosen_policy& policy, span<const scratch_wish> wishes,
                                 scratch_storage& storage) -> result<memory_plan> {
  auto best = plan_memory(program, calls, options, request, policy);
  const auto is_better = [&](const scratch_storage& with) {
    auto asked = request;
    asked.scratch_hosts = with.hosts;
    asked.storage_within = with.within;
    auto made = plan_memory(program, calls, options, asked, policy);
    if (!made || (best && made.value.arena_bytes > best.value.arena_bytes)) return false;
    best = std::move(made);
    return true;
  };
  scratch_storage all;
  for (const auto& wish : wishes) all.grant(wish, request.storage_of);
  if (!wishes.empty() && is_better(all)) {
    storage = std::move(all);
  } else if (wishes.size() > 1) {
    for (const auto& wish : wishes) {
      auto one_more = storage;
      one_more.grant(wish, request.storage_of);
      if (is_better(one_more)) storage = std::move(one_more);
    }
  }
  request.scratch_hosts = storage.hosts;
  request.storage_within = storage.within;
  return best;
}

}  // namespace baton::detail

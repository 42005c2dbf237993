// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lookup of the value that owns the memory of another value.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/states.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/storage_map.hpp>

namespace baton {

/// True if a value is not constant data, so that a run needs memory for it. The memory is in the arena, or in a buffer of the caller if the
/// value is bound. Constant data stays in read-only memory or in memory of the caller.
constexpr auto needs_memory(const value& record) -> bool {
  return record.kind == value_kind::mutable_buffer || (!is_owned_data(record.kind) && record.kind != value_kind::external_constant);
}

/// True if the memory of a value keeps its contents between runs. This applies to mutable buffers and handles of resource variables.
constexpr auto is_state(const value& record) -> bool { return record.kind == value_kind::mutable_buffer || record.type == dtype::resource; }

/// Stores all values of a state in the memory of the first of them. A state has several values if several graphs use it, one for each
/// graph.
constexpr void add_storage_of_states(storage_map& map, const program_view& program) {
  for (const auto& state : states_of_several_graphs(program)) {
    for (const auto id : state) {
      if (id != state[0]) map.place(id, {container::value, storage_reason::one_state, index(state[0])});
    }
  }
}

/// Returns the value that owns the memory of value `id`, possibly in a calling graph. Returns `none` for constant data. Two values are in
/// the same memory if they have the same owner.
constexpr auto memory_of(const program_view& program, const storage_map& map, value_id id) -> value_id {
  while (true) {
    id = map.root_of(id).value;
    if (!needs_memory(program[id])) return none<value_id>;
    const auto at = map[id];
    if (at.why != storage_reason::from_caller && at.why != storage_reason::one_state) return id;
    id = static_cast<value_id>(at.id);
  }
}

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which values lie in one and the same memory.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/states.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/storage_map.hpp>

namespace baton {

/// Whether a value lies in the arena: everything but constant data, which stays in read-only memory.
constexpr auto needs_memory(const value& record) -> bool {
  return record.kind == value_kind::mutable_buffer || !is_owned_data(record.kind);
}

/// Whether what lies where a value does lives from run to run: a mutable buffer, or the variable that a value is a handle of.
constexpr auto is_state(const value& record) -> bool { return record.kind == value_kind::mutable_buffer || record.type == dtype::resource; }

/// Notes of each state that several graphs use that it is the first buffer that is it.
constexpr void add_storage_of_states(storage_map& map, const program_view& program) {
  for (const auto& state : states_of_several_graphs(program)) {
    for (const auto id : state) {
      if (id != state[0]) map.place(id, {container::value, storage_reason::one_state, index(state[0])});
    }
  }
}

/// The value that owns the memory that a value lies in, in whatever graph; `none` of constant data. Two values lie in one memory if it is
/// the same.
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

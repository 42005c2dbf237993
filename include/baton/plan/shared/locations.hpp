// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which values lie in one and the same memory.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/states.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

namespace baton {

/// Whether a value lies in the arena: everything but constant data, which stays in read-only memory.
constexpr auto needs_memory(const value& record) -> bool {
  return record.kind == value_kind::mutable_buffer || !is_owned_data(record.kind);
}

/// By value, of a state that several graphs use, the first buffer that is it; else `none`. Empty where each graph has its own.
constexpr auto first_of_states(const program_view& program) -> vector<value_id> {
  vector<value_id> found;
  for (const auto& state : states_of_several_graphs(program)) {
    if (found.empty()) found.assign(program.values.size(), none<value_id>);
    for (const auto id : state) found[index(id)] = state[0];
  }
  return found;
}

/// Whether what lies where a value does lives from run to run: a mutable buffer, or the variable that a value is a handle of.
constexpr auto is_state(const value& record) -> bool { return record.kind == value_kind::mutable_buffer || record.type == dtype::resource; }

/// What lies where, as `memory_request` says it; `states` is what `first_of_states` says. Two values lie in one memory if they have one
/// location.
class value_locations {
 public:
  constexpr value_locations(const program_view& program, span<const value_id> storage_of, span<const value_id> holders,
                            span<const value_id> states)
      : program_(program),
        storage_of_(storage_of),
        holders_(holders),
        states_(states) {}

  /// The value that owns the memory that a value lies in; `none` for constant data.
  constexpr auto of(value_id id) const -> value_id {
    while (true) {
      if (!storage_of_.empty() && storage_of_[index(id)] != none<value_id>) id = storage_of_[index(id)];
      if (!needs_memory(program_[id])) return none<value_id>;
      if (holders_.empty() || holders_[index(id)] == none<value_id>) return first_of(id);
      id = holders_[index(id)];
    }
  }

 private:
  constexpr auto first_of(value_id id) const -> value_id {
    return states_.empty() || states_[index(id)] == none<value_id> ? id : states_[index(id)];
  }

  program_view program_;
  span<const value_id> storage_of_;
  span<const value_id> holders_;
  span<const value_id> states_;
};

}  // namespace baton

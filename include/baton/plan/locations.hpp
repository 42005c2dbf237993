// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which values lie in one and the same memory.
#pragma once

#include <baton/core/program.hpp>

#include <span>

namespace baton::detail {

/// Whether a value lies in the arena: everything but constant data, which stays in read-only memory.
constexpr auto needs_memory(const value& record) -> bool {
  return record.kind == value_kind::user_input || record.kind == value_kind::intermediate || record.kind == value_kind::mutable_buffer;
}

/// What lies where, as `memory_request` says it. Two values lie in one memory if they have one location.
class value_locations {
 public:
  constexpr value_locations(const program_view& program, std::span<const value_id> storage_of, std::span<const value_id> holders)
      : program_(program),
        storage_of_(storage_of),
        holders_(holders) {}

  /// The value that owns the memory that a value lies in; `none` for constant data.
  constexpr auto of(value_id id) const -> value_id {
    while (true) {
      if (!storage_of_.empty() && storage_of_[index(id)] != none<value_id>) id = storage_of_[index(id)];
      if (!needs_memory(program_[id])) return none<value_id>;
      if (holders_.empty() || holders_[index(id)] == none<value_id>) return id;
      id = holders_[index(id)];
    }
  }

 private:
  program_view program_;
  std::span<const value_id> storage_of_;
  std::span<const value_id> holders_;
};

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The storage map: what holds the memory of each value, and why.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// What memory is part of.
enum class container : std::uint8_t {
  arena,    ///< the value has memory of its own: in the arena, in one of its regions, or, of a constant, in read-only memory
  value,    ///< the memory of another value
  scratch,  ///< the scratch of a node
  rows,     ///< the rows that a segment keeps
};

/// Why a value lies where it does.
enum class storage_reason : std::uint8_t {
  own,          ///< nothing else holds it
  forwarded,    ///< its kernel returns the operand as it is
  part,         ///< its kernel joins it to another value, or takes it out of one
  in_scratch,   ///< a backend reads or writes it in its scratch
  from_caller,  ///< it is an operand or a result of the node that calls its graph
  one_state,    ///< it is a state of another graph, too
  by_rows,      ///< its nodes run by rows
};

/// Where a value lies.
struct storage {
  container in = container::arena;
  storage_reason why = storage_reason::own;
  std::uint32_t id = npos;   ///< the value or the node of the program that holds it; of rows, the first node of the segment
  std::uint64_t offset = 0;  ///< in that, in bytes
};

/// By value of a program, where it lies. An empty map: every value has memory of its own.
class storage_map {
 public:
  /// What a value lies in within its graph, when all values that hold others are followed.
  struct root {
    value_id value = none<value_id>;  ///< the value that owns the memory
    std::uint64_t offset = 0;         ///< in the memory of that, or in the scratch
    std::uint32_t node = npos;        ///< the node in whose scratch that lies; `npos`: in none
    bool is_part = false;             ///< whether other values lie beside it in the same memory
  };

  constexpr storage_map() = default;
  constexpr explicit storage_map(std::size_t values) : of_value_(values, storage{}) {}

  constexpr auto empty() const -> bool { return of_value_.empty(); }
  /// Whether a value has memory of its own. In fewer steps than `root_of` says so.
  constexpr auto is_own(value_id id) const -> bool { return of_value_.empty() || of_value_.data()[index(id)].in == container::arena; }
  constexpr auto operator[](value_id id) const -> storage { return of_value_.empty() ? storage{} : of_value_[index(id)]; }
  /// Notes where a value lies. What held it before is forgotten. What it holds goes along.
  constexpr void place(value_id id, const storage& where) { of_value_[index(id)] = where; }

  constexpr auto root_of(value_id id) const -> root {
    root found{id};
    if (of_value_.empty()) return found;
    for (const auto* at = &of_value_[index(id)]; at->in == container::value || at->in == container::scratch;) {
      if (at->why == storage_reason::from_caller || at->why == storage_reason::one_state) break;
      found.offset += at->offset;
      found.is_part = found.is_part || at->why != storage_reason::forwarded;
      if (at->in == container::scratch) {
        found.node = at->id;
        break;
      }
      found.value = static_cast<value_id>(at->id);
      at = &of_value_[at->id];
    }
    return found;
  }

 private:
  vector<storage> of_value_;
};

/// What a kernel or a backend would have lie in something else, so that a node copies nothing.
struct storage_proposal {
  node_id node = none<node_id>;  ///< the node that would not copy
  value_id value = none<value_id>;
  storage where{};
};

/// Why something does not lie where it was proposed.
enum class refusal : std::uint8_t {
  none,            ///< it does
  grows_arena,     ///< the arena would be larger
  unaligned,       ///< the offset is no multiple of the alignment
  not_made_here,   ///< it is an input, a state or a constant
  used_elsewhere,  ///< a delegate, a graph that is called or nodes that run by rows use it, too
  used_later,      ///< it is used after the call
  shares_memory,   ///< it has the memory of a value of another size, or lies elsewhere already
  no_room,         ///< something else lies there, or the scratch ends before
};

inline constexpr std::array<std::string_view, 8> refusal_names{
    "accepted",         "the arena would grow", "its offset is not aligned", "it is not made by a node", "something else uses it",
    "it is used later", "it shares memory",     "there is no room"};

/// A proposal, and what became of it.
struct decided_storage {
  storage_proposal proposal;
  refusal why = refusal::none;
};

}  // namespace baton

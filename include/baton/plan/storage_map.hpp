// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The storage map: the memory that contains each value, and why the value is stored there.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// The kind of memory that contains a value.
enum class container : std::uint8_t {
  arena,    ///< memory of its own: in the arena (or in a region of a split arena), or in read-only memory for a constant
  value,    ///< the memory of another value
  scratch,  ///< the scratch of a node
  rows,     ///< the memory in which a segment (consecutive nodes that run row by row, see `stream_segment`) keeps rows
  bound,    ///< a buffer of the caller; `storage::offset` is the offset of the buffer's address in the table of addresses
};

/// Why a value is stored in its container.
enum class storage_reason : std::uint8_t {
  own,          ///< it has memory of its own
  forwarded,    ///< it is the output of a kernel that returns its operand unchanged
  subview,      ///< a kernel concatenates it into a larger value, or splits it from a larger value
  in_scratch,   ///< a delegate reads or writes it in the delegate's scratch
  from_caller,  ///< it is an input or output of a called graph, and is stored in the matching operand or result of the calling node
  one_state,    ///< it is the same state as a mutable buffer of another graph
  by_rows,      ///< it is computed and read row by row, in a segment
  bound,        ///< the executor binds it to a buffer of the caller
};

/// The storage of a value.
struct storage {
  container in = container::arena;
  storage_reason why = storage_reason::own;
  /// Depends on `in`. `value`: the value that contains this value. `scratch`: the node whose scratch contains this value. `rows`: the first
  /// node of the segment. Otherwise `npos`.
  std::uint32_t id = npos;
  std::uint64_t offset = 0;  ///< relative to the containing memory, in bytes
};

/// The storage of each value of a program. In an empty map, every value has memory of its own.
class storage_map {
 public:
  /// The outermost memory that contains a queried value, the argument of `root_of`. The search stops at a value that is
  /// stored in the memory of another graph (`from_caller`, `one_state`).
  struct root {
    value_id value = none<value_id>;  ///< the outermost value that contains the queried value; if there is none, the queried value itself
    std::uint64_t offset = 0;         ///< relative to the memory of `value` or to the scratch of `node`, in bytes
    std::uint32_t node = npos;        ///< the node whose scratch contains `value`; `npos` if none
    bool is_part = false;             ///< whether the queried value is only a part of this memory, which may also contain other values
  };

  constexpr storage_map() = default;
  constexpr explicit storage_map(std::size_t values) : of_value_(values, storage{}) {}

  constexpr auto empty() const -> bool { return of_value_.empty(); }
  /// True if a value has memory of its own. Costs fewer constant-evaluation steps than `root_of`.
  constexpr auto is_own(value_id id) const -> bool { return of_value_.empty() || of_value_.data()[index(id)].in == container::arena; }
  constexpr auto operator[](value_id id) const -> storage { return of_value_.empty() ? storage{} : of_value_[index(id)]; }
  /// Sets the storage of value `id`, and discards its previous storage. The values that are stored inside `id` move with it.
  constexpr void place(value_id id, const storage& where) { of_value_[index(id)] = where; }

  /// Returns the outermost memory that contains a value.
  constexpr auto root_of(value_id id) const -> root {
    root result{id};
    if (of_value_.empty()) return result;
    for (const auto* at = &of_value_[index(id)]; at->in == container::value || at->in == container::scratch;) {
      if (at->why == storage_reason::from_caller || at->why == storage_reason::one_state) break;
      result.offset += at->offset;
      result.is_part = result.is_part || at->why != storage_reason::forwarded;
      if (at->in == container::scratch) {
        result.node = at->id;
        break;
      }
      result.value = static_cast<value_id>(at->id);
      at = &of_value_[at->id];
    }
    return result;
  }

 private:
  vector<storage> of_value_;
};

/// A proposal of a kernel or a backend to store `value` inside another value or in scratch, so that `node` need not copy the value.
struct storage_proposal {
  node_id node = none<node_id>;  ///< the node that copies the value if the proposal is refused
  value_id value = none<value_id>;
  storage where{};
};

/// Why a proposal was refused.
enum class refusal : std::uint8_t {
  none,            ///< the proposal was accepted
  grows_arena,     ///< the arena would grow
  unaligned,       ///< the offset is not a multiple of the alignment
  not_an_output,   ///< the value, or the value that would contain it, is an input, a state or a constant
  used_elsewhere,  ///< a delegate, a called graph or a segment also uses the value, or it is the new value of a state
  used_later,      ///< the value is used after the delegate call
  shares_memory,   ///< the value shares memory with a value of a different size, or is already stored in other memory
  no_room,         ///< the range is occupied, or the scratch is too small
  bound,           ///< the value, or the value that would contain it, is in a buffer of the caller
};

inline constexpr std::array<std::string_view, 9> refusal_names{"accepted",
                                                               "the arena would grow",
                                                               "the offset is not aligned",
                                                               "the value is not the output of a node",
                                                               "a delegate, called graph or segment also uses the value",
                                                               "the value is used later",
                                                               "the value shares memory with another value",
                                                               "not enough free memory",
                                                               "a value is in a buffer of the caller"};

/// A proposal, and the decision on it.
struct decided_storage {
  storage_proposal proposal;
  refusal why = refusal::none;
};

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Mutable buffers whose offsets are known before a plan is made: others that use the arena in turn have them there too.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/memory_problem.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// A mutable buffer, and where in the arena it lies.
struct pinned_state {
  value_id buffer = none<value_id>;
  std::uint64_t offset = 0;
};

/// Mutable buffers of a program that lie in the first bytes of the arena, which hold nothing else of the program. A view; 0 bytes: none.
struct pinned_states {
  span<const pinned_state> states{};
  std::uint64_t bytes = 0;
};

namespace detail {

/// Divides what needs memory into pinned states, and the rest, which is placed behind them.
class placing_behind_states {
 public:
  /// `entry_of` gives the entry of a value, which is past the end where it has none.
  template <class EntryOf>
  constexpr placing_behind_states(span<const lifetime> needs, const pinned_states& pinned, EntryOf entry_of)
      : begin_(pinned.bytes),
        offsets_(needs.size(), open) {
    for (const auto& state : pinned.states) {
      if (const std::size_t entry = entry_of(state.buffer); entry < needs.size()) offsets_[entry] = state.offset;
    }
    for (std::size_t i = 0; i < needs.size(); ++i) {
      if (offsets_[i] == open) {
        rest_.push_back(needs[i]);
      } else {
        pinned_bytes_ += needs[i].bytes;
      }
    }
  }

  constexpr auto rest() const -> span<const lifetime> { return rest_; }
  /// Of the distances between all, those of the rest, by its numbers.
  constexpr auto of_rest(span<const distance> all) const -> vector<distance> {
    vector<std::uint32_t> number;  // by entry
    std::uint32_t next = 0;
    for (const auto offset : offsets_) number.push_back(offset == open ? next++ : 0);
    vector<distance> found;
    for (auto each : all) {
      if (offsets_[each.input] != open || offsets_[each.output] != open) continue;
      each.input = number[each.input];
      each.output = number[each.output];
      found.push_back(each);
    }
    return found;
  }
  /// Bytes of the pinned states, which live all the time.
  constexpr auto pinned_bytes() const -> std::uint64_t { return pinned_bytes_; }

  /// The offsets of everything, where the rest is placed so.
  constexpr auto with_states(const memory_layout& rest) const -> memory_layout {
    memory_layout all{offsets_, begin_ + rest.bytes};
    std::size_t next = 0;
    for (auto& offset : all.offsets) {
      if (offset == open) offset = begin_ + rest.offsets[next++];
    }
    return all;
  }

 private:
  static constexpr std::uint64_t open = UINT64_MAX;

  std::uint64_t begin_;
  vector<std::uint64_t> offsets_;
  vector<lifetime> rest_;
  std::uint64_t pinned_bytes_ = 0;
};

}  // namespace detail

}  // namespace baton

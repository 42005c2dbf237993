// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Dialects: sets of operator definitions that are indexed by the hash of the operator's name.
#pragma once

#include <baton/core/span.hpp>
#include <baton/operators/operator_definition.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace baton {

namespace detail {

/// The number of slots of an index of the definitions in `lists`: a power of two, and at least twice the number of definitions.
consteval auto index_size(span<const operator_list> lists) -> std::size_t {
  std::size_t count = 1;
  for (const auto list : lists) count += list.size();
  return std::bit_ceil(2 * count);
}

/// Definitions, indexed by the hash of the name. The index uses open addressing (D. E. Knuth, The Art of Computer Programming 3, 6.4,
/// algorithm L). In a constant expression it costs fewer steps than a sorted list with binary search, both to build and to query. If two
/// definitions have the same name, the first is found.
template <std::size_t Size>
struct operator_index {
  std::array<const operator_definition*, Size> slots{};

  consteval explicit operator_index(span<const operator_list> lists) {
    for (const auto list : lists) {
      for (const auto& definition : list) {
        auto at = definition.name.hash;
        while (slots[at % Size] != nullptr) ++at;
        slots[at % Size] = &definition;
      }
    }
  }
};
template <const auto& Lists>
inline constexpr operator_index<index_size(Lists)> index_of_operators{Lists};

}  // namespace detail

/// The operator definitions of a file format. A program of that format refers to its dialect (`exported_program::dialect`), so that
/// verification, inference, passes, partitioners, costs and reports know its operators. A dialect is a view of static data. Example, for
/// two lists of definitions: `constexpr baton::operator_list lists[] = {convolutions, activations};` `constexpr auto dialect =
/// baton::operator_dialect::of<lists>();`
class operator_dialect {
 public:
  /// Returns the dialect that consists of the definitions in `Lists`, an array of `operator_list` with static storage.
  template <const auto& Lists>
  static consteval auto of() -> operator_dialect {
    const auto& slots = detail::index_of_operators<Lists>.slots;
    return operator_dialect(slots.data(), slots.size() - 1);
  }

  /// Returns the definition of the operator whose name has the hash `op`, or null. O(1).
  constexpr auto find(std::uint64_t op) const -> const operator_definition* {
    for (auto at = op;; ++at) {
      const auto* const definition = slots_[at & mask_];
      if (definition == nullptr || definition->name.hash == op) return definition;
    }
  }

 private:
  constexpr operator_dialect(const operator_definition* const* slots, std::size_t mask) : slots_(slots), mask_(mask) {}

  const operator_definition* const* slots_;
  std::size_t mask_;  ///< the number of slots, a power of two, minus 1
};

}  // namespace baton

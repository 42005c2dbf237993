// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An index of static records by the hash of their names.
#pragma once

#include <baton/core/span.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace baton {

namespace detail {

/// The slots of an index of all records in `Lists`. The number of slots is a power of two, and at least twice the number of records.
template <class Record, const auto& Lists>
class index_slots {
  static consteval auto size() -> std::size_t {
    std::size_t count = 1;
    for (const span<const Record> list : Lists) count += list.size();
    return std::bit_ceil(2 * count);
  }
  static consteval auto filled() -> std::array<const Record*, size()> {
    std::array<const Record*, size()> slots{};
    for (const span<const Record> list : Lists) {
      for (const auto& record : list) {
        auto at = static_cast<std::size_t>(record.name.hash % slots.size());
        while (slots[at] != nullptr) at = (at + 1) % slots.size();
        slots[at] = &record;
      }
    }
    return slots;
  }

 public:
  static constexpr auto all = filled();
};

}  // namespace detail

/// Records with a `literal_name name`, indexed by the hash of the name. The index is a view of static data and uses open addressing (D. E.
/// Knuth, The Art of Computer Programming 3, 6.4, algorithm L). In a constant expression, this index costs fewer steps than a sorted list
/// with binary search, both to build and to query. If two records have the same name, `find` returns the first.
template <class Record>
class name_index {
 public:
  /// Returns the index of the records in `Lists`, an array of spans of records with static storage.
  template <const auto& Lists>
  static consteval auto of() -> name_index {
    constexpr const auto& slots = detail::index_slots<Record, Lists>::all;
    return name_index(slots.data(), slots.size() - 1);
  }

  /// Returns the record whose name has the hash `name`, or null if there is no such record. O(1).
  constexpr auto find(std::uint64_t name) const -> const Record* {
    for (auto at = name;; ++at) {
      const auto* const record = slots_[at & mask_];
      if (record == nullptr || record->name.hash == name) return record;
    }
  }
  /// Calls `visit(record)` for each record, in no defined order.
  template <class Visit>
  constexpr void for_each(Visit visit) const {
    for (std::size_t i = 0; i <= mask_; ++i) {
      if (slots_[i] != nullptr) visit(*slots_[i]);
    }
  }

 private:
  constexpr name_index(const Record* const* slots, std::size_t mask) : slots_(slots), mask_(mask) {}

  const Record* const* slots_;
  std::size_t mask_;  ///< the number of slots minus 1; the number of slots is a power of two
};

}  // namespace baton

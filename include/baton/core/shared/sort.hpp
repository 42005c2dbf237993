// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A sort function for contiguous items that takes little compile time.
#pragma once

#include <baton/core/config.hpp>

#include <cstddef>

namespace baton {

namespace detail {

/// Moves the item at position `at` of a max heap down until the heap property holds.
template <class Item, class Less>
constexpr void sink(Item* heap, std::size_t at, std::size_t count, const Less& less) {
  Item sinking = static_cast<Item&&>(heap[at]);
  for (std::size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && less(heap[child], heap[child + 1])) ++child;
    if (!less(sinking, heap[child])) break;
    heap[at] = static_cast<Item&&>(heap[child]);
    at = child;
  }
  heap[at] = static_cast<Item&&>(sinking);
}

}  // namespace detail

/// Sorts items in place, as `std::sort` does. The sort is not stable. Up to 16 items are sorted by insertion sort, more items by heapsort
/// (Williams, 1964). The worst case is O(n log n). This function exists to save compile time. `std::sort` instantiates sixteen functions
/// for each type of item; this took a tenth of the compile time of Baton's headers.
template <class Item, class Less>
constexpr void sort(Item* first, Item* last, const Less& less) {
  const auto count = static_cast<std::size_t>(last - first);
  if (count <= 16) {
    for (std::size_t i = 1; i < count; ++i) {
      Item moving = static_cast<Item&&>(first[i]);
      auto at = i;
      for (; at > 0 && less(moving, first[at - 1]); --at) first[at] = static_cast<Item&&>(first[at - 1]);
      first[at] = static_cast<Item&&>(moving);
    }
    return;
  }
  for (auto at = count / 2; at-- > 0;) detail::sink(first, at, count, less);
  for (auto remaining = count; remaining-- > 1;) {
    Item largest = static_cast<Item&&>(first[0]);
    first[0] = static_cast<Item&&>(first[remaining]);
    first[remaining] = static_cast<Item&&>(largest);
    detail::sink(first, 0, remaining, less);
  }
}

/// Sorts items in place by `<`.
template <class Item>
constexpr void sort(Item* first, Item* last) {
  sort(first, last, [](const Item& a, const Item& b) { return a < b; });
}

}  // namespace baton

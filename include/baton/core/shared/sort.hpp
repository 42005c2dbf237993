// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sorting items side by side, light on the compiler.
#pragma once

#include <baton/core/config.hpp>

#include <cstddef>

namespace baton {

namespace detail {

/// Lets the item at `at` of a heap, the largest item on top, sink to where it belongs.
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

/// Sorts as `std::sort` does, in place and not stable: a few items by insertion, more by heapsort (Williams, 1964), in n log n steps
/// whatever their order. It is here for the compiler's sake: `std::sort` makes sixteen functions a type of item, which took a tenth of the
/// time of including Baton.
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
  for (auto left = count; left-- > 1;) {
    Item largest = static_cast<Item&&>(first[0]);
    first[0] = static_cast<Item&&>(first[left]);
    first[left] = static_cast<Item&&>(largest);
    detail::sink(first, 0, left, less);
  }
}

/// The same by `<`.
template <class Item>
constexpr void sort(Item* first, Item* last) {
  sort(first, last, [](const Item& a, const Item& b) { return a < b; });
}

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Temporary memory for algorithms, which takes less compile time than a container.
#pragma once

#include <baton/core/config.hpp>

#include <cstddef>

namespace baton {

/// An array of `count` value-initialized items. The destructor frees the array. In a constant expression, Clang allocates the array without
/// any evaluation steps if `T` has no user-provided constructor. `items[i]` saves further steps, because it does not call a function.
template <class T>
struct work_array {
  T* const items;

  constexpr explicit work_array(std::size_t count) : items(new T[count]()) {}
  work_array(const work_array&) = delete;
  auto operator=(const work_array&) -> work_array& = delete;
  constexpr ~work_array() { delete[] items; }
};

}  // namespace baton

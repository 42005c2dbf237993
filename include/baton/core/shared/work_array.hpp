// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Memory for an algorithm's own use, lighter on the compiler than any container.
#pragma once

#include <baton/core/config.hpp>

#include <cstddef>

namespace baton {

/// So many zeros, gone at the end of the scope. In a constant, making them costs Clang no step where `T` has no constructor of its own, and
/// `items[i]` calls no function.
template <class T>
struct work_array {
  T* const items;

  constexpr explicit work_array(std::size_t count) : items(new T[count]()) {}
  work_array(const work_array&) = delete;
  auto operator=(const work_array&) -> work_array& = delete;
  constexpr ~work_array() { delete[] items; }
};

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Loads and stores of elements at any alignment.
#pragma once

#include <baton/core/config.hpp>

#include <cstddef>
#include <cstring>

namespace baton::portable {

/// Returns element `element` of an array at any alignment. Constants of a model need not be aligned.
template <class T>
auto load(const char* from, std::ptrdiff_t element = 0) -> T {
  T number;
  std::memcpy(&number, from + element * static_cast<std::ptrdiff_t>(sizeof(T)), sizeof(T));
  return number;
}
/// Stores `number` as element `element` of an array at any alignment.
template <class T>
void store(char* to, std::ptrdiff_t element, T number) {
  std::memcpy(to + element * static_cast<std::ptrdiff_t>(sizeof(T)), &number, sizeof(T));
}

}  // namespace baton::portable

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Elements in memory, wherever their bytes lie.
#pragma once

#include <baton/core/config.hpp>

#include <cstddef>
#include <cstring>

namespace baton::portable {

/// The number at a position counted in elements, wherever the bytes lie: constants of a model need not be aligned.
template <class T>
auto load(const char* from, std::ptrdiff_t element = 0) -> T {
  T number;
  std::memcpy(&number, from + element * static_cast<std::ptrdiff_t>(sizeof(T)), sizeof(T));
  return number;
}
template <class T>
void store(char* to, std::ptrdiff_t element, T number) {
  std::memcpy(to + element * static_cast<std::ptrdiff_t>(sizeof(T)), &number, sizeof(T));
}

}  // namespace baton::portable

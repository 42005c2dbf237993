// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An array whose size is set once, and which costs a constant no step an element.
#pragma once

#include <cstddef>
#include <utility>

namespace baton::detail {

/// An owned array of a size that is set once, its elements value-initialized. A vector spends some ten of Clang's steps on making an
/// element and three on reading one; this spends one on all, and its plain pointer none.
template <class T>
class flat_array {
 public:
  constexpr flat_array() = default;
  constexpr explicit flat_array(std::size_t size) : first_(new T[size]()) {}
  constexpr flat_array(flat_array&& other) noexcept : first_(std::exchange(other.first_, nullptr)) {}
  constexpr auto operator=(flat_array&& other) noexcept -> flat_array& {
    std::swap(first_, other.first_);
    return *this;
  }
  flat_array(const flat_array&) = delete;
  auto operator=(const flat_array&) -> flat_array& = delete;
  constexpr ~flat_array() { delete[] first_; }

  constexpr auto data() const -> T* { return first_; }

 private:
  T* first_ = nullptr;
};

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A view of contiguous items that takes little compile time, and the null position.
#pragma once

#include <baton/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

/// The null index, offset or position, as in `std::string_view`. The null id, `none<Id>`, is the same number.
inline constexpr std::uint32_t npos = 0xffffffffu;

/// A subset of `std::span`: the members that Baton uses, with the same names and meaning. Fixed extents are not supported. Iterators are
/// pointers. The two types convert to each other. This class exists to save compile time: the constraints of `std::span` took a third of
/// the compile time of Baton's headers. `tests/core/span_test.cpp` checks that both classes behave alike.
template <class T>
class span {
  // True if the item types differ at most in `const`. The pointer-to-pointer conversion rejects derived classes, whose size may differ.
  template <class U>
  static constexpr bool holds = requires(U* const* from, T* const*& to) { to = from; };
  // True if a span can refer to a range that is passed as `Range`. If the items are mutable, the range must be an lvalue, or trivially
  // copyable (as views are).
  template <class Range>
  static constexpr bool is_accepted = std::is_const_v<T> || std::is_lvalue_reference_v<Range> || __is_trivially_copyable(Range);

 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = T*;
  using reference = T&;
  using iterator = T*;

  constexpr span() noexcept = default;
  constexpr span(T* first, std::size_t size) noexcept : first_(first), size_(size) {}
  template <std::size_t N>
  constexpr span(T (&array)[N]) noexcept  // NOLINT(google-explicit-constructor): arrays and ranges convert to spans
      : first_(array),
        size_(N) {}
  template <class Range>
    requires(holds<std::remove_pointer_t<decltype(std::declval<Range&>().data())>> && is_accepted<Range>)
  constexpr span(Range&& range) noexcept  // NOLINT(google-explicit-constructor,bugprone-forwarding-reference-overload)
      : first_(range.data()),
        size_(range.size()) {}

  constexpr auto begin() const noexcept -> T* { return first_; }
  constexpr auto end() const noexcept -> T* { return first_ + size_; }
  constexpr auto data() const noexcept -> T* { return first_; }
  constexpr auto size() const noexcept -> std::size_t { return size_; }
  constexpr auto size_bytes() const noexcept -> std::size_t { return size_ * sizeof(T); }
  constexpr auto empty() const noexcept -> bool { return size_ == 0; }
  constexpr auto operator[](std::size_t at) const noexcept -> T& { return first_[at]; }
  constexpr auto front() const noexcept -> T& { return first_[0]; }
  constexpr auto back() const noexcept -> T& { return first_[size_ - 1]; }

  constexpr auto first(std::size_t count) const noexcept -> span { return {first_, count}; }
  constexpr auto last(std::size_t count) const noexcept -> span { return {first_ + (size_ - count), count}; }
  constexpr auto subspan(std::size_t offset) const noexcept -> span { return {first_ + offset, size_ - offset}; }
  constexpr auto subspan(std::size_t offset, std::size_t count) const noexcept -> span { return {first_ + offset, count}; }

 private:
  T* first_ = nullptr;
  std::size_t size_ = 0;
};

template <class T>
span(T*, std::size_t) -> span<T>;
template <class T, std::size_t N>
span(T (&)[N]) -> span<T>;
template <class Range>
span(Range&& range) -> span<std::remove_pointer_t<decltype(range.data())>>;

}  // namespace baton

template <class T>
inline constexpr bool std::ranges::enable_borrowed_range<baton::span<T>> = true;
template <class T>
inline constexpr bool std::ranges::enable_view<baton::span<T>> = true;

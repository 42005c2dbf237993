// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A growable array for constant expressions, which takes little compile time.
#pragma once

#include <baton/core/config.hpp>
#include <baton/core/shared/constant_builtins.hpp>

#include <cstddef>
#include <initializer_list>
#include <type_traits>
#if defined(__GLIBCXX__)  // <memory> of libstdc++ includes the streams, which would take a tenth of the compile time of Baton's headers
#include <bits/allocator.h>
#include <bits/stl_construct.h>
#else
#include <memory>
#endif

namespace baton {

/// A growable array with the members of `std::vector` that Baton uses, with the same names and meaning, and with some additional members.
/// Iterators are pointers. This class exists to save compile time: `std::vector` took half of the compile time of Baton's headers. In
/// constant expressions, `std::vector` took four to eight times as many steps as this class for each item that is pushed, copied or
/// inserted. `tests/core/vector_test.cpp` checks that both classes behave alike. Like all code that allocates memory, this class is used
/// only in constant expressions and on the development machine, never on a target. The behavior is unspecified if memory is exhausted.
template <class T>
class vector {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  constexpr vector() noexcept = default;
  constexpr explicit vector(std::size_t count) { resize(count); }
  constexpr vector(std::size_t count, const T& each) { resize(count, each); }
  constexpr vector(std::initializer_list<T> items) { append(items.begin(), items.end()); }
  template <class Iterator>
    requires requires(Iterator it) { *it; }
  constexpr vector(Iterator first, Iterator last) {
    append(first, last);
  }
  // Does not call `append`, because this call would instantiate `append` for pointers, for each type of item.
  constexpr vector(const vector& other) {
    if (other.size_ == 0) return;
    move_to(other.size_);
    if constexpr (is_plain) {
      copy(other.begin(), other.end(), first_);
    } else {
      const T* const items = other.first_;
      for (std::size_t i = 0; i < other.size_; ++i) std::construct_at(first_ + i, items[i]);
    }
    size_ = other.size_;
  }
  constexpr vector(vector&& other) noexcept : first_(other.first_), size_(other.size_), capacity_(other.capacity_) {
    other.first_ = nullptr;
    other.size_ = other.capacity_ = 0;
  }
  constexpr auto operator=(const vector& other) -> vector& {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  constexpr auto operator=(vector&& other) noexcept -> vector& {
    swap(other);
    return *this;
  }
  constexpr ~vector() {
    if constexpr (is_plain) {
      delete[] first_;
    } else if (first_ != nullptr) {
      if constexpr (!__is_trivially_copyable(T)) cut(first_);
      std::allocator<T>{}.deallocate(first_, capacity_);
    }
  }

  constexpr auto begin() noexcept -> T* { return first_; }
  constexpr auto begin() const noexcept -> const T* { return first_; }
  constexpr auto end() noexcept -> T* { return first_ + size_; }
  constexpr auto end() const noexcept -> const T* { return first_ + size_; }
  constexpr auto data() noexcept -> T* { return first_; }
  constexpr auto data() const noexcept -> const T* { return first_; }
  constexpr auto size() const noexcept -> std::size_t { return size_; }
  constexpr auto capacity() const noexcept -> std::size_t { return capacity_; }
  constexpr auto empty() const noexcept -> bool { return size_ == 0; }
  constexpr auto operator[](std::size_t at) noexcept -> T& { return first_[at]; }
  constexpr auto operator[](std::size_t at) const noexcept -> const T& { return first_[at]; }
  /// Returns the item at the position of an id. In a constant expression, `items[id]` is one function call, and `items[index(id)]` is two.
  template <class Id>
    requires std::is_enum_v<Id>
  constexpr auto operator[](Id id) noexcept -> T& {
    return first_[static_cast<std::size_t>(id)];
  }
  template <class Id>
    requires std::is_enum_v<Id>
  constexpr auto operator[](Id id) const noexcept -> const T& {
    return first_[static_cast<std::size_t>(id)];
  }
  constexpr auto front() noexcept -> T& { return first_[0]; }
  constexpr auto front() const noexcept -> const T& { return first_[0]; }
  constexpr auto back() noexcept -> T& { return first_[size_ - 1]; }
  constexpr auto back() const noexcept -> const T& { return first_[size_ - 1]; }

  constexpr void reserve(std::size_t capacity) {
    if (capacity > capacity_) move_to(capacity);
  }
  constexpr void push_back(const T& item) {
    if (size_ == capacity_) return push_back(T(item));
    if constexpr (is_plain)
      first_[size_++] = item;
    else
      std::construct_at(first_ + size_++, item);
  }
  constexpr void push_back(T&& item) {
    if (size_ == capacity_) {
      T kept(static_cast<T&&>(item));  // moved before `move_to`, because `item` may be in this vector
      move_to(capacity_ == 0 ? 1 : 2 * capacity_);
      std::construct_at(first_ + size_++, static_cast<T&&>(kept));
      return;
    }
    if constexpr (is_plain)
      first_[size_++] = item;
    else
      std::construct_at(first_ + size_++, static_cast<T&&>(item));
  }
  template <class... Arguments>
  constexpr auto emplace_back(Arguments&&... arguments) -> T& {
    push_back(T(static_cast<Arguments&&>(arguments)...));
    return back();
  }
  constexpr void pop_back() noexcept { cut(first_ + size_ - 1); }
  constexpr void clear() noexcept { cut(first_); }
  constexpr void resize(std::size_t count) {
    if (count <= size_) return cut(first_ + count);
    if constexpr (is_plain) {
      if (capacity_ == 0) {
        first_ = new T[count]();
        size_ = capacity_ = count;
        return;
      }
    }
    if constexpr (is_plain) {
      resize(count, T{});
    } else {
      if (count > capacity_) grow(count - size_);
      for (; size_ < count; ++size_) std::construct_at(first_ + size_);
    }
  }
  constexpr void resize(std::size_t count, const T& each) {
    if (count <= size_) return cut(first_ + count);
    const T kept(each);
    if (count > capacity_) grow(count - size_);
    T* to = end();
    if constexpr (is_plain && builtins_take_constant_bytes) {
      *to++ = kept;
      for (T* const last = first_ + count; to != last;) {
        const auto filled = to - end();
        const auto more = filled < last - to ? filled : last - to;  // each step doubles the number of filled items
        __builtin_memcpy(to, end(), static_cast<std::size_t>(more) * sizeof(T));
        to += more;
      }
    } else if constexpr (is_plain) {
      for (T* const last = first_ + count; to != last; ++to) *to = kept;
    } else {
      for (T* const last = first_ + count; to != last; ++to) std::construct_at(to, kept);
    }
    size_ = count;
  }
  constexpr void assign(std::size_t count, const T& each) {
    const T kept(each);
    clear();
    resize(count, kept);
  }
  template <class Iterator>
    requires requires(Iterator it) { *it; }
  constexpr void assign(Iterator first, Iterator last) {
    clear();
    append(first, last);
  }

  /// Makes room for `count` more items, so that appending them does not move the items.
  constexpr void make_room(std::size_t count) {
    if (!has_room(count)) grow(count);
  }
  /// True if `count` more items can be appended without moving the items.
  constexpr auto has_room(std::size_t count) const -> bool { return size_ + count <= capacity_; }
  /// Appends `count` items, which may be items of this vector. Returns the position of the first appended item. Costs fewer steps of a
  /// constant expression than `insert`.
  constexpr auto append(const T* items, std::size_t count) -> std::size_t {
    if (size_ + count > capacity_) return append_to_larger(items, count);
    copy(items, items + count, first_ + size_);
    size_ += count;
    return size_ - count;
  }
  template <class Iterator>
    requires requires(Iterator it) { *it; }
  constexpr auto insert(const T* before, Iterator first, Iterator last) -> T* {
    const auto at = static_cast<std::size_t>(before - first_);
    if (at == size_) {
      append(first, last);
      return first_ + at;
    }
    vector tail(first_ + at, first_ + size_);
    cut(first_ + at);
    append(first, last);
    append(tail.begin(), tail.end());
    return first_ + at;
  }
  constexpr auto insert(const T* before, std::size_t count, const T& each) -> T* {
    const vector more(count, each);
    return insert(before, more.begin(), more.end());
  }
  constexpr auto insert(const T* before, const T& item) -> T* { return insert(before, std::size_t{1}, item); }

  constexpr auto erase(const T* first, const T* last) -> T* {
    T* const at = first_ + (first - first_);
    if (first == last) return at;
    T* to = at;
    for (T* from = first_ + (last - first_); from != end(); ++from) *to++ = static_cast<T&&>(*from);
    cut(to);
    return at;
  }
  constexpr auto erase(const T* item) -> T* { return erase(item, item + 1); }
  /// Erases the items that meet a condition, and returns their number.
  template <class Condition>
  friend constexpr auto erase_if(vector& from, Condition condition) -> std::size_t {
    T* to = from.begin();
    for (auto& item : from) {
      if (condition(item)) continue;
      if (to != &item) *to = static_cast<T&&>(item);
      ++to;
    }
    const auto erased = static_cast<std::size_t>(from.end() - to);
    from.cut(to);
    return erased;
  }

  constexpr void swap(vector& other) noexcept {
    T* const first = first_;
    const auto size = size_;
    const auto capacity = capacity_;
    first_ = other.first_;
    size_ = other.size_;
    capacity_ = other.capacity_;
    other.first_ = first;
    other.size_ = size;
    other.capacity_ = capacity;
  }

  constexpr auto operator==(const vector& other) const -> bool {
    if (size_ != other.size_) return false;
    for (std::size_t i = 0; i < size_; ++i) {
      if (!(first_[i] == other.first_[i])) return false;
    }
    return true;
  }

 private:
  template <class Iterator>
  constexpr void append(Iterator first, Iterator last) {
    if constexpr (requires { static_cast<std::size_t>(last - first); }) {
      const auto more = static_cast<std::size_t>(last - first);
      make_room(more);
      copy(first, last, end());
      size_ += more;
    } else {
      for (; first != last; ++first) push_back(*first);
    }
  }
  /// Returns the capacity of a vector that grows by `more` items.
  constexpr auto grown_capacity(std::size_t more) const -> std::size_t {
    return size_ + more > 2 * capacity_ ? size_ + more : 2 * capacity_;
  }
  constexpr void grow(std::size_t more) { move_to(grown_capacity(more)); }
  constexpr auto append_to_larger(const T* items, std::size_t count) -> std::size_t {
    vector larger;  // the old items are freed last, because `items` may be among them
    larger.move_to(grown_capacity(count));
    larger.append(first_, size_);
    const auto at = larger.append(items, count);
    swap(larger);
    return at;
  }
  // Allocation, copying and deallocation are in one function, because every function is instantiated for every type of item.
  constexpr void move_to(std::size_t capacity) {
    if constexpr (is_plain) {
      T* const storage = new T[capacity];
      copy(first_, first_ + size_, storage);
      delete[] first_;
      first_ = storage;
    } else {
      std::allocator<T> memory;
      T* const storage = memory.allocate(capacity);
      for (std::size_t i = 0; i < size_; ++i) {
        std::construct_at(storage + i, static_cast<T&&>(first_[i]));
        if constexpr (!__is_trivially_copyable(T)) first_[i].~T();
      }
      if (first_ != nullptr) memory.deallocate(first_, capacity_);
      first_ = storage;
    }
    capacity_ = capacity;
  }
  template <class Iterator>
  static constexpr void copy(Iterator first, Iterator last, T* to) {
    if constexpr (is_plain && builtins_take_constant_bytes && is_item_pointer<Iterator>) {
      if (first != last) __builtin_memcpy(to, first, static_cast<std::size_t>(last - first) * sizeof(T));
    } else if constexpr (is_plain) {
      if constexpr (is_item_pointer<Iterator>) {
        // At -O3, GCC 12 vectorizes the loop below and warns that the loop writes past the end of the array at `to`. The warning is false,
        // because all callers provide room for all items. This branch replaces the loop at run time, which avoids the warning. The
        // comparison with `nullptr` avoids another false warning: GCC does not deduce that `first` is not null if `first != last`.
        if (!std::is_constant_evaluated()) {
          if (first != last && first != nullptr) __builtin_memcpy(to, first, static_cast<std::size_t>(last - first) * sizeof(T));
          return;
        }
      }
      for (; first != last; ++first, ++to) *to = *first;
    } else {
      for (; first != last; ++first, ++to) std::construct_at(to, *first);
    }
  }
  constexpr void cut(T* from) noexcept {
    // Trivially copyable items need no destruction. Omitting the destruction saves steps of a constant expression.
    if constexpr (!__is_trivially_copyable(T)) {
      for (T* last = first_ + size_; last != from;) {
        --last;  // a separate statement, because GCC 12 drops `--last` inside a call of an empty destructor
        last->~T();
      }
    }
    size_ = static_cast<std::size_t>(from - first_);
  }

  // True if a constant expression can allocate an array of items without a step for each item.
  static constexpr bool is_plain = __is_trivially_constructible(T) && __is_trivially_copyable(T);
  template <class Iterator>
  static constexpr bool is_item_pointer = std::is_same_v<Iterator, T*> || std::is_same_v<Iterator, const T*>;

  T* first_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Bounds-checked reads of untrusted little-endian bytes.
#pragma once

#include <baton/core/span.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton {

/// A reader of little-endian numbers, views and texts at absolute positions of a model's bytes. Positions and sizes are in bytes. A read
/// that is not completely inside the bytes returns zero or an empty view, and `ok()` is false from then on. Therefore callers can read
/// everything first, and check `ok()` once. The reader does not own the bytes; views and texts are valid as long as the bytes. Every read
/// is one expression, because compilers limit the statements (Clang) or operations (GCC) of a constant evaluation.
class byte_reader {
 public:
  constexpr byte_reader() = default;
  constexpr explicit byte_reader(span<const char> bytes)
      : data_(bytes.data()),
        size_(bytes.size()),
        remaining_work_(initial_limit(bytes.size())) {}

  /// Returns the number of bytes.
  constexpr auto size() const -> std::size_t { return size_; }

  /// True if every read so far was inside the bytes, the work limit (`charge`) is not exceeded, and `fail()` has not been called.
  constexpr auto ok() const -> bool { return ok_; }

  /// Records that the bytes break a rule of their format. Always returns false, so that a caller can write `return fail();`.
  constexpr auto fail() -> bool { return ok_ = false; }

  /// Returns true if `size` bytes at `at` are inside the bytes. Otherwise, calls `fail()` and returns false.
  constexpr auto within(std::size_t at, std::size_t size) -> bool { return (at <= size_ && size <= size_ - at) || fail(); }

  /// Charges `items` to the work limit. `items` is the number of items that the caller reaches through an offset. If the total of all calls
  /// exceeds the limit, calls `fail()` and returns false. The limit is many times the number of items that the bytes can contain. Without a
  /// limit, a small malicious file could describe an enormous tree, because several offsets may have the same target.
  constexpr auto charge(std::uint64_t items) -> bool { return items <= remaining_work_ ? (remaining_work_ -= items, true) : fail(); }
  /// Raises the work limit by `items`. The caller must limit the sum of `items` over all calls.
  constexpr void raise_limit(std::uint64_t items) { remaining_work_ += items; }

  // Each of the following functions reads the number at position `at`.
  constexpr auto u8(std::size_t at) -> std::uint8_t { return within(at, 1) ? static_cast<std::uint8_t>(data_[at]) : std::uint8_t{0}; }
  constexpr auto u16(std::size_t at) -> std::uint16_t {
    return at <= size_ && 2 <= size_ - at
               ? static_cast<std::uint16_t>(static_cast<unsigned char>(data_[at]) | static_cast<unsigned char>(data_[at + 1]) << 8)
               : std::uint16_t{fail()};
  }
  constexpr auto u32(std::size_t at) -> std::uint32_t {
    return at <= size_ && 4 <= size_ - at ? static_cast<std::uint32_t>(static_cast<unsigned char>(data_[at])) |
                                                static_cast<std::uint32_t>(static_cast<unsigned char>(data_[at + 1])) << 8 |
                                                static_cast<std::uint32_t>(static_cast<unsigned char>(data_[at + 2])) << 16 |
                                                static_cast<std::uint32_t>(static_cast<unsigned char>(data_[at + 3])) << 24
                                          : std::uint32_t{fail()};
  }
  constexpr auto u64(std::size_t at) -> std::uint64_t {
    return within(at, 8) ? u32(at) | static_cast<std::uint64_t>(u32(at + 4)) << 32 : 0;
  }
  constexpr auto i8(std::size_t at) -> std::int8_t { return static_cast<std::int8_t>(u8(at)); }
  constexpr auto i16(std::size_t at) -> std::int16_t { return static_cast<std::int16_t>(u16(at)); }
  constexpr auto i32(std::size_t at) -> std::int32_t { return static_cast<std::int32_t>(u32(at)); }
  constexpr auto i64(std::size_t at) -> std::int64_t { return static_cast<std::int64_t>(u64(at)); }
  constexpr auto f32(std::size_t at) -> float { return std::bit_cast<float>(u32(at)); }
  constexpr auto f64(std::size_t at) -> double { return std::bit_cast<double>(u64(at)); }

  /// Reads a number of type `T` at position `at`. A `bool` is true if its byte is not zero.
  template <class T>
    requires(sizeof(T) == 1)
  constexpr auto read(std::size_t at) -> T {
    return static_cast<T>(u8(at));
  }
  template <class T>
    requires(sizeof(T) == 2)
  constexpr auto read(std::size_t at) -> T {
    return std::bit_cast<T>(u16(at));
  }
  template <class T>
    requires(sizeof(T) == 4)
  constexpr auto read(std::size_t at) -> T {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(u32(at));
    return std::bit_cast<T>(u32(at));
  }
  template <class T>
    requires(sizeof(T) == 8)
  constexpr auto read(std::size_t at) -> T {
    return std::bit_cast<T>(u64(at));
  }

  /// Returns a view of `size` bytes at position `at`.
  constexpr auto view(std::size_t at, std::size_t size) -> span<const char> {
    return within(at, size) ? span<const char>{data_ + at, size} : span<const char>{};
  }

  /// Returns a view of `size` characters at position `at`. A zero character does not end the view.
  constexpr auto text(std::size_t at, std::size_t size) -> std::string_view {
    return within(at, size) ? std::string_view{data_ + at, size} : std::string_view{};
  }

 private:
  /// Returns the work limit for `size` bytes. A valid file has at most one table or element per byte. An importer visits each table or
  /// element only a few times, so valid files stay far below the limit.
  static constexpr auto initial_limit(std::uint64_t size) -> std::uint64_t { return 16 * size + 1024; }

  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::uint64_t remaining_work_ = initial_limit(0);
  bool ok_ = true;
};

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// FlatBuffers without generated code: tables, fields, vectors, texts and unions, read in place from untrusted bytes.
#pragma once

#include <baton/core/span.hpp>
#include <baton/import/byte_reader.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

/// The wire format of FlatBuffers (https://flatbuffers.dev/internals). Positions are absolute, in bytes. Offsets to tables, vectors and
/// texts only point forward, so the data cannot contain a cycle. Several offsets may share a target, so every visit of a target is charged
/// to the work limit (`byte_reader::charge`). The exception is `table::bytes`. Errors are offsets that are 0 or outside the bytes, invalid
/// vtables, and vectors or texts that do not fit in the remaining bytes. Work beyond the limit is also an error. On every error,
/// `byte_reader::fail` is called, and the returned object is zero, absent, empty, or a table without fields. Therefore callers check
/// `byte_reader::ok()` only once, at the end.
namespace baton::flatbuffer {

/// Returns the target position of the offset at `at`. If the offset is not valid, returns the end of the bytes, where every read fails.
constexpr auto follow(byte_reader& reader, std::size_t at) -> std::size_t {
  const std::size_t offset = reader.u32(at);
  return (offset != 0 || reader.fail()) && reader.within(at, offset) ? at + offset : reader.size();
}

/// Returns the text whose length is stored at `at`. The length is charged as work, because importers copy names.
constexpr auto text_at(byte_reader& reader, std::size_t at) -> std::string_view {
  const std::size_t size = reader.u32(at);
  return reader.charge(size) ? reader.text(at + 4, size) : std::string_view{};
}

template <class T>
class vector;
struct union_member;

/// A table: its position and its vtable (the offsets of its fields). The vtable is checked once, when the table is opened. An absent table
/// has no fields, so all its numbers have their defaults and all its vectors are empty. A slot is the position of a field in the schema; a
/// union has two slots.
class table {
 public:
  constexpr table() = default;
  constexpr table(byte_reader& reader, std::size_t at)
      : reader_(&reader),
        position_(at),
        vtable_(at - static_cast<std::size_t>(std::ptrdiff_t{reader.i32(at)})),
        slots_(checked_slots(reader, vtable_)) {}

  /// True if the table is present.
  constexpr explicit operator bool() const { return reader_ != nullptr; }

  constexpr auto position() const -> std::size_t { return position_; }

  /// Returns a view of the table's inline bytes, without the targets of its offsets.
  constexpr auto own_bytes() const -> span<const char> { return reader_->view(position_, reader_->u16(vtable_ + 2)); }

  /// Returns the position of a field, or 0 if the field is absent. No field is at position 0, because the root's offset is stored there.
  constexpr auto field(std::size_t slot) const -> std::size_t {
    const std::size_t offset = slot < slots_ ? reader_->u16(vtable_ + 4 + 2 * slot) : 0;
    return offset == 0 ? 0 : position_ + offset;
  }

  /// Returns a number or a boolean, or `default_value` if the field is absent: `scalar<std::int32_t>(slot)`.
  template <class T>
  constexpr auto scalar(std::size_t slot, T default_value = T{}) const -> T {
    const auto at = field(slot);
    return at == 0 ? default_value : reader_->read<T>(at);
  }

  /// Returns a text; empty if the field is absent.
  constexpr auto text(std::size_t slot) const -> std::string_view {
    const auto at = field(slot);
    return at == 0 ? std::string_view{} : text_at(*reader_, follow(*reader_, at));
  }

  /// Returns a view of a vector of bytes; empty if the field is absent. Views are not charged as work; a caller that copies the bytes must
  /// charge the number of bytes (`byte_reader::charge`).
  constexpr auto bytes(std::size_t slot) const -> span<const char> {
    const auto at = field(slot);
    const auto start = at == 0 ? 0 : follow(*reader_, at);
    return at == 0 ? span<const char>{} : reader_->view(start + 4, reader_->u32(start));
  }

  /// Returns a vector of numbers, booleans, texts (`std::string_view`) or tables; empty if the field is absent:
  /// `elements<std::int32_t>(slot)`.
  template <class T>
  constexpr auto elements(std::size_t slot) const -> vector<T> {
    const auto at = field(slot);
    return at == 0 ? vector<T>{} : vector<T>{*reader_, follow(*reader_, at)};
  }

  /// Returns a nested table; absent if the field is absent.
  constexpr auto child(std::size_t slot) const -> table {
    const auto at = field(slot);
    return at == 0 ? table{} : table{*reader_, follow(*reader_, at)};
  }

  /// Returns a union. The type of the union is in `type_slot`, its table in the next slot.
  constexpr auto member(std::size_t type_slot) const -> union_member;

 private:
  static constexpr auto checked_slots(byte_reader& reader, std::size_t vtable) -> std::size_t {
    const std::size_t size = reader.u16(vtable);
    return ((size >= 4 && size % 2 == 0) || reader.fail()) && reader.within(vtable, size) && reader.charge(1) ? size / 2 - 2 : 0;
  }

  byte_reader* reader_ = nullptr;
  std::size_t position_ = 0;
  std::size_t vtable_ = 0;
  std::size_t slots_ = 0;
};

/// A union: its type and its table. The type is 0 if the union is absent.
struct union_member {
  std::uint8_t type;
  table value;
};

constexpr auto table::member(std::size_t type_slot) const -> union_member {
  const auto type = scalar<std::uint8_t>(type_slot);
  return {type, type == 0 ? table{} : child(type_slot + 1)};
}

/// A vector whose element type `T` is a number, `bool`, `std::string_view` or `table`. All elements are inside the bytes, and have been
/// charged as work.
template <class T>
class vector {
 public:
  /// The stored size of one element, in bytes; texts and tables are stored as offsets.
  static constexpr std::size_t element_size = std::is_arithmetic_v<T> ? sizeof(T) : 4;

  constexpr vector() = default;

  /// Reads the vector whose count is stored at `at`.
  constexpr vector(byte_reader& reader, std::size_t at) : reader_(&reader), position_(at + 4), size_(checked_size(reader, at)) {}

  constexpr auto size() const -> std::size_t { return size_; }
  constexpr auto empty() const -> bool { return size_ == 0; }

  /// Returns the position of the first element.
  constexpr auto position() const -> std::size_t { return position_; }

  /// Returns element `i`. The index may be untrusted: if it is out of range, `byte_reader::fail` is called, and the returned element is
  /// zero, empty or absent.
  constexpr auto operator[](std::size_t i) const -> T
    requires std::is_arithmetic_v<T>
  {
    return i < size_ ? reader_->read<T>(position_ + i * sizeof(T)) : outside();
  }
  constexpr auto operator[](std::size_t i) const -> T
    requires std::is_same_v<T, table>
  {
    return i < size_ ? table{*reader_, follow(*reader_, position_ + 4 * i)} : outside();
  }
  constexpr auto operator[](std::size_t i) const -> T
    requires std::is_same_v<T, std::string_view>
  {
    return i < size_ ? text_at(*reader_, follow(*reader_, position_ + 4 * i)) : outside();
  }

 private:
  static constexpr auto checked_size(byte_reader& reader, std::size_t at) -> std::size_t {
    const std::size_t size = reader.u32(at);
    return size == 0 || ((size <= (reader.size() - at - 4) / element_size || reader.fail()) && reader.charge(size)) ? size : 0;
  }

  constexpr auto outside() const -> T {
    if (reader_ != nullptr) reader_->fail();
    return T{};
  }

  byte_reader* reader_ = nullptr;
  std::size_t position_ = 0;
  std::size_t size_ = 0;
};

/// Returns the root table. The bytes begin with the offset of the root table.
constexpr auto root(byte_reader& reader) -> table { return {reader, follow(reader, 0)}; }

/// True if the bytes have this file identifier of four characters, for example `TFL3`.
constexpr auto has_identifier(byte_reader& reader, std::string_view identifier) -> bool { return reader.text(4, 4) == identifier; }

}  // namespace baton::flatbuffer

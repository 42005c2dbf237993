// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// FlatBuffers without generated code: tables, fields, vectors, texts and unions, read in place from bytes that need not be trusted.
#pragma once

#include <baton/core/span.hpp>
#include <baton/import/byte_reader.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

/// The wire format of FlatBuffers (https://flatbuffers.dev/internals). Positions are absolute, in bytes. Offsets to tables, vectors and
/// texts point forward only, so the data cannot lead in a cycle; what they share is accounted for (`byte_reader::spend`).
/// Whatever is wrong (an offset to the outside, a vtable that does not fit, a count above the bytes that are left) makes the reader
/// fail and yields something absent or empty: ask `byte_reader::ok()` once, at the end.
namespace baton::flatbuffer {

/// The position that the offset at `at` leads to; after a failure the end of the bytes, where nothing can be read.
constexpr auto follow(byte_reader& reader, std::size_t at) -> std::size_t {
  const std::size_t offset = reader.u32(at);
  return (offset != 0 || reader.fail()) && reader.within(at, offset) ? at + offset : reader.size();
}

/// The text whose length stands at `at`. Texts count as work by their length, since an importer copies names.
constexpr auto text_at(byte_reader& reader, std::size_t at) -> std::string_view {
  const std::size_t size = reader.u32(at);
  return reader.spend(size) ? reader.text(at + 4, size) : std::string_view{};
}

template <class T>
class vector;
struct union_member;

/// A table: a position and its vtable, which is checked once, when the table is opened. An absent table has no fields, so all its
/// numbers have their defaults and all its vectors are empty. A slot is the number of a field in the schema, a union counting twice.
class table {
 public:
  constexpr table() = default;
  constexpr table(byte_reader& reader, std::size_t at)
      : reader_(&reader),
        position_(at),
        vtable_(at - static_cast<std::size_t>(std::ptrdiff_t{reader.i32(at)})),
        slots_(checked_slots(reader, vtable_)) {}

  /// Whether the table is there.
  constexpr explicit operator bool() const { return reader_ != nullptr; }

  constexpr auto position() const -> std::size_t { return position_; }

  /// The table's own bytes, as a view: its fields, without what their offsets lead to.
  constexpr auto own_bytes() const -> span<const char> { return reader_->view(position_, reader_->u16(vtable_ + 2)); }

  /// The position of a field, 0 when it is absent (the root's offset stands at 0, so no field does).
  constexpr auto field(std::size_t slot) const -> std::size_t {
    const std::size_t offset = slot < slots_ ? reader_->u16(vtable_ + 4 + 2 * slot) : 0;
    return offset == 0 ? 0 : position_ + offset;
  }

  /// A number or a boolean, `scalar<std::int32_t>(slot)`; the schema's default when the field is absent.
  template <class T>
  constexpr auto scalar(std::size_t slot, T default_value = T{}) const -> T {
    const auto at = field(slot);
    return at == 0 ? default_value : reader_->read<T>(at);
  }

  /// A text, empty when absent.
  constexpr auto text(std::size_t slot) const -> std::string_view {
    const auto at = field(slot);
    return at == 0 ? std::string_view{} : text_at(*reader_, follow(*reader_, at));
  }

  /// A vector of bytes as a view, empty when absent. Views do not count as work; who copies one spends its size.
  constexpr auto bytes(std::size_t slot) const -> span<const char> {
    const auto at = field(slot);
    const auto start = at == 0 ? 0 : follow(*reader_, at);
    return at == 0 ? span<const char>{} : reader_->view(start + 4, reader_->u32(start));
  }

  /// A vector of numbers, booleans, texts (`std::string_view`) or tables, empty when absent: `elements<std::int32_t>(slot)`.
  template <class T>
  constexpr auto elements(std::size_t slot) const -> vector<T> {
    const auto at = field(slot);
    return at == 0 ? vector<T>{} : vector<T>{*reader_, follow(*reader_, at)};
  }

  /// A table within this one, absent when its field is.
  constexpr auto child(std::size_t slot) const -> table {
    const auto at = field(slot);
    return at == 0 ? table{} : table{*reader_, follow(*reader_, at)};
  }

  /// A union, whose type stands in this slot and whose table in the next.
  constexpr auto member(std::size_t type_slot) const -> union_member;

 private:
  static constexpr auto checked_slots(byte_reader& reader, std::size_t vtable) -> std::size_t {
    const std::size_t size = reader.u16(vtable);
    return ((size >= 4 && size % 2 == 0) || reader.fail()) && reader.within(vtable, size) && reader.spend(1) ? size / 2 - 2 : 0;
  }

  byte_reader* reader_ = nullptr;
  std::size_t position_ = 0;
  std::size_t vtable_ = 0;
  std::size_t slots_ = 0;
};

/// A union's type, 0 when nothing is stored, and its table.
struct union_member {
  std::uint8_t type;
  table value;
};

constexpr auto table::member(std::size_t type_slot) const -> union_member {
  const auto type = scalar<std::uint8_t>(type_slot);
  return {type, type == 0 ? table{} : child(type_slot + 1)};
}

/// A vector of `T`: a number, `bool`, `std::string_view` or `table`. Its elements are inside the bytes, and count as work.
template <class T>
class vector {
 public:
  /// The bytes of one element; texts and tables are stored as offsets.
  static constexpr std::size_t element_size = std::is_arithmetic_v<T> ? sizeof(T) : 4;

  constexpr vector() = default;

  /// The vector whose count stands at `at`.
  constexpr vector(byte_reader& reader, std::size_t at) : reader_(&reader), position_(at + 4), size_(checked_size(reader, at)) {}

  constexpr auto size() const -> std::size_t { return size_; }
  constexpr auto empty() const -> bool { return size_ == 0; }

  /// The position of the first element.
  constexpr auto position() const -> std::size_t { return position_; }

  /// Element `i`, an index that may come from the data: outside, the reader fails and the element is zero, empty or absent.
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
    return size == 0 || ((size <= (reader.size() - at - 4) / element_size || reader.fail()) && reader.spend(size)) ? size : 0;
  }

  constexpr auto outside() const -> T {
    if (reader_ != nullptr) reader_->fail();
    return T{};
  }

  byte_reader* reader_ = nullptr;
  std::size_t position_ = 0;
  std::size_t size_ = 0;
};

/// The root table of the bytes; its offset stands at their beginning.
constexpr auto root(byte_reader& reader) -> table { return {reader, follow(reader, 0)}; }

/// Whether the bytes carry this file identifier of four characters, for example `TFL3`.
constexpr auto has_identifier(byte_reader& reader, std::string_view identifier) -> bool { return reader.text(4, 4) == identifier; }

}  // namespace baton::flatbuffer

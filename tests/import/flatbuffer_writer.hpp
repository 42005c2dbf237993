// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes FlatBuffers, at compile time and at run time. Nothing is aligned, so readers must not require alignment.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tests {

/// A reference to a written object: the number of bytes from its beginning to the end of the file. 0 means no object.
using reference = std::size_t;

/// A field of a table.
struct field {
  std::uint16_t slot = 0;
  std::uint8_t size = 0;
  std::uint64_t bits = 0;
  reference to = 0;
};
constexpr auto byte_field(std::uint16_t slot, int number) -> field { return {slot, 1, static_cast<std::uint8_t>(number)}; }
constexpr auto int_field(std::uint16_t slot, std::int32_t number) -> field { return {slot, 4, static_cast<std::uint32_t>(number)}; }
constexpr auto long_field(std::uint16_t slot, std::int64_t number) -> field { return {slot, 8, static_cast<std::uint64_t>(number)}; }
constexpr auto float_field(std::uint16_t slot, float number) -> field { return {slot, 4, std::bit_cast<std::uint32_t>(number)}; }
constexpr auto offset_field(std::uint16_t slot, reference to) -> field { return {slot, 4, 0, to}; }

template <class T>
constexpr auto bits_of(T number) -> std::uint64_t {
  if constexpr (sizeof(T) == 1) return static_cast<std::uint8_t>(number);
  if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(number);
  if constexpr (sizeof(T) == 8) return std::bit_cast<std::uint64_t>(number);
}

/// Writes from the end to the beginning, so that the target of an offset is written before the offset.
class flatbuffer_writer {
 public:
  /// Writes a vector of numbers.
  template <class T>
  constexpr auto vector(baton::span<const T> numbers) -> reference {
    for (std::size_t i = numbers.size(); i-- > 0;) put(bits_of(numbers[i]), sizeof(T));
    return put(numbers.size(), 4);
  }
  template <class T>
  constexpr auto vector(std::initializer_list<T> numbers) -> reference {
    return vector(baton::span<const T>{numbers.begin(), numbers.size()});
  }
  constexpr auto text(std::string_view characters) -> reference {
    return vector(baton::span<const char>{characters.data(), characters.size()});
  }
  /// Writes a vector of offsets to tables or texts.
  constexpr auto offsets(baton::span<const reference> objects) -> reference {
    for (std::size_t i = objects.size(); i-- > 0;) put_offset(objects[i]);
    return put(objects.size(), 4);
  }
  constexpr auto offsets(std::initializer_list<reference> objects) -> reference {
    return offsets(baton::span<const reference>{objects.begin(), objects.size()});
  }

  /// Writes a table, directly after its vtable. Offset fields with reference 0 are omitted.
  constexpr auto table(baton::span<const field> fields) -> reference {
    std::uint16_t field_offsets[40] = {};
    std::uint16_t size = 4;
    std::uint16_t slots = 0;
    for (const auto& f : fields) {
      if (is_absent(f)) continue;
      field_offsets[f.slot] = size;
      size = static_cast<std::uint16_t>(size + f.size);
      slots = std::max(slots, static_cast<std::uint16_t>(f.slot + 1));
    }
    for (std::size_t i = fields.size(); i-- > 0;) {
      if (is_absent(fields[i])) continue;
      fields[i].to != 0 ? put_offset(fields[i].to) : put(fields[i].bits, fields[i].size);
    }
    const auto position = put(4u + 2u * slots, 4);
    for (std::size_t i = slots; i-- > 0;) put(field_offsets[i], 2);
    put(size, 2);
    put(4u + 2u * slots, 2);
    return position;
  }
  constexpr auto table(std::initializer_list<field> fields) -> reference {
    return table(baton::span<const field>{fields.begin(), fields.size()});
  }

  /// Returns the bytes of the file.
  constexpr auto finish(reference root, std::string_view identifier) -> baton::vector<char> {
    for (std::size_t i = identifier.size(); i-- > 0;) reversed_.push_back(identifier[i]);
    put_offset(root);
    std::reverse(reversed_.begin(), reversed_.end());
    return reversed_;
  }

 protected:
  static constexpr auto is_absent(const field& f) -> bool { return f.to == 0 && f.bits == 0 && (f.size == 0 || f.size == 4); }
  constexpr auto put(std::uint64_t bits, std::size_t size) -> reference {
    for (std::size_t i = size; i-- > 0;) reversed_.push_back(static_cast<char>(bits >> (8 * i) & 255u));
    return reversed_.size();
  }
  constexpr auto put_offset(reference to) -> reference { return put(reversed_.size() + 4 - to, 4); }

  baton::vector<char> reversed_;
};

}  // namespace tests

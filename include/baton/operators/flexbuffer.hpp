// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A reader of the format FlexBuffers, in which TensorFlow Lite stores the options of custom operators.
#pragma once

#include <baton/core/span.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// A value of a FlexBuffer (https://flatbuffers.dev/flexbuffers, `flatbuffers/flexbuffers.h`): a view of untrusted bytes. The members
/// access no memory outside the bytes. A value is absent if it is null, if its type or width is not supported, or if it is not completely
/// inside the bytes.
class flexbuffer {
 public:
  enum class kind : std::uint8_t { absent, integer, real, flag, text, list, map };

  constexpr flexbuffer() = default;
  /// Opens the root value of `bytes`. The last two bytes are the packed type of the root value, and its width in bytes.
  constexpr explicit flexbuffer(span<const char> bytes) : data_(bytes.data()), bytes_(bytes.size()) {
    if (bytes_ < 3) return;
    const auto width = byte_at(bytes_ - 1);
    if (width <= bytes_ - 2) open(bytes_ - 2 - width, width, byte_at(bytes_ - 2));
  }
  constexpr explicit flexbuffer(std::string_view bytes) : flexbuffer(span<const char>{bytes.data(), bytes.size()}) {}

  /// Returns the kind of the value.
  constexpr auto stored_kind() const -> kind { return kind_; }
  /// True if the value is present.
  constexpr auto is_present() const -> bool { return kind_ != kind::absent; }

  /// Returns the value of an integer or a flag, or the truncated value of a real. Returns `absent` for all other kinds, for an integer
  /// greater than INT64_MAX, and for a real that is not in (-9e18, 9e18).
  constexpr auto integer(std::int64_t absent = 0) const -> std::int64_t {
    if (kind_ == kind::integer || kind_ == kind::flag) {
      if (is_signed_) return signed_at(at_, width_);
      const auto number = number_at(at_, width_);
      return number <= INT64_MAX ? static_cast<std::int64_t>(number) : absent;
    }
    if (kind_ != kind::real) return absent;
    const auto number = real();
    return number > -9e18 && number < 9e18 ? static_cast<std::int64_t>(number) : absent;
  }
  /// Returns the value of a real, an integer or a flag, or `absent` for all other kinds.
  constexpr auto real(double absent = 0) const -> double {
    if (kind_ == kind::integer || kind_ == kind::flag) {
      return is_signed_ ? static_cast<double>(signed_at(at_, width_)) : static_cast<double>(number_at(at_, width_));
    }
    if (kind_ != kind::real) return absent;
    const auto bits = number_at(at_, width_);
    return width_ == 8 ? std::bit_cast<double>(bits) : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  /// Returns whether a flag or an integer is not 0, or `absent` for all other kinds.
  constexpr auto flag(bool absent = false) const -> bool {
    return kind_ == kind::integer || kind_ == kind::flag ? number_at(at_, width_) != 0 : absent;
  }
  /// Returns the characters of a string or a key, or the bytes of a blob. Returns an empty view for all other kinds.
  constexpr auto text() const -> std::string_view {
    return kind_ == kind::text ? std::string_view{data_ + at_, count_} : std::string_view{};
  }

  /// Returns the number of values of a list or a map, or 0 if the value has another kind.
  constexpr auto size() const -> std::size_t { return kind_ == kind::list || kind_ == kind::map ? count_ : 0; }
  /// Returns value `i` of a list or a map; the values of a map are in key order. The result is absent if there is no value `i`.
  constexpr auto operator[](std::size_t i) const -> flexbuffer {
    flexbuffer element{data_, bytes_};
    if (i < size()) element.open(at_ + i * width_, width_, element_type_ != untyped ? element_type_ : byte_at(at_ + count_ * width_ + i));
    return element;
  }
  /// Returns the value of the key `key` in a map. The result is absent if the map does not have this key.
  constexpr auto operator[](std::string_view key) const -> flexbuffer {
    for (std::size_t i = 0; kind_ == kind::map && i < count_; ++i) {
      if (key_at(i) == key) return (*this)[i];
    }
    return flexbuffer{data_, bytes_};
  }

 private:
  // The types of the format. A packed type is one byte, `type << 2 | log2(width)`. `width` is the size of the value, or of each of its
  // elements, in bytes.
  enum : std::uint8_t {
    null_type,
    int_type,
    uint_type,
    float_type,
    key_type,
    string_type,
    indirect_int,
    indirect_uint,
    indirect_float,
    map_type,
    vector_type,
    vector_of_int,
    vector_of_uint,
    vector_of_float,
    vector_of_key,
    first_tuple = 16,  ///< 16 to 18: pairs of signed, unsigned and real numbers; 19 to 21: triples; 22 to 24: quadruples
    last_tuple = 24,
    blob_type = 25,
    bool_type = 26,
    vector_of_bool = 36,
  };
  static constexpr std::uint8_t untyped = 0xff;

  constexpr flexbuffer(const char* data, std::size_t bytes) : data_(data), bytes_(bytes) {}

  constexpr auto byte_at(std::size_t at) const -> std::uint8_t { return static_cast<std::uint8_t>(data_[at]); }
  constexpr auto is_inside(std::size_t at, std::size_t size) const -> bool { return at <= bytes_ && size <= bytes_ - at; }
  /// Returns the little-endian number of `width` bytes at `at`. All of these bytes must be inside the buffer.
  constexpr auto number_at(std::size_t at, std::size_t width) const -> std::uint64_t {
    std::uint64_t number = 0;
    for (std::size_t i = width; i-- > 0;) number = number << 8 | byte_at(at + i);
    return number;
  }
  constexpr auto signed_at(std::size_t at, std::size_t width) const -> std::int64_t {
    const auto shift = 64 - 8 * width;
    return static_cast<std::int64_t>(number_at(at, width) << shift) >> shift;
  }
  /// Returns the target of the backward offset at `at`, or `bytes_` if the target would be before the beginning of the buffer.
  constexpr auto target_of(std::size_t at, std::size_t width) const -> std::size_t {
    const auto back = number_at(at, width);
    return back <= at ? at - static_cast<std::size_t>(back) : bytes_;
  }

  /// Opens the value with the packed type `packed`. The slot at `at` has `parent_width` bytes, and contains the value or a backward offset
  /// to the value. An invalid value stays absent.
  constexpr void open(std::size_t at, std::size_t parent_width, std::uint8_t packed) {
    if ((parent_width != 1 && parent_width != 2 && parent_width != 4 && parent_width != 8) || !is_inside(at, parent_width)) return;
    const auto type = static_cast<std::uint8_t>(packed >> 2);
    if (type == int_type || type == uint_type || type == float_type || type == bool_type) return scalar(at, parent_width, type);
    const auto target = target_of(at, parent_width);
    const auto width = std::size_t{1} << (packed & 3);
    if (type == indirect_int || type == indirect_uint || type == indirect_float) {
      return scalar(target, width, static_cast<std::uint8_t>(type - indirect_int + int_type));
    }
    if (type == key_type) return key(target);
    if (type >= first_tuple && type <= last_tuple) {
      return tuple(target, width, std::size_t{2} + (type - first_tuple) / 3u,
                   static_cast<std::uint8_t>(((type - first_tuple) % 3 + int_type) * 4));
    }
    if (target < width || target > bytes_) return;
    if (type == string_type || type == blob_type) return characters(target, width);
    if (type == map_type) return map(target, width);
    if (type == vector_type) return list(target, width, untyped);
    if (type >= vector_of_int && type <= vector_of_key)
      return list(target, width, static_cast<std::uint8_t>((type - vector_of_int + int_type) * 4));
    if (type == vector_of_bool) return list(target, width, bool_type * 4);
  }

  constexpr void scalar(std::size_t at, std::size_t width, std::uint8_t type) {
    if (!is_inside(at, width) || (type == float_type && width < 4)) return;
    kind_ = type == float_type ? kind::real : type == bool_type ? kind::flag : kind::integer;
    is_signed_ = type == int_type;
    at_ = at;
    width_ = width;
  }
  constexpr void key(std::size_t at) {
    std::size_t end = at;
    while (end < bytes_ && data_[end] != '\0') ++end;
    if (end >= bytes_) return;
    kind_ = kind::text;
    at_ = at;
    count_ = end - at;
  }
  /// Reads the element count of a text, list or map whose elements begin at `at`. The `width` bytes before `at` contain the count. Each
  /// element has `element_bytes` bytes. Returns false if not all elements are inside the buffer.
  constexpr auto read_count(std::size_t at, std::size_t width, std::size_t element_bytes) -> bool {
    const auto count = number_at(at - width, width);
    if (count > (bytes_ - at) / element_bytes) return false;
    at_ = at;
    width_ = width;
    count_ = static_cast<std::size_t>(count);
    return true;
  }
  constexpr void characters(std::size_t at, std::size_t width) {
    if (read_count(at, width, 1)) kind_ = kind::text;
  }
  constexpr void list(std::size_t at, std::size_t width, std::uint8_t element_type) {
    if (!read_count(at, width, width + (element_type == untyped ? 1 : 0))) return;
    kind_ = kind::list;
    element_type_ = element_type;
  }
  /// Opens a tuple, which has no count before its values, because its type determines the count.
  constexpr void tuple(std::size_t at, std::size_t width, std::size_t count, std::uint8_t element_type) {
    if (!is_inside(at, count * width)) return;
    kind_ = kind::list;
    at_ = at;
    width_ = width;
    count_ = count;
    element_type_ = element_type;
  }
  /// Opens a map. Three numbers precede its values: the offset of its key vector, the width of an element of that vector, and the count.
  constexpr void map(std::size_t at, std::size_t width) {
    if (at < 3 * width || !read_count(at, width, width + 1)) return;
    const auto keys = target_of(at - 3 * width, width);
    const auto keys_width = number_at(at - 2 * width, width);
    if (keys_width != 1 && keys_width != 2 && keys_width != 4 && keys_width != 8) return;
    if (keys > bytes_ || count_ > (bytes_ - keys) / static_cast<std::size_t>(keys_width)) return;
    keys_ = keys;
    keys_width_ = static_cast<std::size_t>(keys_width);
    element_type_ = untyped;
    kind_ = kind::map;
  }
  constexpr auto key_at(std::size_t i) const -> std::string_view {
    flexbuffer entry{data_, bytes_};
    entry.key(target_of(keys_ + i * keys_width_, keys_width_));
    return entry.text();
  }

  const char* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t at_ = 0;     ///< the position of the number, the first character or the first value
  std::size_t width_ = 0;  ///< the width of the number or of each value, in bytes
  std::size_t count_ = 0;  ///< the number of characters or values
  std::size_t keys_ = 0;
  std::size_t keys_width_ = 0;
  kind kind_ = kind::absent;
  bool is_signed_ = false;
  std::uint8_t element_type_ = untyped;
};

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Numbers in a FlexBuffer, which holds the options of custom operators: https://flatbuffers.dev/internals, "FlexBuffers".
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::portable {

/// A number, or none: what is missing, null or something else.
struct flexbuffer_number {
  bool is_there = false;
  bool is_real = false;
  std::int64_t whole = 0;
  double real = 0;

  constexpr auto as_integer(std::int64_t absent) const -> std::int64_t {
    if (!is_there) return absent;
    if (!is_real) return whole;
    return real > -1e9 && real < 1e9 ? static_cast<std::int64_t>(real) : absent;
  }
  constexpr auto as_real(double absent) const -> double { return !is_there ? absent : is_real ? real : static_cast<double>(whole); }
};

/// A map at the root of a FlexBuffer. Reads nothing outside the bytes, whatever they are; what they do not hold is not there.
class flexbuffer_map {
 public:
  constexpr explicit flexbuffer_map(std::string_view bytes) : bytes_(bytes) {
    // The end: the root itself, its type, and the width in which it is stored.
    if (bytes.size() < 3) return;
    const auto width = byte(bytes.size() - 1);
    if (!is_width(width) || bytes.size() < 2 + width || byte(bytes.size() - 2) >> 2 != map_type) return;
    const auto root = bytes.size() - 2 - width;
    width_ = std::size_t{1} << (byte(bytes.size() - 2) & 3);
    at_ = before(root, width);
    if (at_ < 3 * width_ || at_ == bytes.size()) return;
    // In front of the elements: where the keys are, in which width, and how many. Behind them: a byte for each that tells its type.
    size_ = static_cast<std::size_t>(std::min<std::uint64_t>(unsigned_at(at_ - width_, width_), bytes.size()));
    key_width_ = static_cast<std::size_t>(std::min<std::uint64_t>(unsigned_at(at_ - 2 * width_, width_), 9));  // 9 is none
    keys_ = before(at_ - 3 * width_, width_);
    const auto room = bytes.size() - at_;
    if (!is_width(key_width_) || size_ > room / (width_ + 1) || size_ > (bytes.size() - keys_) / key_width_) size_ = 0;
  }

  constexpr auto operator[](std::string_view key) const -> flexbuffer_number {
    for (std::size_t i = 0; i < size_; ++i) {
      const auto name = before(keys_ + i * key_width_, key_width_);
      if (bytes_.size() - name <= key.size()) continue;
      if (bytes_.substr(name, key.size()) != key || bytes_[name + key.size()] != '\0') continue;
      return number(at_ + i * width_, byte(at_ + size_ * width_ + i));
    }
    return {};
  }

 private:
  static constexpr unsigned map_type = 9;

  static constexpr auto is_width(std::size_t width) -> bool { return width == 1 || width == 2 || width == 4 || width == 8; }
  constexpr auto byte(std::size_t at) const -> unsigned { return static_cast<unsigned char>(bytes_[at]); }
  constexpr auto unsigned_at(std::size_t at, std::size_t width) const -> std::uint64_t {
    std::uint64_t bits = 0;
    for (std::size_t i = width; i-- > 0;) bits = bits << 8 | byte(at + i);
    return bits;
  }
  /// Where an offset that is stored there leads: backwards from itself; the end if out of the bytes.
  constexpr auto before(std::size_t at, std::size_t width) const -> std::size_t {
    const auto offset = unsigned_at(at, width);
    return offset > at ? bytes_.size() : at - static_cast<std::size_t>(offset);
  }

  /// A number of a type, which also tells the width of one that is stored elsewhere.
  constexpr auto number(std::size_t at, unsigned type) const -> flexbuffer_number {
    auto kind = type >> 2;
    auto width = width_;
    if (kind >= 6 && kind <= 8) {
      at = before(at, width);
      width = std::size_t{1} << (type & 3);
      kind -= 5;
      if (bytes_.size() - at < width) return {};
    }
    const auto bits = unsigned_at(at, width);
    const auto shift = 64 - 8 * width;
    if (kind == 1) return {true, false, static_cast<std::int64_t>(bits << shift) >> shift, 0};
    if (kind == 2 || kind == 26) return {true, false, static_cast<std::int64_t>(bits), 0};
    if (kind == 3 && width == 4) return {true, true, 0, static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))};
    if (kind == 3 && width == 8) return {true, true, 0, std::bit_cast<double>(bits)};
    return {};
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t width_ = 1;
  std::size_t size_ = 0;
  std::size_t keys_ = 0;
  std::size_t key_width_ = 1;
};

}  // namespace baton::portable

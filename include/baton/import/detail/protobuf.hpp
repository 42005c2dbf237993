// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Protocol Buffers without generated code: the fields of messages, read in place from untrusted bytes.
#pragma once

#include <baton/core/span.hpp>
#include <baton/import/byte_reader.hpp>

#include <cstddef>
#include <cstdint>

/// The wire format of Protocol Buffers (https://protobuf.dev/programming-guides/encoding). Positions are absolute, in bytes. Each length is
/// checked against the message that contains it. An error is a value that ends outside the message, or a varint of more than ten bytes or
/// 64 bits. Groups, unknown wire types and invalid field numbers are also errors. After an error, the byte reader has failed and the
/// message ends. So callers check `byte_reader::ok()` only once, at the end.
namespace baton::protobuf {

/// The encoding of the value of a field. The other wire types are groups, which are not supported.
enum class wire_type : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

/// A field of a message.
struct field {
  std::uint32_t number = 0;
  wire_type wire = wire_type::varint;
  std::uint64_t value = 0;  ///< the varint or the bits of the fixed-size value; for `wire_type::bytes`, the same as `size`
  std::size_t at = 0;       ///< the position of the value
  std::size_t size = 0;     ///< the size of the value in bytes; 0 for a varint

  /// True if the message has this field. A field that was not read has the number 0.
  constexpr explicit operator bool() const { return number != 0; }
};

/// The fields of a message, in file order: `for (message m(reader, at, size); m.next(f);)`. Packed numbers are read with `has_more` and
/// `varint`.
class message {
 public:
  constexpr message(byte_reader& reader, std::size_t at, std::size_t size)
      : reader_(&reader),
        bytes_(reader.view(at, size).data()),
        start_(at),
        end_(reader.within(at, size) ? size : 0) {}
  /// Constructs the message that is the value of a field. If the wire type of the field is not `wire_type::bytes`, the reader fails and the
  /// message is empty.
  constexpr message(byte_reader& reader, const field& from)
      : message(reader, from.at, from.wire == wire_type::bytes || reader.fail() ? from.size : 0) {}

  /// Reads the next field. Returns false at the end of the message, and after an error.
  constexpr auto next(field& f) -> bool {
    if (at_ >= end_) return false;
    const auto tag = varint();
    const auto wire = static_cast<wire_type>(tag & 7);
    f.number = static_cast<std::uint32_t>(tag >> 3);
    f.wire = wire;
    f.size = 0;
    if (wire == wire_type::bytes) {
      f.value = varint();
      if (f.value > end_ - at_) return stop();
      f.size = static_cast<std::size_t>(f.value);
    } else if (wire == wire_type::varint) {
      f.value = varint();
    } else if (wire == wire_type::fixed32 || wire == wire_type::fixed64) {
      f.size = wire == wire_type::fixed32 ? 4 : 8;
      if (f.size > end_ - at_) return stop();
      f.value = wire == wire_type::fixed32 ? reader_->u32(start_ + at_) : reader_->u64(start_ + at_);
    } else {
      return stop();
    }
    f.at = start_ + at_;
    at_ += f.size;
    return (f.number != 0 && tag >> 32 == 0 && !has_failed_) || stop();
  }

  constexpr auto has_more() const -> bool { return at_ < end_; }

  /// Reads a varint of at most ten bytes and 64 bits. After an error, returns 0, and the message ends.
  constexpr auto varint() -> std::uint64_t {
    if (at_ < end_ && static_cast<unsigned char>(bytes_[at_]) < 128) return static_cast<unsigned char>(bytes_[at_++]);
    std::uint64_t sum = 0;
    for (unsigned shift = 0; shift < 70 && at_ < end_; shift += 7) {
      const std::uint64_t byte = static_cast<unsigned char>(bytes_[at_++]);
      sum |= (byte & 127) << shift;
      if (byte < 128) return shift == 63 && byte > 1 ? stop() : sum;
    }
    return stop();
  }

 private:
  /// Records an error and ends the message. Returns false, which `varint` converts to 0.
  constexpr auto stop() -> bool {
    at_ = end_;
    has_failed_ = true;
    return reader_->fail();
  }

  byte_reader* reader_;
  const char* bytes_;   ///< the first byte of the message
  std::size_t start_;   ///< the absolute position of the message
  std::size_t end_;     ///< the size of the message
  std::size_t at_ = 0;  ///< the position of the next byte within the message
  bool has_failed_ = false;
};

}  // namespace baton::protobuf

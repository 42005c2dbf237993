// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/detail/protobuf.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/byte_reader.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "onnx_writer.hpp"

namespace {

using namespace baton;
using protobuf::field;
using protobuf::message;
using protobuf::wire_type;
using tests::message_writer;

constexpr auto every_wire_type_is_read() -> bool {
  const auto bytes = message_writer().integer(1, -1).fixed32(2, 1.5f).fixed64(300, 2.5).text(4, "abc").bytes();
  byte_reader reader{bytes};
  message m(reader, 0, bytes.size());
  field f{};
  bool good = m.next(f) && f.number == 1 && f.wire == wire_type::varint && f.value == ~std::uint64_t{0};
  good = good && m.next(f) && f.number == 2 && f.wire == wire_type::fixed32 && f.size == 4 && reader.f32(f.at) == 1.5f;
  good = good && m.next(f) && f.number == 300 && f.wire == wire_type::fixed64 && f.size == 8 && reader.f64(f.at) == 2.5;
  good = good && m.next(f) && f.number == 4 && f.wire == wire_type::bytes && reader.text(f.at, f.size) == "abc";
  return good && !m.next(f) && !m.has_more() && reader.ok();
}
static_assert(every_wire_type_is_read());

/// Returns true if the reader fails while the fields of the message, and of the message in its first field, are read.
constexpr auto is_damaged(std::string_view bytes) -> bool {
  byte_reader reader{{bytes.data(), bytes.size()}};
  field f{}, inner{};
  for (message m(reader, 0, bytes.size()); m.next(f);) {
    if (f.wire != wire_type::bytes) continue;
    for (message nested(reader, f); nested.next(inner);) {
    }
  }
  return !reader.ok();
}
constexpr auto damaged_messages_are_noticed() -> bool {
  using std::string_view;
  return is_damaged({"\x08", 1}) &&                                                          // a varint is missing
         is_damaged({"\x08\x80\x80", 3}) &&                                                  // a varint without an end
         is_damaged({"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12}) &&             // eleven bytes
         is_damaged({"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11}) &&                 // more than 64 bits
         !is_damaged({"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11}) &&                // the greatest number
         is_damaged({"\x12\x03\x61\x62", 4}) &&                                              // a length past the end
         is_damaged({"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x61", 12}) &&             // a length that overflows
         is_damaged({"\x0d\x01\x02\x03", 4}) && is_damaged({"\x09\x01\x02\x03", 4}) &&       // fixed numbers that are cut
         is_damaged({"\x0b", 1}) && is_damaged({"\x0c", 1}) && is_damaged({"\x0e\0", 2}) &&  // groups, and unknown wire types
         is_damaged({"\x00\x00", 2}) &&                                                      // field number 0
         is_damaged({"\xf8\xff\xff\xff\xff\xff\x01\0", 8}) &&                                // a field number of more than 29 bits
         is_damaged({"\x12\x02\x12\x01\x12\x00", 6}) &&                   // a length that is inside the file, but not inside its message
         is_damaged({"\x12\x02\x0d\x01\x08\x01\x08\x01\x08\x01", 10}) &&  // a fixed number that is not inside its message
         !is_damaged({"", 0}) && !is_damaged({"\x12\x00", 2});
}
static_assert(damaged_messages_are_noticed());

constexpr auto packed_numbers_are_read() -> bool {
  const auto bytes = message_writer().packed(1, {0, 127, 128, -1}).bytes();
  byte_reader reader{bytes};
  field f{};
  message m(reader, 0, bytes.size());
  if (!m.next(f)) return false;
  vector<std::int64_t> numbers;
  for (message packed(reader, f); packed.has_more();) numbers.push_back(static_cast<std::int64_t>(packed.varint()));
  return numbers == vector<std::int64_t>{0, 127, 128, -1} && reader.ok();
}
static_assert(packed_numbers_are_read());

constexpr auto a_number_is_no_message() -> bool {
  const auto bytes = message_writer().integer(1, 5).bytes();
  byte_reader reader{bytes};
  field f{};
  message(reader, 0, bytes.size()).next(f);
  const message nested(reader, f);
  return !nested.has_more() && !reader.ok();
}
static_assert(a_number_is_no_message());

}  // namespace

TEST_CASE("protobuf: the fields of a message are read") {
  CHECK(every_wire_type_is_read());
  CHECK(packed_numbers_are_read());
}
TEST_CASE("protobuf: damaged messages are noticed") {
  CHECK(damaged_messages_are_noticed());
  CHECK(a_number_is_no_message());
}

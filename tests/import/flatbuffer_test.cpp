// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/core/span.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using baton::byte_reader;
using baton::flatbuffer::has_identifier;
using baton::flatbuffer::root;
using baton::flatbuffer::table;

/// Returns the bytes of little-endian words. The position of a word is four times its index.
template <std::size_t N>
constexpr auto bytes_of(const std::array<std::uint32_t, N>& words) -> std::array<char, 4 * N> {
  std::array<char, 4 * N> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(words[i / 4] >> 8 * (i % 4) & 255u);
  return bytes;
}

constexpr auto pair(std::uint32_t low, std::uint32_t high) -> std::uint32_t { return low | high << 16; }

constexpr auto letters(std::string_view text) -> std::uint32_t {
  std::uint32_t word = 0;
  for (std::size_t i = text.size(); i-- > 0;) word = word << 8 | static_cast<unsigned char>(text[i]);
  return word;
}

/// A root table with the fields 0: a number, 1: absent, 2: a text, 3: numbers, 4: tables, 5: texts, 6 and 7: a union, 8: bytes,
/// 9: a boolean, 10: a table.
// clang-format off: one object per row, with its position
constexpr auto sample = bytes_of(std::array<std::uint32_t, 39>{
    36, letters("TFL3"),                      //   0: to the root at 36; the identifier
    pair(26, 40),                             //   8: the root's vtable of 26 bytes, for 40 bytes of table
    pair(4, 0), pair(8, 12), pair(16, 20),    //  12: slots 0 to 5
    pair(33, 24), pair(28, 32), pair(36, 0),  //  24: slots 6 to 10
    28,                                       //  36: the root, 28 after its vtable
    0xfffffff9,                               //  40: -7
    32, 36, 44, 68,                           //  44: to the text at 76, the numbers at 84, the tables at 96, the texts at 124
    56, 72,                                   //  60: to the union's table at 116, the bytes at 136
    0x0201,                                   //  68: the boolean, and the union's type 2
    44,                                       //  72: to the table at 116
    3, letters("abc"),                        //  76
    2, 10, 20,                                //  84
    2, 16, 12,                                //  96: twice to the table at 116
    pair(6, 8), pair(4, 0),                   // 108: the vtable of that table
    8, 99,                                    // 116
    2, 20, 16,                                // 124: twice to the text at 148
    5, letters("1234"), letters("5"),         // 136
    2, letters("hi"),                         // 148
});
// clang-format on

constexpr auto sample_reader() -> byte_reader { return byte_reader{sample}; }

constexpr auto fields_are_found_by_slot() -> bool {
  auto r = sample_reader();
  const auto t = root(r);
  return t && t.position() == 36 && t.field(0) == 40 && t.field(1) == 0 && t.field(11) == 0 && t.field(65535) == 0 && r.ok();
}
static_assert(fields_are_found_by_slot());

constexpr auto scalars_have_defaults() -> bool {
  auto r = sample_reader();
  const auto t = root(r);
  return t.scalar<std::int32_t>(0, 5) == -7 && t.scalar<std::int32_t>(1, 5) == 5 && t.scalar<std::int32_t>(1) == 0 && t.scalar<bool>(9) &&
         t.scalar<float>(40, 1.5f) == 1.5f && r.ok();
}
static_assert(scalars_have_defaults());

constexpr auto texts_and_bytes_are_views() -> bool {
  auto r = sample_reader();
  const auto t = root(r);
  return t.text(2) == "abc" && t.text(1).empty() && t.bytes(8).size() == 5 && t.bytes(8).data() == sample.data() + 140 &&
         t.bytes(1).empty() && r.ok();
}
static_assert(texts_and_bytes_are_views());

constexpr auto vectors_hold_numbers_tables_and_texts() -> bool {
  auto r = sample_reader();
  const auto t = root(r);
  const auto numbers = t.elements<std::int32_t>(3);
  const auto tables = t.elements<table>(4);
  const auto texts = t.elements<std::string_view>(5);
  return numbers.size() == 2 && numbers.position() == 88 && numbers[0] == 10 && numbers[1] == 20 && tables.size() == 2 &&
         tables[0].scalar<std::int32_t>(0) == 99 && tables[1].position() == 116 && texts.size() == 2 && texts[1] == "hi" &&
         t.elements<std::int64_t>(1).empty() && r.ok();
}
static_assert(vectors_hold_numbers_tables_and_texts());

constexpr auto a_union_is_a_type_and_a_table() -> bool {
  auto r = sample_reader();
  const auto t = root(r);
  const auto member = t.member(6);
  const auto absent = t.member(20);
  return member.type == 2 && member.value.scalar<std::int32_t>(0) == 99 && absent.type == 0 && !absent.value &&
         t.child(10).scalar<std::int32_t>(0) == 99 && r.ok();
}
static_assert(a_union_is_a_type_and_a_table());

constexpr auto an_absent_table_has_no_fields() -> bool {
  auto r = sample_reader();
  const auto absent = root(r).child(1);
  return !absent && absent.field(0) == 0 && absent.scalar<std::int32_t>(0, 3) == 3 && absent.text(0).empty() && absent.bytes(0).empty() &&
         absent.elements<std::int32_t>(0).empty() && !absent.child(0) && absent.member(0).type == 0 && r.ok();
}
static_assert(an_absent_table_has_no_fields());

constexpr auto an_index_outside_a_vector_fails() -> bool {
  auto r = sample_reader();
  const auto numbers = root(r).elements<std::int32_t>(3);
  const bool was_ok = r.ok();
  return was_ok && numbers[2] == 0 && !r.ok() && baton::flatbuffer::vector<table>{}[0].position() == 0;
}
static_assert(an_index_outside_a_vector_fails());

constexpr auto the_identifier_is_compared() -> bool {
  auto r = sample_reader();
  byte_reader empty;
  return has_identifier(r, "TFL3") && !has_identifier(r, "TFL2") && r.ok() && !has_identifier(empty, "TFL3") && !empty.ok();
}
static_assert(the_identifier_is_compared());

/// Returns the sample with one word replaced.
constexpr auto with_word(std::size_t position, std::uint32_t word) -> std::array<char, sample.size()> {
  auto bytes = sample;
  for (std::size_t i = 0; i < 4; ++i) bytes[position + i] = static_cast<char>(word >> 8 * i & 255u);
  return bytes;
}

/// Reads all objects of the sample from `bytes`, which may be damaged. Returns whether every read succeeded.
constexpr auto reads_all(baton::span<const char> bytes) -> bool {
  byte_reader r{bytes};
  const auto t = root(r);
  const auto numbers = t.elements<std::int32_t>(3);
  const auto tables = t.elements<table>(4);
  const auto texts = t.elements<std::string_view>(5);
  for (std::size_t i = 0; i < numbers.size(); ++i) (void)numbers[i];
  for (std::size_t i = 0; i < tables.size(); ++i) (void)tables[i].scalar<std::int64_t>(0);
  for (std::size_t i = 0; i < texts.size(); ++i) (void)texts[i];
  (void)t.scalar<std::int32_t>(0);
  (void)t.text(2);
  (void)t.member(6).value.scalar<std::int32_t>(0);
  (void)t.bytes(8);
  (void)t.scalar<bool>(9);
  return r.ok();
}

constexpr auto broken_structure_fails() -> bool {
  return !reads_all(with_word(0, 0)) &&               // the root's offset leads to itself
         !reads_all(with_word(0, 0x80000000)) &&      // or far outside
         !reads_all(with_word(36, 0x80000000)) &&     // the vtable before the bytes
         !reads_all(with_word(36, 0xffff0000)) &&     // or after them
         !reads_all(with_word(8, pair(3, 40))) &&     // a vtable too small for its header
         !reads_all(with_word(8, pair(27, 40))) &&    // of an odd size
         !reads_all(with_word(8, pair(4000, 40))) &&  // or longer than the bytes
         !reads_all(with_word(12, pair(4000, 0))) &&  // a field outside
         !reads_all(with_word(76, 0xffffffff)) &&     // a text longer than the bytes
         !reads_all(with_word(84, 19)) &&             // a count that exceeds the remaining bytes
         !reads_all(with_word(84, 0x40000001)) &&     // a count whose bytes overflow 32 bits
         !reads_all(with_word(100, 0)) &&             // an element's offset of zero
         !reads_all(with_word(136, 0xfffffffc));      // far more bytes than there are
}
static_assert(broken_structure_fails());

constexpr auto every_shorter_file_is_safe() -> bool {
  const baton::span<const char> all{sample};
  std::size_t readable = 0;
  for (std::size_t size = 0; size < all.size(); ++size) readable += reads_all(all.first(size)) ? 1u : 0u;
  return readable <= 2;  // the two bytes after the last text are unused
}
static_assert(every_shorter_file_is_safe());

/// A read outside the bytes would not be a constant expression.
constexpr auto no_byte_causes_a_read_outside(baton::span<const unsigned char> values) -> bool {
  auto bytes = sample;
  for (auto& byte : bytes) {
    const auto original = byte;
    for (const auto value : values) {
      byte = static_cast<char>(value);
      (void)reads_all(bytes);
    }
    byte = original;
  }
  return reads_all(bytes);
}
constexpr std::array<unsigned char, 3> extremes{0, 127, 255};
static_assert(no_byte_causes_a_read_outside(extremes));

/// The elements would be outside the bytes, so an importer must not reserve memory for them.
constexpr auto a_count_beyond_the_bytes_is_an_empty_vector() -> bool {
  const auto bytes = with_word(84, 19);
  byte_reader r{bytes};
  return root(r).elements<std::int32_t>(3).empty() && !r.ok();
}
static_assert(a_count_beyond_the_bytes_is_an_empty_vector());

/// Offsets may share their targets. Each level is a table with 100 elements, all of which are the table of the next level.
constexpr auto the_work_for_a_small_file_is_bounded() -> bool {
  constexpr std::size_t levels = 3;
  constexpr std::size_t level_words = 103;
  std::array<std::uint32_t, 4 + levels * level_words + 3> words{16, 0, pair(6, 8), pair(4, 0)};
  for (std::size_t level = 0; level < levels; ++level) {
    const auto first = 4 + level * level_words;
    words[first] = static_cast<std::uint32_t>(4 * first - 8);
    words[first + 1] = 4;
    words[first + 2] = 100;
    for (std::size_t i = 0; i < 100; ++i) words[first + 3 + i] = static_cast<std::uint32_t>(4 * (100 - i));
  }
  words[words.size() - 3] = static_cast<std::uint32_t>(4 * (words.size() - 3) - 8);
  words[words.size() - 2] = 4;  // the last level has no elements, so that only the work limit ends the visits
  const auto bytes = bytes_of(words);
  byte_reader r{bytes};
  std::size_t visits = 0;
  const auto visit = [&](const auto& self, const table& t) -> void {
    const auto tables = t.elements<table>(0);
    for (std::size_t i = 0; i < tables.size() && r.ok(); ++i) self(self, (++visits, tables[i]));
  };
  visit(visit, root(r));
  return !r.ok() && visits < 16 * bytes.size() + 1024;
}

}  // namespace

TEST_CASE("flatbuffer reads tables, vectors, texts and unions, and fails on damaged structure") {
  CHECK(fields_are_found_by_slot());
  CHECK(scalars_have_defaults());
  CHECK(texts_and_bytes_are_views());
  CHECK(vectors_hold_numbers_tables_and_texts());
  CHECK(a_union_is_a_type_and_a_table());
  CHECK(an_absent_table_has_no_fields());
  CHECK(an_index_outside_a_vector_fails());
  CHECK(the_identifier_is_compared());
  CHECK(broken_structure_fails());
  CHECK(every_shorter_file_is_safe());
  CHECK(a_count_beyond_the_bytes_is_an_empty_vector());
  CHECK(the_work_for_a_small_file_is_bounded());
}

TEST_CASE("flatbuffer never reads outside the bytes, whatever value a byte has") {
  std::array<unsigned char, 256> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<unsigned char>(i);
  CHECK(no_byte_causes_a_read_outside(values));
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/byte_reader.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace {

using namespace std::string_view_literals;

constexpr auto bytes = "\x01\x82\x03\x84\x05\x86\x07\x88xyz"sv;

constexpr auto reader_of(std::string_view text) -> baton::byte_reader { return baton::byte_reader{{text.data(), text.size()}}; }

constexpr auto numbers_are_little_endian() -> bool {
  auto r = reader_of(bytes);
  return r.u8(1) == 0x82 && r.u16(0) == 0x8201 && r.u32(0) == 0x84038201 && r.u64(0) == 0x8807860584038201 && r.u16(1) == 0x0382 && r.ok();
}
static_assert(numbers_are_little_endian());

constexpr auto signed_numbers_keep_their_sign() -> bool {
  auto r = reader_of(bytes);
  auto ones = reader_of("\xff\xff\xff\xff\xff\xff\xff\xff"sv);
  return r.i8(0) == 1 && r.i8(1) == -126 && r.i16(0) == -32255 && r.i32(0) == std::bit_cast<std::int32_t>(0x84038201u) && r.i64(0) < 0 &&
         ones.i8(7) == -1 && ones.i16(6) == -1 && ones.i32(4) == -1 && ones.i64(0) == -1 && r.ok() && ones.ok();
}
static_assert(signed_numbers_keep_their_sign());

constexpr auto floats_are_read_from_their_bits() -> bool {
  auto r = reader_of("\0\0\x80\x3f\0\0\0\0\0\0\x04\xc0"sv);
  return r.f32(0) == 1.0f && r.f64(4) == -2.5 && r.ok();
}
static_assert(floats_are_read_from_their_bits());

constexpr auto read_supports_every_number_type() -> bool {
  auto r = reader_of(bytes);
  return r.read<std::uint8_t>(0) == 1 && r.read<std::int8_t>(1) == -126 && r.read<bool>(1) && r.read<std::int16_t>(0) == -32255 &&
         r.read<std::uint32_t>(0) == 0x84038201 && r.read<std::int64_t>(0) == r.i64(0) && r.read<float>(0) == r.f32(0) &&
         r.read<double>(0) == r.f64(0) && r.ok();
}
static_assert(read_supports_every_number_type());

constexpr auto views_and_texts_are_not_copied() -> bool {
  auto r = reader_of(bytes);
  return r.text(8, 3) == "xyz" && r.view(8, 3).data() == bytes.data() + 8 && r.view(8, 3).size() == 3 && r.text(11, 0).empty() && r.ok();
}
static_assert(views_and_texts_are_not_copied());

constexpr auto a_read_outside_returns_zero_and_is_sticky() -> bool {
  auto r = reader_of(bytes);
  const bool zero = r.u32(8) == 0;
  return zero && !r.ok() && r.u8(0) == 1 && !r.ok();
}
static_assert(a_read_outside_returns_zero_and_is_sticky());

constexpr auto every_kind_of_read_checks_its_end() -> bool {
  const auto fails = [](auto read) {
    auto inside = reader_of(bytes);
    auto outside = reader_of(bytes);
    const auto size = read(inside, 0).second;
    const bool last_is_inside = (read(inside, bytes.size() - size), inside.ok());
    const auto nothing = read(outside, bytes.size() - size + 1).first;
    return last_is_inside && nothing && !outside.ok();
  };
  struct outcome {
    bool first;
    std::size_t second;
  };
  return fails([](auto& r, std::size_t at) { return outcome{r.u8(at) == 0, 1}; }) &&
         fails([](auto& r, std::size_t at) { return outcome{r.i8(at) == 0, 1}; }) &&
         fails([](auto& r, std::size_t at) { return outcome{r.u16(at) == 0, 2}; }) &&
         fails([](auto& r, std::size_t at) { return outcome{r.i16(at) == 0, 2}; }) &&
         fails([](auto& r, std::size_t at) { return outcome{r.u32(at) == 0, 4}; }) &&
         fails([](auto& r, std::size_t at) { return outcome{r.i32(at) == 0, 4}; }) &&
         fails([](auto& r, std::size_t at) { return outcome{r.f32(at) == 0, 4}; }) &&
         fails([](auto& r, std::size_t at) { return outcome{r.u64(at) == 0, 8}; }) &&
         fails([](auto& r, std::size_t at) { return outcome{r.i64(at) == 0, 8}; }) &&
         fails([](auto& r, std::size_t at) { return outcome{r.f64(at) == 0, 8}; }) &&
         fails([](auto& r, std::size_t at) { return outcome{r.view(at, 5).empty(), 5}; }) &&
         fails([](auto& r, std::size_t at) { return outcome{r.text(at, 5).empty(), 5}; });
}
static_assert(every_kind_of_read_checks_its_end());

constexpr auto sums_of_positions_and_sizes_do_not_overflow() -> bool {
  constexpr auto max_size = std::numeric_limits<std::size_t>::max();
  auto a = reader_of(bytes);
  auto b = reader_of(bytes);
  auto c = reader_of(bytes);
  const bool nothing = a.u64(max_size - 3) == 0 && b.view(1, max_size).empty() && c.text(max_size, max_size).empty();
  return nothing && !a.ok() && !b.ok() && !c.ok();
}
static_assert(sums_of_positions_and_sizes_do_not_overflow());

constexpr auto an_empty_reader_holds_nothing() -> bool {
  baton::byte_reader r;
  const bool empty = r.size() == 0 && r.view(0, 0).empty() && r.ok();
  return empty && r.u8(0) == 0 && !r.ok();
}
static_assert(an_empty_reader_holds_nothing());

constexpr auto failures_of_fail_and_within_are_sticky() -> bool {
  auto r = reader_of(bytes);
  const bool inside = r.within(0, 11) && r.within(11, 0) && r.ok();
  auto s = reader_of(bytes);
  return inside && !r.within(12, 0) && !r.ok() && !s.fail() && !s.ok();
}
static_assert(failures_of_fail_and_within_are_sticky());

constexpr auto work_is_bounded_by_the_size() -> bool {
  auto r = reader_of(bytes);
  const bool a_few_visits = r.charge(4 * bytes.size()) && r.ok();
  return a_few_visits && !r.charge(std::numeric_limits<std::uint64_t>::max()) && !r.ok();
}
static_assert(work_is_bounded_by_the_size());

}  // namespace

TEST_CASE("byte_reader reads little-endian numbers, and a read outside its bytes is a permanent failure") {
  CHECK(numbers_are_little_endian());
  CHECK(signed_numbers_keep_their_sign());
  CHECK(floats_are_read_from_their_bits());
  CHECK(read_supports_every_number_type());
  CHECK(views_and_texts_are_not_copied());
  CHECK(a_read_outside_returns_zero_and_is_sticky());
  CHECK(every_kind_of_read_checks_its_end());
  CHECK(sums_of_positions_and_sizes_do_not_overflow());
  CHECK(an_empty_reader_holds_nothing());
  CHECK(failures_of_fail_and_within_are_sticky());
  CHECK(work_is_bounded_by_the_size());
}

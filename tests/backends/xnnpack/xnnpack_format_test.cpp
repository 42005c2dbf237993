// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backends/xnnpack/detail/format.hpp>
#include <baton/backends/xnnpack/detail/processed_reader.hpp>
#include <baton/backends/xnnpack/detail/processed_writer.hpp>

#include <baton/core/span.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace {

using namespace baton::xnnpack::detail;
using baton::status;

constexpr auto argument() -> value_record {
  return {.type = element::int8, .role = value_role::argument, .place = 0, .scale = 0.25f, .zero_point = -3, .rank = 2, .sizes = {1, 4}};
}
constexpr auto weights() -> value_record {
  return {.type = element::int8, .role = value_role::constant, .place = 1, .scales = 0, .axis = 1, .rank = 2, .sizes = {4, 8}};
}
constexpr auto product() -> operator_record {
  operator_record code{.op = opcode::fully_connected, .flags = 4, .lower = -1, .upper = 6, .operands = 3, .to = 2};
  code.from = {0, 1, nothing};
  code.count = 2;
  code.numbers = {7, 0xfffffffeu};
  return code;
}
constexpr auto written() -> baton::text_buffer {
  processed_writer to;
  to.add_key("scales of it");
  to.add_key("bytes");
  to.add(argument());
  to.add(weights());
  to.add(value_record{.role = value_role::result, .place = 0, .rank = 1, .sizes = {8}});
  to.add(product());
  return to.bytes();
}

constexpr auto same(const value_record& a, const value_record& b) -> bool {
  return a.type == b.type && a.role == b.role && a.place == b.place &&
         std::bit_cast<std::uint32_t>(a.scale) == std::bit_cast<std::uint32_t>(b.scale) && a.zero_point == b.zero_point &&
         a.scales == b.scales && a.axis == b.axis && a.rank == b.rank && a.sizes == b.sizes;
}
constexpr auto same(const operator_record& a, const operator_record& b) -> bool {
  return a.op == b.op && a.flags == b.flags && a.lower >= b.lower && a.lower <= b.lower && a.upper >= b.upper && a.upper <= b.upper &&
         a.operands == b.operands && a.from == b.from && a.to == b.to && a.count == b.count && a.numbers == b.numbers;
}

constexpr auto the_reader_returns_the_records_of_the_writer() -> bool {
  const auto processed_bytes = written();
  processed_reader read({processed_bytes.data(), processed_bytes.size()});
  if (read.begin().values != 3 || read.begin().operators != 1 || read.begin().keys != 2) return false;
  if (read.begin().arguments != 1 || read.begin().results != 1) return false;
  if (!same(read.next_value(), argument()) || !same(read.next_value(), weights())) return false;
  if (read.next_value().role != value_role::result || !same(read.next_operator(), product())) return false;
  if (read.key(0) != "scales of it" || read.key(1) != "bytes") return false;
  return read.state() == status::ok && read.key(2).empty() && read.state() == status::invalid_program;
}
static_assert(the_reader_returns_the_records_of_the_writer());

/// Returns the state of a reader of a single value, which must be an argument or a result.
constexpr auto state_of(const value_record& value) -> status {
  processed_writer to;
  to.add(value);
  const auto processed_bytes = to.bytes();
  return processed_reader({processed_bytes.data(), processed_bytes.size()}).state();
}
constexpr auto values_have_less_than_4_gib() -> bool {
  auto value = value_record{.role = value_role::argument, .place = 0, .rank = 2, .sizes = {65536, 16383}};
  const auto at = [&](std::uint32_t last) { return value.sizes[1] = last, state_of(value); };
  if (value.bytes() != 65536ull * 16383 * 4 || at(16383) != status::ok || at(0) != status::ok) return false;
  if (at(16384) != status::invalid_program || value.bytes() != 1ull << 32) return false;
  value.type = element::int8;
  if (at(65535) != status::ok || at(65536) != status::invalid_program) return false;
  value.rank = 6;
  value.sizes.fill(0xffffffffu);
  return state_of(value) == status::invalid_program;
}
static_assert(values_have_less_than_4_gib());

/// Returns the state of a reader of values with these roles and places. The header has the number of arguments and results.
constexpr auto state_of(std::initializer_list<value_record> values) -> status {
  processed_writer to;
  for (const auto& value : values) to.add(value);
  const auto processed_bytes = to.bytes();
  return processed_reader({processed_bytes.data(), processed_bytes.size()}).state();
}
constexpr auto every_place_occurs_once() -> bool {
  constexpr value_record first{.role = value_role::argument, .place = 0};
  constexpr value_record second{.role = value_role::argument, .place = 1};
  constexpr value_record out{.role = value_role::result, .place = 0};
  constexpr value_record other_out{.role = value_role::result, .place = 1};
  return state_of({first, second, out, other_out}) == status::ok && state_of({other_out, out, {}, second, first}) == status::ok &&
         state_of({first, first, out}) == status::invalid_program && state_of({second, second, out}) == status::invalid_program &&
         state_of({first, out, out}) == status::invalid_program;
}
static_assert(every_place_occurs_once());

/// Returns the state of a reader before anything is read.
auto state_of(const std::vector<char>& processed_bytes) -> status {
  return processed_reader({processed_bytes.data(), processed_bytes.size()}).state();
}
/// Returns processed bytes in memory of exactly their size, so that sanitizers detect every access past their end.
auto copy() -> std::vector<char> {
  const auto processed_bytes = written();
  return {processed_bytes.begin(), processed_bytes.end()};
}
void sign(std::vector<char>& processed_bytes) {
  const auto sum = checksum_of({processed_bytes.data(), processed_bytes.size()});
  for (std::size_t i = 0; i < 4; ++i) processed_bytes[8 + i] = static_cast<char>(sum >> 8 * i & 255u);
}

}  // namespace

TEST_CASE("xnnpack processed bytes: the reader returns the records of the writer") {
  CHECK(the_reader_returns_the_records_of_the_writer());
  CHECK(state_of(copy()) == status::ok);
}

TEST_CASE("xnnpack processed bytes: a value of 4 GiB is invalid") { CHECK(values_have_less_than_4_gib()); }

TEST_CASE("xnnpack processed bytes: every place of an argument or a result occurs once") {
  CHECK(every_place_occurs_once());
  // A header with one more argument than the values have.
  auto processed_bytes = copy();
  ++processed_bytes[24];
  sign(processed_bytes);
  CHECK(state_of(processed_bytes) == status::invalid_program);
}

TEST_CASE("xnnpack processed bytes: another version or backend is incompatible") {
  for (const std::size_t at : {std::size_t{0}, std::size_t{4}}) {
    auto processed_bytes = copy();
    ++processed_bytes[at];
    CHECK(state_of(processed_bytes) == status::delegate_invalid_compatibility);
  }
}

TEST_CASE("xnnpack processed bytes: every changed byte is detected") {
  for (std::size_t at = 8; at < copy().size(); ++at) {
    auto processed_bytes = copy();
    processed_bytes[at] = static_cast<char>(processed_bytes[at] ^ 0x40);
    CHECK(state_of(processed_bytes) == status::invalid_program);
  }
}

TEST_CASE("xnnpack processed bytes: every missing byte is detected") {
  for (std::size_t size = 0; size < copy().size(); ++size) {
    auto processed_bytes = copy();
    processed_bytes.resize(size);
    processed_bytes.shrink_to_fit();
    CHECK(state_of(processed_bytes) == status::invalid_program);
  }
}

TEST_CASE("xnnpack processed bytes: invalid references with a valid checksum are detected") {
  // The position of a byte, and an invalid value for it.
  struct word {
    std::size_t at;
    char is;
  };
  constexpr std::size_t first = header_words * 4;
  constexpr std::size_t second = first + 8 * 4;
  constexpr std::size_t code = second + 8 * 4 + 7 * 4;
  constexpr std::size_t keys = code + 10 * 4;
  for (const auto& wrong :
       {word{first, 3}, word{first + 1, 4}, word{first + 2, 7}, word{first + 4, 1}, word{second + 4, 2}, word{second + 16, 2},
        word{second + 20, 2}, word{code, 99}, word{code + 1, 5}, word{code + 2, 15}, word{code + 16, 3}, word{code + 20, 3}, word{24, 127},
        word{16, 127}, word{12, 9}, word{20, 127}, word{keys, 6}, word{keys + 4, 18}}) {
    auto processed_bytes = copy();
    processed_bytes[wrong.at] = wrong.is;
    sign(processed_bytes);
    CAPTURE(wrong.at);
    CHECK(state_of(processed_bytes) == status::invalid_program);
  }
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "../../examples/npu/npu_isa.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

namespace {

using namespace npu_example;

/// Returns a record in which every word is a different number.
template <word_record Record>
constexpr auto numbered() -> Record {
  std::array<std::uint32_t, sizeof(Record) / 4> words{};
  for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = 0x80c0ff01u + i * 0x01030507u;
  return std::bit_cast<Record>(words);
}

template <word_record Record>
constexpr auto survives_a_round_trip() -> bool {
  std::array<char, sizeof(Record)> processed_bytes{};
  write(processed_bytes.data(), numbered<Record>());
  using words = std::array<std::uint32_t, sizeof(Record) / 4>;
  return std::bit_cast<words>(read<Record>(processed_bytes.data())) == std::bit_cast<words>(numbered<Record>());
}
static_assert(survives_a_round_trip<header>() && survives_a_round_trip<instruction>() && survives_a_round_trip<address>());

constexpr auto multiplier_survives(fixed_multiplier multiplier) -> bool {
  std::array<char, multiplier_bytes> processed_bytes{};
  write_multiplier(processed_bytes.data(), multiplier);
  return read_multiplier(processed_bytes.data()) == multiplier;
}
constexpr auto multipliers_survive() -> bool {
  for (std::int32_t shift = -31; shift <= 30; ++shift) {
    if (!multiplier_survives({0x40000000, shift}) || !multiplier_survives({0x7fffffff, shift})) return false;
  }
  return multiplier_survives({});
}
static_assert(multipliers_survive());

constexpr auto words_are_little_endian() -> bool {
  std::array<char, 4> processed_bytes{};
  write_word(processed_bytes.data(), 0x81020304u);
  return processed_bytes == std::array<char, 4>{4, 3, 2, static_cast<char>(0x81)} && read_word(processed_bytes.data()) == 0x81020304u;
}
static_assert(words_are_little_endian());

constexpr auto large_shifts_are_clamped() -> bool {
  std::array<char, multiplier_bytes> processed_bytes{};
  write_multiplier(processed_bytes.data(), {0x40000000, 300});
  return read_multiplier(processed_bytes.data()) == fixed_multiplier{0x40000000, 30};
}
static_assert(large_shifts_are_clamped());

}  // namespace

TEST_CASE("npu instruction set: records and words are read as they were written") {
  CHECK(survives_a_round_trip<header>());
  CHECK(survives_a_round_trip<instruction>());
  CHECK(multipliers_survive());
  CHECK(words_are_little_endian());
  CHECK(large_shifts_are_clamped());
}

TEST_CASE("npu instruction set: the sections of the processed bytes are adjacent") {
  constexpr header begin{.instructions = 3, .multipliers = 7};
  static_assert(instruction_offset(0) == sizeof(header));
  static_assert(table_offset(begin) == instruction_offset(3));
  static_assert(processed_size(begin) == table_offset(begin) + 7 * multiplier_bytes);
  CHECK(sizeof(instruction) == 124);
}

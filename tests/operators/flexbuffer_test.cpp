// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/flexbuffer.hpp>
#include <baton/core/span.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using kind = baton::flexbuffer::kind;

// Written by flatbuffers.flexbuffers.Dumps of Python:
// {"T": 7, "fft_length": 512, "shift": -3, "big": -70000, "huge": 1 << 40, "nms": 0.25, "exact": 1/3, "on": True, "off": False,
//  "name": "half", "sizes": [3, -1, 400], "mixed": [1, "two", 3.5], "inner": {"a": 9}}
constexpr char options[] = {
    84,  0,   102, 102, 116, 95,  108, 101, 110, 103, 116, 104, 0,    115, 104, 105, 102,  116, 0,   98,  105, 103, 0,   104, 117, 103,
    101, 0,   110, 109, 115, 0,   101, 120, 97,  99,  116, 0,   111,  110, 0,   111, 102,  102, 0,   110, 97,  109, 101, 0,   4,   104,
    97,  108, 102, 0,   115, 105, 122, 101, 115, 0,   3,   0,   3,    0,   -1,  -1,  -112, 1,   5,   5,   5,   109, 105, 120, 101, 100,
    0,   3,   116, 119, 111, 0,   3,   0,   0,   0,   1,   0,   0,    0,   12,  0,   0,    0,   0,   0,   96,  64,  6,   20,  14,  105,
    110, 110, 101, 114, 0,   97,  0,   1,   3,   1,   1,   1,   9,    4,   13,  119, 101,  89,  120, 100, 21,  52,  81,  99,  87,  91,
    117, 75,  0,   0,   0,   0,   17,  0,   0,   0,   0,   0,   0,    0,   1,   0,   0,    0,   0,   0,   0,   0,   13,  0,   0,   0,
    0,   0,   0,   0,   7,   0,   0,   0,   0,   0,   0,   0,   -112, -18, -2,  -1,  -1,   -1,  -1,  -1,  85,  85,  85,  85,  85,  85,
    -43, 63,  0,   2,   0,   0,   0,   0,   0,   0,   0,   0,   0,    0,   0,   1,   0,    0,   84,  0,   0,   0,   0,   0,   0,   0,
    120, 0,   0,   0,   0,   0,   0,   0,   -91, 0,   0,   0,   0,    0,   0,   0,   0,    0,   0,   0,   0,   0,   -48, 63,  0,   0,
    0,   0,   0,   0,   0,   0,   1,   0,   0,   0,   0,   0,   0,    0,   -3,  -1,  -1,   -1,  -1,  -1,  -1,  -1,  -64, 0,   0,   0,
    0,   0,   0,   0,   7,   7,   15,  7,   7,   36,  42,  20,  15,   107, 107, 7,   41,   117, 39,  1};
// [1, 2, 3] and 5
constexpr char list[] = {3, 1, 2, 3, 4, 4, 4, 6, 40, 1};
constexpr char number[] = {5, 4, 1};

template <std::size_t N>
constexpr auto root_of(const char (&bytes)[N]) -> baton::flexbuffer {
  return baton::flexbuffer{baton::span<const char>{bytes, N}};
}

constexpr auto reads_written_values() -> bool {
  const auto map = root_of(options);
  return map.stored_kind() == kind::map && map.size() == 13 && map["T"].integer() == 7 && map["fft_length"].integer() == 512 &&
         map["shift"].integer() == -3 && map["big"].integer() == -70000 && map["huge"].integer() == std::int64_t{1} << 40 &&
         map["nms"].real() == 0.25 && map["exact"].real() == 1.0 / 3 && map["on"].flag() && map["on"].stored_kind() == kind::flag &&
         map["off"].is_present() && !map["off"].flag(true) && map["name"].text() == "half";
}
static_assert(reads_written_values());

constexpr auto reads_lists() -> bool {
  const auto map = root_of(options);
  const auto sizes = map["sizes"];
  const auto mixed = map["mixed"];
  return sizes.stored_kind() == kind::list && sizes.size() == 3 && sizes[0].integer() == 3 && sizes[1].integer() == -1 &&
         sizes[2].integer() == 400 && !sizes[3].is_present() && mixed.size() == 3 && mixed[1].text() == "two" && mixed[2].real() == 3.5 &&
         map["inner"]["a"].integer() == 9 && root_of(list)[2].integer() == 3 && root_of(number).integer() == 5;
}
static_assert(reads_lists());

// Vectors of fixed length, and an unsigned number that does not fit a signed integer.
constexpr auto reads_fixed_vectors_and_large_numbers() -> bool {
  constexpr char two_integers[] = {5, -7, 2, 16 << 2, 1};
  constexpr char three_unsigned[] = {1, 2, -1, 3, 20 << 2, 1};
  constexpr char four_halves[] = {0, 0, 0, 63, 0, 0, -128, 63, 0, 0, 0, 0, 0, 0, 0, 64, 16, 24 << 2 | 2, 1};
  constexpr char largest[] = {-1, -1, -1, -1, -1, -1, -1, -1, 2 << 2 | 3, 8};
  constexpr char cut[] = {5, 1, 16 << 2 | 3, 1};
  const auto signs = root_of(two_integers), unsign = root_of(three_unsigned), reals = root_of(four_halves), large = root_of(largest);
  return signs.stored_kind() == kind::list && signs.size() == 2 && signs[0].integer() == 5 && signs[1].integer() == -7 &&
         !signs[2].is_present() && unsign.size() == 3 && unsign[2].integer() == 255 && reals.size() == 4 && reals[0].real() == 0.5 &&
         reals[1].real() == 1 && reals[3].real() == 2 && large.integer(-7) == -7 && large.real() == 18446744073709551616.0 &&
         large.flag() && !root_of(cut).is_present();
}
static_assert(reads_fixed_vectors_and_large_numbers());

constexpr auto absent_values_have_defaults() -> bool {
  const auto map = root_of(options);
  return !map["t"].is_present() && map["none"].integer(42) == 42 && map["none"].real(0.5) == 0.5 && map["none"].flag(true) &&
         map["none"].text().empty() && map["name"].integer(8) == 8 && map["T"].size() == 0 && !map["T"]["x"].is_present() &&
         !root_of(list)["x"].is_present() && !baton::flexbuffer{}.is_present() &&
         !baton::flexbuffer{baton::span<const char>{}}.is_present() && map["T"].real() == 7 && map["nms"].integer(3) == 0;
}
static_assert(absent_values_have_defaults());

/// Typed lists of int8 (44), of one-byte flags (144) and of float32 (54), and an indirect int (24).
constexpr char typed_ints[] = {2, -5, 7, 2, 44, 1};
constexpr char typed_flags[] = {2, 1, 0, 2, static_cast<char>(144), 1};
constexpr char typed_reals[] = {1, 0, 0, 0, 0, 0, 96, 64, 4, 54, 1};
constexpr char indirect[] = {-7, 1, 24, 1};
static_assert(root_of(typed_ints).size() == 2 && root_of(typed_ints)[0].integer() == -5 && root_of(typed_ints)[1].integer() == 7);
static_assert(root_of(typed_flags)[0].flag() && !root_of(typed_flags)[1].flag() && root_of(typed_flags)[1].stored_kind() == kind::flag);
static_assert(root_of(typed_reals)[0].real() == 3.5);
static_assert(root_of(indirect).integer() == -7);

/// Calls every accessor of a value and, up to `depth` levels, of its elements.
auto read_all(const baton::flexbuffer& value, int depth) -> std::uint64_t {
  auto sum = static_cast<std::uint64_t>(value.integer()) + value.text().size() + (value.flag() ? 1u : 0u) + (value.real() > 0 ? 1u : 0u);
  for (const auto letter : value.text()) sum += static_cast<unsigned char>(letter);
  for (std::size_t i = 0; depth > 0 && i < value.size(); ++i) sum += read_all(value[i], depth - 1);
  for (const auto* const key : {"T", "name", "sizes", "inner"}) sum += value[key].is_present() ? 1u : 0u;
  return sum;
}

}  // namespace

TEST_CASE("flexbuffer reads maps, lists and numbers") {
  CHECK(reads_written_values());
  CHECK(reads_lists());
  CHECK(reads_fixed_vectors_and_large_numbers());
  CHECK(absent_values_have_defaults());
}

TEST_CASE("flexbuffer never reads outside damaged bytes") {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same numbers each time
  std::uint64_t sum = 0;
  for (int round = 0; round < 20000; ++round) {
    // A separate allocation, so that sanitizers detect each read outside it.
    std::vector<char> bytes(options, options + sizeof options);
    for (auto changes = random() % 6; changes-- > 0;) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (round % 3 == 0) bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(random() % bytes.size()), bytes.end());
    if (round % 3 == 1) bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(random() % bytes.size()));
    bytes.shrink_to_fit();
    sum += read_all(baton::flexbuffer{baton::span<const char>{bytes.data(), bytes.size()}}, 3);
  }
  CHECK(sum != 0);
}

TEST_CASE("flexbuffer values outside the bytes are absent") {
  for (std::size_t cut = 1; cut < sizeof options; ++cut) {
    const std::vector<char> tail(options + cut, options + sizeof options);
    const baton::flexbuffer map{baton::span<const char>{tail.data(), tail.size()}};
    if (map.stored_kind() != kind::map) continue;
    CHECK((map["T"].integer() == 7 || !map["T"].is_present()));
    CHECK((map["name"].text() == "half" || !map["name"].is_present()));
  }
}

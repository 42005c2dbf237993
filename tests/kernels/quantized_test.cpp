// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Tables of multipliers, and the numeric rules against the C++ library.
#include "reference.hpp"

#include <baton/kernels/detail/quantized.hpp>

#include <doctest/doctest.h>

#include <limits>

namespace {

using namespace baton::portable;
using namespace baton::quantized;
using namespace baton::portable::detail;

constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
constexpr auto highest = std::numeric_limits<std::int32_t>::max();

constexpr auto tables_record_whether_all_shift_right() -> bool {
  channel_table<3> table;
  set_channel(table, 0, to_fixed(0.25));
  set_channel(table, 1, to_fixed(0.0));
  set_channel(table, 2, to_fixed(1e-20));
  const bool all = table.all_shift_right && table.rights[0] == 1 && table.values[1] == 0 && table.rights[1] == 1 && table.values[2] == 0;
  set_channel(table, 2, to_fixed(0.75));
  const bool not_all = !table.all_shift_right && table.rights[2] == 0;
  set_channel(table, 2, to_fixed(1e30));
  return all && not_all && table.rights[2] == -30;
}
static_assert(tables_record_whether_all_shift_right());

}  // namespace

TEST_CASE("tables record whether all channels shift right") { CHECK(tables_record_whether_all_shift_right()); }

TEST_CASE("factors that round to a negative power of two keep it without overflow") {
  for (const double real : {-(1.0 - 0x1p-40), -(1.0 - 0x1p-40) / 2, -(1.0 - 0x1p-40) / 4, -(1.0 - 0x1p-40) * 0x1p-31}) {
    const auto by = to_fixed(real);
    const auto expected = reference::multiplier_of(real);
    CHECK(by == fixed_multiplier{static_cast<std::int32_t>(expected.value), expected.shift});
    CHECK(by.value == lowest);
    for (const std::int32_t x : {0, 1, -1, 2, -2, 3, -3, 1000, -1000, highest, lowest + 1})
      CHECK(requantize(x, by) == reference::requantize(x, expected));
    // The product of the two smallest numbers saturates.
    CHECK(requantize(lowest, by) == reference::requantize(-highest, expected));
    channel_table<1> table;
    set_channel(table, 0, to_fixed(real));
    CHECK(!table.all_shift_right);
    CHECK(to_int8<false>(highest, table.values[0], table.rights[0], 0, {-128, 127}) ==
          std::clamp<std::int64_t>(reference::requantize(highest, expected), -128, 127));
  }
}

TEST_CASE("multipliers and requantization match the C++ library") {
  std::uint32_t seed = 4711;
  for (int i = 0; i < 200000; ++i) {
    const auto a = static_cast<float>(one_layer::next_random(seed)) * (i % 3 == 0 ? -0x1p-40f : 0x1p-40f);
    const auto b = static_cast<float>(one_layer::next_random(seed)) * 0x1p-36f;
    const auto real = static_cast<double>(a) * static_cast<double>(b);
    const auto expected = reference::multiplier_of(real);
    const auto by = to_fixed(real);
    REQUIRE(by.value == expected.value);
    REQUIRE(by.shift == expected.shift);
    const auto x = static_cast<std::int32_t>(one_layer::next_random(seed)) >> (i % 24);
    if (by.shift <= 0) REQUIRE(requantize(x, by) == reference::requantize(x, expected));
  }
}

TEST_CASE("a single rounding matches exact integers, for all factors, sums and ties") {
  std::uint32_t seed = 2718;
  for (int i = 0; i < 200000; ++i) {
    // A factor is any, a power of two (which makes ties), the largest of its exponent, or 0.
    const auto any = static_cast<std::int32_t>(one_layer::next_random(seed) >> 2 | 1u << 30);
    const std::int32_t values[] = {any, -any, 1 << 30, -(1 << 30), highest, lowest, 0, any & -(1 << 24)};
    const auto value = values[i % 8];
    const auto right = static_cast<std::int32_t>((one_layer::next_random(seed) >> 8) % 62) - 30;
    auto sum = static_cast<std::int32_t>(one_layer::next_random(seed)) >> (one_layer::next_random(seed) >> 8) % 32;
    if (i % 5 == 0 && right > 0 && right < 30) sum = (sum >> (right + 1) << (right + 1)) + (1 << right);
    if (i % 97 == 0) sum = i % 2 == 0 ? lowest : highest;
    const auto exact = reference::requantize_once(sum, {value, -right});
    REQUIRE(requantize_once(sum, {value, -right}) == exact);
    if (right >= 1 && value != lowest) REQUIRE(requantize_right_once(sum, value, right) == exact);
    const bounds<std::int32_t> range{-100, 120};
    const auto output = std::clamp<std::int64_t>(exact + 7, -100, 120);
    // A real bias is added after the product: here half an output step, which rounds, and a few steps.
    if (value != lowest) {
      const auto steps = static_cast<std::int64_t>(one_layer::next_random(seed) >> 8) % 11 - 5;
      const auto half = std::int64_t{1} << (30 + right);
      const auto addend = right < 27 ? half + steps * 2 * half : half;
      const auto with_addend = std::clamp<std::int64_t>(exact + (right < 27 ? steps : 0) + 7, -100, 120);
      REQUIRE(to_int8_with_addend<false>(sum, value, right, addend, 7, range) == with_addend);
      if (right >= 1) REQUIRE(to_int8_with_addend<true>(sum, value, right, addend, 7, range) == with_addend);
    }
    REQUIRE(to_int8<false, rounding::once>(sum, value, right, 7, range) == output);
    if (right >= 1 && value != lowest) REQUIRE(to_int8<true, rounding::once>(sum, value, right, 7, range) == output);
  }
}

TEST_CASE("activation bounds match std::round") {
  std::uint32_t seed = 815;
  for (int i = 0; i < 20000; ++i) {
    const auto scale = static_cast<float>(one_layer::next_random(seed) >> 8) * 0x1p-25f + 1e-4f;
    const auto zero_point = static_cast<int>(one_layer::next_random(seed) >> 24) - 128;
    for (const auto fused : {activation::none, activation::relu, activation::relu6, activation::relu_n1_to_1}) {
      const auto actual = quantized_bounds<std::int8_t>(fused, scale, zero_point);
      REQUIRE(actual.lower == reference::clamp_int8(-1000, fused, scale, zero_point));
      REQUIRE(actual.upper == reference::clamp_int8(1000, fused, scale, zero_point));
    }
  }
}

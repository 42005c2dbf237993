// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The numeric rules at compile time and at run time. `kernels/quantized_test.cpp` compares them with the C++ library.
#include <baton/operators/requantization.hpp>
#include <baton/core/span.hpp>
#include <baton/operators/shared/rounding.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

namespace {

using namespace baton::quantized;

constexpr auto int32_min = std::numeric_limits<std::int32_t>::min();
constexpr auto int32_max = std::numeric_limits<std::int32_t>::max();

constexpr auto multipliers_are_normalized() -> bool {
  return to_fixed(0.5) == fixed_multiplier{1 << 30, 0} && to_fixed(1.0) == fixed_multiplier{1 << 30, 1} &&
         to_fixed(0.75) == fixed_multiplier{1610612736, 0} && to_fixed(0.0) == fixed_multiplier{} &&
         to_fixed(3.0) == fixed_multiplier{1610612736, 2};
}
static_assert(multipliers_are_normalized());

constexpr auto a_fraction_that_rounds_up_to_one_is_halved() -> bool {
  return to_fixed(1.0 - 0x1p-40) == fixed_multiplier{1 << 30, 1} && to_fixed(0x1p-31 - 0x1p-70) == fixed_multiplier{1 << 30, -30};
}
static_assert(a_fraction_that_rounds_up_to_one_is_halved());

constexpr auto too_small_multipliers_are_zero() -> bool {
  return to_fixed(0x1p-32) == fixed_multiplier{1 << 30, -31} && to_fixed(0x1.8p-33) == fixed_multiplier{} &&
         to_fixed(0x1p-32 - 0x1p-72) == fixed_multiplier{1 << 30, -31} && to_fixed(0x1p-1060) == fixed_multiplier{};
}
static_assert(too_small_multipliers_are_zero());

constexpr auto shifts_round_half_away_from_zero() -> bool {
  return rounding_shift_right(5, 1) == 3 && rounding_shift_right(-5, 1) == -3 && rounding_shift_right(6, 2) == 2 &&
         rounding_shift_right(-6, 2) == -2 && rounding_shift_right(-7, 2) == -2 && rounding_shift_right(5, 2) == 1 &&
         rounding_shift_right(-5, 2) == -1 && rounding_shift_right(int32_max, 31) == 1 && rounding_shift_right(int32_min + 1, 31) == -1 &&
         rounding_shift_right(1 << 30, 31) == 1 && rounding_shift_right((1 << 30) - 1, 31) == 0 &&
         rounding_shift_right(int32_max - 1, 1) == (1 << 30) - 1 && rounding_shift_right(int32_min + 1, 1) == -(1 << 30) &&
         rounding_shift_right(-1, 31) == 0;
}
static_assert(shifts_round_half_away_from_zero());

constexpr auto products_round_and_saturate() -> bool {
  return high_multiply(int32_min, int32_min) == int32_max && high_multiply(1 << 30, 1 << 30) == 1 << 29 && high_multiply(1, 1 << 30) == 1 &&
         high_multiply(-1, 1 << 30) == 0 && high_multiply(-3, 1 << 30) == -1 && high_multiply(int32_min, int32_max) == -int32_max;
}
static_assert(products_round_and_saturate());

constexpr auto requantization_rounds_twice() -> bool {
  // 11 · 0.5 · 2^-1 = 2.75: 5.5 is rounded to 6, and 6 is halved to 3.
  // 5 · 0.5 · 2^-1 = 1.25: 2.5 is rounded to 3, and 1.5 is rounded to 2.
  return requantize(11, {1 << 30, -1}) == 3 && requantize(5, {1 << 30, -1}) == 2 && requantize(-11, {1 << 30, -1}) == -3 &&
         requantize(7, {1 << 30, 2}) == 14 && requantize(1000, {0, 0}) == 0 && requantize_right(5, 1 << 30, 1) == 2;
}
static_assert(requantization_rounds_twice());

constexpr auto requantization_rounds_once() -> bool {
  // 5 · 0.5 · 2^-1 = 1.25 is rounded to 1, where two roundings return 2. Ties are rounded up: 2.5 to 3, and -2.5 to -2.
  return requantize_once(11, {1 << 30, -1}) == 3 && requantize_once(5, {1 << 30, -1}) == 1 && requantize_once(10, {1 << 30, -1}) == 3 &&
         requantize_once(-10, {1 << 30, -1}) == -2 && requantize_once(7, {1 << 30, 2}) == 14 &&
         requantize_once(int32_min, {int32_min, 30}) == std::int64_t{1} << 61 && requantize_once(int32_max, {int32_max, -31}) == 1 &&
         requantize_right_once(5, 1 << 30, 1) == 1 && requantize_right_once(-10, 1 << 30, 1) == -2 &&
         requantize_right_once(int32_min, int32_max, 31) == -1;
}
static_assert(requantization_rounds_once());

constexpr auto activations_have_bounds() -> bool {
  return quantized_bounds<std::int8_t>(activation::none, 0.1f, 3) == bounds<std::int32_t>{-128, 127} &&
         quantized_bounds<std::int8_t>(activation::relu, 0.1f, 3) == bounds<std::int32_t>{3, 127} &&
         quantized_bounds<std::int8_t>(activation::relu6, 0.1f, -128) == bounds<std::int32_t>{-128, -68} &&
         quantized_bounds<std::int8_t>(activation::relu6, 0.1f, 100) == bounds<std::int32_t>{100, 127} &&
         quantized_bounds<std::int8_t>(activation::relu_n1_to_1, 0.4f, 0) ==
             bounds<std::int32_t>{-3, 3} &&  // 2.5 is rounded away from zero
         quantized_bounds<std::int8_t>(activation::relu_n1_to_1, 1e-30f, 0) == bounds<std::int32_t>{-128, 127} &&
         float_bounds(activation::relu6) == bounds<float>{0.0f, 6.0f} &&
         float_bounds(activation::none).clamp(std::numeric_limits<float>::infinity()) == std::numeric_limits<float>::max();
}
static_assert(activations_have_bounds());

constexpr auto activations_are_found_by_name() -> bool {
  return activation_of("none") == activation::none && activation_of("relu") == activation::relu &&
         activation_of("relu6") == activation::relu6 && activation_of("relu_n1_to_1") == activation::relu_n1_to_1 &&
         activation_of("tanh") == activation::unknown && activation_of("") == activation::unknown;
}
static_assert(activations_are_found_by_name());

constexpr auto bytes_are_read_in_little_endian_order() -> bool {
  constexpr char packed[] = {1, 0, 0, 0, 2, 3, 4, -1};
  return little_endian_32(packed) == 1 && little_endian_32(baton::span<const char>{packed}, 1) == 0xff040302u;
}
static_assert(bytes_are_read_in_little_endian_order());

}  // namespace

TEST_CASE("numeric rules hold at run time") {
  CHECK(multipliers_are_normalized());
  CHECK(a_fraction_that_rounds_up_to_one_is_halved());
  CHECK(too_small_multipliers_are_zero());
  CHECK(shifts_round_half_away_from_zero());
  CHECK(products_round_and_saturate());
  CHECK(requantization_rounds_twice());
  CHECK(requantization_rounds_once());
  CHECK(activations_have_bounds());
  CHECK(activations_are_found_by_name());
  CHECK(bytes_are_read_in_little_endian_order());
}

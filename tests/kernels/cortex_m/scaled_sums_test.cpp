// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The basis of the Cortex-M kernels: the plain form of DSP instructions, packed weights, and requantization of scaled sums.
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>

#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/streams.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/rounding.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {

namespace cm = baton::cortex_m::detail;

auto byte_of(std::uint32_t word, int i) -> int { return static_cast<std::int8_t>(word >> (8 * i) & 0xff); }
auto word_of(int a, int b, int c, int d) -> std::uint32_t {
  const auto at = [](int x, int i) { return (static_cast<std::uint32_t>(x) & 0xffu) << (8 * i); };
  return at(a, 0) | at(b, 1) | at(c, 2) | at(d, 3);
}

}  // namespace

TEST_CASE("halfwords and bytes of words are signed, and sums wrap around") {
  static_assert(cm::bottom(0x8000ffffu) == -1 && cm::top(0x8000ffffu) == -32768);
  static_assert(cm::halfwords(-2, 3) == 0x0003fffeu);
  static_assert(cm::smlad(0x80008000u, 0x80008000u, 0) == INT32_MIN);
  static_assert(cm::smlabt(0x00020003u, 0x00050007u, 1) == 3 * 5 + 1 && cm::smlatb(0x00020003u, 0x00050007u, 1) == 2 * 7 + 1);
  static_assert(cm::sxtb16(0x11ff2280u) == 0xffffff80u && cm::sxtb16_ror8(0x80ff7f00u) == 0xff80007fu);
  static_assert(cm::sxtab16(0x00010001u, 0x00ff00ffu) == 0 && cm::sxtab16_ror8(0x7fff0000u, 0x01000100u) == 0x80000001u);
  static_assert(cm::sadd16(0x7fffffffu, 0x00010001u) == 0x80000000u && cm::ssub16(0x80000000u, 0x00010001u) == 0x7fffffffu);
  static_assert(cm::pkhbt_lsl16(0x11112222u, 0x33334444u) == 0x44442222u && cm::pkhtb_asr16(0x11112222u, 0x33334444u) == 0x11113333u);
  static_assert(cm::smmla(INT32_MIN, INT32_MIN, 1) == (1 << 30) + 1 && cm::smmla(-1, 1, 0) == -1);
  static_assert(cm::ssat8(-129) == -128 && cm::ssat8(128) == 127 && cm::ssat8(-5) == -5);
}

TEST_CASE("packed weights multiply inputs as plain weights do, for all pairs of weights and of inputs") {
  std::mt19937 random(1);
  const auto any = [&](int min) { return std::uniform_int_distribution<int>(min, 127)(random); };
  const auto check = [](int w0, int w1, int x0, int x1) {
    const auto weights = cm::packed_weights(w0, w1, 0, 0);
    const auto odd = cm::odd_inputs(word_of(x0, x1, 0, 0));
    const auto even = cm::even_inputs(word_of(x0, x1, 0, 0), odd);
    const auto low = [](std::uint32_t word) { return word & 0xffffu; };
    const auto both = cm::smlad(low(weights), odd, cm::smlad(low(cm::sxtb16(weights)), even, 0));
    return both == 256 * (w1 * (x1 - cm::odd_offset) + w0 * x0) && cm::bottom(weights) == 256 * w1 + w0;
  };
  int wrong = 0;
  int unfit = 0;
  for (int a = -128; a <= 127; ++a) {
    for (int b = -128; b <= 127; ++b) {
      const auto odd = cm::odd_inputs(word_of(a, b, b, a));
      const auto even = cm::even_inputs(word_of(a, b, b, a), odd);
      if (cm::bottom(odd) != b - 127 || cm::top(odd) != a - 127) ++wrong;
      if (cm::bottom(even) != 256 * a - (b - 127) || cm::top(even) != 256 * b - (a - 127)) ++wrong;
      if (!cm::fit_packed(a, b)) {
        ++unfit;
        if (cm::bottom(cm::packed_weights(a, b, 0, 0)) == 256 * b + a) ++wrong;
        continue;
      }
      for (int n = 0; n < 20; ++n) wrong += check(a, b, any(-128), any(-128)) ? 0 : 1;
      for (const int x0 : {-128, 127}) {
        for (const int x1 : {-128, 127}) wrong += check(a, b, x0, x1) ? 0 : 1;
      }
      for (int n = 0; n < 20; ++n) wrong += check(any(-128), any(-127), a, b) ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
  CHECK(unfit == 128);
}

TEST_CASE("products of four packed weights and two pixels match plain ones") {
  std::mt19937 random(2);
  int wrong = 0;
  for (int n = 0; n < 100000; ++n) {
    const auto weights =
        word_of(static_cast<int>(random()), static_cast<int>(random()), static_cast<int>(random()), static_cast<int>(random()));
    const auto inputs = static_cast<std::uint32_t>(random());
    int w[4];
    for (int i = 0; i < 4; ++i) w[i] = std::max(byte_of(weights, i), -127);
    const auto packed = cm::packed_weights(w[0], w[1], w[2], w[3]);
    const auto odd = cm::odd_inputs(inputs);
    const auto sum = cm::smlad(cm::sxtb16(packed), cm::even_inputs(inputs, odd), cm::smlad(packed, odd, 256 * 127 * (w[1] + w[3])));
    int expected = 0;
    for (int i = 0; i < 4; ++i) expected += w[i] * byte_of(inputs, i);
    if (sum != 256 * expected) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("weights that do not fit packed words are detected") {
  const std::vector<signed char> weights{-128, -127, 3, -128};
  const auto* bytes = reinterpret_cast<const char*>(weights.data());
  CHECK_FALSE(cm::all_fit_packed(bytes, 4));
  CHECK(cm::all_fit_packed(bytes + 1, 2));
  CHECK_FALSE(cm::all_fit_packed(bytes, 2, 3));
  CHECK(cm::all_fit_packed(bytes + 1, 1, 3));
  // More elements than GCC allows in one loop of a constant expression.
  static constexpr std::array<char, 300000> many{};
  static_assert(cm::all_fit_packed(many.data(), 300000));
}

TEST_CASE("requantization of scaled sums matches the reference, including ties of negative sums") {
  std::mt19937_64 random(3);
  const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
  int wrong = 0;
  int wrong_hidden = 0;
  int wrong_once = 0;
  int cases = 0;
  int ties = 0;
  int no_right_shift = 0;
  for (int n = 0; n < 4000000; ++n) {
    const auto j = 2 + static_cast<std::int32_t>(below(7));
    cm::channel_rule rule{.right = static_cast<std::int32_t>(below(24)) - 6, .zero_point = static_cast<std::int32_t>(below(256)) - 128};
    rule.value = static_cast<std::int32_t>((1 << 30) + (n % 3 == 0 ? below(64) << 24 : below(1 << 30)));
    std::int64_t sum = below(1 << 22) - (1 << 21);
    if (n % 2 != 0) {  // close to ties and to the ends of the range
      const auto y = static_cast<double>(below(600) - 300) + 0.5 * static_cast<double>(below(3) - 1);
      sum = static_cast<std::int64_t>(y * std::pow(2.0, 31 + rule.right) / rule.value) + below(5) - 2;
    }
    if (!cm::fits_scaled({std::min<std::int64_t>(sum, 0), std::max<std::int64_t>(sum, 0)}, rule, j)) continue;
    ++cases;
    const auto x = static_cast<std::int32_t>(sum);
    const auto by = cm::scaled_by(rule, j);
    const auto scaled = x * (1 << j);
    const auto expected = cm::output_of(x, rule);
    if (cm::requantize_scaled(scaled, by, cm::correction_of(scaled, rule.right, j)) != expected) ++wrong;
    if (rule.right > 0) {
      const auto rounded = baton::quantized::high_multiply(x, rule.value);
      const auto part = rounded & ((1 << rule.right) - 1);
      if (rounded < 0 && part == 1 << (rule.right - 1)) ++ties;
    } else {
      ++no_right_shift;
    }
    // If the activation hides negative outputs, no correction is needed.
    rule.range.lower = std::max(rule.zero_point, static_cast<std::int32_t>(below(256)) - 128);
    REQUIRE(rule.hides_negative_rounding());
    if (rule.range.clamp(cm::requantize_scaled(scaled, by, 0)) != cm::output_of(x, rule)) ++wrong_hidden;
    // A rule that rounds once needs none either.
    rule.range = {-128, 127};
    rule.round = baton::quantized::rounding::once;
    REQUIRE(rule.hides_negative_rounding());
    if (!cm::fits_scaled({std::min<std::int64_t>(sum, 0), std::max<std::int64_t>(sum, 0)}, rule, j)) continue;
    if (cm::requantize_scaled(scaled, cm::scaled_by(rule, j), 0) != cm::output_of(x, rule)) ++wrong_once;
  }
  CHECK(wrong == 0);
  CHECK(wrong_hidden == 0);
  CHECK(wrong_once == 0);
  CHECK(cases > 1500000);
  CHECK(ties > 10000);
  CHECK(no_right_shift > 10000);
}

TEST_CASE("sums that do not fit scaled sums are rejected at the exact bounds") {
  const cm::channel_rule rule{.value = 1 << 30, .right = 8, .zero_point = 3};
  CHECK(cm::fits_scaled({-(1 << 23) + 1, (1 << 23) - 1}, rule, 8));
  CHECK_FALSE(cm::fits_scaled({-(1 << 23), 0}, rule, 8));
  CHECK_FALSE(cm::fits_scaled({0, 1 << 23}, rule, 8));
  CHECK(cm::fits_scaled({0, 1 << 23}, rule, 7));
  CHECK_FALSE(cm::fits_scaled({0, 1}, rule, 1));
  CHECK_FALSE(cm::fits_scaled({0, 1}, {.value = -(1 << 30), .right = 1}, 8));
  CHECK(cm::fits_scaled({0, 1}, {.value = 1 << 30, .right = -6}, 8));
  CHECK_FALSE(cm::fits_scaled({0, 1}, {.value = 1 << 30, .right = -7}, 8));
  CHECK_FALSE(cm::fits_scaled({0, 1}, {.value = 1 << 30, .right = 18, .zero_point = -128}, 8));
  CHECK(cm::fits_scaled({0, 1}, {.value = 1 << 30, .right = 18, .zero_point = 0}, 8));
}

TEST_CASE("the interval of a sum is tight, and detects constant outputs") {
  const std::vector<signed char> weights{5, -7, 0, 127, -128};
  const auto* bytes = reinterpret_cast<const char*>(weights.data());
  const auto sums = cm::sum_weights(bytes, 5);
  CHECK(sums.positive == 132);
  CHECK(sums.negative == -135);
  CHECK(cm::sum_weights(bytes, 2, 3).positive == 132);
  const auto all = cm::sum_bounds(10, sums, -3);
  CHECK(all.lower == 10 + 132 * -125 - 135 * 130);
  CHECK(all.upper == 10 + 132 * 130 + 135 * 125);
  // Some input reaches each end.
  for (const bool is_upper : {false, true}) {
    std::int64_t sum = 10;
    for (const int w : weights) sum += w * (((w > 0) == is_upper ? 127 : -128) + 3);
    CHECK(sum == (is_upper ? all.upper : all.lower));
  }
  const auto crude = cm::sum_bounds(10, cm::max_weights(5), -3);
  CHECK(crude.lower <= all.lower);
  CHECK(crude.upper >= all.upper);

  CHECK(cm::constant_output({-1000, 1000}, {.value = 1 << 30, .right = 12, .zero_point = 7}) == 7);
  CHECK(cm::constant_output({-100000, 100000}, {.value = 1 << 30, .right = 12, .zero_point = 7}) == cm::varies);
  CHECK(cm::constant_output({-1000000, -1000}, {.value = 1 << 30, .right = 4, .zero_point = -128}) == -128);
  CHECK(cm::constant_output({100000, 200000}, {.value = 1 << 30, .right = 4, .zero_point = -128, .range = {-128, 50}}) == 50);
  CHECK(cm::constant_output({-5, 5}, {.value = 0, .right = 1, .zero_point = 9}) == 9);
  const auto by = cm::scaled_constant(-128, 20);
  CHECK(cm::requantize_scaled(INT32_MAX, by, 0) == -128);
}

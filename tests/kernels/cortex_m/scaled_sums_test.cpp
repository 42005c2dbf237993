// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The basis of the Cortex-M kernels: the plain form of DSP instructions, packed weights, and requantization of scaled sums.
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>

#include <baton/kernels/cortex_m/detail/channel_numbers.hpp>
#include <baton/kernels/cortex_m/detail/equal_remainders.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/modular_walk.hpp>
#include <baton/kernels/cortex_m/detail/streams.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/rounding.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {

namespace cm = baton::cortex_m::detail;

/// A channel with a float32 bias, and the rule of the portable kernels, which adds it as a 64-bit number.
struct real_channel {
  std::array<char, 4> scale{};
  std::array<char, 4> bias{};
  cm::channel_numbers numbers{};
  baton::quantized::fixed_multiplier factor{};
  std::int64_t addend = 0;
  std::int32_t whole = 0;

  constexpr real_channel(float filter_scale, float output_scale, float real_bias, std::int32_t zero_point,
                         baton::quantized::bounds<std::int32_t> range) {
    for (std::size_t i = 0; i < 4; ++i) {
      scale[i] = static_cast<char>(std::bit_cast<std::uint32_t>(filter_scale) >> 8 * i & 0xff);
      bias[i] = static_cast<char>(std::bit_cast<std::uint32_t>(real_bias) >> 8 * i & 0xff);
    }
    numbers.output_scale = output_scale;
    numbers.zero_point = zero_point;
    numbers.range = range;
    numbers.round = baton::quantized::rounding::once;
    numbers.has_real_bias = true;
    numbers.scales = {scale.data(), scale.size()};
    numbers.biases = {bias.data(), bias.size()};
    factor = numbers.factor_of(0);
    addend = numbers.addend_of(0);
    whole = numbers.bias_of(0);
  }
  real_channel(const real_channel&) = delete;
  auto operator=(const real_channel&) -> real_channel& = delete;
  ~real_channel() = default;

  constexpr auto rule() const -> cm::channel_requantization { return numbers.rule_of(0); }
  /// Returns the output for a sum of products, which does not include the bias.
  constexpr auto expected(std::int32_t sum, std::int64_t added = 0) const -> std::int32_t {
    return baton::portable::detail::output_with_addend(sum, factor, addend + added, numbers.zero_point, numbers.range);
  }
  /// Returns the output of the Cortex-M kernels.
  constexpr auto actual(std::int32_t sum, std::int32_t j, const cm::scaled_requantization& by) const -> std::int32_t {
    return numbers.range.clamp(cm::requantize_scaled((sum + whole) * (1 << j) + by.nudge, by, 0));
  }
  /// Returns the smallest sum whose output is at least `output`, if there is no range.
  auto first_sum(std::int32_t output) const -> std::int64_t {
    const auto steps = std::ldexp(static_cast<double>(output - numbers.zero_point), 31 - factor.shift);
    return std::llround(std::ceil((steps - static_cast<double>(addend)) / static_cast<double>(factor.value)));
  }
};

/// Returns a random channel. Every output of its range is reached by sums of magnitude below 2^`bits`.
auto random_channel(std::mt19937_64& random, int bits) -> real_channel {
  const auto between = [&](double min, double max) {
    return static_cast<float>(min + (max - min) * static_cast<double>(random() >> 11) / 9007199254740992.0);
  };
  const auto zero_point = static_cast<std::int32_t>(random() % 256) - 128;
  baton::quantized::bounds<std::int32_t> range{-128, 127};
  if (random() % 3 == 0) range.lower = zero_point;
  if (random() % 4 == 0) range.upper = std::min<std::int32_t>(127, range.lower + static_cast<std::int32_t>(random() % 100));
  const auto output_scale = between(0.01, 0.2);
  const auto filter_scale = output_scale * std::ldexp(between(1, 2), 9 - bits);
  const bool is_tie = random() % 8 == 0;  // a bias of whole and half sums
  const auto bias =
      is_tie ? filter_scale * 0.5f * static_cast<float>(static_cast<int>(random() % 2000) - 1000) : output_scale * between(-100, 100);
  return real_channel(filter_scale, output_scale, bias, zero_point, range);
}

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
  int unfit_count = 0;
  for (int a = -128; a <= 127; ++a) {
    for (int b = -128; b <= 127; ++b) {
      const auto odd = cm::odd_inputs(word_of(a, b, b, a));
      const auto even = cm::even_inputs(word_of(a, b, b, a), odd);
      if (cm::bottom(odd) != b - 127 || cm::top(odd) != a - 127) ++wrong;
      if (cm::bottom(even) != 256 * a - (b - 127) || cm::top(even) != 256 * b - (a - 127)) ++wrong;
      if (!cm::fit_packed(a, b)) {
        ++unfit_count;
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
  CHECK(unfit_count == 128);
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
    cm::channel_requantization rule{.right = static_cast<std::int32_t>(below(24)) - 6,
                                    .zero_point = static_cast<std::int32_t>(below(256)) - 128};
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
  const cm::channel_requantization rule{.value = 1 << 30, .right = 8, .zero_point = 3};
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

TEST_CASE("the first small number of a walk is found without walking") {
  std::mt19937_64 random(4);
  const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
  int wrong = 0;
  int small = 0;
  for (int n = 0; n < 30000; ++n) {
    const auto modulus = 1 + below(n % 3 == 0 ? 50 : n % 3 == 1 ? 5000 : std::int64_t{1} << 32);
    const cm::modular_walk walk{below(modulus), below(modulus), modulus, 1 + below(300)};
    const auto enough = n % 4 == 0 ? 0 : below(modulus) / (1 + below(1000));
    cm::walk_position expected{walk.first, 0};
    auto value = walk.first;
    for (std::int64_t i = 1; i < walk.count && expected.value > enough; ++i) {
      value = (value - walk.step + modulus) % modulus;
      if (value < expected.value) expected = {value, i};
    }
    const auto actual = cm::first_at_most(walk, enough);
    if (actual.value != expected.value || actual.index != expected.index) ++wrong;
    if (actual.value <= enough && actual.index > 0) ++small;
  }
  CHECK(wrong == 0);
  CHECK(small > 5000);
  static_assert(cm::first_at_most({7, 0, 10, 100}, 3).value == 7);
  static_assert(cm::first_at_most({7, 3, 10, 100}, 0).index == 9);
}

TEST_CASE("every sum of a channel with a float32 bias has the output of the portable kernels") {
  std::mt19937_64 random(5);
  int wrong = 0;
  int with_remainder = 0;
  for (int n = 0; n < 120; ++n) {
    const auto channel = random_channel(random, 12 + n % 4);
    const auto rule = channel.rule();
    with_remainder += rule.has_remainder() ? 1 : 0;
    const auto j = 2 + n % 7;
    const auto end = std::int32_t{1} << (12 + n % 4);
    REQUIRE(cm::fits_scaled({-2 * end, 2 * end}, rule, j));
    const auto by = cm::scaled_by(rule, j);
    for (std::int32_t sum = -end; sum < end; ++sum) {
      if (channel.actual(sum, j, by) != channel.expected(sum)) ++wrong;
      if (cm::output_of(sum + channel.whole, rule) != channel.expected(sum)) ++wrong;
    }
  }
  CHECK(wrong == 0);
  CHECK(with_remainder > 100);
}

TEST_CASE("sums at the boundaries of outputs are exact at every scale, and the nudges and offsets have no slack") {
  std::mt19937_64 random(6);
  int wrong = 0;
  int unnoticed = 0;  // offsets that are wrong by one, without an effect
  int loose = 0;      // intervals of remainders that could be larger
  int channels = 0;
  int scales = 0;
  for (int n = 0; n < 200; ++n) {
    const auto channel = random_channel(random, 14 + n % 7);
    const auto rule = channel.rule();
    if (!rule.has_remainder() || rule.range.upper - rule.range.lower < 2) continue;
    ++channels;
    const auto exact = channel.addend - (std::int64_t{1} << (30 + rule.right)) - std::int64_t{channel.whole} * rule.value;
    bool is_lower_tight = false, is_upper_tight = false;
    for (std::int32_t output = rule.range.lower + 1; output <= rule.range.upper; ++output) {
      const auto first = static_cast<std::int32_t>(channel.first_sum(output));
      for (const auto sum : {first - 1, first, first + 1}) {
        if (channel.expected(sum) != channel.expected(sum, rule.remainder.lower - exact)) ++wrong;
        if (channel.expected(sum) != channel.expected(sum, rule.remainder.upper - exact)) ++wrong;
        is_lower_tight = is_lower_tight || channel.expected(sum) != channel.expected(sum, rule.remainder.lower - exact - 1);
        is_upper_tight = is_upper_tight || channel.expected(sum) != channel.expected(sum, rule.remainder.upper - exact + 1);
      }
    }
    loose += is_lower_tight && is_upper_tight ? 0 : 1;
    for (std::int32_t j = 2; j <= 8; ++j) {
      if (!cm::fits_scaled({-(1 << 21), 1 << 21}, rule, j)) continue;
      ++scales;
      const auto by = cm::scaled_by(rule, j);
      auto lower = by, higher = by;
      --lower.offset;
      ++higher.offset;
      bool is_lower_noticed = false, is_higher_noticed = false;
      for (std::int32_t output = rule.range.lower + 1; output <= rule.range.upper; ++output) {
        const auto first = static_cast<std::int32_t>(channel.first_sum(output));
        for (const auto sum : {first - 1, first}) {
          const auto expected = channel.expected(sum);
          if (channel.actual(sum, j, by) != expected) ++wrong;
          is_lower_noticed = is_lower_noticed || channel.actual(sum, j, lower) != expected;
          is_higher_noticed = is_higher_noticed || channel.actual(sum, j, higher) != expected;
        }
      }
      unnoticed += j <= 4 && !(is_lower_noticed && is_higher_noticed) ? 1 : 0;
    }
  }
  CHECK(wrong == 0);
  CHECK(loose == 0);
  CHECK(unnoticed < scales / 50);
  CHECK(channels > 120);
  CHECK(scales > 700);
}

TEST_CASE("a float32 bias close to ties of two outputs gets another multiplier with the same outputs") {
  // The factor 1/3 is rounded down, so three sums are slightly less than an output. With a bias of half a sum, the boundaries are close to
  // sums on both sides.
  constexpr auto by_third = [](float bias) { return real_channel(1, 3, bias, 5, {-128, 127}).rule(); };
  static_assert(by_third(0.4f).value == 1431655765 && by_third(-0.5f).value == 1431655765);
  static_assert(by_third(0.5f).value < 1431655765 && by_third(0.5f).remainder.upper - by_third(0.5f).remainder.lower > 1 << 20);
  static_assert(cm::fits_scaled({-10000, 10000}, by_third(0.5f), 2) && cm::fits_scaled({-10000, 10000}, by_third(0.5f), 8));

  std::mt19937_64 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int wrong = 0;
  int unfit_count = 0;
  int replaced = 0;
  int clamped = 0;
  for (int n = 0; n < 1500; ++n) {
    const auto zero_point = below(256) - 128;
    const auto bits = below(10);
    const auto below_one = 1 + below(n % 2 == 0 ? 15 : 255);
    const auto unit = std::ldexp(static_cast<float>(1 + below(below_one)), -bits);
    const auto bias = unit * static_cast<float>(below(2001) - 1000) / static_cast<float>(1 + below(n % 3 == 0 ? 2 : 8));
    const real_channel channel(unit, static_cast<float>(below_one), bias, zero_point, {n % 4 == 0 ? zero_point : -128, 127});
    const auto rule = channel.rule();
    if (!rule.has_remainder() || rule.value == channel.factor.value || rule.range.lower == rule.range.upper) continue;
    ++replaced;
    for (std::int32_t j = std::max(2, 2 - rule.right); j <= 8; ++j) {
      unfit_count += cm::fits_scaled({-(1 << 21), 1 << 21}, rule, j) ? 0 : 1;
      const auto by = cm::scaled_by(rule, j);
      for (std::int32_t output = rule.range.lower + 1; output <= rule.range.upper; ++output) {
        const auto first = static_cast<std::int32_t>(channel.first_sum(output));
        clamped += channel.expected(first) == 127 || channel.expected(first - 1) == -128 ? 1 : 0;
        for (const auto sum : {first - 1, first}) wrong += channel.actual(sum, j, by) == channel.expected(sum) ? 0 : 1;
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(unfit_count == 0);
  CHECK(replaced > 80);
  CHECK(clamped > 500);
}

TEST_CASE("only outputs that sums reach limit the multiplier and the remainders of a channel") {
  // A factor of 2^-18 / 3 and a bias of half an output: the sums of 2,048 products reach 170 outputs.
  static constexpr real_channel far(1.0f / (1 << 18), 3, 1.5f, 0, {-128, 127});
  constexpr auto products = cm::sum_bounds(0, cm::max_weights(2048), 0);
  auto numbers = far.numbers;
  const auto plain = numbers.plain_constants_of(0).rule;
  numbers.products = products;
  const auto reached = cm::reached_range({far.whole + products.lower, far.whole + products.upper}, plain);
  CHECK(reached == baton::quantized::bounds<std::int32_t>{-85, 86});
  CHECK(cm::reached_range({-1000, 1000}, plain) == baton::quantized::bounds<std::int32_t>{-1, 1});
  CHECK(cm::reached_range({INT64_MIN / 2, INT64_MAX / 2}, plain) == plain.range);
  const auto rule = numbers.rule_of(0);
  CHECK(rule.range == plain.range);
  REQUIRE(cm::fits_scaled({far.whole + products.lower, far.whole + products.upper}, rule, 2));
  const auto by = cm::scaled_by(rule, 2);
  int wrong = 0;
  for (auto output = reached.lower; output <= reached.upper; ++output) {
    const auto first = static_cast<std::int32_t>(far.first_sum(output));
    for (const auto sum : {first - 1, first}) {
      const auto inside =
          std::clamp<std::int32_t>(sum, static_cast<std::int32_t>(products.lower), static_cast<std::int32_t>(products.upper));
      if (far.actual(inside, 2, by) != far.expected(inside)) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a huge float32 bias, or a multiplier of 0, leads to a constant") {
  static constexpr real_channel huge(1, 3, -1.5e9f, 5, {-128, 127});
  static_assert(huge.whole == -(1 << 30) && !cm::fits_scaled({-(1 << 30) - 9, -(1 << 30) + 9}, huge.rule(), 2));
  static_assert(cm::constant_output({-(1 << 30) - 9, -(1 << 30) + 9}, huge.rule()) == -128 && huge.expected(9) == -128);
  static constexpr real_channel no_factor(0, 3, 30, 5, {-128, 127});
  static_assert(no_factor.whole == 0 && cm::constant_output({-9, 9}, no_factor.rule()) == 15 && no_factor.expected(9) == 15);
}

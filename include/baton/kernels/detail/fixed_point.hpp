// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions of real numbers in fixed point as in gemmlowp, for the integer kernels.
#pragma once

#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/rounding.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace baton::portable::detail {

/// Fixed-point functions: exp of zero and negative numbers, 1 / (1 + x), logistic, tanh, logarithm and 1 / sqrt(x). The steps of the
/// computations are those of gemmlowp (`fixedpoint/fixedpoint.h`) and TensorFlow Lite. Qm.n has m integer bits, n fraction bits, and a
/// sign.
namespace fixed_point {

inline constexpr std::int32_t one = std::numeric_limits<std::int32_t>::max();  ///< 1 in Q0.31

/// Returns x · 2^bits, saturated; 1 <= `bits` <= 31.
constexpr auto saturating_shift_left(std::int32_t x, std::int32_t bits) -> std::int32_t {
  const auto wide = static_cast<std::int64_t>(x) << bits;
  if (wide > std::numeric_limits<std::int32_t>::max()) return std::numeric_limits<std::int32_t>::max();
  return wide < std::numeric_limits<std::int32_t>::min() ? std::numeric_limits<std::int32_t>::min() : static_cast<std::int32_t>(wide);
}

/// Returns exp(a) for a in [-1/4, 0), both in Q0.31: the Taylor polynomial of degree 4 around -1/8.
constexpr auto exp_near_zero(std::int32_t a) -> std::int32_t {
  constexpr std::int32_t exp_of_minus_eighth = 1895147668;
  constexpr std::int32_t third = 715827883;
  const auto x = a + (1 << 28);
  const auto x2 = quantized::high_multiply(x, x);
  const auto x3 = quantized::high_multiply(x2, x);
  const auto x4 = quantized::high_multiply(x2, x2);
  const auto terms = quantized::rounding_shift_right(quantized::high_multiply(quantized::rounding_shift_right(x4, 2) + x3, third) + x2, 1);
  return exp_of_minus_eighth + quantized::high_multiply(exp_of_minus_eighth, x + terms);
}

/// Returns exp(a) in Q0.31. `a` is at most 0 and has `fraction_bits` fraction bits, 26 or 27. Computes exp(a) = exp(b) · exp(-m / 4), with
/// b in [-1/4, 0) and an integer m. A polynomial approximates exp(b). For each set bit of m, the result is multiplied by a constant.
constexpr auto exp_of_negative(std::int32_t a, std::int32_t fraction_bits = 26) -> std::int32_t {
  constexpr std::array<std::int32_t, 7> factors{1672461947, 1302514674, 790015084, 290630308,
                                                39332535,   720401,     242};  // exp(-2^k), k = -2 to 4
  const std::int32_t quarter = 1 << (fraction_bits - 2);
  if (a == 0) return one;
  const auto small = (a & (quarter - 1)) - quarter;
  auto result = exp_near_zero(saturating_shift_left(small, 31 - fraction_bits));
  const auto multiple = small - a;
  for (std::int32_t k = 0; k < 33 - fraction_bits; ++k) {
    if ((multiple & quarter << k) != 0) result = quantized::high_multiply(result, factors[static_cast<std::size_t>(k)]);
  }
  return result;
}

/// Returns 2 / (1 + a) in Q2.29. `a` is a number in [0, 1), in Q0.31. Takes three Newton steps from 48/17 - 32/17 · (1 + a) / 2.
constexpr auto twice_reciprocal_of_one_plus(std::int32_t a) -> std::int32_t {
  const auto half = static_cast<std::int32_t>((static_cast<std::int64_t>(a) + one + 1) / 2);
  std::int32_t x = 1515870810 + quantized::high_multiply(half, -1010580540);
  for (int step = 0; step < 3; ++step) {
    const auto error = (1 << 29) - quantized::high_multiply(half, x);
    x += saturating_shift_left(quantized::high_multiply(x, error), 2);
  }
  return x;
}

/// Returns 1 / (1 + a) for a in [0, 1). Both numbers are in Q0.31.
constexpr auto reciprocal_of_one_plus(std::int32_t a) -> std::int32_t { return saturating_shift_left(twice_reciprocal_of_one_plus(a), 1); }

/// Returns 1 / (1 + exp(-a)) in Q0.31 for a in Q4.27, above -16.
constexpr auto logistic(std::int32_t a) -> std::int32_t {
  if (a == 0) return 1 << 30;
  const auto positive = reciprocal_of_one_plus(exp_of_negative(a > 0 ? -a : a, 27));
  return a > 0 ? positive : one - positive;
}

/// Returns tanh(a) in Q0.31 for a in Q4.27, above -16: (1 - e) / (1 + e) with the sign of a, where e is exp(-2 · |a|).
constexpr auto tanh(std::int32_t a) -> std::int32_t {
  if (a == 0) return 0;
  const auto e = exp_of_negative(a > 0 ? -a : a);  // exp(-2 · |a|), because the number in Q4.27 is read as Q5.26
  const auto positive = saturating_shift_left(twice_reciprocal_of_one_plus(e) - (1 << 29), 2);
  return a > 0 ? positive : -positive;
}

/// Returns log(x) in Q5.26 for x >= 1 in Q12.19, like `log_x_for_x_greater_than_or_equal_to_1` of TensorFlow Lite's `internal/common.h`.
/// Splits x into a power of 2 and a factor r near sqrt(sqrt(1/2)). A quotient of polynomials approximates log(r).
constexpr auto log_of_one_or_more(std::int32_t x) -> std::int32_t {
  constexpr std::int32_t log_2 = 1488522236;
  constexpr std::int32_t sqrt_half = 1518500250;
  constexpr std::int32_t sqrt_sqrt_half = 1805811301;
  constexpr std::int32_t quarter = 1 << 23;  // in Q6.25
  const auto shifted = [](std::int32_t y, std::int32_t bits) { return bits == 0 ? y : saturating_shift_left(y, bits); };
  const auto zeros = static_cast<std::int32_t>(std::countl_zero(static_cast<std::uint32_t>(x)));
  const auto first = saturating_shift_left(quantized::high_multiply(shifted(x, zeros - 1), sqrt_half), 1);
  const auto smaller = quantized::high_multiply(x, sqrt_half);
  const auto room = static_cast<std::int32_t>(std::countl_zero(static_cast<std::uint32_t>(smaller))) - 1;
  const auto second = shifted(x, room);
  const auto r = first < second ? first : second;
  const auto first_power = saturating_shift_left(12 - zeros, 25) + quarter;
  const auto second_power = saturating_shift_left(12 - room, 25) - quarter;
  const auto power = first_power > second_power ? first_power : second_power;
  const auto p = static_cast<std::int32_t>((static_cast<std::int64_t>(r) + sqrt_sqrt_half + 1) / 2);
  const auto q = 2 * (r - sqrt_sqrt_half);
  const auto q2 = quantized::high_multiply(q, q);
  const auto over = quantized::high_multiply(q, r) + quantized::high_multiply(quantized::high_multiply(q, q2), 117049297);
  const auto under =
      quantized::high_multiply(p, 1057819769 + q + quantized::high_multiply(127690142, q2)) + quantized::high_multiply(638450708, q);
  const auto quotient = quantized::high_multiply(quantized::rounding_shift_right(over, 6), reciprocal_of_one_plus(under));
  return saturating_shift_left(quantized::high_multiply(power, log_2) + quotient, 1);
}

/// Returns 1 / sqrt(x) as a fixed multiplier, for x >= 0. Returns 1 if x is 0. Takes five Newton steps in Q3.28, like
/// `GetInvSqrtQuantizedMultiplierExp` of TensorFlow Lite's `internal/common.h`.
constexpr auto inverse_square_root(std::int32_t x) -> quantized::fixed_multiplier {
  if (x <= 1) return {one, 0};
  std::int32_t right = 11;
  for (; x >= 1 << 29; x /= 4) ++right;
  const auto pairs = static_cast<std::int32_t>(std::countl_zero(static_cast<std::uint32_t>(x)) - 1) / 2 - 1;
  right -= pairs;
  const auto half = quantized::rounding_shift_right((x << 2 * pairs) >> 1, 1);
  constexpr std::int32_t three_halves = (1 << 28) + (1 << 27);
  std::int32_t root = 1 << 28;
  for (int step = 0; step < 5; ++step) {
    const auto cube = saturating_shift_left(quantized::high_multiply(quantized::high_multiply(root, root), root), 6);
    root = saturating_shift_left(quantized::high_multiply(three_halves, root) - quantized::high_multiply(half, cube), 3);
  }
  const auto value = quantized::high_multiply(root, 1518500250);  // sqrt(1/2)
  return right < 0 ? quantized::fixed_multiplier{quantized::shift_left(value, -right), 0} : quantized::fixed_multiplier{value, -right};
}

}  // namespace fixed_point

}  // namespace baton::portable::detail

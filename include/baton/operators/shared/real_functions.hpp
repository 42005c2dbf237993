// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions of real numbers for constant evaluation. The functions compute in double, with errors near the precision of a double, so that
// passes can round the results to table entries.
#pragma once

#include <baton/core/config.hpp>

#include <bit>
#include <cstdint>
#include <limits>

namespace baton::real {

inline constexpr auto infinity = std::numeric_limits<double>::infinity();

/// Returns exp(x): 2^k times the Taylor polynomial of exp(r), where r = x - k ln 2 and |r| <= ln 2 / 2. Below -700, returns 0; above 700,
/// returns infinity.
constexpr auto exp(double x) -> double {
  constexpr double log_2 = 0.6931471803691238;  // the first 33 bits of ln 2, so that k * log_2 is exact
  constexpr double low_bits_of_log_2 = 1.9082149292705877e-10;
  if (x != x) return x;
  if (x < -700) return 0;
  if (x > 700) return infinity;
  const auto k = static_cast<std::int32_t>(x / log_2 + (x < 0 ? -0.5 : 0.5));
  const auto r = x - k * log_2 - k * low_bits_of_log_2;
  // The polynomial is computed by two expressions instead of a loop, because constant evaluation counts statements.
  auto sum = 1 + (1 + (1 + (1 + (1 + r / 14) * r / 13) * r / 12) * r / 11) * r / 10;
  sum = 1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + sum * r / 9) * r / 8) * r / 7) * r / 6) * r / 5) * r / 4) * r / 3) * r / 2) * r;
  return sum * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + k) << 52);
}

/// Returns tanh(x), with an absolute error near the precision of a double.
constexpr auto tanh(double x) -> double {
  if (x < 0) return -tanh(-x);
  const auto e = exp(-2 * (x > 350 ? 350 : x));
  return (1 - e) / (1 + e);
}

/// Returns the error function: 2 / sqrt(pi) · exp(-x²) · (x + 2 x³ / 3 + 4 x⁵ / 15 + ...). For positive x, all terms are positive. For
/// negative x, returns -erf(-x). Above 2.5, subtracts Laplace's continued fraction of the complementary error function from 1, which takes
/// fewer steps. Above 6, returns 1, because the difference from 1 is below 1e-16.
constexpr auto erf(double x) -> double {
  constexpr double two_by_root_pi = 1.1283791670955126;
  if (x < 0) return -erf(-x);
  if (x > 6) return 1;
  if (x > 2.5) {
    double fraction = x;
    for (int n = 22; n > 0; --n) fraction = x + n / (2 * fraction);
    return 1 - two_by_root_pi / 2 * exp(-x * x) / fraction;
  }
  double term = x;
  double sum = x;
  for (int n = 1; term > 1e-17 * sum; ++n) {
    term *= 2 * x * x / (2 * n + 1);
    sum += term;
  }
  return two_by_root_pi * exp(-x * x) * sum;
}

/// Returns the natural logarithm, -infinity for 0, and NaN for negative numbers. Splits the number into a power of two and a factor r, and
/// adds 2 artanh((r - 1) / (r + 1)) to the logarithm of the power.
constexpr auto log(double x) -> double {
  constexpr double log_2 = 0.69314718055994530942;
  if (x == 0) return -infinity;
  if (!(x > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (x > std::numeric_limits<double>::max()) return x;
  double r = x;
  std::int32_t power = 0;
  for (; r > 1e6; r *= 1.0 / 1048576) power += 20;
  for (; r < 1e-6; r *= 1048576) power -= 20;
  for (; r > 1.4142135623730951; r /= 2) ++power;
  for (; r < 0.70710678118654757; r *= 2) --power;
  const auto z = (r - 1) / (r + 1);
  const auto tail = (((((1.0 / 23) * z * z + 1.0 / 21) * z * z + 1.0 / 19) * z * z + 1.0 / 17) * z * z + 1.0 / 15) * z * z + 1.0 / 13;
  const auto sum = (((((tail * z * z + 1.0 / 11) * z * z + 1.0 / 9) * z * z + 1.0 / 7) * z * z + 1.0 / 5) * z * z + 1.0 / 3) * z * z + 1.0;
  return power * log_2 + 2 * z * sum;
}

/// Returns the square root, and NaN for negative numbers. Takes Newton steps from a power of two near the root.
constexpr auto square_root(double x) -> double {
  if (x == 0) return x;
  if (!(x > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (x > std::numeric_limits<double>::max()) return x;
  double root = 1;
  for (double scaled = x; scaled >= 4; scaled /= 4) root *= 2;
  for (double scaled = x; scaled < 1; scaled *= 4) root /= 2;
  for (int step = 0; step < 7; ++step) root = (root + x / root) / 2;
  return root;
}

/// Returns x rounded down. If the magnitude of x is at least 2^52, returns x, because all such doubles are integers.
constexpr auto floor(double x) -> double {
  constexpr double all_are_integers = 4503599627370496.0;
  if (!(x < all_are_integers && x > -all_are_integers)) return x;
  const auto whole = static_cast<double>(static_cast<std::int64_t>(x));
  return whole > x ? whole - 1 : whole;
}

/// Returns x rounded to the nearest integer, half to even (`RoundToNearest` of TensorFlow Lite, `rint` of C, `Round` of ONNX).
constexpr auto round_half_to_even(double x) -> double {
  const auto below = floor(x);
  const auto fraction = x - below;  // exact
  const auto half = below / 2;
  return fraction < 0.5 || (fraction == 0.5 && half == floor(half)) ? below : fraction >= 0.5 ? below + 1 : x;
}

/// Returns x to the power of y for finite floats. If |x^y| exceeds exp(88.72), which is slightly less than the largest float, the magnitude
/// of the result is the largest float. If |x^y| is below exp(-100), the result is 0. If x^y is undefined, the result is NaN.
constexpr auto power(float x, float y) -> float {
  constexpr auto largest = std::numeric_limits<float>::max();
  const auto exponent = static_cast<double>(y);
  const bool is_large = exponent >= 16777216.0 || exponent <= -16777216.0;  // floats of this magnitude are even integers
  const auto whole = is_large ? 0 : static_cast<std::int32_t>(exponent);
  const bool is_whole = is_large || exponent == whole;
  if (y == 0 || x == 1) return 1;
  if (x < 0 && !is_whole) return std::numeric_limits<float>::quiet_NaN();
  const bool is_negative = x < 0 && whole % 2 != 0;
  if (x == 0) return y > 0 ? 0 : largest;
  const auto logarithm = exponent * log(static_cast<double>(x < 0 ? -x : x));
  const auto result = logarithm > 88.72 ? largest : logarithm < -100 ? 0.0f : static_cast<float>(exp(logarithm));
  return is_negative ? -result : result;
}

}  // namespace baton::real

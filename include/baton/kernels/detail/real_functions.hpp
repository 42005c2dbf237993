// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions of real numbers that the compiler can compute, to all but the last bits of a double: tables are rounded from them.
#pragma once

#include <cstdint>

namespace baton::portable::detail::real {

/// exp(x), for |x| below 700: 2^k times Taylor's polynomial of what is left, of at most ln 2 / 2.
constexpr auto exp(double x) -> double {
  constexpr double log_2 = 0.6931471803691238;  // its first 33 bits, whose multiples are exact, and what is left
  constexpr double rest_of_log_2 = 1.9082149292705877e-10;
  if (x < -700) return 0;
  const auto k = static_cast<std::int32_t>(x / log_2 + (x < 0 ? -0.5 : 0.5));
  const auto rest = x - k * log_2 - k * rest_of_log_2;
  double sum = 1;
  for (int n = 14; n > 0; --n) sum = 1 + sum * rest / n;
  for (std::int32_t i = 0; i < k; ++i) sum *= 2;
  for (std::int32_t i = 0; i > k; --i) sum /= 2;
  return sum;
}

constexpr auto tanh(double x) -> double {
  if (x < 0) return -tanh(-x);
  const auto e = exp(-2 * x);
  return (1 - e) / (1 + e);
}

/// The error function: 2 / sqrt(pi) · exp(-x²) · (x + 2 x³ / 3 + 4 x⁵ / 15 + ...), whose terms are all positive; 1 from where less than
/// 1e-16 is missing.
constexpr auto erf(double x) -> double {
  constexpr double two_by_root_pi = 1.1283791670955126;
  if (x < 0) return -erf(-x);
  if (x > 6) return 1;
  double term = x;
  double sum = x;
  for (int n = 1; term > 1e-17 * sum; ++n) {
    term *= 2 * x * x / (2 * n + 1);
    sum += term;
  }
  return two_by_root_pi * exp(-x * x) * sum;
}

/// The square root of a positive float, by Newton's steps from a power of two near it.
constexpr auto square_root(float x) -> double {
  double near = 1;
  for (double scaled = static_cast<double>(x); scaled >= 4; scaled /= 4) near *= 2;
  for (double scaled = static_cast<double>(x); scaled < 1; scaled *= 4) near /= 2;
  for (int step = 0; step < 7; ++step) near = (near + static_cast<double>(x) / near) / 2;
  return near;
}

}  // namespace baton::portable::detail::real

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Elementary functions for constant expressions: equal at compile time and at run time, exact to about float precision near zero.
#pragma once

#include <cstdint>

namespace reference {

inline constexpr double pi = 3.14159265358979323846;

constexpr auto exponential(double x) -> double {
  int halvings = 0;
  for (; x > 0.5 || x < -0.5; x /= 2) ++halvings;
  double term = 1;
  double sum = 1;
  for (int n = 1; n < 16; ++n) {
    term *= x / n;
    sum += term;
  }
  for (; halvings > 0; --halvings) sum *= sum;
  return sum;
}

constexpr auto sine(double x) -> double {
  x -= static_cast<double>(static_cast<std::int64_t>(x / (2 * pi))) * 2 * pi;
  double term = x;
  double sum = x;
  for (int n = 1; n < 16; ++n) {
    term *= -x * x / ((2 * n) * (2 * n + 1));
    sum += term;
  }
  return sum;
}

constexpr auto cosine(double x) -> double { return sine(x + pi / 2); }

constexpr auto sigmoid(double x) -> double { return 1 / (1 + exponential(-x)); }

constexpr auto hyperbolic_tangent(double x) -> double { return 2 * sigmoid(2 * x) - 1; }

}  // namespace reference

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sines and cosines at compile time.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton::portable::detail {

/// The sine and cosine of an angle.
struct direction {
  double sine = 0;
  double cosine = 1;
};

/// Returns a · b for fixed-point numbers with 60 fraction bits. `a`, `b` and the product must be in (-8, 8). With this precision,
/// `direction_of` has an absolute error below 1e-17 before it rounds to double. So about 29 of 30 sines and cosines are the nearest
/// double, and most others are adjacent to it. Results near 0 can be several doubles away, because doubles are denser there.
constexpr auto multiply_q60(std::int64_t a, std::int64_t b) -> std::int64_t {
  const auto x = static_cast<std::uint64_t>(a < 0 ? -a : a);
  const auto y = static_cast<std::uint64_t>(b < 0 ? -b : b);
  constexpr std::uint64_t low = 0xffffffff;
  const auto product = static_cast<std::int64_t>(((x >> 32) * (y >> 32) << 4) + (((x >> 32) * (y & low) + (x & low) * (y >> 32)) >> 28) +
                                                 ((x & low) * (y & low) >> 60));
  return (a < 0) == (b < 0) ? product : -product;
}

/// Returns the sine and cosine of `angle`, which is in (-8, 8) radians.
constexpr auto direction_of(double angle) -> direction {
  constexpr std::int64_t one = std::int64_t{1} << 60;
  constexpr std::int64_t quarter = 1811004864519280711;  // pi / 2
  auto reduced = static_cast<std::int64_t>(angle * static_cast<double>(one));
  unsigned quarters = 0;
  for (; reduced > quarter / 2; ++quarters) reduced -= quarter;
  for (; reduced < -quarter / 2; --quarters) reduced += quarter;
  // Taylor series at 0. For angles up to pi / 4, the omitted terms are below 2^-64.
  const auto square = multiply_q60(reduced, reduced);
  auto s = one;
  auto c = one;
  for (std::int64_t n = 20; n > 0; n -= 2) {
    s = one - multiply_q60(square, s) / (n * (n + 1));
    c = one - multiply_q60(square, c) / (n * (n - 1));
  }
  const auto sine = static_cast<double>(multiply_q60(reduced, s)) / static_cast<double>(one);
  const auto cosine = static_cast<double>(c) / static_cast<double>(one);
  switch (quarters % 4) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace baton::portable::detail

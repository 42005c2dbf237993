// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sines and cosines that the compiler makes.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton::portable::detail {

struct direction {
  double sine = 0;
  double cosine = 1;
};

/// Numbers between -8 and 8 with 60 bits behind the point: finer than a double, so that what is made of it is the nearest double but for
/// one in thirty, where it is a neighbour of that. Differences are below 1e-17.
constexpr auto multiply_q60(std::int64_t a, std::int64_t b) -> std::int64_t {
  const auto x = static_cast<std::uint64_t>(a < 0 ? -a : a);
  const auto y = static_cast<std::uint64_t>(b < 0 ? -b : b);
  constexpr std::uint64_t low = 0xffffffff;
  const auto made = static_cast<std::int64_t>(((x >> 32) * (y >> 32) << 4) + (((x >> 32) * (y & low) + (x & low) * (y >> 32)) >> 28) +
                                              ((x & low) * (y & low) >> 60));
  return (a < 0) == (b < 0) ? made : -made;
}

/// The sine and the cosine of an angle between -8 and 8, in radians.
constexpr auto direction_of(double angle) -> direction {
  constexpr std::int64_t one = std::int64_t{1} << 60;
  constexpr std::int64_t quarter = 1811004864519280711;  // pi / 2
  auto rest = static_cast<std::int64_t>(angle * static_cast<double>(one));
  unsigned quarters = 0;
  for (; rest > quarter / 2; ++quarters) rest -= quarter;
  for (; rest < -quarter / 2; --quarters) rest += quarter;
  // Taylor's series about 0: within pi / 4 the next terms are below 2^-64.
  const auto square = multiply_q60(rest, rest);
  auto s = one;
  auto c = one;
  for (std::int64_t n = 20; n > 0; n -= 2) {
    s = one - multiply_q60(square, s) / (n * (n + 1));
    c = one - multiply_q60(square, c) / (n * (n - 1));
  }
  const auto sine = static_cast<double>(multiply_q60(rest, s)) / static_cast<double>(one);
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

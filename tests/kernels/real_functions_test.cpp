// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions that the compiler computes, against the machine's.
#include <baton/kernels/detail/real_functions.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

namespace {

namespace real = baton::portable::detail::real;

auto is_near(double found, double expected) -> bool { return std::fabs(found - expected) <= 4e-14 * std::fabs(expected); }

constexpr auto constants_are_right() -> bool {
  return real::exp(0) == 1 && real::exp(-1e38) == 0 && real::erf(7) == 1 && real::tanh(-300) == -1 && real::square_root(4.0f) == 2;
}
static_assert(constants_are_right());

}  // namespace

TEST_CASE("real functions of constants") { CHECK(constants_are_right()); }

TEST_CASE("exp, tanh and erf over all that a table asks for") {
  for (std::int32_t i = -20000; i <= 20000; ++i) {
    const auto x = i * 0.00137;
    CHECK(is_near(real::exp(x), std::exp(x)));
    CHECK(is_near(real::exp(20 * x), std::exp(20 * x)));
    CHECK(is_near(real::erf(x), std::erf(x)));
    CHECK(std::fabs(real::tanh(x) - std::tanh(x)) < 1e-15);
  }
}

TEST_CASE("square roots of scales, the smallest and the largest among them") {
  for (float x = 1e-45f; x < 3e38f; x *= 1.37f) {
    CHECK(is_near(real::square_root(x), std::sqrt(static_cast<double>(x))));
    if (x < 1e-44f) x = 1e-44f;
  }
  CHECK(is_near(real::square_root(3.4028235e38f), std::sqrt(static_cast<double>(3.4028235e38f))));
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions that are computed at compile time, against the C++ library.
#include <baton/operators/shared/real_functions.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace {

namespace real = baton::real;

auto is_near(double actual, double expected) -> bool { return std::fabs(actual - expected) <= 4e-14 * std::fabs(expected); }

constexpr auto constants_are_right() -> bool {
  constexpr auto max = std::numeric_limits<float>::max();
  const bool are_powers = real::power(0, 0) == 1 && real::power(0, 2) == 0 && real::power(0, -2) == max && real::power(-2, 3) < 0 &&
                          real::power(-8, 0.5f) != real::power(-8, 0.5f) && real::power(9, 99) == max && real::power(-1, 1e20f) == 1;
  return are_powers && real::exp(0) == 1 && real::exp(-1e38) == 0 && real::erf(7) == 1 && real::tanh(-300) == -1 &&
         real::square_root(4.0) == 2;
}
static_assert(constants_are_right());

}  // namespace

TEST_CASE("real functions are evaluated in constant expressions") { CHECK(constants_are_right()); }

TEST_CASE("exp, tanh and erf are accurate for all inputs of tables") {
  for (std::int32_t i = -20000; i <= 20000; ++i) {
    const auto x = i * 0.00137;
    CHECK(is_near(real::exp(x), std::exp(x)));
    CHECK(is_near(real::exp(20 * x), std::exp(20 * x)));
    CHECK(is_near(real::erf(x), std::erf(x)));
    CHECK(std::fabs(real::tanh(x) - std::tanh(x)) < 1e-15);
  }
}

TEST_CASE("square roots are accurate for all scales") {
  for (float x = 1e-45f; x < 3e38f; x *= 1.37f) {
    CHECK(is_near(real::square_root(static_cast<double>(x)), std::sqrt(static_cast<double>(x))));
    if (x < 1e-44f) x = 1e-44f;
  }
  CHECK(is_near(real::square_root(static_cast<double>(3.4028235e38f)), std::sqrt(static_cast<double>(3.4028235e38f))));
}

TEST_CASE("powers of floats are accurate") {
  for (const float y : {-7.0f, -2.5f, -1.0f, -0.3f, 0.01f, 0.5f, 1.0f, 2.0f, 3.7f, 11.0f}) {
    for (float x = -60; x < 60; x += 0.37f) {
      const auto wanted = std::pow(static_cast<double>(x), static_cast<double>(y));
      const auto actual = static_cast<double>(real::power(x, y));
      CHECK((std::isnan(wanted) ? std::isnan(actual) : std::fabs(actual - wanted) <= 1e-7 * std::fabs(wanted)));
    }
  }
}

TEST_CASE("logarithms are accurate for all floats") {
  for (float x = 1e-45f; x < 3e38f; x *= 1.37f) {
    CHECK(std::fabs(real::log(static_cast<double>(x)) - std::log(static_cast<double>(x))) <=
          1e-15 + 4e-14 * std::fabs(std::log(static_cast<double>(x))));
    if (x < 1e-44f) x = 1e-44f;
  }
  for (float x = 0.5f; x < 2; x += 0.0001f) CHECK(std::fabs(real::log(static_cast<double>(x)) - std::log(static_cast<double>(x))) <= 1e-15);
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/shared/quantize_to_even.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace {

using baton::quantize_to_even;

constexpr auto ties_go_to_even() -> bool {
  constexpr auto nan = std::numeric_limits<float>::quiet_NaN();
  constexpr auto inf = std::numeric_limits<double>::infinity();
  return quantize_to_even<std::int8_t>(0.5f, 0) == 0 && quantize_to_even<std::int8_t>(1.5f, 0) == 2 &&
         quantize_to_even<std::int8_t>(-0.5, 3) == 3 && quantize_to_even<std::int8_t>(-2.5, 0) == -2 &&
         quantize_to_even<std::int8_t>(2.5000002f, 0) == 3 && quantize_to_even<std::uint8_t>(nan, 7) == 7 &&
         quantize_to_even<std::uint8_t>(inf, 0) == 255 && quantize_to_even<std::int32_t>(-inf, 0) == INT32_MIN &&
         quantize_to_even<std::int32_t>(3e9, 0) == INT32_MAX && quantize_to_even<std::int16_t>(-1e30f, 5) == -32768 &&
         quantize_to_even<std::int8_t>(1.25, 0.5f, 1) == 3 && quantize_to_even<std::int8_t>(-inf, 1e-38f, 1) == -128 &&
         quantize_to_even<std::int8_t>(std::numeric_limits<double>::quiet_NaN(), 0.5f, 1) == 1;
}
static_assert(ties_go_to_even());

template <class T, class Real>
auto matches_the_library(Real step, int range, std::int64_t zero_point) -> bool {
  for (int i = -range; i <= range; ++i) {
    const auto x = static_cast<Real>(i) * step;
    for (const auto near : {x, std::nextafter(x, static_cast<Real>(1e30)), std::nextafter(x, static_cast<Real>(-1e30))}) {
      const auto wanted = std::clamp<double>(std::nearbyint(static_cast<double>(near)) + static_cast<double>(zero_point),
                                             std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
      if (static_cast<double>(quantize_to_even<T>(near, zero_point)) != wanted) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("quantize_to_even rounds half to even and saturates") {
  CHECK(ties_go_to_even());
  CHECK(matches_the_library<std::int8_t>(0.25f, 2000, -3));
  CHECK(matches_the_library<std::int8_t>(0.25, 2000, 127));
  CHECK(matches_the_library<std::uint8_t>(0.25f, 2000, 128));
  CHECK(matches_the_library<std::int16_t>(0.5f, 80000, 0));
  CHECK(matches_the_library<std::int32_t>(0.5, 80000, 9));
  CHECK(matches_the_library<std::int32_t>(32768.5, 80000, 0));
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The tables of int8 logistic and tanh have the results of the fixed-point functions.
#include <baton/kernels/detail/sigmoid_table.hpp>

#include <baton/kernels/detail/byte_table.hpp>
#include <baton/kernels/detail/fixed_point.hpp>
#include <baton/operators/shared/rounding.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

namespace {

using namespace baton;
using namespace baton::portable::detail;

/// The number of words of four entries that differ from the results of `fixed_function`.
constexpr auto differences(float scale, std::int32_t zero_point, bool is_tanh) -> int {
  byte_table table;
  byte_table expected;
  set_sigmoid_table(table, scale, zero_point, is_tanh);
  for (std::int32_t x = -128; x < 128; ++x) {
    expected.set(static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(fixed_function(x - zero_point, scale, is_tanh)));
  }
  int count = 0;
  for (std::size_t i = 0; i < table.words.size(); ++i) count += table.words[i] != expected.words[i] ? 1 : 0;
  return count;
}
static_assert(differences(0.05f, 3, false) == 0);
static_assert(differences(0.03f, -128, true) == 0);
static_assert(differences(1e-12f, 0, false) == 0, "the multiplier shifts right");
static_assert(differences(100.0f, 0, true) == 0, "only the zero point is not saturated");

/// The output of `logistic` or `tanh` for an input in Q4.27, not clamped.
constexpr auto output_of(std::int32_t in, bool is_tanh) -> std::int32_t {
  return is_tanh ? quantized::rounding_shift_right(fixed_point::tanh(in), 24)
                 : quantized::rounding_shift_right(fixed_point::logistic(in), 23) - 128;
}

}  // namespace

TEST_CASE("tables of int8 logistic and tanh equal the fixed-point functions") {
  std::mt19937 draw(1);
  int sum = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto zero_point = static_cast<std::int32_t>(draw() % 256) - 128;
    const auto exponent = static_cast<double>(draw() % 4096) / 4096;
    // Usual scales, from 2^-9 to 2, and all others.
    const auto scale = static_cast<float>(i % 4 < 2 ? std::exp2(10 * exponent - 9) : std::exp2(52 * exponent - 40));
    sum += differences(scale, zero_point, i % 2 == 0);
  }
  CHECK(sum == 0);
  CHECK(differences(1e30f, -5, false) == 0);
}

// The tables are exact for every scale, because the outputs change only near the inputs of the list. Each neighborhood is searched here. A
// search of all inputs takes minutes, and found no other change.
TEST_CASE("the outputs of int8 logistic and tanh rise at the inputs of the list") {
  constexpr std::int32_t near = 1 << 7;  // 2^-20 in Q4.27
  for (const bool is_tanh : {false, true}) {
    int wrong = 0;
    for (std::int32_t n = 0; n < 128; ++n) {
      const auto real = std::log((257.0 + 2 * n) / (255.0 - 2 * n));
      CHECK(sigmoid_rises[n] == static_cast<std::int32_t>(std::lround(real * (1 << 15))));
      const auto at = static_cast<std::int32_t>(std::lround(real * (is_tanh ? 1 << 26 : 1 << 27)));
      for (std::int32_t distance = near; distance < 8192; ++distance) {
        wrong += output_of(at - distance, is_tanh) != n ? 1 : 0;
        wrong += output_of(distance - at, is_tanh) != -n ? 1 : 0;
        wrong += output_of(at + distance, is_tanh) != n + 1 ? 1 : 0;
        wrong += output_of(-at - distance, is_tanh) != -n - 1 ? 1 : 0;
      }
    }
    CHECK(wrong == 0);
  }
}

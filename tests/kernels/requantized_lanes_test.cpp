// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Requantization of several channels per step matches `to_int8` for each channel: at ties, and at both ends of every range that
// `has_single_rounding` allows.
#include "layer.hpp"

#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/detail/requantized_lanes.hpp>
#include <baton/kernels/detail/single_rounding.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace {

using namespace baton::portable;
using namespace baton::quantized;
using namespace baton::portable::detail;

/// Returns a multiplier: 0, a power of two, one with few bits set (which produces ties), the largest, or any.
auto multiplier(std::uint32_t& seed, int i) -> std::int32_t {
  const auto any = static_cast<std::int32_t>(one_layer::next_random(seed) >> 2 | 1u << 30);
  const auto bit = std::int32_t{1} << (one_layer::next_random(seed) >> 8) % 30;
  const std::int32_t kinds[] = {0, 1 << 30, (1 << 30) + bit, INT32_MAX, any, any, any & -(1 << 24)};
  return kinds[i % 7];
}

/// Returns a sum: near 0, at an end of the range, or any.
auto sum(std::uint32_t& seed, int i) -> std::int32_t {
  constexpr std::int32_t end = max_sum - 1;
  const auto any = static_cast<std::int32_t>(one_layer::next_random(seed)) >> (3 + i % 28);
  const std::int32_t kinds[] = {any, any, -1, 0, 1, end, -end, any};
  return kinds[(one_layer::next_random(seed) >> 8) % 8];
}

/// Returns the number of outputs that differ from `to_int8`, over many sums and factors.
template <std::size_t M, std::int32_t ZeroPoint, std::int32_t Min, std::int32_t Max, rounding Rounding = rounding::twice>
auto differing() -> int {
  constexpr bounds<std::int32_t> range{Min, Max};
  constexpr channel_output out{.zero_point = ZeroPoint, .range = range, .round = Rounding};
  constexpr bool ties = out.corrects_ties();
  std::uint32_t seed = 99 + static_cast<std::uint32_t>(M);
  int count = 0;
  for (int i = 0; i < 200000 / static_cast<int>(M); ++i) {
    std::array<lane_factors, (M + 3) / 4> by{};
    std::array<std::int32_t, M> sums{};
    std::array<std::int8_t, M> wanted{};
    for (std::size_t m = 0; m < M; ++m) {
      const auto value = multiplier(seed, i + static_cast<int>(m));
      const auto right = 1 + static_cast<std::int32_t>((one_layer::next_random(seed) >> 8) % max_right);
      // `total` includes the bias. If it is an odd multiple of 2^right, a multiplier of 2^30, which is 1/2, produces a tie.
      auto total = sum(seed, i);
      if (i % 3 == 0 && right < 26) total = (total >> (right + 1) << (right + 1)) + (1 << right);
      const auto bias = static_cast<std::int32_t>(one_layer::next_random(seed)) >> 4;
      sums[m] = total - bias;
      by[m / 4].set(m % 4, bias, value, right, ZeroPoint, out.correction());
      wanted[m] = to_int8<true, Rounding>(total, value, right, ZeroPoint, range);
      count += !has_single_rounding(value, right, total < 0 ? -std::int64_t{total} : std::int64_t{total});
    }
    std::array<std::int8_t, M + 1> actual{};
    actual[M] = 77;
    requantize_lanes<range, ties>(sums, by.data(), actual.data());
    for (std::size_t m = 0; m < M; ++m) count += actual[m] != wanted[m];
    count += actual[M] != 77;
    if constexpr (M == 4) {
      std::int32_t plain[4];
      requantize_four_plainly<ties>(sums.data(), by[0], plain);
      for (std::size_t m = 0; m < M; ++m) count += range.clamp(plain[m]) != wanted[m];
    }
  }
  return count;
}

}  // namespace

TEST_CASE("four channels per step match one channel at a time") {
  CHECK(differing<4, 0, -128, 127>() == 0);
  CHECK(differing<4, -128, -128, 127>() == 0);
  CHECK(differing<4, 5, -20, 30>() == 0);
  CHECK(differing<4, 127, -128, 127>() == 0);
  CHECK(differing<4, -3, -3, 90>() == 0);
}

TEST_CASE("up to sixteen channels match one channel at a time") {
  CHECK(differing<16, 7, -128, 127>() == 0);
  CHECK(differing<2, 7, -100, 127>() == 0);
  CHECK(differing<3, -128, -128, 100>() == 0);
  CHECK(differing<5, 0, -128, 127>() == 0);
  CHECK(differing<11, 0, -1, 127>() == 0);
  CHECK(differing<14, 0, -128, 127>() == 0);
}

TEST_CASE("a rule that rounds once needs no correction") {
  CHECK(differing<4, 0, -128, 127, rounding::once>() == 0);
  CHECK(differing<4, -128, -128, 127, rounding::once>() == 0);
  CHECK(differing<4, 5, -20, 30, rounding::once>() == 0);
  CHECK(differing<16, 7, -128, 127, rounding::once>() == 0);
  CHECK(differing<11, 127, -1, 127, rounding::once>() == 0);
}

TEST_CASE("has_single_rounding rejects factors and sums that lanes cannot compute") {
  CHECK(has_single_rounding(1 << 30, 1, (1 << 28) - 1));
  CHECK(has_single_rounding(0, 28, 0));
  CHECK(!has_single_rounding(1 << 30, 1, 1 << 28));
  CHECK(!has_single_rounding(-(1 << 30), 1, 0));
  CHECK(!has_single_rounding(1 << 30, 0, 0));
  CHECK(!has_single_rounding(1 << 30, 29, 0));
}

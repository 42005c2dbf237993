// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The requantization of the sums of several adjacent channels to int8, with vector instructions.
#pragma once

#include <baton/kernels/detail/products.hpp>
#include <baton/kernels/detail/single_rounding.hpp>
#include <baton/operators/requantization.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace baton::portable::detail {

/// True if the target requantizes four channels in one step.
#if defined(__SSE2__) || defined(__ARM_NEON)
inline constexpr bool has_lanes = has_vectors;
#else
inline constexpr bool has_lanes = false;
#endif

/// The factors that requantize the sums of four channels with a single rounding. All numbers are unsigned, because SSE2 multiplies unsigned
/// numbers. Shifts are done by multiplication, because SSE2 shifts all elements by the same amount. Below, m is the multiplier of a
/// channel, r its right shift, and x its sum with the bias. [x >= 0] is 1 if x >= 0, otherwise 0 (see `single_rounding.hpp`).
struct alignas(16) lane_factors {
  static constexpr std::size_t count = 4;

  // These are not `std::array`s, because each access to an element of a `std::array` costs a call in a constant expression.
  std::uint32_t offsets[count]{};      ///< bias + 2^30
  std::uint32_t multipliers[count]{};  ///< 2·m
  std::uint32_t addends[count]{};      ///< 2^31 − m + c + 2^r; c is the correction, and 2^31 makes the shifted number positive
  std::uint32_t shifts[count]{};       ///< 2^(31 − r)
  std::uint32_t ends[count]{};         ///< 2^(30 − r) − zero point

  /// Sets the factors of the channel in lane `lane` (an element of a vector). `correction` is 0 if outputs are rounded once
  /// (`quantized::rounding`). If outputs are rounded twice, `correction` is 1, or -1 if `requantize_lanes` is called with `HasTies`. With
  /// `HasTies`, `requantize_lanes` also adds 2·[x >= 0], because 1 − 2·[x < 0] = −1 + 2·[x >= 0].
  constexpr void set(std::size_t lane, std::int32_t bias, std::int32_t value, std::int32_t right, std::int32_t zero_point,
                     std::int32_t correction) {
    const auto m = static_cast<std::uint32_t>(value);
    offsets[lane] = static_cast<std::uint32_t>(bias) + (1u << 30);
    multipliers[lane] = 2 * m;
    addends[lane] = (1u << 31) - m + (1u << right) + static_cast<std::uint32_t>(correction);
    shifts[lane] = 1u << (31 - right);
    ends[lane] = (1u << (30 - right)) - static_cast<std::uint32_t>(zero_point);
  }
};

/// Requantizes four sums without clamping, as a plain loop.
template <bool HasTies>
constexpr void requantize_four_plainly(const std::int32_t* sums, const lane_factors& by, std::int32_t* to) {
  for (std::size_t i = 0; i < lane_factors::count; ++i) {
    const auto x = (static_cast<std::uint32_t>(sums[i]) + by.offsets[i]) << 1;
    auto h = static_cast<std::uint32_t>((std::uint64_t{x} * by.multipliers[i]) >> 32) + by.addends[i];
    if constexpr (HasTies) h += x >> 31 << 1;
    to[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>((std::uint64_t{h} * by.shifts[i]) >> 32) - by.ends[i]);
  }
}

#if defined(__SSE2__)

/// Returns the high halves of the products of four unsigned numbers.
[[gnu::always_inline]] inline auto high_products(__m128i a, __m128i b) -> __m128i {
  const auto even = _mm_mul_epu32(a, b);
  const auto odd = _mm_mul_epu32(_mm_srli_epi64(a, 32), _mm_shuffle_epi32(b, 0xf5));
  const auto high_halves = _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(even), _mm_castsi128_ps(odd), 0xdd));
  return _mm_shuffle_epi32(high_halves, 0xd8);
}

template <bool HasTies>
[[gnu::always_inline]] inline auto requantize_four(__m128i sums, const lane_factors& by) -> __m128i {
  const auto four = [](const std::uint32_t* numbers) { return _mm_load_si128(reinterpret_cast<const __m128i*>(numbers)); };
  const auto x = _mm_slli_epi32(_mm_add_epi32(sums, four(by.offsets)), 1);
  auto h = _mm_add_epi32(high_products(x, four(by.multipliers)), four(by.addends));
  if constexpr (HasTies) h = _mm_add_epi32(h, _mm_slli_epi32(_mm_srli_epi32(x, 31), 1));
  return _mm_sub_epi32(high_products(h, four(by.shifts)), four(by.ends));
}

/// Requantizes the sums of 4 · `Fours` channels, at most 16, and clamps them to int8.
template <quantized::bounds<std::int32_t> Range, bool HasTies, std::size_t Fours>
[[gnu::always_inline]] inline auto requantize_fours(const std::int32_t* sums, const lane_factors* by) -> __m128i {
  const auto four = [&](std::size_t i) {
    if (i >= Fours) return _mm_setzero_si128();
    return requantize_four<HasTies>(_mm_loadu_si128(reinterpret_cast<const __m128i*>(sums + 4 * i)), by[i]);
  };
  const auto clamp = [](__m128i numbers) {
    if constexpr (Range.lower > INT8_MIN) numbers = _mm_max_epi16(numbers, _mm_set1_epi16(static_cast<std::int16_t>(Range.lower)));
    if constexpr (Range.upper < INT8_MAX) numbers = _mm_min_epi16(numbers, _mm_set1_epi16(static_cast<std::int16_t>(Range.upper)));
    return numbers;
  };
  return _mm_packs_epi16(clamp(_mm_packs_epi32(four(0), four(1))), clamp(_mm_packs_epi32(four(2), four(3))));
}

#endif

/// Requantizes the sums of `M` channels, at most 16, and stores the outputs. `by[i]` has the factors of four channels, from 4 · i on.
template <quantized::bounds<std::int32_t> Range, bool HasTies, std::size_t M>
[[gnu::always_inline]] inline void requantize_lanes(const std::array<std::int32_t, M>& sums, const lane_factors* by, std::int8_t* to) {
  constexpr auto fours = (M + 3) / 4;
  alignas(16) std::array<std::int32_t, 4 * fours> padded{};
  std::memcpy(padded.data(), sums.data(), sizeof sums);
#if defined(__SSE2__)
  static_assert(fours <= 4);
  const auto bytes = requantize_fours<Range, HasTies, fours>(padded.data(), by);
  std::memcpy(to, &bytes, M);
#else
  std::array<std::int8_t, 4 * fours> outputs;
  for (std::size_t i = 0; i < fours; ++i) {
    std::int32_t numbers[4];
    requantize_four_plainly<HasTies>(padded.data() + 4 * i, by[i], numbers);
    for (std::size_t k = 0; k < 4; ++k) outputs[4 * i + k] = static_cast<std::int8_t>(Range.clamp(numbers[k]));
  }
  std::memcpy(to, outputs.data(), M);
#endif
}

}  // namespace baton::portable::detail

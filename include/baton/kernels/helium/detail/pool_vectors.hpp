// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reductions of average and max pools over a window, for a vector of channels at a time. The code uses MVE instructions if the target
// has them, and portable C++ otherwise.
#pragma once

#include <baton/kernels/helium/detail/vectors.hpp>
#include <baton/operators/requantization.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace baton::helium::detail {

/// The part of a pooling window that is inside the image, for some adjacent channels.
struct pool_window {
  const std::int8_t* first = nullptr;  ///< address of the first of these channels, in the first pixel inside the image
  std::int32_t rows = 0;               ///< number of rows inside the image
  std::int32_t columns = 0;            ///< number of columns inside the image
  std::int32_t row_bytes = 0;          ///< distance between rows of the window, in bytes
  std::int32_t tap_bytes = 0;          ///< distance between adjacent taps (positions in the window) of a row, in bytes

  /// Calls `f(at)` for each pixel of the window. `at` is the address of the first of these channels in the pixel.
  template <class F>
  [[gnu::always_inline]] void for_each(F f) const {
    const auto* row = first;
    for (auto remaining = rows; remaining != 0; --remaining, row += row_bytes) {
      const auto* at = row;
      for (auto taps = columns; taps != 0; --taps, at += tap_bytes) f(at);
    }
  }
};

/// The quotient n / count of 16-bit numbers, as the high half of a product and a shift. Let k be floor(log2(count)). The multiplier is
/// 2^(16 + k) / count, rounded up. So the product exceeds n · 2^(16 + k) / count by at most n · (count − 1) / count. The quotient is exact
/// if this excess is less than 2^(16 + k) / count. This condition is met for n up to `max_numerator` and counts up to 256. For a power of
/// two, the multiplier would be 2^16, which does not fit 16 bits. So the multiplier is 2^15, and the shift is one less.
struct short_quotient {
  static constexpr std::int32_t max_count = 256;
  /// The largest magnitude of a sum of 256 int8 numbers, plus half of the count.
  static constexpr std::int32_t max_numerator = 256 * 128 + 128;

  std::uint32_t multiplier = 0;
  std::int32_t shift = 0;

  /// Returns the quotient's parameters for a count from 2 to `max_count`.
  static constexpr auto by(std::int32_t count) -> short_quotient {
    const auto divisor = static_cast<std::uint32_t>(count);
    const auto bits = static_cast<std::int32_t>(std::bit_width(divisor)) - 1;
    if (std::has_single_bit(divisor)) return {1u << 15, bits - 1};
    return {((1u << (16 + bits)) + divisor - 1) / divisor, bits};
  }
  constexpr auto of(std::uint32_t numerator) const -> std::uint32_t { return (numerator * multiplier >> 16) >> shift; }
};

/// The mean of each channel under a window, rounded half away from zero. A window has at most `short_quotient::max_count` taps, so that
/// sums fit 16 bits.
struct averaging_channels {
  static constexpr std::int32_t channels = 8;

  /// Computes `count` channels, at most `channels`.
  [[gnu::always_inline]] static void compute(const pool_window& window, std::int32_t count, quantized::bounds<std::int32_t> range,
                                             std::int8_t* to) {
    const auto taps = window.rows * window.columns;
#if defined(__ARM_FEATURE_MVE)
    const auto lanes = vctp16q(static_cast<std::uint32_t>(count));
    auto sums = vdupq_n_s16(0);
    window.for_each([&](const std::int8_t* at) __attribute__((always_inline)) {
      sums = vaddq_s16(sums, count >= channels ? vldrbq_s16(at) : vldrbq_z_s16(at, lanes));
    });
    if (taps > 1) {
      const auto quotient = short_quotient::by(taps);
      const auto sign = vshrq_n_s16(sums, 15);
      const auto magnitude = vaddq_n_u16(vreinterpretq_u16_s16(vabsq_s16(sums)), static_cast<std::uint16_t>(taps / 2));
      const auto high = vmulhq_u16(magnitude, vdupq_n_u16(static_cast<std::uint16_t>(quotient.multiplier)));
      const auto mean = vreinterpretq_s16_u16(vshlq_r_u16(high, -quotient.shift));
      sums = vsubq_s16(veorq_s16(mean, sign), sign);
    }
    if (range.lower > INT8_MIN) sums = vmaxq_s16(sums, vdupq_n_s16(static_cast<std::int16_t>(range.lower)));
    if (range.upper < INT8_MAX) sums = vminq_s16(sums, vdupq_n_s16(static_cast<std::int16_t>(range.upper)));
    vstrbq_p_s16(to, sums, lanes);
#else
    for (std::int32_t channel = 0; channel < count; ++channel) {
      std::int32_t sum = 0;
      window.for_each([&](const std::int8_t* at) { sum += at[channel]; });
      if (taps > 1) {
        const auto magnitude = static_cast<std::uint32_t>((sum < 0 ? -sum : sum) + taps / 2);
        const auto mean = static_cast<std::int32_t>(short_quotient::by(taps).of(magnitude));
        sum = sum < 0 ? -mean : mean;
      }
      to[channel] = static_cast<std::int8_t>(range.clamp(sum));
    }
#endif
  }
};

/// The maximum of each channel under a window.
struct taking_largest_channels {
  static constexpr std::int32_t channels = vector_bytes;

  /// Computes `count` channels, at most `channels`.
  [[gnu::always_inline]] static void compute(const pool_window& window, std::int32_t count, quantized::bounds<std::int32_t> range,
                                             std::int8_t* to) {
#if defined(__ARM_FEATURE_MVE)
    const auto lanes = vctp8q(static_cast<std::uint32_t>(count));
    auto largest = vdupq_n_s8(static_cast<std::int8_t>(range.lower));
    window.for_each([&](const std::int8_t* at) __attribute__((always_inline)) {
      largest = vmaxq_s8(largest, count >= channels ? vld1q_s8(at) : vldrbq_z_s8(at, lanes));
    });
    if (range.upper < INT8_MAX) largest = vminq_s8(largest, vdupq_n_s8(static_cast<std::int8_t>(range.upper)));
    vstrbq_p_s8(to, largest, lanes);
#else
    for (std::int32_t channel = 0; channel < count; ++channel) {
      std::int32_t largest = range.lower;
      window.for_each([&](const std::int8_t* at) { largest = std::max<std::int32_t>(largest, at[channel]); });
      to[channel] = static_cast<std::int8_t>(std::min(largest, range.upper));
    }
#endif
  }
};

}  // namespace baton::helium::detail

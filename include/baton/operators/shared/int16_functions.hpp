// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The logistic function and tanh of 16-bit numbers, interpolated in one table as in TensorFlow Lite's reference integer kernels.
#pragma once

#include <baton/core/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::quantized {

/// The factor that converts a 16-bit input to a position in the table. The input is multiplied by `value` and shifted right by `shift`
/// bits, rounded half up. If `value` is 0, the input is multiplied by 3 · 2^shift instead, as in the reference kernels for inputs in Q3.12.
/// `value` is at most 32767. `shift` is in [0, 31], or in [0, 14] if `value` is 0, so that nothing overflows.
struct int16_factor {
  std::int32_t value = 0;
  std::int32_t shift = 0;

  constexpr auto operator==(const int16_factor&) const -> bool = default;
};

namespace detail {

/// Returns a table with f(i / 24) in entry `i`, where f(x) = 2^16 / (1 + exp(−x)). Each entry is increased by h² · |f''(i / 24)| / 16,
/// where h = 1 / 24. This is half of the maximum distance between the curve and the chord from this entry to the next, so the interpolation
/// error is halved. The last entry is 65535. The table equals `sigmoid_table_uint16` of TensorFlow Lite.
constexpr auto make_sigmoid_table() -> std::array<std::uint16_t, 256> {
  constexpr double exp_of_minus_step = 0.9591894571091382;  // exp(-1 / 24)
  std::array<std::uint16_t, 256> table{};
  double power = 1;
  for (std::size_t i = 0; i < 255; ++i, power *= exp_of_minus_step) {
    const auto y = 1 / (1 + power);
    table[i] = static_cast<std::uint16_t>(65536 * (y + y * (1 - y) * (2 * y - 1) / (16 * 576)) + 0.5);
  }
  table[255] = 65535;
  return table;
}
inline constexpr auto sigmoid_table = make_sigmoid_table();

/// Converts the input `x` to a fixed-point argument of the logistic function or tanh. The result is in units of 1 / (3 · 4096), so 2^17
/// means 32 / 3.
constexpr auto sigmoid_position(std::int16_t x, int16_factor by) -> std::int32_t {
  if (by.value == 0) return x * (3 << by.shift);
  return (x * by.value + (by.shift > 0 ? 1 << (by.shift - 1) : 0)) >> by.shift;
}

/// Interpolates the table linearly at `position`. The low `bits` bits of `position` are the fraction between two entries; the other bits
/// are the index of the first entry. The result has 16 + `bits` fractional bits.
constexpr auto sigmoid_between(std::uint32_t position, std::uint32_t bits) -> std::uint32_t {
  const auto at = position >> bits;
  const std::uint32_t first = sigmoid_table[at];
  return (first << bits) + (position & ((1u << bits) - 1)) * (sigmoid_table[at + 1] - first);
}

constexpr auto magnitude(std::int32_t x) -> std::uint32_t {
  return x < 0 ? 0u - static_cast<std::uint32_t>(x) : static_cast<std::uint32_t>(x);
}

}  // namespace detail

/// Returns 1 / (1 + exp(−r)) in Q0.15, where r is the real number that `by` computes from the input `x`. Same as `Logistic` of TensorFlow
/// Lite's `reference/integer_ops/logistic.h`.
constexpr auto logistic_of_int16(std::int16_t x, int16_factor by) -> std::int16_t {
  const auto position = detail::sigmoid_position(x, by);
  const auto size = detail::magnitude(position);
  const std::uint32_t value = size >> 9 >= 255 ? 0x7fffu << 10 : detail::sigmoid_between(size, 9);
  const auto rounded = position >= 0 ? value + (1u << 9) : (1u << 25) - value + (1u << 9) - 1;
  return static_cast<std::int16_t>(rounded >> 10);
}

/// Returns tanh(r) in Q0.15, as 2 · sigmoid(2 · r) − 1, where r is the real number that `by` computes from the input `x`. Same as `Tanh` of
/// TensorFlow Lite's `reference/integer_ops/tanh.h`.
constexpr auto tanh_of_int16(std::int16_t x, int16_factor by) -> std::int16_t {
  const auto position = detail::sigmoid_position(x, by);
  const auto size = detail::magnitude(position);
  const auto value = static_cast<std::int32_t>(size >> 8 >= 255 ? 0xffffu << 8 : detail::sigmoid_between(size, 8));
  const auto rounded = position >= 0 ? value - (1 << 23) + (1 << 7) : (1 << 23) - value + (1 << 7) - 1;
  return static_cast<std::int16_t>(rounded >> 8);
}

}  // namespace baton::quantized

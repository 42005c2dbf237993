// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Tables of the requantization factors of 8-bit kernels, and the conversion of a sum to an output.
#pragma once

#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/rounding.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace baton::portable {

namespace detail {

/// Returns a + b modulo 2^32. A sum may exceed 32 bits if a bias or scale is damaged.
constexpr auto wrapping_sum(std::int32_t a, std::int32_t b) -> std::int32_t {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

/// The requantization factors of a node's output channels, as a read-only table. The factor of channel c is `values[c]` · 2^(−31 −
/// `rights[c]`). If N is 1, all channels share one factor.
template <std::size_t N>
struct channel_table {
  std::array<std::int32_t, N> values{};
  std::array<std::int8_t, N> rights{};  ///< right shifts; a left shift is a negative right shift
  bool all_shift_right = true;          ///< whether `requantize_right`, which has no branch, suffices for every factor; nearly always true
};

/// Returns the right shift of a channel's factor, as in `channel_table::rights`. The right shift of the factor 0 is 1. Left shifts are
/// limited to 30; only factors of 2^30 and more have a larger left shift.
constexpr auto right_shift_of(quantized::fixed_multiplier multiplier) -> std::int32_t {
  return multiplier.value == 0 ? 1 : multiplier.shift > 30 ? -30 : -multiplier.shift;
}

/// Sets the factor of a channel to `multiplier`.
template <std::size_t N>
constexpr void set_channel(channel_table<N>& table, std::size_t channel, quantized::fixed_multiplier multiplier) {
  const auto right = right_shift_of(multiplier);
  // Uses `data()`, because each access to an element of a `std::array` costs a call in a constant expression.
  table.values.data()[channel] = multiplier.value;
  table.rights.data()[channel] = static_cast<std::int8_t>(right);
  if (right < 1 || multiplier.value == std::numeric_limits<std::int32_t>::min()) table.all_shift_right = false;
}

/// Converts a sum to an output: ((sum · value + `addend`) >> (31 − shift)) + zero point, clamped to `range`. Here, value and shift are the
/// members of `multiplier`. The addend includes 2^(30 − shift), which is 1/2 at the scale of the output, so that the right shift rounds
/// half up. The magnitude of the addend must be below 2^61 + 2^(30 − shift), so that nothing overflows.
constexpr auto output_with_addend(std::int32_t sum, quantized::fixed_multiplier multiplier, std::int64_t addend, std::int32_t zero_point,
                                  quantized::bounds<std::int32_t> range) -> std::int32_t {
  const auto scaled = ((std::int64_t{sum} * multiplier.value + addend) >> (31 - multiplier.shift)) + zero_point;
  return scaled < range.lower ? range.lower : scaled > range.upper ? range.upper : static_cast<std::int32_t>(scaled);
}

/// Returns the result of `output_with_addend` as an int8 output. If `AllShiftRight` (`channel_table::all_shift_right`), adds the addend to
/// the product, then shifts only the high half of this sum.
template <bool AllShiftRight>
constexpr auto to_int8_with_addend(std::int32_t sum, std::int32_t value, std::int32_t right, std::int64_t addend, std::int32_t zero_point,
                                   quantized::bounds<std::int32_t> range) -> std::int8_t {
  if constexpr (!AllShiftRight) return static_cast<std::int8_t>(output_with_addend(sum, {value, -right}, addend, zero_point, range));
  const auto scaled = static_cast<std::int32_t>((std::int64_t{sum} * value + addend) >> 32) >> (right - 1);
  const quantized::bounds<std::int32_t> distances{range.lower - zero_point, range.upper - zero_point};
  return static_cast<std::int8_t>(distances.clamp(scaled) + zero_point);
}

/// Converts a sum to an output: requantizes the sum with a single rounding, adds the zero point, and clamps the result to `range`.
constexpr auto output_rounded_once(std::int32_t sum, quantized::fixed_multiplier multiplier, std::int32_t zero_point,
                                   quantized::bounds<std::int32_t> range) -> std::int32_t {
  return output_with_addend(sum, multiplier, std::int64_t{1} << (30 - multiplier.shift), zero_point, range);
}

/// Converts a channel's sum to an int8 output: requantizes the sum, adds the zero point, and clamps the result to `range`. `AllShiftRight`
/// is true if `requantize_right` suffices for every factor (`channel_table::all_shift_right`).
template <bool AllShiftRight, quantized::rounding Rounding = quantized::rounding::twice>
constexpr auto to_int8(std::int32_t sum, std::int32_t value, std::int32_t right, std::int32_t zero_point,
                       quantized::bounds<std::int32_t> range) -> std::int8_t {
  if constexpr (Rounding == quantized::rounding::once) {
    if constexpr (!AllShiftRight) return static_cast<std::int8_t>(output_rounded_once(sum, {value, -right}, zero_point, range));
    return static_cast<std::int8_t>(range.clamp(quantized::requantize_right_once(sum, value, right) + zero_point));
  }
  const auto scaled = AllShiftRight ? quantized::requantize_right(sum, value, right) : quantized::requantize(sum, {value, -right});
  return static_cast<std::int8_t>(range.clamp(wrapping_sum(scaled, zero_point)));
}

}  // namespace detail

}  // namespace baton::portable

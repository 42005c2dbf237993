// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The multipliers of 8-bit kernels as tables, and how a sum becomes an output.
#pragma once

#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/rounding.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace baton::portable {

namespace detail {

/// a + b modulo 2^32: what sums do that a damaged bias or scale drives beyond 32 bits.
constexpr auto wrapping_sum(std::int32_t a, std::int32_t b) -> std::int32_t {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

/// The multipliers of a node's output channels, one for all where N is 1, as a kernel's read-only table.
template <std::size_t N>
struct channel_table {
  std::array<std::int32_t, N> values{};
  std::array<std::int8_t, N> rights{};  ///< right shifts; a left shift is negative
  bool all_right = true;                ///< whether `requantize_right` does for every factor, as it nearly always does: it has no branch
};

/// The right shift of a channel's factor; a left shift is negative. A factor of 0 shifts right like the others; one of 2^30 or more is cut.
constexpr auto right_shift_of(fixed_multiplier by) -> std::int32_t { return by.value == 0 ? 1 : by.shift > 30 ? -30 : -by.shift; }

/// Notes a channel's factor.
template <std::size_t N>
constexpr void set_channel(channel_table<N>& table, std::size_t channel, double real) {
  const auto by = to_fixed(real);
  const auto right = right_shift_of(by);
  // In a constant, an element of a library's array costs a call.
  table.values.data()[channel] = by.value;
  table.rights.data()[channel] = static_cast<std::int8_t>(right);
  if (right < 1 || by.value == std::numeric_limits<std::int32_t>::min()) table.all_right = false;
}

/// A channel's sum as an int8 output: requantized, moved to the zero point and cut.
/// `AllRight` is the table's `all_right`.
template <bool AllRight>
constexpr auto to_int8(std::int32_t sum, std::int32_t value, std::int32_t right, std::int32_t zero_point, bounds<std::int32_t> range)
    -> std::int8_t {
  const auto scaled = AllRight ? requantize_right(sum, value, right) : requantize(sum, {value, -right});
  return static_cast<std::int8_t>(range.clamp(wrapping_sum(scaled, zero_point)));
}

}  // namespace detail

}  // namespace baton::portable

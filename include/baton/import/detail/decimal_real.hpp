// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The double that is nearest to a decimal number.
#pragma once

#include <baton/core/vector.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// A number that was read from text. If `is_valid` is false, the text was rejected, and `number` has no meaning.
struct real_number {
  bool is_valid = false;
  double number = 0;
};

/// A natural number of any size, stored as 32-bit digits, the lowest digit first.
class natural_number {
 public:
  constexpr explicit natural_number(std::uint64_t number)
      : digits_{static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)} {}

  constexpr void multiply(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (auto& digit : digits_) carry += std::uint64_t{digit} * factor, digit = static_cast<std::uint32_t>(carry), carry >>= 32;
    if (carry != 0) digits_.push_back(static_cast<std::uint32_t>(carry));
  }
  /// Divides by `divisor`, and returns the remainder.
  constexpr auto divide(std::uint32_t divisor) -> std::uint32_t {
    std::uint64_t remainder = 0;
    for (auto i = digits_.size(); i-- > 0;)
      remainder = remainder << 32 | digits_[i], digits_[i] = static_cast<std::uint32_t>(remainder / divisor), remainder %= divisor;
    while (digits_.size() > 2 && digits_.back() == 0) digits_.pop_back();
    return static_cast<std::uint32_t>(remainder);
  }
  /// Multiplies by 2 to the power of 32 · `count`.
  constexpr void shift(std::size_t count) {
    vector<std::uint32_t> shifted(count, 0u);
    for (const auto digit : digits_) shifted.push_back(digit);
    digits_ = static_cast<vector<std::uint32_t>&&>(shifted);
  }
  /// Returns the number of bits up to the highest bit that is set, or 0 for the number 0.
  constexpr auto bits() const -> std::int32_t {
    auto size = digits_.size();
    while (size > 0 && digits_[size - 1] == 0) --size;
    return size == 0 ? 0 : static_cast<std::int32_t>(32 * size) - std::countl_zero(digits_[size - 1]);
  }
  /// Returns the 64 bits that start at bit `first`. If `first` is negative, the lowest bits of the result are 0.
  constexpr auto from(std::int32_t first) const -> std::uint64_t {
    std::uint64_t result = 0;
    for (std::int32_t i = static_cast<std::int32_t>(digits_.size()); i-- > 0;) {
      const auto at = 32 * i - first;
      if (at > -32 && at < 64)
        result |= at >= 0 ? std::uint64_t{digits_[static_cast<std::size_t>(i)]} << at : digits_[static_cast<std::size_t>(i)] >> -at;
    }
    return result;
  }
  /// True if a bit below `end` is set.
  constexpr auto has_bits_below(std::int32_t end) const -> bool {
    for (std::int32_t i = 0; 32 * i < end; ++i) {
      if (static_cast<std::size_t>(i) >= digits_.size()) return false;
      const auto digit = digits_[static_cast<std::size_t>(i)];
      if (end - 32 * i >= 32 ? digit != 0 : (digit & ((1u << (end - 32 * i)) - 1)) != 0) return true;
    }
    return false;
  }

 private:
  vector<std::uint32_t> digits_;
};

/// Returns `number` · 10^`exponent`, rounded to the nearest double, ties to even (IEEE 754). If `exponent` is negative, divides by small
/// powers of ten, one after another. The integer quotient is the same as that of one division by 10^-`exponent`.
constexpr auto scaled_by_ten(std::uint64_t number, std::int32_t exponent) -> double {
  if (number == 0 || exponent < -400) return 0.0;
  constexpr auto infinity = std::uint64_t{0x7ff} << 52;
  if (exponent > 310) return std::bit_cast<double>(infinity);
  natural_number exact(number);
  std::int32_t scale = 0;  // the value is `exact` · 2^-scale
  bool has_remainder = false;
  constexpr std::uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
  if (exponent >= 0) {
    for (auto left = exponent; left > 0; left -= 9) exact.multiply(powers[left < 9 ? left : 9]);
  } else {
    // With n = -`exponent`, 10^n has fewer than 10 n / 3 + 1 bits. `digits` is the number of 32-bit digits by which `exact` is shifted, so
    // that the quotient has more than 64 bits.
    const auto digits = (-exponent * 10 / 3 + 1 + 66) / 32 + 1;
    exact.shift(static_cast<std::size_t>(digits));
    scale = 32 * digits;
    for (auto left = -exponent; left > 0; left -= 9) has_remainder = exact.divide(powers[left < 9 ? left : 9]) != 0 || has_remainder;
  }
  const auto bits = exact.bits();
  // The position in `exact` of the lowest bit of the significand. The significand has 53 bits, or fewer if the number is subnormal.
  const auto lowest = std::max(bits - 53, scale - 1074);
  auto significand = exact.from(lowest);
  const bool is_half = (exact.from(lowest - 1) & 1) != 0;
  const bool has_more = has_remainder || exact.has_bits_below(lowest - 1);
  if (is_half && (has_more || (significand & 1) != 0)) ++significand;
  // Bits 52 and above of `encoded` are the exponent field. Bit 52 of a normal significand adds 1 to the field. If rounding carries into bit
  // 53, the significand is 2^53 and adds 2 to the field. This is correct, because 2^53 is twice 2^52, the smallest normal significand.
  const auto field = static_cast<std::int64_t>(lowest) - scale + 1074;
  const auto encoded = significand + (field <= 0 ? 0 : static_cast<std::uint64_t>(field) << 52);
  return std::bit_cast<double>(encoded < infinity ? encoded : infinity);
}

/// Returns the double that is nearest to a decimal number, such as `-1.5e-05`. Digits after the first 19 significant digits are ignored.
/// `is_valid` of the result is false if `text` is not a decimal number, or has more than 10,000 digits before the exponent.
constexpr auto decimal_real(std::string_view text) -> real_number {
  std::size_t at = 0;
  const auto is_digit = [&] { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  const bool is_negative = !text.empty() && text[0] == '-';
  if (is_negative) ++at;
  std::uint64_t number = 0;
  std::int32_t exponent = 0;
  constexpr std::uint64_t max_number = 999999999999999999;  // 18 digits; one more digit fits 64 bits
  const auto first = at;
  for (; is_digit(); ++at)
    number <= max_number ? void(number = 10 * number + static_cast<std::uint64_t>(text[at] - '0')) : void(++exponent);
  auto digits = at - first;
  if (at < text.size() && text[at] == '.') {
    const auto fraction = ++at;
    for (; is_digit(); ++at) {
      if (number <= max_number) number = 10 * number + static_cast<std::uint64_t>(text[at] - '0'), --exponent;
    }
    digits += at - fraction;
  }
  if (digits == 0 || digits > 10000) return {};
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    const bool is_below = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (!is_digit()) return {};
    int power = 0;
    for (; is_digit(); ++at) power = std::min(100000, 10 * power + (text[at] - '0'));
    exponent += is_below ? -power : power;
  }
  if (at != text.size()) return {};
  const auto magnitude = scaled_by_ten(number, exponent);
  return {true, is_negative ? -magnitude : magnitude};
}

}  // namespace baton::detail

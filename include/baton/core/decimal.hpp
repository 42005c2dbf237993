// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Real numbers as text, at compile time and at run time. `std::to_chars` of a real number is not constexpr in C++20.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/vector.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace baton {

namespace detail {

/// An unsigned integer of any size, stored as 32-bit digits, the lowest digit first. The highest digit is not 0.
class natural {
 public:
  constexpr explicit natural(std::uint64_t number) {
    for (; number != 0; number >>= 32) digits_.push_back(static_cast<std::uint32_t>(number));
  }

  constexpr void multiply(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (auto& digit : digits_) {
      carry += std::uint64_t{digit} * factor;
      digit = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) digits_.push_back(static_cast<std::uint32_t>(carry));
  }
  constexpr void shift_left(std::uint32_t bits) {
    for (; bits >= 31; bits -= 31) multiply(1u << 31);
    multiply(1u << bits);
  }
  constexpr auto plus(const natural& other) const -> natural {
    natural sum(0);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < digits_.size() || i < other.digits_.size() || carry != 0; ++i) {
      carry += std::uint64_t{digit_at(i)} + other.digit_at(i);
      sum.digits_.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32;
    }
    return sum;
  }
  /// Subtracts `other`, which must not be greater than this number.
  constexpr void subtract(const natural& other) {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < digits_.size(); ++i) {
      const auto subtrahend = other.digit_at(i) + borrow;
      borrow = digits_[i] < subtrahend ? 1 : 0;
      digits_[i] = static_cast<std::uint32_t>(digits_[i] - subtrahend);
    }
    while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
  }
  constexpr auto is_less(const natural& other) const -> bool {
    if (digits_.size() != other.digits_.size()) return digits_.size() < other.digits_.size();
    for (std::size_t i = digits_.size(); i-- > 0;) {
      if (digits_[i] != other.digits_[i]) return digits_[i] < other.digits_[i];
    }
    return false;
  }

 private:
  constexpr auto digit_at(std::size_t i) const -> std::uint32_t { return i < digits_.size() ? digits_[i] : 0; }

  vector<std::uint32_t> digits_;
};

/// Decimal digits d1 d2 d3 ... of the number 0.d1d2d3... · 10^exponent.
struct decimal_digits {
  text_buffer digits;
  std::int32_t exponent = 0;
};

/// Returns the shortest decimal number that reads back as `fraction` · 2^`exponent`. If several shortest numbers read back as this value,
/// returns the closest of them. `has_closer_neighbor` is true if the distance to the next lower floating-point number is half of the
/// distance to the next higher one. Uses the free-format algorithm of R. G. Burger and R. K. Dybvig, Printing floating-point numbers
/// quickly and accurately, PLDI 1996.
constexpr auto shortest_digits(std::uint64_t fraction, std::int32_t exponent, bool has_closer_neighbor) -> decimal_digits {
  const auto extra = has_closer_neighbor ? 1u : 0u;  // below a power of two, floating-point numbers are half as far apart as above it
  natural remainder(fraction);
  natural unit(1);
  natural above(1);
  natural below(1);
  remainder.shift_left((exponent > 0 ? static_cast<std::uint32_t>(exponent) : 0u) + 1 + extra);
  unit.shift_left((exponent < 0 ? static_cast<std::uint32_t>(-exponent) : 0u) + 1 + extra);
  above.shift_left((exponent > 0 ? static_cast<std::uint32_t>(exponent) : 0u) + extra);
  below.shift_left(exponent > 0 ? static_cast<std::uint32_t>(exponent) : 0u);

  const bool is_even = fraction % 2 == 0;  // a decimal number halfway between two floating-point numbers reads back as the even one
  const auto reaches = [&](const natural& number) {
    const auto sum = number.plus(above);
    return is_even ? !sum.is_less(unit) : unit.is_less(sum);
  };
  decimal_digits result;
  for (; reaches(remainder); ++result.exponent) unit.multiply(10);
  const auto scale_up = [&] {
    remainder.multiply(10);
    above.multiply(10);
    below.multiply(10);
  };
  for (;;) {
    scale_up();
    if (result.digits.empty() && !reaches(remainder)) {
      --result.exponent;
      continue;
    }
    char digit = '0';
    for (; !remainder.is_less(unit); ++digit) remainder.subtract(unit);
    const bool is_low_close = is_even ? !below.is_less(remainder) : remainder.is_less(below);
    const bool is_high_close = reaches(remainder);
    if (is_low_close || is_high_close) {
      auto twice = remainder;
      twice.multiply(2);
      const bool is_rounded_up = is_high_close && (!is_low_close || !twice.is_less(unit));
      result.digits.push_back(static_cast<char>(digit + (is_rounded_up ? 1 : 0)));
      return result;
    }
    result.digits.push_back(digit);
  }
}

/// Appends digits in the notation of Python: `0.001`, `16.0`, `1e-05`, `1.5e+16`.
constexpr void append_decimal(text_buffer& buffer, const decimal_digits& number) {
  const auto& digits = view(number.digits);
  const auto point = number.exponent;
  const auto count = static_cast<std::int32_t>(digits.size());
  if (point < -3 || point > 16) {
    append(buffer, digits.substr(0, 1));
    if (count > 1) append(append(buffer, "."), digits.substr(1));
    const auto power = point - 1;
    append(append(buffer, power < 0 ? "e-" : "e+"), power > -10 && power < 10 ? "0" : "");
    append(buffer, static_cast<std::int64_t>(power < 0 ? -power : power));
  } else if (point <= 0) {
    append(buffer, "0.");
    for (auto i = point; i < 0; ++i) buffer.push_back('0');
    append(buffer, digits);
  } else if (count <= point) {
    append(buffer, digits);
    for (auto i = count; i < point; ++i) buffer.push_back('0');
    append(buffer, ".0");
  } else {
    const auto whole = static_cast<std::size_t>(point);
    append(append(append(buffer, digits.substr(0, whole)), "."), digits.substr(whole));
  }
}

}  // namespace detail

/// Appends a real number in the notation of Python. Uses the fewest decimal digits that read back as the same number of type `T`.
template <std::floating_point T>
  requires(sizeof(T) <= sizeof(std::uint64_t))
constexpr auto append_real(text_buffer& buffer, T number) -> text_buffer& {
  using bits_type = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr auto fraction_bits = std::numeric_limits<T>::digits - 1;
  constexpr auto min_exponent = std::numeric_limits<T>::min_exponent - 1 - fraction_bits;
  const auto bits = std::bit_cast<bits_type>(number);
  const auto hidden = bits_type{1} << fraction_bits;
  const auto fraction = bits & (hidden - 1);
  const auto biased = static_cast<std::int32_t>((bits >> fraction_bits) & ((bits_type{1} << (sizeof(T) * 8 - 1 - fraction_bits)) - 1));
  const bool is_special = biased == (1 << (static_cast<int>(sizeof(T) * 8) - 1 - fraction_bits)) - 1;
  if (is_special && fraction != 0) return append(buffer, "nan");
  if ((bits >> (sizeof(T) * 8 - 1)) != 0) buffer.push_back('-');
  if (is_special) return append(buffer, "inf");
  if (biased == 0 && fraction == 0) return append(buffer, "0.0");
  const auto exponent = biased == 0 ? min_exponent : min_exponent + biased - 1;
  detail::append_decimal(buffer,
                         detail::shortest_digits(biased == 0 ? fraction : fraction | hidden, exponent, fraction == 0 && biased > 1));
  return buffer;
}

}  // namespace baton

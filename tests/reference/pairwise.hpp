// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions of pairs of elements, element by element, in wide integers and long doubles, with the C++ library.
#pragma once

#include <baton/core/tensor.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace reference {

using shape = std::vector<std::int64_t>;

inline auto count_of(const shape& sizes) -> std::size_t {
  std::size_t count = 1;
  for (const auto size : sizes) count *= static_cast<std::size_t>(size);
  return count;
}

/// Returns the shape to which the operands are broadcast.
inline auto broadcast_shape(const std::vector<shape>& operands) -> shape {
  shape result;
  for (const auto& operand : operands) {
    while (result.size() < operand.size()) result.insert(result.begin(), 1);
    for (std::size_t back = 1; back <= operand.size(); ++back) {
      auto& size = result[result.size() - back];
      size = std::max(size, operand[operand.size() - back]);
    }
  }
  return result;
}

/// Returns the position of the operand's element for element `at` of the output.
inline auto position_in(const shape& operand, const shape& output, std::size_t at) -> std::size_t {
  std::size_t position = 0;
  std::size_t step = 1;
  for (std::size_t back = 1; back <= output.size(); ++back) {
    const auto size = static_cast<std::size_t>(output[output.size() - back]);
    const auto index = at % size;
    at /= size;
    if (back > operand.size()) continue;
    const auto own = static_cast<std::size_t>(operand[operand.size() - back]);
    if (own != 1) position += index * step;
    step *= own;
  }
  return position;
}

struct quantized {
  float scale = 0;
  int zero_point = 0;
};

/// An operator on pairs, with its quantization.
struct pair_operator {
  std::string name;
  baton::dtype type = baton::dtype::int8;
  quantized left{};
  quantized right{};
  quantized out{};
  std::string fused = "none";

  auto is(std::string_view other) const -> bool { return name == other; }
  auto is_16() const -> bool { return type == baton::dtype::int16; }
};

namespace detail {

using wide = std::int64_t;

/// The fraction and the exponent of a factor; the fraction has 31 bits.
struct parts {
  wide fraction = 0;
  int exponent = 0;
};
inline auto parts_of(double factor) -> parts {
  int exponent = 0;
  const auto fraction = std::llround(std::frexp(factor, &exponent) * 2147483648.0);
  if (exponent < -31) return {};
  return {fraction, exponent};
}
/// x · fraction / 2^31, rounded half up.
inline auto high(wide x, wide fraction) -> wide {
  return static_cast<wide>(std::floor((static_cast<long double>(x) * static_cast<long double>(fraction)) / 2147483648.0L + 0.5L));
}
/// x / 2^bits, rounded half away from zero.
inline auto shifted(wide x, int bits) -> wide { return std::llround(std::ldexp(static_cast<long double>(x), -bits)); }
inline auto scaled(wide x, double factor) -> wide {
  const auto [fraction, exponent] = parts_of(factor);
  return exponent > 0 ? high(x * (wide{1} << exponent), fraction) : shifted(high(x, fraction), -exponent);
}

struct range {
  wide min;
  wide max;
};
template <class T>
auto range_of_type() -> range {
  return {static_cast<wide>(std::numeric_limits<T>::min()), static_cast<wide>(std::numeric_limits<T>::max())};
}
inline auto range_of_type(baton::dtype type) -> range {
  switch (type) {
    case baton::dtype::int8:
      return range_of_type<std::int8_t>();
    case baton::dtype::int16:
      return range_of_type<std::int16_t>();
    case baton::dtype::int32:
      return range_of_type<std::int32_t>();
    case baton::dtype::uint8:
      return range_of_type<std::uint8_t>();
    case baton::dtype::uint16:
      return range_of_type<std::uint16_t>();
    case baton::dtype::uint32:
      return {0, 0xffffffff};
    case baton::dtype::boolean:
      return {0, 1};
    default:
      return range_of_type<std::int64_t>();
  }
}
/// Applies the fused activation. Its bounds are quantized with the output's scale; without a scale they are integers.
inline auto activated(const pair_operator& op, wide x) -> wide {
  auto [min, max] = range_of_type(op.type);
  const auto at = [&](float real) {
    if (op.out.scale == 0) return static_cast<wide>(real);
    return std::clamp<wide>(op.out.zero_point + std::llround(real / op.out.scale), min, max);
  };
  const auto relu = op.fused == "relu" || op.fused == "relu6";
  const auto low = relu ? at(0) : op.fused == "relu_n1_to_1" ? at(-1) : min;
  const auto top = op.fused == "relu6" ? at(6) : op.fused == "relu_n1_to_1" ? at(1) : max;
  return std::min(std::max(x, low), top);
}

/// 1 / (1 + a) as in gemmlowp: three Newton steps, in numbers with 29 fractional bits.
inline auto reciprocal(wide a) -> wide {
  const auto half = (a + 2147483648) / 2;
  auto x = 1515870810 + high(half, -1010580540);
  for (int step = 0; step < 3; ++step) x += high(x, 536870912 - high(half, x)) * 4;
  return std::min<wide>(x * 2, 2147483647);
}
inline auto bits_of(wide x) -> int {
  int bits = 0;
  for (; x > 0; x /= 2) ++bits;
  return bits;
}
inline auto quotient(const pair_operator& op, wide left, wide right) -> wide {
  if (right == 0) return left == 0 ? op.out.zero_point : left < 0 ? -1000 : 1000;
  if (right < 0) {
    left = -left;
    right = -right;
  }
  const auto [fraction, exponent] = parts_of(static_cast<double>(op.left.scale / (op.right.scale * op.out.scale)));
  const auto width = bits_of(right);
  const auto inverse = reciprocal(right * (wide{1} << (32 - width)) - 2147483648);
  const auto room = 31 - bits_of(left < 0 ? -left - 1 : left);
  const auto product = high(high(left * (wide{1} << room), inverse), fraction);
  return shifted(product, width - 1 + room - exponent) + op.out.zero_point;
}

inline auto scaled_pair(const pair_operator& op, wide left, wide right) -> wide {
  const auto l = left - op.left.zero_point;
  const auto r = right - op.right.zero_point;
  const auto left_scale = static_cast<double>(op.left.scale);
  const auto right_scale = static_cast<double>(op.right.scale);
  const auto scale = static_cast<double>(op.out.scale);
  if (op.is("tfl.mul")) return scaled(l * r, left_scale * right_scale / scale) + op.out.zero_point;
  if (op.is("tfl.div")) return quotient(op, l, r);
  if (op.is("tfl.prelu"))
    return (l < 0 ? scaled(l * r, left_scale * right_scale / scale) : scaled(l, left_scale / scale)) + op.out.zero_point;
  const auto twice = 2 * std::fmax(left_scale, right_scale);
  const bool is_square = op.is("tfl.squared_difference");
  const auto unit = wide{1} << (is_square ? (op.is_16() ? 0 : 7) : op.is_16() ? 15 : 20);
  const auto a = scaled(l * unit, left_scale / twice);
  const auto b = scaled(r * unit, right_scale / twice);
  if (is_square) return scaled((a - b) * (a - b), twice * twice / (static_cast<double>(unit * unit) * scale)) + op.out.zero_point;
  return scaled(op.is("tfl.add") ? a + b : a - b, twice / (static_cast<double>(unit) * scale)) + op.out.zero_point;
}

inline auto floor_of(wide left, wide right) -> wide {
  const auto truncated = left / right;
  const auto remainder = left - truncated * right;
  return remainder != 0 && (remainder < 0) != (right < 0) ? truncated - 1 : truncated;
}

}  // namespace detail

/// For integers, and for quantized integers.
inline auto pair_of_integers(const pair_operator& op, std::int64_t left, std::int64_t right) -> std::int64_t {
  const auto [min, max] = detail::range_of_type(op.type);
  if (op.is("tfl.maximum")) return std::max(left, right);
  if (op.is("tfl.minimum")) return std::min(left, right);
  if (op.is("tfl.bitwise_xor")) return left ^ right;
  if (op.is("tfl.right_shift")) {
    const std::int64_t bits = op.type == baton::dtype::int8 || op.type == baton::dtype::uint8     ? 8
                              : op.type == baton::dtype::int16 || op.type == baton::dtype::uint16 ? 16
                                                                                                  : 32;
    for (auto n = std::clamp<std::int64_t>(right, 0, bits - 1); n > 0; --n) left = left < 0 ? (left - 1) / 2 : left / 2;
    return left;
  }
  if (op.out.scale != 0) return detail::activated(op, detail::scaled_pair(op, left, right));
  const auto wrapped = [&op](std::uint64_t x) {
    return op.type == baton::dtype::int32 ? std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(x))}
                                          : static_cast<std::int64_t>(x);
  };
  const auto l = static_cast<std::uint64_t>(left);
  const auto r = static_cast<std::uint64_t>(right);
  if (op.is("tfl.add")) return detail::activated(op, wrapped(l + r));
  if (op.is("tfl.sub")) return detail::activated(op, wrapped(l - r));
  if (op.is("tfl.mul")) return detail::activated(op, wrapped(l * r));
  if (op.is("tfl.squared_difference")) return wrapped((l - r) * (l - r));
  if (op.is("tfl.floor_mod")) {
    const auto remainder = right == 0 || right == -1 ? 0 : left % right;
    return remainder != 0 && (remainder < 0) != (right < 0) ? remainder + right : remainder;
  }
  if (right == 0) return detail::activated(op, left == 0 ? 0 : left < 0 ? min : max);
  if (right == -1 && left == min) return detail::activated(op, max);
  return op.is("tfl.div") ? detail::activated(op, left / right) : detail::floor_of(left, right);
}

inline auto pair_of_floats(const pair_operator& op, float left, float right) -> float {
  const auto activated = [&op](float x) {
    if (op.fused == "relu") return std::min(std::max(x, 0.0f), 3.40282347e38f);
    if (op.fused == "relu6") return std::min(std::max(x, 0.0f), 6.0f);
    if (op.fused == "relu_n1_to_1") return std::min(std::max(x, -1.0f), 1.0f);
    return std::min(std::max(x, -3.40282347e38f), 3.40282347e38f);
  };
  if (op.is("tfl.add")) return activated(left + right);
  if (op.is("tfl.sub")) return activated(left - right);
  if (op.is("tfl.mul")) return activated(left * right);
  if (op.is("tfl.div")) return activated(left / right);
  if (op.is("tfl.maximum")) return std::max(left, right);
  if (op.is("tfl.minimum")) return std::min(left, right);
  if (op.is("tfl.squared_difference")) return (left - right) * (left - right);
  if (op.is("tfl.prelu")) return left < 0 ? left * right : left;
  if (op.is("tfl.floor_div")) return static_cast<float>(std::floor(static_cast<double>(left) / static_cast<double>(right)));
  auto remainder = std::fmod(left, right);
  if (remainder != 0 && std::signbit(remainder) != std::signbit(right)) remainder += right;
  return remainder;
}

/// A comparison of numbers, or of truth values as 0 and 1.
template <class T>
auto is_true(const pair_operator& op, T left, T right) -> bool {
  if (op.is("tfl.equal")) return left == right;
  if (op.is("tfl.not_equal")) return !(left == right);
  if (op.is("tfl.greater")) return right < left;
  if (op.is("tfl.less")) return left < right;
  if (op.is("tfl.greater_equal")) return right < left || left == right;
  if (op.is("tfl.less_equal")) return left < right || left == right;
  return op.is("tfl.logical_and") ? left * right != 0 : left + right != 0;
}
/// The same for quantized integers, in steps of 2^-8.
inline auto is_true_of_scaled(const pair_operator& op, std::int64_t left, std::int64_t right) -> bool {
  const auto steps = [](std::int64_t x, const quantized& as) {
    return detail::scaled((x - as.zero_point) * 256, static_cast<double>(as.scale));
  };
  return is_true(op, steps(left, op.left), steps(right, op.right));
}

}  // namespace reference

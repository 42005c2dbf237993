// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions of one element and conversions, from their definitions: real numbers in long double, fixed point in exact integers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace reference {

/// A float operator of one operand. The parameter is the slope of leaky_relu, or nonzero if gelu is approximate.
inline auto real_function(std::string_view op, long double x, long double parameter = 0) -> long double {
  const auto between = [x](long double lower, long double upper) { return std::fmin(std::fmax(x, lower), upper); };
  if (op == "logistic") return x < -9 ? std::exp(x) : 1 / (1 + std::exp(-x));  // as in TensorFlow Lite
  if (op == "tanh") return std::tanh(x);
  if (op == "relu") return between(0, std::numeric_limits<long double>::infinity());
  if (op == "relu6") return between(0, 6);
  if (op == "relu_n1_to_1") return between(-1, 1);
  if (op == "relu_0_to_1") return between(0, 1);
  if (op == "leaky_relu") return x > 0 ? x : parameter * x;
  if (op == "elu") return x > 0 ? x : std::exp(x) - 1;
  if (op == "hard_swish") return x * std::fmin(std::fmax(x + 3, 0.0L), 6.0L) / 6;
  if (op == "gelu" && parameter != 0) return x / 2 * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846L) * (x + 0.044715L * x * x * x)));
  if (op == "gelu") return x / 2 * std::erfc(-x / std::sqrt(2.0L));
  if (op == "exp") return std::exp(x);
  if (op == "log") return std::log(x);
  if (op == "sqrt") return std::sqrt(x);
  if (op == "rsqrt") return 1 / std::sqrt(x);
  if (op == "square") return x * x;
  if (op == "abs") return std::fabs(x);
  if (op == "neg") return -x;
  if (op == "sin") return std::sin(x);
  if (op == "cos") return std::cos(x);
  if (op == "floor") return std::floor(x);
  if (op == "ceil") return std::ceil(x);
  if (op == "round") return std::remainder(x, 2.0L) == 0.5L ? x - 0.5L : std::remainder(x, 2.0L) == -0.5L ? x + 0.5L : std::round(x);
  if (op == "sign") return static_cast<long double>((x > 0) - (x < 0));
  return std::numeric_limits<long double>::quiet_NaN();
}

/// x times a real factor of 31 bits and a power of two, rounded half up. A negative power is applied last, rounded half away from zero.
inline auto times(std::int64_t x, double factor) -> std::int64_t {
  int power = 0;
  auto bits = std::llround(std::ldexp(std::frexp(factor, &power), 31));
  if (bits == std::int64_t{1} << 31) {
    bits /= 2;
    ++power;
  }
  if (power < -31) return 0;
  const auto shifted = power > 0 ? std::ldexp(static_cast<double>(x), power) : static_cast<double>(x);
  const auto whole = static_cast<std::int64_t>(std::clamp(shifted, -2147483648.0, 2147483647.0));
  const auto product = (whole * bits + (std::int64_t{1} << 30)) >> 31;
  if (power >= 0) return product;
  return std::llroundl(std::ldexp(static_cast<long double>(product), power));
}

/// Calls `f` with a number of the type of that name, if it is a type of quantized numbers.
template <class F>
void with_quantized(std::string_view name, F f) {
  if (name == "int8") f(std::int8_t{});
  if (name == "uint8") f(std::uint8_t{});
  if (name == "int16") f(std::int16_t{});
  if (name == "int32") f(std::int32_t{});
}
/// The same for all types.
template <class F>
void with_type(std::string_view name, F f) {
  with_quantized(name, f);
  if (name == "uint16") f(std::uint16_t{});
  if (name == "uint32") f(std::uint32_t{});
  if (name == "int64") f(std::int64_t{});
  if (name == "boolean") f(bool{});
  if (name == "float32") f(float{});
}

/// Converts a number to another type. A truth value is true if the number is not 0. Floats are truncated and saturate; integers lose their
/// high bits.
template <class To, class From>
auto as(From x) -> To {
  if constexpr (std::is_same_v<To, bool>) {
    return x != From{};
  } else if constexpr (std::is_same_v<From, float> && std::is_integral_v<To>) {
    if (std::isnan(x)) return 0;
    const auto whole = std::trunc(static_cast<long double>(x));
    return static_cast<To>(std::clamp(whole, static_cast<long double>(std::numeric_limits<To>::min()),
                                      static_cast<long double>(std::numeric_limits<To>::max())));
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace reference

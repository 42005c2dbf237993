// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A reference implementation of the numeric rules, written for clarity with the C++ library. The kernels are compared with it.
#pragma once

#include <baton/core/vector.hpp>

#include "layer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace reference {

using one_layer::activation;
using one_layer::layer;
using one_layer::op;
using one_layer::rounding;

struct multiplier {
  std::int64_t value;
  int shift;
};

inline auto multiplier_of(double real) -> multiplier {
  if (real == 0) return {0, 0};
  int shift = 0;
  auto value = static_cast<std::int64_t>(std::round(std::frexp(real, &shift) * 2147483648.0));
  if (value == 2147483648) {
    value /= 2;
    ++shift;
  }
  return shift < -31 ? multiplier{0, 0} : multiplier{value, shift};
}

inline auto requantize(std::int64_t x, multiplier by) -> std::int64_t {
  const auto left = by.shift > 0 ? by.shift : 0;
  const auto right = by.shift < 0 ? -by.shift : 0;
  const auto high = static_cast<std::int64_t>(
      std::floor((static_cast<long double>(x * (std::int64_t{1} << left) * by.value) + 1073741824.0L) / 2147483648.0L));
  return right == 0 ? high : std::llround(static_cast<long double>(high) / static_cast<long double>(std::int64_t{1} << right));
}

/// Returns a / b rounded down; b is positive.
inline auto quotient_below(std::int64_t a, std::int64_t b) -> std::int64_t { return a / b - (a % b < 0 ? 1 : 0); }

/// Returns a / b rounded half to even; b is positive.
inline auto quotient_to_even(std::int64_t a, std::int64_t b) -> std::int64_t {
  const auto below = quotient_below(a, b);
  const auto twice = 2 * (a - below * b);
  return below + (twice > b || (twice == b && below % 2 != 0) ? 1 : 0);
}

/// Returns floor((x · value + 2^(30 - shift)) / 2^(31 - shift)): the product, rounded once, half up.
inline auto requantize_once(std::int64_t x, multiplier by) -> std::int64_t {
  const auto divisor = std::int64_t{1} << (31 - by.shift);
  return quotient_below(x * by.value + divisor / 2, divisor);
}

/// Same with a real bias, in steps of the output, that is added after the product and rounded to the last bit of the sum.
inline auto requantize_with_bias(std::int64_t x, multiplier by, double bias) -> std::int64_t {
  const auto divisor = std::int64_t{1} << (31 - by.shift);
  return quotient_below(x * by.value + std::llround(std::ldexp(bias, 31 - by.shift)) + divisor / 2, divisor);
}

inline auto clamp_int8(std::int64_t x, activation fused, float scale, int zero_point) -> std::int64_t {
  const auto at = [&](float real) { return zero_point + static_cast<std::int64_t>(std::round(real / scale)); };
  std::int64_t lower = -128;
  std::int64_t upper = 127;
  if (fused == activation::relu || fused == activation::relu6) lower = std::max(lower, at(0.0f));
  if (fused == activation::relu6) upper = std::min(upper, at(6.0f));
  if (fused == activation::relu_n1_to_1) {
    lower = std::max(lower, at(-1.0f));
    upper = std::min(upper, at(1.0f));
  }
  return std::min(std::max(x, lower), upper);
}

inline auto clamp_float(float x, activation fused) -> float {
  if (fused == activation::relu) return std::max(x, 0.0f);
  if (fused == activation::relu6) return std::min(std::max(x, 0.0f), 6.0f);
  return fused == activation::relu_n1_to_1 ? std::min(std::max(x, -1.0f), 1.0f) : x;
}

inline auto get_int8(const baton::vector<char>& from, int i) -> int { return static_cast<signed char>(from[static_cast<std::size_t>(i)]); }
inline auto get_int32(const baton::vector<char>& from, int i) -> std::int32_t {
  std::int32_t number = 0;
  std::memcpy(&number, from.data() + 4 * i, 4);
  return number;
}
inline auto get_float(const baton::vector<char>& from, int i) -> float {
  float number = 0;
  std::memcpy(&number, from.data() + 4 * i, 4);
  return number;
}
inline void put(baton::vector<char>& to, std::int64_t number) { to.push_back(static_cast<char>(number)); }
inline void put(baton::vector<char>& to, float number) {
  char bytes[4];
  std::memcpy(bytes, &number, 4);
  to.insert(to.end(), bytes, bytes + 4);
}

inline auto padding(int in, int out, int filter, int stride, int dilation) -> int {
  return std::max(0, (out - 1) * stride + (filter - 1) * dilation + 1 - in) / 2;
}

/// Returns the output of a layer of any operator.
inline auto compute(const layer& l, const baton::vector<char>& input, const baton::vector<char>& filter, const baton::vector<char>& bias)
    -> baton::vector<char> {
  baton::vector<char> result;
  const int top = l.is_baton ? l.top : padding(l.height, l.out_height(), l.filter_height, l.stride_h, l.dilation_h);
  const int left = l.is_baton ? l.left : padding(l.width, l.out_width(), l.filter_width, l.stride_w, l.dilation_w);
  const int group_channels = l.channels / l.groups;
  const int per_input = l.out_channels / l.channels;
  for (int n = 0; n < l.batch; ++n) {
    for (int y = 0; y < l.out_height(); ++y) {
      for (int x = 0; x < l.out_width(); ++x) {
        for (int c = 0; c < l.out_channels; ++c) {
          std::int64_t sum = 0;
          float float_sum = 0;
          int taps = 0;
          int largest = -128;
          float float_largest = std::numeric_limits<float>::lowest();
          for (int ky = 0; ky < l.filter_height; ++ky) {
            for (int kx = 0; kx < l.filter_width; ++kx) {
              const int iy = y * l.stride_h - top + ky * l.dilation_h;
              const int ix = x * l.stride_w - left + kx * l.dilation_w;
              if (iy < 0 || ix < 0 || iy >= l.height || ix >= l.width) continue;
              ++taps;
              const int pixel = ((n * l.height + iy) * l.width + ix) * l.channels;
              if (l.is == op::conv_2d || l.is == op::fully_connected) {
                const int group = c / (l.out_channels / l.groups);
                for (int i = 0; i < group_channels; ++i) {
                  const int from = pixel + group * group_channels + i;
                  const int weight = ((c * l.filter_height + ky) * l.filter_width + kx) * group_channels + i;
                  if (l.is_int8) {
                    sum += std::int64_t{get_int8(input, from) - l.input_zero_point} * get_int8(filter, weight);
                  } else {
                    float_sum += get_float(input, from) * get_float(filter, weight);
                  }
                }
              } else if (l.is == op::depthwise_conv_2d) {
                const int from = pixel + c / per_input;
                const int weight = (ky * l.filter_width + kx) * l.out_channels + c;
                if (l.is_int8) {
                  sum += std::int64_t{get_int8(input, from) - l.input_zero_point} * get_int8(filter, weight);
                } else {
                  float_sum += get_float(input, from) * get_float(filter, weight);
                }
              } else if (l.is_int8) {
                sum += get_int8(input, pixel + c);
                largest = std::max(largest, get_int8(input, pixel + c));
              } else {
                float_sum += get_float(input, pixel + c);
                float_largest = std::max(float_largest, get_float(input, pixel + c));
              }
            }
          }
          if (!l.is_int8) {
            if (l.is == op::average_pool_2d) float_sum /= static_cast<float>(taps);
            if (l.is == op::max_pool_2d) float_sum = float_largest;
            if (l.has_weights() && l.has_bias) float_sum += get_float(bias, c);
            put(result, clamp_float(float_sum, l.fused));
          } else if (l.has_weights()) {
            if (l.has_bias && !l.has_real_bias) sum += get_int32(bias, c);
            double real =
                static_cast<double>(l.input_scale()) * static_cast<double>(l.filter_scale(c)) / static_cast<double>(l.output_scale());
            if (l.is == op::fully_connected && !l.is_baton && (!l.is_per_channel || l.out_channels == 1)) {
              real = static_cast<double>(l.input_scale() * l.filter_scale(0)) / static_cast<double>(l.output_scale());
            }
            const auto by = multiplier_of(real);
            const auto scaled =
                l.has_bias && l.has_real_bias
                    ? requantize_with_bias(sum, by, static_cast<double>(get_float(bias, c)) / static_cast<double>(l.output_scale()))
                : l.is_baton && l.round == rounding::once ? requantize_once(sum, by)
                                                          : requantize(sum, by);
            const auto output = clamp_int8(scaled + l.zero_point, l.fused, l.output_scale(), l.zero_point);
            put(result, l.is_baton ? std::clamp<std::int64_t>(output, l.output_min, l.output_max) : output);
          } else {
            const std::int64_t pooled = l.is == op::max_pool_2d ? largest : sum > 0 ? (sum + taps / 2) / taps : (sum - taps / 2) / taps;
            put(result, clamp_int8(pooled, l.fused, l.output_scale(), l.input_zero_point));
          }
        }
      }
    }
  }
  return result;
}

/// True if outputs are equal: int8 exactly, float32 within 1e-5, because a compiler may contract products and sums.
inline auto equal(bool is_int8, const baton::vector<char>& a, const baton::vector<char>& b) -> bool {
  if (a.size() != b.size()) return false;
  if (is_int8) return a == b;
  for (int i = 0; i < static_cast<int>(a.size() / 4); ++i) {
    if (!(std::fabs(get_float(a, i) - get_float(b, i)) <= 1e-5f * std::max(1.0f, std::fabs(get_float(b, i))))) return false;
  }
  return true;
}

}  // namespace reference

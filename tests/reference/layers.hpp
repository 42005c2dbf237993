// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Layers with weights, and pools, in every type, on plain numbers. They follow the rules, are written for clarity, and share nothing with
// the kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace reference::layers {

enum class kind { float32, int8, int8_by_int4, int16, int16_wide, hybrid, hybrid_by_int4, float32_by_float16 };

/// A layer. All its numbers are doubles, which represent the values of every type exactly.
struct layer {
  std::string op = "tfl.conv_2d";
  kind is = kind::int8;
  int batch = 1;
  int height = 1;
  int width = 1;
  int channels = 1;
  int out_height = 1;
  int out_width = 1;
  int out_channels = 1;
  int filter_height = 1;
  int filter_width = 1;
  int stride_h = 1;
  int stride_w = 1;
  int dilation_h = 1;
  int dilation_w = 1;
  bool is_same = true;
  int groups = 1;
  bool is_per_channel = true;
  bool is_asymmetric = false;  ///< hybrid
  std::string fused = "none";
  double input_scale = 1;
  double output_scale = 1;
  int input_zero_point = 0;
  int zero_point = 0;
  std::vector<float> filter_scales{};
  std::vector<double> input{};   ///< [batch, height, width, channels]
  std::vector<double> filter{};  ///< in the operator's order
  std::vector<double> bias{};    ///< empty: none

  auto is_depthwise() const -> bool { return op == "tfl.depthwise_conv_2d"; }
  auto is_transposed() const -> bool { return op == "tfl.transpose_conv"; }
  auto is_dense() const -> bool { return op == "tfl.fully_connected"; }
  auto is_pool() const -> bool { return op == "tfl.average_pool_2d" || op == "tfl.max_pool_2d" || op == "tfl.l2_pool_2d"; }
  auto is_hybrid() const -> bool { return is == kind::hybrid || is == kind::hybrid_by_int4; }
  auto has_real_sums() const -> bool { return is == kind::float32 || is == kind::float32_by_float16; }
  auto is_real() const -> bool { return has_real_sums() || is_hybrid(); }
  auto is_int16() const -> bool { return is == kind::int16 || is == kind::int16_wide; }
  auto min() const -> double { return is_int16() ? -32768 : -128; }
  auto max() const -> double { return is_int16() ? 32767 : 127; }
};

inline auto at(const std::vector<double>& values, int i) -> double { return values[static_cast<std::size_t>(i)]; }

/// The number of windows along an axis, with SAME or VALID padding. `padding` is the number of elements before the first.
inline auto windows(bool is_same, int in, int filter, int stride, int dilation) -> int {
  const auto span = (filter - 1) * dilation + 1;
  if (is_same) return (in + stride - 1) / stride;
  return in < span ? 0 : (in - span) / stride + 1;
}
inline auto padding(bool is_same, int in, int filter, int stride, int dilation) -> int {
  return std::max(0, (windows(is_same, in, filter, stride, dilation) - 1) * stride + (filter - 1) * dilation + 1 - in) / 2;
}

/// Rounds half up. The arguments are exact as long doubles.
inline auto rounded_up(long double x) -> std::int64_t { return static_cast<std::int64_t>(std::floor(x + 0.5L)); }

/// A sum times a real factor, in the fixed point for sums of 32 bits: 31 bits of the factor, then two roundings.
inline auto scaled_twice(std::int64_t sum, double real) -> std::int64_t {
  if (real == 0) return 0;
  int shift = 0;
  auto value = std::round(std::ldexp(std::frexp(real, &shift), 31));
  if (shift < -31) return 0;
  const auto left = std::max(shift, 0);
  const auto high = rounded_up(std::ldexp(static_cast<long double>(sum) * static_cast<long double>(value), left - 31));
  return std::llround(std::ldexp(static_cast<long double>(high), std::min(shift, 0)));
}
/// The same in the fixed point for sums of 64 bits: 15 bits of the factor, one rounding.
inline auto scaled_once(std::int64_t sum, double real) -> std::int64_t {
  if (real == 0) return 0;
  int shift = 0;
  const auto value = std::round(std::ldexp(std::frexp(real, &shift), 31));
  if (shift < -31) return 0;
  const auto reduced = std::min(std::floor(value / 65536 + 0.5), 32767.0);
  return rounded_up(std::ldexp(static_cast<long double>(sum) * static_cast<long double>(reduced), shift - 15));
}

inline auto cut(const layer& l, double x) -> double {
  const auto infinity = std::numeric_limits<double>::infinity();
  auto lower = l.fused == "none" ? -infinity : l.fused == "relu_n1_to_1" ? -1.0 : 0.0;
  auto upper = l.fused == "relu6" ? 6.0 : l.fused == "relu_n1_to_1" ? 1.0 : infinity;
  if (!l.is_real()) {
    const auto number = [&](double real) {
      return std::isinf(real)
                 ? real
                 : l.zero_point + static_cast<double>(std::round(static_cast<float>(real) / static_cast<float>(l.output_scale)));
    };
    lower = std::max(number(lower), l.min());
    upper = std::min(number(upper), l.max());
  }
  return std::min(std::max(x, lower), upper);
}

/// The inputs of an image as a hybrid layer quantizes them: integers minus their zero point, and the scale.
struct narrowed {
  std::vector<double> numbers{};
  float scale = 1;
};
inline auto narrow(const layer& l, int first, int count) -> narrowed {
  narrowed result;
  float min = 0;
  float max = 0;
  for (int i = 0; i < count; ++i) {
    min = std::min(min, static_cast<float>(at(l.input, first + i)));
    max = std::max(max, static_cast<float>(at(l.input, first + i)));
  }
  double zero = 0;
  float inverse = 1;
  if (min != max && !l.is_asymmetric) {
    const auto range = std::max(-min, max);
    result.scale = range / 127;
    inverse = 127 / range;
  } else if (min != max) {
    const auto step = (static_cast<double>(max) - static_cast<double>(min)) / 255;
    const auto from_min = 128 + std::fabs(static_cast<double>(min) / step) < 127 + std::fabs(static_cast<double>(max) / step);
    zero = from_min ? -128 - static_cast<double>(min) / step : 127 - static_cast<double>(max) / step;
    zero = std::round(std::min(std::max(zero, -128.0), 127.0));
    result.scale = static_cast<float>(step);
    inverse = 1 / result.scale;
  }
  for (int i = 0; i < count; ++i) {
    const auto q = static_cast<double>(std::round(static_cast<float>(at(l.input, first + i)) * inverse)) + zero;
    result.numbers.push_back(std::min(std::max(q, -128.0), 127.0) - zero);
  }
  return result;
}

/// Returns an output of a layer with weights from its sums.
inline auto finish(const layer& l, double real_sum, std::int64_t sum, int channel, float image_scale) -> double {
  const auto bias = l.bias.empty() ? 0.0 : at(l.bias, channel);
  if (l.has_real_sums()) return cut(l, real_sum + bias);
  const auto scale = static_cast<double>(l.filter_scales[static_cast<std::size_t>(l.is_per_channel ? channel : 0)]);
  if (l.is_hybrid()) return cut(l, static_cast<double>(sum) * scale * static_cast<double>(image_scale) + bias);
  sum += static_cast<std::int64_t>(bias);
  auto product = l.input_scale * scale;
  if (l.is_dense() && l.filter_scales.size() == 1)
    product = static_cast<double>(static_cast<float>(l.input_scale) * static_cast<float>(scale));
  if (l.is == kind::int16_wide) return cut(l, static_cast<double>(scaled_once(sum, product / l.output_scale) + l.zero_point));
  return cut(l, static_cast<double>(scaled_twice(static_cast<std::int32_t>(static_cast<std::uint32_t>(sum)), product / l.output_scale) +
                                    l.zero_point));
}

/// Returns the outputs, [batch, out_height, out_width, out_channels].
inline auto compute(const layer& l) -> std::vector<double> {
  std::vector<double> outputs;
  const auto image = l.height * l.width * l.channels;
  const auto in_height = l.is_transposed() ? l.out_height : l.height;
  const auto in_width = l.is_transposed() ? l.out_width : l.width;
  const auto top = padding(l.is_same, in_height, l.filter_height, l.stride_h, l.dilation_h);
  const auto left = padding(l.is_same, in_width, l.filter_width, l.stride_w, l.dilation_w);
  const auto group_channels = l.is_depthwise() ? 1 : l.channels / l.groups;
  const auto group_outputs = l.is_depthwise() ? l.out_channels / l.channels : l.out_channels / l.groups;
  for (int n = 0; n < l.batch; ++n) {
    narrowed small;
    if (l.is_hybrid()) small = narrow(l, n * image, image);
    for (int y = 0; y < l.out_height; ++y) {
      for (int x = 0; x < l.out_width; ++x) {
        for (int c = 0; c < l.out_channels; ++c) {
          double real = 0;
          std::int64_t sum = 0;
          double largest = l.is == kind::float32 ? -std::numeric_limits<double>::max() : l.min();
          int count = 0;
          for (int iy = 0; iy < l.height; ++iy) {
            for (int ix = 0; ix < l.width; ++ix) {
              // The filter tap for this input, if there is one.
              const auto far_y = l.is_transposed() ? y - (iy * l.stride_h - top) : iy - (y * l.stride_h - top);
              const auto far_x = l.is_transposed() ? x - (ix * l.stride_w - left) : ix - (x * l.stride_w - left);
              if (far_y < 0 || far_x < 0 || far_y % l.dilation_h != 0 || far_x % l.dilation_w != 0) continue;
              const auto ky = far_y / l.dilation_h;
              const auto kx = far_x / l.dilation_w;
              if (ky >= l.filter_height || kx >= l.filter_width) continue;
              const auto pixel = (iy * l.width + ix) * l.channels;
              if (l.is_pool()) {
                const auto number = at(l.input, n * image + pixel + c);
                ++count;
                largest = std::max(largest, number);
                real += l.op == "tfl.l2_pool_2d" ? number * number : number;
                continue;
              }
              for (int i = 0; i < group_channels; ++i) {
                const auto from = pixel + c / group_outputs * group_channels + i;
                const auto tap = ky * l.filter_width + kx;
                const auto weight = l.is_depthwise() ? at(l.filter, tap * l.out_channels + c)
                                                     : at(l.filter, (c * l.filter_height * l.filter_width + tap) * group_channels + i);
                const auto number = l.is_hybrid() ? at(small.numbers, from) : at(l.input, n * image + from) - l.input_zero_point;
                real += number * weight;
                if (!l.has_real_sums()) sum += static_cast<std::int64_t>(number * weight);
              }
            }
          }
          if (!l.is_pool()) {
            outputs.push_back(finish(l, real, sum, c, small.scale));
          } else if (l.op == "tfl.max_pool_2d") {
            outputs.push_back(cut(l, largest));
          } else if (l.op == "tfl.l2_pool_2d") {
            outputs.push_back(cut(l, std::sqrt(real / count)));
          } else {
            outputs.push_back(cut(l, l.is == kind::float32 ? real / count : std::round(real / count)));
          }
        }
      }
    }
  }
  return outputs;
}

}  // namespace reference::layers

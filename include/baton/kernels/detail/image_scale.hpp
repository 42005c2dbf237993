// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The run-time quantization of the inputs of hybrid layers.
#pragma once

#include <baton/kernels/unaligned.hpp>
#include <baton/operators/requantization.hpp>

#include <cstdint>
#include <limits>

namespace baton::portable::detail {

/// The 8-bit quantization of an image in a hybrid layer, or of an input row of a fully connected layer. A real number is scale · (integer −
/// zero point).
struct image_scale {
  float scale = 1;
  float inverse = 1;
  std::int32_t zero_point = 0;

  /// Returns `real` quantized: rounded half away from zero and clamped. NaN, and numbers whose magnitude exceeds 256 · scale (such as
  /// infinity), are treated as 0; TensorFlow Lite does not define their quantization.
  auto quantize(float real) const -> std::int32_t {
    const auto scaled = real * inverse;
    if (!(scaled >= -256 && scaled <= 256)) return zero_point;
    const auto rounded = static_cast<std::int32_t>(scaled < 0 ? scaled - 0.5f : scaled + 0.5f) + zero_point;
    return quantized::bounds<std::int32_t>{-128, 127}.clamp(rounded);
  }
};

/// The range of the elements of an image, including 0. NaN elements are ignored.
struct image_range {
  float minimum = 0;
  float maximum = 0;

  /// Extends the range by `count` elements.
  void add(const char* elements, std::int32_t count) {
    auto lower = minimum;  // in registers
    auto upper = maximum;
    for (std::int32_t i = 0; i < count; ++i) {
      const auto x = load<float>(elements, i);
      if (x < lower) lower = x;
      if (x > upper) upper = x;
    }
    minimum = lower;
    maximum = upper;
  }
};

/// Returns the quantization of an image, like TensorFlow Lite's `SymmetricQuantizeFloats` and
/// `AsymmetricQuantizeFloats` (`lite/kernels/internal/portable_tensor_utils.cc`). The scale is 1 if an element is infinite, or if every
/// element other than NaN is 0.
inline auto scale_of_range(const image_range& range, bool is_asymmetric) -> image_scale {
  const auto [minimum, maximum] = range;
  constexpr auto largest = std::numeric_limits<float>::max();
  if (!(minimum >= -largest && maximum <= largest) || minimum == maximum) return {};
  if (!is_asymmetric) {
    const auto magnitude = -minimum > maximum ? -minimum : maximum;
    return {magnitude / 127, 127 / magnitude, 0};
  }
  const auto scale = (static_cast<double>(maximum) - static_cast<double>(minimum)) / 255;
  const auto zero_at_minimum = -128 - static_cast<double>(minimum) / scale;
  const auto zero_at_maximum = 127 - static_cast<double>(maximum) / scale;
  const auto zero =
      128 - static_cast<double>(minimum) / scale < 127 + static_cast<double>(maximum) / scale ? zero_at_minimum : zero_at_maximum;
  const auto nudged = zero <= -128 ? -128 : zero >= 127 ? 127 : static_cast<std::int32_t>(zero < 0 ? zero - 0.5 : zero + 0.5);
  return {static_cast<float>(scale), 1 / static_cast<float>(scale), nudged};
}

/// Returns the quantization of an image of `count` elements.
inline auto scale_of_image(const char* image, std::int32_t count, bool is_asymmetric) -> image_scale {
  image_range range;
  range.add(image, count);
  return scale_of_range(range, is_asymmetric);
}

}  // namespace baton::portable::detail

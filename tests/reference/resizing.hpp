// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Resizes images, one pixel after the other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace reference {

struct resizing {
  bool is_bilinear = false;
  bool aligns_corners = false;
  bool has_half_pixels = false;
};

/// Returns the input position for an output position, in float as in the rule.
inline auto position_of(const resizing& options, int at, int in, int out) -> float {
  const bool has_ends = options.aligns_corners && out > 1;
  const auto scale = has_ends ? static_cast<float>(in - 1) / static_cast<float>(out - 1) : static_cast<float>(in) / static_cast<float>(out);
  if (!options.has_half_pixels) return static_cast<float>(at) * scale;
  return (static_cast<float>(at) + 0.5f) * scale - (options.is_bilinear ? 0.5f : 0.0f);
}
/// The same for integers, in steps of 1/1024, which are themselves rounded.
inline auto steps_of(const resizing& options, int at, int in, int out) -> double {
  const bool has_ends = options.aligns_corners && out > 1;
  const auto step = std::floor(1024.0 * (has_ends ? in - 1 : in) / (has_ends ? out - 1 : out) + 0.5);
  return options.has_half_pixels ? at * step + std::floor(step / 2) - 512 : at * step;
}

/// Resizes an image [in_height, in_width, depth].
template <class T>
auto resize(const resizing& options, const std::vector<T>& image, int in_height, int in_width, int depth, int height, int width)
    -> std::vector<T> {
  const auto pixel = [&](double y, double x, int c) {
    const auto row = std::clamp(static_cast<int>(y), 0, in_height - 1);
    const auto column = std::clamp(static_cast<int>(x), 0, in_width - 1);
    return static_cast<double>(image[static_cast<std::size_t>((row * in_width + column) * depth + c)]);
  };
  std::vector<T> output;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      auto down = static_cast<double>(position_of(options, y, in_height, height));
      auto right = static_cast<double>(position_of(options, x, in_width, width));
      if (options.is_bilinear && !std::is_same_v<T, float>) {
        down = steps_of(options, y, in_height, height) / 1024;
        right = steps_of(options, x, in_width, width) / 1024;
      }
      for (int c = 0; c < depth; ++c) {
        if (!options.is_bilinear) {
          output.push_back(static_cast<T>(options.aligns_corners ? pixel(std::round(down), std::round(right), c)
                                                                 : pixel(std::floor(down), std::floor(right), c)));
          continue;
        }
        const auto top = std::floor(down);
        const auto left = std::floor(right);
        const auto upper = pixel(top, left, c) * (1 - (right - left)) + pixel(top, left + 1, c) * (right - left);
        const auto lower = pixel(top + 1, left, c) * (1 - (right - left)) + pixel(top + 1, left + 1, c) * (right - left);
        const auto blended = upper * (1 - (down - top)) + lower * (down - top);
        output.push_back(static_cast<T>(std::is_same_v<T, float> ? blended : std::round(blended)));
      }
    }
  }
  return output;
}

}  // namespace reference

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions of int16 numbers, as tables of 513 values with linear interpolation.
#pragma once

#include <baton/core/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::portable::detail {

/// A function of int16 numbers, sampled at 512 equidistant arguments and at the upper end of the range.
using curve = std::array<std::int16_t, 513>;

/// Returns the value of a curve at `x`, interpolated linearly between two adjacent samples, like `LUTLookup` of TensorFlow Lite's
/// `internal/common.h`. The difference of two samples may exceed int16. `LUTLookup` then wraps the difference; this function does not.
constexpr auto value_at(const curve& of, std::int32_t x) -> std::int32_t {
  const auto at = static_cast<std::size_t>(256 + (x >> 7));
  const std::int32_t base = of[at];
  return base + (((of[at + 1] - base) * (x & 0x7f) + 64) >> 7);
}

/// Rounds to the nearest integer, half away from zero. Numbers whose magnitude exceeds 1e18 are clamped first.
constexpr auto round_away(double x) -> float {
  const auto near = std::clamp(x, -1e18, 1e18);
  return static_cast<float>(static_cast<std::int64_t>(near + (near < 0 ? -0.5 : 0.5)));
}

/// Returns the curve of `f` on [`first`, `last`]. `f` maps floats to finite floats; `scale` is the scale of the curve's values. Each sample
/// but the last is corrected by half of the interpolation error in the middle between this sample and the next. As in `LUTPopulateInt16` of
/// `internal/common.h`, the computation is in float.
template <class F>
constexpr auto curve_of(float first, float last, float scale, F f) -> curve {
  const auto step = (last - first) / 512;
  const auto half = step / 2;
  const auto steps_per_unit = static_cast<double>(65536.0f / (scale * 32767 - scale * -32768));
  // The product of two floats is exact in double, so it is rounded only once, to float.
  const auto steps_at = [&](float x) { return static_cast<float>(std::clamp(static_cast<double>(f(x)) * steps_per_unit, -1e18, 1e18)); };
  curve result{};
  auto steps = steps_at(first);
  for (std::int32_t i = 0; i < 512; ++i) {
    const auto at = first + static_cast<float>(i) * step;
    const auto next = steps_at(first + static_cast<float>(i + 1) * step);
    const auto value = round_away(static_cast<double>(steps));
    const auto middle = round_away(static_cast<double>((next + value) / 2));
    const auto error = round_away(static_cast<double>((middle - round_away(static_cast<double>(steps_at(at + half)))) / 2));
    result[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(std::clamp(value - error, -32768.0f, 32767.0f));
    steps = next;
  }
  result[512] = static_cast<std::int16_t>(std::clamp(round_away(static_cast<double>(steps_at(last))), -32768.0f, 32767.0f));
  return result;
}

}  // namespace baton::portable::detail

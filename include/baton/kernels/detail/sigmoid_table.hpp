// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The tables of the int8 functions `logistic` and `tanh`.
#pragma once

#include <baton/kernels/detail/byte_table.hpp>
#include <baton/kernels/detail/fixed_point.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/rounding.hpp>

#include <cstdint>
#include <limits>

namespace baton::portable::detail {

/// Returns the factor that converts an int8 input with the scale `scale` to Q4.27.
constexpr auto sigmoid_multiplier(float scale) -> quantized::fixed_multiplier {
  return quantized::to_fixed(static_cast<double>(scale) * (1 << 27));
}

/// Returns the radius: if |input − zero point| is at least this number, the output is the lowest or highest one. No int8 input reaches a
/// radius above 255.
constexpr auto sigmoid_radius(quantized::fixed_multiplier multiplier) -> std::int32_t {
  if (multiplier.shift > 30) return 0;
  return multiplier.shift < 0 ? 512 : static_cast<std::int32_t>(std::int64_t{15 << 27} >> multiplier.shift);
}

/// Returns the 8-bit `logistic` or `tanh` of an input. `difference` is the input minus its zero point. The computation is in Q4.27
/// (`reference/integer_ops/logistic.h` and `tanh.h`). Inputs whose magnitude reaches a limit between 7.5 and 15 yield the lowest or highest
/// output (`CalculateInputRadius` of `internal/quantization_util.cc`).
constexpr auto fixed_function(std::int32_t difference, float scale, bool is_tanh) -> std::int32_t {
  const auto multiplier = sigmoid_multiplier(scale);
  const auto radius = sigmoid_radius(multiplier);
  if (difference <= -radius) return -128;
  if (difference >= radius) return 127;
  const auto in = quantized::requantize(difference, multiplier);
  const auto value = is_tanh ? quantized::rounding_shift_right(fixed_point::tanh(in), 24)
                             : quantized::rounding_shift_right(fixed_point::logistic(in), 23) - 128;
  return value > 127 ? 127 : value < -128 ? -128 : value;
}

/// The inputs, in Q4.15, at which the int8 `logistic`, not yet clamped to 127, rises from n to n + 1. n is the index, from 0 to 127. Input
/// n is 2^15 · log((257 + 2·n) / (255 − 2·n)). At the negative of input n, the function rises from -n - 1 to -n. The int8 `tanh` rises at
/// half of each input, because 128 · tanh(x) = 256 · logistic(2 · x) - 128.
inline constexpr std::int32_t sigmoid_rises[128]{
    256,   768,   1280,  1792,  2305,   2818,   3331,   3844,   4358,   4873,   5388,   5904,   6420,   6938,   7456,   7975,
    8495,  9016,  9539,  10062, 10587,  11113,  11641,  12170,  12701,  13233,  13767,  14303,  14841,  15380,  15922,  16466,
    17012, 17561, 18111, 18665, 19221,  19779,  20341,  20905,  21473,  22043,  22617,  23194,  23775,  24359,  24947,  25539,
    26135, 26734, 27339, 27947, 28561,  29178,  29801,  30429,  31062,  31701,  32345,  32996,  33652,  34314,  34983,  35659,
    36342, 37031, 37729, 38434, 39147,  39869,  40600,  41339,  42088,  42847,  43616,  44396,  45187,  45989,  46803,  47631,
    48471, 49325, 50193, 51077, 51976,  52892,  53825,  54777,  55748,  56739,  57752,  58787,  59846,  60931,  62042,  63182,
    64353, 65555, 66793, 68067, 69381,  70738,  72141,  73594,  75101,  76666,  78296,  79996,  81774,  83637,  85596,  87661,
    89846, 92167, 94644, 97301, 100167, 103282, 106695, 110472, 114706, 119526, 125132, 131838, 140203, 151358, 168226, 204353};

/// Sets the table of the int8 `logistic` or `tanh` to the results of `fixed_function`. `fixed_function` is called only for inputs within
/// 2^-14 of a rise (within 2^-15 for `tanh`), because it takes long in a constant expression. For all other inputs, the result is the
/// number of rises at or below the input, minus 128. Because of rounding, the output of `fixed_function` changes not exactly at a rise, but
/// always within 2^-20 of it.
constexpr void set_sigmoid_table(byte_table& table, float scale, std::int32_t zero_point, bool is_tanh) {
  const auto multiplier = sigmoid_multiplier(scale);
  const auto radius = sigmoid_radius(multiplier);
  // If the factor is 0, `fixed_function` computes all results within the radius. If the radius is 0, no result needs the factor.
  const bool has_factor = multiplier.shift >= 0 && radius > 0;
  const std::int64_t factor = has_factor ? std::int64_t{multiplier.value} << multiplier.shift : 0;
  const std::int32_t right = is_tanh ? 42 : 43;  // from the units of `factor`, 2^-58, to Q4.15; the input of `tanh` is doubled
  std::int32_t y = -128;
  std::int32_t previous = std::numeric_limits<std::int32_t>::min() / 2;  // the rise to y
  std::int32_t next = -sigmoid_rises[127];                               // the rise from y
  for (std::int32_t first = -128; first < 128; first += 4) {
    std::uint32_t four = 0;
    for (std::int32_t lane = 0; lane < 4; ++lane) {
      const auto difference = first + lane - zero_point;
      std::int32_t result = 127;
      if (difference <= -radius) {
        result = -128;
      } else if (difference < radius) {
        const auto at = static_cast<std::int32_t>(difference * factor >> right);
        while (at >= next) {
          ++y;
          previous = next;
          next = y < 0 ? -sigmoid_rises[-y - 1] : y < 127 ? sigmoid_rises[y] : std::numeric_limits<std::int32_t>::max();
        }
        const bool is_near_rise = at - previous <= 1 || next - at <= 2 || factor == 0;
        result = is_near_rise ? fixed_function(difference, scale, is_tanh) : y;
      }
      four |= (static_cast<std::uint32_t>(result) & 0xffu) << 8 * lane;
    }
    table.set_four(static_cast<std::uint8_t>(first), four);
  }
}

}  // namespace baton::portable::detail

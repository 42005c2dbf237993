// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The compile-time plan of a pooling node (average, maximum or L2 pooling), and the reductions of the elements under a window.
#pragma once

#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/machine_math.hpp>
#include <baton/kernels/detail/to_even.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/window.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/window.hpp>

#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace baton::portable {

namespace detail {

/// The plan of a pooling node.
struct pool {
  flag is_int8 = 0;
  flag is_int16 = 0;
  flag is_uint8 = 0;
  std::int32_t batches = 1;
  std::int32_t channels = 1;
  window_axis rows{};
  window_axis columns{};
  quantized::bounds<std::int32_t> range{};                    ///< the range of integer outputs
  quantized::activation fused = quantized::activation::none;  ///< the activation of float outputs
  // Members for `baton.average_pool_2d`:
  flag counts_padding = 0;  ///< whether the divisor of a mean counts elements in the padding
  std::int32_t bottom = 0;  ///< the padding after the last row (`bottom`) and after the last column (`right`), if the divisor counts it
  std::int32_t right = 0;
  flag rounds_to_even = 0;  ///< whether integer means are rounded half to even; if not, half away from zero
  std::int32_t from = 0;    ///< the zero points of input (`from`) and output (`to`), if means are rounded to even
  std::int32_t to = 0;
  quantized::fixed_multiplier by{};  ///< input scale / output scale, if means are rounded to even

  constexpr auto output_rows() const -> std::int32_t { return batches * rows.output; }
  constexpr auto is_float() const -> bool { return is_int8 == 0 && is_int16 == 0 && is_uint8 == 0; }
  constexpr auto element_bytes() const -> std::int32_t { return is_float() ? 4 : is_int16 != 0 ? 2 : 1; }
  /// True if input and output have the same scale. Requires that means are rounded to even.
  constexpr auto keeps_scale() const -> bool { return by == quantized::fixed_multiplier{1 << 30, 1}; }
};
static_assert(has_no_padding<pool>);

/// Two counts of a channel's elements under a window: the elements inside the image, and the elements that the divisor of a mean counts.
struct pool_taps {
  std::int32_t inside = 1;
  std::int32_t counted = 1;
};

/// Returns the number of taps (positions of the window) along one axis. The window begins at `from`, which may be in the padding before the
/// input. Taps that are more than `after` elements after the last input element do not count.
constexpr auto padded_taps(const window_axis& axis, std::int32_t after, std::int32_t from) -> std::int32_t {
  const auto end = (axis.input + after - from + axis.dilation - 1) / axis.dilation;
  return end < axis.filter ? end : axis.filter;
}

/// Returns the counts of the elements under the window that begins at row `top` and column `left`.
constexpr auto taps_at(const pool& plan, std::int32_t top, std::int32_t left) -> pool_taps {
  const auto inside = (plan.rows.end_tap(top) - plan.rows.first_tap(top)) * (plan.columns.end_tap(left) - plan.columns.first_tap(left));
  if (plan.counts_padding == 0) return {inside, inside};
  return {inside, padded_taps(plan.rows, plan.bottom, top) * padded_taps(plan.columns, plan.right, left)};
}

/// Returns the window of a pooling node along one axis. Requires that every window has an element of the input, so that no mean is over
/// zero elements.
constexpr auto pool_axis(node_check& check, std::string_view name, const axis_padding& with, std::int32_t in, std::int32_t out,
                         std::int32_t filter, std::int32_t stride, std::int32_t dilation) -> window_axis {
  const auto span = filter_span(filter, dilation);
  check.demand(with.before < span && with.after < span, "the padding of the ", name, " is as large as the window");
  check.demand(with.before == 0 || dilation <= in, "dilation ", dilation, " exceeds the ", name, " of the input, ", in);
  return check.axis(name, with, in, out, filter, stride, dilation);
}

/// Requires that integer inputs and outputs have the same quantization. For operators of the namespace `baton`, requires nothing if the
/// input or the output has no quantization. In programs of ExecuTorch for Cortex-M, only values beside a conversion from or to float32 have
/// a quantization, so a pool beside such a conversion has one for its input or its output alone.
constexpr void check_same_quantization(node_check& check, const operand& in, const operand& out, bool is_baton) {
  if (!is_baton || (in.quant.channels != 0 && out.quant.channels != 0)) check.same_quantization(in, out);
}

/// Sets the members of a plan that only `baton.average_pool_2d` uses. `rounding` is the value of the attribute `rounding`.
constexpr void describe_average(node_check& check, const operand& in, const operand& out, const image_padding& padding,
                                std::string_view rounding, pool& plan) {
  if (check.option("count_include_pad", 0, 0, 1) != 0 && check.ok()) {
    plan.counts_padding = 1;
    plan.bottom = padding.rows.after;
    plan.right = padding.columns.after;
  }
  if (in.is_float() || !check.demand(rounding == "even" || rounding == "away", "rounding is ", rounding, "; it must be even or away"))
    return;
  if (rounding == "away") {
    check.demand(plan.counts_padding == 0, "count_include_pad is not supported for means that are rounded away from zero");
    return check_same_quantization(check, in, out, true);
  }
  const auto from = check.per_tensor(in, "input");
  const auto to = check.per_tensor(out, "output");
  plan.rounds_to_even = 1;
  plan.from = from.zero_point;
  plan.to = to.zero_point;
  plan.by = quantized::to_fixed(static_cast<double>(from.scale) / static_cast<double>(to.scale));
  check.demand(plan.by.shift >= -15 && plan.by.shift <= 15, "scale ratio of input and output is out of range");
}

/// The mean of the elements under a window (average pooling). Integer means are rounded half away from zero, or half to even if the plan
/// has `rounds_to_even`. If means are rounded half away from zero, zero points cancel out, because input and output have the same zero
/// point.
struct averaging {
  template <class T>
  static constexpr auto start(T) -> std::conditional_t<std::is_same_v<T, float>, float, std::int32_t> {
    return 0;
  }
  template <class Sum, class T>
  static constexpr auto take(Sum sum, T x) -> Sum {
    return sum + x;
  }
  static constexpr auto half_away(std::int32_t sum, std::int32_t count) -> std::int32_t {
    return (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
  }
  static constexpr auto finish(const pool& plan, std::int32_t sum, const pool_taps& taps) -> std::int32_t {
    if (plan.rounds_to_even == 0) return half_away(sum, taps.inside);
    const auto difference = sum - plan.from * taps.inside;
    return plan.to +
           (plan.keeps_scale() ? quotient_to_even(difference, taps.counted) : scaled_quotient_to_even(difference, plan.by, taps.counted));
  }
  static constexpr auto finish(const pool&, float sum, const pool_taps& taps) -> float { return sum / static_cast<float>(taps.counted); }
};

/// The largest element under a window (max pooling).
struct taking_largest {
  template <class T>
  static constexpr auto start(T) -> T {
    return std::numeric_limits<T>::lowest();
  }
  template <class T>
  static constexpr auto take(T largest, T x) -> T {
    return largest < x ? x : largest;
  }
  template <class T>
  static constexpr auto finish(const pool&, T largest, const pool_taps&) -> T {
    return largest;
  }
};

/// The square root of the mean of the squares of the elements under a window (L2 pooling).
struct root_mean_square {
  static constexpr auto start(float) -> float { return 0.0f; }
  static constexpr auto take(float sum, float x) -> float { return sum + x * x; }
  static auto finish(const pool&, float sum, const pool_taps& taps) -> float {
    return machine::sqrt(sum / static_cast<float>(taps.inside));
  }
};

}  // namespace detail

}  // namespace baton::portable

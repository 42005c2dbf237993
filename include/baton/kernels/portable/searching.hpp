// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators along one axis: `tfl.arg_max` and `tfl.arg_min` (the position of the largest or smallest element), and `tfl.cumsum` (cumulative
// sums).
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/middle_axis.hpp>
#include <baton/kernels/detail/rescaling.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/requantization.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::portable {

namespace detail {

/// Returns the view of `in` along the axis in operand 1. The axis must be a constant; a negative axis counts from the end.
constexpr auto read_axis(node_check& check, const operand& in) -> middle_axis {
  const auto axes = check.constant_integers(1, "axis");
  if (!check.demand(axes.count == 1, "axis has ", axes.count, " elements, not 1")) return {};
  return middle_axis_of(check, in, axes[0]);
}

/// The compile-time plan of `tfl.arg_max` or `tfl.arg_min`.
struct search {
  dtype from_type = dtype::float32;
  flag is_wide = 0;  ///< whether positions are int64, not int32
  flag is_largest = 0;
  middle_axis along{};
};

constexpr auto describe_search(const program_view& program, const node& record) -> node_description<search> {
  node_check check{program, record};
  check.conforms();
  const auto in = check.input(0, "input");
  const auto out = check.output();
  check.is_one_of(in, {dtype::float32, dtype::int8, dtype::uint8, dtype::int16, dtype::int32}, "input");
  check.is_one_of(out, {dtype::int32, dtype::int64}, "output");
  const auto along = read_axis(check, in);
  return {check.verdict_so_far(), {in.type, out.type == dtype::int64, record.is("tfl.arg_max"), along}};
}

/// Computes the positions of the largest or smallest elements. If several elements are the largest (or smallest), the output is the
/// position of the first of them. NaN is found only if it is the first element, as in `reference_ops::ArgMinMax` of TensorFlow Lite.
template <class T>
[[gnu::always_inline]] inline void find_positions(const search& plan, const char* in, char* out) {
  const auto& [outer, length, inner] = plan.along;
  std::int32_t at = 0;
  for (std::int32_t i = 0; i < outer; ++i) {
    for (std::int32_t j = 0; j < inner; ++j, ++at) {
      const auto first = i * length * inner + j;
      auto best = load<T>(in, first);
      std::int32_t position = 0;
      for (std::int32_t k = 1; k < length; ++k) {
        const auto x = load<T>(in, first + k * inner);
        if (plan.is_largest != 0 ? best < x : x < best) {
          best = x;
          position = k;
        }
      }
      if (plan.is_wide != 0) {
        store(out, at, std::int64_t{position});
      } else {
        store(out, at, position);
      }
    }
  }
}

/// The compile-time plan of a cumulative sum.
struct cumulative_sum {
  dtype type = dtype::float32;
  flag is_exclusive = 0;
  flag is_reversed = 0;
  middle_axis along{};
  std::int32_t input_zero_point = 0;
  std::int32_t zero_point = 0;
  quantized::fixed_multiplier by{};  ///< int8: the factor from a sum of terms (`summing<std::int8_t>`) to the output
};

constexpr auto describe_cumulative_sum(const program_view& program, const node& record) -> node_description<cumulative_sum> {
  node_check check{program, record};
  check.conforms();
  const auto in = check.input(0, "input");
  const auto out = check.output();
  check.is_one_of(in, {dtype::float32, dtype::int8, dtype::int32}, "input");
  const auto along = read_axis(check, in);
  cumulative_sum plan{.type = in.type,
                      .is_exclusive = program.integer(record, "exclusive", 0) != 0,
                      .is_reversed = program.integer(record, "reverse", 0) != 0,
                      .along = along};
  if (!in.is_int8()) return {check.verdict_so_far(), plan};
  const auto from = check.per_tensor(in, "input");
  const auto to = check.per_tensor(out, "output");
  plan.input_zero_point = from.zero_point;
  plan.zero_point = to.zero_point;
  plan.by = factor_below_one(check, 2 * static_cast<double>(from.scale) / (1048576 * static_cast<double>(to.scale)), "the sum");
  return {check.verdict_so_far(), plan};
}

/// The cumulative sum of elements of type `T`: `begin` returns the initial sum, `next` adds an element, and `end` converts a sum to an
/// element of the output. Integers wrap around.
template <class T>
struct summing;
template <>
struct summing<float> {
  static auto begin(const cumulative_sum&) -> float { return 0; }
  static auto next(const cumulative_sum&, float sum, float x) -> float { return sum + x; }
  static auto end(const cumulative_sum&, float sum) -> float { return sum; }
};
template <>
struct summing<std::int32_t> {
  static auto begin(const cumulative_sum&) -> std::uint32_t { return 0; }
  static auto next(const cumulative_sum&, std::uint32_t sum, std::int32_t x) -> std::uint32_t {
    return sum + static_cast<std::uint32_t>(x);
  }
  static auto end(const cumulative_sum&, std::uint32_t sum) -> std::int32_t { return static_cast<std::int32_t>(sum); }
};
/// The term of an input is (input − zero point) · 2^20 / 2. As in the reference, the initial sum is the term of the input 0. This term is 0
/// only if the zero point is 0.
template <>
struct summing<std::int8_t> {
  static auto begin(const cumulative_sum& plan) -> std::uint32_t { return next(plan, 0, 0); }
  static auto next(const cumulative_sum& plan, std::uint32_t sum, std::int32_t x) -> std::uint32_t {
    return sum + (static_cast<std::uint32_t>(x - plan.input_zero_point) << 19);
  }
  static auto end(const cumulative_sum& plan, std::uint32_t sum) -> std::int8_t {
    const auto scaled = quantized::requantize(static_cast<std::int32_t>(sum), plan.by) + plan.zero_point;
    return static_cast<std::int8_t>(std::clamp<std::int32_t>(scaled, -128, 127));
  }
};

template <class T>
[[gnu::always_inline]] inline void sum_up(const cumulative_sum& plan, const char* in, char* out) {
  const auto& [outer, length, inner] = plan.along;
  for (std::int32_t i = 0; i < outer; ++i) {
    for (std::int32_t j = 0; j < inner; ++j) {
      auto sum = summing<T>::begin(plan);
      for (std::int32_t k = 0; k < length; ++k) {
        const auto at = (i * length + (plan.is_reversed != 0 ? length - 1 - k : k)) * inner + j;
        const auto before = sum;
        sum = summing<T>::next(plan, sum, load<T>(in, at));
        store(out, at, summing<T>::end(plan, plan.is_exclusive != 0 ? before : sum));
      }
    }
  }
}

/// A kernel that computes `tfl.arg_max` and `tfl.arg_min` of float32, int8, uint8, int16 or int32, along a constant axis, as int32 or
/// int64. If several elements are the largest (or smallest), the output is the position of the first of them. Outputs follow TensorFlow
/// Lite's `reference/arg_min_max.h`.
struct arg_min_max {
  static constexpr literal_name operators[] = {"tfl.arg_max", "tfl.arg_min"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::search> {
    return detail::describe_search(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::search& plan, const node_memory& memory) {
    switch (plan.from_type) {
      case dtype::int8:
        return detail::find_positions<std::int8_t>(plan, memory.inputs[0], memory.outputs[0]);
      case dtype::uint8:
        return detail::find_positions<std::uint8_t>(plan, memory.inputs[0], memory.outputs[0]);
      case dtype::int16:
        return detail::find_positions<std::int16_t>(plan, memory.inputs[0], memory.outputs[0]);
      case dtype::int32:
        return detail::find_positions<std::int32_t>(plan, memory.inputs[0], memory.outputs[0]);
      default:
        return detail::find_positions<float>(plan, memory.inputs[0], memory.outputs[0]);
    }
  }
};
static_assert(kernel<arg_min_max>);

/// A kernel that computes `tfl.cumsum` of float32, int8 or int32, along a constant axis. Numeric rules: TensorFlow Lite's
/// `reference/cumsum.h`; integer sums wrap around.
struct cumsum {
  static constexpr literal_name operators[] = {"tfl.cumsum"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::cumulative_sum> {
    return detail::describe_cumulative_sum(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::cumulative_sum& plan, const node_memory& memory) {
    switch (plan.type) {
      case dtype::int8:
        return detail::sum_up<std::int8_t>(plan, memory.inputs[0], memory.outputs[0]);
      case dtype::int32:
        return detail::sum_up<std::int32_t>(plan, memory.inputs[0], memory.outputs[0]);
      default:
        return detail::sum_up<float>(plan, memory.inputs[0], memory.outputs[0]);
    }
  }
};
static_assert(kernel<cumsum>);

}  // namespace detail

}  // namespace baton::portable

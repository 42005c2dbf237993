// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators on pairs of elements: `tfl.add`, for int8 and float32, with broadcasting.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernels/described_kernel.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/products.hpp>
#include <baton/kernels/quantized.hpp>
#include <baton/run/kernel.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton::portable {

/// How two operands meet: as they lie (one size, no steps of 0), or each along four axes, where a step of 0 repeats an element.
struct broadcast {
  std::array<std::int32_t, 4> sizes{1, 1, 1, 1};
  std::array<std::int32_t, 4> left{};  ///< steps in elements
  std::array<std::int32_t, 4> right{};
};

/// An int8 input of an addition.
struct added {
  std::int32_t zero_point = 0;
  fixed_multiplier by{};
};

/// What the compiler knows of an addition.
struct addition {
  flag is_int8 = 0;
  broadcast shape{};
  added left{};
  added right{};
  fixed_multiplier by{};  ///< of the sum
  std::int32_t zero_point = 0;
  bounds<std::int32_t> range{};
  activation fused = activation::none;
};
static_assert(has_no_padding<addition>);

namespace detail {

/// The factor of an input or of the sum: the reference takes factors below 1 only.
constexpr auto factor_below_one(node_check& check, double real, std::string_view what) -> fixed_multiplier {
  check.demand(real > 0 && real < 1, "scales are too far apart for ", what);
  return to_fixed(real);
}

constexpr auto match_shapes(node_check& check, const operand& left, const operand& right, const operand& out) -> broadcast {
  broadcast made;
  if (std::ranges::equal(left.shape, out.shape) && std::ranges::equal(right.shape, out.shape)) {
    made.sizes[3] = out.count;
    made.left[3] = made.right[3] = 1;
    return made;
  }
  const auto rank = out.shape.size();
  check.demand(rank <= 4 && left.shape.size() <= rank && right.shape.size() <= rank, "broadcasting to rank ", rank, " from rank ",
               left.shape.size(), " and ", right.shape.size());
  if (!check.ok()) return made;
  const auto size_of = [rank](const operand& of, std::size_t axis) {
    const auto missing = rank - of.shape.size();
    return axis < missing ? 1 : of.size(axis - missing);
  };
  std::int32_t left_step = 1;
  std::int32_t right_step = 1;
  for (std::size_t back = 1; back <= rank; ++back) {
    const auto l = size_of(left, rank - back);
    const auto r = size_of(right, rank - back);
    const auto o = out.size(rank - back);
    check.demand((l == r || l == 1 || r == 1) && o == (l == 1 ? r : l), "sizes ", l, " and ", r, " do not broadcast to ", o);
    made.sizes[4 - back] = o;
    made.left[4 - back] = l == 1 ? 0 : left_step;
    made.right[4 - back] = r == 1 ? 0 : right_step;
    left_step *= l;
    right_step *= r;
  }
  return made;
}

}  // namespace detail

/// Shapes: equal, of any rank, or up to rank 4 such that each size is equal or 1 (NumPy's broadcasting, aligned at the last axis).
constexpr auto describe_addition(const program_view& program, const node& record) -> description<addition> {
  node_check check{program, record};
  check.counts(2, 2);
  const auto left = check.input(0, "first input");
  const auto right = check.input(1, "second input");
  const auto out = check.output();
  addition plan;
  plan.is_int8 = out.is_int8();
  check.demand(left.type == out.type && right.type == out.type && (out.is_int8() || out.is_float()), "inputs ", facts(left.type).name,
               " and ", facts(right.type).name, " and output ", facts(out.type).name, " are not all int8 or all float32");
  plan.shape = detail::match_shapes(check, left, right, out);
  const auto fused = check.fused();
  if (!plan.is_int8) {
    plan.fused = fused;
    return {check.verdict_so_far(), plan};
  }
  const auto l = check.per_tensor(left, "first input");
  const auto r = check.per_tensor(right, "second input");
  const auto o = check.per_tensor(out, "output");
  const auto twice = 2 * static_cast<double>(std::max(l.scale, r.scale));
  plan.left = {l.zero_point, detail::factor_below_one(check, static_cast<double>(l.scale) / twice, "the first input")};
  plan.right = {r.zero_point, detail::factor_below_one(check, static_cast<double>(r.scale) / twice, "the second input")};
  plan.by = detail::factor_below_one(check, twice / (1048576 * static_cast<double>(o.scale)), "the sum");
  plan.zero_point = o.zero_point;
  plan.range = quantized_bounds<std::int8_t>(fused, o.scale, o.zero_point);
  return {check.verdict_so_far(), plan};
}

namespace detail {

/// The sum of two elements. int8: inputs less their zero points, times 2^20, each brought to a common scale, summed, brought to the
/// output's.
[[gnu::always_inline]] inline auto add_elements(const addition& plan, std::int8_t left, std::int8_t right) -> std::int8_t {
  constexpr std::int32_t headroom = 1 << 20;
  const auto l = requantize((left - plan.left.zero_point) * headroom, plan.left.by);
  const auto r = requantize((right - plan.right.zero_point) * headroom, plan.right.by);
  return static_cast<std::int8_t>(plan.range.clamp(requantize(l + r, plan.by) + plan.zero_point));
}
[[gnu::always_inline]] inline auto add_elements(const addition& plan, float left, float right) -> float {
  return float_bounds(plan.fused).clamp(left + right);
}

template <class T>
[[gnu::always_inline]] inline void add(const addition& plan, const char* left, const char* right, char* to) {
  const auto& s = plan.shape;
  std::int32_t at = 0;
  for (std::int32_t i = 0; i < s.sizes[0]; ++i) {
    for (std::int32_t j = 0; j < s.sizes[1]; ++j) {
      for (std::int32_t k = 0; k < s.sizes[2]; ++k) {
        const auto l = i * s.left[0] + j * s.left[1] + k * s.left[2];
        const auto r = i * s.right[0] + j * s.right[1] + k * s.right[2];
        for (std::int32_t m = 0; m < s.sizes[3]; ++m, ++at) {
          store(to, at, add_elements(plan, load<T>(left, l + m * s.left[3]), load<T>(right, r + m * s.right[3])));
        }
      }
    }
  }
}

}  // namespace detail

/// `tfl.add` on int8 or float32, with broadcasting; fused activation none, relu, relu_n1_to_1 or relu6.
/// Numeric rules: TensorFlow Lite's reference `Add`, with double rounding. Elements are written in order, each after its inputs are read,
/// so an input that is not broadcast may be the output's memory.
struct add : described_kernel<add> {
  static constexpr literal_name operators[] = {"tfl.add"};
  static constexpr auto describe(const program_view& program, const node& record) -> description<addition> {
    return describe_addition(program, record);
  }
  [[gnu::always_inline]] static void compute(const addition& plan, const node_memory& at) {
    if (plan.is_int8) return detail::add<std::int8_t>(plan, at.inputs[0], at.inputs[1], at.outputs[0]);
    detail::add<float>(plan, at.inputs[0], at.inputs[1], at.outputs[0]);
  }
};
static_assert(kernel<add>);

}  // namespace baton::portable

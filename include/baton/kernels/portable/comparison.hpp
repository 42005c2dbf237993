// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Comparisons of pairs of elements, and logical functions of booleans, with broadcasting.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/broadcasting.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/elements.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/multi_kind_kernel.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/detail/rescaling.hpp>
#include <baton/kernels/node_check.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::portable {

namespace detail {

/// The functions, in the order of `comparison::operators`.
enum class truth_function : std::int32_t { equal, not_equal, greater, greater_equal, less, less_equal, logical_and, logical_or };

/// The kind of a node, which selects its code.
struct truth_kind {
  truth_function function = truth_function::equal;
  std::int32_t type = 0;  ///< the `dtype` of both operands
};

/// The compile-time plan of a comparison.
struct comparing {
  truth_kind kind{};
  broadcast_loops<2> loops{};
  scaled_operand left{};
  scaled_operand right{};
};
static_assert(has_no_padding<comparing>);

constexpr auto supports(truth_function function, dtype type) -> bool {
  if (type == dtype::boolean) return function < truth_function::greater || function > truth_function::less_equal;
  const bool is_number =
      type == dtype::float32 || type == dtype::int8 || type == dtype::int16 || type == dtype::int32 || type == dtype::int64;
  return is_number && function <= truth_function::less_equal;
}

/// The function that a node applies to two elements.
template <truth_function F, dtype Type>
struct truth_element {
  const comparing& plan;

  template <class T>
  [[gnu::always_inline]] auto operator()(T left, T right) const -> bool {
    if constexpr (Type == dtype::boolean) {
      return of(left != 0, right != 0);
    } else if constexpr (Type == dtype::int8 || Type == dtype::int16) {
      const auto l = quantized::requantize((left - plan.left.zero_point) * 256, plan.left.by);
      const auto r = quantized::requantize((right - plan.right.zero_point) * 256, plan.right.by);
      return of(l, r);
    } else {
      return of(left, right);
    }
  }

 private:
  template <class T>
  [[gnu::always_inline]] static auto of(T left, T right) -> bool {
    if constexpr (F == truth_function::equal) return left == right;
    if constexpr (F == truth_function::not_equal) return left != right;
    if constexpr (F == truth_function::greater) return left > right;
    if constexpr (F == truth_function::greater_equal) return left >= right;
    if constexpr (F == truth_function::less) return left < right;
    if constexpr (F == truth_function::less_equal) return left <= right;
    if constexpr (F == truth_function::logical_and) return left && right;
    if constexpr (F == truth_function::logical_or) return left || right;
  }
};

/// A kernel that computes `equal`, `not_equal`, `greater`, `greater_equal`, `less` and `less_equal` on float32, int8, int16, int32 and
/// int64. On booleans, the kernel computes `equal`, `not_equal`, `logical_and` and `logical_or`. All operators broadcast. Numeric rule of
/// int8 and int16: (number − zero point) · 2^8 is multiplied by the scale, with double rounding. The results are compared as integers, as
/// in TensorFlow Lite Micro's comparisons.cc. (On int16, that file supports only `greater`. Its version of August 2026 does not initialize
/// the zero points and the multipliers of int16 inputs, so its outputs are undefined.) Real numbers that differ by less than 2^-8 may
/// therefore compare equal. Scales must be below 1. Every boolean input except 0 is true; a true output is 1.
struct comparison : detail::multi_kind_kernel<comparison> {
  static constexpr literal_name operators[] = {"tfl.equal", "tfl.not_equal",  "tfl.greater",     "tfl.greater_equal",
                                               "tfl.less",  "tfl.less_equal", "tfl.logical_and", "tfl.logical_or"};
  using multi_kind_kernel<comparison>::compute;

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::comparing> {
    node_check check{program, record};
    check.conforms();
    check.counts(2, 2);
    const auto function = static_cast<detail::truth_function>(detail::position_of(record, operators));
    const auto left = check.input(0, "first input");
    const auto right = check.input(1, "second input");
    const auto out = check.output();
    check.demand(detail::supports(function, left.type), "first input is ", facts(left.type).name);
    check.demand(right.type == left.type, "second input is ", facts(right.type).name, ", not ", facts(left.type).name);
    check.is_one_of(out, {dtype::boolean}, "output");
    detail::comparing plan;
    plan.kind = {function, static_cast<std::int32_t>(left.type)};
    plan.loops = detail::loops_of<2>(check, {left.shape, right.shape}, out.shape);
    if (left.type == dtype::int8 || left.type == dtype::int16) {
      const auto l = check.per_tensor(left, "first input");
      const auto r = check.per_tensor(right, "second input");
      plan.left = {l.zero_point, detail::factor_below_one(check, static_cast<double>(l.scale), "the first input")};
      plan.right = {r.zero_point, detail::factor_below_one(check, static_cast<double>(r.scale), "the second input")};
    }
    return {check.verdict_so_far(), plan, elementwise_facts(check, program, record, plan.loops)};
  }

  template <auto Kind>
  [[gnu::always_inline]] static void compute_kind(const detail::comparing& plan, const node_memory& memory) {
    constexpr auto type = static_cast<dtype>(Kind.type);
    using element = typename detail::element_of<type>::type;
    detail::broadcast_walk<std::uint8_t, element, element>::run(plan.loops, detail::truth_element<Kind.function, type>{plan}, memory.inputs,
                                                                memory.outputs[0]);
  }

  template <class Plan>
  static void compute(const Plan& plan, const node_memory& memory) {
    detail::with_kind<detail::truth_function, std::size(operators)>(plan.kind,
                                                                    [&](auto kind) { compute_kind<decltype(kind)::value>(plan, memory); });
  }
};
static_assert(kernel<comparison>);

}  // namespace detail

}  // namespace baton::portable

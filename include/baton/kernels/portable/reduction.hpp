// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reductions along axes: `tfl.mean`, `tfl.sum`, `tfl.reduce_prod`, `tfl.reduce_max`, `tfl.reduce_min`, `tfl.reduce_any`, `tfl.reduce_all`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/elements.hpp>
#include <baton/kernels/detail/products.hpp>
#include <baton/kernels/detail/rescaling.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/requantization.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace baton::portable {

namespace detail {

/// The reductions, in the order of the kernel's operators.
enum class reducer : std::int32_t { mean, sum, product, largest, smallest, any, all };

/// Four nested loops over the elements of an operand, outermost first, with strides in elements.
struct strided_loops {
  std::array<std::int32_t, 4> sizes{1, 1, 1, 1};
  std::array<std::int32_t, 4> steps{};
  std::size_t first = 4;  ///< the index of the outermost used loop; the loops from `first` on are used

  /// Adds a loop around the used loops. At most three loops may be in use.
  constexpr void add(std::int32_t size, std::int32_t step) {
    --first;
    sizes[first] = size;
    steps[first] = step;
  }
  constexpr auto count() const -> std::int32_t { return sizes[0] * sizes[1] * sizes[2] * sizes[3]; }
};

/// The compile-time plan of a reduction.
struct reduction {
  reducer by = reducer::sum;
  dtype type = dtype::float32;
  strided_loops kept{};     ///< loops over the elements of the output
  strided_loops reduced{};  ///< loops over the inputs of one output element
  // For means and sums of quantized numbers:
  quantized::fixed_multiplier factor{};
  std::int32_t zero_point_sum = 0;  ///< the input's zero point, times the number of summed elements
  std::int32_t zero_point = 0;      ///< the output's zero point
};

/// Returns the axes in operand 1 as a bit set, which is empty if the input is a scalar. Negative axes count from the end; an axis may occur
/// twice.
constexpr auto read_axes(node_check& check, std::size_t rank) -> std::uint32_t {
  const auto axes = check.constant_integers(1, "axis");
  check.demand(rank <= tensor_type::max_rank, "input has rank ", rank, "; the maximum is ", tensor_type::max_rank);
  std::uint32_t set = 0;
  for (std::size_t i = 0; check.ok() && rank != 0 && i < axes.count; ++i) {
    const auto axis = inference::dimension(axes[i], rank);
    if (check.demand(axis < rank, "there is no axis ", axes[i])) set |= 1u << axis;
  }
  return set;
}

/// Splits the dimensions of an operand into loops. Adjacent dimensions that are both reduced or both kept form one loop; dimensions of size
/// 1 need no loop. Eight dimensions form at most four loops of each kind.
constexpr void split_loops(const operand& in, std::uint32_t reduced, strided_loops& kept_loops, strided_loops& reduced_loops) {
  strided_loops* last = nullptr;
  std::int32_t step = 1;
  for (auto d = in.shape.size(); d-- > 0;) {
    if (in.size(d) == 1) continue;
    auto* const now = (reduced >> d & 1) != 0 ? &reduced_loops : &kept_loops;
    if (now == last) {
      now->sizes[now->first] *= in.size(d);
    } else {
      now->add(in.size(d), step);
    }
    step *= in.size(d);
    last = now;
  }
}

/// Sets the factor and zero points of a quantized mean or sum. Requires that sums of elements, and sums of elements minus the zero point,
/// fit 32 bits.
constexpr void describe_quantized(node_check& check, const operand& in, const operand& out, reduction& plan) {
  const auto from = check.per_tensor(in, "input");
  const auto to = check.per_tensor(out, "output");
  const auto count = plan.reduced.count();
  const auto range = range_of(in.type);
  const std::int64_t farthest = std::max(range.upper - from.zero_point, from.zero_point - range.lower);
  const auto largest = std::max<std::int64_t>(farthest, -range.lower) * count;
  check.demand(largest <= std::numeric_limits<std::int32_t>::max(), "sums of ", count, " elements may not fit 32 bits");
  plan.factor = factor(check, static_cast<double>(from.scale) / static_cast<double>(to.scale), "the sum");
  if (!check.ok()) return;
  plan.zero_point_sum = from.zero_point * count;
  plan.zero_point = to.zero_point;
  if (plan.by == reducer::sum) return;
  // For a mean, divides the factor by the count, so that no sum is divided at run time, as in `QuantizedMeanOrSum`.
  const auto bits = std::min(static_cast<std::int32_t>(std::bit_width(static_cast<std::uint32_t>(count))) - 1, 31 + plan.factor.shift);
  plan.factor.value = static_cast<std::int32_t>((static_cast<std::int64_t>(plan.factor.value) << bits) / count);
  plan.factor.shift -= bits;
}

constexpr auto describe_reduction(const program_view& program, const node& record, reducer by) -> node_description<reduction> {
  node_check check{program, record};
  check.conforms();
  const auto in = by == reducer::mean ? check.input(0, "input") : check.input_or_empty(0, "input");  // there is no mean of an empty tensor
  const auto out = check.output();
  reduction plan{.by = by, .type = in.type};
  const auto axes = read_axes(check, in.shape.size());
  if (!check.ok()) return {check.verdict_so_far(), plan};
  split_loops(in, axes, plan.kept, plan.reduced);
  const bool is_quantized = in.type == dtype::int8 || in.type == dtype::int16;
  if (plan.by == reducer::any || plan.by == reducer::all) {
    check.is_one_of(in, {dtype::boolean}, "input");
  } else if (plan.by == reducer::product) {
    check.is_one_of(in, {dtype::float32, dtype::int32}, "input");
  } else {
    check.is_one_of(in, {dtype::float32, dtype::int8, dtype::int16, dtype::int32}, "input");
    if (is_quantized && (plan.by == reducer::largest || plan.by == reducer::smallest)) {
      check.same_quantization(in, out);
    } else if (is_quantized) {
      describe_quantized(check, in, out, plan);
    }
  }
  return {check.verdict_so_far(), plan};
}

/// Returns the initial value of a maximum or minimum: the lowest or the greatest finite value of the type. So the maximum of negative
/// infinities is the lowest finite float.
template <class T>
constexpr auto initial_extremum(const reduction& plan) -> T {
  return plan.by == reducer::largest ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
}
/// Returns the larger of `so_far` and `x` for a maximum, the smaller for a minimum. If `x` is NaN, returns `so_far`.
template <class T>
[[gnu::always_inline]] inline auto extremum(const reduction& plan, T so_far, T x) -> T {
  return (plan.by == reducer::largest ? so_far < x : x < so_far) ? x : so_far;
}

/// The reduction of elements of type `T`: `begin` returns the initial value, `next` combines a value with the next element, and `end`
/// computes the output.
template <class T>
struct reducing;

template <>
struct reducing<float> {
  using sum = float;
  static auto begin(const reduction& plan) -> float {
    if (plan.by == reducer::largest || plan.by == reducer::smallest) return initial_extremum<float>(plan);
    return plan.by == reducer::product ? 1.0f : 0.0f;
  }
  [[gnu::always_inline]] static auto next(const reduction& plan, float so_far, float x) -> float {
    if (plan.by == reducer::largest || plan.by == reducer::smallest) return extremum(plan, so_far, x);
    return plan.by == reducer::product ? so_far * x : so_far + x;
  }
  [[gnu::always_inline]] static auto end(const reduction& plan, float total) -> float {
    return plan.by == reducer::mean ? total / static_cast<float>(plan.reduced.count()) : total;
  }
};

/// The reduction of int32 elements. Sums and products wrap around. Means are rounded toward zero.
template <>
struct reducing<std::int32_t> {
  using sum = std::int64_t;
  static auto begin(const reduction& plan) -> std::int64_t {
    if (plan.by == reducer::largest || plan.by == reducer::smallest) return initial_extremum<std::int32_t>(plan);
    return plan.by == reducer::product ? 1 : 0;
  }
  [[gnu::always_inline]] static auto next(const reduction& plan, std::int64_t so_far, std::int32_t x) -> std::int64_t {
    if (plan.by == reducer::largest || plan.by == reducer::smallest) return extremum<std::int64_t>(plan, so_far, x);
    return plan.by == reducer::product ? static_cast<std::int32_t>(so_far * x) : so_far + x;
  }
  [[gnu::always_inline]] static auto end(const reduction& plan, std::int64_t total) -> std::int32_t {
    return static_cast<std::int32_t>(plan.by == reducer::mean ? total / plan.reduced.count() : total);
  }
};

/// The reduction of int8 and int16 elements.
template <class T>
struct reducing {
  using sum = std::int32_t;
  static auto begin(const reduction& plan) -> std::int32_t {
    return plan.by == reducer::largest || plan.by == reducer::smallest ? initial_extremum<T>(plan) : 0;
  }
  [[gnu::always_inline]] static auto next(const reduction& plan, std::int32_t so_far, T x) -> std::int32_t {
    return plan.by == reducer::largest || plan.by == reducer::smallest ? extremum<std::int32_t>(plan, so_far, x) : so_far + x;
  }
  [[gnu::always_inline]] static auto end(const reduction& plan, std::int32_t total) -> T {
    if (plan.by == reducer::largest || plan.by == reducer::smallest) return static_cast<T>(total);
    const auto scaled = std::int64_t{scale_saturated(total - plan.zero_point_sum, plan.factor)} + plan.zero_point;
    return static_cast<T>(quantized::bounds<std::int64_t>{std::numeric_limits<T>::min(), std::numeric_limits<T>::max()}.clamp(scaled));
  }
};

/// The reduction of booleans. A boolean is a byte; every byte other than 0 is true.
template <>
struct reducing<unsigned char> {
  using sum = bool;
  static auto begin(const reduction& plan) -> bool { return plan.by == reducer::all; }
  [[gnu::always_inline]] static auto next(const reduction& plan, bool so_far, unsigned char x) -> bool {
    return plan.by == reducer::all ? so_far && x != 0 : so_far || x != 0;
  }
  [[gnu::always_inline]] static auto end(const reduction&, bool result) -> unsigned char { return result ? 1 : 0; }
};

/// Computes `N` adjacent outputs. The inputs of adjacent outputs must also be adjacent. `from` and `to` are the element offsets of the
/// first input and output. Elements are reduced in the order of memory, because float sums in another order are rounded differently.
template <class T, std::int32_t N>
[[gnu::always_inline]] inline void reduce_some(const reduction& plan, const char* in, std::int32_t from, char* out, std::int32_t to) {
  const auto& [sizes, steps, first] = plan.reduced;
  typename reducing<T>::sum results[static_cast<std::size_t>(N)];
  for (std::int32_t n = 0; n < N; ++n) results[n] = reducing<T>::begin(plan);
  for (std::int32_t i = 0; i < sizes[0]; ++i) {
    for (std::int32_t j = 0; j < sizes[1]; ++j) {
      for (std::int32_t k = 0; k < sizes[2]; ++k) {
        const auto row = from + i * steps[0] + j * steps[1] + k * steps[2];
        for (std::int32_t m = 0; m < sizes[3]; ++m) {
          for (std::int32_t n = 0; n < N; ++n) results[n] = reducing<T>::next(plan, results[n], load<T>(in, row + m * steps[3] + n));
        }
      }
    }
  }
  for (std::int32_t n = 0; n < N; ++n) store(out, to + n, reducing<T>::end(plan, results[n]));
}

template <class T>
[[gnu::always_inline]] inline void run_reduction(const reduction& plan, const char* in, char* out) {
  const auto& [sizes, steps, first] = plan.kept;
  constexpr std::int32_t outputs_per_step = has_vectors ? static_cast<std::int32_t>(lanes) : 1;
  const auto whole = steps[3] == 1 ? sizes[3] / outputs_per_step * outputs_per_step : 0;
  std::int32_t at = 0;
  for (std::int32_t i = 0; i < sizes[0]; ++i) {
    for (std::int32_t j = 0; j < sizes[1]; ++j) {
      for (std::int32_t k = 0; k < sizes[2]; ++k) {
        const auto row = i * steps[0] + j * steps[1] + k * steps[2];
        if constexpr (has_vectors) {
          for (std::int32_t m = 0; m < whole; m += outputs_per_step) reduce_some<T, outputs_per_step>(plan, in, row + m, out, at + m);
        }
        for (std::int32_t m = has_vectors ? whole : 0; m < sizes[3]; ++m) reduce_some<T, 1>(plan, in, row + m * steps[3], out, at + m);
        at += sizes[3];
      }
    }
  }
}

/// Computes the output elements [`first`, `last`).
template <class T>
[[gnu::always_inline]] inline void run_reduction(const reduction& plan, const char* in, char* out, std::int32_t first, std::int32_t last) {
  const auto& [sizes, steps, unused] = plan.kept;
  for (auto at = first; at < last; ++at) {
    auto index = at;
    std::int32_t from = 0;
    for (std::size_t loop = 4; loop-- > 0; index /= sizes[loop]) from += index % sizes[loop] * steps[loop];
    reduce_some<T, 1>(plan, in, from, out, at);
  }
}

/// Calls `f(std::type_identity<T>{})` with the element type of a reduction.
template <class F>
[[gnu::always_inline]] inline void with_element(const reduction& plan, const F& f) {
  with_element<dtype::float32, dtype::int8, dtype::int16, dtype::int32, dtype::boolean>(plan.type, f);
}

/// A kernel that computes reductions along constant axes: `tfl.mean`, `tfl.sum`, `tfl.reduce_max` and `tfl.reduce_min` of float32, int8,
/// int16 and int32; `tfl.reduce_prod` of float32 and int32; `tfl.reduce_any` and `tfl.reduce_all` of booleans. Numeric rules: TensorFlow
/// Lite's `reference/reduce.h`. Means and sums of quantized numbers are requantized. A requantized result that overflows saturates; in the
/// reference, it wraps around. A maximum or minimum of quantized numbers requires equal quantization of input and output.
struct reduce {
  static constexpr literal_name operators[] = {"tfl.mean",       "tfl.sum",        "tfl.reduce_prod", "tfl.reduce_max",
                                               "tfl.reduce_min", "tfl.reduce_any", "tfl.reduce_all"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::reduction> {
    auto result = detail::describe_reduction(program, record, static_cast<detail::reducer>(detail::position_of(record, operators)));
    // Output element n depends only on input elements from n on, so no element is overwritten before it is read.
    result.facts.operands[0].distance = {.ascending = 0};
    if (result.support) result.facts.chunks = result.plan.kept.count();
    return result;
  }
  template <class Plan>
  [[gnu::always_inline]] static void compute(const Plan& plan, const node_memory& memory) {
    with_element(plan, [&]<class T>(std::type_identity<T>)
                           __attribute__((always_inline)) { run_reduction<T>(plan, memory.inputs[0], memory.outputs[0]); });
  }
  /// Computes the chunks [`first`, `last`) (see `kernel_facts::chunks`). A chunk is an output element.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr const auto& plan = node_plan<reduce, Call>;
    with_element(plan, [&]<class T>(std::type_identity<T>) __attribute__((always_inline)) {
      run_reduction<T>(plan, call.template input<0>(), call.template output<0>(), first, last);
    });
  }
};
static_assert(kernel<reduce>);

}  // namespace detail

}  // namespace baton::portable

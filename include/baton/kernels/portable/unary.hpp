// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions of one element: activations and mathematical functions.
#pragma once

#include <baton/core/affine.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/element_chunks.hpp>
#include <baton/kernels/detail/element_function.hpp>
#include <baton/kernels/detail/elements.hpp>
#include <baton/kernels/detail/fixed_point.hpp>
#include <baton/kernels/detail/machine_math.hpp>
#include <baton/kernels/detail/rescaling.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/int16_functions.hpp>
#include <baton/operators/shared/real_functions.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace baton::portable {

namespace detail {

/// Returns the integer nearest to `x`, or the even one of two nearest integers. Does not depend on the rounding mode. Equals
/// `RoundToNearest` of TensorFlow Lite's `reference/round.h`.
[[gnu::always_inline]] inline auto round_half_to_even(float x) -> float {
  const auto below = machine::floor(x);
  const auto fraction = x - below;
  const auto half = below * 0.5f;
  return fraction < 0.5f || (fraction == 0.5f && half == machine::floor(half)) ? below : fraction >= 0.5f ? below + 1.0f : x;
}

/// Returns the function `plan.kind` of a float, as in TensorFlow Lite's reference kernels
/// (`reference/{logistic,leaky_relu,elu,hard_swish,gelu}.h` and `micro/kernels/{activations_common,elementwise}.cc`). `exp`, `log`, `sin`,
/// `cos`, `tanh` and `erf` are the functions of the target (`machine_math.hpp`).
[[gnu::always_inline]] inline auto function_of(const element_function& plan, float x) -> float {
  switch (plan.kind) {
    case function::logistic:
      if (x > 16.619047164916992188f) return 1.0f;
      return x < -9.0f ? machine::exp(x) : 1.0f / (1.0f + machine::exp(-x));
    case function::tanh:
      return machine::tanh(x);
    case function::relu:
    case function::relu6:
    case function::relu_n1_to_1:
    case function::relu_0_to_1:
      return relu_bounds(plan.kind).clamp(x);
    case function::leaky_relu:
      return x > 0 ? x : x * plan.alpha;
    case function::elu:
      return x < 0 ? machine::expm1(x) : x;
    case function::hard_swish:
      return x * quantized::bounds<float>{0.0f, 6.0f}.clamp(x + 3) / 6;
    case function::gelu:
      if (plan.is_approximate) return 0.5f * x * (1.0f + machine::tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
      return 0.5f * x * (1.0f + machine::erf(x * 0.7071067812f));
    case function::exp:
      return machine::exp(x);
    case function::log:
      return machine::log(x);
    case function::sqrt:
      return machine::sqrt(x);
    case function::rsqrt:
      return 1.0f / machine::sqrt(x);
    case function::square:
      return x * x;
    case function::neg:
      return -x;
    case function::sin:
      return machine::sin(x);
    case function::cos:
      return machine::cos(x);
    case function::floor:
      return machine::floor(x);
    case function::ceil:
      return machine::ceil(x);
    case function::round:
      return round_half_to_even(x);
    case function::sign:
      return static_cast<float>((x > 0 ? 1 : 0) - (x < 0 ? 1 : 0));
    default:
      return machine::fabs(x);
  }
}

[[gnu::always_inline]] inline auto function_of(const element_function& plan, std::int16_t x) -> std::int16_t {
  if (plan.kind == function::logistic) return quantized::logistic_of_int16(x, plan.position);
  if (plan.kind == function::tanh) return quantized::tanh_of_int16(x, plan.position);
  if (!plan.is_quantized) return static_cast<std::int16_t>(x < 0 ? -x : x);
  return static_cast<std::int16_t>(rescaled_function(plan, x - plan.with.from));
}

/// Returns `sign`, `neg` or `abs` of an int32 number. The negation of INT32_MIN does not fit, so INT32_MIN remains unchanged.
[[gnu::always_inline]] inline auto function_of(const element_function& plan, std::int32_t x) -> std::int32_t {
  if (plan.kind == function::sign) return (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0);
  return plan.kind == function::neg || x < 0 ? static_cast<std::int32_t>(0u - static_cast<std::uint32_t>(x)) : x;
}

template <class T>
[[gnu::always_inline]] inline void apply_function(const element_function& plan, const char* from, char* to, std::int32_t count) {
  for (std::int32_t i = 0; i < count; ++i) store(to, i, function_of(plan, load<T>(from, i)));
}

/// A kernel that computes functions of one element. All functions except `logical_not` support float32. The other types are:
/// - int8: `logistic`, `tanh`, the relus, `leaky_relu`, `elu`, `hard_swish`, `gelu`, `exp`, `log`, `sqrt`, `abs`, `rsqrt`;
/// - uint8: the relus, `leaky_relu`, `hard_swish`, `gelu`;
/// - int16: `logistic`, `tanh`, the relus, `leaky_relu`, `abs` (quantized or not);
/// - int32: `abs`, `neg`, `sign`;
/// - booleans: `logical_not`.
///
/// The 8-bit functions are tables that are computed at compile time. The kernel `unary_int16` computes `gelu`, `exp`, `log`, `sqrt` and
/// `rsqrt` of int16.
///
/// Integer results are bit-exact with TensorFlow Lite Micro's reference kernels. There are two exceptions: `gelu`, and relus whose input
/// and output have different quantizations. Both follow TensorFlow Lite, because TensorFlow Lite Micro computes these functions
/// differently, or not at all.
struct unary {
  static constexpr literal_name operators[] = {
      "tfl.logistic",   "tfl.tanh", "tfl.relu", "tfl.relu6", "tfl.relu_n1_to_1", "tfl.relu_0_to_1", "tfl.leaky_relu", "tfl.elu",
      "tfl.hard_swish", "tfl.gelu", "tfl.exp",  "tfl.log",   "tfl.sqrt",         "tfl.rsqrt",       "tfl.square",     "tfl.abs",
      "tfl.neg",        "tfl.sin",  "tfl.cos",  "tfl.floor", "tfl.ceil",         "tfl.round",       "tfl.sign",       "tfl.logical_not"};
  static_assert(sizeof(operators) / sizeof(*operators) == static_cast<std::size_t>(detail::function::count));

  static constexpr auto describe(const program_view& program, const node& record, describe_for purpose = describe_for::computing)
      -> node_description<detail::element_function> {
    node_check check{program, record};
    check.conforms();
    check.counts(1, 1);
    const auto in = check.input(0, "input");
    const auto out = check.output();
    detail::element_function plan{.type = in.type, .count = in.count};
    plan.kind = static_cast<detail::function>(detail::position_of(record, operators));
    detail::check_type(check, plan.kind, in);
    if (plan.kind == detail::function::leaky_relu) {
      const auto alpha = program.real(record, "alpha");
      constexpr auto largest = static_cast<double>(std::numeric_limits<float>::max());
      if (check.demand(alpha >= -largest && alpha <= largest, "alpha is not finite")) plan.alpha = static_cast<float>(alpha);
    }
    if (plan.kind == detail::function::gelu) plan.is_approximate = program.integer(record, "approximate") != 0;
    const bool is_plain =
        plan.kind == detail::function::abs && in.type == dtype::int16 && in.quant.channels == 0 && out.quant.channels == 0;
    plan.is_quantized = !is_plain && (facts(in.type).bits == 8 || in.type == dtype::int16) && in.type != dtype::boolean;
    if (plan.is_quantized && check.ok()) detail::describe_quantized(check, in, out, purpose == describe_for::computing, plan);
    auto facts = elementwise_facts(check, program, record);
    detail::add_element_chunks(plan.count, facts);
    return {check.verdict_so_far(), plan, facts};
  }

  [[gnu::always_inline]] static void compute(const detail::element_function& plan, const node_memory& memory) {
    compute_elements(plan, memory.inputs[0], memory.outputs[0], plan.count);
  }
  /// Computes the chunks [`first`, `last`), each of at most 64 elements (see `kernel_facts::chunks`).
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    detail::compute_element_chunks<unary>(call, first, last);
  }
  /// Computes `count` elements.
  [[gnu::always_inline]] static void compute_elements(const detail::element_function& plan, const char* from, char* to,
                                                      std::int32_t count) {
    switch (plan.type) {
      case dtype::float32:
        return detail::apply_function<float>(plan, from, to, count);
      case dtype::int16:
        return detail::apply_function<std::int16_t>(plan, from, to, count);
      case dtype::int32:
        return detail::apply_function<std::int32_t>(plan, from, to, count);
      case dtype::boolean:
        for (std::int32_t i = 0; i < count; ++i) store(to, i, static_cast<std::uint8_t>(load<std::uint8_t>(from, i) == 0 ? 1 : 0));
        return;
      default:
        return detail::apply_table(plan.table, from, to, count);
    }
  }
};
static_assert(kernel<unary>);

}  // namespace detail

}  // namespace baton::portable

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Arithmetic of two elements with broadcasting: `tfl.add`, `tfl.sub`, `tfl.mul` and similar operators.
#pragma once

#include <baton/core/affine.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/broadcasting.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/elements.hpp>
#include <baton/kernels/detail/fixed_point.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/machine_math.hpp>
#include <baton/kernels/detail/multi_kind_kernel.hpp>
#include <baton/kernels/detail/pairing.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/detail/rescaling.hpp>
#include <baton/kernels/detail/shared_product.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/shared/rounding.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace baton::portable {

namespace detail {

// Functions of two elements.

/// Returns `x` · `multiplier` plus the zero point of the output, clamped to the range of the output. If `multiplier` is above 1, the result
/// may wrap around, as in the reference.
[[gnu::always_inline]] inline auto rescaled(const pairing& plan, std::int32_t x, quantized::fixed_multiplier multiplier) -> std::int32_t {
  return plan.range.clamp(wrapping_sum(quantized::requantize(x, multiplier), plan.zero_point));
}

/// Returns the quotient of quantized numbers: 1 / `right` in fixed point, times `left`, rescaled to the output (TensorFlow Lite's
/// `DivElementwise`). Defines two cases that are undefined in TensorFlow Lite. Division by 0 yields the maximum of the output for a
/// positive numerator, the minimum for a negative one, and the zero point for 0. If the final shift is 32 bits or more, the quotient is 0.
[[gnu::always_inline]] inline auto quantized_quotient(const pairing& plan, std::int32_t left, std::int32_t right) -> std::int32_t {
  if (right == 0) return left == 0 ? plan.range.clamp(plan.zero_point) : left < 0 ? plan.range.lower : plan.range.upper;
  if (right < 0) {
    left = -left;
    right = -right;
  }
  const auto above = std::countl_zero(static_cast<std::uint32_t>(right));
  const auto inverse = fixed_point::reciprocal_of_one_plus(
      static_cast<std::int32_t>((static_cast<std::uint32_t>(right) << above) - (std::uint32_t{1} << 31)));
  const auto headroom = left == 0 ? 31 : std::countl_zero(static_cast<std::uint32_t>(left < 0 ? ~left : left)) - 1;
  const auto quotient = quantized::high_multiply(quantized::high_multiply(quantized::shift_left(left, headroom), inverse), plan.by.value);
  const auto bits = 31 - above + headroom - plan.by.shift;
  const auto scaled = bits > 31 ? 0 : bits == 0 ? quotient : quantized::rounding_shift_right(quotient, bits);
  return plan.range.clamp(wrapping_sum(scaled, plan.zero_point));
}

/// Applies function `F` to two quantized numbers of type int8 or int16.
template <pair_function F, class T>
[[gnu::always_inline]] inline auto quantized_result(const pairing& plan, std::int32_t left, std::int32_t right) -> std::int32_t {
  const auto l = left - plan.left.zero_point;
  const auto r = right - plan.right.zero_point;
  if constexpr (F == pair_function::mul) {
    if (plan.round == quantized::rounding::twice) return rescaled(plan, l * r, plan.by);
    const auto product = plan.has_ties != 0 ? requantize_to_even(l * r, plan.by) : quantized::requantize_once(l * r, plan.by);
    return static_cast<std::int32_t>(quantized::bounds<std::int64_t>{plan.range.lower, plan.range.upper}.clamp(product + plan.zero_point));
  } else if constexpr (F == pair_function::div) {
    return quantized_quotient(plan, l, r);
  } else if constexpr (F == pair_function::prelu) {
    return l >= 0 ? rescaled(plan, l, plan.left.by) : rescaled(plan, l * r, plan.by);
  } else {
    // Double rounding: each input is rescaled to a common scale, then the result to the output's scale.
    constexpr std::int32_t headroom = 1 << headroom_of(F, sizeof(T) == 2 ? dtype::int16 : dtype::int8);
    const auto scaled_left = quantized::requantize(l * headroom, plan.left.by);
    const auto scaled_right = quantized::requantize(r * headroom, plan.right.by);
    if constexpr (F == pair_function::squared_difference) {
      const auto difference = scaled_left - scaled_right;
      return rescaled(plan, difference * difference, plan.by);
    } else {
      const auto result = F == pair_function::add ? scaled_left + scaled_right : scaled_left - scaled_right;
      // If the factor is below 1, adding the zero point cannot overflow. With a larger factor, the addition may overflow. The result then
      // saturates here, but wraps around in the reference.
      if (plan.by.shift <= 0) return plan.range.clamp(quantized::requantize(result, plan.by) + plan.zero_point);
      return plan.range.clamp(quantized::bounds<std::int32_t>{-(1 << 30), 1 << 30}.clamp(scale_saturated(result, plan.by)) +
                              plan.zero_point);
    }
  }
}

/// Returns the quotient of integers. Defines two cases that are undefined in C++. Division by 0 yields the maximum of `T` for a positive
/// numerator, the minimum of `T` for a negative one, and 0 for 0. A quotient that does not fit `T` yields the maximum of `T`.
template <class T>
constexpr auto saturated_quotient(T left, T right) -> T {
  if (right == 0) return left == 0 ? T{0} : left < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  if (right == -1) return left == std::numeric_limits<T>::min() ? std::numeric_limits<T>::max() : static_cast<T>(-left);
  return static_cast<T>(left / right);
}
/// Returns the quotient rounded down. Division by 0 yields the result of `saturated_quotient`.
template <class T>
constexpr auto floor_quotient(T left, T right) -> T {
  const auto quotient = saturated_quotient(left, right);
  const bool is_over = right != 0 && right != -1 && left % right != 0 && (left < 0) != (right < 0);
  return is_over ? static_cast<T>(quotient - 1) : quotient;
}
/// Returns the remainder for the quotient of `floor_quotient`. A remainder other than 0 has the sign of the divisor; the remainder of a
/// division by 0 is 0.
template <class T>
constexpr auto floor_remainder(T left, T right) -> T {
  if (right == 0 || right == -1) return 0;
  const auto remainder = static_cast<T>(left % right);
  return remainder != 0 && (remainder < 0) != (right < 0) ? static_cast<T>(remainder + right) : remainder;
}

/// Applies function `F` to two int32 or int64 numbers. Sums and products wrap around.
template <pair_function F, class T>
[[gnu::always_inline]] inline auto integer_result(T left, T right) -> T {
  using bits = std::make_unsigned_t<T>;
  const auto l = static_cast<bits>(left);
  const auto r = static_cast<bits>(right);
  if constexpr (F == pair_function::add) return static_cast<T>(l + r);
  if constexpr (F == pair_function::sub) return static_cast<T>(l - r);
  if constexpr (F == pair_function::mul) return static_cast<T>(l * r);
  if constexpr (F == pair_function::squared_difference) return static_cast<T>((l - r) * (l - r));
  if constexpr (F == pair_function::div) return saturated_quotient(left, right);
  if constexpr (F == pair_function::floor_div) return floor_quotient(left, right);
  if constexpr (F == pair_function::floor_mod) return floor_remainder(left, right);
}

/// Applies function `F` to two floats. Division by 0 follows IEEE 754. `floor_div` is computed in double, as in the reference.
template <pair_function F>
[[gnu::always_inline]] inline auto float_result(float left, float right) -> float {
  if constexpr (F == pair_function::add) return left + right;
  if constexpr (F == pair_function::sub) return left - right;
  if constexpr (F == pair_function::mul) return left * right;
  if constexpr (F == pair_function::div) return left / right;
  if constexpr (F == pair_function::squared_difference) return (left - right) * (left - right);
  if constexpr (F == pair_function::prelu) return left >= 0.0f ? left : left * right;
  if constexpr (F == pair_function::floor_div)
    return static_cast<float>(machine::floor(static_cast<double>(left) / static_cast<double>(right)));
  if constexpr (F == pair_function::floor_mod) {
    const auto remainder = machine::fmod(left, right);
    return remainder != 0.0f && (right < 0.0f) != (remainder < 0.0f) ? remainder + right : remainder;
  }
}

/// Applies function `F` to two elements, for functions that do not depend on scales. `right_shift` clamps the shift count to [0, bits of
/// the type − 1], as in TensorFlow Lite's right_shift.cc.
template <pair_function F, class T>
[[gnu::always_inline]] inline auto untyped_result(T left, T right) -> T {
  if constexpr (F == pair_function::maximum) return left > right ? left : right;
  if constexpr (F == pair_function::minimum) return left < right ? left : right;
  if constexpr (F == pair_function::bitwise_xor) return static_cast<T>(left ^ right);
  if constexpr (F == pair_function::right_shift) {
    constexpr T max_shift = 8 * sizeof(T) - 1;
    return static_cast<T>(left >> (right < 0 ? T{0} : right > max_shift ? max_shift : right));
  }
}

constexpr auto is_untyped(pair_function function) -> bool {
  return function == pair_function::maximum || function == pair_function::minimum || function >= pair_function::bitwise_xor;
}
constexpr auto has_activation(pair_function function) -> bool { return function <= pair_function::div; }

/// The function that a node applies to two elements.
template <pair_function F>
struct pair_element {
  const pairing& plan;

  template <class T, class U>
  [[gnu::always_inline]] auto operator()(T left, U right) const -> T {
    if constexpr (is_untyped(F)) {
      return untyped_result<F>(left, right);
    } else if constexpr (std::is_same_v<T, float>) {
      const auto result = float_result<F>(left, right);
      return has_activation(F) ? quantized::float_bounds(plan.fused).clamp(result) : result;
    } else if constexpr (sizeof(T) < 4) {
      return static_cast<T>(quantized_result<F, T>(plan, left, right));
    } else if constexpr (sizeof(T) == 4 && has_activation(F)) {
      return static_cast<T>(plan.range.clamp(integer_result<F>(left, right)));
    } else {
      return integer_result<F>(left, right);
    }
  }
};

}  // namespace detail

/// A kernel that computes functions of two elements, with broadcasting of up to 8 axes that merge to at most 6 loops (`loops_of`).
/// - `add`, `sub`, `mul` in float32, int8, int16, int32 and int64, `div` in float32, int8 and int32. They may have a fused activation,
///   except for int64, and for `add` in int32;
/// - the same `add`, `sub` and `mul` in the namespace `baton`. The attributes `output_min` and `output_max` limit their integer outputs of
///   up to 32 bits;
/// - `maximum` and `minimum` in the types of `add`; quantized numbers are compared as integers, even if their scales differ;
/// - `squared_difference` in float32, int8, int16 and int32; `prelu`, whose second operand is the slope, in float32, int8, and int16 with
///   int8 slopes;
/// - `floor_div` and `floor_mod` in float32, int32 and int64; `bitwise_xor` and `right_shift` in integers of up to 32 bits.
///
/// Results of operators of the namespace `tfl` are bit-identical to TensorFlow Lite Micro's reference kernels, unless the reference kernels
/// overflow. Elements are written in ascending order, each after its inputs are read. So the output may share the memory of an input that
/// is not broadcast.
struct pairwise : detail::multi_kind_kernel<pairwise> {
  // Sums and products of int32 and int64 wrap around. If such a number is divided by 0, the quotient is the maximum of its type for a
  // positive number, the minimum for a negative number, and 0 for 0. (`quantized_quotient` states the rule for int8.) The remainder of a
  // division by 0 is 0. Floats follow IEEE 754.
  //
  // The quantized `baton.mul` is rounded once, half to even, or like `tfl.mul` if its attribute `rounding` is "twice". The other operators
  // are rounded as in TensorFlow Lite. TensorFlow Lite shifts the operands of sums and differences left by 20 bits (int8) or 15 bits
  // (int16) before it rescales them. If an int8 operator of the namespace `baton` has the attribute `output_multiplier`, attributes replace
  // its scales and zero points. These attributes are `output_multiplier`, `output_shift`, `first_zero_point`, `second_zero_point` and
  // `output_zero_point`. Sums and differences also have `first_multiplier`, `first_shift`, `second_multiplier` and `second_shift`. This is
  // the arithmetic of CMSIS-NN's `arm_elementwise_add_s8` with a left shift of 20, and of `arm_elementwise_mul_s8`.

  static constexpr literal_name operators[] = {
      "tfl.add",       "tfl.sub",       "tfl.mul",   "tfl.div",         "tfl.maximum",     "tfl.minimum", "tfl.squared_difference",
      "tfl.floor_div", "tfl.floor_mod", "tfl.prelu", "tfl.bitwise_xor", "tfl.right_shift", "baton.add",   "baton.sub",
      "baton.mul"};
  static constexpr auto functions = static_cast<std::size_t>(detail::pair_function::count);
  static_assert(sizeof(operators) / sizeof(*operators) == functions + 3);

  template <class Call>
  static constexpr auto has_image_output() -> bool {
    if (!is_among(Call::record().op, operators) || Call::program().shape(Call::output_id(0)).size() != 4) return false;
    return node_facts<pairwise, Call>.operands[0].window != row_window::none();
  }
  template <class Call>
  static constexpr auto bytes_of(value_id id) -> std::int32_t {
    return static_cast<std::int32_t>(facts(Call::program()[id].type).bits / 8);
  }

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::pairing> {
    using detail::pair_function;
    node_check check{program, record};
    check.conforms();
    check.counts(2, 2);
    const auto position = static_cast<std::size_t>(detail::position_of(record, operators));
    const bool is_baton = position >= functions;
    const auto function = static_cast<pair_function>(is_baton ? position - functions : position);
    const auto left = check.input(0, "first input");
    const auto right = check.input(1, "second input");
    const auto out = check.output();
    check.demand(detail::supports(function, left.type), "first input is ", facts(left.type).name);
    const auto second = function == pair_function::prelu && left.type == dtype::int16 ? dtype::int8 : left.type;
    check.demand(right.type == second, "second input is ", facts(right.type).name, ", not ", facts(second).name);
    check.demand(out.type == left.type, "output is ", facts(out.type).name, ", not ", facts(left.type).name);
    detail::pairing plan;
    plan.kind = {function, static_cast<std::int32_t>(left.type)};
    plan.loops = detail::loops_of<2>(check, {left.shape, right.shape}, out.shape);
    if (detail::has_activation(function)) plan.fused = check.fused();
    plan.range = detail::integer_bounds(plan.fused);
    // Refuses the fused activation of int32 sums, which TensorFlow Lite applies but TensorFlow Lite Micro ignores. Also refuses the fused
    // activation of int64 results, which this kernel does not clamp.
    const bool has_no_bounds = left.type == dtype::int64 || (left.type == dtype::int32 && function == pair_function::add);
    check.demand(plan.fused == quantized::activation::none || !has_no_bounds, "a fused activation is not supported for ",
                 facts(left.type).name);
    const bool is_quantized = (left.type == dtype::int8 || left.type == dtype::int16) && detail::has_scales(function);
    const bool has_factors = is_baton && is_quantized && program.find(record, "output_multiplier") != nullptr;
    if (has_factors) {
      detail::read_factors(check, plan, left, right, out);
    } else if (is_quantized && check.ok()) {
      detail::read_scales(check, plan, left, right, out);
    }
    if (is_baton) {
      plan.round = check.rounding_rule();
      detail::limit_outputs(check, left.type, plan);
    }
    auto facts = detail::elementwise_facts(check, program, record, plan.loops);
    if (check.ok()) detail::chunks_of(plan.loops).add_to(facts);
    // If nothing is broadcast, an output pixel depends only on the same pixel of each operand.
    if (plan.loops.is_whole(0) && plan.loops.is_whole(1)) facts.operands[0].window = facts.operands[1].window = {};
    return {check.verdict_so_far(), plan, facts};
  }

  template <auto Kind>
  [[gnu::always_inline]] static void compute_kind(const detail::pairing& plan, const node_memory& memory) {
    constexpr auto type = static_cast<dtype>(Kind.type);
    using element = typename detail::element_of<type>::type;
    using second = std::conditional_t<Kind.function == detail::pair_function::prelu && type == dtype::int16, std::int8_t, element>;
    detail::broadcast_walk<element, element, second>::run(plan.loops, detail::pair_element<Kind.function>{plan}, memory.inputs,
                                                          memory.outputs[0]);
  }

  /// Computes the output rows [`first`, `last`). Available if the output is [N, H, W, C] and no operand is broadcast.
  template <class Call>
    requires(has_image_output<Call>())
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto columns = static_cast<std::int32_t>(Call::program().shape(Call::output_id(0))[2]);
    for (auto row = first; row < last; ++row) compute_pixels(call, row, 0, columns);
  }
  template <class Call>
  static void compute_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last) {
    constexpr const auto& whole = node_plan<pairwise, Call>;
    constexpr auto shape = Call::program().shape(Call::output_id(0));
    constexpr auto channels = static_cast<std::int32_t>(shape[3]);
    const std::ptrdiff_t begin = (row * static_cast<std::int32_t>(shape[2]) + first) * channels;
    auto part = whole;
    part.loops.sizes[part.loops.max_loops - 1] = (last - first) * channels;
    const std::array<const char*, 2> from{call.template input<0>() + begin * bytes_of<Call>(Call::input_id(0)),
                                          call.template input<1>() + begin * bytes_of<Call>(Call::input_id(1))};
    const std::array<char*, 1> to{call.template output<0>() + begin * bytes_of<Call>(Call::output_id(0))};
    compute_kind<whole.kind>(part, {from.data(), to.data()});
  }

  /// Products share code if they differ only in quantization. The other functions share no code: a shared sum, for example, would need more
  /// registers than targets have.
  template <class Call>
  static void compute(const Call& call) {
    constexpr const auto& plan = node_plan<pairwise, Call>;
    if constexpr (plan.kind.function == detail::pair_function::mul) {
      static constexpr auto numbers = detail::product_numbers_of(plan);
      multiply<detail::product_code_of(plan)>(numbers, plan.loops.sizes.back(), call.template input<0>(), call.template input<1>(),
                                              call.template output<0>());
    } else {
      detail::multi_kind_kernel<pairwise>::compute(call);
    }
  }

  /// Computes the chunks [`first`, `last`), each of at most 64 elements (see `kernel_facts::chunks` and `detail::nest_chunks`).
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr const auto& whole = node_plan<pairwise, Call>;
    constexpr auto chunks = detail::chunks_of(whole.loops);
    auto part = whole;
    for (std::size_t outer = 0; outer < chunks.loop; ++outer) part.loops.sizes[outer] = 1;
    chunks.for_executions(first, last, [&](const auto& begin, std::int32_t iterations) {
      part.loops.sizes[chunks.loop] = iterations;
      const auto offset = [&](const auto& steps, value_id id) {
        std::ptrdiff_t elements = 0;
        for (std::size_t loop = 0; loop <= chunks.loop; ++loop) elements += begin[loop] * steps[loop];
        return elements * bytes_of<Call>(id);
      };
      const std::array<const char*, 2> from{call.template input<0>() + offset(whole.loops.operands[0], Call::input_id(0)),
                                            call.template input<1>() + offset(whole.loops.operands[1], Call::input_id(1))};
      const std::array<char*, 1> to{call.template output<0>() + offset(whole.loops.output, Call::output_id(0))};
      compute_kind<whole.kind>(part, {from.data(), to.data()});
    });
  }

  template <class Plan>
  static void compute(const Plan& plan, const node_memory& memory) {
    detail::with_kind<detail::pair_function, functions>(plan.kind, [&](auto kind) { compute_kind<decltype(kind)::value>(plan, memory); });
  }

 private:
  /// Computes a product. The function is not inlined, so that nodes share it.
  template <detail::pairing Code>
  [[gnu::noinline]] static void multiply(const detail::product_numbers& numbers, std::int32_t count, const char* left, const char* right,
                                         char* to) {
    const std::array<const char*, 2> from{left, right};
    compute_kind<Code.kind>(detail::product_plan<Code>(numbers, count), {from.data(), &to});
  }
};
static_assert(kernel<pairwise>);

}  // namespace baton::portable

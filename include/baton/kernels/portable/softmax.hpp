// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Softmax and log-softmax along the last axis, `tfl.softmax` and `tfl.log_softmax`: on integers (in fixed point) and on float32.
#pragma once

#include <baton/core/compare.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/curve.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/fixed_point.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/machine_math.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/rounding.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace baton::portable {

namespace detail {

/// The compile-time plan of a softmax or log-softmax.
struct exponential_rows {
  dtype from_type = dtype::float32;
  dtype to_type = dtype::float32;
  flag is_log = 0;
  std::int32_t rows = 1;
  std::int32_t depth = 1;
  float beta = 1;                      ///< float32: multiplies the input minus the row's maximum
  quantized::fixed_multiplier by{};    ///< int8: beta · scale; converts the input minus the row's maximum to Q5.26; `shift` is a left shift
  quantized::fixed_multiplier back{};  ///< log-softmax: the inverse of `by`, from Q5.26
  std::int32_t farthest = 0;           ///< int8: the exponential is 0 if the row's maximum minus the input is larger than this
  std::array<std::int32_t, 256> exponentials{};  ///< in Q0.31, indexed by the row's maximum minus the input
};

/// The operand and the output of a softmax.
struct row_operands {
  operand in{};
  operand out{};
};

/// Returns the operand and the output of a node. Requires at least one axis, and an output of the same shape.
constexpr auto row_operands_of(node_check& check) -> row_operands {
  check.counts(1, 1);
  const row_operands result{check.input(0, "input"), check.output()};
  check.demand(!result.in.shape.empty(), "input has no axis");
  check.demand(same(result.in.shape, result.out.shape), "output and input have different shapes");
  return result;
}

/// Returns a plan with the types and sizes of the operands.
constexpr auto plan_of(const row_operands& of) -> exponential_rows {
  return {.from_type = of.in.type, .to_type = of.out.type, .rows = of.in.count / of.in.last(), .depth = of.in.last()};
}

/// Requires the quantization of int8 probabilities: scale 1/256 and zero point -128.
constexpr void check_probabilities(node_check& check, const operand& out) {
  const auto to = check.per_tensor(out, "output");
  check.demand(to.scale == 1.0f / 256 && to.zero_point == -128, "output does not have scale 1/256 and zero point -128");
}

/// Sets `by` and `farthest` of `plan`, and computes its table `exponentials` unless `purpose` is `planning`. Entries with an index above
/// `farthest` are 0. The reference skips inputs that are more than `farthest` below the row's maximum, with the same results.
constexpr void describe_exponentials(node_check& check, quantized::fixed_multiplier multiplier, describe_for purpose,
                                     exponential_rows& plan) {
  // The sum of exponentials has 12 integer bits.
  if (!check.demand(plan.depth < 4096, "sums of ", plan.depth, " exponentials may not fit 32 bits")) return;
  plan.by = multiplier;
  plan.farthest = static_cast<std::int32_t>(static_cast<std::int64_t>(31 << 26) >> plan.by.shift);
  if (purpose == describe_for::planning) return;
  for (std::int32_t difference = 0; difference < 256 && difference <= plan.farthest; ++difference) {
    const auto scaled = quantized::high_multiply(quantized::shift_left(-difference, plan.by.shift), plan.by.value);
    plan.exponentials[static_cast<std::size_t>(difference)] = fixed_point::exp_of_negative(scaled);
  }
}

/// Like the overload above, with the factor `beta` · `scale`. The check fails if the factor is at most 2^-26.
constexpr void describe_exponentials(node_check& check, double beta, float scale, describe_for purpose, exponential_rows& plan) {
  const auto real = std::min(beta * static_cast<double>(scale) * (1 << 26), 2147483647.0);
  if (check.demand(real > 1, "the input's scale is too small")) describe_exponentials(check, quantized::to_fixed(real), purpose, plan);
}

/// Describes `baton.softmax`.
constexpr auto describe_softmax_by_factor(const program_view& program, const node& record, describe_for purpose)
    -> node_description<exponential_rows> {
  node_check check{program, record};
  const auto operands = row_operands_of(check);
  const auto& [in, out] = operands;
  auto plan = plan_of(operands);
  check.demand(in.is_int8() && out.is_int8(), "input ", facts(in.type).name, " and output ", facts(out.type).name, " are not both int8");
  if (out.quant.channels != 0) check_probabilities(check, out);
  const quantized::fixed_multiplier by{check.option("multiplier", 0, 1 << 30, INT32_MAX), check.option("shift", 0, 1, 30)};
  const auto farthest = check.option("diff_min", 0, INT32_MIN + 1, 0);
  if (check.ok()) describe_exponentials(check, by, purpose, plan);
  check.demand(plan.farthest == -farthest, "diff_min is ", farthest, ", but the shift makes it ", -plan.farthest);
  return {check.verdict_so_far(), plan, elementwise_facts(check, program, record)};
}

constexpr auto describe_softmax(const program_view& program, const node& record, describe_for purpose)
    -> node_description<exponential_rows> {
  node_check check{program, record};
  const auto operands = row_operands_of(check);
  const auto& [in, out] = operands;
  if (in.type == dtype::int16 && out.type == dtype::int16) return {refuse()};  // `softmax_int16` computes this node
  auto plan = plan_of(operands);
  const bool is_known = in.type == out.type ? in.is_int8() || in.is_float() : in.is_int8() && out.type == dtype::int16;
  check.demand(is_known, "input ", facts(in.type).name, " with output ", facts(out.type).name,
               " is not supported; supported are int8 with int8 or int16, int16 with int16, and float32 with float32");
  const auto beta = program.real(record, "beta");
  check.demand(beta > 0 && beta <= static_cast<double>(std::numeric_limits<float>::max()), "beta is not positive and finite");
  plan.beta = check.ok() ? static_cast<float>(beta) : 1;
  if (!in.is_int8()) return {check.verdict_so_far(), plan, elementwise_facts(check, program, record)};
  const auto from = check.per_tensor(in, "input");
  if (out.is_int8()) {
    check_probabilities(check, out);
  } else {
    const auto to = check.per_tensor(out, "output");
    const bool is_near = to.scale > 0.999f / 65536 && to.scale < 1.001f / 65536;
    check.demand(is_near && to.zero_point == -32768, "output does not have scale 1/65536 and zero point -32768");
  }
  describe_exponentials(check, beta, from.scale, purpose, plan);
  return {check.verdict_so_far(), plan, elementwise_facts(check, program, record)};
}

constexpr auto describe_log_softmax(const program_view& program, const node& record, describe_for purpose)
    -> node_description<exponential_rows> {
  node_check check{program, record};
  const auto operands = row_operands_of(check);
  const auto& [in, out] = operands;
  auto plan = plan_of(operands);
  plan.is_log = 1;
  check.demand(in.type == out.type && (in.is_int8() || in.is_float()), "input ", facts(in.type).name, " and output ", facts(out.type).name,
               " are not both int8 or both float32");
  if (!in.is_int8()) return {check.verdict_so_far(), plan, elementwise_facts(check, program, record)};
  const auto from = check.per_tensor(in, "input");
  const auto to = check.per_tensor(out, "output");
  check.demand(to.scale == 1.0f / 16 && to.zero_point == 127, "output does not have scale 1/16 and zero point 127");
  describe_exponentials(check, 1, from.scale, purpose, plan);
  if (!check.ok()) return {check.verdict_so_far(), plan};
  const auto back = static_cast<double>(std::int64_t{1} << (31 - plan.by.shift)) / static_cast<double>(plan.by.value);
  check.demand(back < 1, "the input's scale is too small");
  plan.back = quantized::to_fixed(back);
  return {check.verdict_so_far(), plan, elementwise_facts(check, program, record)};
}

/// Returns the largest number of a row of int8.
[[gnu::always_inline]] inline auto largest_of(const exponential_rows& plan, const char* from) -> std::int32_t {
  std::int32_t largest = -128;
  for (std::int32_t i = 0; i < plan.depth; ++i) largest = std::max<std::int32_t>(load<std::int8_t>(from, i), largest);
  return largest;
}
/// Returns the sum of a row's exponentials in Q12.19.
[[gnu::always_inline]] inline auto sum_of_exponentials(const exponential_rows& plan, const char* from, std::int32_t largest)
    -> std::int32_t {
  std::int32_t sum = 0;
  for (std::int32_t i = 0; i < plan.depth; ++i) {
    sum += quantized::rounding_shift_right(plan.exponentials[static_cast<std::size_t>(largest - load<std::int8_t>(from, i))], 12);
  }
  return sum;
}

/// Computes one row of a softmax on int8. All exponentials come from the table, so no transcendental function is computed at run time.
template <class To>
[[gnu::always_inline]] inline void softmax_row(const exponential_rows& plan, const char* from, char* to) {
  const auto largest = largest_of(plan, from);
  const auto sum = sum_of_exponentials(plan, from, largest);
  const auto zeros = static_cast<std::int32_t>(std::countl_zero(static_cast<std::uint32_t>(sum)));
  const auto mantissa = static_cast<std::int32_t>((static_cast<std::uint32_t>(sum) << zeros) - (std::uint32_t{1} << 31));
  const auto scale = fixed_point::reciprocal_of_one_plus(mantissa);
  const auto bits = 12 - zeros + 31 - 8 * static_cast<std::int32_t>(sizeof(To));
  constexpr std::int32_t highest = std::numeric_limits<To>::max();
  constexpr std::int32_t lowest = std::numeric_limits<To>::min();
  for (std::int32_t i = 0; i < plan.depth; ++i) {
    const auto product = quantized::high_multiply(scale, plan.exponentials[static_cast<std::size_t>(largest - load<std::int8_t>(from, i))]);
    const auto probability = bits > 31 ? 0 : quantized::rounding_shift_right(product, bits);
    store(to, i, static_cast<To>(probability > highest - lowest ? highest : probability + lowest));
  }
}

/// Computes one row of log-softmax on int8: the logarithm in Q5.26, rounded to steps of 1/16.
[[gnu::always_inline]] inline void log_softmax_row(const exponential_rows& plan, const char* from, char* to) {
  const auto largest = largest_of(plan, from);
  const auto log_sum = fixed_point::log_of_one_or_more(sum_of_exponentials(plan, from, largest));
  // For differences of at least `too_far`, the result is -128, because the scaled difference exceeds Q5.26, or exceeds 32 bits after
  // `log_sum` is subtracted.
  const auto too_far = std::min(plan.farthest + 1, -quantized::requantize(log_sum + std::numeric_limits<std::int32_t>::min(), plan.back));
  for (std::int32_t i = 0; i < plan.depth; ++i) {
    const auto difference = largest - load<std::int8_t>(from, i);
    std::int32_t result = -128;
    if (difference < too_far) {
      const auto scaled = quantized::high_multiply(quantized::shift_left(-difference, plan.by.shift), plan.by.value);
      result = std::clamp<std::int32_t>(quantized::rounding_shift_right(scaled - log_sum, 31 - 5 - 4) + 127, -128, 127);
    }
    store(to, i, static_cast<std::int8_t>(result));
  }
}

[[gnu::always_inline]] inline void float_softmax_row(const exponential_rows& plan, const char* from, char* to) {
  float largest = std::numeric_limits<float>::lowest();
  for (std::int32_t i = 0; i < plan.depth; ++i) largest = std::max(largest, load<float>(from, i));
  float sum = 0.0f;
  if (plan.is_log) {
    for (std::int32_t i = 0; i < plan.depth; ++i) sum += machine::exp(load<float>(from, i) - largest);
    const auto log_sum = machine::log(sum);
    for (std::int32_t i = 0; i < plan.depth; ++i) store(to, i, load<float>(from, i) - largest - log_sum);
    return;
  }
  for (std::int32_t i = 0; i < plan.depth; ++i) {
    const auto exponential = machine::exp((load<float>(from, i) - largest) * plan.beta);
    store(to, i, exponential);
    sum += exponential;
  }
  for (std::int32_t i = 0; i < plan.depth; ++i) store(to, i, load<float>(to, i) / sum);
}

/// Returns exp of a number in [-10, 0], rounded to float: the 16th power of exp(x / 16), which is computed by a power series.
constexpr auto bounded_exp(float x) -> float {
  const auto part = static_cast<double>(x) / 16;
  double sum = 1;
  for (int n = 12; n > 0; --n) sum = 1 + part * sum / n;
  for (int n = 0; n < 4; ++n) sum *= sum;
  return static_cast<float>(sum);
}

/// The compile-time plan of a softmax of int16.
struct wide_softmax {
  std::int32_t rows = 1;
  std::int32_t depth = 1;
  quantized::fixed_multiplier by{};  ///< beta · scale; converts the input minus the row's maximum to units of 10 / 65535
  curve exponentials{};              ///< exp on [-10, 0]
  curve reciprocals{};               ///< 1 / (1 + x) on [0, 1]
};

constexpr auto describe_wide_softmax(const program_view& program, const node& record, describe_for purpose)
    -> node_description<wide_softmax> {
  node_check check{program, record};
  const auto operands = row_operands_of(check);
  const auto& [in, out] = operands;
  if (in.type != dtype::int16 || out.type != dtype::int16) return {refuse()};
  const auto beta = program.real(record, "beta");
  check.demand(beta > 0 && beta <= static_cast<double>(std::numeric_limits<float>::max()), "beta is not positive and finite");
  const auto from = check.per_tensor(in, "input");
  const auto to = check.per_tensor(out, "output");
  check.demand(from.zero_point == 0, "input has zero point ", from.zero_point);
  const bool is_near = to.scale > 0.999f / 32768 && to.scale < 1.001f / 32768;
  check.demand(is_near && to.zero_point == 0, "output does not have scale 1/32768 and zero point 0");
  // The first of these limits ensures that a sum of 16-bit exponentials fits 32 bits. The second ensures that the difference of two inputs
  // fits 32 bits after it is shifted left by `by.shift`.
  check.demand(in.last() < 65536, "sums of ", in.last(), " exponentials may not fit 32 bits");
  const auto by = quantized::to_fixed(static_cast<double>(from.scale) * beta / (10.0 / 65535.0));
  check.demand(by.shift < 16, "the input's scale is too large");
  wide_softmax plan{.rows = in.count / in.last(), .depth = in.last(), .by = by};
  if (check.ok() && purpose == describe_for::computing) {
    plan.exponentials = curve_of(-10.0f, 0.0f, 2.0f / 65535, bounded_exp);
    plan.reciprocals = curve_of(0.0f, 1.0f, 2.0f / 65535, [](float x) { return 1.0f / (1.0f + x); });
  }
  return {check.verdict_so_far(), plan, elementwise_facts(check, program, record)};
}

/// Computes one row of a softmax on int16. The output holds the exponentials until their sum is known.
[[gnu::always_inline]] inline void softmax_row(const wide_softmax& plan, const char* from, char* to) {
  std::int32_t largest = -32768;
  for (std::int32_t i = 0; i < plan.depth; ++i) largest = std::max<std::int32_t>(load<std::int16_t>(from, i), largest);
  std::int32_t sum = 0;  // Q16.15
  for (std::int32_t i = 0; i < plan.depth; ++i) {
    const auto scaled = quantized::requantize(load<std::int16_t>(from, i) - largest, plan.by);
    const auto exponential = value_at(plan.exponentials, std::max<std::int32_t>(scaled + 32767, -32768));
    store(to, i, static_cast<std::int16_t>(exponential));
    sum += exponential;
  }
  const auto zeros = static_cast<std::int32_t>(std::countl_zero(static_cast<std::uint32_t>(sum)));
  const auto mantissa = static_cast<std::int32_t>(((static_cast<std::int64_t>(sum) << (zeros - 1)) + (1 << 13)) >> 14);
  const auto reciprocal = value_at(plan.reciprocals, std::clamp<std::int32_t>(mantissa - 98304, -32768, 32767));
  const auto bits = 31 - zeros;
  for (std::int32_t i = 0; i < plan.depth; ++i) {
    const auto product = static_cast<std::int64_t>(load<std::int16_t>(to, i)) * reciprocal;
    const auto probability = static_cast<std::int32_t>((product + (std::int64_t{1} << (bits - 1))) >> bits);
    store(to, i, static_cast<std::int16_t>(std::clamp<std::int32_t>(probability, 0, 32767)));
  }
}

}  // namespace detail

/// A kernel that computes `tfl.softmax` on float32, and on int8 to int8 (scale 1/256, zero point -128) or to int16 (scale 1/65536, zero
/// point -32768). Also computes `tfl.log_softmax` on float32, and on int8 to int8 (scale 1/16, zero point 127). Numeric rules: the
/// reference kernels of TensorFlow Lite Micro, in gemmlowp's fixed point. The output may share the memory of the input if their types are
/// equal. `baton.softmax` is `tfl.softmax` on int8 with attributes instead of scales (CMSIS-NN's `arm_softmax_s8`). `multiplier` and
/// `shift` (a left shift from 1 to 30) form the factor that converts a difference to Q5.26. A difference is an input minus the largest
/// input of its row. `diff_min` is the smallest difference whose exponential is computed; the exponentials of smaller differences are 0.
/// `shift` determines this number, so any other `diff_min` is refused. The input and the output need no quantization.
struct softmax {
  static constexpr literal_name operators[] = {"tfl.softmax", "tfl.log_softmax", "baton.softmax"};
  static constexpr auto describe(const program_view& program, const node& record, describe_for purpose = describe_for::computing)
      -> node_description<detail::exponential_rows> {
    auto result = describe_any(program, record, purpose);
    if (result.support) result.facts.chunks = result.plan.rows;
    return result;
  }
  [[gnu::always_inline]] static void compute(const detail::exponential_rows& plan, const node_memory& memory) {
    compute_range(plan, memory.inputs[0], memory.outputs[0], 0, plan.rows);
  }
  /// Computes the chunks [`first`, `last`), each of one row (see `kernel_facts::chunks`).
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    compute_range(node_plan<softmax, Call>, call.template input<0>(), call.template output<0>(), first, last);
  }

 private:
  static constexpr auto describe_any(const program_view& program, const node& record, describe_for purpose)
      -> node_description<detail::exponential_rows> {
    if (record.is("tfl.softmax")) return detail::describe_softmax(program, record, purpose);
    if (record.is("baton.softmax")) return detail::describe_softmax_by_factor(program, record, purpose);
    return detail::describe_log_softmax(program, record, purpose);
  }
  [[gnu::always_inline]] static void compute_range(const detail::exponential_rows& plan, const char* input, char* output,
                                                   std::ptrdiff_t first, std::ptrdiff_t last) {
    const std::ptrdiff_t from_bytes = plan.depth * (plan.from_type == dtype::float32 ? 4 : 1);
    const std::ptrdiff_t to_bytes = plan.depth * (plan.to_type == dtype::float32 ? 4 : plan.to_type == dtype::int16 ? 2 : 1);
    for (auto row = first; row < last; ++row) {
      const char* from = input + row * from_bytes;
      char* to = output + row * to_bytes;
      if (plan.from_type == dtype::float32) {
        detail::float_softmax_row(plan, from, to);
      } else if (plan.is_log) {
        detail::log_softmax_row(plan, from, to);
      } else if (plan.to_type == dtype::int16) {
        detail::softmax_row<std::int16_t>(plan, from, to);
      } else {
        detail::softmax_row<std::int8_t>(plan, from, to);
      }
    }
  }
};
static_assert(kernel<softmax>);

namespace detail {

/// A kernel that computes `tfl.softmax` on int16, to int16 of scale 1/32768. Outputs follow `SoftmaxInt16` of TensorFlow Lite's
/// `reference/softmax.h`. The output may share the memory of the input.
struct softmax_int16 {
  static constexpr literal_name operators[] = {"tfl.softmax"};
  static constexpr auto describe(const program_view& program, const node& record, describe_for purpose = describe_for::computing)
      -> node_description<detail::wide_softmax> {
    auto result = detail::describe_wide_softmax(program, record, purpose);
    if (result.support) result.facts.chunks = result.plan.rows;
    return result;
  }
  [[gnu::always_inline]] static void compute(const detail::wide_softmax& plan, const node_memory& memory) {
    compute_range(plan, memory.inputs[0], memory.outputs[0], 0, plan.rows);
  }
  /// Computes the chunks [`first`, `last`), each of one row.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    compute_range(node_plan<softmax_int16, Call>, call.template input<0>(), call.template output<0>(), first, last);
  }

 private:
  [[gnu::always_inline]] static void compute_range(const detail::wide_softmax& plan, const char* input, char* output, std::ptrdiff_t first,
                                                   std::ptrdiff_t last) {
    for (auto row = first; row < last; ++row) detail::softmax_row(plan, input + 2 * row * plan.depth, output + 2 * row * plan.depth);
  }
};
static_assert(kernel<softmax_int16>);

}  // namespace detail

}  // namespace baton::portable

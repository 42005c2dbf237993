// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Softmax along the last axis, `tfl.softmax`, for int8 (fixed point throughout) and float32.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/products.hpp>
#include <baton/kernels/quantized.hpp>
#include <baton/operators/fixed_point.hpp>
#include <baton/run/kernel.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace baton::portable {

namespace detail {

/// What the compiler knows of a softmax.
struct normalization {
  flag is_int8 = 0;
  std::int32_t rows = 1;
  std::int32_t depth = 1;
  fixed_multiplier by{};  ///< int8: beta · scale, to Q5.26; the shift is to the left
};
static_assert(has_no_padding<normalization>);

/// Input of any rank, read as [rows, depth]; the output has its shape, and if int8 the scale 1/256 and the zero point -128.
constexpr auto describe_softmax(const program_view& program, const node& record) -> description<normalization> {
  node_check check{program, record};
  check.counts(1, 1);
  const auto in = check.input(0, "input");
  const auto out = check.output();
  normalization plan{.is_int8 = in.is_int8(), .rows = in.count / in.last(), .depth = in.last()};
  check.demand(in.type == out.type && (in.is_int8() || in.is_float()), "input ", facts(in.type).name, " and output ", facts(out.type).name,
               " are not both int8 or both float32");
  check.demand(std::ranges::equal(in.shape, out.shape), "output has another shape than the input");
  const auto beta = program.real(record, "beta");
  check.demand(beta > 0 && beta <= static_cast<double>(std::numeric_limits<float>::max()), "beta is not positive and finite");
  if (!plan.is_int8) return {check.verdict_so_far(), plan};
  const auto from = check.per_tensor(in, "input");
  const auto to = check.per_tensor(out, "output");
  check.demand(to.scale == 1.0f / 256 && to.zero_point == -128, "output does not have scale 1/256 and zero point -128");
  // The sum of exponentials has 12 integer bits.
  check.demand(plan.depth < 4096, "sums of ", plan.depth, " exponentials may not fit 32 bits");
  const auto real = std::min(beta * static_cast<double>(from.scale) * (1 << 26), 2147483647.0);
  if (check.demand(real > 1, "the input's scale is too small")) plan.by = to_fixed(real);
  return {check.verdict_so_far(), plan};
}

/// exp(-difference to the largest), by difference, in Q0.31; 0 where the reference gives up, which adds and multiplies to the same.
constexpr auto exponentials(fixed_multiplier by) -> std::array<std::int32_t, 256> {
  std::array<std::int32_t, 256> table{};
  const auto most = static_cast<std::int64_t>(31 << 26) >> by.shift;
  for (std::int32_t difference = 0; difference < 256 && difference <= most; ++difference) {
    table[static_cast<std::size_t>(difference)] = fixed_point::exp_of_negative(high_multiply(shift_left(-difference, by.shift), by.value));
  }
  return table;
}

/// One row. Its table gives every exponential, so that no transcendental function runs on the target.
template <std::int32_t Depth>
void softmax_row(const std::int8_t* from, const std::array<std::int32_t, 256>& table, std::int8_t* to) {
  std::int32_t largest = -128;
  for (std::int32_t i = 0; i < Depth; ++i) largest = from[i] > largest ? from[i] : largest;
  const auto exponential = [&](std::int32_t i) { return table[static_cast<std::size_t>(largest - from[i])]; };
  std::int32_t sum = 0;  // Q12.19
  for (std::int32_t i = 0; i < Depth; ++i) sum += rounding_shift_right(exponential(i), 12);
  const auto above_one = std::countl_zero(static_cast<std::uint32_t>(sum));
  const auto mantissa = static_cast<std::int32_t>((static_cast<std::uint32_t>(sum) << above_one) - (std::uint32_t{1} << 31));
  const auto scale = fixed_point::reciprocal_of_one_plus(mantissa);
  const auto bits = 12 - above_one + 31 - 8;
  for (std::int32_t i = 0; i < Depth; ++i) {
    const auto product = high_multiply(scale, exponential(i));
    const auto probability = bits > 31 ? 0 : rounding_shift_right(product, bits);
    to[i] = static_cast<std::int8_t>(probability > 255 ? 127 : probability - 128);
  }
}

template <std::int32_t Depth>
void softmax_row(const char* from, float beta, char* to) {
  float largest = std::numeric_limits<float>::lowest();
  for (std::int32_t i = 0; i < Depth; ++i) largest = std::max(largest, load<float>(from, i));
  float sum = 0.0f;
  for (std::int32_t i = 0; i < Depth; ++i) {
    const auto exponential = std::exp((load<float>(from, i) - largest) * beta);
    store(to, i, exponential);
    sum += exponential;
  }
  for (std::int32_t i = 0; i < Depth; ++i) store(to, i, load<float>(to, i) / sum);
}

}  // namespace detail

/// `tfl.softmax` on int8 (to scale 1/256, zero point -128) or float32. Numeric rules: the reference kernels of TensorFlow Lite Micro, in
/// gemmlowp's fixed point. The output may be the input's memory.
struct softmax {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!record.is("tfl.softmax")) return refuse();  // GCC 12: no conditional operator on class prvalues
    return detail::describe_softmax(program, record).found;
  }

  template <class Call>
  static void run(const Call& call) {
    constexpr auto plan = detail::describe_softmax(Call::program(), Call::record()).plan;
    const char* from = call.template input<0>();
    char* to = call.template output<0>();
    for (std::ptrdiff_t row = 0; row < plan.rows; ++row) {
      if constexpr (plan.is_int8) {
        static constexpr auto table = detail::exponentials(plan.by);
        detail::softmax_row<plan.depth>(reinterpret_cast<const std::int8_t*>(from) + row * plan.depth, table,
                                        reinterpret_cast<std::int8_t*>(to) + row * plan.depth);
      } else {
        constexpr auto beta = static_cast<float>(Call::program().real(Call::record(), "beta"));
        detail::softmax_row<plan.depth>(from + 4 * row * plan.depth, beta, to + 4 * row * plan.depth);
      }
    }
  }
};
static_assert(kernel<softmax>);

}  // namespace baton::portable

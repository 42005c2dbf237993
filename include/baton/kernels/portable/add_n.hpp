// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The sum of any number of operands, `tfl.add_n`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/is_shape_like.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/detail/rescaling.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::portable {

namespace detail {

/// The compile-time plan of a sum of operands.
struct sum_of_operands {
  flag is_int8 = 0;
  std::int32_t operands = 0;
  std::int32_t count = 0;  ///< elements
  scaled_operand in{};
  quantized::fixed_multiplier by{};  ///< int8: the factor from the sum of terms to the output
  std::int32_t zero_point = 0;
};
static_assert(has_no_padding<sum_of_operands>);

/// A kernel that computes `tfl.add_n` on two or more operands of the same shape. All are float32, or all are int8 with the same scale and
/// zero point. Numeric rule: TensorFlow Lite Micro's add_n.cc. The term of an input is (input − zero point) · 2^20 / 2. As in add_n.cc, the
/// sum consists of the terms of all inputs, plus the term that an input of 0 would have. This term is 0 only if the zero point is 0. The
/// sum is rescaled to the output with double rounding. Sums of 16 or more operands may wrap around.
struct add_n {
  static constexpr literal_name operators[] = {"tfl.add_n"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::sum_of_operands> {
    node_check check{program, record};
    check.conforms();
    check.demand(record.inputs.size >= 2, "the operator has ", record.inputs.size, " operands, not two or more");
    const auto out = check.output();
    check.is_one_of(out, {dtype::float32, dtype::int8}, "output");
    detail::sum_of_operands plan{.is_int8 = out.is_int8(), .operands = static_cast<std::int32_t>(record.inputs.size), .count = out.count};
    const auto first = check.input(0, "input");
    const auto from = plan.is_int8 != 0 ? check.per_tensor(first, "input") : affine{};
    for (std::size_t i = 1; i < record.inputs.size; ++i) {
      const auto in = check.input(i, "input");
      check.demand(in.type == out.type, "input ", i, " is ", facts(in.type).name, ", the output is ", facts(out.type).name);
      check.demand(is_shape_like(in.shape, out.shape), "input ", i, " has a different shape");
      const auto other = plan.is_int8 != 0 ? check.per_tensor(in, "input") : from;
      check.demand(other.scale == from.scale && other.zero_point == from.zero_point, "the quantization of input ", i,
                   " differs from that of input 0");
    }
    if (plan.is_int8 != 0) {
      const auto to = check.per_tensor(out, "output");
      const auto twice = 2 * static_cast<double>(from.scale);
      plan.in = {from.zero_point, quantized::to_fixed(0.5)};
      plan.by = detail::factor_below_one(check, twice / (1048576 * static_cast<double>(to.scale)), "the sum");
      plan.zero_point = to.zero_point;
    }
    kernel_facts result;
    for (auto& of : result.operands) of.distance = {.ascending = 0};  // all operands have the type and shape of the output
    return {check.verdict_so_far(), plan, result};
  }

  [[gnu::always_inline]] static void compute(const detail::sum_of_operands& plan, const node_memory& memory) {
    char* const to = memory.outputs[0];
    for (std::int32_t i = 0; i < plan.count; ++i) {
      if (plan.is_int8 != 0) {
        const auto scaled = [&](std::int32_t x) { return quantized::requantize((x - plan.in.zero_point) * 1048576, plan.in.by); };
        auto sum = scaled(0);
        for (std::int32_t n = 0; n < plan.operands; ++n) sum = wrapping_sum(sum, scaled(load<std::int8_t>(memory.inputs[n], i)));
        const auto result = wrapping_sum(quantized::requantize(sum, plan.by), plan.zero_point);
        store(to, i, static_cast<std::int8_t>(quantized::bounds<std::int32_t>{-128, 127}.clamp(result)));
      } else {
        float sum = 0;
        for (std::int32_t n = 0; n < plan.operands; ++n) sum += load<float>(memory.inputs[n], i);
        store(to, i, sum);
      }
    }
  }
};
static_assert(kernel<add_n>);

}  // namespace detail

}  // namespace baton::portable

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Elementwise functions of two int8 tensors of equal shape by CMSIS-NN.
#pragma once

#include <baton/backends/cmsis_nn/detail/exactness.hpp>
#include <baton/backends/cmsis_nn/detail/library.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/portable/pairwise.hpp>
#include <baton/operators/requantization.hpp>

#include <cstdint>
#include <utility>

namespace baton::cmsis_nn {

namespace detail {

/// The arguments of an elementwise function, as the library expects them.
struct elementwise_arguments {
  std::int32_t count = 0;
  std::int32_t left_offset = 0;
  quantized::fixed_multiplier left{};
  std::int32_t right_offset = 0;
  quantized::fixed_multiplier right{};
  std::int32_t offset = 0;
  quantized::fixed_multiplier by{};
  quantized::bounds<std::int32_t> range{};
};

/// The number of bits by which the operands of a sum are shifted left before they are scaled.
inline constexpr std::int32_t sum_headroom = 20;

constexpr auto describe_pairs(const program_view& program, const node& record) -> node_description<elementwise_arguments> {
  auto description = portable::pairwise::describe(program, record);
  if (!description.support) return {std::move(description.support), {}};
  const auto& pair_plan = description.plan;
  if (program[program.inputs(record)[0]].type != dtype::int8) return {refuse("types are not int8"), {}};
  if (!pair_plan.loops.is_whole(0) || !pair_plan.loops.is_whole(1)) return {refuse("an operand is broadcast"), {}};
  elementwise_arguments plan;
  plan.count = static_cast<std::int32_t>(element_count(program.shape(program.outputs_of(record)[0])));
  plan.left_offset = -pair_plan.left.zero_point;
  plan.left = library_factor(pair_plan.left.by);
  plan.right_offset = -pair_plan.right.zero_point;
  plan.right = library_factor(pair_plan.right.by);
  plan.offset = pair_plan.zero_point;
  plan.by = library_factor(pair_plan.by);
  plan.range = pair_plan.range;
  const bool is_sum = record.is("tfl.add");
  constexpr std::int64_t max = 255;
  const bool fits = is_sum ? is_exact(pair_plan.left.by, max << sum_headroom) && is_exact(pair_plan.right.by, max << sum_headroom) &&
                                 is_exact(pair_plan.by, max << (sum_headroom + 1))
                           : is_exact(pair_plan.by, max * max);
  if (!fits) return {refuse("scaled numbers do not fit 32 bits, or a scale ratio is out of range"), {}};
  return {accept(), plan};
}

constexpr auto describe_extremum(const program_view& program, const node& record) -> node_description<std::int32_t> {
  auto description = portable::pairwise::describe(program, record);
  if (!description.support) return {std::move(description.support), 0};
  if (program[program.inputs(record)[0]].type != dtype::int8) return {refuse("types are not int8"), 0};
  if (!description.plan.loops.is_whole(0) || !description.plan.loops.is_whole(1)) return {refuse("an operand is broadcast"), 0};
  return {accept(), static_cast<std::int32_t>(element_count(program.shape(program.outputs_of(record)[0])))};
}

/// Calls `function` with operands and output as tensors of shape [1, 1, 1, `count`].
template <class Function>
void call_with_row(Function function, std::int32_t count, const node_memory& memory) {
  const cmsis_nn_context none{nullptr, 0};
  const cmsis_nn_dims row{.n = 1, .h = 1, .w = 1, .c = count};
  static_cast<void>(function(&none, int8_at(memory.inputs[0]), &row, int8_at(memory.inputs[1]), &row, int8_at(memory.outputs[0]), &row));
}

}  // namespace detail

/// A kernel that computes `tfl.add` on two int8 tensors of equal shape, with any fused activation. Results are bit-identical to
/// `portable::pairwise`.
struct add {
  static constexpr literal_name operators[] = {"tfl.add"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::elementwise_arguments> {
    return detail::describe_pairs(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::elementwise_arguments& plan, const node_memory& memory) {
    static_cast<void>(arm_elementwise_add_s8(detail::int8_at(memory.inputs[0]), detail::int8_at(memory.inputs[1]), plan.left_offset,
                                             plan.left.value, plan.left.shift, plan.right_offset, plan.right.value, plan.right.shift,
                                             detail::sum_headroom, detail::int8_at(memory.outputs[0]), plan.offset, plan.by.value,
                                             plan.by.shift, plan.range.lower, plan.range.upper, plan.count));
  }
};
static_assert(kernel<add>);

/// A kernel that computes `tfl.mul` on two int8 tensors of equal shape, with any fused activation. Results are bit-identical to
/// `portable::pairwise`.
struct mul {
  static constexpr literal_name operators[] = {"tfl.mul"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::elementwise_arguments> {
    return detail::describe_pairs(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::elementwise_arguments& plan, const node_memory& memory) {
    static_cast<void>(arm_elementwise_mul_s8(detail::int8_at(memory.inputs[0]), detail::int8_at(memory.inputs[1]), plan.left_offset,
                                             plan.right_offset, detail::int8_at(memory.outputs[0]), plan.offset, plan.by.value,
                                             plan.by.shift, plan.range.lower, plan.range.upper, plan.count));
  }
};
static_assert(kernel<mul>);

/// A kernel that computes `tfl.maximum` on two int8 tensors of equal shape.
struct maximum {
  static constexpr literal_name operators[] = {"tfl.maximum"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<std::int32_t> {
    return detail::describe_extremum(program, record);
  }
  static void compute(std::int32_t count, const node_memory& memory) { detail::call_with_row(arm_maximum_s8, count, memory); }
};
/// A kernel that computes `tfl.minimum` on two int8 tensors of equal shape.
struct minimum {
  static constexpr literal_name operators[] = {"tfl.minimum"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<std::int32_t> {
    return detail::describe_extremum(program, record);
  }
  static void compute(std::int32_t count, const node_memory& memory) { detail::call_with_row(arm_minimum_s8, count, memory); }
};
static_assert(kernel<maximum> && kernel<minimum>);

}  // namespace baton::cmsis_nn

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions of two int8 tensors of one shape by CMSIS-NN.
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

/// Two tensors and what becomes of them, as the library takes them.
struct pairs {
  std::int32_t count = 0;
  std::int32_t left_offset = 0;
  portable::fixed_multiplier left{};
  std::int32_t right_offset = 0;
  portable::fixed_multiplier right{};
  std::int32_t offset = 0;
  portable::fixed_multiplier by{};
  portable::bounds<std::int32_t> range{};
};

/// Of a sum, numbers are shifted to the left by so many bits before they are scaled.
inline constexpr std::int32_t sum_headroom = 20;

constexpr auto describe_pairs(const program_view& program, const node& record) -> node_description<pairs> {
  auto found = portable::pairwise::describe(program, record);
  if (!found.support) return {std::move(found.support), {}};
  const auto& of = found.plan;
  if (program[program.inputs(record)[0]].type != dtype::int8) return {refuse("types are not int8"), {}};
  if (!of.loops.is_whole(0) || !of.loops.is_whole(1)) return {refuse("an operand is broadcast"), {}};
  pairs plan;
  plan.count = static_cast<std::int32_t>(element_count(program.shape(program.outputs_of(record)[0])));
  plan.left_offset = -of.left.zero_point;
  plan.left = settled(of.left.by);
  plan.right_offset = -of.right.zero_point;
  plan.right = settled(of.right.by);
  plan.offset = of.zero_point;
  plan.by = settled(of.by);
  plan.range = of.range;
  const bool is_sum = record.is("tfl.add");
  constexpr std::int64_t most = 255;
  const bool fits = is_sum ? is_exact(of.left.by, most << sum_headroom) && is_exact(of.right.by, most << sum_headroom) &&
                                 is_exact(of.by, most << (sum_headroom + 1))
                           : is_exact(of.by, most * most);
  if (!fits) return {refuse("scales are too far apart for 32 bits"), {}};
  return {accept(), plan};
}

constexpr auto describe_largest(const program_view& program, const node& record) -> node_description<std::int32_t> {
  auto found = portable::pairwise::describe(program, record);
  if (!found.support) return {std::move(found.support), 0};
  if (program[program.inputs(record)[0]].type != dtype::int8) return {refuse("types are not int8"), 0};
  if (!found.plan.loops.is_whole(0) || !found.plan.loops.is_whole(1)) return {refuse("an operand is broadcast"), 0};
  return {accept(), static_cast<std::int32_t>(element_count(program.shape(program.outputs_of(record)[0])))};
}

/// As one row.
template <class Function>
void choose_by(Function function, std::int32_t count, const node_memory& at) {
  const cmsis_nn_context none{nullptr, 0};
  const cmsis_nn_dims row{.n = 1, .h = 1, .w = 1, .c = count};
  static_cast<void>(function(&none, int8_at(at.inputs[0]), &row, int8_at(at.inputs[1]), &row, int8_at(at.outputs[0]), &row));
}

}  // namespace detail

/// `tfl.add` of two int8 tensors of one shape, any fused activation. Numeric rules: `portable::pairwise`, to the byte.
struct add {
  static constexpr literal_name operators[] = {"tfl.add"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::pairs> {
    return detail::describe_pairs(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::pairs& plan, const node_memory& at) {
    static_cast<void>(arm_elementwise_add_s8(detail::int8_at(at.inputs[0]), detail::int8_at(at.inputs[1]), plan.left_offset,
                                             plan.left.value, plan.left.shift, plan.right_offset, plan.right.value, plan.right.shift,
                                             detail::sum_headroom, detail::int8_at(at.outputs[0]), plan.offset, plan.by.value,
                                             plan.by.shift, plan.range.lower, plan.range.upper, plan.count));
  }
};
static_assert(kernel<add>);

/// `tfl.mul` of two int8 tensors of one shape, any fused activation. Numeric rules: `portable::pairwise`, to the byte.
struct mul {
  static constexpr literal_name operators[] = {"tfl.mul"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::pairs> {
    return detail::describe_pairs(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::pairs& plan, const node_memory& at) {
    static_cast<void>(arm_elementwise_mul_s8(detail::int8_at(at.inputs[0]), detail::int8_at(at.inputs[1]), plan.left_offset,
                                             plan.right_offset, detail::int8_at(at.outputs[0]), plan.offset, plan.by.value, plan.by.shift,
                                             plan.range.lower, plan.range.upper, plan.count));
  }
};
static_assert(kernel<mul>);

/// `tfl.maximum` of two int8 tensors of one shape.
struct maximum {
  static constexpr literal_name operators[] = {"tfl.maximum"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<std::int32_t> {
    return detail::describe_largest(program, record);
  }
  static void compute(std::int32_t count, const node_memory& at) { detail::choose_by(arm_maximum_s8, count, at); }
};
/// `tfl.minimum` of two int8 tensors of one shape.
struct minimum {
  static constexpr literal_name operators[] = {"tfl.minimum"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<std::int32_t> {
    return detail::describe_largest(program, record);
  }
  static void compute(std::int32_t count, const node_memory& at) { detail::choose_by(arm_minimum_s8, count, at); }
};
static_assert(kernel<maximum> && kernel<minimum>);

}  // namespace baton::cmsis_nn

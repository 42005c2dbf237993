// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Average and max pools of int8 by CMSIS-NN.
#pragma once

#include <baton/backends/cmsis_nn/detail/buffer_sizes.hpp>
#include <baton/backends/cmsis_nn/detail/exactness.hpp>
#include <baton/backends/cmsis_nn/detail/library.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/portable/pooling.hpp>

#include <cstdint>
#include <utility>

namespace baton::cmsis_nn {

namespace detail {

/// A pool as the library takes it.
struct pool {
  cmsis_nn_pool_params params{};
  cmsis_nn_dims input{};
  cmsis_nn_dims filter{};
  cmsis_nn_dims output{};
  std::int32_t buffer_bytes = 0;
};

constexpr auto describe_pool(const program_view& program, const node& record) -> node_description<pool> {
  auto found = portable::describe_pool(program, record);
  if (!found.support) return {std::move(found.support), {}};
  const auto& of = found.plan;
  if (of.is_int8 == 0) return {refuse("types are not int8"), {}};
  if (!fits_16_bits(of.rows) || !fits_16_bits(of.columns)) return {refuse("a size is over 16 bits"), {}};
  return {accept(),
          {.params = {.stride = {.w = of.columns.stride, .h = of.rows.stride},
                      .padding = {.w = of.columns.before, .h = of.rows.before},
                      .activation = {.min = of.range.lower, .max = of.range.upper}},
           .input = {.n = of.batches, .h = of.rows.input, .w = of.columns.input, .c = of.channels},
           .filter = {.n = 1, .h = of.rows.filter, .w = of.columns.filter, .c = 1},
           .output = {.n = of.batches, .h = of.rows.output, .w = of.columns.output, .c = of.channels}}};
}

template <class Function>
auto pool_by(Function function, const pool& plan, const node_memory& at) -> arm_cmsis_nn_status {
  const auto context = buffer_in(at.scratch.data(), plan.buffer_bytes);
  return function(&context, &plan.params, &plan.input, int8_at(at.inputs[0]), &plan.filter, &plan.output, int8_at(at.outputs[0]));
}

}  // namespace detail

/// `tfl.average_pool_2d` on int8, any window, padding and fused activation. Numeric rules: `portable::average_pool_2d`, to the byte.
struct average_pool_2d {
  static constexpr literal_name operators[] = {"tfl.average_pool_2d"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::pool> {
    auto result = detail::describe_pool(program, record);
    result.plan.buffer_bytes = detail::average_pool_buffer(detail::this_form, result.plan.input);
    result.facts.scratch_bytes = detail::scratch_for(result.plan.buffer_bytes);
    return result;
  }
  [[gnu::always_inline]] static void compute(const detail::pool& plan, const node_memory& at) {
    static_cast<void>(detail::pool_by(arm_avgpool_s8, plan, at));
  }
};
static_assert(kernel<average_pool_2d>);

/// `tfl.max_pool_2d` on int8, any window, padding and fused activation. Numeric rules: `portable::max_pool_2d`, to the byte.
struct max_pool_2d {
  static constexpr literal_name operators[] = {"tfl.max_pool_2d"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::pool> {
    return detail::describe_pool(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::pool& plan, const node_memory& at) {
    static_cast<void>(detail::pool_by(arm_max_pool_s8, plan, at));
  }
};
static_assert(kernel<max_pool_2d>);

}  // namespace baton::cmsis_nn

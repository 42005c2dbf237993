// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// int8 average and max pools by CMSIS-NN.
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

/// The arguments of a pool, as the library expects them.
struct pool {
  cmsis_nn_pool_params params{};
  cmsis_nn_dims input{};
  cmsis_nn_dims filter{};
  cmsis_nn_dims output{};
  std::int32_t buffer_bytes = 0;
};

constexpr auto describe_pool(const program_view& program, const node& record) -> node_description<pool> {
  auto description = portable::describe_pool(program, record);
  if (!description.support) return {std::move(description.support), {}};
  const auto& source = description.plan;
  if (source.is_int8 == 0) return {refuse("types are not int8"), {}};
  if (!fits_16_bits(source.rows) || !fits_16_bits(source.columns)) return {refuse("a size does not fit 16 bits"), {}};
  return {accept(),
          {.params = {.stride = {.w = source.columns.stride, .h = source.rows.stride},
                      .padding = {.w = source.columns.before, .h = source.rows.before},
                      .activation = {.min = source.range.lower, .max = source.range.upper}},
           .input = {.n = source.batches, .h = source.rows.input, .w = source.columns.input, .c = source.channels},
           .filter = {.n = 1, .h = source.rows.filter, .w = source.columns.filter, .c = 1},
           .output = {.n = source.batches, .h = source.rows.output, .w = source.columns.output, .c = source.channels}}};
}

template <class Function>
auto pool_by(Function function, const pool& plan, const node_memory& memory) -> arm_cmsis_nn_status {
  const auto context = buffer_in(memory.scratch.data(), plan.buffer_bytes);
  return function(&context, &plan.params, &plan.input, int8_at(memory.inputs[0]), &plan.filter, &plan.output, int8_at(memory.outputs[0]));
}

}  // namespace detail

/// A kernel that computes `tfl.average_pool_2d` on int8 with any window, padding and fused activation. Results are bit-identical to
/// `portable::average_pool_2d`.
struct average_pool_2d {
  static constexpr literal_name operators[] = {"tfl.average_pool_2d"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::pool> {
    auto result = detail::describe_pool(program, record);
    result.plan.buffer_bytes = detail::average_pool_buffer(detail::target_instructions, result.plan.input);
    result.facts.scratch_bytes = detail::scratch_for(result.plan.buffer_bytes);
    return result;
  }
  [[gnu::always_inline]] static void compute(const detail::pool& plan, const node_memory& memory) {
    static_cast<void>(detail::pool_by(arm_avgpool_s8, plan, memory));
  }
};
static_assert(kernel<average_pool_2d>);

/// A kernel that computes `tfl.max_pool_2d` on int8 with any window, padding and fused activation. Results are bit-identical to
/// `portable::max_pool_2d`.
struct max_pool_2d {
  static constexpr literal_name operators[] = {"tfl.max_pool_2d"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::pool> {
    return detail::describe_pool(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::pool& plan, const node_memory& memory) {
    static_cast<void>(detail::pool_by(arm_max_pool_s8, plan, memory));
  }
};
static_assert(kernel<max_pool_2d>);

}  // namespace baton::cmsis_nn

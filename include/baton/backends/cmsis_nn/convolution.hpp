// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// int8 convolutions by CMSIS-NN.
#pragma once

#include <baton/backends/cmsis_nn/detail/buffer_sizes.hpp>
#include <baton/backends/cmsis_nn/detail/channel_table.hpp>
#include <baton/backends/cmsis_nn/detail/exactness.hpp>
#include <baton/backends/cmsis_nn/detail/layer_kernel.hpp>
#include <baton/backends/cmsis_nn/detail/library.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/portable/convolution.hpp>

#include <cstdint>
#include <utility>

namespace baton::cmsis_nn {

namespace detail {

/// The function of the library that computes a convolution.
enum class convolution_function : std::uint8_t { one_by_one_fast, one_by_one, one_by_n, any };

/// Returns the function that `arm_convolve_wrapper_s8` selects at run time.
constexpr auto function_of(const cmsis_nn_conv_params& params, const cmsis_nn_dims& input, const cmsis_nn_dims& filter)
    -> convolution_function {
  const bool is_whole = input.c == filter.c && filter.h == 1 && params.dilation.w == 1;
  if (is_whole && filter.w == 1 && params.dilation.h == 1 && params.padding.w == 0 && params.padding.h == 0) {
    return params.stride.w == 1 && params.stride.h == 1 ? convolution_function::one_by_one_fast : convolution_function::one_by_one;
  }
  if (is_whole && input.h == 1 && params.stride.w * input.c % 4 == 0) return convolution_function::one_by_n;
  return convolution_function::any;
}

constexpr auto buffer_of(instruction_set target, convolution_function function, const cmsis_nn_conv_params& params,
                         const cmsis_nn_dims& input, const cmsis_nn_dims& filter, const cmsis_nn_dims& output) -> std::int32_t {
  if (function == convolution_function::any) return convolve_buffer(target, input, filter);
  return function == convolution_function::one_by_n ? convolve_1_x_n_buffer(target, params, input, filter, output) : 0;
}

/// The arguments of a convolution, as the library expects them.
struct convolution {
  convolution_function function = convolution_function::any;
  cmsis_nn_conv_params params{};
  cmsis_nn_dims input{};
  cmsis_nn_dims filter{};
  cmsis_nn_dims bias{};
  cmsis_nn_dims output{};
  std::int32_t buffer_bytes = 0;
  channel_table table{};
};

constexpr auto describe_convolution(const program_view& program, const node& record) -> node_description<convolution> {
  auto description = portable::conv_2d::describe(program, record);
  if (!description.support) return {std::move(description.support), {}};
  const auto& layer = description.plan;
  auto fits = check_layer(program, record, layer, std::int64_t{layer.rows.filter} * layer.columns.filter * layer.group_channels);
  if (!fits) return {std::move(fits), {}};
  convolution plan;
  plan.params = {.input_offset = -layer.out.input_zero_point,
                 .output_offset = layer.out.zero_point,
                 .stride = {.w = layer.columns.stride, .h = layer.rows.stride},
                 .padding = {.w = layer.columns.before, .h = layer.rows.before},
                 .dilation = {.w = layer.columns.dilation, .h = layer.rows.dilation},
                 .activation = {.min = layer.out.range.lower, .max = layer.out.range.upper}};
  plan.input = {.n = layer.batches, .h = layer.rows.input, .w = layer.columns.input, .c = layer.in_channels};
  plan.filter = {.n = layer.out.channels, .h = layer.rows.filter, .w = layer.columns.filter, .c = layer.group_channels};
  plan.bias = {.n = 1, .h = 1, .w = 1, .c = layer.out.channels};
  plan.output = {.n = layer.batches, .h = layer.rows.output, .w = layer.columns.output, .c = layer.out.channels};
  plan.function = function_of(plan.params, plan.input, plan.filter);
  plan.buffer_bytes = buffer_of(target_instructions, plan.function, plan.params, plan.input, plan.filter, plan.output);
  plan.table.channels = layer.out.channels;
  return describe_layer(plan);
}

/// Calls the library. The call cannot fail, because `describe_convolution` has checked the library's requirements.
inline auto convolve(const convolution& plan, const node_memory& memory) -> arm_cmsis_nn_status {
  const auto context = buffer_in(memory.scratch.data(), plan.buffer_bytes);
  const auto channels = channels_of(plan, memory);
  const auto* from = int8_at(memory.inputs[0]);
  const auto* weights = int8_at(memory.inputs[1]);
  auto* to = int8_at(memory.outputs[0]);
  const auto call = [&](auto function) {
    return function(&context, &plan.params, &channels.factors, &plan.input, from, &plan.filter, weights, &plan.bias, channels.bias,
                    &plan.output, to);
  };
  switch (plan.function) {
    case convolution_function::one_by_one_fast:
      return call(arm_convolve_1x1_s8_fast);
    case convolution_function::one_by_one:
      return call(arm_convolve_1x1_s8);
    case convolution_function::one_by_n:
      return call(arm_convolve_1_x_n_s8);
    case convolution_function::any:
      break;
  }
  return arm_convolve_s8(&context, &plan.params, &channels.factors, &plan.input, from, &plan.filter, weights, &plan.bias, channels.bias,
                         nullptr, &plan.output, to);
}

}  // namespace detail

/// A kernel that computes `tfl.conv_2d` on int8 with constant int8 weights, quantized per channel or per tensor. Supports any padding,
/// stride, dilation, groups and fused activation. The function of the library is selected at compile time. Results are bit-identical to
/// `portable::conv_2d`.
struct conv_2d : detail::layer_kernel<conv_2d, portable::conv_2d> {
  static constexpr literal_name operators[] = {"tfl.conv_2d"};

  using detail::layer_kernel<conv_2d, portable::conv_2d>::compute;

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::convolution> {
    return detail::describe_convolution(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::convolution& plan, const node_memory& memory) {
    static_cast<void>(detail::convolve(plan, memory));
  }
};
static_assert(kernel<conv_2d>);

}  // namespace baton::cmsis_nn

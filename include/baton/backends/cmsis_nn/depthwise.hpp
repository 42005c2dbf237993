// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// int8 depthwise convolutions by CMSIS-NN.
#pragma once

#include <baton/backends/cmsis_nn/convolution.hpp>
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
#include <baton/kernels/portable/depthwise.hpp>

#include <cstdint>
#include <utility>

namespace baton::cmsis_nn {

namespace detail {

/// The function of the library that computes a depthwise convolution. `to_convolution`: with Helium, the library's wrapper converts a layer
/// with one input channel and many output channels to a convolution.
enum class depthwise_function : std::uint8_t { three_by_three, one_to_one, any, to_convolution };

/// Returns the function that `arm_depthwise_conv_wrapper_s8` selects at run time.
constexpr auto function_of(instruction_set target, const cmsis_nn_dw_conv_params& params, const cmsis_nn_dims& input,
                           const cmsis_nn_dims& filter, const cmsis_nn_dims& output) -> depthwise_function {
  if (target == instruction_set::mve && input.c == 1 && output.c > CONVERT_DW_CONV_WITH_ONE_INPUT_CH_AND_OUTPUT_CH_ABOVE_THRESHOLD)
    return depthwise_function::to_convolution;
  if (params.ch_mult != 1 || input.n != 1 || params.dilation.w != 1 || params.dilation.h != 1) return depthwise_function::any;
  const bool is_small = filter.w == 3 && filter.h == 3 && params.padding.w <= 1 && params.padding.h <= 1;
  return is_small && target != instruction_set::mve ? depthwise_function::three_by_three : depthwise_function::one_to_one;
}

constexpr auto buffer_of(instruction_set target, depthwise_function function, const cmsis_nn_dw_conv_params& params,
                         const cmsis_nn_dims& input, const cmsis_nn_dims& filter, const cmsis_nn_dims& output) -> std::int32_t {
  if (function == depthwise_function::one_to_one) return depthwise_buffer(target, input, filter);
  if (function != depthwise_function::to_convolution) return 0;
  const cmsis_nn_dims turned{.n = filter.c, .h = filter.h, .w = filter.w, .c = filter.n};
  const cmsis_nn_conv_params as{params.input_offset, params.output_offset, params.stride,
                                params.padding,      params.dilation,      params.activation};
  return buffer_of(target, function_of(as, input, turned), as, input, turned, output) + filter.c * filter.h * filter.w * filter.n;
}

/// The arguments of a depthwise convolution, as the library expects them.
struct depthwise {
  depthwise_function function = depthwise_function::any;
  cmsis_nn_dw_conv_params params{};
  cmsis_nn_dims input{};
  cmsis_nn_dims filter{};
  cmsis_nn_dims bias{};
  cmsis_nn_dims output{};
  std::int32_t buffer_bytes = 0;
  channel_table table{};
};

constexpr auto describe_depthwise(const program_view& program, const node& record) -> node_description<depthwise> {
  auto description = portable::depthwise_conv_2d::describe(program, record);
  if (!description.support) return {std::move(description.support), {}};
  const auto& layer = description.plan;
  auto fits = check_layer(program, record, layer, std::int64_t{layer.rows.filter} * layer.columns.filter);
  if (!fits) return {std::move(fits), {}};
  depthwise plan;
  plan.params = {.input_offset = -layer.out.input_zero_point,
                 .output_offset = layer.out.zero_point,
                 .ch_mult = layer.out.channels / layer.in_channels,
                 .stride = {.w = layer.columns.stride, .h = layer.rows.stride},
                 .padding = {.w = layer.columns.before, .h = layer.rows.before},
                 .dilation = {.w = layer.columns.dilation, .h = layer.rows.dilation},
                 .activation = {.min = layer.out.range.lower, .max = layer.out.range.upper}};
  plan.input = {.n = layer.batches, .h = layer.rows.input, .w = layer.columns.input, .c = layer.in_channels};
  plan.filter = {.n = 1, .h = layer.rows.filter, .w = layer.columns.filter, .c = layer.out.channels};
  plan.bias = {.n = 1, .h = 1, .w = 1, .c = layer.out.channels};
  plan.output = {.n = layer.batches, .h = layer.rows.output, .w = layer.columns.output, .c = layer.out.channels};
  plan.function = function_of(target_instructions, plan.params, plan.input, plan.filter, plan.output);
  plan.buffer_bytes = buffer_of(target_instructions, plan.function, plan.params, plan.input, plan.filter, plan.output);
  plan.table.channels = layer.out.channels;
  return describe_layer(plan);
}

/// Calls the library. The call cannot fail, because `describe_depthwise` has checked the library's requirements.
inline auto convolve(const depthwise& plan, const node_memory& memory) -> arm_cmsis_nn_status {
  const auto context = buffer_in(memory.scratch.data(), plan.buffer_bytes);
  const auto channels = channels_of(plan, memory);
  const auto call = [&](auto function) {
    return function(&context, &plan.params, &channels.factors, &plan.input, int8_at(memory.inputs[0]), &plan.filter,
                    int8_at(memory.inputs[1]), &plan.bias, channels.bias, &plan.output, int8_at(memory.outputs[0]));
  };
  switch (plan.function) {
    case depthwise_function::three_by_three:
      return call(arm_depthwise_conv_3x3_s8);
    case depthwise_function::one_to_one:
      return call(arm_depthwise_conv_s8_opt);
    case depthwise_function::any:
      return call(arm_depthwise_conv_s8);
    case depthwise_function::to_convolution:
      break;
  }
  return call(arm_depthwise_conv_wrapper_s8);
}

}  // namespace detail

/// A kernel that computes `tfl.depthwise_conv_2d` on int8 with constant int8 weights, quantized per channel or per tensor. Supports any
/// padding, stride, dilation, depth multiplier and fused activation. The function of the library is selected at compile time. Results are
/// bit-identical to `portable::depthwise_conv_2d`.
struct depthwise_conv_2d : detail::layer_kernel<depthwise_conv_2d, portable::depthwise_conv_2d> {
  static constexpr literal_name operators[] = {"tfl.depthwise_conv_2d"};

  using detail::layer_kernel<depthwise_conv_2d, portable::depthwise_conv_2d>::compute;

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::depthwise> {
    return detail::describe_depthwise(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::depthwise& plan, const node_memory& memory) {
    static_cast<void>(detail::convolve(plan, memory));
  }
};
static_assert(kernel<depthwise_conv_2d>);

}  // namespace baton::cmsis_nn

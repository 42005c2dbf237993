// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// int8 fully connected layers by CMSIS-NN.
#pragma once

#include <baton/backends/cmsis_nn/detail/channel_table.hpp>
#include <baton/backends/cmsis_nn/detail/exactness.hpp>
#include <baton/backends/cmsis_nn/detail/layer_kernel.hpp>
#include <baton/backends/cmsis_nn/detail/library.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/portable/fully_connected.hpp>

#include <cstdint>
#include <utility>

namespace baton::cmsis_nn {

namespace detail {

/// The arguments of a fully connected layer, as the library expects them.
struct dense {
  bool is_per_channel = false;
  cmsis_nn_fc_params params{};
  cmsis_nn_per_tensor_quant_params by{};  ///< the factor of all channels, if they share one
  cmsis_nn_dims input{};
  cmsis_nn_dims filter{};
  cmsis_nn_dims bias{};
  cmsis_nn_dims output{};
  std::int32_t buffer_bytes = 0;
  channel_table table{};
};

constexpr auto describe_dense(const program_view& program, const node& record) -> node_description<dense> {
  auto description = portable::fully_connected::describe(program, record);
  if (!description.support) return {std::move(description.support), {}};
  const auto& layer = description.plan;
  auto fits = check_layer(program, record, layer, layer.in_channels);
  if (!fits) return {std::move(fits), {}};
  dense plan;
  plan.is_per_channel = layer.out.is_per_channel != 0;
  plan.params = {.input_offset = -layer.out.input_zero_point,
                 .filter_offset = 0,
                 .output_offset = layer.out.zero_point,
                 .activation = {.min = layer.out.range.lower, .max = layer.out.range.upper}};
  const auto by = library_factor(layer.numbers.factor_of(0));
  plan.by = {.multiplier = by.value, .shift = by.shift};
  plan.input = {.n = layer.batches, .h = 1, .w = 1, .c = layer.in_channels};
  plan.filter = {.n = layer.in_channels, .h = 1, .w = 1, .c = layer.out.channels};
  plan.bias = {.n = 1, .h = 1, .w = 1, .c = layer.out.channels};
  plan.output = {.n = layer.batches, .h = 1, .w = 1, .c = layer.out.channels};
  plan.table = {layer.out.channels, target_instructions == instruction_set::mve ? layer.in_channels : 0, plan.params.input_offset,
                plan.is_per_channel ? 3 : 1};
  return describe_layer(plan);
}

/// Calls the library. The call cannot fail, because `describe_dense` has checked the library's requirements. With Helium, the library
/// ignores its bias argument. Instead, the library reads one number for each channel from the context's buffer: the bias, plus the input
/// offset times the sum of the weights. The row of biases in the plan's table contains these numbers (`channel_table::summed_weights`), so
/// this row is passed as the buffer.
inline auto fully_connect(const dense& plan, const node_memory& memory) -> arm_cmsis_nn_status {
  const auto channels = channels_of(plan, memory);
  const auto context = target_instructions == instruction_set::mve ? cmsis_nn_context{without_const(channels.bias), 4 * plan.table.channels}
                                                                   : cmsis_nn_context{nullptr, 0};
  const auto call = [&](auto function, const auto& by) {
    return function(&context, &plan.params, &by, &plan.input, int8_at(memory.inputs[0]), &plan.filter, int8_at(memory.inputs[1]),
                    &plan.bias, channels.bias, &plan.output, int8_at(memory.outputs[0]));
  };
  return plan.is_per_channel ? call(arm_fully_connected_per_channel_s8, channels.factors) : call(arm_fully_connected_s8, plan.by);
}

}  // namespace detail

/// A kernel that computes `tfl.fully_connected` on int8 with constant int8 weights, quantized per channel or per tensor, and any fused
/// activation. With Helium, the sums of weights that the library needs are computed at compile time. Results are bit-identical to
/// `portable::fully_connected`.
struct fully_connected : detail::layer_kernel<fully_connected, portable::fully_connected> {
  static constexpr literal_name operators[] = {"tfl.fully_connected"};

  using detail::layer_kernel<fully_connected, portable::fully_connected>::compute;

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::dense> {
    return detail::describe_dense(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::dense& plan, const node_memory& memory) {
    static_cast<void>(detail::fully_connect(plan, memory));
  }
};
static_assert(kernel<fully_connected>);

}  // namespace baton::cmsis_nn

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ExecuTorch's `cortex_m` operators, which have the arguments of CMSIS-NN (backends/cortex_m/ops/operators.yaml). Images have the
// channels last, and factors are fixed-point numbers. Convolutions and `quantized_linear` pass zero points as offsets (see
// `zero_point_of`). Comments list the arguments of an operator in parentheses after its name, in order.
#pragma once

#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_argument.hpp>
#include <baton/transform/detail/executorch_order.hpp>
#include <baton/transform/detail/legalization_row.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace baton::detail {

/// Returns the dimension order of an operator's images, which are [N, H, W, C] in memory. For operators with the suffix `_nhwc`, the tensor
/// itself is [N, H, W, C], so the order is the identity.
constexpr auto image_order(bool is_nhwc) -> dim_order { return is_nhwc ? dim_order::identity(4) : dim_order::channels_last(); }

/// Returns the zero point of an input with the offset `offset`, namely -`offset`. The offset of an output is its zero point. The negation
/// wraps around instead of overflowing; kernels check the range of the result.
constexpr auto zero_point_of(std::int64_t offset) -> std::int64_t {
  return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(offset));
}

/// Replaces `cortex_m.quantized_conv2d.out` and `cortex_m.quantized_depthwise_conv2d.out` (input, weights, bias, stride, padding, dilation,
/// depth multiplier if depthwise, input offset, output offset, multipliers, shifts, bounds of the output). Weights are stored as [outputs,
/// height, width, inputs], or [1, height, width, outputs] if depthwise.
template <bool IsDepthwise, bool IsNhwc>
constexpr void emit_cortex_m_convolution(emission& emitter) {
  // The last two operands are the multipliers and the shifts. The bias may be omitted.
  const auto count = emitter.operand_count();
  if (count < 4) return emitter.refuse("multipliers or shifts are missing");
  const auto image = operand_in(emitter, 0, image_order(IsNhwc));
  const auto stride = numbers_for(emitter, "arg_3", 2, 1), pads = pads_for(emitter, "arg_4", 2),
             dilation = numbers_for(emitter, "arg_5", 2, 1);
  ordered_output output(emitter, image_order(IsNhwc));
  if (emitter.is_refused()) return;
  const value_id operands[] = {image, emitter.operand(1), count > 4 ? emitter.operand(2) : none<value_id>, emitter.operand(count - 2),
                               emitter.operand(count - 1)};
  const auto number = [&](literal_name of_depthwise, literal_name of_other) {
    return emitter.integer(IsDepthwise ? of_depthwise : of_other);
  };
  vector<named_literal> literals{{"stride_h", stride[0]},
                                 {"stride_w", stride[1]},
                                 {"dilation_h_factor", dilation[0]},
                                 {"dilation_w_factor", dilation[1]},
                                 {"pads", span<const std::int64_t>{pads}},
                                 {"rounding", "twice"},
                                 {"input_zero_point", zero_point_of(number("arg_7", "arg_6"))},
                                 {"output_zero_point", number("arg_8", "arg_7")},
                                 {"output_min", number("arg_11", "arg_10")},
                                 {"output_max", number("arg_12", "arg_11")}};
  if (IsDepthwise) literals.push_back({"depth_multiplier", emitter.integer("arg_6")});
  emitter.finish(IsDepthwise ? "baton.depthwise_conv_2d" : "baton.conv_2d", operands, literals);
  output.end();
}

/// Replaces `cortex_m.quantized_linear.out` (input, weights, bias, sums of the weights, input offset, filter offset, output offset,
/// multipliers, shifts, maximum and minimum of the output). The sums of the weights are ignored, because they follow from the weights.
constexpr void emit_cortex_m_linear(emission& emitter) {
  if (emitter.integer("arg_5") != 0) return emitter.refuse("the weights have a zero point other than 0");
  const auto multipliers = emitter.list("arg_7"), shifts = emitter.list("arg_8");
  for (const auto numbers : {multipliers, shifts}) {
    for (const auto number : numbers) {
      if (number < INT32_MIN || number > INT32_MAX) return emitter.refuse("multiplier or shift ", number, " does not fit 32 bits");
    }
  }
  const auto row = operand_in(emitter, 0, dim_order::identity(emitter.stored_type(emitter.operand(0)).rank));
  if (emitter.is_refused()) return;
  const value_id operands[] = {row, emitter.operand(1), emitter.operand(2), emitter.integer_constant("multipliers", multipliers),
                               emitter.integer_constant("shifts", shifts)};
  const named_literal literals[] = {{"keep_num_dims", emitter.stored_type(row).rank != 2},
                                    {"rounding", "twice"},
                                    {"input_zero_point", zero_point_of(emitter.integer("arg_4"))},
                                    {"output_zero_point", emitter.integer("arg_6")},
                                    {"output_min", emitter.integer("arg_10")},
                                    {"output_max", emitter.integer("arg_9")}};
  emitter.finish("baton.fully_connected", operands, literals);
}

/// Inserts the pool `op`. The attributes of the pool are `others` and the window, which is read from the arguments.
constexpr void finish_cortex_m_pool(emission& emitter, std::string_view op, bool is_nhwc, std::initializer_list<named_literal> others) {
  const pool_window window(emitter, 2);
  const auto image = operand_in(emitter, 0, image_order(is_nhwc));
  vector<named_literal> literals{{"filter_height", window.sizes[0]},
                                 {"filter_width", window.sizes[1]},
                                 {"stride_h", window.strides[0]},
                                 {"stride_w", window.strides[1]},
                                 {"pads", span<const std::int64_t>{window.pads}}};
  literals.insert(literals.end(), others.begin(), others.end());
  ordered_output output(emitter, image_order(is_nhwc));
  if (emitter.is_refused()) return;
  emitter.finish(op, span<const value_id>{&image, 1}, literals);
  output.end();
}
/// Replaces `cortex_m.quantized_max_pool2d.out` (input, size of the window, stride, padding, dilation, whether the output size is rounded
/// up, zero points of input and output, bounds of the output).
template <bool IsNhwc>
constexpr void emit_cortex_m_max_pool(emission& emitter) {
  if (emitter.integer("arg_6") != emitter.integer("arg_7")) return emitter.refuse("input and output have different zero points");
  const auto dilation = numbers_for(emitter, "arg_4", 2, 1);
  finish_cortex_m_pool(emitter, "baton.max_pool_2d", IsNhwc,
                       {{"dilation_h_factor", dilation[0]},
                        {"dilation_w_factor", dilation[1]},
                        {"ceil_mode", emitter.integer("arg_5")},
                        {"output_min", emitter.integer("arg_8")},
                        {"output_max", emitter.integer("arg_9")}});
}
/// Replaces `cortex_m.quantized_avg_pool2d.out` (input, size of the window, stride, padding, whether the output size is rounded up, zero
/// point, multiplier, shift). CMSIS-NN does not use the last three arguments, because input and output have the same quantization.
template <bool IsNhwc>
constexpr void emit_cortex_m_average_pool(emission& emitter) {
  finish_cortex_m_pool(emitter, "baton.average_pool_2d", IsNhwc, {{"ceil_mode", emitter.integer("arg_4")}, {"rounding", "away"}});
}

/// Returns operand `at` in the dimension order of the output, so that the operand can be broadcast. If this order is not the identity, an
/// operand with several elements must have as many dimensions as the output. Otherwise, refuses the node (the pass then fails with
/// `unsupported_operator`).
constexpr auto broadcast_operand(emission& emitter, std::size_t at) -> value_id {
  const auto out = order_of_output(emitter);
  const auto type = emitter.stored_type(emitter.operand(at));
  if (type.rank == out.rank) return operand_in(emitter, at, out);
  if (element_count(type.shape()) != 1 && !(out == dim_order::identity(out.rank))) {
    emitter.refuse("operand ", at, " has fewer dimensions than the output, whose dimension order is not the identity");
  }
  return emitter.operand(at);
}

/// Replaces `cortex_m.quantized_add.out` (each operand with zero point, multiplier and shift; zero point, multiplier, shift and bounds of
/// the output).
constexpr void emit_cortex_m_add(emission& emitter) {
  const value_id operands[] = {broadcast_operand(emitter, 0), broadcast_operand(emitter, 1)};
  if (emitter.is_refused()) return;
  const named_literal literals[] = {{"first_zero_point", emitter.integer("arg_1")},  {"first_multiplier", emitter.integer("arg_2")},
                                    {"first_shift", emitter.integer("arg_3")},       {"second_zero_point", emitter.integer("arg_5")},
                                    {"second_multiplier", emitter.integer("arg_6")}, {"second_shift", emitter.integer("arg_7")},
                                    {"output_zero_point", emitter.integer("arg_8")}, {"output_multiplier", emitter.integer("arg_9")},
                                    {"output_shift", emitter.integer("arg_10")},     {"output_min", emitter.integer("arg_11", -128)},
                                    {"output_max", emitter.integer("arg_12", 127)},  {"fused_activation_function", "none"}};
  emitter.finish("baton.add", operands, literals);
}
/// Replaces `cortex_m.quantized_mul.out` (each operand with zero point; zero point, multiplier and shift of the output).
constexpr void emit_cortex_m_mul(emission& emitter) {
  const value_id operands[] = {broadcast_operand(emitter, 0), broadcast_operand(emitter, 1)};
  if (emitter.is_refused()) return;
  const named_literal literals[] = {{"rounding", "twice"},
                                    {"first_zero_point", emitter.integer("arg_1")},
                                    {"second_zero_point", emitter.integer("arg_3")},
                                    {"output_zero_point", emitter.integer("arg_4")},
                                    {"output_multiplier", emitter.integer("arg_5")},
                                    {"output_shift", emitter.integer("arg_6")},
                                    {"fused_activation_function", "none"}};
  emitter.finish("baton.mul", operands, literals);
}
/// Replaces `cortex_m.minimum.out` and `cortex_m.maximum.out`, whose tensors have the same quantization.
template <fixed_string Op>
constexpr void emit_cortex_m_choice(emission& emitter) {
  const value_id operands[] = {broadcast_operand(emitter, 0), broadcast_operand(emitter, 1)};
  if (!emitter.is_refused()) emitter.finish(Op.characters, operands);
}

/// Replaces `cortex_m.quantized_activation.out` (input, table). The table has the outputs for the inputs -128 to 127.
constexpr void emit_cortex_m_activation(emission& emitter) {
  const value_id operands[] = {broadcast_operand(emitter, 0), emitter.operand(1)};
  if (!emitter.is_refused()) emitter.finish("baton.lookup", operands);
}

/// Replaces `cortex_m.softmax.out` (input, dimension, zero point of the input, zero point of the output, multiplier, shift, smallest
/// difference from the maximum whose exponential is computed). The exponentials of smaller differences are 0.
constexpr void emit_cortex_m_softmax(emission& emitter) {
  const auto order = order_of_output(emitter);
  if (order.rank == 0) return emitter.refuse("the input has no dimension");
  const auto axis =
      emitter.integer("arg_1") < 0 ? emitter.integer("arg_1") + static_cast<std::int64_t>(order.rank) : emitter.integer("arg_1");
  if (axis != order.at[order.rank - 1])
    return emitter.refuse("softmax is supported only along the dimension that is last in memory, not along dimension ", axis);
  if (emitter.integer("arg_3") != -128) return emitter.refuse("the output has zero point ", emitter.integer("arg_3"), ", not -128");
  const auto in = operand_in(emitter, 0, order);
  if (emitter.is_refused()) return;
  emitter.finish("baton.softmax", {in},
                 {{"multiplier", emitter.integer("arg_4")}, {"shift", emitter.integer("arg_5")}, {"diff_min", emitter.integer("arg_6")}});
}

/// Replaces `cortex_m.transpose.out` (input, permutation).
constexpr void emit_cortex_m_transpose(emission& emitter) {
  const auto in = order_of_operand(emitter, 0), out = order_of_output(emitter);
  const auto list = emitter.list("arg_1");
  if (in.rank != out.rank || !permutation::is_order(list, in.rank))
    return emitter.refuse("arg_1 is not a permutation of ", in.rank, " dimensions");
  permutation by{emitter.stored_type(emitter.operand(0)), {}};
  // Position i of the stored output is dimension out.at[i] of the output, which is dimension list[out.at[i]] of the input.
  for (std::size_t i = 0; i < out.rank; ++i) {
    by.order[i] = static_cast<std::uint8_t>(in.position(static_cast<std::size_t>(list[out.at[i]])));
  }
  if (!emitter.is_refused()) emitter.finish_transpose(emitter.operand(0), by);
}

/// Replaces `cortex_m.pad.out` (input, numbers of elements before each dimension, numbers of elements after each dimension, element). Both
/// lists have four numbers. The last numbers of a list are for the dimensions of the tensor. If the tensor has fewer than four dimensions,
/// the first numbers are ignored. If ExecuTorch regards the tensor as an image with the channels last, the numbers are in memory order. For
/// this order, see `op_pad.cpp` and `passes_utils.py` of backends/cortex_m, in the version of March 2026.
constexpr void emit_cortex_m_pad(emission& emitter) {
  const auto order = order_of_output(emitter), in_order = order_of_operand(emitter, 0);
  const auto in = operand_in(emitter, 0, order);
  if (emitter.is_refused()) return;
  const auto stored = emitter.stored_type(emitter.operand(0));
  const auto has_one = [&](std::size_t d) { return stored.sizes[in_order.position(d)] == 1; };
  // ExecuTorch regards an image with one channel or one pixel as channels last, whatever its order.
  const bool is_channels_last = order.rank == 4 && (has_one(1) || (has_one(2) && has_one(3)) || in_order == dim_order::channels_last());
  const auto listed = is_channels_last ? dim_order::channels_last() : dim_order::identity(order.rank);
  const auto before = emitter.list("arg_1"), after = emitter.list("arg_2");
  if (before.size() != after.size() || before.size() < order.rank) {
    return emitter.refuse("the paddings have ", before.size(), " and ", after.size(), " numbers for ", order.rank, " dimensions");
  }
  std::array<std::int64_t, 2 * tensor_type::max_rank> table{};
  bool is_empty = true;
  for (std::size_t i = 0; i < order.rank; ++i) {
    const auto at = before.size() - order.rank + listed.position(order.at[i]);
    table[2 * i] = before[at];
    table[2 * i + 1] = after[at];
    is_empty = is_empty && before[at] == 0 && after[at] == 0;
  }
  if (is_empty) return emitter.forward(in);
  if (emitter.output_type().type != dtype::int8 || emitter.integer("arg_3") < INT8_MIN || emitter.integer("arg_3") > INT8_MAX) {
    return emitter.refuse("the padding value ", emitter.integer("arg_3"), " is not in [-128, 127], or the output is not int8");
  }
  const auto number = static_cast<char>(emitter.integer("arg_3"));
  const auto element = emitter.constant("number", tensor(dtype::int8), {&number, 1});
  emitter.copy_quantization(in, emitter.output());
  emitter.finish("tfl.padv2", {in, emitter.integer_constant("paddings", {table.data(), 2 * order.rank}, 2), element});
}

/// The rows (`legalization_row`) of the operators of the namespace `cortex_m`, except the quantization operators.
inline constexpr legalization_row executorch_cortex_m[] = {
    {"cortex_m.quantized_conv2d.out", layout_rule::fixed, emit_cortex_m_convolution<false, false>, 2},
    {"cortex_m.quantized_conv2d_nhwc.out", layout_rule::fixed, emit_cortex_m_convolution<false, true>, 2},
    {"cortex_m.quantized_depthwise_conv2d.out", layout_rule::fixed, emit_cortex_m_convolution<true, false>, 2},
    {"cortex_m.quantized_depthwise_conv2d_nhwc.out", layout_rule::fixed, emit_cortex_m_convolution<true, true>, 2},
    {"cortex_m.quantized_linear.out", layout_rule::fixed, emit_cortex_m_linear, 2},
    {"cortex_m.quantized_max_pool2d.out", layout_rule::fixed, emit_cortex_m_max_pool<false>},
    {"cortex_m.quantized_max_pool2d_nhwc.out", layout_rule::fixed, emit_cortex_m_max_pool<true>},
    {"cortex_m.quantized_avg_pool2d.out", layout_rule::fixed, emit_cortex_m_average_pool<false>},
    {"cortex_m.quantized_avg_pool2d_nhwc.out", layout_rule::fixed, emit_cortex_m_average_pool<true>},
    {"cortex_m.quantized_add.out", layout_rule::fixed, emit_cortex_m_add, 2},
    {"cortex_m.quantized_mul.out", layout_rule::fixed, emit_cortex_m_mul, 2},
    {"cortex_m.minimum.out", layout_rule::fixed, emit_cortex_m_choice<"tfl.minimum">, 2},
    {"cortex_m.maximum.out", layout_rule::fixed, emit_cortex_m_choice<"tfl.maximum">, 2},
    {"cortex_m.quantized_activation.out", layout_rule::fixed, emit_cortex_m_activation, 2},
    {"cortex_m.softmax.out", layout_rule::fixed, emit_cortex_m_softmax},
    {"cortex_m.transpose.out", layout_rule::fixed, emit_cortex_m_transpose},
    {"cortex_m.pad.out", layout_rule::fixed, emit_cortex_m_pad},
};

}  // namespace baton::detail

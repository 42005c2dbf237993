// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Translation of operators with weights: convolutions and fully connected layers.
#pragma once

#include <baton/backends/xnnpack/detail/format.hpp>
#include <baton/backends/xnnpack/detail/instruction.hpp>
#include <baton/backends/xnnpack/detail/library.hpp>
#include <baton/backends/xnnpack/detail/node_facts.hpp>
#include <baton/core/program.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/window.hpp>
#include <baton/operators/shared/window.hpp>

#include <cstdint>

namespace baton::xnnpack::detail {

using portable::window_axis;

/// Returns the padding after the last element of an axis.
constexpr auto padding_after(const window_axis& axis) -> std::int32_t {
  const auto missing = axis.origin(axis.output - 1) + (axis.filter - 1) * axis.dilation + 1 - axis.input;
  return missing > 0 ? missing : 0;
}

/// Adds the numbers of a window: the padding above, right, below and left; the filter's height and width; the vertical and horizontal
/// stride.
constexpr void add_window(instruction& code, const window_axis& rows, const window_axis& columns) {
  for (const auto number : {rows.before, padding_after(columns), padding_after(rows), columns.before, rows.filter, columns.filter,
                            rows.stride, columns.stride}) {
    code.add_number(number);
  }
}

struct window {
  window_axis rows;
  window_axis columns;
};

constexpr auto read_window(node_check& check, const operand& in, const operand& out, std::int32_t height, std::int32_t width) -> window {
  constexpr auto max = portable::max_bytes;
  const auto padding = check.padding();
  const auto rows = check.axis("height", padding.rows, in.size(1), out.size(1), height, check.option("stride_h", 1, 1, max),
                               check.option("dilation_h_factor", 1, 1, max));
  const auto columns = check.axis("width", padding.columns, in.size(2), out.size(2), width, check.option("stride_w", 1, 1, max),
                                  check.option("dilation_w_factor", 1, 1, max));
  return {rows, columns};
}

/// If the layer is hybrid, requires that the library supports hybrid layers, and sets `instruction::dynamic_dims`. The input of a hybrid
/// layer is quantized at run time. The last `dynamic_dims` dimensions share a scale and a zero point, so each image or row has one scale
/// and one zero point.
constexpr void read_hybrid(node_check& check, const operand& in, const operand& filter, bool has_hybrid, std::uint32_t dynamic_dims,
                           instruction& code) {
  if (!is_hybrid(in, filter)) return;
  check.demand(has_hybrid, "input is float32 and filter int8, which this version of XNNPACK does not support");
  check.demand(!is_constant(in), "input is a constant");
  code.dynamic_dims = dynamic_dims;
}

/// Returns an instruction with the members that all layers set: the operands, the positions of filter and bias, and the bounds of the
/// activation.
constexpr auto layer_instruction(node_check& check, opcode op, quantized::activation fused, const operand& out) -> instruction {
  instruction code(op, {0, 1, check.has_input(2) ? 2 : nothing});
  code.filter = 1;
  code.bias = 2;
  const auto to = out.is_int8() ? check.per_tensor(out, "output") : portable::affine{};
  code.set_bounds(read_bounds(check, fused, out, to));
  return code;
}

/// Translates a convolution. The numbers of the instruction are the window, the dilations, the number of groups, and the input and
/// output channels of a group.
template <library Has>
constexpr auto translate_convolution(const program_view& program, const node& record) -> translated {
  node_check check{program, record};
  check.conforms();
  check.counts(2, 3);
  require_xnnpack_rounding(check, program, record);
  const auto in = check.input(0, "input", 4);
  const auto filter = check.input(1, "filter", 4);
  const auto out = check.output(4);
  check.demand(in.size(3) % filter.size(3) == 0 && filter.size(0) % (in.size(3) / filter.size(3)) == 0, "filter channels ", filter.size(3),
               " do not match input channels ", in.size(3));
  const auto at = read_window(check, in, out, filter.size(1), filter.size(2));
  require_layer_tensors(check, program, in, filter, out, filter.size(0), 0, 2, true);
  auto code = layer_instruction(check, opcode::convolution, check.fused(), out);
  read_hybrid(check, in, filter, Has.hybrid, 3, code);
  if (!check.ok()) return translation_of(check, code);
  const auto groups = in.size(3) / filter.size(3);
  add_window(code, at.rows, at.columns);
  for (const auto number : {at.rows.dilation, at.columns.dilation, groups, filter.size(3), filter.size(0) / groups})
    code.add_number(number);
  return translation_of(check, code);
}

/// Translates a depthwise convolution. The numbers of the instruction are the window, the dilations, the output channels per input
/// channel, and the input channels.
constexpr auto translate_depthwise(const program_view& program, const node& record) -> translated {
  node_check check{program, record};
  check.conforms();
  check.counts(2, 3);
  require_xnnpack_rounding(check, program, record);
  const auto in = check.input(0, "input", 4);
  const auto filter = check.input(1, "filter", 4);
  const auto out = check.output(4);
  check.demand(filter.size(0) == 1 && filter.size(3) % in.size(3) == 0, "first and last dimension of the filter are ", filter.size(0),
               " and ", filter.size(3), ", not 1 and a multiple of the ", in.size(3), " input channels");
  const auto at = read_window(check, in, out, filter.size(1), filter.size(2));
  check.demand(!is_hybrid(in, filter), "input is float32 and filter int8, which XNNPACK does not support for depthwise convolutions");
  require_layer_tensors(check, program, in, filter, out, filter.size(3), 3, 2, true);
  auto code = layer_instruction(check, opcode::depthwise_convolution, check.fused(), out);
  if (!check.ok()) return translation_of(check, code);
  add_window(code, at.rows, at.columns);
  for (const auto number : {at.rows.dilation, at.columns.dilation, filter.size(3) / in.size(3), in.size(3)}) code.add_number(number);
  return translation_of(check, code);
}

/// Translates a fully connected layer. The input may have any shape. XNNPACK reads the input as rows, each with as many elements as a row
/// of the filter.
template <library Has>
constexpr auto translate_fully_connected(const program_view& program, const node& record) -> translated {
  node_check check{program, record};
  check.conforms();
  check.counts(2, 3);
  require_xnnpack_rounding(check, program, record);
  const auto in = check.input(0, "input");
  const auto filter = check.input(1, "filter", 2);
  const auto out = check.output();
  const auto format = program.text(record, "weights_format", "default");
  check.demand(format == "default", "weights are in format ", format, ", which XNNPACK does not support");
  check.demand(in.count % filter.size(1) == 0, "input of ", in.count, " elements is not a multiple of ", filter.size(1));
  require_layer_tensors(check, program, in, filter, out, filter.size(0), 0, 2, Has.channelwise_fully_connected);
  auto code = layer_instruction(check, opcode::fully_connected, check.fused(), out);
  read_hybrid(check, in, filter, Has.hybrid, 1, code);
  if (in.shape.size() != out.shape.size() || in.last() != filter.size(1)) code.columns = static_cast<std::uint32_t>(filter.size(1));
  return translation_of(check, code);
}

/// An axis of a transposed convolution: the padding before and after the output, and `adjustment`, the number of output elements after the
/// last window.
struct transposed_axis {
  std::int32_t before = 0;
  std::int32_t after = 0;
  std::int32_t adjustment = 0;
};

constexpr auto read_transposed_axis(node_check& check, bool is_same, std::int32_t in, std::int32_t out, std::int32_t filter,
                                    std::int32_t stride) -> transposed_axis {
  const auto back = window_size(is_same, out, filter, stride, 1);
  const auto whole = std::int64_t{stride} * (in - 1) + filter;
  if (!check.demand(back == in && whole <= portable::max_bytes, "output size ", out, " does not match input size ", in)) return {};
  const auto before = static_cast<std::int32_t>(padding_before(out, back, filter, stride, 1));
  const auto after = static_cast<std::int32_t>(whole) - out - before;
  if (after >= 0) return {before, after, 0};
  check.demand(-after < stride, "output size ", out, " is too large for input size ", in);
  return {before, 0, -after};
}

/// Translates a transposed convolution. The first numbers of the instruction are the padding above, right, below and left, and the vertical
/// and horizontal adjustment. The other numbers are the filter's height and width, the strides, and the input and output channels.
template <library Has>
constexpr auto translate_transposed(const program_view& program, const node& record) -> translated {
  node_check check{program, record};
  check.conforms();
  check.counts(3, 4);
  const auto filter = check.input(1, "filter", 4);
  const auto in = check.input(2, "input", 4);
  const auto out = check.output(4);
  check.demand(in.size(0) == out.size(0) && out.size(3) == filter.size(0) && in.size(3) == filter.size(3),
               "channels or batches of input, filter and output do not match");
  const auto is_same = check.is_same_padding();
  const auto row_stride = check.option("stride_h", 1, 1, portable::max_bytes);
  const auto column_stride = check.option("stride_w", 1, 1, portable::max_bytes);
  const auto rows = read_transposed_axis(check, is_same, in.size(1), out.size(1), filter.size(1), row_stride);
  const auto columns = read_transposed_axis(check, is_same, in.size(2), out.size(2), filter.size(2), column_stride);
  require_layer_tensors(check, program, in, filter, out, filter.size(0), 0, 3, false);
  auto code = layer_instruction(check, opcode::transposed_convolution, check.fused(), out);
  code.code.from = {2, 1, check.has_input(3) ? 3 : nothing};
  read_hybrid(check, in, filter, Has.hybrid_transposed, 3, code);
  if (!check.ok()) return translation_of(check, code);
  for (const auto number : {rows.before, columns.after, rows.after, columns.before, rows.adjustment, columns.adjustment, filter.size(1),
                            filter.size(2), row_stride, column_stride, in.size(3), filter.size(0)}) {
    code.add_number(number);
  }
  return translation_of(check, code);
}

}  // namespace baton::xnnpack::detail

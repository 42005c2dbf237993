// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Translation of pooling operators.
#pragma once

#include <baton/backends/xnnpack/detail/format.hpp>
#include <baton/backends/xnnpack/detail/instruction.hpp>
#include <baton/backends/xnnpack/detail/node_facts.hpp>
#include <baton/backends/xnnpack/detail/translate_layers.hpp>
#include <baton/core/program.hpp>
#include <baton/kernels/node_check.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::xnnpack::detail {

/// Translates a pooling operator. The numbers of the instruction are the window (`add_window`). Supports float32, and int8 for max pooling.
template <opcode Op>
constexpr auto translate_pool(const program_view& program, const node& record) -> translated {
  node_check check{program, record};
  check.conforms();
  check.counts(1, 1);
  require_xnnpack_rounding(check, program, record);
  static_cast<void>(check.option("dilation_h_factor", 1, 1, 1));
  static_cast<void>(check.option("dilation_w_factor", 1, 1, 1));
  static_cast<void>(check.option("ceil_mode", 0, 0, 0));
  const auto in = check.input(0, "input", 4);
  const auto out = check.output(4);
  const auto allowed = Op == opcode::max_pooling ? elements::float32_or_int8 : elements::float32;
  const auto output_tensor = read_tensor(check, program, out, "output", allowed);
  static_cast<void>(read_tensor(check, program, in, "input", allowed));
  require_same_quantization(check, in, out);
  const auto height = check.option("filter_height", 0, 1, 1 << 20);
  const auto width = check.option("filter_width", 0, 1, 1 << 20);
  const auto window = read_window(check, in, out, height, width);
  check.demand(std::int64_t{height} * width > 1, "XNNPACK does not support a pool with a window of one element");
  check.demand(std::int64_t{height} * width < 1 << 24, "a window of ", std::int64_t{height} * width, " elements is too large");
  check.demand(window.rows.stride <= height && window.columns.stride <= width,
               "the stride is larger than the window, which XNNPACK does not support");
  instruction code(Op, {0});
  code.set_bounds(read_bounds(check, check.fused(), out, output_tensor));
  if (check.ok()) add_window(code, window.rows, window.columns);
  return translation_of(check, code);
}

/// Translates the mean over whole images. The output has one number per image and channel.
constexpr auto global_average(node_check& check, const program_view& program, const operand& in, const operand& out,
                              quantized::activation fused) -> translated {
  const auto input_tensor = read_tensor(check, program, in, "input");
  const auto output_tensor = read_tensor(check, program, out, "output");
  check.same_type(in, out);
  if (in.is_int8()) require_ratio_within(check, input_tensor.scale / output_tensor.scale, 0x1p-8f, 0x1p+8f, "scales of input and output");
  check.demand(std::int64_t{in.size(1)} * in.size(2) < 1 << 16, "an image of ", in.size(1), " by ", in.size(2),
               " elements is too large to sum");
  instruction code(opcode::global_average_pooling, {0});
  code.set_bounds(read_bounds(check, fused, out, output_tensor));
  return translation_of(check, code);
}

/// Translates an average pooling with a single window, which covers the whole image.
constexpr auto translate_whole_average(const program_view& program, const node& record) -> translated {
  node_check check{program, record};
  check.conforms();
  check.counts(1, 1);
  const auto in = check.input(0, "input", 4);
  const auto out = check.output(4);
  const auto height = check.option("filter_height", 0, 1, 1 << 20);
  const auto width = check.option("filter_width", 0, 1, 1 << 20);
  check.demand(out.size(1) == 1 && out.size(2) == 1 && height == in.size(1) && width == in.size(2) && !check.is_same_padding(),
               "its window is not the whole image");
  return global_average(check, program, in, out, check.fused());
}

/// Translates a mean whose axes are rows and columns.
constexpr auto translate_mean(const program_view& program, const node& record) -> translated {
  node_check check{program, record};
  check.conforms();
  check.counts(2, 2);
  const auto in = check.input(0, "input", 4);
  const auto out = check.output();
  const auto axes = check.constant_integers(1, "axes");
  bool is_row = false;
  bool is_column = false;
  bool is_other = false;
  for (std::size_t i = 0; check.ok() && i < axes.count; ++i) {
    const auto axis = axes[i] < 0 ? axes[i] + 4 : axes[i];
    is_row = is_row || axis == 1;
    is_column = is_column || axis == 2;
    is_other = is_other || (axis != 1 && axis != 2);
  }
  check.demand(is_row && is_column && !is_other, "XNNPACK supports only means over rows and columns");
  return global_average(check, program, in, out, quantized::activation::none);
}

}  // namespace baton::xnnpack::detail

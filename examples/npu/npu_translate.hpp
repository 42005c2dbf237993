// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The npu's table: one row per operator, which translates a node to an instruction. A node is supported if and only if it can be
// translated.
#pragma once

#include "npu_isa.hpp"

#include <baton/backend/translation_table.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/portable/pairwise.hpp>
#include <baton/kernels/portable/pooling.hpp>
#include <baton/kernels/window.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/partition/operator_support.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace npu_example {

using baton::portable::node_check;
using baton::portable::operand;

/// The maximum number of products of 9-bit and 8-bit factors whose sum fits an int32.
inline constexpr std::int32_t max_products = INT32_MAX / (255 * 128);

/// An instruction without the addresses of its operands and multipliers, or the reason why the node is not supported.
using translation = baton::translation<instruction>;

/// Requires an int8 tensor that is quantized per tensor, and returns its scale and zero point.
constexpr auto read_tensor(node_check& check, const operand& of, std::string_view name) -> baton::portable::affine {
  check.demand(of.is_int8(), name, " is ", baton::facts(of.type).name, ", the npu computes int8");
  return check.per_tensor(of, name);
}

/// Checks the operands of a layer with weights, and sets zero points, range and multiplier count of its instruction. `axis` is the
/// quantized axis of the filter.
constexpr void read_layer(node_check& check, instruction& code, const operand& in, const operand& filter, const operand& out,
                          std::int32_t axis) {
  const auto from = read_tensor(check, in, "input");
  const auto to = read_tensor(check, out, "output");
  check.demand(filter.is_int8(), "filter is ", baton::facts(filter.type).name, ", the npu computes int8");
  check.symmetric_weights(filter, code.channels, axis);
  const auto products = filter.count / code.channels;
  check.demand(products <= max_products, "sums of ", products, " products may not fit 32 bits");
  if (check.has_input(2)) {
    const auto bias = check.input(2, "bias");
    check.demand(bias.type == baton::dtype::int32, "bias is ", baton::facts(bias.type).name);
    check.demand(bias.count == code.channels, "bias has ", bias.count, " elements for ", code.channels, " channels");
  }
  code.first_zero_point = from.zero_point;
  code.zero_point = to.zero_point;
  code.range = baton::quantized::quantized_bounds<std::int8_t>(check.fused(), to.scale, to.zero_point);
  code.multiplier_count = filter.quant.channels;
}

/// Checks the geometry of a window of `height` × `width`, and sets batches, channels, rows and columns of its instruction.
constexpr void read_window(node_check& check, instruction& code, const operand& in, const operand& out, std::int32_t height,
                           std::int32_t width) {
  constexpr auto max = baton::portable::max_bytes;
  const auto is_same = check.is_same_padding();
  check.demand(in.size(0) == out.size(0), "batch size of the input is ", in.size(0), ", of the output ", out.size(0));
  code.batches = in.size(0);
  code.in_channels = in.size(3);
  code.channels = out.size(3);
  code.rows = check.axis("height", is_same, in.size(1), out.size(1), height, check.option("stride_h", 1, 1, max),
                         check.option("dilation_h_factor", 1, 1, max));
  code.columns = check.axis("width", is_same, in.size(2), out.size(2), width, check.option("stride_w", 1, 1, max),
                            check.option("dilation_w_factor", 1, 1, max));
}

constexpr auto translate_convolution(const baton::program_view& program, const baton::node& record) -> translation {
  node_check check{program, record};
  check.counts(2, 3);
  const auto in = check.input(0, "input", 4);
  const auto filter = check.input(1, "filter", 4);
  const auto out = check.output(4);
  instruction code{.op = opcode::convolve};
  read_window(check, code, in, out, filter.size(1), filter.size(2));
  check.demand(filter.size(0) == code.channels, "filter has ", filter.size(0), " output channels, the output has ", code.channels);
  check.demand(filter.size(3) == code.in_channels, "filter has ", filter.size(3), " of ", code.in_channels,
               " input channels, the npu does not support groups");
  read_layer(check, code, in, filter, out, 0);
  return {check.verdict_so_far(), code};
}

constexpr auto translate_depthwise(const baton::program_view& program, const baton::node& record) -> translation {
  node_check check{program, record};
  check.counts(2, 3);
  const auto in = check.input(0, "input", 4);
  const auto filter = check.input(1, "filter", 4);
  const auto out = check.output(4);
  instruction code{.op = opcode::convolve_depthwise};
  read_window(check, code, in, out, filter.size(1), filter.size(2));
  check.demand(filter.size(0) == 1, "first dimension of the filter is ", filter.size(0), ", not 1");
  check.demand(filter.size(3) == code.channels, "filter has ", filter.size(3), " output channels, the output has ", code.channels);
  check.demand(code.channels % code.in_channels == 0, "output channels ", code.channels, " are not a multiple of input channels ",
               code.in_channels);
  // The option is redundant with the shapes. 0 means that the shapes define it.
  const auto stated = check.option("depth_multiplier", 0, 0, baton::portable::max_bytes);
  check.demand(stated == 0 || stated == code.channels / code.in_channels, "depth multiplier is ", stated);
  read_layer(check, code, in, filter, out, 3);
  return {check.verdict_so_far(), code};
}

/// Translates a fully connected layer to a convolution of images with one pixel.
constexpr auto translate_fully_connected(const baton::program_view& program, const baton::node& record) -> translation {
  node_check check{program, record};
  check.counts(2, 3);
  const auto in = check.input(0, "input");
  const auto filter = check.input(1, "filter", 2);
  const auto out = check.output();
  const auto format = program.text(record, "weights_format", "default");
  check.demand(format == "default", "weights are in format ", format);
  instruction code{.op = opcode::convolve, .batches = in.count / filter.size(1), .in_channels = filter.size(1), .channels = filter.size(0)};
  check.demand(in.count % code.in_channels == 0, "input of ", in.count, " elements is not a multiple of ", code.in_channels);
  check.demand(out.last() == code.channels && out.count == std::int64_t{code.batches} * code.channels, "output of ", out.count,
               " elements does not hold ", code.batches, " times ", code.channels);
  read_layer(check, code, in, filter, out, 0);
  return {check.verdict_so_far(), code};
}

// The npu computes operators without weights like the portable kernels, so their descriptions check the node and provide the parameters.

template <opcode Op>
constexpr auto translate_pool(const baton::program_view& program, const baton::node& record) -> translation {
  auto [support, pool, facts] = baton::portable::describe_pool(program, record);
  if (support && !pool.is_int8) support = baton::refuse("input and output are not int8, the npu computes int8");
  return {std::move(support), instruction{.op = Op,
                                          .batches = pool.batches,
                                          .in_channels = pool.channels,
                                          .channels = pool.channels,
                                          .rows = pool.rows,
                                          .columns = pool.columns,
                                          .range = pool.range}};
}

constexpr auto translate_add(const baton::program_view& program, const baton::node& record) -> translation {
  auto [support, sum, facts] = baton::portable::pairwise::describe(program, record);
  if (support && sum.kind.type != static_cast<std::int32_t>(baton::dtype::int8))
    support = baton::refuse("inputs and output are not int8, the npu computes int8");
  if (support && (!sum.loops.is_whole(0) || !sum.loops.is_whole(1))) support = baton::refuse("the npu does not broadcast");
  return {std::move(support), instruction{.op = opcode::add,
                                          .channels = sum.loops.sizes.back(),
                                          .first_zero_point = sum.left.zero_point,
                                          .second_zero_point = sum.right.zero_point,
                                          .zero_point = sum.zero_point,
                                          .range = sum.range,
                                          .multiplier_count = 3}};
}

constexpr auto translate_reshape(const baton::program_view& program, const baton::node& record) -> translation {
  node_check check{program, record};
  check.counts(1, 2);
  const auto in = check.input(0, "input");
  const auto out = check.output();
  check.demand(in.is_int8() && out.is_int8(), "input is ", baton::facts(in.type).name, ", the npu computes int8");
  check.same_quantization(in, out);
  check.demand(in.count == out.count, "input has ", in.count, " elements, output ", out.count);
  return {check.verdict_so_far(), instruction{.op = opcode::copy, .channels = out.count}};
}

/// Supports a node if all constants that it reads have data, because the npu receives them as arguments of the call.
struct has_all_data {
  static constexpr auto supports(const baton::program_view& program, const baton::node& record) -> baton::verdict {
    const bool has_all = std::ranges::all_of(program.inputs(record), [&](baton::value_id id) {
      if (id == baton::none<baton::value_id>) return true;
      const auto& value = program[id];
      const bool is_constant = baton::is_owned_data(value.kind) && value.kind != baton::value_kind::mutable_buffer;
      return !is_constant || value.data.size == baton::byte_count(value.type, program.shape(id));
    });
    if (!has_all) return baton::refuse("a constant has no data");
    return baton::accept();
  }
};

/// The instructions of the npu. To add an operator, add a row.
using npu_instructions = baton::translation_table<            //
    baton::translates<"tfl.conv_2d", translate_convolution>,  //
    baton::translates<"tfl.depthwise_conv_2d", translate_depthwise>, baton::translates<"tfl.fully_connected", translate_fully_connected>,
    baton::translates<"tfl.average_pool_2d", translate_pool<opcode::average>>,
    baton::translates<"tfl.max_pool_2d", translate_pool<opcode::maximum>>,  //
    baton::translates<"tfl.add", translate_add>,                            //
    baton::translates<"tfl.reshape", translate_reshape>>;

/// The operator support of the npu: nodes that can be translated and whose constants have data.
using npu_support = baton::all_of<has_all_data, npu_instructions>;
static_assert(baton::operator_support<npu_support>);

}  // namespace npu_example

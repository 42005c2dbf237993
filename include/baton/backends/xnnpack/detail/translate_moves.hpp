// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Translation of operators that move elements: padding, reshaping, resizing, concatenation.
#pragma once

#include <baton/backends/xnnpack/detail/format.hpp>
#include <baton/backends/xnnpack/detail/instruction.hpp>
#include <baton/backends/xnnpack/detail/library.hpp>
#include <baton/backends/xnnpack/detail/node_facts.hpp>
#include <baton/core/program.hpp>
#include <baton/kernels/node_check.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace baton::xnnpack::detail {

/// Returns the padding value as a real number. The padding value must be a constant with one element of the output's type. An int8 constant
/// must have the quantization of the output, or no quantization.
constexpr auto padding_value(node_check& check, const program_view& program, const operand& out) -> float {
  const auto value = check.input(2, "value");
  check.constant_data(value, "value");
  check.demand(value.count == 1 && value.type == out.type, "value is not a scalar of the output's type");
  if (out.is_int8() && check.ok() && value.quant.channels != 0) require_same_quantization(check, value, out);
  if (!check.ok()) return 0;
  const auto bytes = program.data(value.data);
  if (out.is_float()) return std::bit_cast<float>(quantized::little_endian_32(bytes, 0));
  const auto to = check.per_tensor(out, "output");
  return static_cast<float>(static_cast<std::int8_t>(bytes[0]) - to.zero_point) * to.scale;
}

/// Translates a padding. The numbers of the instruction are the padding before each dimension, then the padding after each dimension. The
/// padding value is stored in `operator_record::lower`, which holds an output bound or, as here, the real-valued parameter of the operator.
constexpr auto translate_pad(const program_view& program, const node& record) -> translated {
  node_check check{program, record};
  check.conforms();
  check.counts(2, 3);
  const auto in = check.input(0, "input");
  const auto out = check.output();
  static_cast<void>(read_tensor(check, program, in, "input"));
  static_cast<void>(read_tensor(check, program, out, "output"));
  require_same_quantization(check, in, out);
  const auto paddings = check.constant_integers(1, "paddings");
  instruction code(opcode::pad, {0});
  code.code.lower = check.has_input(2) ? padding_value(check, program, out) : 0.0f;
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t d = 0; check.ok() && d < in.shape.size(); ++d) {
      if (check.demand(paddings[2 * d + side] >= 0, "padding of dimension ", d, " is negative")) code.add_number(paddings[2 * d + side]);
    }
  }
  return translation_of(check, code);
}

/// Translates a reshape. The numbers of the instruction are the dimensions of the output.
constexpr auto translate_reshape(const program_view& program, const node& record) -> translated {
  node_check check{program, record};
  check.conforms();
  check.counts(1, 2);
  const auto in = check.input(0, "input");
  const auto out = check.output();
  static_cast<void>(read_tensor(check, program, in, "input"));
  static_cast<void>(read_tensor(check, program, out, "output"));
  require_same_quantization(check, in, out);
  check.demand(in.count == out.count, "input has ", in.count, " elements, output ", out.count);
  instruction code(opcode::reshape, {0});
  for (std::size_t d = 0; check.ok() && d < out.shape.size(); ++d) code.add_number(out.shape[d]);
  return translation_of(check, code);
}

/// Translates a bilinear resize. The numbers of the instruction are the rows and columns of the output.
constexpr auto translate_resize(const program_view& program, const node& record) -> translated {
  node_check check{program, record};
  check.conforms();
  check.counts(2, 2);
  const auto in = check.input(0, "input", 4);
  const auto out = check.output(4);
  static_cast<void>(read_tensor(check, program, in, "input"));
  static_cast<void>(read_tensor(check, program, out, "output"));
  require_same_quantization(check, in, out);
  constexpr std::int32_t max = 1 << 20;
  check.demand(in.size(1) < max && in.size(2) < max && out.size(1) < max && out.size(2) < max, "an image has ", max,
               " or more rows or columns");
  const bool aligns = program.integer(record, "align_corners", 0) != 0;
  const bool has_half = program.integer(record, "half_pixel_centers", 0) != 0;
  check.demand(!aligns || !has_half, "align_corners and half_pixel_centers exclude each other");
  instruction code(opcode::resize_bilinear, {0});
  code.code.flags = aligns ? XNN_FLAG_ALIGN_CORNERS : has_half ? 0u : XNN_FLAG_TENSORFLOW_LEGACY_MODE;
  if (check.ok()) code.add_number(out.size(1)), code.add_number(out.size(2));
  return translation_of(check, code);
}

/// Translates `tfl.depth_to_space`. The instruction has one number: the block size.
constexpr auto translate_depth_to_space(const program_view& program, const node& record) -> translated {
  node_check check{program, record};
  check.conforms();
  check.counts(1, 1);
  const auto in = check.input(0, "input", 4);
  const auto out = check.output(4);
  static_cast<void>(read_tensor(check, program, in, "input", elements::float32));
  check.same_type(in, out);
  const auto block = check.option("block_size", 0, 2, 1 << 12);
  instruction code(opcode::depth_to_space, {0});
  code.add_number(block);
  return translation_of(check, code);
}

/// Translates a concatenation of two to four values. The instruction has one number: the axis.
template <library Has>
constexpr auto translate_concatenation(const program_view& program, const node& record) -> translated {
  if (!Has.concatenation) return {refuse("this version of XNNPACK has no concatenation"), {}};
  node_check check{program, record};
  check.conforms();
  check.counts(2, 4);
  const auto out = check.output();
  static_cast<void>(read_tensor(check, program, out, "output"));
  check.demand(check.fused() == quantized::activation::none, "XNNPACK does not support a concatenation with an activation");
  instruction code(opcode::concatenate, {});
  for (std::uint32_t i = 0; check.ok() && i < record.inputs.size; ++i) {
    const auto in = check.input(i, "input");
    static_cast<void>(read_tensor(check, program, in, "input"));
    require_same_quantization(check, in, out);
    code.code.from[code.code.operands++] = i;
  }
  const auto rank = static_cast<std::int64_t>(out.shape.size());
  const auto axis = program.integer(record, "axis", 0);
  code.add_number(axis < 0 ? axis + rank : axis);
  return translation_of(check, code);
}

}  // namespace baton::xnnpack::detail

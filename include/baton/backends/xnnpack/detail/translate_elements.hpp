// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Translation of elementwise operators with one or two operands.
#pragma once

#include <baton/backends/xnnpack/detail/format.hpp>
#include <baton/backends/xnnpack/detail/instruction.hpp>
#include <baton/backends/xnnpack/detail/library.hpp>
#include <baton/backends/xnnpack/detail/node_facts.hpp>
#include <baton/core/program.hpp>
#include <baton/kernels/node_check.hpp>

#include <limits>

namespace baton::xnnpack::detail {

/// Checks the ratios of the scales of an elementwise operator. For products, checks `left` · `right` / `out`. For other operators, checks
/// `left` / `out` and `right` / `out`.
template <opcode Op>
constexpr void check_ratios(node_check& check, float left, float right, float out) {
  if (Op == opcode::multiply) return require_ratio_within(check, left * right / out, 0x1p-16f, 0x1p+8f, "scales of inputs and output");
  require_ratio_within(check, left / out, 0x1p-10f, 0x1p+8f, "scales of the first input and the output");
  require_ratio_within(check, right / out, 0x1p-10f, 0x1p+8f, "scales of the second input and the output");
}

/// Translates elementwise operators with two operands: sums, differences, products, quotients, maxima, minima and squared differences.
/// Supports broadcasting.
template <opcode Op>
constexpr auto translate_pair(const program_view& program, const node& record) -> translated {
  constexpr bool has_int8 = Op == opcode::add || Op == opcode::subtract || Op == opcode::multiply;
  constexpr bool has_activation = has_int8 || Op == opcode::divide;
  constexpr auto allowed = has_int8 ? elements::float32_or_int8 : elements::float32;
  node_check check{program, record};
  check.conforms();
  check.counts(2, 2);
  require_xnnpack_rounding(check, program, record);
  const auto left = check.input(0, "first input");
  const auto right = check.input(1, "second input");
  const auto out = check.output();
  const auto by_left = read_tensor(check, program, left, "first input", allowed);
  const auto by_right = read_tensor(check, program, right, "second input", allowed);
  const auto to = read_tensor(check, program, out, "output", allowed);
  check.demand(left.type == right.type && left.type == out.type, "inputs and output have different types");
  check.demand(!is_constant(left) || !is_constant(right), "both inputs are constants");
  if (check.ok() && out.is_int8()) check_ratios<Op>(check, by_left.scale, by_right.scale, to.scale);
  instruction code(Op, {0, 1});
  if (has_activation) code.set_bounds(read_bounds(check, check.fused(), out, to));
  return translation_of(check, code);
}

/// Translates a PReLU with one slope per channel.
constexpr auto translate_prelu(const program_view& program, const node& record) -> translated {
  node_check check{program, record};
  check.conforms();
  check.counts(2, 2);
  const auto in = check.input(0, "input");
  const auto slope = check.input(1, "slope");
  const auto out = check.output();
  static_cast<void>(read_tensor(check, program, in, "input", elements::float32));
  check.same_type(in, out);
  require_owned_constant(check, program, slope, "slope");
  check.demand(slope.is_float() && slope.count == in.last() && slope.last() == in.last(), "slope has ", slope.count, " elements for ",
               in.last(), " channels");
  check.demand(in.count == out.count, "the slope broadcasts the input to a larger output");
  instruction code(opcode::prelu, {0, 1});
  code.flat = 1;
  return translation_of(check, code);
}

/// Translates an activation that is a separate operator.
template <quantized::activation Function>
constexpr auto translate_clamp(const program_view& program, const node& record) -> translated {
  node_check check{program, record};
  check.conforms();
  check.counts(1, 1);
  const auto in = check.input(0, "input");
  const auto out = check.output();
  static_cast<void>(read_tensor(check, program, in, "input"));
  const auto to = read_tensor(check, program, out, "output");
  require_same_quantization(check, in, out);
  instruction code(opcode::clamp, {0});
  code.set_bounds(read_bounds(check, Function, out, to));
  return translation_of(check, code);
}

/// Translates an elementwise operator with one operand. An int8 output of a sigmoid must have scale 1/256 and zero point -128. An int8
/// output of a hyperbolic tangent must have scale 1/128 and zero point 0.
template <opcode Op, elements Allowed>
constexpr auto translate_curve(const program_view& program, const node& record) -> translated {
  node_check check{program, record};
  check.conforms();
  check.counts(1, 1);
  const auto in = check.input(0, "input");
  const auto out = check.output();
  static_cast<void>(read_tensor(check, program, in, "input", Allowed));
  const auto to = read_tensor(check, program, out, "output", Allowed);
  check.same_type(in, out);
  if (Op == opcode::sigmoid && check.ok() && out.is_int8())
    check.demand(to.scale == 0x1p-8f && to.zero_point == -128, "output does not have scale 1/256 and zero point -128");
  if (Op == opcode::tanh && check.ok() && out.is_int8())
    check.demand(to.scale == 0x1p-7f && to.zero_point == 0, "output does not have scale 1/128 and zero point 0");
  instruction code(Op, {0});
  if (Op == opcode::elu) code.code.lower = 1;
  return translation_of(check, code);
}

template <library Has>
constexpr auto translate_tanh(const program_view& program, const node& record) -> translated {
  if (!Has.tanh) return {refuse("this version of XNNPACK has no hyperbolic tangent"), {}};
  return translate_curve<opcode::tanh, elements::float32_or_int8>(program, record);
}

constexpr auto translate_leaky_relu(const program_view& program, const node& record) -> translated {
  auto result = translate_curve<opcode::leaky_relu, elements::float32>(program, record);
  const auto alpha = program.real(record, "alpha");
  constexpr auto max = static_cast<double>(std::numeric_limits<float>::max());
  if (result.support && !(alpha >= -max && alpha <= max)) result.support = refuse("alpha is not finite");
  if (result.support) result.instruction.code.lower = static_cast<float>(alpha);
  return result;
}

/// Translates a softmax along the last dimension.
constexpr auto translate_softmax(const program_view& program, const node& record) -> translated {
  auto result = translate_curve<opcode::softmax, elements::float32>(program, record);
  const auto beta = program.real(record, "beta", 1);
  if (result.support && !(beta >= 1 && beta <= 1)) result.support = refuse("beta is not 1");
  return result;
}

/// Translates a conversion between float32 and int8.
constexpr auto translate_convert(const program_view& program, const node& record) -> translated {
  node_check check{program, record};
  check.conforms();
  check.counts(1, 1);
  require_xnnpack_rounding(check, program, record);
  const auto in = check.input(0, "input");
  const auto out = check.output();
  static_cast<void>(read_tensor(check, program, in, "input"));
  static_cast<void>(read_tensor(check, program, out, "output"));
  check.demand(in.type != out.type, "XNNPACK does not convert between int8 scales");
  check.demand(!is_constant(in), "input is a constant");
  return translation_of(check, {opcode::convert, {0}});
}

}  // namespace baton::xnnpack::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Elementwise operators of ExecuTorch's XNNPACK backend, conversions and softmax.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/pte_xnnpack_emission.hpp>
#include <baton/import/detail/pte_xnnpack_schema.hpp>

#include <cstdint>

namespace baton::pte::detail {

/// An operator on float32 numbers with one operand.
template <fixed_string Op>
constexpr void add_xnnpack_unary(xnnpack_emission& to) {
  const auto [in, out] = to.input_and_output<xnnpack::slot::unary>();
  to.add_real(literal_name{Op.characters}, {in}, out);
}
/// `XNNSoftmax`, along the last dimension.
constexpr void add_xnnpack_softmax(xnnpack_emission& to) {
  const auto [in, out] = to.input_and_output<xnnpack::slot::unary>();
  to.add_real("tfl.softmax", {in}, out, {{"beta", 1.0}});
}
/// `XNNGelu`, with the error function.
constexpr void add_xnnpack_gelu(xnnpack_emission& to) {
  const auto [in, out] = to.input_and_output<xnnpack::slot::unary>();
  to.add_real("tfl.gelu", {in}, out, {{"approximate", false}});
}
/// `XNNClamp`.
constexpr void add_xnnpack_clamp(xnnpack_emission& to) {
  using slots = xnnpack::slot::unary;
  to.flags(slots::flags);
  const auto in = to.dequantized(to.operand(slots::input)), out = to.output(slots::output);
  if (!to.is_refused()) to.finish(in, out, true);
}
/// `XNNCopy` and `XNNStaticReshape`. The new shape is the shape of the output, because a stated size of 0 stands for the remaining
/// elements.
template <class Slots>
constexpr void add_xnnpack_copy(xnnpack_emission& to) {
  const auto [in, out] = to.input_and_output<Slots>();
  if (!to.is_refused()) to.copy(in, out);
}
/// `XNNLeakyReLU`.
constexpr void add_xnnpack_leaky_relu(xnnpack_emission& to) {
  using slots = xnnpack::slot::parametric;
  const auto [in, out] = to.input_and_output<slots>();
  to.add_real("tfl.leaky_relu", {in}, out, {{"alpha", static_cast<double>(to.real(slots::alpha))}});
}
/// `XNNELU`: x if x > 0, else alpha (e^x - 1). For an alpha other than 1, the sum of both parts.
constexpr void add_xnnpack_elu(xnnpack_emission& to) {
  using slots = xnnpack::slot::parametric;
  to.flags(slots::flags);
  const auto alpha = to.real(slots::alpha);
  const auto in = to.dequantized(to.operand(slots::input)), out = to.output(slots::output);
  if (alpha == 1) return to.add_real("tfl.elu", {in}, out);
  if (to.is_refused()) return;
  const auto type = to.type(out);
  const auto positive = to.temporary(type), negative = to.temporary(type), curve = to.temporary(type), scaled = to.temporary(type);
  to.add("tfl.relu", {in}, positive);
  to.add("tfl.minimum", {in, to.scalar(0)}, negative);
  to.add("tfl.elu", {negative}, curve);
  to.add("tfl.mul", {curve, to.scalar(alpha)}, scaled, {{"fused_activation_function", "none"}});
  to.add_real("tfl.add", {positive, scaled}, out, {}, true);
}
/// `XNNConvert`: quantization, dequantization, a conversion of real numbers, or a change of the steps. An input that is quantized at run
/// time stays as it is, because the layers that use it quantize it.
constexpr void add_xnnpack_convert(xnnpack_emission& to) {
  using slots = xnnpack::slot::unary;
  to.flags(slots::flags);
  const auto in = to.operand(slots::input);
  if (to.is_refused()) return;
  if (to.values.type_of(to.number(slots::output)) == xnnpack::datatype::qdint8) {
    if (to.quant(in).channels != 0) to.refuse("quantizes integers at run time");
    to.omit();
    return to.values.set(to.number(slots::output), in);
  }
  const auto out = to.output(slots::output);
  if (to.is_refused()) return;
  if (to.type(in).type == to.type(out).type && !to.is_narrow(in)) return to.copy(in, out);
  if (to.is_narrow(out)) return to.finish(to.is_half(in) || to.is_half(out) ? to.dequantized(in) : in, out, false);
  to.add(to.type(in).type == dtype::bfloat16 ? literal_name{"tfl.cast"} : literal_name{"tfl.dequantize"}, {in}, out);
}

/// A sum, a difference or a product. int8 outputs are rounded once, and their bounds are in steps.
template <fixed_string Op, fixed_string Int8Op>
constexpr void add_xnnpack_arithmetic(xnnpack_emission& to) {
  using slots = xnnpack::slot::binary;
  to.flags(slots::flags);
  const auto first = to.operand(slots::first), second = to.operand(slots::second), out = to.output(slots::output);
  if (to.is_refused()) return;
  if (!to.is_int8(out) || !to.is_int8(first) || !to.is_int8(second))
    return to.add_real(literal_name{Op.characters}, {first, second}, out, {}, true);
  vector<named_literal> literals;
  literals.push_back({"fused_activation_function", "none"});
  to.append_bounds_in_steps(out, literals);
  const value_id operands[] = {first, second};
  to.add(literal_name{Int8Op.characters}, operands, out, literals);
}
/// An operator on float32 numbers with two operands.
template <fixed_string Op, bool CanFuse = false>
constexpr void add_xnnpack_binary(xnnpack_emission& to) {
  using slots = xnnpack::slot::binary;
  to.flags(slots::flags);
  const auto first = to.operand(slots::first), second = to.operand(slots::second), out = to.output(slots::output);
  to.add_real(literal_name{Op.characters}, {first, second}, out, {}, CanFuse);
}

}  // namespace baton::pte::detail

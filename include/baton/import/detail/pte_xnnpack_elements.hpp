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

/// Adds a one-operand operator, which computes in float32.
template <fixed_string Op>
constexpr void add_xnnpack_unary(xnnpack_emission& emitter) {
  const auto [in, out] = emitter.input_and_output<xnnpack::slot::unary>();
  emitter.add_real(literal_name{Op.characters}, {in}, out);
}
/// Adds the nodes of `XNNSoftmax`: a softmax along the last dimension.
constexpr void add_xnnpack_softmax(xnnpack_emission& emitter) {
  const auto [in, out] = emitter.input_and_output<xnnpack::slot::unary>();
  emitter.add_real("tfl.softmax", {in}, out, {{"beta", 1.0}});
}
/// Adds the nodes of `XNNGelu`, which uses the error function.
constexpr void add_xnnpack_gelu(xnnpack_emission& emitter) {
  const auto [in, out] = emitter.input_and_output<xnnpack::slot::unary>();
  emitter.add_real("tfl.gelu", {in}, out, {{"approximate", false}});
}
/// Adds the nodes of `XNNClamp`.
constexpr void add_xnnpack_clamp(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::unary;
  emitter.flags(slots::flags);
  const auto in = emitter.dequantized(emitter.operand(slots::input)), out = emitter.output(slots::output);
  if (!emitter.is_refused()) emitter.finish(in, out, true);
}
/// Adds the node of `XNNCopy` or `XNNStaticReshape`. Uses the shape of the output instead of the shape in the node. In the node's shape, a
/// size of 0 means that XNNPACK infers the size.
template <class Slots>
constexpr void add_xnnpack_copy(xnnpack_emission& emitter) {
  const auto [in, out] = emitter.input_and_output<Slots>();
  if (!emitter.is_refused()) emitter.copy(in, out);
}
/// Adds the nodes of `XNNLeakyReLU`.
constexpr void add_xnnpack_leaky_relu(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::parametric;
  const auto [in, out] = emitter.input_and_output<slots>();
  emitter.add_real("tfl.leaky_relu", {in}, out, {{"alpha", static_cast<double>(emitter.real(slots::alpha))}});
}
/// Adds the nodes of `XNNELU`: x if x > 0, else alpha · (e^x - 1). If alpha is not 1, adds nodes that compute
/// max(x, 0) + alpha · elu(min(x, 0)), where elu is `XNNELU` with alpha = 1.
constexpr void add_xnnpack_elu(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::parametric;
  emitter.flags(slots::flags);
  const auto alpha = emitter.real(slots::alpha);
  const auto in = emitter.dequantized(emitter.operand(slots::input)), out = emitter.output(slots::output);
  if (alpha == 1) return emitter.add_real("tfl.elu", {in}, out);
  if (emitter.is_refused()) return;
  const auto type = emitter.type(out);
  const auto positive = emitter.temporary(type), negative = emitter.temporary(type), curve = emitter.temporary(type),
             scaled = emitter.temporary(type);
  emitter.add("tfl.relu", {in}, positive);
  emitter.add("tfl.minimum", {in, emitter.scalar(0)}, negative);
  emitter.add("tfl.elu", {negative}, curve);
  emitter.add("tfl.mul", {curve, emitter.scalar(alpha)}, scaled, {{"fused_activation_function", "none"}});
  emitter.add_real("tfl.add", {positive, scaled}, out, {}, true);
}
/// Adds the nodes of `XNNConvert`: quantization, dequantization, requantization, or a conversion between floating-point types. Omits a
/// conversion to `qdint8` (quantization at run time), because the layers that use the value quantize it.
constexpr void add_xnnpack_convert(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::unary;
  emitter.flags(slots::flags);
  const auto in = emitter.operand(slots::input);
  if (emitter.is_refused()) return;
  if (emitter.values.type_of(emitter.number(slots::output)) == xnnpack::datatype::qdint8) {
    if (emitter.quant(in).channels != 0) emitter.refuse("quantizes a value at run time that is already quantized");
    emitter.omit();
    return emitter.values.set(emitter.number(slots::output), in);
  }
  const auto out = emitter.output(slots::output);
  if (emitter.is_refused()) return;
  if (emitter.type(in).type == emitter.type(out).type && !emitter.is_narrow(in)) return emitter.copy(in, out);
  if (emitter.is_narrow(out)) return emitter.finish(emitter.is_half(in) || emitter.is_half(out) ? emitter.dequantized(in) : in, out, false);
  emitter.add(emitter.type(in).type == dtype::bfloat16 ? literal_name{"tfl.cast"} : literal_name{"tfl.dequantize"}, {in}, out);
}

/// Adds a sum, a difference or a product. If all values are int8, adds one int8 operator. The bounds of the node become
/// integer bounds of this operator (`output_min`, `output_max`). `baton.mul` rounds once; `tfl.mul` would round twice. If a value has
/// another type, adds an operator that computes in float32.
template <fixed_string Op, fixed_string Int8Op>
constexpr void add_xnnpack_arithmetic(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::binary;
  emitter.flags(slots::flags);
  const auto first = emitter.operand(slots::first), second = emitter.operand(slots::second), out = emitter.output(slots::output);
  if (emitter.is_refused()) return;
  if (!emitter.is_int8(out) || !emitter.is_int8(first) || !emitter.is_int8(second))
    return emitter.add_real(literal_name{Op.characters}, {first, second}, out, {}, true);
  vector<named_literal> literals;
  literals.push_back({"fused_activation_function", "none"});
  emitter.append_bounds_in_steps(out, literals);
  const value_id operands[] = {first, second};
  emitter.add(literal_name{Int8Op.characters}, operands, out, literals);
}
/// Adds a two-operand operator, which computes in float32. `CanFuse` is true if the operator has a fused activation.
template <fixed_string Op, bool CanFuse = false>
constexpr void add_xnnpack_binary(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::binary;
  emitter.flags(slots::flags);
  const auto first = emitter.operand(slots::first), second = emitter.operand(slots::second), out = emitter.output(slots::output);
  emitter.add_real(literal_name{Op.characters}, {first, second}, out, {}, CanFuse);
}

}  // namespace baton::pte::detail

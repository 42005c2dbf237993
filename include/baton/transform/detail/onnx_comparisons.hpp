// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ONNX comparisons, logical operators and casts.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_elementwise.hpp>
#include <baton/transform/detail/onnx_functions.hpp>

#include <limits>

namespace baton::detail {

/// Emits an operator without a fused activation, with two operands that are broadcast.
template <fixed_string Op>
constexpr void emit_pair(emission& emitter) {
  const value_id operands[] = {emitter.in(0), emitter.in(1)};
  emitter.finish(Op, operands);
}
/// Replaces `onnx.Where`, which selects the element of operand 1 if the element of operand 0 is true, else the element of operand 2.
constexpr void emit_where(emission& emitter) {
  const value_id operands[] = {emitter.in(0), emitter.in(1), emitter.in(2)};
  emitter.finish("tfl.select_v2", operands);
}
/// Replaces `onnx.IsNaN` by a comparison of x with x. Only NaN differs from itself.
constexpr void emit_is_nan(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto x = emitter.in(0);
  emitter.finish("tfl.not_equal", {x, x});
}
/// Replaces `onnx.IsInf`. The attributes `detect_negative` and `detect_positive` select one infinity or both.
constexpr void emit_is_inf(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  auto f = expression(emitter).of(dtype::float32);
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  const bool has_negative = emitter.integer("detect_negative", 1) != 0, has_positive = emitter.integer("detect_positive", 1) != 0;
  const auto x = emitter.in(0);
  if (has_negative && has_positive) return emitter.finish("tfl.equal", {f.call("size", "tfl.abs", {x}), f.number("infinity", infinity)});
  if (has_negative) return emitter.finish("tfl.equal", {x, f.number("infinity", -infinity)});
  if (has_positive) return emitter.finish("tfl.equal", {x, f.number("infinity", infinity)});
  emitter.refuse("neither detect_negative nor detect_positive is set");
}
/// Replaces `onnx.Cast` and `onnx.CastLike`. A cast to the operand's dtype is omitted. In a cast to booleans, numbers other than 0 become
/// true.
constexpr void emit_cast(emission& emitter) {
  const auto in = emitter.in(0);
  const auto from = emitter.record(in).type, type = emitter.output_type().type;
  if (from == type) return emitter.forward(in);
  if (type != dtype::boolean) return emitter.finish("tfl.cast", {in});
  auto f = expression(emitter).of(from);
  emitter.finish("tfl.not_equal", {in, f.whole("zero", 0)});
}

/// The rows (`legalization_row`) of comparisons, logical operators and casts.
inline constexpr legalization_row onnx_comparisons[] = {
    {"onnx.Equal", elementwise, emit_pair<"tfl.equal">, 2},
    {"onnx.Greater", elementwise, emit_pair<"tfl.greater">, 2},
    {"onnx.GreaterOrEqual", elementwise, emit_pair<"tfl.greater_equal">, 2},
    {"onnx.Less", elementwise, emit_pair<"tfl.less">, 2},
    {"onnx.LessOrEqual", elementwise, emit_pair<"tfl.less_equal">, 2},
    {"onnx.And", elementwise, emit_pair<"tfl.logical_and">, 2},
    {"onnx.Or", elementwise, emit_pair<"tfl.logical_or">, 2},
    {"onnx.Xor", elementwise, emit_pair<"tfl.not_equal">, 2},
    {"onnx.BitwiseXor", elementwise, emit_pair<"tfl.bitwise_xor">, 2},
    {"onnx.Not", elementwise, emit_unary<"tfl.logical_not">},
    {"onnx.IsNaN", elementwise, emit_is_nan},
    {"onnx.IsInf", elementwise, emit_is_inf},
    {"onnx.Where", elementwise, emit_where, 3},
    {"onnx.Cast", elementwise, emit_cast},
    {"onnx.CastLike", elementwise, emit_cast, 2},
};

}  // namespace baton::detail

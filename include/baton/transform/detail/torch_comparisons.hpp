// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces operators of torch.export with two operands, or with an operand and a number: arithmetic, comparisons and choices. Comments list
// the arguments of an operator in parentheses after its name, in order.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_elementwise.hpp>
#include <baton/transform/detail/executorch_functions.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_functions.hpp>
#include <baton/transform/detail/torch_argument.hpp>

#include <string_view>

namespace baton::detail {

/// Emits `Op`, whose operands are converted to the type of the output.
template <fixed_string Op>
constexpr void emit_torch_pair(emission& emitter) {
  const promoted_pair pair(emitter, emitter.output_type().type);
  if (!emitter.is_refused()) emitter.finish(Op, {pair.first, pair.second});
}
/// Emits `Op`, a product or quotient, whose operands are converted to the type of the output.
template <fixed_string Op>
constexpr void emit_torch_product(emission& emitter) {
  const promoted_pair pair(emitter, emitter.output_type().type);
  if (!emitter.is_refused()) expression(emitter).finish(Op, pair.first, pair.second);
}
/// Emits a + alpha · b (`Op` is `tfl.add`) or a - alpha · b (`Op` is `tfl.sub`). The operands are a and b; argument 2 is alpha, by default
/// 1. If `IsReverse` is set, a is the second operand and b the first.
template <fixed_string Op, bool IsReverse = false>
constexpr void emit_torch_sum(emission& emitter) {
  const auto type = emitter.output_type().type;
  promoted_pair pair(emitter, type);
  const auto factor = emitter.real("arg_2", 1);
  if (emitter.is_refused()) return;
  expression f(emitter);
  if (factor != 1) {
    auto& scaled = IsReverse ? pair.first : pair.second;
    expression of(emitter, emitter.stored_type(scaled), emitter.layout(scaled));
    scaled = of.mul("scaled", scaled, number_argument(emitter, "arg_2", type));
  }
  if (IsReverse) return f.finish(Op, pair.second, pair.first);
  f.finish(Op, pair.first, pair.second);
}
/// Replaces `aten.div.Tensor_mode`. Argument 2 is "floor" (round down), "trunc" (round toward 0) or `None` (do not round).
constexpr void emit_torch_rounded_quotient(emission& emitter) {
  const auto mode = emitter.text("arg_2");
  if (mode.empty()) return emit_torch_product<"tfl.div">(emitter);
  if (mode == "floor") return emit_torch_pair<"tfl.floor_div">(emitter);
  if (mode != "trunc") return emitter.refuse("rounding ", mode, " is not supported");
  const auto type = emitter.output_type().type;
  const promoted_pair pair(emitter, type);
  if (emitter.is_refused()) return;
  expression f(emitter);
  if (type != dtype::float32) return f.finish("tfl.div", pair.first, pair.second);  // a quotient of integers is rounded toward 0
  finish_truncated(emitter, f, f.div("quotient", pair.first, pair.second));
}
/// Replaces `aten.fmod.Tensor`. The remainder has the sign of the dividend.
constexpr void emit_torch_fmod(emission& emitter) {
  const promoted_pair pair(emitter, emitter.output_type().type);
  if (emitter.is_refused()) return;
  const auto of_each = [&](std::string_view suffix, std::string_view op, value_id in) {
    return emitter.add(suffix, op, {in}, emitter.stored_type(in), {}, emitter.layout(in));
  };
  expression f(emitter);
  const auto remainder =
      f.call("remainder", "tfl.floor_mod", {of_each("dividend", "tfl.abs", pair.first), of_each("divisor", "tfl.abs", pair.second)});
  f.finish("tfl.mul", remainder, of_each("sign", "tfl.sign", pair.first));
}
/// Replaces `aten.pow.Tensor_Scalar` (input, exponent).
constexpr void emit_torch_power(emission& emitter) {
  if (emitter.output_type().type == dtype::float32 && emitter.record(emitter.operand(0)).type == dtype::float32)
    return emit_aten_power(emitter);
  emit_torch_pair<"tfl.pow">(emitter);
}
/// Replaces `aten.pow.Scalar`. Argument 0 is the base, and operand 0 is the exponent.
constexpr void emit_torch_power_of_number(emission& emitter) {
  const auto type = emitter.output_type().type;
  const auto base = number_argument(emitter, "arg_0", type), exponent = converted(emitter, "exponent", emitter.in(0), type);
  if (!emitter.is_refused()) emitter.finish("tfl.pow", {base, exponent});
}

/// Emits a comparison of operands that are converted to their promoted type.
template <fixed_string Op>
constexpr void emit_torch_comparison(emission& emitter) {
  const auto pair = promoted_pair::of_both(emitter);
  if (!emitter.is_refused()) emitter.finish(Op, {pair.first, pair.second});
}
/// Emits a logical function of two operands that are converted to booleans. Numbers other than 0 are true.
template <fixed_string Op>
constexpr void emit_torch_logical(emission& emitter) {
  const promoted_pair pair(emitter, dtype::boolean);
  if (!emitter.is_refused()) emitter.finish(Op, {pair.first, pair.second});
}
/// Emits a bitwise function of two operands. `Op` is the operator that computes the function of booleans. The exclusive or
/// (`tfl.not_equal`) also supports integers. For all other functions, refuses types other than booleans (the pass then fails with
/// `unsupported_operator`).
template <fixed_string Op>
constexpr void emit_torch_bits(emission& emitter) {
  const auto type = emitter.output_type().type;
  const bool is_exclusive = std::string_view(Op) == "tfl.not_equal";
  if (type != dtype::boolean && !is_exclusive)
    return emitter.refuse("this bitwise function is supported only for booleans, not for ", facts(type).name);
  const promoted_pair pair(emitter, type);
  if (!emitter.is_refused()) emitter.finish(type == dtype::boolean ? std::string_view(Op) : "tfl.bitwise_xor", {pair.first, pair.second});
}
/// Finishes the replacement with the elements of `first` where `condition` is true, and of `second` elsewhere. `first` and `second` are
/// converted to the type of the output.
constexpr void finish_choice(emission& emitter, value_id condition, value_id first, value_id second) {
  const auto type = emitter.output_type().type;
  if (emitter.record(condition).type != dtype::boolean) return emitter.refuse("the condition is not a boolean");
  const auto a = converted(emitter, "first", first, type), b = converted(emitter, "second", second, type);
  if (!emitter.is_refused()) emitter.finish("tfl.select_v2", {condition, a, b});
}
/// Replaces `aten.where.*` (condition, choice, other choice). Each choice is an operand, or a number in argument 1 or 2.
constexpr void emit_torch_where(emission& emitter) {
  const auto type = emitter.output_type().type;
  const bool is_first_number = emitter.has_attribute("arg_1"), is_second_number = emitter.has_attribute("arg_2");
  const std::size_t second = is_first_number && !emitter.has(2) ? 1 : 2;
  if ((!is_first_number && !emitter.has(1)) || (!is_second_number && !emitter.has(second))) return emitter.refuse("a choice is missing");
  const auto a = is_first_number ? number_argument(emitter, "arg_1", type) : emitter.in(1);
  finish_choice(emitter, emitter.in(0), a, is_second_number ? number_argument(emitter, "arg_2", type) : emitter.in(second));
}
/// Replaces `aten.masked_fill.*` (input, mask, number or tensor of one element).
constexpr void emit_torch_masked_fill(emission& emitter) {
  if (!emitter.has(2) && !emitter.has_attribute("arg_2")) return emitter.refuse("the value is missing");
  const auto by = emitter.has(2) ? emitter.in(2) : number_argument(emitter, "arg_2", emitter.output_type().type);
  finish_choice(emitter, emitter.in(1), by, emitter.in(0));
}

/// The rows (`legalization_row`) of arithmetic, comparisons and choices.
inline constexpr legalization_row torch_comparisons[] = {
    {"aten.add.Tensor", elementwise, emit_torch_sum<"tfl.add">},
    {"aten.add.Scalar", elementwise, emit_torch_sum<"tfl.add">},
    {"aten.sub.Tensor", elementwise, emit_torch_sum<"tfl.sub">},
    {"aten.sub.Scalar", elementwise, emit_torch_sum<"tfl.sub">},
    {"aten.rsub.Tensor", elementwise, emit_torch_sum<"tfl.sub", true>},
    {"aten.rsub.Scalar", elementwise, emit_torch_sum<"tfl.sub", true>},
    {"aten.mul.Tensor", elementwise, emit_torch_product<"tfl.mul">},
    {"aten.mul.Scalar", elementwise, emit_torch_product<"tfl.mul">},
    {"aten.div.Tensor", elementwise, emit_torch_product<"tfl.div">},
    {"aten.div.Scalar", elementwise, emit_torch_product<"tfl.div">},
    {"aten.div.Tensor_mode", elementwise, emit_torch_rounded_quotient},
    {"aten.div.Scalar_mode", elementwise, emit_torch_rounded_quotient},
    {"aten.floor_divide.default", elementwise, emit_torch_pair<"tfl.floor_div">},
    {"aten.remainder.Tensor", elementwise, emit_torch_pair<"tfl.floor_mod">},
    {"aten.remainder.Scalar", elementwise, emit_torch_pair<"tfl.floor_mod">},
    {"aten.fmod.Tensor", elementwise, emit_torch_fmod},
    {"aten.fmod.Scalar", elementwise, emit_torch_fmod},
    {"aten.pow.Tensor_Tensor", elementwise, emit_torch_pair<"tfl.pow">, 2},
    {"aten.pow.Tensor_Scalar", elementwise, emit_torch_power},
    {"aten.pow.Scalar", elementwise, emit_torch_power_of_number},
    {"aten.maximum.default", elementwise, emit_torch_pair<"tfl.maximum">, 2},
    {"aten.minimum.default", elementwise, emit_torch_pair<"tfl.minimum">, 2},
    {"aten.eq.Scalar", elementwise, emit_torch_comparison<"tfl.equal">},
    {"aten.eq.Tensor", elementwise, emit_torch_comparison<"tfl.equal">},
    {"aten.ne.Scalar", elementwise, emit_torch_comparison<"tfl.not_equal">},
    {"aten.ne.Tensor", elementwise, emit_torch_comparison<"tfl.not_equal">},
    {"aten.lt.Scalar", elementwise, emit_torch_comparison<"tfl.less">},
    {"aten.lt.Tensor", elementwise, emit_torch_comparison<"tfl.less">},
    {"aten.le.Scalar", elementwise, emit_torch_comparison<"tfl.less_equal">},
    {"aten.le.Tensor", elementwise, emit_torch_comparison<"tfl.less_equal">},
    {"aten.gt.Scalar", elementwise, emit_torch_comparison<"tfl.greater">},
    {"aten.gt.Tensor", elementwise, emit_torch_comparison<"tfl.greater">},
    {"aten.ge.Scalar", elementwise, emit_torch_comparison<"tfl.greater_equal">},
    {"aten.ge.Tensor", elementwise, emit_torch_comparison<"tfl.greater_equal">},
    {"aten.logical_and.default", elementwise, emit_torch_logical<"tfl.logical_and">, 2},
    {"aten.logical_or.default", elementwise, emit_torch_logical<"tfl.logical_or">, 2},
    {"aten.logical_xor.default", elementwise, emit_torch_logical<"tfl.not_equal">, 2},
    {"aten.bitwise_and.Tensor", elementwise, emit_torch_bits<"tfl.logical_and">, 2},
    {"aten.bitwise_or.Tensor", elementwise, emit_torch_bits<"tfl.logical_or">, 2},
    {"aten.bitwise_xor.Tensor", elementwise, emit_torch_bits<"tfl.not_equal">, 2},
    {"aten.where.self", elementwise, emit_torch_where},
    {"aten.where.ScalarOther", elementwise, emit_torch_where},
    {"aten.where.ScalarSelf", elementwise, emit_torch_where},
    {"aten.where.Scalar", elementwise, emit_torch_where},
    {"aten.masked_fill.Scalar", elementwise, emit_torch_masked_fill, 2},
    {"aten.masked_fill.Tensor", elementwise, emit_torch_masked_fill, 2},
};

}  // namespace baton::detail

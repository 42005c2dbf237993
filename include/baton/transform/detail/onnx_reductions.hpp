// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ONNX reductions: sums, means and other functions of all elements along some dimensions.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/legalization_row.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace baton::detail {

/// A set of dimensions, as numbered in the file.
struct dimension_set {
  bool is_known = false;
  std::uint32_t bits = 0;

  constexpr auto has(std::size_t dimension) const -> bool { return (bits >> dimension & 1) != 0; }
  static constexpr auto all(std::size_t rank) -> dimension_set { return {true, (1u << rank) - 1}; }

  /// Adds a dimension; a negative one counts from the end. The set becomes unknown if there is no such dimension.
  constexpr void add(std::int64_t axis, std::size_t rank) {
    const auto at = inference::dimension(axis, rank);
    is_known = is_known && at != rank;
    if (is_known) bits |= 1u << at;
  }
};
/// Returns the dimensions that a reduction reduces: the elements of the constant `operand`, or of `listed` if `operand` is `none`. If
/// `operand` is not a constant, the set is unknown. An empty list means no dimension if `is_noop` is set (`noop_with_empty_axes`), else all
/// dimensions.
constexpr auto reduced_dimensions(const program_view& program, value_id operand, span<const std::int64_t> listed, bool is_noop,
                                  std::size_t rank) -> dimension_set {
  dimension_set result{true, 0};
  for (const auto axis : listed) result.add(axis, rank);
  auto count = listed.size();
  if (operand != none<value_id>) {
    const auto numbers = known_integers::in(program, operand);
    if (!numbers.are_known) return {};
    for (count = 0; count < numbers.count; ++count) result.add(numbers[count], rank);
  }
  return count == 0 && !is_noop ? dimension_set::all(rank) : result;
}

/// Returns the layout rule of an operator that removes the dimensions `removed` of operand 0, or reduces them to size 1 if `keeps` is set.
/// See `layout_rule` for the rules. The first condition that applies selects the rule:
/// - `fixed` if `removed` is unknown;
/// - `same` if `keeps` is set or `rank` is less than 3;
/// - `flexible_operand_0` if dimension 1, the channels, is removed, because the output is then the same for both layouts of operand 0;
/// - `flexible_operand_0` if all dimensions after dimension 1 are removed, for the same reason;
/// - `same` if some but not all dimensions after dimension 1 are removed, and dimension 0, the batches, is kept;
/// - otherwise, `fixed`.
constexpr auto reduction_layout_rule(std::size_t rank, const dimension_set& removed, bool keeps) -> layout_rule {
  if (!removed.is_known) return layout_rule::fixed;
  if (keeps || rank < 3) return layout_rule::same;
  bool keeps_some_after_channels = false, keeps_all_after_channels = true;
  for (std::size_t d = 2; d < rank; ++d) {
    keeps_some_after_channels = keeps_some_after_channels || !removed.has(d);
    keeps_all_after_channels = keeps_all_after_channels && !removed.has(d);
  }
  if (removed.has(1) || !keeps_some_after_channels) return layout_rule::flexible_operand_0;
  return removed.has(0) || keeps_all_after_channels ? layout_rule::fixed : layout_rule::same;
}
/// Returns the layout rule of a reduction of the dimensions in the attribute `key`, or in operand 1 if `has_operand` is set. Returns
/// `fixed` if operand 0 is a constant or a row (a flattened image).
constexpr auto reduction_layout_rule(const layout_query& node, literal_name key, bool has_operand, bool keeps) -> layout_rule {
  if (!node.has(0) || node.is_constant(0) || node.is_row(0)) return layout_rule::fixed;
  const auto rank = node.shape(0).size();
  const auto* const listed = node.program.find(node.record, key);
  const auto axes = listed == nullptr ? span<const std::int64_t>{} : node.program.integer_list(listed->list);
  const bool is_noop = node.program.integer(node.record, "noop_with_empty_axes") != 0;
  const auto removed = reduced_dimensions(node.program, has_operand ? node.operand(1) : none<value_id>, axes, is_noop, rank);
  return reduction_layout_rule(rank, removed, keeps);
}
constexpr auto reduction_rule(const layout_query& node) -> layout_rule {
  return reduction_layout_rule(node, "axes", node.has(1), node.program.integer(node.record, "keepdims", 1) != 0);
}

/// Returns operand 0 in the layout that `reduction_layout_rule` requires.
constexpr auto reduced_operand(emission& emitter, const dimension_set& removed, bool keeps) -> value_id {
  const auto in = emitter.operand(0);
  const auto rank = emitter.stored_type(in).rank;
  if (emitter.is_constant(in) || rank < 3) return emitter.operand_in_file_layout(0);
  const auto how = reduction_layout_rule(rank, removed, keeps);
  if (how == layout_rule::flexible_operand_0) return in;
  return how == layout_rule::same ? emitter.in(0) : emitter.operand_in_file_layout(0);
}
/// Adds a constant list of the dimensions in `set`, renumbered for the stored layout of `in`.
constexpr auto stored_dimensions(emission& emitter, const dimension_set& set, value_id in) -> value_id {
  const auto rank = emitter.stored_type(in).rank;
  vector<std::int64_t> axes;
  for (std::size_t d = 0; d < rank; ++d) {
    if (set.has(d)) axes.push_back(static_cast<std::int64_t>(emitter.stored_dimension(in, d)));
  }
  return emitter.integer_constant("axes", axes);
}
/// Returns the stored type of `in`, with size 1 in the dimensions of `set`.
constexpr auto reduced_type(const emission& emitter, const dimension_set& set, value_id in) -> tensor_type {
  auto type = emitter.stored_type(in);
  for (std::size_t d = 0; d < type.rank; ++d) {
    if (set.has(d)) type.sizes[emitter.stored_dimension(in, d)] = 1;
  }
  return type;
}

/// The functions that are applied to each element x before a reduction, and to the result y of the reduction:
/// - `plain`: none;
/// - `of_absolute_values`: |x|;
/// - `of_squares`: x²;
/// - `root_of_squares`: x² and sqrt(y);
/// - `logarithm`: log(y);
/// - `logarithm_of_powers`: exp(x) and log(y).
enum class reduction_function : std::uint8_t { plain, of_absolute_values, of_squares, root_of_squares, logarithm, logarithm_of_powers };

/// Emits an ONNX reduction. `op` is the reduction operator; `truth` is the reduction operator for booleans, or an empty text.
constexpr void finish_reduction(emission& emitter, std::string_view op, reduction_function function, std::string_view truth) {
  const auto rank = emitter.stored_type(emitter.operand(0)).rank;
  const auto removed =
      reduced_dimensions(emitter.program(), emitter.operand(1), emitter.list("axes"), emitter.integer("noop_with_empty_axes") != 0, rank);
  const bool keeps = emitter.integer("keepdims", 1) != 0;
  if (!removed.is_known) return emitter.refuse("the axes are not constant, or an axis is not a dimension of the operand");
  const auto in = reduced_operand(emitter, removed, keeps);
  if (removed.bits == 0 && function == reduction_function::plain) return emitter.finish_reshape(in);
  expression each(emitter, emitter.stored_type(in), emitter.layout(in)), f(emitter);
  const auto axes = stored_dimensions(emitter, removed, in);
  const auto type = each.type().type;
  if (function >= reduction_function::root_of_squares && type != dtype::float32)
    return emitter.refuse("elements of ", facts(type).name, " are not supported");
  const bool is_truth = type == dtype::boolean && !truth.empty();
  if (is_truth) return emitter.finish(truth, {in, axes}, {{"keep_dims", keeps}});
  if (function == reduction_function::plain) return emitter.finish(op, {in, axes}, {{"keep_dims", keeps}});
  if (function == reduction_function::of_absolute_values)
    return emitter.finish(op, {each.call("absolute_values", "tfl.abs", {in}), axes}, {{"keep_dims", keeps}});
  if (function == reduction_function::of_squares) return emitter.finish(op, {each.mul("squares", in, in), axes}, {{"keep_dims", keeps}});
  if (function == reduction_function::root_of_squares) {
    return emitter.finish("tfl.sqrt", {f.call("sum", op, {each.mul("squares", in, in), axes}, {{"keep_dims", keeps}})});
  }
  if (function == reduction_function::logarithm) return emitter.finish("tfl.log", {f.call("sum", op, {in, axes}, {{"keep_dims", keeps}})});
  // The largest element is subtracted before the powers are computed, so that the powers do not overflow. The subtracted number is limited
  // to finite numbers, because the difference of equal infinities is not a number.
  expression each_sum(emitter, reduced_type(emitter, removed, in), emitter.layout(in));
  const auto largest = each_sum.call("largest", "tfl.reduce_max", {in, axes}, {{"keep_dims", true}});
  constexpr auto limit = static_cast<double>(std::numeric_limits<float>::max());
  const auto raised = each_sum.call("raised", "tfl.maximum", {largest, each_sum.number("lower", -limit)});
  const auto shift = each_sum.call("shift", "tfl.minimum", {raised, each_sum.number("upper", limit)});
  const auto powers = each.call("powers", "tfl.exp", {each.sub("less", in, shift)});
  const auto logarithm = f.call("logarithm", "tfl.log", {f.call("sum", op, {powers, axes}, {{"keep_dims", keeps}})});
  const auto shape = f.type();
  const auto offset = keeps ? shift : f.call("offset", "tfl.reshape", {shift}, {{"new_shape", shape.shape()}});
  emitter.finish("tfl.add_n", {logarithm, offset});  // `tfl.add` limits its output to finite numbers
}
template <fixed_string Op, reduction_function Function, fixed_string Truth = "">
constexpr void emit_reduction(emission& emitter) {
  finish_reduction(emitter, Op, Function, Truth);
}

/// The rows (`legalization_row`) of reductions.
inline constexpr legalization_row onnx_reductions[] = {
    {"onnx.ReduceSum", reduction_rule, emit_reduction<"tfl.sum", reduction_function::plain>},
    {"onnx.ReduceMean", reduction_rule, emit_reduction<"tfl.mean", reduction_function::plain>},
    {"onnx.ReduceProd", reduction_rule, emit_reduction<"tfl.reduce_prod", reduction_function::plain>},
    {"onnx.ReduceMax", reduction_rule, emit_reduction<"tfl.reduce_max", reduction_function::plain, "tfl.reduce_any">},
    {"onnx.ReduceMin", reduction_rule, emit_reduction<"tfl.reduce_min", reduction_function::plain, "tfl.reduce_all">},
    {"onnx.ReduceL1", reduction_rule, emit_reduction<"tfl.sum", reduction_function::of_absolute_values>},
    {"onnx.ReduceL2", reduction_rule, emit_reduction<"tfl.sum", reduction_function::root_of_squares>},
    {"onnx.ReduceSumSquare", reduction_rule, emit_reduction<"tfl.sum", reduction_function::of_squares>},
    {"onnx.ReduceLogSum", reduction_rule, emit_reduction<"tfl.sum", reduction_function::logarithm>},
    {"onnx.ReduceLogSumExp", reduction_rule, emit_reduction<"tfl.sum", reduction_function::logarithm_of_powers>},
};

}  // namespace baton::detail

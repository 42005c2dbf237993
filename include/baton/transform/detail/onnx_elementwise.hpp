// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ONNX operators that compute each element from the elements at the same position, and softmax.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/shared/real_functions.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/legalization_row.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace baton::detail {

/// Emits an operator with one operand and no attributes.
template <fixed_string Op>
constexpr void emit_unary(emission& emitter) {
  emitter.finish(Op, {emitter.in(0)});
}
/// Emits an operator with two operands, which are broadcast. The attribute `fused_activation_function` of the operator is `none`.
template <fixed_string Op>
constexpr void emit_arithmetic(emission& emitter) {
  const named_literal literals[] = {{"fused_activation_function", "none"}};
  const value_id operands[] = {emitter.in(0), emitter.in(1)};
  emitter.finish(Op, operands, literals);
}

/// Replaces `onnx.Clip`. The bounds are operands or, before version 11 of the operator set (opset), attributes.
constexpr void emit_clip(emission& emitter) {
  const auto type = emitter.output_type().type;
  constexpr auto infinity = std::numeric_limits<float>::infinity();
  for (const std::size_t at : {1u, 2u}) {
    if (emitter.has(at) &&
        (!emitter.is_data(emitter.operand(at)) || element_count(emitter.stored_type(emitter.operand(at)).shape()) != 1)) {
      return emitter.refuse("a bound is not a constant number");
    }
  }
  const auto in = emitter.in(0);
  if (type != dtype::float32) {
    const bool has_attributes = emitter.has_attribute("min") || emitter.has_attribute("max");
    if (has_attributes) return emitter.refuse("attributes min and max for elements of ", facts(type).name, " are not supported");
    if (emitter.has(1) && emitter.has(2)) {
      const auto low =
          emitter.add("low", "tfl.maximum", {in, emitter.operand(1)}, emitter.output_type(), {}, emitter.layout(emitter.output()));
      return emitter.finish("tfl.minimum", {low, emitter.operand(2)});
    }
    if (!emitter.has(1) && !emitter.has(2)) return emitter.forward(in);
    return emitter.has(1) ? emitter.finish("tfl.maximum", {in, emitter.operand(1)})
                          : emitter.finish("tfl.minimum", {in, emitter.operand(2)});
  }
  const auto low = emitter.real_element(1, 0, static_cast<float>(emitter.real("min", static_cast<double>(-infinity))));
  const auto high = emitter.real_element(2, 0, static_cast<float>(emitter.real("max", static_cast<double>(infinity))));
  const bool has_low = low > std::numeric_limits<float>::lowest(), has_high = high < std::numeric_limits<float>::max();
  if (!has_low && !has_high) return emitter.forward(in);
  if (low == 0 && !has_high) return emitter.finish("tfl.relu", {in});
  if (low == 0 && high == 6) return emitter.finish("tfl.relu6", {in});
  if (low == 0 && high == 1) return emitter.finish("tfl.relu_0_to_1", {in});
  if (low == -1 && high == 1) return emitter.finish("tfl.relu_n1_to_1", {in});
  const auto scalar = tensor(dtype::float32);
  if (!has_high) return emitter.finish("tfl.maximum", {in, emitter.real_constant("low", {&low, 1}, scalar)});
  const auto top = emitter.real_constant("high", {&high, 1}, scalar);
  if (!has_low) return emitter.finish("tfl.minimum", {in, top});
  const auto bottom = emitter.real_constant("low", {&low, 1}, scalar);
  const auto raised = emitter.add("low", "tfl.maximum", {in, bottom}, emitter.output_type(), {}, emitter.layout(emitter.output()));
  emitter.finish("tfl.minimum", {raised, top});
}

constexpr void emit_leaky_relu(emission& emitter) {
  emitter.finish("tfl.leaky_relu", {emitter.in(0)}, {{"alpha", emitter.real("alpha", 0.01)}});
}

constexpr void emit_identity(emission& emitter) { emitter.forward(emitter.in(0)); }
/// Replaces `onnx.Dropout` by the input. Refuses training (the pass then fails with `unsupported_operator`).
constexpr void emit_dropout(emission& emitter) {
  if (emitter.has(2)) {
    const bool is_inference = emitter.is_data(emitter.operand(2)) &&
                              emitter.program().data(emitter.record(emitter.operand(2)).data).size() == 1 &&
                              emitter.program().data(emitter.record(emitter.operand(2)).data)[0] == 0;
    if (!is_inference) return emitter.refuse("training_mode is not a constant false");
  }
  emitter.forward(emitter.in(0));
}

/// Replaces `onnx.BatchNormalization` by x · a + b. The constants a = scale / sqrt(variance + epsilon) and b = bias - mean · a are computed
/// in double. Refuses training.
constexpr void emit_batch_normalization(emission& emitter) {
  const auto type = emitter.file_type(emitter.operand(0));
  const auto channels = type.rank < 2 ? 0 : type.sizes[1];
  if (emitter.integer("training_mode") != 0) return emitter.refuse("training_mode is not supported");
  for (std::size_t i = 1; i < 5; ++i) {
    const bool is_valid = emitter.is_data(emitter.operand(i)) && emitter.record(emitter.operand(i)).type == dtype::float32 &&
                          element_count(emitter.stored_type(emitter.operand(i)).shape()) == channels && channels > 0;
    if (!is_valid) return emitter.refuse("operand ", i, " is not a constant with one float32 number per channel");
  }
  vector<float> factors, addends;
  const auto epsilon = emitter.real("epsilon", 1e-5);
  for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c) {
    const auto factor = static_cast<double>(emitter.real_element(1, c, 0)) /
                        baton::real::square_root(static_cast<double>(emitter.real_element(4, c, 0)) + epsilon);
    factors.push_back(static_cast<float>(factor));
    addends.push_back(static_cast<float>(static_cast<double>(emitter.real_element(2, c, 0)) -
                                         static_cast<double>(emitter.real_element(3, c, 0)) * factor));
  }
  auto shape = tensor(dtype::float32);  // one number per channel, in the layout of the output
  shape.rank = type.rank;
  for (std::size_t i = 0; i < shape.rank; ++i) shape.sizes[i] = 1;
  shape.sizes[static_cast<std::size_t>(emitter.dimension(1, type.rank))] = channels;
  const auto factor = emitter.real_constant("factor", factors, shape), addend = emitter.real_constant("addend", addends, shape);
  const auto product = emitter.add("product", "tfl.mul", {emitter.in(0), factor}, emitter.output_type(),
                                   {{"fused_activation_function", "none"}}, emitter.layout(emitter.output()));
  emitter.finish("tfl.add", {product, addend}, {{"fused_activation_function", "none"}});
}
/// Returns the layout rule of batch normalization. The rule for a row (a flattened image) is `fixed`, because the channels of the image are
/// not a dimension of the row.
constexpr auto batch_normalization_layout_rule(const layout_query& node) -> layout_rule {
  return node.has(0) && node.is_row(0) ? layout_rule::fixed : elementwise(node);
}

/// Returns the axis of a softmax or hardmax without the attribute `axis`: the last dimension since opset 13, and dimension 1 before.
constexpr auto default_softmax_axis(std::int64_t opset) -> std::int64_t { return opset < 13 ? 1 : -1; }
/// Returns the layout rule of a softmax whose attribute `axis` in the file is `stated`. Returns `image` for a softmax along the channels of
/// an image, because kernels compute a softmax only along the last dimension. Returns `same` for a softmax along the rows of a matrix,
/// because the order of the elements in a row does not matter. Otherwise, returns `fixed`.
constexpr auto softmax_layout_rule(const layout_query& node, std::int64_t stated) -> layout_rule {
  if (!node.has(0)) return layout_rule::fixed;
  const auto rank = node.shape(0).size();
  const auto axis = inference::dimension(stated, rank);
  if (rank > 2 && axis == 1) return layout_rule::image;
  return rank == 2 && axis == 1 ? layout_rule::same : layout_rule::fixed;
}
constexpr auto softmax_layout_rule_of(const layout_query& node) -> layout_rule {
  const auto absent = default_softmax_axis(node.program.integer(node.record, "opset", 13));
  return softmax_layout_rule(node, node.program.integer(node.record, "axis", absent));
}
/// Adds a constant with the permutation of `rank` dimensions that exchanges dimension `axis` with the last one.
constexpr auto swap_with_last_order(emission& emitter, std::size_t axis, std::size_t rank) -> value_id {
  std::array<std::int64_t, tensor_type::max_rank> order{};
  for (std::size_t d = 0; d < rank; ++d) order[d] = static_cast<std::int64_t>(d);
  std::swap(order[axis], order[rank - 1]);
  return emitter.integer_constant("order", {order.data(), rank});
}
/// Finishes the replacement with `op` along the dimension in the attribute `axis`. If this dimension is not the last one in the layout of
/// the output, inserts a transpose before and after `op`.
constexpr void finish_along_last(emission& emitter, std::string_view op, span<const named_literal> literals) {
  const auto rank = emitter.stored_type(emitter.operand(0)).rank;
  const auto opset = emitter.integer("opset", 13);
  const auto stated = emitter.integer("axis", default_softmax_axis(opset));
  const auto axis = inference::dimension(stated, rank);
  if (axis == rank) return emitter.refuse("there is no dimension ", stated);
  for (auto d = axis + 1; opset < 13 && d < rank; ++d) {
    if (emitter.file_type(emitter.operand(0)).sizes[d] != 1)
      return emitter.refuse("before operator set 13, this operator normalizes all dimensions from ", stated,
                            " on; convert the model to operator set 13");
  }
  auto in = emitter.in(0);
  const auto last = static_cast<std::size_t>(emitter.dimension(static_cast<std::int64_t>(axis), rank)) + 1 == rank;
  if (last) return emitter.finish(op, span<const value_id>{&in, 1}, literals);
  auto swapped = emitter.output_type();
  std::swap(swapped.sizes[axis], swapped.sizes[rank - 1]);
  const auto by = swap_with_last_order(emitter, axis, rank);
  in = emitter.add("swapped", "tfl.transpose", {in, by}, swapped);
  emitter.begin_inner("swapped", swapped);
  emitter.finish(op, span<const value_id>{&in, 1}, literals);
  emitter.end_inner("swap", "tfl.transpose", {}, by);
}
constexpr void emit_softmax(emission& emitter) {
  const named_literal literals[] = {{"beta", 1.0}};
  finish_along_last(emitter, "tfl.softmax", literals);
}
constexpr void emit_log_softmax(emission& emitter) { finish_along_last(emitter, "tfl.log_softmax", {}); }

/// The rows (`legalization_row`) of elementwise operators.
inline constexpr legalization_row onnx_elementwise[] = {
    {"onnx.Relu", elementwise, emit_unary<"tfl.relu">},
    {"onnx.Sigmoid", elementwise, emit_unary<"tfl.logistic">},
    {"onnx.Tanh", elementwise, emit_unary<"tfl.tanh">},
    {"onnx.HardSwish", elementwise, emit_unary<"tfl.hard_swish">},
    {"onnx.Abs", elementwise, emit_unary<"tfl.abs">},
    {"onnx.Neg", elementwise, emit_unary<"tfl.neg">},
    {"onnx.Exp", elementwise, emit_unary<"tfl.exp">},
    {"onnx.Log", elementwise, emit_unary<"tfl.log">},
    {"onnx.Sqrt", elementwise, emit_unary<"tfl.sqrt">},
    {"onnx.LeakyRelu", elementwise, emit_leaky_relu},
    {"onnx.Clip", elementwise, emit_clip},
    {"onnx.Add", elementwise, emit_arithmetic<"tfl.add">, 2},
    {"onnx.Sub", elementwise, emit_arithmetic<"tfl.sub">, 2},
    {"onnx.Mul", elementwise, emit_arithmetic<"tfl.mul">, 2},
    {"onnx.Div", elementwise, emit_arithmetic<"tfl.div">, 2},
    {"onnx.Softmax", softmax_layout_rule_of, emit_softmax},
    {"onnx.LogSoftmax", softmax_layout_rule_of, emit_log_softmax},
    {"onnx.BatchNormalization", batch_normalization_layout_rule, emit_batch_normalization, 5},
    {"onnx.Identity", forwarding, emit_identity},
    {"onnx.Dropout", forwarding, emit_dropout},
};

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ExecuTorch's operators that extract or replace slices of tensors, or that join, repeat, reverse or pad tensors. Comments list
// the arguments of an operator in parentheses after its name, in order.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/inference.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_argument.hpp>
#include <baton/transform/detail/executorch_moves.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_making.hpp>
#include <baton/transform/detail/onnx_moves.hpp>
#include <baton/transform/detail/onnx_slicing.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Finishes the replacement with the elements in [`start`, `end`) along dimension `axis`, in steps of `step`.
constexpr void finish_slice(emission& emitter, std::int64_t axis, std::int64_t start, std::int64_t end, std::int64_t step) {
  const std::int64_t starts[] = {start}, ends[] = {end}, axes[] = {axis}, steps[] = {step};
  emitter.set_operands({emitter.operand(0)});
  emitter.set_attributes({{"starts", span<const std::int64_t>{starts}},
                          {"ends", span<const std::int64_t>{ends}},
                          {"axes", span<const std::int64_t>{axes}},
                          {"steps", span<const std::int64_t>{steps}}});
  emit_slice(emitter);
}
/// Replaces `aten.slice_copy.Tensor_out` (input, dimension, start, end, step).
constexpr void emit_slice_copy(emission& emitter) {
  constexpr std::int64_t to_end = 0x7fffffff;
  const auto step = emitter.integer("arg_4", 1);
  if (step <= 0) return emitter.refuse("the step of a slice must be positive, not ", step);
  finish_slice(emitter, emitter.integer("arg_1"), emitter.integer("arg_2"), emitter.integer("arg_3", to_end), step);
}
/// Replaces `aten.narrow_copy.out` (input, dimension, start, length).
constexpr void emit_narrow_copy(emission& emitter) {
  const auto axis = dimension_argument(emitter, "arg_1", emitter.stored_type(emitter.operand(0)).rank);
  if (emitter.is_refused()) return;
  const auto size = emitter.file_type(emitter.operand(0)).sizes[axis], length = emitter.integer("arg_3");
  auto start = emitter.integer("arg_2");
  if (start < 0) start += size;
  if (start < 0 || length < 0 || start + length > size)
    return emitter.refuse("the slice of ", length, " elements at position ", emitter.integer("arg_2"), " is not inside dimension ", axis,
                          ", which has ", size, " elements");
  finish_slice(emitter, static_cast<std::int64_t>(axis), start, start + length, 1);
}
/// Replaces `aten.unbind_copy.int_out` (input, dimension). Each output is a slice without the dimension.
constexpr void emit_unbind(emission& emitter) {
  const auto in = emitter.operand_in_file_layout(0);
  const auto axis = dimension_argument(emitter, "arg_1", emitter.stored_type(in).rank);
  if (emitter.is_refused()) return;
  if (emitter.stored_type(in).sizes[axis] != static_cast<std::int64_t>(emitter.output_count()))
    return emitter.refuse("dimension ", axis, " has ", emitter.stored_type(in).sizes[axis], " elements, but the node has ",
                          emitter.output_count(), " outputs");
  for (std::size_t i = 0; i < emitter.output_count(); ++i) emitter.copy_quantization(in, emitter.output(i));
  emitter.finish("tfl.unpack", {in}, {{"num", emitter.output_count()}, {"axis", axis}});
}
/// Replaces `aten.stack.out` (inputs, position of the new dimension).
constexpr void emit_stack(emission& emitter) {
  const auto axis = dimension_argument(emitter, "arg_1", emitter.output_type().rank);
  if (emitter.is_refused()) return;
  vector<value_id> operands;
  for (std::size_t i = 0; i < emitter.operand_count(); ++i) operands.push_back(emitter.operand_in_file_layout(i));
  emitter.copy_quantization(operands[0], emitter.output());
  const named_literal literals[] = {{"values_count", operands.size()}, {"axis", axis}};
  emitter.finish("tfl.pack", operands, literals);
}
/// Replaces `aten.repeat.out` (input, number of copies along each dimension of the output).
constexpr void emit_repeat(emission& emitter) {
  auto in = emitter.operand_in_file_layout(0);
  const auto out = emitter.output_type();
  auto type = emitter.stored_type(in);
  if (type.rank > out.rank) return emitter.refuse("the output has fewer dimensions than the input");
  if (type.rank < out.rank) {
    auto shape = tensor(type.type);
    shape.rank = out.rank;
    for (std::size_t d = 0; d < out.rank; ++d) shape.sizes[d] = d + type.rank < out.rank ? 1 : type.sizes[d + type.rank - out.rank];
    const auto quantized = in;
    in = emitter.add("shaped", "tfl.reshape", {in}, shape, {{"new_shape", shape.shape()}});
    emitter.copy_quantization(quantized, in);
  }
  emitter.set_operands({in});
  emit_tile(emitter);
}
/// Replaces `aten.flip.out` (input, dimensions).
constexpr void emit_flip(emission& emitter) {
  const auto in = emitter.operand_in_file_layout(0);
  const auto rank = emitter.stored_type(in).rank;
  vector<std::int64_t> axes;
  for (const auto listed : emitter.list("arg_1")) {
    const auto axis = inference::dimension(listed, rank);
    if (axis == rank) return emitter.refuse("there is no dimension ", listed);
    axes.push_back(static_cast<std::int64_t>(axis));
  }
  if (axes.empty()) return emitter.finish_reshape(in);
  emitter.copy_quantization(in, emitter.output());
  emitter.finish("tfl.reverse_v2", {in, emitter.integer_constant("axes", axes)});
}

/// Finishes the replacement with operand 0, padded. Argument 1 lists the numbers of elements before and after each dimension, last
/// dimension first. `mode` is the mode of `onnx.Pad`.
constexpr void finish_padded(emission& emitter, const char* mode) {
  const auto rank = emitter.stored_type(emitter.operand(0)).rank;
  const auto list = emitter.list("arg_1");
  if (list.size() % 2 != 0 || list.size() / 2 > rank) {
    return emitter.refuse("the padding has ", list.size(), " numbers, but the count must be even and at most ", 2 * rank);
  }
  std::array<std::int64_t, 2 * tensor_type::max_rank> pads{};
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] < 0) return emitter.refuse("a negative padding is not supported");
    pads[(i % 2 == 0 ? 0 : rank) + rank - 1 - i / 2] = list[i];
  }
  emitter.set_attributes({{"pads", span<const std::int64_t>{pads.data(), 2 * rank}}, {"mode", mode}});
  emit_pad(emitter);
}
/// Replaces `aten.constant_pad_nd.out` (input, paddings, element).
constexpr void emit_constant_pad(emission& emitter) {
  const auto number = number_of_argument(emitter, "arg_2");
  emitter.set_operands({emitter.operand(0), none<value_id>, number});
  finish_padded(emitter, "constant");
}
/// Replaces `aten.reflection_pad2d.out` and similar operators (input, paddings).
constexpr void emit_reflection_pad(emission& emitter) { finish_padded(emitter, "reflect"); }

/// Replaces `aten.slice_scatter.out` (input, source, dimension, start, end, step). The source replaces a slice of the input.
constexpr void emit_slice_scatter(emission& emitter) {
  const auto type = emitter.file_type(emitter.operand(0)), part = emitter.file_type(emitter.operand(1));
  const auto axis = dimension_argument(emitter, "arg_2", type.rank);
  if (emitter.is_refused()) return;
  if (emitter.integer("arg_5", 1) != 1) return emitter.refuse("only a step of 1 is supported");
  const strided_axis slice{type.sizes[axis], emitter.integer("arg_3"), emitter.integer("arg_4", 0x7fffffff), 1};
  if (part.rank != type.rank || slice.count() != part.sizes[axis]) return emitter.refuse("the source does not have the shape of the slice");
  std::array<std::int64_t, tensor_type::max_rank> begin{};
  begin[axis] = slice.first();
  emitter.copy_quantization(emitter.operand(0), emitter.output());
  emitter.finish("tfl.dynamic_update_slice", {emitter.operand_in_file_layout(0), emitter.operand_in_file_layout(1),
                                              emitter.integer_constant("begin", {begin.data(), type.rank})});
}
/// Replaces `aten.select_scatter.out` (input, source, dimension, position). The source replaces the slice at the position.
constexpr void emit_select_scatter(emission& emitter) {
  const auto type = emitter.file_type(emitter.operand(0));
  const auto axis = dimension_argument(emitter, "arg_2", type.rank);
  if (emitter.is_refused()) return;
  const auto at = emitter.integer("arg_3") < 0 ? emitter.integer("arg_3") + type.sizes[axis] : emitter.integer("arg_3");
  if (at < 0 || at >= type.sizes[axis]) return emitter.refuse("there is no position ", emitter.integer("arg_3"));
  auto part = type;
  part.sizes[axis] = 1;
  if (element_count(part.shape()) != element_count(emitter.file_type(emitter.operand(1)).shape()))
    return emitter.refuse("the source does not have the shape of the slice");
  std::array<std::int64_t, tensor_type::max_rank> begin{};
  begin[axis] = at;
  const auto source = emitter.add("source", "tfl.reshape", {emitter.operand_in_file_layout(1)}, part, {{"new_shape", part.shape()}});
  emitter.copy_quantization(emitter.operand(0), emitter.output());
  emitter.finish("tfl.dynamic_update_slice",
                 {emitter.operand_in_file_layout(0), source, emitter.integer_constant("begin", {begin.data(), type.rank})});
}

/// Replaces `aten.tril.out` and similar operators (matrices, number of the diagonal). Elements above the diagonal, or below it if `IsUpper`
/// is set, become 0.
template <bool IsUpper>
constexpr void emit_triangle(emission& emitter) {
  finish_triangle(emitter, emitter.integer("arg_1"), IsUpper);
}

/// The rows (`legalization_row`) of operators that extract or replace slices of tensors, or that join, repeat, reverse or pad tensors.
inline constexpr legalization_row executorch_slicing[] = {
    {"aten.slice_copy.Tensor_out", fixed_if_reordered<along_axis>, in_identity_order<emit_slice_copy>},
    {"aten.narrow_copy.out", fixed_if_reordered<along_axis>, in_identity_order<emit_narrow_copy>},
    {"aten.split_copy.Tensor_out", fixed_if_reordered<along_axis>, in_identity_order<emit_split_with_sizes>, 1, 255},
    {"aten.unbind_copy.int_out", layout_rule::fixed, in_identity_order<emit_unbind>, 1, 255},
    {"aten.stack.out", layout_rule::fixed, in_identity_order<emit_stack>},
    {"aten.repeat.out", layout_rule::fixed, in_identity_order<emit_repeat>},
    {"aten.flip.out", layout_rule::fixed, in_identity_order<emit_flip>},
    {"aten.constant_pad_nd.out", fixed_if_reordered<along_axis>, in_identity_order<emit_constant_pad>},
    {"aten.reflection_pad1d.out", fixed_if_reordered<along_axis>, in_identity_order<emit_reflection_pad>},
    {"aten.reflection_pad2d.out", fixed_if_reordered<along_axis>, in_identity_order<emit_reflection_pad>},
    {"aten.reflection_pad3d.out", fixed_if_reordered<along_axis>, in_identity_order<emit_reflection_pad>},
    {"aten.slice_scatter.out", layout_rule::fixed, in_identity_order<emit_slice_scatter>, 2},
    {"aten.select_scatter.out", layout_rule::fixed, in_identity_order<emit_select_scatter>, 2},
    {"aten.tril.out", layout_rule::fixed, in_identity_order<emit_triangle<false>>},
};

}  // namespace baton::detail

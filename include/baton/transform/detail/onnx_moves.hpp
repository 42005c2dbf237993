// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ONNX operators that move elements.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/legalization_row.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Replaces `onnx.Flatten`, `onnx.Reshape`, `onnx.Squeeze` and `onnx.Unsqueeze`. The new shape is the shape of the output. A constant is
/// replaced by a constant with this shape and the same bytes.
constexpr void emit_reshape(emission& emitter) {
  const auto type = emitter.output_type();
  const auto in = emitter.operand(0);
  if (!emitter.is_constant(in)) return emitter.finish_reshape(emitter.in_layout(in, emitter.is_channels_last()));
  const auto& quant = emitter.record(emitter.data_of(in)).quant;
  if (quant.channels > 1) return emitter.refuse("a constant that is quantized per channel cannot be reshaped");
  emitter.forward(emitter.reshaped(in, type));
}

/// Returns the permutation of a transpose. An empty `listed` reverses the dimensions. Returns an empty list if `listed` is invalid.
constexpr auto order_of_transpose(span<const std::int64_t> listed, std::size_t rank) -> vector<std::uint8_t> {
  vector<std::uint8_t> order;
  if (!listed.empty() && !permutation::is_order(listed, rank)) return order;
  for (std::size_t i = 0; i < rank; ++i)
    order.push_back(static_cast<std::uint8_t>(listed.empty() ? rank - 1 - i : static_cast<std::size_t>(listed[i])));
  return order;
}
/// Returns the layout rule of a transpose to `order`: `to_last` if the transpose only moves dimension 1 to the end, and `to_first` if it
/// only moves the last dimension to position 1. Returns `flexible_operand_0` for other transposes, and `fixed` below rank 3.
constexpr auto kind_of_transpose(const vector<std::uint8_t>& order) -> layout_rule {
  const auto rank = order.size();
  if (rank < 3) return layout_rule::fixed;
  bool is_to_last = order[0] == 0 && order[rank - 1] == 1, is_to_first = order[0] == 0 && order[1] == rank - 1;
  for (std::size_t i = 1; i < rank; ++i) {
    is_to_last = is_to_last && (i + 1 == rank || order[i] == i + 1);
    is_to_first = is_to_first && (i == 1 || order[i] == i - 1);
  }
  return is_to_last ? layout_rule::to_last : is_to_first ? layout_rule::to_first : layout_rule::flexible_operand_0;
}
/// Returns the layout rule of a transpose. A transpose with the rule `to_last` or `to_first` moves no elements. A file that was converted
/// from a channels-last model has these transposes around each image operator.
constexpr auto transposing(const layout_query& node) -> layout_rule {
  if (!node.has(0)) return layout_rule::fixed;
  if (node.is_constant(0)) return layout_rule::constant;
  const auto* const listed = node.program.find(node.record, "perm");
  const auto numbers = listed == nullptr ? span<const std::int64_t>{} : node.program.integer_list(listed->list);
  return kind_of_transpose(order_of_transpose(numbers, node.shape(0).size()));
}
/// Replaces `onnx.Transpose`. Operand 0 may have the channels first or last. If operand 0 is already stored in the transposed order, no
/// elements are moved.
constexpr void emit_transpose(emission& emitter) {
  const auto in_file = emitter.file_type(emitter.operand(0));
  const auto order = order_of_transpose(emitter.list("perm"), in_file.rank);
  if (order.size() != in_file.rank) return emitter.refuse("perm is not a permutation of ", in_file.rank, " dimensions");
  permutation by{in_file, {}};
  for (std::size_t i = 0; i < in_file.rank; ++i) by.order[i] = order[i];
  if (emitter.is_constant(emitter.operand(0))) return emitter.forward(emitter.permuted(emitter.operand(0), by));
  const auto kind = kind_of_transpose(order);
  auto in = emitter.operand(0);
  if (kind == layout_rule::fixed || kind == layout_rule::to_first) in = emitter.operand_in_file_layout(0);
  if (kind == layout_rule::to_last) in = emitter.channels_last_operand(0);
  if (emitter.is_channels_last()) return emitter.finish_reshape(in);  // `to_first`: the output is stored like the operand
  if (emitter.is_channels_last(in)) {
    by.type = emitter.stored_type(in);
    for (std::size_t i = 0; i < in_file.rank; ++i)
      by.order[i] = static_cast<std::uint8_t>(emission::last_dimension(order[i], in_file.rank));
  }
  emitter.finish_transpose(in, by);
}

/// Replaces `onnx.Concat`.
constexpr void emit_concat(emission& emitter) {
  vector<value_id> operands;
  for (std::size_t i = 0; i < emitter.operand_count(); ++i) operands.push_back(emitter.in(i));
  const auto rank = emitter.output_type().rank;
  const auto axis = inference::dimension(emitter.integer("axis"), rank);
  if (axis == rank) return emitter.refuse("there is no dimension ", emitter.integer("axis"));
  emitter.copy_quantization(operands[0], emitter.output());
  const named_literal literals[] = {{"axis", emitter.dimension(static_cast<std::int64_t>(axis), rank)},
                                    {"fused_activation_function", "none"}};
  emitter.finish("tfl.concatenation", operands, literals);
}

/// Replaces `onnx.Pad`. Padding of a float32 tensor with 0 becomes `tfl.pad`. Padding of a float32 tensor with another number, and of a
/// tensor of another type, becomes `tfl.padv2`. Padding with reflected elements becomes `tfl.mirror_pad`. Other modes are refused (the pass
/// then fails with `unsupported_operator`).
constexpr void emit_pad(emission& emitter) {
  const auto in = emitter.in(0);
  const auto type = emitter.stored_type(in);
  vector<std::int64_t> pads;  // the padding before each dimension, then the padding after each dimension, in the file's order
  if (emitter.has(1)) {
    const auto stated_pads = emitter.integers(1);
    if (!stated_pads.are_known) return emitter.refuse("the padding is not constant");
    for (std::size_t i = 0; i < stated_pads.count; ++i) pads.push_back(stated_pads[i]);
  } else {
    for (const auto each : emitter.list("pads")) pads.push_back(each);
  }
  vector<std::int64_t> axes;
  if (emitter.has(3)) {
    const auto stated_axes = emitter.integers(3);
    if (!stated_axes.are_known) return emitter.refuse("the axes are not constant");
    for (std::size_t i = 0; i < stated_axes.count; ++i) axes.push_back(stated_axes[i]);
  } else {
    for (std::size_t i = 0; i < type.rank; ++i) axes.push_back(static_cast<std::int64_t>(i));
  }
  if (pads.size() != 2 * axes.size() || axes.size() > type.rank) {
    return emitter.refuse("the padding has ", pads.size(), " numbers for ", axes.size(), " axes; the tensor has ", type.rank,
                          " dimensions");
  }
  std::array<std::int64_t, 2 * tensor_type::max_rank> stored{};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = inference::dimension(axes[i], type.rank);
    if (axis == type.rank) return emitter.refuse("there is no dimension ", axes[i]);
    const auto at = static_cast<std::size_t>(emitter.dimension(static_cast<std::int64_t>(axis), type.rank));
    stored[2 * at] = pads[i];
    stored[2 * at + 1] = pads[i + axes.size()];
    if (pads[i] < 0 || pads[i + axes.size()] < 0) return emitter.refuse("a negative padding is not supported; use Slice");
  }
  const auto mode = emitter.text("mode");
  const auto table = emitter.integer_constant("paddings", {stored.data(), 2 * type.rank}, 2);
  emitter.copy_quantization(in, emitter.output());
  if (mode == "reflect") return emitter.finish("tfl.mirror_pad", {in, table}, {{"mode", "reflect"}});
  if (!mode.empty() && mode != "constant") return emitter.refuse("mode ", mode, " is not supported");
  if (emitter.has(2) && (!emitter.is_data(emitter.operand(2)) || element_count(emitter.stored_type(emitter.operand(2)).shape()) != 1)) {
    return emitter.refuse("the padding value is not a constant of one element");
  }
  if (type.type == dtype::float32) {
    const auto number = emitter.real_element(2, 0, static_cast<float>(emitter.real("value")));
    if (number == 0) return emitter.finish("tfl.pad", {in, table});
    return emitter.finish("tfl.padv2", {in, table, emitter.real_constant("number", {&number, 1}, tensor(dtype::float32))});
  }
  if (emitter.real("value") != 0) return emitter.refuse("the attribute value for elements of ", facts(type.type).name, " is not supported");
  // For integers, `tfl.pad` pads with the zero point, but ONNX pads with the integer 0.
  std::array<char, 8> bytes{};
  const auto width = facts(type.type).bits / 8u;
  if (width == 0 || width > bytes.size()) return emitter.refuse("elements of ", facts(type.type).name, " are not supported");
  if (emitter.has(2)) {
    const auto element = emitter.program().data(emitter.record(emitter.operand(2)).data);
    for (std::size_t b = 0; b < width && b < element.size(); ++b) bytes[b] = element[b];
  }
  const auto number = emitter.constant("number", tensor(type.type), {bytes.data(), width});
  emitter.copy_quantization(in, number);
  emitter.finish("tfl.padv2", {in, table, number});
}

/// The rows (`legalization_row`) of operators that move elements.
inline constexpr legalization_row onnx_moves[] = {
    {"onnx.Flatten", reshaping, emit_reshape},   {"onnx.Reshape", reshaping, emit_reshape},       {"onnx.Squeeze", reshaping, emit_reshape},
    {"onnx.Unsqueeze", reshaping, emit_reshape}, {"onnx.Transpose", transposing, emit_transpose}, {"onnx.Concat", along_axis, emit_concat},
    {"onnx.Pad", along_axis, emit_pad},
};

}  // namespace baton::detail

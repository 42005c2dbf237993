// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ONNX operators that create tensors from shapes and numbers, or that keep one triangle of a matrix.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/legalization_row.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The maximum size, in bytes, of a constant that an emitter computes.
inline constexpr std::int64_t max_computed_bytes = 1 << 16;

/// Returns the number of elements of the output. If the output is larger than `max_computed_bytes`, refuses the node (the pass then fails
/// with `unsupported_operator`) and returns -1.
constexpr auto computed_count(emission& emitter) -> std::int64_t {
  const auto type = emitter.output_type();
  const auto count = element_count(type.shape());
  if (byte_count(type.type, type.shape()) > max_computed_bytes)
    return emitter.refuse("a constant of ", count, " elements is too large"), -1;
  return count;
}

/// Replaces `onnx.Shape` by a constant with the sizes of the dimensions [`start`, `end`) of the operand.
constexpr void emit_shape(emission& emitter) {
  const auto type = emitter.file_type(emitter.operand(0));
  const auto rank = static_cast<std::int64_t>(type.rank);
  const auto limited = [rank](std::int64_t axis) { return std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank); };
  vector<std::int64_t> sizes;
  const auto end = limited(emitter.integer("end", rank));
  for (auto d = limited(emitter.integer("start")); d < end; ++d) sizes.push_back(type.sizes[static_cast<std::size_t>(d)]);
  emitter.forward(emitter.constant("sizes", emitter.output_type(), view(bytes_of(sizes, dtype::int64))));
}
/// Replaces `onnx.Size` by a constant with the number of elements of the operand.
constexpr void emit_size(emission& emitter) {
  const std::int64_t numbers[] = {element_count(emitter.stored_type(emitter.operand(0)).shape())};
  emitter.forward(emitter.constant("size", emitter.output_type(), view(bytes_of(numbers, dtype::int64))));
}
/// Replaces `onnx.ConstantOfShape` by a constant whose elements are the attribute `value`.
constexpr void emit_constant_of_shape(emission& emitter) {
  const auto count = computed_count(emitter);
  if (count < 0) return;
  const auto type = emitter.output_type();
  expression f(emitter);
  const auto number =
      type.type == dtype::float32 ? f.number("value", emitter.real("value")) : f.argument("value", emitter.unclamped_integer("value"));
  if (emitter.is_refused()) return;
  const text_buffer element(emitter.program().data(emitter.record(number).data).begin(),
                            emitter.program().data(emitter.record(number).data).end());
  text_buffer bytes;
  for (std::int64_t i = 0; i < count; ++i) bytes.insert(bytes.end(), element.begin(), element.end());
  emitter.forward(emitter.constant("constant", type, view(bytes)));
}
/// Replaces `onnx.Range` by a constant whose element i is start + i · delta.
constexpr void emit_range(emission& emitter) {
  const auto count = computed_count(emitter);
  if (count < 0) return;
  const auto type = emitter.output_type();
  if (type.type == dtype::float32) {
    if (!emitter.is_data(emitter.operand(0)) || !emitter.is_data(emitter.operand(2))) return emitter.refuse("an operand is not a constant");
    vector<float> numbers;
    const auto start = emitter.real_element(0, 0, 0), delta = emitter.real_element(2, 0, 0);
    for (std::int64_t i = 0; i < count; ++i) numbers.push_back(start + static_cast<float>(i) * delta);
    return emitter.forward(emitter.real_constant("range", numbers, type));
  }
  const auto start = emitter.integers(0), delta = emitter.integers(2);
  if (!start.are_known || !delta.are_known || start.count != 1 || delta.count != 1) return emitter.refuse("an operand is not a constant");
  vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto step = static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(delta[0]);
    numbers.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(start[0]) + step));
  }
  emitter.forward(emitter.constant("range", type, view(bytes_of(numbers, type.type))));
}

/// Adds a constant matrix of booleans: element [i, j] is true if `is_set(j - i)`.
template <class Predicate>
constexpr auto band_matrix(emission& emitter, std::int64_t rows, std::int64_t columns, Predicate is_set) -> value_id {
  text_buffer bytes;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) bytes.push_back(is_set(j - i) ? '\1' : '\0');
  }
  return emitter.constant("band", tensor(dtype::boolean, rows, columns), view(bytes));
}
/// Finishes the replacement with a copy of operand 0 in which the elements outside one triangle of each matrix are 0. `k` is the number of
/// the triangle's diagonal; the main diagonal is 0, and positive numbers are above it. The upper triangle (`is_upper`) has the diagonal and
/// the elements above it, the lower triangle the diagonal and the elements below it.
constexpr void finish_triangle(emission& emitter, std::int64_t k, bool is_upper) {
  const auto type = emitter.output_type();
  if (type.rank < 2) return emitter.refuse("the operand is not a matrix");
  const auto rows = type.sizes[type.rank - 2], columns = type.sizes[type.rank - 1];
  if (rows > max_computed_bytes || columns > max_computed_bytes || rows * columns > max_computed_bytes) {
    return emitter.refuse("a mask of ", rows, " rows of ", columns, " elements is too large");
  }
  const auto mask = band_matrix(emitter, rows, columns, [=](std::int64_t above) { return is_upper ? above >= k : above <= k; });
  expression f(emitter);
  emitter.finish("tfl.select_v2", {mask, emitter.operand_in_file_layout(0), f.whole("zero", 0)});
}
/// Replaces `onnx.Trilu`.
constexpr void emit_trilu(emission& emitter) {
  const auto offset = emitter.integers(1);
  if (emitter.has(1) && (!offset.are_known || offset.count != 1)) return emitter.refuse("k is not a constant");
  finish_triangle(emitter, emitter.has(1) ? offset[0] : 0, emitter.integer("upper", 1) != 0);
}
/// Replaces `onnx.EyeLike`. The result is 1 on diagonal `k`, else 0.
constexpr void emit_eye_like(emission& emitter) {
  const auto count = computed_count(emitter);
  if (count < 0) return;
  const auto type = emitter.output_type();
  if (type.rank != 2) return emitter.refuse("the operand is not a matrix");
  const auto k = emitter.integer("k");
  const auto mask = band_matrix(emitter, type.sizes[0], type.sizes[1], [=](std::int64_t above) { return above == k; });
  if (type.type == dtype::boolean) return emitter.forward(mask);
  emitter.finish("tfl.cast", {mask});
}

/// The rows (`legalization_row`) of operators that create tensors.
inline constexpr legalization_row onnx_making[] = {
    {"onnx.Shape", layout_rule::flexible_operand_0, emit_shape},
    {"onnx.Size", layout_rule::flexible_operand_0, emit_size},
    {"onnx.ConstantOfShape", layout_rule::fixed, emit_constant_of_shape},
    {"onnx.Range", layout_rule::fixed, emit_range, 3},
    {"onnx.EyeLike", layout_rule::fixed, emit_eye_like},
    {"onnx.Trilu", layout_rule::fixed, emit_trilu},
};

}  // namespace baton::detail

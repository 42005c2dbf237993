// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces operators of torch.export that create tensors from numbers.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_argument.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_making.hpp>

#include <cstdint>

namespace baton::detail {

/// A tensor of equal numbers: `Number`, or that of argument `Position` if it is not negative.
template <int Number, int Position = -1>
constexpr void emit_torch_full(emission& to) {
  constexpr literal_name keys[] = {"arg_0", "arg_1", "arg_2"};
  const bool is_float = to.output_type().type == dtype::float32;
  if constexpr (Position < 0) {
    to.state({is_float ? named_literal{"value", static_cast<double>(Number)} : named_literal{"value", Number}});
  } else {
    const auto whole = to.whole(keys[Position]);
    const auto real = to.real(keys[Position]);  // 0 for a boolean
    if (is_float) to.state({{"value", real == 0 ? static_cast<double>(whole) : real}});
    if (!is_float) to.state({{"value", whole_argument(to, keys[Position])}});
  }
  emit_constant_of_shape(to);
}
/// `aten.arange.*`: start, end and step. The type of the output gives the number of elements.
template <bool HasStart>
constexpr void emit_torch_range(emission& to) {
  const auto count = computed_count(to);
  if (count < 0) return;
  const auto type = to.output_type();
  const auto start = HasStart ? to.real("arg_0") : 0, step = HasStart ? to.real("arg_2", 1) : 1;
  if (type.type == dtype::float32) {
    vector<float> numbers;
    for (std::int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<float>(start + static_cast<double>(i) * step));
    return to.forward(to.real_constant("range", numbers, type));
  }
  if (bytes_of_integer(type.type) == 0 || !(start > -2e9 && start < 2e9 && step > -2e9 && step < 2e9))
    return to.refuse("a range of these numbers is not supported");
  vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<std::int64_t>(start) + i * static_cast<std::int64_t>(step));
  to.forward(to.constant("range", type, view(bytes_of(numbers, type.type))));
}
/// `aten.tril.default` and `aten.triu.default`: one triangle of matrices, whose diagonal is moved by argument 1. The rest is 0.
template <bool IsUpper>
constexpr void emit_torch_triangle(emission& to) {
  const auto type = to.output_type();
  if (type.rank < 2) return to.refuse("the operand is not a matrix");
  const auto k = to.integer("arg_1");
  const auto rows = type.sizes[type.rank - 2], columns = type.sizes[type.rank - 1];
  if (rows > max_computed_bytes || columns > max_computed_bytes || rows * columns > max_computed_bytes) {
    return to.refuse("a mask of ", rows, " rows of ", columns, " elements is too large");
  }
  const auto mask = band_matrix(to, rows, columns, [=](std::int64_t above) { return IsUpper ? above >= k : above <= k; });
  expression f(to);
  to.finish("tfl.select_v2", {mask, to.in_file(0), f.whole("zero", 0)});
}

/// Operators that create tensors from numbers.
inline constexpr legalization_row torch_making[] = {
    {"aten.zeros.default", manner::constant, emit_torch_full<0>, 0},
    {"aten.ones.default", manner::constant, emit_torch_full<1>, 0},
    {"aten.full.default", manner::constant, emit_torch_full<0, 1>, 0},
    {"aten.zeros_like.default", manner::constant, emit_torch_full<0>, 0},
    {"aten.ones_like.default", manner::constant, emit_torch_full<1>, 0},
    {"aten.full_like.default", manner::constant, emit_torch_full<0, 1>, 0},
    {"aten.new_zeros.default", manner::constant, emit_torch_full<0>, 0},
    {"aten.new_ones.default", manner::constant, emit_torch_full<1>, 0},
    {"aten.new_full.default", manner::constant, emit_torch_full<0, 2>, 0},
    {"aten.scalar_tensor.default", manner::constant, emit_torch_full<0, 0>, 0},
    {"aten.arange.default", manner::constant, emit_torch_range<false>, 0},
    {"aten.arange.start", manner::constant, emit_torch_range<true>, 0},
    {"aten.arange.start_step", manner::constant, emit_torch_range<true>, 0},
    {"aten.tril.default", manner::fixed, emit_torch_triangle<false>},
    {"aten.triu.default", manner::fixed, emit_torch_triangle<true>},
};

}  // namespace baton::detail

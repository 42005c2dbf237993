// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that create or decompose complex numbers.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::definitions {

inline constexpr operand_definition complex_operands[] = {{"input"}};
inline constexpr operand_definition rfft2d_operands[] = {{"input"}, {"fft_length"}};

/// Infers an output with the dtype of the input's real and imaginary components (`lite/kernels/complex_support.cc`).
constexpr void infer_part_of_complex(inference& node) {
  if (node.type(0) == dtype::complex64) node.set_type(0, dtype::float32);
  if (node.type(0) == dtype::complex128) node.set_type(0, dtype::float64);
  node.set_shape(0, inferred_shape(node.shape(0)));
}
/// Infers an output whose last two dimensions have the sizes `fft_length[0]` and `fft_length[1]` / 2 + 1 (`lite/kernels/rfft2d.cc`).
constexpr void infer_rfft2d(inference& node) {
  node.set_type(0, dtype::complex64);
  const auto rank = node.rank(0);
  if (rank < 2) return node.fail({"the input has ", rank, " dimensions, but needs at least 2: the height and width of the transform"});
  const auto lengths = node.integers(1);
  if (lengths.are_known && lengths.count != 2) return node.fail({"fft_length has ", lengths.count, " numbers, not 2"});
  inferred_shape shape(node.shape(0).first(rank - 2));
  shape.add(lengths.are_known ? lengths[0] : -1);
  shape.add(lengths.are_known && lengths[1] >= 0 ? lengths[1] / 2 + 1 : -1);
  node.set_shape(0, shape);
}

/// Definitions of operators that create or decompose complex numbers.
inline constexpr operator_definition complex_numbers[] = {
    {.name = "tfl.complex_abs", .operands = complex_operands, .infer = infer_part_of_complex},
    {.name = "tfl.real", .operands = complex_operands, .infer = infer_part_of_complex},
    {.name = "tfl.imag", .operands = complex_operands, .infer = infer_part_of_complex},
    {.name = "tfl.rfft2d", .operands = rfft2d_operands, .infer = infer_rfft2d},
};

}  // namespace baton::definitions

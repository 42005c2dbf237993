// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which operators compute the same when their first two operands change places.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>

namespace baton {

namespace detail {

/// After the operators' own documents: PyTorch's `native_functions.yaml` and the reference kernels of TensorFlow Lite. In-place forms are
/// left out, since they write to the first operand, and so are operators that have attributes an operand.
inline constexpr literal_name commutative_operators[] = {
    "aten.add.Tensor",
    "aten.mul.Tensor",
    "aten.maximum.default",
    "aten.minimum.default",
    "aten.fmax.default",
    "aten.fmin.default",
    "aten.eq.Tensor",
    "aten.ne.Tensor",
    "aten.logical_and.default",
    "aten.logical_or.default",
    "aten.logical_xor.default",
    "aten.bitwise_and.Tensor",
    "aten.bitwise_or.Tensor",
    "aten.bitwise_xor.Tensor",
    "aten.hypot.default",
    "aten.logaddexp.default",
    "aten.logaddexp2.default",
    "aten.gcd.default",
    "aten.lcm.default",
    "aten.dot.default",
    "tfl.add",
    "tfl.mul",
    "tfl.maximum",
    "tfl.minimum",
    "tfl.squared_difference",
    "tfl.equal",
    "tfl.not_equal",
    "tfl.logical_and",
    "tfl.logical_or",
    "tfl.bitwise_xor",
    "tfl.stablehlo_add",
    "tfl.stablehlo_multiply",
    "tfl.stablehlo_maximum",
    "tfl.stablehlo_minimum",
    "tfl.stablehlo_and",
    "tfl.stablehlo_or",
};

/// Whether the second operand is taken as it is: `aten.add` computes first + alpha · second.
constexpr auto has_plain_operands(const program_view& program, const node& candidate) -> bool {
  const auto* alpha = program.find(candidate, "alpha");
  if (alpha == nullptr) return true;
  return alpha->kind == attribute_kind::real ? alpha->real == 1.0 : alpha->integer == 1;
}

}  // namespace detail

/// The nodes whose first two operands may change places: what a pattern is told, so that `add(conv, x)` is found where `add(x, conv)`
/// stands. Results are equal but for what operands that are not numbers give. It says nothing of operators that it does not know; add your
/// own with `baton::any_of<baton::commutative, baton::operators<"my.blend">>`.
struct commutative {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (!is_among(candidate.op, detail::commutative_operators)) return refuse("the operator is not known to commute");
    if (!detail::has_plain_operands(program, candidate)) return refuse("the second operand is multiplied by alpha");
    return accept();
  }
};

}  // namespace baton

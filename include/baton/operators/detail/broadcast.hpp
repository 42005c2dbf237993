// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The shape of what is computed element by element, of one operand or of two.
#pragma once

#include <baton/core/span.hpp>
#include <baton/operators/inference.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

/// Whether two shapes fit, aligned at their ends, where a size of 1 or one that is missing fits any; `shape` becomes the common one. An
/// unknown size is taken for one that fits (`CalculateShapeForBroadcast` of `lite/kernels/kernel_util.cc`).
constexpr auto broadcast(span<const std::int64_t> a, span<const std::int64_t> b, inferred_shape& shape) -> bool {
  shape = {};
  const auto rank = std::max(a.size(), b.size());
  for (std::size_t i = 0; i < rank; ++i) {
    const auto x = i + a.size() < rank ? 1 : a[i + a.size() - rank];
    const auto y = i + b.size() < rank ? 1 : b[i + b.size() - rank];
    if (x >= 0 && y >= 0 && x != y && x != 1 && y != 1) return false;
    shape.add(x == 1 || (x < 0 && y != 1) ? y : x);
  }
  return true;
}

/// Gives output 0 the common shape of two operands.
constexpr void give_broadcast(inference& at, std::size_t first, std::size_t second) {
  inferred_shape shape;
  if (!broadcast(at.shape(first), at.shape(second), shape))
    return at.misfit({"the shapes of operands ", first, " and ", second, " differ"});
  at.give_shape(0, shape);
}

/// Gives output 0 a type of real or complex numbers; of integers PyTorch makes real ones by a setting.
constexpr void give_if_real(inference& at, dtype type) {
  constexpr dtype reals[] = {dtype::float32, dtype::float16, dtype::bfloat16, dtype::float64, dtype::complex64, dtype::complex128};
  for (const auto real : reals) {
    if (type == real) at.give_type(0, type);
  }
}

}  // namespace baton

namespace baton::definitions {

/// The shape of the input (`lite/kernels/{quantize,cast}.cc`, and `softmax` and `log_softmax` of `activations.cc` on integers, whose output
/// may be wider).
constexpr void infer_same_shape(inference& at) { at.give_shape(0, inferred_shape(at.shape(0))); }
/// Shape and type of the input (`lite/kernels/{activations,elementwise,exp,neg,floor,ceil,round,l2norm,local_response_norm,zeros_like,
/// cumsum,reverse,reverse_sequence,add_n,fake_quant,dynamic_update_slice}.cc`).
constexpr void infer_same(inference& at) { at.give(0, at.type(0), inferred_shape(at.shape(0))); }

}  // namespace baton::definitions

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The output shapes of element-wise operators with one or two operands.
#pragma once

#include <baton/core/span.hpp>
#include <baton/operators/inference.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

/// Broadcasts two shapes, aligned at their last dimensions: a size of 1 and a missing dimension fit any size. Sets `shape` to the common
/// shape. Returns false if the shapes do not fit. An unknown size is assumed to fit (`CalculateShapeForBroadcast` of
/// `lite/kernels/kernel_util.cc`).
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

/// Sets the shape of output 0 to the broadcast shape of two operands.
constexpr void give_broadcast(inference& at, std::size_t first, std::size_t second) {
  inferred_shape shape;
  if (!broadcast(at.shape(first), at.shape(second), shape))
    return at.misfit({"the shapes of operands ", first, " and ", second, " differ"});
  at.give_shape(0, shape);
}

/// Sets the type of output 0 if `type` is real or complex. Integers are omitted, because PyTorch converts them to a type that is a global
/// setting.
constexpr void give_if_real(inference& at, dtype type) {
  constexpr dtype reals[] = {dtype::float32, dtype::float16, dtype::bfloat16, dtype::float64, dtype::complex64, dtype::complex128};
  for (const auto real : reals) {
    if (type == real) at.give_type(0, type);
  }
}

}  // namespace baton

namespace baton::definitions {

/// The output has the shape of the input (`lite/kernels/{quantize,cast}.cc`; for integers also `softmax` and `log_softmax` of
/// `activations.cc`, whose output may be wider).
constexpr void infer_same_shape(inference& at) { at.give_shape(0, inferred_shape(at.shape(0))); }
/// The output has the shape and the type of the input (`lite/kernels/{activations,elementwise,exp,neg,floor,ceil,round,l2norm,
/// local_response_norm,zeros_like,cumsum,reverse,reverse_sequence,add_n,fake_quant,dynamic_update_slice}.cc`).
constexpr void infer_same(inference& at) { at.give(0, at.type(0), inferred_shape(at.shape(0))); }

}  // namespace baton::definitions

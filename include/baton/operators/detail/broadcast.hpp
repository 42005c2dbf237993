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

/// Sets `shape` to the broadcast shape of `a` and `b` and returns true. Returns false if `a` and `b` are not compatible. The shapes are
/// aligned at their last dimensions. A size of 1 and a missing dimension are compatible with any size. An unknown size is assumed to be
/// compatible (`CalculateShapeForBroadcast` of `lite/kernels/kernel_util.cc`).
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

/// Sets the shape of output 0 to the broadcast shape of operands `first` and `second`.
constexpr void set_broadcast(inference& node, std::size_t first, std::size_t second) {
  inferred_shape shape;
  if (!broadcast(node.shape(first), node.shape(second), shape))
    return node.fail({"the shapes of operands ", first, " and ", second, " cannot be broadcast"});
  node.set_shape(0, shape);
}

/// Sets the dtype of output 0 to `type` if `type` is a floating-point or complex type. For an integer or boolean `type`, the dtype stays
/// unknown, because PyTorch converts integers and booleans to its default dtype, which is a global setting.
constexpr void set_type_if_real(inference& node, dtype type) {
  constexpr dtype reals[] = {dtype::float32, dtype::float16, dtype::bfloat16, dtype::float64, dtype::complex64, dtype::complex128};
  for (const auto real : reals) {
    if (type == real) node.set_type(0, type);
  }
}

}  // namespace baton

namespace baton::definitions {

/// Sets the shape of the output to that of the input, as in `lite/kernels/{quantize,cast}.cc`. Also used for `softmax` and `log_softmax` of
/// integers (`activations.cc`), because the dtype of their output may be wider than the dtype of the input.
constexpr void infer_same_shape(inference& node) { node.set_shape(0, inferred_shape(node.shape(0))); }
/// Sets the shape and the dtype of the output to those of the input, as in `lite/kernels/{activations,elementwise,exp,neg,floor,ceil,round,
/// l2norm,local_response_norm,zeros_like,cumsum,reverse,reverse_sequence,add_n,fake_quant,dynamic_update_slice}.cc`.
constexpr void infer_same(inference& node) { node.set_output(0, node.type(0), inferred_shape(node.shape(0))); }

}  // namespace baton::definitions

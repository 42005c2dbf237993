// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// How often a window that slides along one axis fits.
#pragma once

#include <cstdint>

namespace baton {

/// The outputs of a window along an axis: as many as the stride needs to cover the input (SAME), or whole windows only (VALID, 0 if none
/// fits); -1 if a number is not known or makes no sense. TensorFlow Lite's `ComputeOutSize` (`lite/kernels/padding.h`).
constexpr auto window_size(bool is_same, std::int64_t input, std::int64_t filter, std::int64_t stride, std::int64_t dilation)
    -> std::int64_t {
  if (input < 0 || filter < 0 || stride <= 0 || dilation <= 0) return -1;
  if (is_same) return (input + stride - 1) / stride;
  const auto room = input - ((filter - 1) * dilation + 1);
  return room < 0 ? 0 : room / stride + 1;
}

}  // namespace baton

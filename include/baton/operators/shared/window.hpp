// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// How the window of a filter or of a pool slides along one axis of an image: how often, and how far outside it begins.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton {

/// The elements from a filter's first tap to its last.
constexpr auto filter_span(std::int64_t filter, std::int64_t dilation) -> std::int64_t { return (filter - 1) * dilation + 1; }

/// The outputs of a window along an axis: as many as the stride needs to cover the input (SAME), or whole windows only (VALID, 0 if none
/// fits); -1 if a number is not known or makes no sense. TensorFlow Lite's `ComputeOutSize` (`lite/kernels/padding.h`).
constexpr auto window_size(bool is_same, std::int64_t input, std::int64_t filter, std::int64_t stride, std::int64_t dilation)
    -> std::int64_t {
  if (input < 0 || filter < 0 || stride <= 0 || dilation <= 0) return -1;
  if (is_same) return (input + stride - 1) / stride;
  const auto room = input - filter_span(filter, dilation);
  return room < 0 ? 0 : room / stride + 1;
}

/// The padding before the first element: half of the total, rounded down (`ComputePaddingWithOffset`). Nothing for VALID windows.
constexpr auto padding_before(std::int64_t input, std::int64_t output, std::int64_t filter, std::int64_t stride, std::int64_t dilation)
    -> std::int64_t {
  const auto total = (output - 1) * stride + filter_span(filter, dilation) - input;
  return total > 0 ? total / 2 : 0;
}

}  // namespace baton

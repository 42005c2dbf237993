// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The number of outputs and the padding of a filter or pooling window along one axis of an image.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton {

/// Returns the number of elements from a dilated filter's first tap (position of the window) to its last tap, both included.
constexpr auto filter_span(std::int64_t filter, std::int64_t dilation) -> std::int64_t { return (filter - 1) * dilation + 1; }

/// Returns the number of outputs of a window along an axis. With SAME padding, the number is the input size divided by the stride, rounded
/// up. With VALID padding, windows that are not completely inside the input are not counted. Returns -1 if an argument is unknown or
/// invalid. Equals TensorFlow Lite's `ComputeOutSize` (`lite/kernels/padding.h`).
constexpr auto window_size(bool is_same, std::int64_t input, std::int64_t filter, std::int64_t stride, std::int64_t dilation)
    -> std::int64_t {
  if (input < 0 || filter < 0 || stride <= 0 || dilation <= 0) return -1;
  if (is_same) return (input + stride - 1) / stride;
  const auto room = input - filter_span(filter, dilation);
  return room < 0 ? 0 : room / stride + 1;
}

/// Returns the padding before the first element: half of the total padding, rounded down (`ComputePaddingWithOffset`). Returns 0 for VALID
/// windows.
constexpr auto padding_before(std::int64_t input, std::int64_t output, std::int64_t filter, std::int64_t stride, std::int64_t dilation)
    -> std::int64_t {
  const auto total = (output - 1) * stride + filter_span(filter, dilation) - input;
  return total > 0 ? total / 2 : 0;
}

/// Returns the number of outputs of a pool along an axis that is padded by `before` and `after` elements. If `is_ceil`, the last window may
/// extend beyond the padding (`ceil_mode` of PyTorch's `pooling_output_shape` and of ONNX). A last window that begins after the input is
/// not counted. Returns -1 if an argument is unknown or invalid.
constexpr auto pooled_size(std::int64_t input, std::int64_t before, std::int64_t after, std::int64_t filter, std::int64_t stride,
                           std::int64_t dilation, bool is_ceil) -> std::int64_t {
  if (input < 0 || before < 0 || after < 0) return -1;
  const auto size = window_size(false, input + before + after, filter, stride, dilation);
  if (!is_ceil || size <= 0) return size;
  const bool has_partial = (size - 1) * stride + filter_span(filter, dilation) < input + before + after;
  const auto last = has_partial ? size : size - 1;  // the index of the last window
  return last > 0 && last * stride >= input + before ? last : last + 1;
}

}  // namespace baton

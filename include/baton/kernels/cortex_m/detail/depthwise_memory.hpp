// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The addresses of a depthwise convolution's operands and of its input rows, including rows in the padding.
#pragma once

#include <baton/kernels/cortex_m/detail/depthwise_columns.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_plan.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

/// The addresses of a node's input, stream of packed constants (`streams.hpp`), output and scratch.
struct depthwise_memory {
  const std::int8_t* input;
  const std::int32_t* stream;
  std::int8_t* output;
  char* scratch;
};

/// Returns the size of the row of zero points in scratch, in bytes. This row replaces input rows in the padding.
constexpr auto padding_row_bytes(const depthwise_plan& plan) -> std::int32_t {
  return (plan.in_row_bytes() + packed_channels - 1 + 3) / 4 * 4;
}

/// Returns the input image of an output row. Row numbers continue from image to image of a batch.
inline auto image_of(const depthwise_plan& plan, const depthwise_memory& at, std::int32_t row) -> const std::int8_t* {
  return at.input + row / plan.rows.output * plan.rows.input * plan.in_row_bytes();
}
/// Returns row `y` of an image, or `padding` if the row is outside the image.
inline auto row_of(const depthwise_plan& plan, const std::int8_t* image, const std::int8_t* padding, std::int32_t y) -> const std::int8_t* {
  if (y < 0 || y >= plan.rows.input) return padding;
  return image + y * plan.in_row_bytes();
}
/// Returns `to` - `from` in bytes. The pointers may point to different objects; C++ does not define the difference of such pointers.
inline auto bytes_between(const std::int8_t* from, const std::int8_t* to) -> std::ptrdiff_t {
  return static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from));
}
/// Returns the first address in `scratch` that is aligned for T. `scratch` itself may be less aligned.
template <class T>
inline auto aligned_in(char* scratch) -> T* {
  return static_cast<T*>(static_cast<void*>(scratch + (-reinterpret_cast<std::uintptr_t>(scratch) & (alignof(T) - 1))));
}

}  // namespace baton::cortex_m::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Where a depthwise convolution finds what it reads, rows in the padding among it.
#pragma once

#include <baton/kernels/cortex_m/detail/depthwise_columns.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_plan.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

/// Where a node's memory lies.
struct depthwise_memory {
  const std::int8_t* input;
  const std::int32_t* stream;
  std::int8_t* output;
  char* scratch;
};

/// A row of zero points, which stands for rows in the padding, in scratch.
constexpr auto padding_row_bytes(const depthwise_plan& plan) -> std::int32_t {
  return (plan.in_row_bytes() + packed_channels - 1 + 3) / 4 * 4;
}

/// The image that an output row is made from.
inline auto image_of(const depthwise_plan& plan, const depthwise_memory& at, std::int32_t row) -> const std::int8_t* {
  return at.input + row / plan.rows.output * plan.rows.input * plan.in_row_bytes();
}
/// Row y of an image, or what stands for it outside.
inline auto row_of(const depthwise_plan& plan, const std::int8_t* image, const std::int8_t* padding, std::int32_t y) -> const std::int8_t* {
  if (y < 0 || y >= plan.rows.input) return padding;
  return image + y * plan.in_row_bytes();
}
/// What lies between different objects is no difference of addresses to C++, but one of numbers.
inline auto bytes_between(const std::int8_t* from, const std::int8_t* to) -> std::ptrdiff_t {
  return static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from));
}
/// Where objects begin in scratch, which a plan may align to less.
template <class T>
inline auto aligned_in(char* scratch) -> T* {
  return static_cast<T*>(static_cast<void*>(scratch + (-reinterpret_cast<std::uintptr_t>(scratch) & (alignof(T) - 1))));
}

}  // namespace baton::cortex_m::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A tensor of the reference semantics: sizes and float elements, row-major, the same at compile time and at run time.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace reference {

struct tensor {
  baton::vector<std::int64_t> shape;
  baton::vector<float> data;

  constexpr tensor() = default;
  constexpr explicit tensor(baton::span<const std::int64_t> sizes, float fill = 0) : shape(sizes.begin(), sizes.end()) {
    std::int64_t count = 1;
    for (const auto size : sizes) count *= size;
    data.assign(static_cast<std::size_t>(count), fill);
  }
  constexpr tensor(std::initializer_list<std::int64_t> sizes, std::initializer_list<float> elements) : shape(sizes), data(elements) {}

  constexpr auto operator==(const tensor&) const -> bool = default;
};

/// Returns the distance of neighbors along a dimension in the flat data.
constexpr auto stride_of(const tensor& source, std::size_t dim) -> std::size_t {
  std::size_t stride = 1;
  for (std::size_t d = dim + 1; d < source.shape.size(); ++d) stride *= static_cast<std::size_t>(source.shape[d]);
  return stride;
}

/// Returns a part of a tensor along a dimension: `size` indices from `first` on. The dimension is kept.
constexpr auto slice(const tensor& source, std::size_t dim, std::size_t first, std::size_t size) -> tensor {
  auto shape = source.shape;
  const auto whole = static_cast<std::size_t>(shape[dim]);
  shape[dim] = static_cast<std::int64_t>(size);
  tensor part(shape);
  const auto stride = stride_of(source, dim);
  for (std::size_t at = 0; at < part.data.size(); ++at) {
    const auto inside = at % stride;
    const auto along = at / stride % std::max<std::size_t>(size, 1);
    const auto outside = at / stride / std::max<std::size_t>(size, 1);
    part.data[at] = source.data[(outside * whole + first + along) * stride + inside];
  }
  return part;
}

/// Returns the tensor with other sizes of the same element count.
constexpr auto reshaped(tensor source, baton::span<const std::int64_t> sizes) -> tensor {
  source.shape.assign(sizes.begin(), sizes.end());
  return source;
}

/// Returns one step of a stack: a slice along dimension 0 without that dimension.
constexpr auto step_of(const tensor& stack, std::size_t at) -> tensor {
  return reshaped(slice(stack, 0, at, 1), baton::span{stack.shape}.subspan(1));
}

/// Stacks steps along a new dimension 0; `sizes` is the shape of the stack.
constexpr auto stacked(const baton::vector<tensor>& steps, baton::span<const std::int64_t> sizes) -> tensor {
  tensor stack(sizes);
  std::size_t at = 0;
  for (const auto& step : steps) {
    for (const auto element : step.data) stack.data[at++] = element;
  }
  return stack;
}

}  // namespace reference

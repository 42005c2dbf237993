// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// How the elements of a dense tensor stand in memory.
#pragma once

#include <baton/backend/rules.hpp>
#include <baton/core/error.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// The layout of a dense tensor: every element stands once, without gaps, in some order of the dimensions.
struct tensor_layout {
  dtype type = dtype::float32;
  vector<std::int64_t> sizes;
  vector<std::int64_t> dim_order;  ///< the dimensions, outermost first: 0, 1, 2, 3 row by row, 0, 2, 3, 1 with the channels inside

  friend constexpr auto operator==(const tensor_layout&, const tensor_layout&) -> bool = default;
};

/// The layout of a tensor that lies row by row.
constexpr auto row_major_layout(dtype type, span<const std::int64_t> sizes) -> tensor_layout {
  tensor_layout layout{type, {sizes.begin(), sizes.end()}, {}};
  for (std::size_t i = 0; i < sizes.size(); ++i) layout.dim_order.push_back(static_cast<std::int64_t>(i));
  return layout;
}

/// The layout of a tensor with these strides, in elements. Dimensions stand by falling stride, and as they are where strides are equal.
/// Error: `malformed_layout` where it is not dense.
constexpr auto layout_of_strides(dtype type, span<const std::int64_t> sizes, span<const std::int64_t> strides) -> result<tensor_layout> {
  if (sizes.size() != strides.size()) return broken<rule::malformed_layout>(sizes.size(), " sizes, ", strides.size(), " strides");
  auto layout = row_major_layout(type, sizes);
  const auto stride = [&](std::int64_t dimension) { return strides[static_cast<std::size_t>(dimension)]; };
  sort(layout.dim_order.begin(), layout.dim_order.end(),
       [&](std::int64_t a, std::int64_t b) { return stride(a) != stride(b) ? stride(a) > stride(b) : a < b; });
  const auto count = element_count(sizes);
  if (count < 0) return broken<rule::malformed_layout>("a size is negative, or the tensor too large");
  std::int64_t dense = 1;
  for (std::size_t i = sizes.size(); i-- > 0 && count != 0;) {
    const auto dimension = layout.dim_order[i];
    const auto size = sizes[static_cast<std::size_t>(dimension)];
    if (size != 1 && stride(dimension) != dense) {
      return broken<rule::malformed_layout>("dimension ", dimension, " has stride ", stride(dimension), ", not ", dense);
    }
    dense *= size;
  }
  return layout;
}

/// A layout as text: `float32[2, 3] order [1, 0]`.
constexpr auto print(const tensor_layout& layout) -> text_buffer {
  auto text = join(facts(layout.type).name);
  const auto list = [&](const vector<std::int64_t>& numbers) {
    append(text, "[");
    for (std::size_t i = 0; i < numbers.size(); ++i) append(append(text, i == 0 ? "" : ", "), numbers[i]);
    append(text, "]");
  };
  list(layout.sizes);
  append(text, " order ");
  list(layout.dim_order);
  return text;
}

}  // namespace baton

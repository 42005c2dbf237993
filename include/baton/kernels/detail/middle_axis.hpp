// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Tensors viewed as [outer, length, inner], for kernels that compute along one axis.
#pragma once

#include <baton/kernels/node_check.hpp>
#include <baton/operators/inference.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::portable::detail {

/// An operand viewed as [outer, length, inner]. `length` is the size of one axis. `outer` is the product of the sizes before this axis, and
/// `inner` the product of the sizes after it.
struct middle_axis {
  std::int32_t outer = 1;
  std::int32_t length = 1;
  std::int32_t inner = 1;
};

/// Returns the view of `of` along axis `stated`; a negative axis counts from the end. The check fails if the axis does not exist.
constexpr auto middle_axis_of(node_check& check, const operand& of, std::int64_t stated) -> middle_axis {
  const auto rank = of.shape.size();
  const auto axis = inference::dimension(stated, rank);
  if (!check.demand(axis < rank, "there is no axis ", stated)) return {};
  middle_axis result{1, of.size(axis), 1};
  for (std::size_t d = 0; d < axis; ++d) result.outer *= of.size(d);
  for (auto d = axis + 1; d < rank; ++d) result.inner *= of.size(d);
  return result;
}

}  // namespace baton::portable::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Tensors seen as [outer, length, inner].
#pragma once

#include <baton/kernels/node_check.hpp>
#include <baton/operators/inference.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::portable::detail {

/// An operand seen as [outer, length, inner], with one axis in the middle.
struct middle_axis {
  std::int32_t outer = 1;
  std::int32_t length = 1;
  std::int32_t inner = 1;
};

/// The axis of an operand that a number names; it may count from the end.
constexpr auto middle_axis_of(node_check& check, const operand& of, std::int64_t stated) -> middle_axis {
  const auto rank = of.shape.size();
  const auto axis = inference::dimension(stated, rank);
  if (!check.demand(axis < rank, "there is no axis ", stated)) return {};
  middle_axis made{1, of.size(axis), 1};
  for (std::size_t d = 0; d < axis; ++d) made.outer *= of.size(d);
  for (auto d = axis + 1; d < rank; ++d) made.inner *= of.size(d);
  return made;
}

}  // namespace baton::portable::detail

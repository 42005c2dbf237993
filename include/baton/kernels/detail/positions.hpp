// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Positions (lists of indices) in int32 or int64 that are only known at run time.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/kernels/detail/walk.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::portable::detail {

/// A dimension that a position indexes: its size, and its stride in bytes.
struct position_axis {
  std::int32_t size = 0;
  std::int32_t step = 0;
};

/// Positions in int32 or int64, clamped to the tensor. An index below 0 becomes 0, and an index that is too large becomes the last index.
/// Therefore no access is out of bounds. For an index that is clamped here, the reference (the kernel of TensorFlow Lite Micro) fails or
/// accesses memory outside of the tensor.
struct positions {
  std::int32_t are_wide = 0;
  std::int32_t index_count = 1;  ///< indices per position
  std::array<position_axis, tensor_type::max_rank> axes{};

  /// Returns the offset in the tensor of position `i`, in bytes. `from` is the address of the positions.
  [[gnu::always_inline]] auto offset(const char* from, std::int32_t i) const -> std::int32_t {
    std::int32_t bytes = 0;
    for (std::int32_t n = 0; n < index_count; ++n) {
      const auto& axis = axes[static_cast<std::size_t>(n)];
      bytes += static_cast<std::int32_t>(std::clamp<std::int64_t>(index_at(from, i, n), 0, axis.size - 1)) * axis.step;
    }
    return bytes;
  }
  /// True if position `i` is inside the tensor, so that no index is clamped.
  [[gnu::always_inline]] auto is_inside(const char* from, std::int32_t i) const -> bool {
    for (std::int32_t n = 0; n < index_count; ++n) {
      const auto value = index_at(from, i, n);
      if (value < 0 || value >= axes[static_cast<std::size_t>(n)].size) return false;
    }
    return true;
  }

  /// Returns index `n` of position `i`.
  [[gnu::always_inline]] auto index_at(const char* from, std::int32_t i, std::int32_t n) const -> std::int64_t {
    const auto element = std::ptrdiff_t{i} * index_count + n;
    return are_wide != 0 ? load<std::int64_t>(from, element) : load<std::int32_t>(from, element);
  }
};

/// Returns the description of the positions in operand `of`. The caller sets the dimensions that the positions index. Requires int32 or
/// int64 elements.
constexpr auto describe_positions(node_check& check, const operand& of) -> positions {
  check.is_one_of(of, {dtype::int32, dtype::int64}, "position");
  positions result;
  result.are_wide = of.type == dtype::int64 ? 1 : 0;
  return result;
}

/// Sets `index_count` and `axes` of `at`, the description of the positions in operand `indices`. A position indexes the leading dimensions
/// of `whole`. The number of indexed dimensions is the size of the last dimension of `indices`. `steps` has the strides of `whole`.
constexpr void choose_dimensions(node_check& check, const operand& whole, const operand& indices, const byte_steps& steps, positions& at) {
  const auto chosen = static_cast<std::size_t>(indices.last());
  if (!check.demand(chosen <= whole.shape.size(), "each position has ", chosen, " indices, but the tensor has ", whole.shape.size(),
                    " dimensions"))
    return;
  at.index_count = indices.last();
  for (std::size_t d = 0; d < chosen; ++d) at.axes[d] = {whole.size(d), steps[d]};
}

}  // namespace baton::portable::detail

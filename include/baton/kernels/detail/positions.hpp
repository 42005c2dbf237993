// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Positions of int32 or int64 that are known at run time.
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

/// A position along one dimension: how many there are, and the bytes from one to the next.
struct position_axis {
  std::int32_t size = 0;
  std::int32_t step = 0;
};

/// Positions of int32 or int64, cut to the tensor: a number below 0 means the first, one too large the last. The reference stops with an
/// error, or reads beyond the tensor; here nothing is read but what is there.
struct positions {
  std::int32_t are_wide = 0;
  std::int32_t numbers = 1;  ///< of a position
  std::array<position_axis, tensor_type::max_rank> axes{};

  /// Where position `i` lies.
  [[gnu::always_inline]] auto offset(const char* from, std::int32_t i) const -> std::int32_t {
    std::int32_t bytes = 0;
    for (std::int32_t n = 0; n < numbers; ++n) {
      const auto& axis = axes[static_cast<std::size_t>(n)];
      bytes += static_cast<std::int32_t>(std::clamp<std::int64_t>(number(from, i, n), 0, axis.size - 1)) * axis.step;
    }
    return bytes;
  }
  /// Whether no number of position `i` is cut.
  [[gnu::always_inline]] auto is_inside(const char* from, std::int32_t i) const -> bool {
    for (std::int32_t n = 0; n < numbers; ++n) {
      const auto found = number(from, i, n);
      if (found < 0 || found >= axes[static_cast<std::size_t>(n)].size) return false;
    }
    return true;
  }

  [[gnu::always_inline]] auto number(const char* from, std::int32_t i, std::int32_t n) const -> std::int64_t {
    const auto element = std::ptrdiff_t{i} * numbers + n;
    return are_wide != 0 ? load<std::int64_t>(from, element) : load<std::int32_t>(from, element);
  }
};

/// Demands that positions are int32 or int64.
constexpr auto describe_positions(node_check& check, const operand& of) -> positions {
  check.is_one_of(of, {dtype::int32, dtype::int64}, "position");
  positions made;
  made.are_wide = of.type == dtype::int64 ? 1 : 0;
  return made;
}

/// Positions whose last dimension says how many leading dimensions of a tensor they choose.
constexpr void choose_dimensions(node_check& check, const operand& whole, const operand& where, const byte_steps& steps, positions& at) {
  const auto chosen = static_cast<std::size_t>(where.last());
  if (!check.demand(chosen <= whole.shape.size(), "positions of ", chosen, " numbers in ", whole.shape.size(), " dimensions")) return;
  at.numbers = where.last();
  for (std::size_t d = 0; d < chosen; ++d) at.axes[d] = {whole.size(d), steps[d]};
}

}  // namespace baton::portable::detail

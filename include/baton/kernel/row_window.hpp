// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The window of an operand: the rows and columns of the operand from which an output row or output pixel is computed.
#pragma once

#include <baton/core/config.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// A window: the rows and columns of an operand [1, H, W, C] from which a pixel of an output [1, H', W', C'] is computed. The window
/// includes all channels. Example: a 3x3 convolution with stride 2 and one row of padding at the top has `rows` with `stride` 2, `before` 1
/// and `span` 3.
struct row_window {
  /// The window along one axis. A position is a row or a column, counted from 0. Output position `at` depends on the operand positions [p,
  /// p + `span`), clipped to the operand. Here, p is (`at * stride - before`) / `divisor`, rounded down.
  struct axis {
    std::int32_t stride = 1;
    std::int32_t before = 0;
    std::int32_t span = 1;
    std::int32_t divisor = 1;  ///< above 1 if the output has more positions than the operand

    /// Returns the first operand position on which output position `at` depends.
    constexpr auto first(std::int32_t at) const -> std::int32_t { return std::max<std::int32_t>(0, at * stride - before) / divisor; }
    /// Returns the operand position after the last position on which output position `at` depends, in an operand of `size` positions.
    constexpr auto end(std::int32_t at, std::int32_t size) const -> std::int32_t {
      const auto scaled = at * stride - before;
      const auto begin = scaled >= 0 ? scaled / divisor : -((divisor - 1 - scaled) / divisor);
      return std::clamp<std::int32_t>(begin + span, 0, size);
    }
    /// Composes the windows of two nodes. The output of the first node is the operand of the second node. `inner` is the window of the
    /// first node, and `*this` is the window of the second node. Returns the window of the first node's operand from which the second
    /// node's output is computed. With divisors above 1, the returned window may be larger than necessary.
    constexpr auto through(const axis& inner) const -> axis {
      const auto both = divisor * inner.divisor;
      const auto covered = ((span - 1) * divisor + divisor - 1) * inner.stride;
      return {stride * inner.stride, (before + divisor - 1) * inner.stride + inner.before * divisor,
              (covered + both - 1) / both + inner.span, both};
    }

    constexpr auto operator==(const axis&) const -> bool = default;
  };

  axis rows{};
  axis columns{};

  /// True if each output pixel depends only on the operand pixel at the same position.
  constexpr auto is_pixelwise() const -> bool { return rows == axis{} && columns == axis{}; }

  /// Returns the window of a node that is not computed row by row.
  static constexpr auto none() -> row_window { return {{0, 0, 0}, {0, 0, 0}}; }

  constexpr auto operator==(const row_window&) const -> bool = default;
};

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which rows and columns of an operand a row or a pixel of an output is made from.
#pragma once

#include <baton/core/config.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// What of an operand [1, H, W, C] an output [1, H', W', C'] is made from, whatever the channels.
struct row_window {
  /// One axis: output r is made from what lies at r · stride − before and behind it, `span` of them, as far as it is inside the operand.
  struct axis {
    std::int32_t stride = 1;
    std::int32_t before = 0;
    std::int32_t span = 1;

    constexpr auto first(std::int32_t at) const -> std::int32_t { return std::max<std::int32_t>(0, at * stride - before); }
    /// The end of what is read, in an operand of so many.
    constexpr auto last(std::int32_t at, std::int32_t size) const -> std::int32_t {
      return std::clamp<std::int32_t>(at * stride - before + span, 0, size);
    }
    /// The window of the rows of this one's operand that are made, by `inner`, from rows of an operand of its own.
    constexpr auto through(const axis& inner) const -> axis {
      return {stride * inner.stride, before * inner.stride + inner.before, (span - 1) * inner.stride + inner.span};
    }

    constexpr auto operator==(const axis&) const -> bool = default;
  };

  axis rows{};
  axis columns{};

  /// Each output pixel from the one pixel that lies where it does.
  constexpr auto is_pixelwise() const -> bool { return rows == axis{} && columns == axis{}; }

  /// The answer of a kernel that does not make its output from rows of an operand.
  static constexpr auto none() -> row_window { return {{0, 0, 0}, {0, 0, 0}}; }

  constexpr auto operator==(const row_window&) const -> bool = default;
};

}  // namespace baton

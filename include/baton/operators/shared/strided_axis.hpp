// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which elements of a dimension a strided slice takes.
#pragma once

#include <baton/core/config.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// A dimension of `size` elements, of which every `stride`-th is taken, from `begin` on and before `end`, both counted from its end if
/// negative, and cut to it; the stride is not 0, and backwards if negative. TensorFlow Lite: `StridedSliceStartForAxis` and its neighbours
/// of `lite/kernels/internal/strided_slice_logic.h`.
struct strided_axis {
  std::int64_t size = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t stride = 1;

  /// A begin or an end beyond every dimension, where a mask leaves it out.
  static constexpr auto from_start(std::int64_t stride) -> std::int64_t { return stride > 0 ? 0 : beyond; }
  static constexpr auto to_end(std::int64_t stride) -> std::int64_t { return stride > 0 ? beyond : -beyond; }

  /// The first element that is taken, if any is.
  constexpr auto first() const -> std::int64_t { return cut(begin); }
  constexpr auto count() const -> std::int64_t {
    const auto span = stride > 0 ? cut(end) - first() : first() - cut(end);
    const auto more = (span - 1) / stride;
    return span <= 0 ? 0 : 1 + (more < 0 ? -more : more);
  }

 private:
  static constexpr std::int64_t beyond = std::int64_t{1} << 62;

  constexpr auto cut(std::int64_t at) const -> std::int64_t {
    const std::int64_t least = stride > 0 ? 0 : -1;
    return std::clamp(at < 0 ? at + size : at, least, std::max(least, stride > 0 ? size : size - 1));
  }
};

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The elements of a dimension that a strided slice selects.
#pragma once

#include <baton/core/config.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// A strided slice of a dimension of `size` elements. It selects every `stride`-th element from `begin` up to, but not including, `end`. A
/// negative `begin` or `end` counts from the end of the dimension; both are clamped to the dimension. `stride` must not be 0; a negative
/// stride selects backward. Equals TensorFlow Lite's `StridedSliceStartForAxis` and related functions of
/// `lite/kernels/internal/strided_slice_logic.h`.
struct strided_axis {
  std::int64_t size = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t stride = 1;

  /// Returns the `begin` of a slice that starts at the first element in the direction of `stride`. The result may be out of range; `first`
  /// and `count` clamp it.
  static constexpr auto from_start(std::int64_t stride) -> std::int64_t { return stride > 0 ? 0 : beyond; }
  /// Returns the `end` of a slice that ends after the last element in the direction of `stride`. The result may be out of range; `count`
  /// clamps it.
  static constexpr auto to_end(std::int64_t stride) -> std::int64_t { return stride > 0 ? beyond : -beyond; }

  /// Returns the position of the first selected element. Valid only if `count()` is not 0.
  constexpr auto first() const -> std::int64_t { return clamped(begin); }
  /// Returns the number of selected elements.
  constexpr auto count() const -> std::int64_t {
    const auto span = stride > 0 ? clamped(end) - first() : first() - clamped(end);
    const auto more = (span - 1) / stride;
    return span <= 0 ? 0 : 1 + (more < 0 ? -more : more);
  }

 private:
  static constexpr std::int64_t beyond = std::int64_t{1} << 62;

  constexpr auto clamped(std::int64_t at) const -> std::int64_t {
    const std::int64_t min = stride > 0 ? 0 : -1;
    return std::clamp(at < 0 ? at + size : at, min, std::max(min, stride > 0 ? size : size - 1));
  }
};

}  // namespace baton

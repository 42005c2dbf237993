// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Filters with additional pixels between their taps (positions of the window), for operators without a dilation. The additional pixels
// represent the real number 0.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/operators/shared/window.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton {

/// Filters, and a dilation that inserts pixels between their rows and between their columns. `filters` is the number of filters. `taps` is
/// the size of a filter without the inserted pixels, as [rows, columns]; `dilation` has the same order. `pixel_bytes` is the size of a
/// pixel in bytes.
struct dilated_filter {
  std::int64_t filters = 1;
  std::array<std::int64_t, 2> taps{1, 1};
  std::array<std::int64_t, 2> dilation{1, 1};
  std::int64_t pixel_bytes = 1;

  constexpr auto is_dilated() const -> bool { return dilation[0] != 1 || dilation[1] != 1; }
  /// Returns the number of rows (`axis` 0) or columns (`axis` 1) of a dilated filter.
  constexpr auto span_of(std::size_t axis) const -> std::int64_t { return filter_span(taps[axis], dilation[axis]); }
  /// Returns the size of the dilated filters in bytes, or -1 if the size exceeds 1 GiB or a dimension is negative.
  constexpr auto size() const -> std::int64_t {
    std::int64_t bytes = 1;
    for (const auto factor : {filters, span_of(0), span_of(1), pixel_bytes}) {
      if (factor < 0 || (factor != 0 && bytes > (std::int64_t{1} << 30) / factor)) return -1;
      bytes *= factor;
    }
    return bytes;
  }
  /// Returns the bytes of the dilated filters. All bytes of the pixels that the dilation inserts in a filter have the value of the filter's
  /// zero point. The zero point of filter i is `zeros[i % zeros.size()]`. Requires that `size()` is not -1.
  constexpr auto bytes(span<const char> pixels, span<const char> zeros) const -> text_buffer {
    text_buffer result(static_cast<std::size_t>(size()), '\0');
    const auto width = static_cast<std::size_t>(pixel_bytes);
    const auto filter_size = static_cast<std::size_t>(span_of(0) * span_of(1)) * width;
    const char* from = pixels.data();
    for (std::int64_t filter = 0; filter < filters; ++filter) {
      const auto zero = zeros[static_cast<std::size_t>(filter) % zeros.size()];
      const auto first = result.begin() + static_cast<std::size_t>(filter) * filter_size;
      if (zero != 0) std::fill(first, first + filter_size, zero);
      for (std::int64_t y = 0; y < taps[0]; ++y) {
        for (std::int64_t x = 0; x < taps[1]; ++x, from += width) {
          const auto at = y * dilation[0] * span_of(1) + x * dilation[1];
          std::copy(from, from + width, first + static_cast<std::size_t>(at) * width);
        }
      }
    }
    return result;
  }
};

}  // namespace baton

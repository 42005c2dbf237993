// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Positions of largest and smallest elements along an axis, and cumulative sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reference {

/// Returns the positions of the lines along an axis, one line after the other in the order of their first elements.
inline auto lines_along(const std::vector<int>& shape, int axis) -> std::vector<std::vector<std::size_t>> {
  int count = 1;
  for (const auto size : shape) count *= size;
  int step = 1;
  for (std::size_t d = static_cast<std::size_t>(axis) + 1; d < shape.size(); ++d) step *= shape[d];
  const auto length = shape[static_cast<std::size_t>(axis)];
  std::vector<std::vector<std::size_t>> lines;
  for (int i = 0; i < count; ++i) {
    if (i / step % length != 0) continue;
    lines.emplace_back();
    for (int k = 0; k < length; ++k) lines.back().push_back(static_cast<std::size_t>(i + k * step));
  }
  return lines;
}

template <class T>
auto places(const std::vector<T>& x, const std::vector<int>& shape, int axis, bool is_largest) -> std::vector<std::int64_t> {
  std::vector<std::int64_t> positions;
  for (const auto& line : lines_along(shape, axis)) {
    std::size_t best = 0;
    for (std::size_t k = 0; k < line.size(); ++k) {
      const auto a = x[line[k]];
      const auto b = x[line[best]];
      if (is_largest ? a > b : a < b) best = k;
    }
    positions.push_back(static_cast<std::int64_t>(best));
  }
  return positions;
}

template <class T>
auto cumulative(const std::vector<T>& x, const std::vector<int>& shape, int axis, bool is_exclusive, bool is_reversed) -> std::vector<T> {
  auto sums = x;
  for (const auto& line : lines_along(shape, axis)) {
    for (std::size_t k = 0; k < line.size(); ++k) {
      T sum{};
      for (std::size_t other = 0; other < line.size(); ++other) {
        const bool is_before = is_reversed ? other > k : other < k;
        if (is_before || (other == k && !is_exclusive)) sum += x[line[other]];
      }
      sums[line[k]] = sum;
    }
  }
  return sums;
}

}  // namespace reference

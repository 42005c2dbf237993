// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators with positions as operands or results: one-hot encodings, scattered slices, largest elements.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace reference {

/// The positions are [outer, inner], the elements [outer, depth, inner].
template <class T>
auto one_hot(const std::vector<std::int64_t>& positions, int inner, int depth, T on, T off) -> std::vector<T> {
  std::vector<T> elements;
  const auto outer = static_cast<int>(positions.size()) / inner;
  for (int i = 0; i < outer; ++i) {
    for (int d = 0; d < depth; ++d) {
      for (int j = 0; j < inner; ++j) elements.push_back(positions[static_cast<std::size_t>(i * inner + j)] == d ? on : off);
    }
  }
  return elements;
}

/// Adds slices of `updates` to zeros of a shape. A position has `numbers` coordinates; positions outside of the shape are ignored.
template <class T>
auto scatter(const std::vector<std::int64_t>& positions, std::size_t numbers, const std::vector<T>& updates, const std::vector<int>& shape)
    -> std::vector<T> {
  std::size_t slice = 1;
  for (auto d = numbers; d < shape.size(); ++d) slice *= static_cast<std::size_t>(shape[d]);
  std::size_t count = slice;
  for (std::size_t d = 0; d < numbers; ++d) count *= static_cast<std::size_t>(shape[d]);
  std::vector<T> sums(count);
  for (std::size_t i = 0; i < positions.size() / numbers; ++i) {
    std::size_t at = 0;
    bool is_inside = true;
    for (std::size_t n = 0; n < numbers; ++n) {
      const auto number = positions[i * numbers + n];
      is_inside = is_inside && number >= 0 && number < shape[n];
      at = at * static_cast<std::size_t>(shape[n]) + static_cast<std::size_t>(is_inside ? number : 0);
    }
    for (std::size_t e = 0; is_inside && e < slice; ++e) {
      auto& to = sums[at * slice + e];
      to = static_cast<T>(to + updates[i * slice + e]);
    }
  }
  return sums;
}

/// Returns the positions of the `k` largest elements of a row, in descending order. Equal elements are in order of position, NaNs last.
template <class T>
auto largest(const std::vector<T>& row, std::size_t k) -> std::vector<std::int32_t> {
  std::vector<std::int32_t> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&](std::int32_t i) {
    const auto x = static_cast<double>(row[static_cast<std::size_t>(i)]);
    return std::isnan(x) ? std::pair(1, 0.0) : std::pair(0, -x);
  };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
  order.resize(k);
  return order;
}

}  // namespace reference

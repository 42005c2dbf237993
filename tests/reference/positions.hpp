// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that take or give positions: one-hot encodings, scattered slices, largest elements.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace reference {

/// Of positions [outer, inner], elements [outer, depth, inner].
template <class T>
auto one_hot(const std::vector<std::int64_t>& positions, int inner, int depth, T on, T off) -> std::vector<T> {
  std::vector<T> made;
  const auto outer = static_cast<int>(positions.size()) / inner;
  for (int i = 0; i < outer; ++i) {
    for (int d = 0; d < depth; ++d) {
      for (int j = 0; j < inner; ++j) made.push_back(positions[static_cast<std::size_t>(i * inner + j)] == d ? on : off);
    }
  }
  return made;
}

/// Slices of `updates` added to zeros of a shape, each where `numbers` of the positions say; what lies outside is left out.
template <class T>
auto scatter(const std::vector<std::int64_t>& positions, std::size_t numbers, const std::vector<T>& updates, const std::vector<int>& shape)
    -> std::vector<T> {
  std::size_t slice = 1;
  for (auto d = numbers; d < shape.size(); ++d) slice *= static_cast<std::size_t>(shape[d]);
  std::size_t count = slice;
  for (std::size_t d = 0; d < numbers; ++d) count *= static_cast<std::size_t>(shape[d]);
  std::vector<T> made(count);
  for (std::size_t i = 0; i < positions.size() / numbers; ++i) {
    std::size_t at = 0;
    bool is_inside = true;
    for (std::size_t n = 0; n < numbers; ++n) {
      const auto number = positions[i * numbers + n];
      is_inside = is_inside && number >= 0 && number < shape[n];
      at = at * static_cast<std::size_t>(shape[n]) + static_cast<std::size_t>(is_inside ? number : 0);
    }
    for (std::size_t e = 0; is_inside && e < slice; ++e) {
      auto& to = made[at * slice + e];
      to = static_cast<T>(to + updates[i * slice + e]);
    }
  }
  return made;
}

/// The positions of the `k` largest elements of a row, in order; equal ones by position, what is no number last.
template <class T>
auto largest(const std::vector<T>& row, std::size_t k) -> std::vector<std::int32_t> {
  std::vector<std::int32_t> made(row.size());
  std::iota(made.begin(), made.end(), 0);
  const auto rank = [&](std::int32_t i) {
    const auto x = static_cast<double>(row[static_cast<std::size_t>(i)]);
    return std::isnan(x) ? std::pair(1, 0.0) : std::pair(0, -x);
  };
  std::stable_sort(made.begin(), made.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
  made.resize(k);
  return made;
}

}  // namespace reference

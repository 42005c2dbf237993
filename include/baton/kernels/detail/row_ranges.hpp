// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The division of a range of numbers by rows.
#pragma once

#include <baton/core/config.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::portable::detail {

/// Divides the elements [`first`, `last`) of a table by rows. The table has `columns` columns, and elements are numbered in row-major
/// order. Calls `f(row, begin, end)`, in ascending order of rows, for each row that contains some of these elements. In this row, these
/// elements are in the columns [`begin`, `end`).
template <class F>
[[gnu::always_inline]] inline void for_row_ranges(std::int32_t columns, std::int32_t first, std::int32_t last, F f) {
  while (first < last) {
    const auto column = first % columns;
    const auto end = std::min(columns, column + last - first);
    f(first / columns, column, end);
    first += end - column;
  }
}

}  // namespace baton::portable::detail

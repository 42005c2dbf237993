// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// More work than a compiler does in a constant.
#pragma once

/// Turns a loop for long, if that is wanted; a number that is not 1 comes out.
constexpr auto long_work(bool is_wanted) -> unsigned {
#if defined(FIXED)
  constexpr int turns = 100;
#else
  constexpr int turns = 3000;
#endif
  unsigned sum = 0;
  for (int i = 0; is_wanted && i < turns; ++i) {
    for (unsigned j = 0; j < 1000; ++j) sum += j;
  }
  return sum;
}

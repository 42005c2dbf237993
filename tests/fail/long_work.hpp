// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A loop that exceeds the compilers' limits of constant evaluation.
#pragma once

/// Runs a loop with many iterations if requested. Returns a number other than 1.
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

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Step 1 of docs/tutorial.md: kernels compute the graph.
#include "tutorial/graph.hpp"

#include <array>
#include <cstdio>

// [run]
baton::executor<tutorial::model> net;

auto main() -> int {
  std::array<float, 4> scores{};
  net.run(std::array<float, 4>{1, 2, 0, 1}, scores);
  for (const auto score : scores) std::printf("%d ", static_cast<int>(score * 1000 + 0.5F));
  std::printf("of 1000; arena %zu bytes\n", net.arena_bytes);
}
// [run]

// Output:
// 510 188 188 114 of 1000; arena 32 bytes

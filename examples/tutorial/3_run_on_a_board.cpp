// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Step 3 of docs/tutorial.md: a firmware for a Cortex-M4, run under QEMU.
#include "tutorial/graph.hpp"
#include "tutorial/vector_unit.hpp"

#include "cortex_m/semihosting.hpp"

#include <array>

// [board]
constexpr auto lowered = baton::to_backend(baton::backends<tutorial::vector_unit>, tutorial::model, tutorial::vector_partitioner{});
baton::executor<lowered> net;

auto main() -> int {
  std::array<float, 4> scores{};
  if (net.run(std::array<float, 4>{1, 2, 0, 1}, scores) != baton::status::ok) return 1;
  for (const auto score : scores) firmware::print(static_cast<unsigned>(score * 1000 + 0.5F), " ");
  firmware::print("of 1000; arena ", net.arena_bytes, " bytes\n");
  return 0;
}
// [board]

// Output:
// 510 188 188 114 of 1000; arena 32 bytes

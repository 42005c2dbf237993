// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Step 2 of docs/tutorial.md: the backend computes two of the three nodes.
#include "tutorial/graph.hpp"
#include "tutorial/vector_unit.hpp"

#include <baton/report.hpp>

#include <array>
#include <cstdio>

// [lower]
constexpr auto lowered = baton::to_backend(baton::backends<tutorial::vector_unit>, tutorial::model, tutorial::vector_partitioner{});
static_assert(baton::delegates(lowered).size() == 1);

baton::executor<tutorial::model> net;
baton::executor<lowered> net_with_unit;
// [lower]

// [compare]
auto main() -> int {
  const auto text = baton::report::partition_table(lowered);
  std::fwrite(text.data(), 1, text.size(), stdout);

  constexpr std::array<float, 4> x{1, 2, 0, 1};
  std::array<float, 4> scores{}, with_unit{};
  net.run(x, scores);
  if (net_with_unit.run(x, with_unit) != baton::status::ok) return 1;
  std::printf("with the unit: %s scores\n", with_unit == scores ? "the same" : "other");
}
// [compare]

// Output:
// partition: 2 of 3 nodes delegated, in 1 part
//   #  assigned to  nodes  processed bytes  scratch bytes
//   0  VectorUnit       2               40              0
//      lowered_module_0(float32[4]) -> float32[4]
//      tfl_mul tfl_add
//   1  -                1                -              -
//      tfl_softmax
// with the unit: the same scores

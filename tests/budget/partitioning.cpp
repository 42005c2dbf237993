// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Partitions a program of NODES nodes: partitioning NODES PARTITIONER [tangled]. Prints the processor time in seconds.
// partitioning.sh counts the instructions of `partition_once`.
#include "partitioning.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

// callgrind finds this function by name.
extern "C" [[gnu::noinline]] auto partition_once(const baton::exported_program& program, std::string_view partitioner) -> std::size_t {
  if (partitioner == "by_support") return budget::by_support::partition(program).partition_tags.size();
  if (partitioner == "by_cost") return budget::by_cost{}.partition(program).value.partition_tags.size();
  if (partitioner == "by_cost_of_two") return budget::by_cost_of_two{}.partition(program).value.partition_tags.size();
  return 0;
}

auto main(int count, char** arguments) -> int {
  if (count != 3 && count != 4) return 2;
  const auto nodes = static_cast<std::size_t>(std::atol(arguments[1]));
  const auto program = count == 4 ? budget::tangled_program(nodes) : budget::residual_program(nodes);
  const auto begin = std::clock();
  const auto tags = partition_once(program, arguments[2]);
  const auto seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::printf("%zu nodes, %zu parts, %.3f s\n", program.nodes.size(), tags, seconds);
  return tags == 0 ? 1 : 0;
}

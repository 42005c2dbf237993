// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E26
// EXPECT: assign
// FIRST: any
#include <baton/partition/partitioner.hpp>

#include <array>

struct my_partitioner {
  const std::array<int, 2> spec;

  constexpr auto partition(const baton::exported_program& program) const -> baton::partition_result {
    return baton::partition_result{program};
  }
};
static_assert(baton::partitioner<my_partitioner>);

constexpr auto read_and_write() -> int {
  my_partitioner partitioner{{{1, 2}}};
#if !defined(FIXED)
  partitioner.spec[0] = 3;
#endif
  return partitioner.spec[0];
}
static_assert(read_and_write() == 1);

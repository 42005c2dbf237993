// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E25
// The delegation spec is a member of the partitioner, and read-only because the partitioner is const. This is an error of the compiler.
// EXPECT: limit
// FIRST: any
#include <baton/partition/partitioner.hpp>

struct my_partitioner {
  const int limit;

  constexpr auto partition(const baton::exported_program& program) const -> baton::partition_result {
    return baton::partition_result{program};
  }
};
static_assert(baton::partitioner<my_partitioner>);

constexpr auto read_and_write() -> int {
  my_partitioner partitioner{1};
#if !defined(FIXED)
  partitioner.limit = 3;
#endif
  return partitioner.limit;
}
static_assert(read_and_write() == 1);

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/shared/work_array.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <type_traits>

namespace {

struct record {
  long number;
  bool is_set;
};
struct made {
  int number = 7;
};

static_assert(!std::is_copy_constructible_v<baton::work_array<int>> && !std::is_copy_assignable_v<baton::work_array<int>>);

constexpr auto begins_with_zeros(std::size_t count) -> bool {
  baton::work_array<int> numbers(count);
  baton::work_array<record> records(count);
  baton::work_array<made> others(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (numbers.items[i] != 0 || records.items[i].number != 0 || records.items[i].is_set || others.items[i].number != 7) return false;
    numbers.items[i] = 1;
    records.items[i] = {2, true};
  }
  return count == 0 || (numbers.items[count - 1] == 1 && records.items[0].number == 2);
}
static_assert(begins_with_zeros(0) && begins_with_zeros(9));

// Of a hundred thousand records a constant pays for those that it uses.
constexpr auto uses_one_of(std::size_t count) -> bool {
  baton::work_array<record> records(count);
  records.items[count / 2].number = 3;
  return records.items[count / 2].number == 3;
}
static_assert(uses_one_of(100'000));

TEST_CASE("work_array: zeros, or what a constructor makes") {
  CHECK(begins_with_zeros(0));
  CHECK(begins_with_zeros(1000));
  CHECK(uses_one_of(100'000));
}

}  // namespace

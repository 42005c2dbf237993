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
struct defaulted {
  int number = 7;
};

static_assert(!std::is_copy_constructible_v<baton::work_array<int>> && !std::is_copy_assignable_v<baton::work_array<int>>);

constexpr auto is_value_initialized(std::size_t count) -> bool {
  baton::work_array<int> numbers(count);
  baton::work_array<record> records(count);
  baton::work_array<defaulted> others(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (numbers.items[i] != 0 || records.items[i].number != 0 || records.items[i].is_set || others.items[i].number != 7) return false;
    numbers.items[i] = 1;
    records.items[i] = {2, true};
  }
  return count == 0 || (numbers.items[count - 1] == 1 && records.items[0].number == 2);
}
static_assert(is_value_initialized(0) && is_value_initialized(9));

// The cost of a constant depends on the records that it uses, not on the 100,000 that exist.
constexpr auto uses_one_of(std::size_t count) -> bool {
  baton::work_array<record> records(count);
  records.items[count / 2].number = 3;
  return records.items[count / 2].number == 3;
}
static_assert(uses_one_of(100'000));

TEST_CASE("the items of a work_array are zero or default-constructed") {
  CHECK(is_value_initialized(0));
  CHECK(is_value_initialized(1000));
  CHECK(uses_one_of(100'000));
}

}  // namespace

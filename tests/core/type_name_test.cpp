// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// alone: the names of types would have the namespace of a batch (cmake/test_batches.cmake)
#include <baton/core/shared/type_name.hpp>

#include <doctest/doctest.h>

struct my_partitioner {};
namespace somewhere {
template <class>
struct other {};
}  // namespace somewhere

static_assert(baton::type_name<my_partitioner>() == "my_partitioner");
static_assert(baton::type_name<somewhere::other<int>>() == "somewhere::other<int>");
static_assert(baton::type_name<double>() == "double");

TEST_CASE("type_name returns the name of a type") {
  constexpr auto name = baton::type_name<my_partitioner>();
  CHECK(name == "my_partitioner");
}

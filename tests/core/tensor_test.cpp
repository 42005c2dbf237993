// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/tensor.hpp>
#include <baton/core/shared/is_shape_like.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;

// Other tests compute the number of dtypes from `variant`, which must be the last.
static_assert(detail::dtype_table.size() == static_cast<std::size_t>(dtype::variant) + 1);
using enum dtype;

constexpr auto shapes_and_bytes_are_counted() -> bool {
  constexpr std::int64_t unknown[] = {2, -1};
  constexpr std::int64_t no_elements[] = {0, 5};
  constexpr std::int64_t huge[] = {INT64_MAX, 2};
  constexpr std::int64_t three[] = {3};
  return element_count(unknown) == -1 && element_count(no_elements) == 0 && element_count(huge) == -1 && element_count({}) == 1 &&
         byte_count(int4, three) == 2 && byte_count(float64, three) == 24 && byte_count(text, three) == -1 &&
         facts(bfloat16).name == "bfloat16" && facts(variant).name == "variant" && facts(float8_e5m2).bits == 8;
}
static_assert(shapes_and_bytes_are_counted());

constexpr auto a_tensor_type_keeps_its_sizes() -> bool {
  constexpr auto type = tensor(uint8, 2, 3);
  return type.type == uint8 && type.shape().size() == 2 && type.shape()[1] == 3 && tensor(int8).shape().empty();
}
static_assert(a_tensor_type_keeps_its_sizes());

constexpr auto an_unknown_size_matches_any_size() -> bool {
  constexpr std::int64_t two_three[] = {2, 3};
  constexpr std::int64_t open_three[] = {-1, 3};
  constexpr std::int64_t two_four[] = {2, 4};
  constexpr std::int64_t two[] = {2};
  return is_shape_like(two_three, two_three) && is_shape_like(two_three, open_three) && is_shape_like(open_three, two_three) &&
         is_shape_like({}, {}) && !is_shape_like(two_three, two_four) && !is_shape_like(open_three, two_four) &&
         !is_shape_like(two, two_three);
}
static_assert(an_unknown_size_matches_any_size());

}  // namespace

TEST_CASE("element and byte counts of a shape are -1 if they are unknown") {
  CHECK(shapes_and_bytes_are_counted());
  CHECK(a_tensor_type_keeps_its_sizes());
  CHECK(an_unknown_size_matches_any_size());
}

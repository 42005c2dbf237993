// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/detail/same_type.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <span>

namespace {

using namespace baton;

/// Whether two inputs have the same type after `change` was applied to the second one.
template <class Change>
constexpr auto is_same_after(const tensor_type& type, Change change) -> bool {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, 2, 3));
  const auto y = b.user_input("y", type);
  b.quantize(x, 0.5f, 0);
  b.quantize(y, 0.5f, 0);
  change(b, y);
  const auto program = b.finish();
  return is_same_type(program, x, y) && is_same_type(program, y, x);
}

constexpr auto every_difference_is_detected() -> bool {
  constexpr auto type = tensor(dtype::int8, 2, 3);
  const auto nothing = [](program_builder&, value_id) {};
  const std::int64_t zeros[] = {0, 0, 0};
  const float scales[] = {0.5f, 0.5f, 0.5f};
  return is_same_after(type, nothing) && !is_same_after(tensor(dtype::uint8, 2, 3), nothing) &&
         !is_same_after(tensor(dtype::int8, 3, 2), nothing) && !is_same_after(tensor(dtype::int8, 2, 3, 1), nothing) &&
         !is_same_after(type, [](program_builder& b, value_id y) { b.quantize(y, 0.25f, 0); }) &&
         !is_same_after(type, [](program_builder& b, value_id y) { b.quantize(y, 0.5f, 1); }) &&
         !is_same_after(type, [&](program_builder& b, value_id y) { b.quantize(y, scales, zeros, 1); }) &&
         !is_same_after(type, [](program_builder& b, value_id y) { b.at(y).quant = {}; }) &&
         is_same_after(type, [](program_builder& b, value_id y) { b.at(y).quant.zero_points = {}; });
}
static_assert(every_difference_is_detected());

constexpr auto unknown_sizes_are_not_the_same() -> bool {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, -1, 3));
  const auto y = b.user_input("y", tensor(dtype::int8, -1, 3));
  const auto program = b.finish();
  return !is_same_type(program, x, y);
}
static_assert(unknown_sizes_are_not_the_same());

}  // namespace

TEST_CASE("types are the same only if shape, element type and quantization are") { CHECK(every_difference_is_detected()); }
TEST_CASE("types with unknown sizes are not the same") { CHECK(unknown_sizes_are_not_the_same()); }

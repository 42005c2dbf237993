// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/known_integers.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <doctest/doctest.h>

namespace {

using namespace baton;

constexpr char narrow_bytes[] = {1, 0, 0, 0, '\xff', '\xff', '\xff', '\xff'};
constexpr char wide_bytes[] = {0, 0, 0, 0, 1, 0, 0, 0};

constexpr auto constants_are_read_in_place() -> bool {
  program_builder b;
  const auto narrow = b.constant("narrow", tensor(dtype::int32, 2), narrow_bytes);
  const auto wide = b.constant("wide", tensor(dtype::int64), wide_bytes);
  const auto program = b.finish();
  const auto two = known_integers::in(program, narrow);
  const auto one = known_integers::in(program, wide);
  return two.are_known && two.count == 2 && two[0] == 1 && two[1] == -1 && one.are_known && one.count == 1 && one[0] == 4294967296ll;
}
static_assert(constants_are_read_in_place());

constexpr auto other_values_are_unknown() -> bool {
  program_builder b;
  const value_id unknown[] = {b.mutable_buffer("state", tensor(dtype::int32, 2), narrow_bytes),
                              b.constant("real", tensor(dtype::float32, 2), narrow_bytes), b.user_input("x", tensor(dtype::int32, 2)),
                              b.constant("bare", tensor(dtype::int32, 2)), none<value_id>};
  const auto program = b.finish();
  for (const auto id : unknown) {
    if (known_integers::in(program, id).are_known) return false;
  }
  return true;
}
static_assert(other_values_are_unknown());

}  // namespace

TEST_CASE("known_integers reads the integers of constants") {
  CHECK(constants_are_read_in_place());
  CHECK(other_values_are_unknown());
}

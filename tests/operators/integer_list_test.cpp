// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/shared/integer_list.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace baton;

constexpr auto written_integers_are_read_back() -> bool {
  const vector<std::int64_t> numbers{0, -1, 640, -2147483648ll, 2147483647};
  const vector<std::int64_t> large{2147483648ll, -9223372036854775807ll};
  if (!fit(numbers, dtype::int32) || fit(large, dtype::int32) || !fit(large, dtype::int64) || fit(numbers, dtype::int8)) return false;
  program_builder b;
  const auto narrow = b.constant("narrow", tensor(dtype::int32, 5), bytes_of(numbers, dtype::int32));
  const auto wide = b.constant("wide", tensor(dtype::int64, 1, 2), bytes_of(large, dtype::int64));
  const auto empty = b.constant("empty", tensor(dtype::int32, 0));
  const auto program = b.finish();
  return list_of(known_integers::in(program, narrow)).elements == numbers && list_of(known_integers::in(program, wide)).elements == large &&
         list_of(known_integers::in(program, empty)).is_known && list_of(known_integers::in(program, empty)).elements.empty();
}
static_assert(written_integers_are_read_back());

constexpr auto other_values_are_unknown() -> bool {
  constexpr char bytes[4 * 65] = {};
  const auto first_bytes = [&](std::size_t count) { return baton::span{bytes, 4 * count}; };
  program_builder b;
  const value_id unknown[] = {b.mutable_buffer("state", tensor(dtype::int32, 1), first_bytes(1)),
                              b.constant("real", tensor(dtype::float32, 1), first_bytes(1)),
                              b.constant("many", tensor(dtype::int32, 65), first_bytes(65)),
                              b.constant("bare", tensor(dtype::int32, 1)),
                              b.user_input("x", tensor(dtype::int32, 1)),
                              b.constant("quantized", tensor(dtype::int32, 1), first_bytes(1)),
                              none<value_id>};
  b.quantize(unknown[5], 0.5f, 0);
  const auto longest = b.constant("most", tensor(dtype::int32, 64), first_bytes(64));
  const auto program = b.finish();
  for (const auto id : unknown) {
    if (list_of(known_integers::in(program, id)).is_known) return false;
  }
  return list_of(known_integers::in(program, longest)).is_known;
}
static_assert(other_values_are_unknown());

}  // namespace

TEST_CASE("integers are read back as they were written") { CHECK(written_integers_are_read_back()); }
TEST_CASE("only short unquantized constants of integers are known") { CHECK(other_values_are_unknown()); }

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sums, differences and products of two operands with the Helium kernels in plain C++.
#include <baton/kernels/helium/add.hpp>
#include <baton/kernels/helium/mul.hpp>

#include "kernels/int8_pairs.hpp"

#include <doctest/doctest.h>

namespace {

using baton::dtype;
using baton::helium::detail::add;
using baton::helium::detail::mul;
using int8_pairs::check_all_pairs;
using int8_pairs::check_laws;
using int8_pairs::refusal;
using int8_pairs::supported_count;
using random_pairs::pair_case;

}  // namespace

TEST_CASE("random sums with a table match the reference") { CHECK(supported_count<add>(true) == 200); }
TEST_CASE("random products match the reference") { CHECK(supported_count<mul>(false) > 150); }

TEST_CASE("sums and products of all pairs of numbers match the reference, ties included") {
  check_all_pairs<add>("tfl.add", 0.25f, 0.5f);
  check_all_pairs<add>("tfl.sub", 0.25f, 0.5f);
  check_all_pairs<add>("tfl.sub", 0.3f, 0.1f);
  check_all_pairs<mul>("tfl.mul", 0.25f, 0.5f);
  check_all_pairs<mul>("tfl.mul", 0.3f, 0.1f);
}

TEST_CASE("unsupported sums and products are rejected") {
  pair_case pair;
  pair.of = {"tfl.add", dtype::int8, {0.25f, 1}, {0.5f, -2}, {0.5f, 3}, "none"};
  pair.shapes = {{512}, {512}};
  CHECK(refusal<add>(pair) == "");
  pair.shapes = {{2, 256}, {256}};
  CHECK(refusal<add>(pair) == "an operand is broadcast");
  pair.shapes = {{511}, {511}};
  CHECK(refusal<add>(pair) == "511 elements are too few for a table of 1 KiB");
  pair.shapes = {{512}, {512}};
  pair.of.out.scale = 16.0f;
  CHECK(refusal<add>(pair) == "the result needs a right shift by 23, outside 1 to 22");
  pair.of.out.scale = 8.0f;
  CHECK(refusal<add>(pair) == "");
  pair.of.type = pair.right_type = dtype::int16;
  pair.of.left.zero_point = pair.of.right.zero_point = pair.of.out.zero_point = 0;
  CHECK(refusal<add>(pair) == "the Helium kernel supports only int8");
  pair.of = {"tfl.mul", dtype::int8, {0.25f, 1}, {0.5f, -2}, {0.25f, 3}, "none"};
  pair.right_type = dtype::int8;
  CHECK(refusal<mul>(pair) == "the result needs a right shift by 0, outside 1 to 22");
  pair.of.out.scale = 0.5f;
  CHECK(refusal<mul>(pair) == "");
}

TEST_CASE("sums and products obey the laws of kernels") {
  check_laws<add, "tfl.add">();
  check_laws<add, "tfl.sub">();
  check_laws<mul, "tfl.mul">();
}

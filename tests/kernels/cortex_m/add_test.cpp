// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sums and differences by tables.
#include <baton/kernels/cortex_m/add.hpp>

#include "kernels/int8_pairs.hpp"

#include <doctest/doctest.h>

namespace {

using baton::dtype;
using kernel = baton::cortex_m::detail::add<>;
using int8_pairs::refusal;
using random_pairs::pair_case;

}  // namespace

TEST_CASE("random sums by tables match the reference") { CHECK(int8_pairs::supported_count<kernel>(true) == 200); }

TEST_CASE("sums of all pairs of numbers match the reference, ties included") {
  int8_pairs::check_all_pairs<kernel>("tfl.add", 0.25f, 0.5f);
}

TEST_CASE("unsupported sums by tables are rejected") {
  pair_case pair;
  pair.of = {"tfl.add", dtype::int8, {0.25f, 1}, {0.5f, -2}, {0.5f, 3}, "none"};
  pair.shapes = {{512}, {512}};
  CHECK(refusal<kernel>(pair) == "");
  pair.shapes = {{2, 256}, {256}};
  CHECK(refusal<kernel>(pair) == "an operand of the sum is broadcast");
  pair.shapes = {{511}, {511}};
  CHECK(refusal<kernel>(pair) == "511 elements are too few for tables of 2 KiB");
  pair.shapes = {{512}, {512}};
  constexpr baton::cortex_m::options small{.optimize = baton::cortex_m::optimize_for::code_size};
  CHECK(one_node::refusal<baton::cortex_m::detail::add<small>>(random_pairs::program_of(pair)) ==
        "tables of sums are disabled by optimize_for::code_size");
  pair.of.out.scale = 2048.0f;
  CHECK(refusal<kernel>(pair) == "the scaled sums may not fit 32 bits");
  pair.of.out.scale = 0.5f;
  pair.of.type = pair.right_type = dtype::int16;
  pair.of.left.zero_point = pair.of.right.zero_point = pair.of.out.zero_point = 0;
  CHECK(refusal<kernel>(pair) == "tables of sums support only int8");
  pair.of.type = pair.right_type = dtype::int8;
  pair.of.name = "tfl.mul";
  CHECK(refusal<kernel>(pair).empty());  // the node of another operator is rejected without a reason
  CHECK(!baton::ask_kernel<kernel>(baton::program_view(random_pairs::program_of(pair)),
                                   baton::program_view(random_pairs::program_of(pair)).nodes[0])
             .support.accepted);
}

TEST_CASE("sums by tables obey the laws of kernels") { int8_pairs::check_laws<kernel, "tfl.sub">(); }

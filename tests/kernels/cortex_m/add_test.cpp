// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sums and differences by tables: random ones, every pair of numbers, rejected nodes, and the laws of kernels.
#include <baton/kernels/cortex_m/add.hpp>

#include "kernels/one_node.hpp"
#include "kernels/random_pairs.hpp"
#include "laws/kernel.hpp"

#include <baton/core/static_program.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using baton::dtype;
using kernel = baton::cortex_m::detail::add<>;
using random_pairs::elements;
using random_pairs::pair_case;

auto random_case(random_pairs::draws& draw) -> pair_case {
  pair_case pair;
  pair.of.name = draw.below(2) == 0 ? "tfl.add" : "tfl.sub";
  pair.of.type = dtype::int8;
  for (auto* at : {&pair.of.left, &pair.of.right, &pair.of.out}) {
    at->scale = 1e-3f * static_cast<float>(draw.from_to(1, 300));
    at->zero_point = std::vector<int>{-128, -3, 0, 7, 127}[draw.below(5)];
  }
  pair.of.fused = std::vector<std::string>{"none", "relu", "relu6", "relu_n1_to_1"}[draw.below(4)];
  const reference::shape shape{draw.from_to(1, 2), draw.from_to(16, 20), draw.from_to(32, 40)};
  pair.shapes = {shape, shape};
  return pair;
}

auto expected(const pair_case& pair, const elements& left, const elements& right) -> elements {
  return random_pairs::for_each_pair(pair, left, right,
                                     [&](std::int64_t l, std::int64_t r) { return reference::pair_of_integers(pair.of, l, r); });
}

auto refusal(const pair_case& pair) -> std::string { return one_node::refusal<kernel>(random_pairs::program_of(pair)); }

}  // namespace

TEST_CASE("random sums by tables match the reference") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    random_pairs::draws draw(seed);
    const auto pair = random_case(draw);
    const auto count = reference::count_of(pair.shapes[0]);
    const auto left = random_pairs::random_elements(draw, dtype::int8, count);
    const auto right = random_pairs::random_elements(draw, dtype::int8, count);
    elements actual;
    CAPTURE(seed);
    REQUIRE(random_pairs::run(baton::kernels<kernel>, pair, {left, right}, actual) == "");
    CHECK(random_pairs::difference(dtype::int8, actual, expected(pair, left, right)) == "");
  }
}

TEST_CASE("sums of all pairs of numbers match the reference, ties included") {
  for (const int zero_point : {-128, 0, 5}) {
    for (const float scale : {0.5f, 2.0f, 4.0f}) {
      pair_case pair;
      pair.of = {"tfl.add", dtype::int8, {0.25f, 1}, {0.5f, -2}, {scale, zero_point}, "none"};
      pair.shapes = {{256, 256}, {256, 256}};
      elements left;
      elements right;
      for (int a = -128; a < 128; ++a) {
        for (int b = -128; b < 128; ++b) {
          left.push_back(a);
          right.push_back(b);
        }
      }
      elements actual;
      REQUIRE(random_pairs::run(baton::kernels<kernel>, pair, {left, right}, actual) == "");
      CHECK(random_pairs::difference(dtype::int8, actual, expected(pair, left, right)) == "");
    }
  }
}

TEST_CASE("unsupported sums by tables are rejected") {
  pair_case pair;
  pair.of = {"tfl.add", dtype::int8, {0.25f, 1}, {0.5f, -2}, {0.5f, 3}, "none"};
  pair.shapes = {{512}, {512}};
  CHECK(refusal(pair) == "");
  pair.shapes = {{2, 256}, {256}};
  CHECK(refusal(pair) == "an operand of the sum is broadcast");
  pair.shapes = {{511}, {511}};
  CHECK(refusal(pair) == "511 elements are too few for tables of 2 KiB");
  pair.shapes = {{512}, {512}};
  constexpr baton::cortex_m::options small{.optimize = baton::cortex_m::optimize_for::code_size};
  CHECK(one_node::refusal<baton::cortex_m::detail::add<small>>(random_pairs::program_of(pair)) ==
        "tables of sums are disabled for small code");
  pair.of.out.scale = 2048.0f;
  CHECK(refusal(pair) == "the sum needs a right shift by 30, which tables of sums do not support");
  pair.of.out.scale = 0.5f;
  pair.of.type = pair.right_type = dtype::int16;
  pair.of.left.zero_point = pair.of.right.zero_point = pair.of.out.zero_point = 0;
  CHECK(refusal(pair) == "tables of sums support only int8");
  pair.of.type = pair.right_type = dtype::int8;
  pair.of.name = "tfl.mul";
  CHECK(refusal(pair).empty());  // the node of another operator is rejected without a reason
  CHECK(!baton::ask_kernel<kernel>(baton::program_view(random_pairs::program_of(pair)),
                                   baton::program_view(random_pairs::program_of(pair)).nodes[0])
             .support.accepted);
}

namespace {

struct make {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto type = baton::tensor(dtype::int8, 1, 3, 19, 9);
    const auto left = b.user_input("left", type);
    const auto right = b.user_input("right", type);
    const auto y = b.call("tfl.sub", {left, right}, type, {{"fused_activation_function", "relu6"}});
    b.quantize(left, 0.02f, -3);
    b.quantize(right, 0.05f, 7);
    b.quantize(y, 0.03f, -100);
    b.output(y);
    return b.finish();
  }
};

}  // namespace

TEST_CASE("sums by tables obey the laws of kernels") {
  using program = baton::static_program<make>;
  static_assert(baton::ask_kernel<kernel>(program::value(), program::value().nodes[0]).support.accepted);
  random_pairs::draws draw(3);
  const auto left = random_pairs::random_elements(draw, dtype::int8, 513);
  const auto right = random_pairs::random_elements(draw, dtype::int8, 513);
  nodes::bytes input;
  random_pairs::append(input, dtype::int8, left);
  random_pairs::append(input, dtype::int8, right);
  CHECK(laws::kernel::all<kernel, program>({input.begin(), input.end()}));
  pair_case pair;
  pair.of = {"tfl.sub", dtype::int8, {0.02f, -3}, {0.05f, 7}, {0.03f, -100}, "relu6"};
  pair.shapes = {{513}, {513}};
  nodes::bytes wanted;
  random_pairs::append(wanted, dtype::int8, expected(pair, left, right));
  CHECK(laws::kernel::trial<kernel, program>{}.run({input.begin(), input.end()}) == laws::kernel::bytes(wanted.begin(), wanted.end()));
}

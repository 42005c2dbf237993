// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sums, differences and products of two operands with the Helium kernels in plain C++: random ones, every pair of numbers, rejected nodes,
// and the laws of kernels.
#include <baton/kernels/helium/add.hpp>
#include <baton/kernels/helium/mul.hpp>

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
using baton::helium::detail::add;
using baton::helium::detail::mul;
using random_pairs::elements;
using random_pairs::pair_case;

auto random_case(random_pairs::draws& draw, bool is_sum) -> pair_case {
  pair_case pair;
  pair.of.name = !is_sum ? "tfl.mul" : draw.below(2) == 0 ? "tfl.add" : "tfl.sub";
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

template <class Kernel>
auto refusal(const pair_case& pair) -> std::string {
  return one_node::refusal<Kernel>(random_pairs::program_of(pair));
}

/// Returns how many of 200 random cases the kernel supports. All of them must match the reference.
template <class Kernel>
auto supported_count(bool is_sum) -> int {
  int count = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    random_pairs::draws draw(seed);
    const auto pair = random_case(draw, is_sum);
    const auto size = reference::count_of(pair.shapes[0]);
    const auto left = random_pairs::random_elements(draw, dtype::int8, size);
    const auto right = random_pairs::random_elements(draw, dtype::int8, size);
    if (!refusal<Kernel>(pair).empty()) continue;
    elements actual;
    CAPTURE(seed);
    REQUIRE(random_pairs::run(baton::kernels<Kernel>, pair, {left, right}, actual) == "");
    CHECK(random_pairs::difference(dtype::int8, actual, expected(pair, left, right)) == "");
    ++count;
  }
  return count;
}

template <class Kernel>
void check_all_pairs(const std::string& name, float left_scale, float right_scale) {
  for (const int zero_point : {-128, 0, 5}) {
    for (const float scale : {0.5f, 2.0f, 4.0f}) {
      pair_case pair;
      pair.of = {name, dtype::int8, {left_scale, 1}, {right_scale, -2}, {scale, zero_point}, "none"};
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
      REQUIRE(random_pairs::run(baton::kernels<Kernel>, pair, {left, right}, actual) == "");
      CHECK(random_pairs::difference(dtype::int8, actual, expected(pair, left, right)) == "");
    }
  }
}

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

namespace {

template <baton::fixed_string Operator>
struct make {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto type = baton::tensor(dtype::int8, 1, 3, 19, 9);
    const auto left = b.user_input("left", type);
    const auto right = b.user_input("right", type);
    const auto y = b.call(std::string_view(Operator), {left, right}, type, {{"fused_activation_function", "relu6"}});
    b.quantize(left, 0.02f, -3);
    b.quantize(right, 0.05f, 7);
    b.quantize(y, 0.03f, -100);
    b.output(y);
    return b.finish();
  }
};

template <class Kernel, baton::fixed_string Operator>
void check_laws() {
  using program = baton::static_program<make<Operator>>;
  static_assert(baton::ask_kernel<Kernel>(program::value(), program::value().nodes[0]).support.accepted);
  random_pairs::draws draw(3);
  const auto left = random_pairs::random_elements(draw, dtype::int8, 513);
  const auto right = random_pairs::random_elements(draw, dtype::int8, 513);
  nodes::bytes input;
  random_pairs::append(input, dtype::int8, left);
  random_pairs::append(input, dtype::int8, right);
  CHECK(laws::kernel::all<Kernel, program>({input.begin(), input.end()}));
  pair_case pair;
  pair.of = {std::string(std::string_view(Operator)), dtype::int8, {0.02f, -3}, {0.05f, 7}, {0.03f, -100}, "relu6"};
  pair.shapes = {{513}, {513}};
  nodes::bytes wanted;
  random_pairs::append(wanted, dtype::int8, expected(pair, left, right));
  CHECK(laws::kernel::trial<Kernel, program>{}.run({input.begin(), input.end()}) == laws::kernel::bytes(wanted.begin(), wanted.end()));
}

}  // namespace

TEST_CASE("sums and products obey the laws of kernels") {
  check_laws<add, "tfl.add">();
  check_laws<add, "tfl.sub">();
  check_laws<mul, "tfl.mul">();
}

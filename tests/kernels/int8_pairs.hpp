// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks of kernels of sums, differences and products on int8: random ones, every pair of numbers, and the laws of kernels.
#pragma once

#include "kernels/one_node.hpp"
#include "kernels/random_pairs.hpp"
#include "laws/kernel.hpp"

#include <baton/core/static_program.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace int8_pairs {

using baton::dtype;
using random_pairs::elements;
using random_pairs::pair_case;

inline auto random_case(random_pairs::draws& draw, bool is_sum) -> pair_case {
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

inline auto expected(const pair_case& pair, const elements& left, const elements& right) -> elements {
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

/// Checks all pairs of int8 numbers, with several zero points and scales of the output.
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

/// An operator on two images.
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

}  // namespace int8_pairs

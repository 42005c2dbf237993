// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// add on int8 and float32, broadcast and not.
#include "random_layer.hpp"

#include <baton/kernels/portable/elementwise.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace {

using baton::dtype;
using baton::tensor_type;
using baton::portable::activation;

/// An addition; shapes are of rank 4, cut to `rank` last sizes.
struct addition {
  bool is_int8 = true;
  std::array<int, 4> left{1, 1, 1, 1};
  std::array<int, 4> right{1, 1, 1, 1};
  std::array<int, 4> out{1, 1, 1, 1};
  int left_rank = 4;
  int right_rank = 4;
  float left_scale = 0.05f;
  float right_scale = 0.05f;
  float scale = 0.1f;
  int left_zero_point = -3;
  int right_zero_point = 7;
  int zero_point = 2;
  activation fused = activation::none;
};

constexpr auto count(const std::array<int, 4>& shape) -> int { return shape[0] * shape[1] * shape[2] * shape[3]; }

constexpr auto type_of(bool is_int8, const std::array<int, 4>& shape, int rank) -> tensor_type {
  tensor_type made{is_int8 ? dtype::int8 : dtype::float32, static_cast<std::size_t>(rank), {}};
  for (int i = 0; i < rank; ++i) made.sizes[static_cast<std::size_t>(i)] = shape[static_cast<std::size_t>(4 - rank + i)];
  return made;
}

template <addition A>
struct make {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto left = b.user_input("left", type_of(A.is_int8, A.left, A.left_rank));
    const auto right = b.user_input("right", type_of(A.is_int8, A.right, A.right_rank));
    const auto sum =
        b.call("tfl.add", {left, right}, type_of(A.is_int8, A.out, 4), {{"fused_activation_function", one_layer::name_of(A.fused)}});
    if (A.is_int8) {
      b.quantize(left, A.left_scale, A.left_zero_point);
      b.quantize(right, A.right_scale, A.right_zero_point);
      b.quantize(sum, A.scale, A.zero_point);
    }
    b.output(sum);
    return b.finish();
  }
};

auto expected_sum(const addition& a, const baton::vector<char>& input) -> baton::vector<char> {
  baton::vector<char> made;
  const auto twice = 2 * std::fmax(static_cast<double>(a.left_scale), static_cast<double>(a.right_scale));
  const auto left_by = reference::multiplier_of(static_cast<double>(a.left_scale) / twice);
  const auto right_by = reference::multiplier_of(static_cast<double>(a.right_scale) / twice);
  const auto by = reference::multiplier_of(twice / (1048576.0 * static_cast<double>(a.scale)));
  const auto position = [](const std::array<int, 4>& shape, const std::array<int, 4>& at) {
    int found = 0;
    for (std::size_t i = 0; i < 4; ++i) found = found * shape[i] + (shape[i] == 1 ? 0 : at[i]);
    return found;
  };
  std::array<int, 4> at{};
  for (at[0] = 0; at[0] < a.out[0]; ++at[0]) {
    for (at[1] = 0; at[1] < a.out[1]; ++at[1]) {
      for (at[2] = 0; at[2] < a.out[2]; ++at[2]) {
        for (at[3] = 0; at[3] < a.out[3]; ++at[3]) {
          const int l = position(a.left, at);
          const int r = count(a.left) + position(a.right, at);
          if (!a.is_int8) {
            reference::put(made, reference::clamp_float(reference::get_float(input, l) + reference::get_float(input, r), a.fused));
            continue;
          }
          const auto left = reference::requantize(std::int64_t{reference::get_int8(input, l) - a.left_zero_point} << 20, left_by);
          const auto right = reference::requantize(std::int64_t{reference::get_int8(input, r) - a.right_zero_point} << 20, right_by);
          reference::put(made,
                         reference::clamp_int8(reference::requantize(left + right, by) + a.zero_point, a.fused, a.scale, a.zero_point));
        }
      }
    }
  }
  return made;
}

template <addition A>
void check() {
  using program = baton::static_program<make<A>>;
  static_assert(baton::portable::add::supports(program::value(), program::value().nodes[0]).accepted);
  constexpr auto random = one_layer::random_elements<static_cast<std::size_t>((A.is_int8 ? 1 : 4) * (count(A.left) + count(A.right)))>;
  const auto numbers = random(A.is_int8, 3);
  const baton::vector<char> input(numbers.begin(), numbers.end());
  one_layer::trial<baton::portable::add, program> trial;
  CHECK(trial.run(input) == expected_sum(A, input));
  CHECK(laws::kernel::all<baton::portable::add, program>(input));
}

/// An addition of random shapes, broadcast in any dimension, of random scales, with zero points at both ends.
constexpr auto random_addition(std::uint32_t seed) -> addition {
  one_layer::drawn draw(seed);
  addition a;
  a.is_int8 = !draw.once_in(4);
  for (std::size_t i = 0; i < 4; ++i) {
    a.out[i] = draw.from_to(1, i == 3 ? 19 : 4);
    a.left[i] = draw.once_in(4) ? 1 : a.out[i];
    a.right[i] = a.left[i] == a.out[i] && draw.once_in(3) ? 1 : a.out[i];
  }
  while (a.left_rank > 1 && a.left[static_cast<std::size_t>(4 - a.left_rank)] == 1 && draw.once_in(2)) --a.left_rank;
  while (a.right_rank > 1 && a.right[static_cast<std::size_t>(4 - a.right_rank)] == 1 && draw.once_in(2)) --a.right_rank;
  a.left_scale = 0.001f * static_cast<float>(draw.from_to(1, 300));
  a.right_scale = 0.001f * static_cast<float>(draw.from_to(1, 300));
  a.scale = 0.001f * static_cast<float>(draw.from_to(1, 400));
  a.left_zero_point = draw.of({-128, -3, 0, 127});
  a.right_zero_point = draw.of({-128, 7, 0, 127});
  a.zero_point = draw.of({-128, 2, 127});
  a.fused = draw.of({activation::none, activation::relu, activation::relu6, activation::relu_n1_to_1});
  return a;
}
template <std::uint32_t... Seed>
void check_random(std::integer_sequence<std::uint32_t, Seed...>) {
  (check<random_addition(Seed)>(), ...);
}

}  // namespace

TEST_CASE("add int8") {
  check<addition{.left{1, 5, 7, 8}, .right{1, 5, 7, 8}, .out{1, 5, 7, 8}}>();
  check<addition{.left{2, 3, 4, 9},
                 .right{2, 3, 4, 9},
                 .out{2, 3, 4, 9},
                 .left_scale = 0.013f,
                 .right_scale = 0.31f,
                 .scale = 0.2f,
                 .fused = activation::relu}>();
  check<addition{.left{1, 1, 9, 9},
                 .right{1, 1, 9, 9},
                 .out{1, 1, 9, 9},
                 .left_scale = 0.5f,
                 .right_scale = 0.001f,
                 .scale = 0.3f,
                 .fused = activation::relu6}>();
  check<addition{.left{1, 1, 1, 250},
                 .right{1, 1, 1, 250},
                 .out{1, 1, 1, 250},
                 .left_zero_point = -128,
                 .right_zero_point = 127,
                 .zero_point = -128,
                 .fused = activation::relu_n1_to_1}>();
}

TEST_CASE("add int8, broadcast") {
  check<addition{.left{2, 3, 4, 5}, .right{1, 1, 1, 5}, .out{2, 3, 4, 5}, .right_rank = 1}>();
  check<addition{.left{1, 1, 1, 1}, .right{2, 3, 4, 5}, .out{2, 3, 4, 5}}>();
  check<addition{.left{2, 1, 4, 1}, .right{1, 3, 1, 5}, .out{2, 3, 4, 5}, .right_rank = 3, .left_scale = 0.02f}>();
  check<addition{.left{2, 3, 1, 5}, .right{1, 1, 4, 5}, .out{2, 3, 4, 5}, .right_rank = 2}>();
}

TEST_CASE("add float32") {
  check<addition{.is_int8 = false, .left{1, 5, 7, 8}, .right{1, 5, 7, 8}, .out{1, 5, 7, 8}}>();
  check<addition{
      .is_int8 = false, .left{2, 3, 4, 5}, .right{1, 1, 4, 1}, .out{2, 3, 4, 5}, .right_rank = 2, .fused = activation::relu_n1_to_1}>();
}

TEST_CASE("random additions") { check_random(std::make_integer_sequence<std::uint32_t, 32>{}); }

TEST_CASE("add may write over an input") {
  constexpr addition a{.left{1, 1, 3, 37}, .right{1, 1, 3, 37}, .out{1, 1, 3, 37}, .left_scale = 0.02f};
  using program = baton::static_program<make<a>>;
  const auto numbers = one_layer::random_elements<2 * 111>(true, 8);
  baton::vector<char> memory(numbers.begin(), numbers.end());
  const auto expected = expected_sum(a, memory);
  using call = baton::node_call<program, 0, one_layer::memory_map<program, 0>>;
  baton::portable::add::run(call{memory.data()});
  CHECK(std::equal(expected.begin(), expected.end(), memory.begin()));
}

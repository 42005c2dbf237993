// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Pools with the Helium kernels in plain C++: the quotient of means, random pools, rejected nodes, and the laws of kernels.
#include <baton/kernels/helium/pooling.hpp>

#include "kernels/check_layer.hpp"
#include "kernels/one_node.hpp"
#include "kernels/random_layer.hpp"
#include "kernels/random_weights.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace {

using baton::helium::detail::average_pool_2d;
using baton::helium::detail::max_pool_2d;
using baton::helium::detail::short_quotient;
using one_layer::layer;
using one_layer::op;

constexpr auto is_quotient(std::int32_t count, std::int32_t begin, std::int32_t end) -> bool {
  const auto by = short_quotient::by(count);
  if (by.multiplier >= 1u << 16 || by.shift < 0) return false;
  for (auto n = begin; n < end; ++n) {
    if (by.of(static_cast<std::uint32_t>(n)) != static_cast<std::uint32_t>(n / count)) return false;
  }
  return true;
}
static_assert(is_quotient(125, 32000, 32768 + 62) && is_quotient(2, 0, 300) && is_quotient(255, 32500, short_quotient::max_numerator));

template <class Kernel>
void check_random(op is) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    auto l = one_layer::random_layer(is, seed);
    l.is_int8 = true;
    if (seed % 3 == 0) l.channels = l.out_channels = 17 + static_cast<int>(seed % 16);
    CAPTURE(seed);
    REQUIRE(one_node::refusal<Kernel>(build(l, {})) == "");
    for (const auto& input : one_layer::inputs_of(l)) {
      CHECK(is_right<Kernel>(l, {}, {input.begin(), input.end()}));
    }
  }
}

}  // namespace

TEST_CASE("the quotient of means is exact for every sum and count") {
  for (std::int32_t count = 2; count <= short_quotient::max_count; ++count) {
    CAPTURE(count);
    CHECK(is_quotient(count, 0, 128 * count + count / 2 + 1));
  }
}

TEST_CASE("random average pools match the reference") { check_random<average_pool_2d>(op::average_pool_2d); }
TEST_CASE("random maximum pools match the reference") { check_random<max_pool_2d>(op::max_pool_2d); }

TEST_CASE("averages of extreme sums match the reference") {
  for (const int width : {1, 2, 3, 127, 128, 255, 256}) {
    for (const char x : {'\x80', '\x7f', '\x01'}) {
      layer l{.is = op::average_pool_2d, .height = 1, .width = width, .channels = 9, .out_channels = 9};
      l.filter_width = width;
      l.is_same = false;
      l.input_zero_point = 0;
      one_node::bytes input(static_cast<std::size_t>(l.in_count()), x);
      input[3] = '\x10';
      CAPTURE(width);
      CHECK(is_right<average_pool_2d>(l, {}, input));
    }
  }
}

TEST_CASE("unsupported pools are rejected") {
  layer l{.is = op::average_pool_2d, .height = 1, .width = 257, .channels = 3, .out_channels = 3};
  l.filter_width = 257;
  l.is_same = false;
  CHECK(one_node::refusal<average_pool_2d>(build(l, {})) == "a window has 257 elements, whose sum may not fit 16 bits");
  l.is = op::max_pool_2d;
  CHECK(one_node::refusal<max_pool_2d>(build(l, {})) == "");
  l.is_int8 = false;
  CHECK(one_node::refusal<max_pool_2d>(build(l, {})) == "the Helium kernel supports only int8");
}

TEST_CASE("pools obey the laws of kernels") {
  constexpr layer l{.is = op::average_pool_2d,
                    .batch = 2,
                    .height = 5,
                    .width = 6,
                    .channels = 19,
                    .out_channels = 19,
                    .filter_height = 3,
                    .filter_width = 2,
                    .stride_h = 2};
  check_layer<average_pool_2d, l>();
  constexpr layer of_largest{.is = op::max_pool_2d,
                             .height = 4,
                             .width = 5,
                             .channels = 35,
                             .out_channels = 35,
                             .filter_height = 2,
                             .filter_width = 2,
                             .stride_h = 2,
                             .stride_w = 2,
                             .is_same = false};
  check_layer<max_pool_2d, of_largest>();
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Pools with the Helium kernels in plain C++: the quotient of means, random pools, rejected nodes, and the laws of kernels.
#include <baton/kernels/helium/pooling.hpp>

#include "kernels/check_pools.hpp"
#include "kernels/one_node.hpp"
#include "kernels/random_weights.hpp"

#include <doctest/doctest.h>

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

/// Changes every third layer to more channels than a vector has.
auto add_channels(layer& l, std::uint32_t seed) -> bool {
  if (seed % 3 == 0) l.channels = l.out_channels = 17 + static_cast<int>(seed % 16);
  return true;
}

}  // namespace

TEST_CASE("the quotient of means is exact for every sum and count") {
  for (std::int32_t count = 2; count <= short_quotient::max_count; ++count) {
    CAPTURE(count);
    CHECK(is_quotient(count, 0, 128 * count + count / 2 + 1));
  }
}

TEST_CASE("random average pools match the reference") { check_random_pools<average_pool_2d>(op::average_pool_2d, add_channels); }
TEST_CASE("random maximum pools match the reference") { check_random_pools<max_pool_2d>(op::max_pool_2d, add_channels); }

TEST_CASE("averages of extreme sums match the reference") {
  for (const int width : {1, 2, 3, 127, 128, 255, 256}) {
    for (const char x : {'\x80', '\x7f', '\x01'}) check_average_of<average_pool_2d>(1, width, 9, x);
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

TEST_CASE("pools obey the laws of kernels") { check_pool_laws<average_pool_2d, 19, max_pool_2d, 35>(); }

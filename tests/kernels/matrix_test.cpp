// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// batch_matmul: random products against exact sums, the laws of kernels, and rejected nodes.
#include "laws/kernel.hpp"
#include "one_node.hpp"
#include "reference/matrix.hpp"

#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/matrix.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using baton::dtype;
using baton::portable::detail::batch_matmul;
using one_node::says;

struct product {
  dtype type = dtype::int8;
  std::vector<int> left{3, 5};
  std::vector<int> right{5, 4};
  std::vector<int> out{3, 4};
  bool transposes_left = false;
  bool transposes_right = false;
  float scales[3] = {0.1f, 0.05f, 0.9f};
  int zero_points[3] = {3, -7, 5};
  dtype right_type = dtype::int8;

  auto program() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", one_node::type_of(type, left));
    const auto y = b.user_input("y", one_node::type_of(type == dtype::int8 ? right_type : type, right));
    const auto z =
        b.call("tfl.batch_matmul", {x, y}, one_node::type_of(type, out), {{"adj_x", transposes_left}, {"adj_y", transposes_right}});
    if (type == dtype::int8 || type == dtype::int16) {
      b.quantize(x, scales[0], zero_points[0]);
      b.quantize(y, scales[1], zero_points[1]);
      b.quantize(z, scales[2], zero_points[2]);
    }
    b.output(z);
    return b.finish();
  }
};

template <class T>
void check(const product& of, one_node::drawn& draw) {
  const auto left = draw.elements(of.type, one_node::count_of(of.left), 8);
  const auto right = draw.elements(of.type, one_node::count_of(of.right), 8);
  const auto reals = [&](const one_node::bytes& from, int zero_point) {
    std::vector<double> result;
    for (const auto x : one_node::numbers_of<T>(from)) result.push_back(static_cast<double>(x) - zero_point);
    return result;
  };
  const bool is_float = of.type == dtype::float32;
  const auto sums = reference::batch_matmul(reals(left, is_float ? 0 : of.zero_points[0]), of.left, of.transposes_left,
                                            reals(right, is_float ? 0 : of.zero_points[1]), of.right, of.transposes_right, of.out);
  auto input = left;
  input.insert(input.end(), right.begin(), right.end());
  const auto actual = one_node::numbers_of<T>(one_node::run<batch_matmul>(of.program(), input));
  REQUIRE(actual.size() == sums.size());
  const auto range = baton::portable::range_of(of.type);
  const auto by = static_cast<double>(of.scales[0] * of.scales[1]) / static_cast<double>(of.scales[2]);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (is_float) {
      CHECK(static_cast<double>(actual[i]) == sums[i]);  // exact, because the elements are multiples of 1/4
      continue;
    }
    // int8: the factor has 31 bits and sums are rounded twice. int16: the factor has 15 bits.
    const auto exact = std::clamp<double>(sums[i] * by + of.zero_points[2], range.lower, range.upper);
    const auto tolerance = 0.76 + (of.type == dtype::int16 ? std::fabs(sums[i] * by) / 32000 : 0);
    CHECK(std::fabs(exact - static_cast<double>(actual[i])) <= tolerance);
  }
}

struct fixed {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 2, 3, 4));
    const auto y = b.user_input("y", baton::tensor(dtype::int8, 1, 5, 4));
    const auto z = b.call("tfl.batch_matmul", {x, y}, baton::tensor(dtype::int8, 2, 3, 5), {{"adj_x", false}, {"adj_y", true}});
    b.quantize(x, 0.1f, 3);
    b.quantize(y, 0.05f, -7);
    b.quantize(z, 0.9f, 5);
    b.output(z);
    return b.finish();
  }
};

}  // namespace

TEST_CASE("random matrix products match exact sums") {
  one_node::drawn draw(41);
  for (int i = 0; i < 3000; ++i) {
    CAPTURE(i);
    product of;
    of.type = draw.of({dtype::float32, dtype::int8, dtype::int16});
    of.transposes_left = draw.once_in(2);
    of.transposes_right = draw.once_in(2);
    const auto rows = draw.from_to(1, 5);
    const auto depth = draw.from_to(1, 9);
    const auto columns = draw.from_to(1, draw.once_in(5) ? 40 : 5);
    of.out = draw.shape(0, 3, 3);
    of.left = of.right = of.out;
    for (std::size_t d = 0; d < of.out.size(); ++d) {
      if (draw.once_in(4)) (draw.once_in(2) ? of.left : of.right)[d] = 1;
    }
    auto& cut = draw.once_in(2) ? of.left : of.right;
    while (!cut.empty() && (cut[0] == 1 || of.out[of.out.size() - cut.size()] == 1) && draw.once_in(2)) cut.erase(cut.begin());
    of.out.insert(of.out.end(), {rows, columns});
    of.left.insert(of.left.end(), {of.transposes_left ? depth : rows, of.transposes_left ? rows : depth});
    of.right.insert(of.right.end(), {of.transposes_right ? columns : depth, of.transposes_right ? depth : columns});
    for (int k = 0; k < 3; ++k) {
      of.scales[k] = 0.01f * static_cast<float>(draw.from_to(1, 100)) / (of.type == dtype::int16 && k < 2 ? 100.0f : 1.0f);
      of.zero_points[k] = of.type == dtype::int8 ? draw.of({-128, 0, 4, 127}) : 0;
    }
    if (of.type == dtype::float32) check<float>(of, draw);
    if (of.type == dtype::int8) check<std::int8_t>(of, draw);
    if (of.type == dtype::int16) check<std::int16_t>(of, draw);
  }
}

TEST_CASE("matrix products obey the laws at compile time") {
  one_node::drawn draw(42);
  const auto input = draw.elements(dtype::int8, 44);
  CHECK(laws::kernel::all<batch_matmul, baton::static_program<fixed>>({input.begin(), input.end()}));
}

TEST_CASE("unsupported matrix products are rejected") {
  const auto why = [](const product& of) { return one_node::refusal<batch_matmul>(of.program()); };
  CHECK(why({}) == "");
  CHECK(says(why({.type = dtype::int32}), "output is int32"));
  CHECK(says(why({.right_type = dtype::int16}), "inputs int8 and int16 are not int8"));
  CHECK(says(why({.left = {3, 4}}), "rows of 4 elements do not match columns of 5"));
  CHECK(says(why({.out = {4, 3}}), "output has a different shape"));
  CHECK(says(why({.left = {1, 1, 1, 1, 3, 5}, .out = {1, 1, 1, 1, 3, 4}}), "output has rank 6"));
  CHECK(says(why({.scales = {1e10f, 1.0f, 1.0f}}), "scale ratio is out of range"));
  CHECK(says(why({.scales = {1.0f, 0.0f, 1.0f}}), "second input has a scale that is not positive"));
  CHECK(says(why({.left = {1, 40000}, .right = {40000, 1}, .out = {1, 1}, .zero_points = {127, 127, 0}}), "sums of 40000 products"));
  CHECK(says(why({.type = dtype::int16}), "a zero point of int16 is not 0"));
  CHECK(says(why({.type = dtype::int16, .scales = {1.0f, 100.0f, 1.0f}, .zero_points = {0, 0, 0}}), "scale ratio is out of range"));
  CHECK(says(why({.type = dtype::int16, .left = {1, 1 << 17}, .right = {1 << 17, 1}, .out = {1, 1}, .zero_points = {0, 0, 0}}),
             "sums of 131072 products may not fit 48 bits"));
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that move or dequantize elements, on uint8 and int32, as models with uint8 inputs and outputs have them.
#include "one_node.hpp"

#include <baton/core/builder.hpp>
#include <baton/kernels/portable/conversions.hpp>
#include <baton/kernels/portable/joining.hpp>
#include <baton/kernels/portable/moving.hpp>
#include <baton/kernels/portable/pooling.hpp>
#include <baton/kernels/portable/reshape.hpp>
#include <baton/kernels/portable/softmax.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace {

using baton::dtype;
using baton::value_id;

constexpr float scale = 0.25f;
constexpr int zero_point = 200;

/// Runs a node with one operand of uint8 [1, 2, 3, 2], and perhaps a constant list of int32.
template <class Kernel>
auto run(const char* op, const baton::tensor_type& out, const std::vector<std::int32_t>& list,
         std::initializer_list<baton::named_literal> literals) -> std::vector<std::uint8_t> {
  baton::program_builder b;
  const auto x = b.user_input("x", baton::tensor(dtype::uint8, 1, 2, 3, 2));
  const auto y = list.empty() ? b.call(op, {x}, out, literals) : b.call(op, {x, one_node::int32_constant(b, "list", list)}, out, literals);
  b.quantize(x, scale, zero_point);
  b.quantize(y, scale, zero_point);
  b.output(y);
  std::vector<std::uint8_t> in;
  for (int i = 0; i < 12; ++i) in.push_back(static_cast<std::uint8_t>(20 * i + 30));
  return one_node::numbers_of<std::uint8_t>(one_node::run<Kernel>(b.finish(), one_node::bytes_of(in)));
}

using numbers = std::vector<std::uint8_t>;

}  // namespace

TEST_CASE("uint8 tensors are reshaped, transposed, padded with their zero point, and pooled") {
  using namespace baton::portable;
  CHECK(run<reshape>("tfl.reshape", baton::tensor(dtype::uint8, 12), {12}, {}) ==
        numbers{30, 50, 70, 90, 110, 130, 150, 170, 190, 210, 230, 250});
  CHECK(run<detail::move_elements>("tfl.transpose", baton::tensor(dtype::uint8, 1, 2, 2, 3), {0, 3, 1, 2}, {}) ==
        numbers{30, 70, 110, 150, 190, 230, 50, 90, 130, 170, 210, 250});
  CHECK(run<detail::move_elements>("tfl.pad", baton::tensor(dtype::uint8, 1, 2, 4, 2), {0, 0, 0, 0, 1, 0, 0, 0}, {}) ==
        numbers{200, 200, 30, 50, 70, 90, 110, 130, 200, 200, 150, 170, 190, 210, 230, 250});
  CHECK(run<max_pool_2d>("tfl.max_pool_2d", baton::tensor(dtype::uint8, 1, 1, 2, 2), {},
                         {{"padding", "valid"}, {"filter_height", 2}, {"filter_width", 2}, {"stride_h", 1}, {"stride_w", 1}}) ==
        numbers{190, 210, 230, 250});
  CHECK(run<average_pool_2d>("tfl.average_pool_2d", baton::tensor(dtype::uint8, 1, 1, 1, 2), {},
                             {{"padding", "valid"}, {"filter_height", 2}, {"filter_width", 3}, {"stride_h", 1}, {"stride_w", 1}}) ==
        numbers{130, 150});
}

TEST_CASE("uint8 tensors are concatenated") {
  baton::program_builder b;
  const auto x = b.user_input("x", baton::tensor(dtype::uint8, 2, 2));
  const auto y = b.user_input("y", baton::tensor(dtype::uint8, 2, 1));
  const auto z = b.call("tfl.concatenation", {x, y}, baton::tensor(dtype::uint8, 2, 3), {{"axis", 1}});
  for (const auto id : {x, y, z}) b.quantize(id, scale, zero_point);
  b.output(z);
  const auto out = one_node::run<baton::portable::detail::join_parts>(b.finish(), one_node::bytes_of<std::uint8_t>({1, 2, 3, 200, 255, 6}));
  CHECK(one_node::numbers_of<std::uint8_t>(out) == numbers{1, 2, 255, 3, 200, 6});
}

TEST_CASE("int32 is dequantized per tensor and per channel, with the product in double") {
  for (const std::size_t channels : {1u, 3u}) {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int32, 3, 2));
    const float scales[] = {0.1f, 3e-9f, 7.0f};
    const std::int64_t zero_points[] = {0, 0, 0};
    b.quantize(x, baton::span(scales).first(channels), baton::span(zero_points).first(channels), 0);
    b.output(b.call("tfl.dequantize", {x}, baton::tensor(dtype::float32, 3, 2)));
    const std::vector<std::int32_t> in{1, -5, 2147483647, -2147483647, 16777217, 0};
    const auto out = one_node::numbers_of<float>(one_node::run<baton::portable::detail::convert>(b.finish(), one_node::bytes_of(in)));
    for (std::size_t i = 0; i < in.size(); ++i) {
      CHECK(out[i] == static_cast<float>(static_cast<double>(scales[channels == 1 ? 0 : i / 2]) * in[i]));
    }
  }
}

TEST_CASE("softmax of float32 rows sums to 1") {
  baton::program_builder b;
  const auto x = b.user_input("x", baton::tensor(dtype::float32, 2, 4));
  b.output(b.call("tfl.softmax", {x}, baton::tensor(dtype::float32, 2, 4), {{"beta", 1.0}}));
  const std::vector<float> in{1, 2, 3, 4, -100, 0, 100, 5};
  const auto out = one_node::numbers_of<float>(one_node::run<baton::portable::softmax>(b.finish(), one_node::bytes_of(in)));
  for (std::size_t row = 0; row < 2; ++row) {
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += std::exp(static_cast<double>(in[4 * row + i]) - (row == 0 ? 4 : 100));
    for (std::size_t i = 0; i < 4; ++i) {
      const auto expected = std::exp(static_cast<double>(in[4 * row + i]) - (row == 0 ? 4 : 100)) / sum;
      CHECK(std::fabs(static_cast<double>(out[4 * row + i]) - expected) <= 2e-7);
    }
  }
}

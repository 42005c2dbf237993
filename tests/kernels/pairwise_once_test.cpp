// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// baton.mul against its definition for all pairs of int8 numbers, baton.add and baton.sub against the operators of TensorFlow Lite.
#include "laws/kernel.hpp"
#include "one_node.hpp"
#include "reference.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernels/cortex_m/add.hpp>
#include <baton/kernels/portable/pairwise.hpp>
#include <baton/operators/requantization.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace {

using baton::dtype;
using baton::portable::pairwise;
using baton::quantized::fixed_multiplier;
using baton::quantized::to_fixed;
using reference::quotient_to_even;

struct affine {
  float scale = 0;  ///< 0: not quantized
  int zero_point = 0;
};

struct pair {
  const char* op = "baton.mul";
  dtype type = dtype::int8;
  baton::tensor_type left{};
  baton::tensor_type right{};
  affine first{};
  affine second{};
  affine out{};
  int lower = INT32_MIN;  ///< `output_min`; INT32_MIN: absent
  int upper = INT32_MAX;
  bool has_factors = false;  ///< whether attributes state the factors and zero points, not the scales
  bool is_twice = false;     ///< `rounding` is "twice"
};

constexpr auto make(const pair& p) -> baton::exported_program {
  baton::program_builder b;
  auto type = p.left;
  type.type = p.type;
  const auto x = b.user_input("x", type);
  auto other = p.right;
  other.type = p.type;
  const auto y = b.user_input("y", other);
  for (std::size_t i = 0; i < type.rank; ++i) type.sizes[i] = std::max(type.sizes[i], other.sizes[i]);
  // TensorFlow Lite's factors: of both operands to twice the larger scale, and of the result.
  const auto left = static_cast<double>(p.first.scale), right = static_cast<double>(p.second.scale), out = static_cast<double>(p.out.scale);
  const auto both = 2 * std::max(left, right);
  const bool is_product = std::string_view(p.op).ends_with("mul");
  const auto first = p.has_factors ? to_fixed(left / both) : fixed_multiplier{};
  const auto second = p.has_factors ? to_fixed(right / both) : fixed_multiplier{};
  const auto by = p.has_factors ? to_fixed(is_product ? left * right / out : both / (out * (1 << 20))) : fixed_multiplier{};
  const auto z = b.call(p.op, {x, y}, type,
                        {{"fused_activation_function", "none"},
                         {"rounding", p.is_twice ? "twice" : "once"},
                         {p.has_factors ? "output_multiplier" : "no_factor", by.value},
                         {"output_shift", by.shift},
                         {"output_zero_point", p.out.zero_point},
                         {"first_multiplier", first.value},
                         {"first_shift", first.shift},
                         {"first_zero_point", p.first.zero_point},
                         {"second_multiplier", second.value},
                         {"second_shift", second.shift},
                         {"second_zero_point", p.second.zero_point},
                         {p.lower == INT32_MIN ? "no_min" : "output_min", p.lower},
                         {p.upper == INT32_MAX ? "no_max" : "output_max", p.upper}});
  if (p.first.scale != 0 && !p.has_factors) {
    b.quantize(x, p.first.scale, p.first.zero_point);
    b.quantize(y, p.second.scale, p.second.zero_point);
    b.quantize(z, p.out.scale, p.out.zero_point);
  }
  b.output(z);
  return b.finish();
}

/// Returns the outputs of a node for all pairs of int8 numbers: the first operand is [256, 1], the second [1, 256].
auto table_of(pair p) -> std::vector<std::int8_t> {
  p.left = baton::tensor(dtype::int8, 256, 1);
  p.right = baton::tensor(dtype::int8, 1, 256);
  std::vector<std::int8_t> all;
  for (int twice = 0; twice < 2; ++twice) {
    for (int x = -128; x < 128; ++x) all.push_back(static_cast<std::int8_t>(x));
  }
  return one_node::numbers_of<std::int8_t>(one_node::run<pairwise>(make(p), one_node::bytes_of(all)));
}

constexpr auto image = baton::tensor(dtype::int8, 1, 4, 4, 36);
/// Returns the sum of two images whose outputs are at least -20, by scales or factors.
constexpr auto bounded_sum(int upper, bool has_factors) -> pair {
  return {.op = "baton.add",
          .left = image,
          .right = image,
          .first = {0.5f, 3},
          .second = {0.2f, -4},
          .out = {0.9f, 7},
          .lower = -20,
          .upper = upper,
          .has_factors = has_factors};
}
constexpr pair laws_of[] = {
    {.left = image, .right = image, .first = {0.5f, 3}, .second = {0.25f, -4}, .out = {1.0f, 7}, .lower = -20},
    {.left = image, .right = baton::tensor(dtype::int8, 1, 1, 1, 36), .first = {0.1f, 3}, .second = {0.2f, -4}, .out = {0.7f, 7}},
    bounded_sum(90, false),
    {.op = "baton.sub", .left = image, .right = image, .first = {0.5f, 3}, .second = {0.2f, -4}, .out = {0.9f, 7}},
    bounded_sum(INT32_MAX, true),
};

template <std::size_t I>
struct law_program {
  constexpr auto operator()() const -> baton::exported_program { return make(laws_of[I]); }
};

template <class Kernel, std::size_t I>
auto is_lawful() -> bool {
  baton::vector<char> input(
      static_cast<std::size_t>(baton::element_count(laws_of[I].left.shape()) + baton::element_count(laws_of[I].right.shape())));
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>(i * 37);
  return laws::kernel::all<Kernel, baton::static_program<law_program<I>>>(input);
}

}  // namespace

TEST_CASE("baton.mul rounds the exact product of scales that are powers of two, ties to even, for all pairs") {
  for (const int power : {1, 2, 5, 8, 15}) {
    for (const int zero_point : {0, 3, -128, 127}) {
      const pair p{.first = {0.5f, zero_point},
                   .second = {0.25f, -zero_point / 2},
                   .out = {std::ldexp(0.125f, power), zero_point / 3},
                   .lower = -100,
                   .upper = 111};
      const auto table = table_of(p);
      std::size_t wrong = 0;
      for (int x = -128; x < 128; ++x) {
        for (int y = -128; y < 128; ++y) {
          const auto product = std::int64_t{x - p.first.zero_point} * (y - p.second.zero_point);
          const auto expected = std::clamp<std::int64_t>(quotient_to_even(product, std::int64_t{1} << power) + p.out.zero_point, -100, 111);
          wrong += table[static_cast<std::size_t>((x + 128) * 256 + y + 128)] == expected ? 0 : 1;
        }
      }
      CAPTURE(power);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("baton.mul rounds the product of other scales once, for all pairs") {
  one_node::drawn draw(3);
  for (int times = 0; times < 12; ++times) {
    const auto scale = [&] { return static_cast<float>(draw.from_to(1, 9999)) / 8192.0f; };
    const pair p{.first = {scale(), draw.from_to(-128, 127)},
                 .second = {scale(), draw.from_to(-128, 127)},
                 .out = {2 * scale(), draw.from_to(-128, 127)}};
    const auto table = table_of(p);
    const auto factor =
        static_cast<long double>(p.first.scale) * static_cast<long double>(p.second.scale) / static_cast<long double>(p.out.scale);
    std::size_t wrong = 0;
    for (int x = -128; x < 128; ++x) {
      for (int y = -128; y < 128; ++y) {
        const auto real = factor * ((x - p.first.zero_point) * (y - p.second.zero_point));
        if (std::fabs(real - std::floor(real) - 0.5L) < 1e-4L) continue;  // the factor has 31 bits
        const auto expected = std::clamp<std::int64_t>(std::llround(real) + p.out.zero_point, -128, 127);
        wrong += table[static_cast<std::size_t>((x + 128) * 256 + y + 128)] == expected ? 0 : 1;
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("baton.add and baton.sub have the outputs of tfl.add and tfl.sub, within their bounds") {
  for (const std::string name : {"add", "sub"}) {
    pair p{.first = {0.031f, 5}, .second = {0.07f, -30}, .out = {0.09f, 11}};
    const auto tfl_name = "tfl." + name, baton_name = "baton." + name;
    p.op = tfl_name.c_str();
    const auto expected = table_of(p);
    p.op = baton_name.c_str();
    CHECK(table_of(p) == expected);
    p.lower = -50;
    p.upper = 60;
    auto limited = expected;
    for (auto& number : limited) number = std::clamp<std::int8_t>(number, -50, 60);
    CHECK(table_of(p) == limited);
  }
}

TEST_CASE("baton.mul that rounds twice has the outputs of tfl.mul") {
  pair p{.first = {0.031f, 5}, .second = {0.07f, -30}, .out = {0.09f, 11}};
  p.op = "tfl.mul";
  const auto expected = table_of(p);
  p.op = "baton.mul";
  CHECK(table_of(p) != expected);
  p.is_twice = true;
  CHECK(table_of(p) == expected);
}

TEST_CASE("factors and zero points in attributes have the results of the same scales") {
  one_node::drawn draw(7);
  for (const char* op : {"baton.add", "baton.sub", "baton.mul"}) {
    for (const bool is_twice : {false, true}) {
      for (int times = 0; times < 8; ++times) {
        const auto scale = [&] { return static_cast<float>(draw.from_to(1, 9999)) / 65536.0f; };
        pair p{.op = op,
               .first = {scale(), draw.from_to(-128, 127)},
               .second = {scale(), draw.from_to(-128, 127)},
               .out = {2 * scale(), draw.from_to(-128, 127)},
               .upper = draw.of({INT32_MAX, 90}),
               .is_twice = is_twice};
        const auto expected = table_of(p);
        p.has_factors = true;
        CHECK(table_of(p) == expected);
      }
    }
  }
}

TEST_CASE("damaged factors of element-wise operators are refused with a reason") {
  using baton::named_literal;
  const auto why = [](const char* op, std::initializer_list<named_literal> literals, dtype type = dtype::int8, int scale = 0) {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(type, 4));
    const auto y = b.call(op, {x, x}, baton::tensor(type, 4), literals);
    if (scale != 0) b.quantize(y, 0.5f, scale);
    b.output(y);
    return one_node::refusal<pairwise>(b.finish());
  };
  const named_literal half{"output_multiplier", 1 << 30};
  CHECK(why("baton.mul", {half}) == "");
  CHECK(why("baton.add", {half}) == "");
  CHECK(why("baton.mul", {half, {"output_zero_point", 3}}, dtype::int8, 3) == "");
  CHECK(why("baton.mul", {half}, dtype::int8, 3) == "output_zero_point is 0, but the quantization of the output has zero point 3");
  CHECK(why("baton.mul", {{"output_multiplier", 5}}) == "output_multiplier is 5, not a normalized fixed-point number");
  CHECK(why("baton.mul", {{"output_multiplier", -(1 << 30)}}) == "output_multiplier is -1073741824, not 0 to 2147483647");
  CHECK(why("baton.mul", {half, {"output_shift", 31}}) == "output_shift is 31, not -31 to 30");
  CHECK(why("baton.mul", {half, {"first_zero_point", 128}}) == "first_zero_point is 128, not -128 to 127");
  CHECK(why("baton.mul", {half, {"rounding", "never"}}) == "rounding is never, not once or twice");
  CHECK(why("baton.add", {half, {"first_shift", 1}}) == "first_shift is 1, not -31 to 0");
  CHECK(why("baton.add", {half, {"second_multiplier", 7}}) == "second_multiplier is 7, not a normalized fixed-point number");
  CHECK(why("baton.add", {half}, dtype::int16) == "multipliers are only for int8, not for int16");
  CHECK(one_node::says(why("baton.mul", {half, {"fused_activation_function", "relu"}}),
                       "has no fused activation; use output_min and output_max"));
}

TEST_CASE("baton.mul of int16 rounds ties to even") {
  pair p{.type = dtype::int16,
         .left = baton::tensor(dtype::int16, 2000),
         .right = baton::tensor(dtype::int16, 2000),
         .first = {0.5f},
         .second = {0.5f},
         .out = {1024.0f}};
  one_node::drawn draw(5);
  std::vector<std::int16_t> in;
  for (int i = 0; i < 4000; ++i) in.push_back(static_cast<std::int16_t>(draw.from_to(-512, 511) * (i % 2 == 0 ? 64 : 8)));
  const auto out = one_node::numbers_of<std::int16_t>(one_node::run<pairwise>(make(p), one_node::bytes_of(in)));
  for (std::size_t i = 0; i < 2000; ++i)
    CHECK(out[i] == std::clamp<std::int64_t>(quotient_to_even(std::int64_t{in[i]} * in[i + 2000], 4096), -32768, 32767));
}

TEST_CASE("the operators of floats and of plain integers are those of TensorFlow Lite") {
  pair p{.type = dtype::float32, .left = baton::tensor(dtype::float32, 3), .right = baton::tensor(dtype::float32, 3)};
  const auto out = one_node::numbers_of<float>(one_node::run<pairwise>(make(p), one_node::bytes_of<float>({1.5f, -2, 3, 2, 4, 0.5f})));
  CHECK(out == std::vector<float>{3, -8, 1.5f});
  p.upper = 5;
  CHECK(one_node::says(one_node::refusal<pairwise>(make(p)), "output_min and output_max do not bound float32"));
  p.type = dtype::int32;
  const auto whole = one_node::run<pairwise>(make(p), one_node::bytes_of<std::int32_t>({1, -2, 3, 2, 4, 5}));
  CHECK(one_node::numbers_of<std::int32_t>(whole) == std::vector<std::int32_t>{2, -8, 5});
  p.lower = 6;
  CHECK(one_node::says(one_node::refusal<pairwise>(make(p)), "output_min and output_max allow no output: at least 6, at most 5"));
}

TEST_CASE("the operators of the namespace baton obey the laws of kernels") {
  CHECK(is_lawful<pairwise, 0>());
  CHECK(is_lawful<pairwise, 1>());
  CHECK(is_lawful<pairwise, 2>());
  CHECK(is_lawful<baton::cortex_m::detail::add<>, 2>());
  CHECK(is_lawful<baton::cortex_m::detail::add<>, 3>());
  CHECK(is_lawful<baton::cortex_m::detail::add<>, 4>());
}

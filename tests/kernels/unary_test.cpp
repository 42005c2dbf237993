// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Elementwise functions of one operand against their definitions, over random scales, shapes and types, and rejected nodes.
#include "laws/kernel.hpp"
#include "one_operand.hpp"
#include "reference/unary.hpp"

#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/unary.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

using baton::dtype;
using baton::portable::detail::unary;
using one_operand::count_of;
using one_operand::drawn;
using one_operand::unary_node;
using one_operand::zero_point;

constexpr auto list = baton::kernels<unary>;

constexpr std::string_view real_operators[] = {
    "tfl.logistic",   "tfl.tanh", "tfl.relu", "tfl.relu6", "tfl.relu_n1_to_1", "tfl.relu_0_to_1", "tfl.leaky_relu", "tfl.elu",
    "tfl.hard_swish", "tfl.gelu", "tfl.exp",  "tfl.log",   "tfl.sqrt",         "tfl.rsqrt",       "tfl.square",     "tfl.abs",
    "tfl.neg",        "tfl.sin",  "tfl.cos",  "tfl.floor", "tfl.ceil",         "tfl.round",       "tfl.sign"};

/// Returns every number of an 8-bit type.
template <class T>
auto every() -> std::vector<T> {
  std::vector<T> result;
  for (int x = std::numeric_limits<T>::min(); x <= std::numeric_limits<T>::max(); ++x) result.push_back(static_cast<T>(x));
  return result;
}

/// Runs a quantized node. Calls `judge(output, real, difference)` for each element: the input as a real number, and minus its zero point.
template <class T, class F>
void run_quantized(const unary_node& node, const std::vector<T>& in, F judge) {
  std::string why;
  CAPTURE(node.op);
  CAPTURE(node.in.scale);
  CAPTURE(node.in.zero_point);
  CAPTURE(node.out.scale);
  CAPTURE(node.out.zero_point);
  CAPTURE(node.alpha);
  const auto out = one_operand::run<T>(list, node, in, why);
  REQUIRE(why == "");
  REQUIRE(out.size() == in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto difference = static_cast<std::int64_t>(in[i]) - node.in.zero_point;
    judge(static_cast<std::int64_t>(out[i]), static_cast<long double>(node.in.scale) * static_cast<long double>(difference), difference);
  }
}

/// Returns the distance between an output and a real number, in steps. Real numbers outside the range of the type are clamped.
auto steps_off(std::int64_t actual, long double real, const one_operand::tensor& out) -> long double {
  const auto range = baton::portable::range_of(out.type);
  const auto wanted = std::clamp(real / static_cast<long double>(out.scale) + static_cast<long double>(out.zero_point),
                                 static_cast<long double>(range.lower), static_cast<long double>(range.upper));
  return std::fabs(static_cast<long double>(actual) - wanted);
}

auto node_of(std::string_view op, dtype type, drawn& draw) -> unary_node {
  unary_node node{.op = op};
  node.in = {type, draw.scale(1e-4, 10), zero_point(draw, type)};
  node.out = {type, node.in.scale * draw.scale(0.01, 100), zero_point(draw, type)};
  if (draw.from_to(0, 3) == 0) node.out = node.in;
  node.alpha = draw.real(-3, 3);
  node.approximate = draw.from_to(0, 1) == 1;
  return node;
}

/// Checks the laws for a node at compile time.
template <class Make>
auto is_lawful() -> bool {
  using program = baton::static_program<Make>;
  baton::vector<char> input(84);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>(i * 37 % 61);
  return laws::kernel::all<unary, program>(input);
}
struct logistic_of_bytes {
  constexpr auto operator()() const -> baton::exported_program {
    return one_operand::make({.op = "tfl.logistic",
                              .in = {dtype::int8, 0.05f, 3},
                              .out = {dtype::int8, 1.0f / 256, -128},
                              .shape = baton::tensor(dtype::int8, 84)});
  }
};
struct leaky_relu_of_int16 {
  constexpr auto operator()() const -> baton::exported_program {
    return one_operand::make({.op = "tfl.leaky_relu",
                              .in = {dtype::int16, 0.05f, 0},
                              .out = {dtype::int16, 0.04f, 0},
                              .shape = baton::tensor(dtype::int16, 2, 21),
                              .alpha = 0.25});
  }
};
struct gelu_of_bytes {
  constexpr auto operator()() const -> baton::exported_program {
    return one_operand::make(
        {.op = "tfl.gelu", .in = {dtype::uint8, 0.05f, 128}, .out = {dtype::uint8, 0.03f, 9}, .shape = baton::tensor(dtype::uint8, 84)});
  }
};
struct round_of_floats {
  constexpr auto operator()() const -> baton::exported_program {
    return one_operand::make({.op = "tfl.round", .shape = baton::tensor(dtype::float32, 3, 7)});
  }
};

}  // namespace

TEST_CASE("functions of floats are accurate") {
  for (const auto op : real_operators) {
    CAPTURE(op);
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
      drawn draw(seed);
      unary_node node{.op = op, .shape = draw.shape()};
      node.alpha = draw.real(-3, 3);
      node.approximate = seed % 2 == 0;
      const bool is_of_positive = op == "tfl.log" || op == "tfl.sqrt" || op == "tfl.rsqrt";
      std::vector<float> in(count_of(node));
      for (auto& x : in) {
        x = static_cast<float>(draw.from_to(0, 3) == 0 ? 0.5 * static_cast<double>(draw.from_to(-20, 20)) : draw.real(-20, 20));
        if (is_of_positive) x = std::fabs(x) + (op == "tfl.rsqrt" ? 0.01f : 0.0f);
      }
      std::string why;
      const auto out = one_operand::run<float>(list, node, in, why);
      REQUIRE(why == "");
      for (std::size_t i = 0; i < in.size(); ++i) {
        const auto parameter = op == "tfl.leaky_relu" ? static_cast<long double>(static_cast<float>(node.alpha))
                               : node.approximate     ? 1.0L
                                                      : 0.0L;
        const auto expected = reference::real_function(op.substr(4), static_cast<long double>(in[i]), parameter);
        if (std::isinf(expected)) {
          CHECK(static_cast<long double>(out[i]) == expected);
          continue;
        }
        // For negative x, gelu is a difference of close numbers. Its error is relative to x, as that of the reference's float formula is.
        const auto size = op == "tfl.gelu" ? std::fabs(static_cast<long double>(in[i])) : std::fabs(expected);
        CHECK(std::fabs(static_cast<long double>(out[i]) - expected) <= 1e-6L * size);
      }
    }
  }
}

TEST_CASE("functions of floats at infinities, NaNs and large numbers") {
  const auto inf = std::numeric_limits<float>::infinity();
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  const auto of = [](std::string_view op, float x) {
    std::string why;
    return one_operand::run<float>(list, {.op = op, .shape = baton::tensor(dtype::float32, 1), .alpha = 0.5}, std::vector{x}, why)[0];
  };
  for (const auto op : real_operators) {
    if (op != "tfl.sign") CHECK(std::isnan(of(op, nan)));
  }
  CHECK(of("tfl.sign", nan) == 0);
  CHECK(of("tfl.logistic", 17) == 1);
  CHECK(of("tfl.logistic", -inf) == 0);
  CHECK(of("tfl.logistic", -80) > 0);
  CHECK(of("tfl.tanh", inf) == 1);
  CHECK(of("tfl.relu", inf) == inf);
  CHECK(of("tfl.relu6", inf) == 6);
  CHECK(of("tfl.elu", -inf) == -1);
  CHECK(of("tfl.round", 8388609.0f) == 8388609.0f);
  CHECK(of("tfl.round", -3e30f) == -3e30f);
  CHECK(of("tfl.round", inf) == inf);
  CHECK(of("tfl.exp", 100) == inf);
  CHECK(of("tfl.rsqrt", 0) == inf);
  CHECK(std::isnan(of("tfl.sqrt", -1)));
}

TEST_CASE("int8 and int16 functions that only rescale are exact") {
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    drawn draw(seed);
    const auto op = std::vector<std::string_view>{"tfl.relu",        "tfl.relu6",      "tfl.relu_n1_to_1",
                                                  "tfl.relu_0_to_1", "tfl.leaky_relu", "tfl.abs"}[seed % 6];
    const auto type = std::vector{dtype::int8, dtype::uint8, dtype::int16}[seed / 6 % 3];
    if (op == "tfl.abs" && type == dtype::uint8) continue;
    auto node = node_of(op, type, draw);
    const auto scale = node.in.scale;
    const auto range = baton::portable::range_of(type);
    const auto at = [&](float real) -> std::int64_t { return std::llroundf(real / node.out.scale) + node.out.zero_point; };
    const auto lower = op == "tfl.relu_n1_to_1"                    ? at(-1)
                       : op == "tfl.leaky_relu" || op == "tfl.abs" ? std::int64_t{range.lower}
                                                                   : node.out.zero_point;
    const auto upper = op == "tfl.relu6" ? at(6) : op == "tfl.relu_n1_to_1" || op == "tfl.relu_0_to_1" ? at(1) : std::int64_t{range.upper};
    const auto judge = [&](std::int64_t actual, long double, std::int64_t difference) {
      auto moved = reference::times(op == "tfl.abs" ? std::abs(difference) : difference, static_cast<double>(scale / node.out.scale));
      if (op == "tfl.leaky_relu" && difference < 0) {
        const auto slope = static_cast<double>(scale * static_cast<float>(node.alpha) / node.out.scale);
        moved = slope < 0 ? -reference::times(difference, -slope) : reference::times(difference, slope);
      }
      const auto cut = std::min(std::max(moved + node.out.zero_point, lower), upper);
      CHECK(actual == std::clamp<std::int64_t>(cut, range.lower, range.upper));
    };
    node.shape = baton::tensor(dtype::int8, 2, 128);
    if (type == dtype::int8) run_quantized(node, every<std::int8_t>(), judge);
    if (type == dtype::uint8) run_quantized(node, every<std::uint8_t>(), judge);
    node.shape = draw.shape();
    if (type == dtype::int16) run_quantized(node, draw.integers<std::int16_t>(count_of(node)), judge);
  }
}

TEST_CASE("8-bit tables of gelu and elu hold the nearest numbers") {
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    drawn draw(seed);
    const bool is_gelu = seed % 2 == 0;
    const auto type = is_gelu && seed % 4 == 0 ? dtype::uint8 : dtype::int8;
    auto node = node_of(is_gelu ? "tfl.gelu" : "tfl.elu", type, draw);
    node.shape = baton::tensor(dtype::int8, 256);
    const auto judge = [&](std::int64_t actual, long double x, std::int64_t) {
      CHECK(steps_off(actual, reference::real_function(is_gelu ? "gelu" : "elu", x, node.approximate ? 1 : 0), node.out) <= 0.5001L);
    };
    if (type == dtype::int8) run_quantized(node, every<std::int8_t>(), judge);
    if (type == dtype::uint8) run_quantized(node, every<std::uint8_t>(), judge);
  }
}

/// True if an int8 `exp` or `log` is the number nearest to the real function, or `sqrt` the next one toward zero.
auto is_in_table(std::string_view op, std::int64_t actual, long double x, const one_operand::tensor& out) -> bool {
  if (op == "tfl.log" && x <= 0) return actual == -128;
  const auto real = reference::real_function(op.substr(4), op == "tfl.sqrt" && x < 0 ? 0 : x);
  if (op != "tfl.sqrt") return steps_off(actual, real, out) <= 0.5001L;
  const auto truncation_error =
      real / static_cast<long double>(out.scale) + static_cast<long double>(out.zero_point) - static_cast<long double>(actual);
  return (actual == 127 && truncation_error > 0) || (truncation_error > -0.0001L && truncation_error < 1.0001L);
}

TEST_CASE("int8 tables of exp and log hold the nearest numbers, those of sqrt are rounded toward zero") {
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    drawn draw(seed);
    auto node = node_of(std::array<std::string_view, 3>{"tfl.exp", "tfl.log", "tfl.sqrt"}[seed % 3], dtype::int8, draw);
    node.shape = baton::tensor(dtype::int8, 256);
    run_quantized(node, every<std::int8_t>(),
                  [&](std::int64_t actual, long double x, std::int64_t) { CHECK(is_in_table(node.op, actual, x, node.out)); });
  }
}

TEST_CASE("int8 logistic and tanh are close to the real functions") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    drawn draw(seed);
    const bool is_tanh = seed % 2 == 0;
    auto node = node_of(is_tanh ? "tfl.tanh" : "tfl.logistic", dtype::int8, draw);
    node.in.scale = draw.scale(1e-9, 3.9);  // for larger scales, the reference saturates too early
    node.out = is_tanh ? one_operand::tensor{dtype::int8, 1.0f / 128, 0} : one_operand::tensor{dtype::int8, 1.0f / 256, -128};
    node.shape = baton::tensor(dtype::int8, 256);
    run_quantized(node, every<std::int8_t>(), [&](std::int64_t actual, long double x, std::int64_t) {
      CHECK(steps_off(actual, reference::real_function(is_tanh ? "tanh" : "logistic", x), node.out) <= 0.51L);
    });
  }
}

TEST_CASE("int16 logistic and tanh are close to the real functions") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    drawn draw(seed);
    const bool is_tanh = seed % 2 == 0;
    auto node = node_of(is_tanh ? "tfl.tanh" : "tfl.logistic", dtype::int16, draw);
    node.in = {dtype::int16, seed % 8 < 2 ? 1.0f / 4096 : seed % 8 < 4 ? 1.0f / 2048 : draw.scale(1e-7, 2.6), 0};
    node.out = {dtype::int16, 1.0f / 32768, 0};
    node.shape = draw.shape();
    run_quantized(node, draw.integers<std::int16_t>(count_of(node)), [&](std::int64_t actual, long double x, std::int64_t) {
      CHECK(steps_off(actual, reference::real_function(is_tanh ? "tanh" : "logistic", x), node.out) <= 4);
    });
  }
}

TEST_CASE("8-bit hard_swish is close to the real function") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    drawn draw(seed);
    const auto type = seed % 2 == 0 ? dtype::uint8 : dtype::int8;
    auto node = node_of("tfl.hard_swish", type, draw);
    // As in models, the input's range is close to that of the output.
    node.in.scale = draw.scale(0.001, 0.5);
    node.out.scale = node.in.scale * draw.scale(0.3, 3);
    node.shape = baton::tensor(dtype::int8, 256);
    const auto judge = [&](std::int64_t actual, long double x, std::int64_t) {
      CHECK(steps_off(actual, reference::real_function("hard_swish", x), node.out) <= 1.1L);
    };
    if (type == dtype::int8) run_quantized(node, every<std::int8_t>(), judge);
    if (type == dtype::uint8) run_quantized(node, every<std::uint8_t>(), judge);
  }
}

TEST_CASE("int8 rsqrt is close to the real function") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    drawn draw(seed);
    auto node = node_of("tfl.rsqrt", dtype::int8, draw);
    node.out.scale = draw.scale(0.001, 1) / std::sqrt(node.in.scale);
    node.shape = baton::tensor(dtype::int8, 256);
    run_quantized(node, every<std::int8_t>(), [&](std::int64_t actual, long double x, std::int64_t difference) {
      if (difference <= 0) {
        CHECK(actual == 127);
      } else {
        CHECK(steps_off(actual, reference::real_function("rsqrt", x), node.out) <= 0.51L);
      }
    });
  }
}

TEST_CASE("functions of integers that are not quantized") {
  std::string why;
  const std::vector<std::int32_t> in{INT32_MIN, -7, 0, 9, INT32_MAX, -2147483647};
  const auto of = [&](const char* op) {
    return one_operand::run<std::int32_t>(
        list, {.op = op, .in = {dtype::int32}, .out = {dtype::int32}, .shape = baton::tensor(dtype::int32, 3, 2)}, in, why);
  };
  CHECK(of("tfl.abs") == std::vector<std::int32_t>{INT32_MIN, 7, 0, 9, INT32_MAX, INT32_MAX});
  CHECK(of("tfl.neg") == std::vector<std::int32_t>{INT32_MIN, 7, 0, -9, -INT32_MAX, INT32_MAX});
  CHECK(of("tfl.sign") == std::vector<std::int32_t>{-1, -1, 0, 1, 1, -1});
  const std::vector<std::int16_t> shorts{-32768, -32767, 0, 5};
  CHECK(one_operand::run<std::int16_t>(
            list, {.op = "tfl.abs", .in = {dtype::int16}, .out = {dtype::int16}, .shape = baton::tensor(dtype::int16, 4)}, shorts, why) ==
        std::vector<std::int16_t>{-32768, 32767, 0, 5});
  const std::vector<std::uint8_t> truths{0, 1, 2, 255};
  CHECK(one_operand::run<std::uint8_t>(
            list, {.op = "tfl.logical_not", .in = {dtype::boolean}, .out = {dtype::boolean}, .shape = baton::tensor(dtype::boolean, 4)},
            truths, why) == std::vector<std::uint8_t>{1, 0, 0, 0});
}

TEST_CASE("all scales are supported or rejected") {
  const float scales[] = {1e-45f, 1e-38f, 1e-20f, 1e-9f, 1e-3f, 1.0f, 1e6f, 1e20f, 3e38f};
  for (const auto op : real_operators) {
    for (const auto in : scales) {
      for (const auto out : scales) {
        for (const double alpha : {-3e38, -1e-40, 0.0, 3e38}) {
          unary_node node{.op = op, .in = {dtype::int8, in, -3}, .out = {dtype::int8, out, 5}};
          node.alpha = alpha;
          node.approximate = alpha == 0;
          node.shape = baton::tensor(dtype::int8, 1);
          if (alpha != 0 && op != "tfl.leaky_relu" && op != "tfl.gelu") continue;
          const auto answer = one_operand::answer<unary>(one_operand::make(node));
          CHECK(!answer.empty());
          node.in.type = node.out.type = dtype::int16;
          node.in.zero_point = node.out.zero_point = 0;
          if (one_operand::answer<unary>(one_operand::make(node)) != "yes") continue;
          std::string why;
          CHECK(one_operand::run<std::int16_t>(list, node, std::vector<std::int16_t>{-32768}, why).size() == 1);
        }
      }
    }
  }
}

TEST_CASE("unary functions obey the laws at compile time") {
  CHECK(is_lawful<logistic_of_bytes>());
  CHECK(is_lawful<leaky_relu_of_int16>());
  CHECK(is_lawful<gelu_of_bytes>());
  CHECK(is_lawful<round_of_floats>());
}

TEST_CASE("unsupported unary functions are rejected") {
  const auto answer = [](const char* op, one_operand::tensor in, one_operand::tensor out, double alpha = 0) {
    unary_node node{.op = op, .in = in, .out = out, .shape = baton::tensor(dtype::int8, 2)};
    node.alpha = alpha;
    return one_operand::answer<unary>(one_operand::make(node));
  };
  const one_operand::tensor byte{dtype::int8, 0.5f, 0};
  const one_operand::tensor probability{dtype::int8, 1.0f / 256, -128};
  const one_operand::tensor fine{dtype::int16, 1.0f / 32768, 0};
  CHECK(answer("tfl.logistic", byte, probability) == "yes");
  CHECK(answer("tfl.logistic", byte, byte) == "output does not have scale 1/256 and zero point -128");
  CHECK(answer("tfl.tanh", byte, probability) == "output does not have scale 1/128 and zero point 0");
  CHECK(answer("tfl.logistic", fine, fine) == "yes");
  CHECK(answer("tfl.logistic", {dtype::int16, 0.5f, 1}, fine) == "zero points of int16 are not 0");
  CHECK(answer("tfl.tanh", fine, {dtype::int16, 0.001f, 0}) == "output does not have scale 1/32768");
  CHECK(answer("tfl.tanh", {dtype::int16, 2.7f, 0}, fine) == "the input's scale is too large");
  CHECK(answer("tfl.logistic", {dtype::uint8, 0.5f, 0}, {dtype::uint8, 0.5f, 0}) == "input is uint8");
  CHECK(answer("tfl.sin", byte, byte) == "input is int8");
  CHECK(answer("tfl.logical_not", byte, byte) == "input is int8");
  CHECK(answer("tfl.neg", {dtype::int16}, {dtype::int16}) == "input is int16");
  CHECK(answer("tfl.relu", {dtype::int32}, {dtype::int32}) == "input is int32");
  CHECK(answer("tfl.elu", {dtype::uint8, 1.0f, 0}, {dtype::uint8, 1.0f, 0}) == "input is uint8");
  CHECK(answer("tfl.gelu", fine, fine) == "input is int16");
  CHECK(answer("tfl.abs", {dtype::int64}, {dtype::int64}) == "input is int64");
  CHECK(answer("tfl.relu", byte, {dtype::float32}) == "output is float32, but the operator returns int8");
  CHECK(answer("tfl.relu", {dtype::int8}, byte) == "input has no quantization per tensor");
  CHECK(answer("tfl.relu", byte, {dtype::int8, NAN, 0}) == "output has a scale that is not positive and finite");
  CHECK(answer("tfl.relu", byte, {dtype::int8, 1.0f, 200}) == "output has zero point 200");
  CHECK(answer("tfl.relu", {dtype::int8, 1e20f, 0}, {dtype::int8, 1e-20f, 0}) == "scale ratio is out of range");
  CHECK(answer("tfl.hard_swish", {dtype::int8, 1000.0f, 0}, {dtype::int8, 1.0f, 0}) == "scale ratio is out of range");
  CHECK(answer("tfl.hard_swish", {dtype::int8, 1e-6f, 0}, {dtype::int8, 1.0f, 0}) == "scale ratio is out of range");
  CHECK(answer("tfl.rsqrt", {dtype::int8, 1e-20f, 0}, {dtype::int8, 1e-8f, 0}) == "scales are too small");
  CHECK(answer("tfl.leaky_relu", byte, byte, static_cast<double>(NAN)) == "alpha is not finite");
  CHECK(answer("tfl.leaky_relu", byte, byte, static_cast<double>(INFINITY)) == "alpha is not finite");
  CHECK(answer("tfl.leaky_relu", byte, byte, 3e38) == "scale ratio is out of range");
}

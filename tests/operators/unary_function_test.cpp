// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The real functions of float32 nodes, against the C++ library.
#include <baton/operators/shared/unary_function.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace baton;

/// Returns the function of a node with one operand and the attributes of `leaky_relu` and `gelu`.
constexpr auto function_of(std::string_view op, dtype type = dtype::float32) -> unary_function {
  program_builder b;
  const auto x = b.user_input("x", tensor(type, 2, 3));
  b.output(b.call(op, {x}, tensor(type, 2, 3), {{"alpha", 0.25}, {"approximate", true}}));
  const auto program = b.finish();
  return unary_function_of(program, program.nodes[0]);
}

constexpr char half[] = {0, 0, 0, '\x3f'};           // 0.5f
constexpr char nothing[] = {0, 0, 0, 0};             // 0.0f
constexpr char infinite[] = {0, 0, '\x80', '\x7f'};  // infinity

/// Returns the function of a node with a constant operand, which has one element, and a variable one.
constexpr auto function_of_pair(std::string_view op, std::size_t variable, span<const char> bytes = half, const char* fused = "none",
                                std::size_t rank = 1) -> unary_function {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::float32, 2));
  tensor_type shape{dtype::float32, rank, {1, 1, 1}};
  const auto c = b.constant("c", shape, bytes);
  const auto type = rank == 1 ? tensor(dtype::float32, 2) : tensor(dtype::float32, 1, 1, 2);
  b.output(b.call(op, {variable == 0 ? x : c, variable == 0 ? c : x}, type, {{"fused_activation_function", fused}}));
  const auto program = b.finish();
  return unary_function_of(program, program.nodes[0]);
}

constexpr auto functions_are_computed_at_compile_time() -> bool {
  const bool are_exact = function_of("tfl.relu6")(7) == 6 && function_of("tfl.round")(2.5) == 2 && function_of("tfl.round")(-3.5) == -4 &&
                         function_of("tfl.hard_swish")(1) == 4.0 / 6 && function_of("tfl.logistic")(0) == 0.5 &&
                         function_of("tfl.leaky_relu")(-2) == -0.5 && function_of("tfl.sqrt")(9) == 3;
  return are_exact && function_of_pair("tfl.sub", 1)(2) == -1.5 && function_of_pair("tfl.minimum", 0)(2) == 0.5;
}
static_assert(functions_are_computed_at_compile_time());

constexpr auto no_argument_is_undefined_behavior() -> bool {
  constexpr auto inf = std::numeric_limits<double>::infinity();
  constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
  std::size_t count = 0;
  for (const auto& row : detail::unary_names) {
    for (const double x : {0.0, -0.0, 1e-300, -1e-300, 1e300, -1e300, inf, -inf, nan, 3.4e38, -3.4e38}) {
      const unary_function f{.op = row.op, .constant = 0.5, .variable = count % 2};
      const auto y = f(x);
      count += y == y || y != y ? 1 : 0;
    }
  }
  return count != 0;
}
static_assert(no_argument_is_undefined_behavior());

constexpr auto other_nodes_are_unknown() -> bool {
  return !function_of("tfl.softmax") && !function_of("tfl.relu", dtype::int8) && !function_of("tfl.add") &&
         !function_of_pair("tfl.relu", 0) && !function_of_pair("tfl.div", 0, nothing) && !function_of_pair("tfl.mul", 0, infinite) &&
         !function_of_pair("tfl.add", 0, half, "sign_bit") && !function_of_pair("tfl.add", 0, {}) && !function_of_pair("tfl.prelu", 1) &&
         !function_of_pair("tfl.add", 0, half, "none", 3);  // broadcasting adds dimensions to the output
}

}  // namespace

TEST_CASE("a unary function is computed at compile time and at run time") {
  CHECK(functions_are_computed_at_compile_time());
  CHECK(no_argument_is_undefined_behavior());
}

TEST_CASE("nodes that are not a function of one float32 variable are unknown") { CHECK(other_nodes_are_unknown()); }

TEST_CASE("unary functions match the C++ library") {
  struct row {
    std::string name;
    std::function<double(double)> expected;
    bool is_positive = false;
  };
  const std::vector<row> rows{
      {"tfl.abs", [](double x) { return std::fabs(x); }},
      {"tfl.ceil", [](double x) { return std::ceil(x); }},
      {"tfl.elu", [](double x) { return x < 0 ? std::expm1(x) : x; }},
      {"tfl.exp", [](double x) { return std::exp(x); }},
      {"tfl.floor", [](double x) { return std::floor(x); }},
      {"tfl.gelu", [](double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x))); }},
      {"tfl.hard_swish", [](double x) { return x * std::fmin(std::fmax(x + 3, 0), 6) / 6; }},
      {"tfl.leaky_relu", [](double x) { return x < 0 ? 0.25 * x : x; }},
      {"tfl.log", [](double x) { return std::log(x); }, true},
      {"tfl.logistic", [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"tfl.neg", [](double x) { return -x; }},
      {"tfl.relu", [](double x) { return std::fmax(x, 0); }},
      {"tfl.relu6", [](double x) { return std::fmin(std::fmax(x, 0), 6); }},
      {"tfl.relu_0_to_1", [](double x) { return std::fmin(std::fmax(x, 0), 1); }},
      {"tfl.relu_n1_to_1", [](double x) { return std::fmin(std::fmax(x, -1), 1); }},
      {"tfl.round", [](double x) { return std::nearbyint(x); }},
      {"tfl.rsqrt", [](double x) { return 1 / std::sqrt(x); }, true},
      {"tfl.sign", [](double x) { return static_cast<double>((x > 0) - (x < 0)); }},
      {"tfl.sqrt", [](double x) { return std::sqrt(x); }, true},
      {"tfl.square", [](double x) { return x * x; }},
      {"tfl.tanh", [](double x) { return std::tanh(x); }},
  };
  for (const auto& [name, expected, is_positive] : rows) {
    CAPTURE(name);
    const auto f = function_of(name);
    REQUIRE(static_cast<bool>(f));
    for (int i = is_positive ? 1 : -4000; i <= 4000; ++i) {
      const auto x = i / 128.0;
      CHECK(std::fabs(f(x) - expected(x)) <= 1e-15 + 4e-14 * std::fabs(expected(x)));
    }
  }
}

TEST_CASE("functions of a variable and a constant use the constant on its side") {
  for (int i = -64; i <= 64; ++i) {
    const auto x = i / 8.0;
    for (const std::size_t variable : {0u, 1u}) {
      CHECK(function_of_pair("tfl.add", variable)(x) == x + 0.5);
      CHECK(function_of_pair("tfl.add", variable, half, "relu")(x) == std::fmax(x + 0.5, 0));
      CHECK(function_of_pair("tfl.mul", variable, half, "relu6")(x) == std::fmin(std::fmax(x * 0.5, 0), 6));
      CHECK(function_of_pair("tfl.sub", variable)(x) == (variable == 0 ? x - 0.5 : 0.5 - x));
      CHECK(function_of_pair("tfl.maximum", variable)(x) == std::fmax(x, 0.5));
      CHECK(function_of_pair("tfl.minimum", variable)(x) == std::fmin(x, 0.5));
      if (x != 0) CHECK(function_of_pair("tfl.div", variable)(x) == (variable == 0 ? x / 0.5 : 0.5 / x));
    }
    CHECK(function_of_pair("tfl.prelu", 0)(x) == (x < 0 ? 0.5 * x : x));
  }
  CHECK(function_of_pair("tfl.add", 1).variable == 1);
}

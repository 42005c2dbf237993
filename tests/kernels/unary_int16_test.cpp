// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Real functions of int16 numbers against tables in long double, over random scales, and rejected nodes.
#include <baton/kernels/portable/unary_int16.hpp>

#include "laws/kernel.hpp"
#include "one_operand.hpp"
#include "reference/unary.hpp"

#include <baton/core/static_program.hpp>
#include <baton/kernels/kernels.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using baton::dtype;
using baton::portable::detail::unary_int16;
using one_operand::drawn;
using one_operand::unary_node;

constexpr auto list = baton::kernels<unary_int16>;
constexpr std::string_view tabulated[] = {"tfl.gelu", "tfl.exp", "tfl.log", "tfl.rsqrt"};

/// Returns numbers near every kind of table entry: multiples of 128, their neighbors, midpoints and the ends of the range.
auto some_numbers() -> std::vector<std::int16_t> {
  std::vector<std::int16_t> result;
  for (int x = -32768; x <= 32767; x += x % 128 == 0 ? 1 : x % 128 == 1 || x % 128 == -127 ? 62 : 1) {
    if (x % 64 == 0 || x % 128 == 1 || x % 128 == 127 || x % 1003 == 5) result.push_back(static_cast<std::int16_t>(x));
  }
  result.push_back(32767);
  return result;
}

/// Returns the real function in steps of the output, or an end of the range if the function is undefined.
auto steps_of(const unary_node& node, long double x) -> long double {
  if (node.op == "tfl.log" && x <= 0) return -32768;
  if (node.op == "tfl.rsqrt" && x <= 0) return 32767;
  return reference::real_function(node.op.substr(4), x, node.approximate ? 1 : 0) / static_cast<long double>(node.out.scale);
}

/// Returns entry `i` of the table, as TensorFlow Lite defines it.
auto entry_of(const unary_node& node, int i) -> long double {
  const auto scale = static_cast<long double>(node.in.scale);
  const auto width = scale * 65535 / 512;
  const auto at = scale * -32768 + width * i;
  const auto value = std::round(steps_of(node, at));
  if (i == 512) return std::clamp(value, -32768.0L, 32767.0L);
  const auto middle = std::round((steps_of(node, at + width) + value) / 2);
  const auto error = std::round((middle - std::round(steps_of(node, at + width / 2))) / 2);
  return std::clamp(value - error, -32768.0L, 32767.0L);
}

/// Returns the largest difference between outputs and the interpolated table, in steps.
auto largest_difference(const unary_node& node, const std::vector<std::int16_t>& in, const std::vector<std::int16_t>& out) -> long double {
  std::vector<long double> table;
  for (int i = 0; i <= 512; ++i) table.push_back(entry_of(node, i));
  long double largest = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto at = static_cast<std::size_t>((in[i] + 32768) / 128);
    const auto part = static_cast<long double>((in[i] + 32768) % 128) / 128;
    const auto wanted = table[at] + (table[at + 1] - table[at]) * part;
    largest = std::max(largest, std::fabs(static_cast<long double>(out[i]) - wanted));
  }
  return largest;
}

auto node_of(std::string_view op, float from, float to, std::size_t count) -> unary_node {
  return {.op = op,
          .in = {dtype::int16, from, 0},
          .out = {dtype::int16, to, 0},
          .shape = baton::tensor(dtype::int16, static_cast<std::int64_t>(count))};
}

struct exp_of_int16 {
  constexpr auto operator()() const -> baton::exported_program {
    return one_operand::make(
        {.op = "tfl.exp", .in = {dtype::int16, 0.0001f, 0}, .out = {dtype::int16, 0.001f, 0}, .shape = baton::tensor(dtype::int16, 2, 21)});
  }
};
struct gelu_of_int16 {
  constexpr auto operator()() const -> baton::exported_program {
    return one_operand::make(
        {.op = "tfl.gelu", .in = {dtype::int16, 0.0003f, 0}, .out = {dtype::int16, 0.0003f, 0}, .shape = baton::tensor(dtype::int16, 42)});
  }
};
struct root_of_int16 {
  constexpr auto operator()() const -> baton::exported_program {
    return one_operand::make(
        {.op = "tfl.sqrt", .in = {dtype::int16, 0.0003f, 0}, .out = {dtype::int16, 0.0001f, 0}, .shape = baton::tensor(dtype::int16, 42)});
  }
};
template <class Make>
auto is_lawful() -> bool {
  using program = baton::static_program<Make>;
  baton::vector<char> input(84);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>(i * 37 % 61);
  return laws::kernel::all<unary_int16, program>(input);
}

/// True if a curve of a linear function is that function, rounded, and a step over the whole range does not wrap.
constexpr auto is_line() -> bool {
  using baton::portable::detail::value_at;
  const auto line = baton::portable::detail::curve_of(-32768.0f, 32767.0f, 2.0f, [](float x) { return x; });
  bool holds = line[0] == -16384 && line[512] == 16384 && value_at(line, -32768) == -16384 && value_at(line, 5) == 3;
  const auto cliff = baton::portable::detail::curve_of(-32768.0f, 32767.0f, 1.0f, [](float x) { return x < 0 ? -1e9f : 1e9f; });
  for (std::int32_t x = -32768; x < 32768; x += 5) holds = holds && value_at(cliff, x) >= -32768 && value_at(cliff, x) <= 32767;
  return holds && value_at(cliff, 32767) == 32767;
}
static_assert(is_line());

}  // namespace

TEST_CASE("the int16 curve of a linear function is the rounded function, and a step over the whole range does not wrap") {
  CHECK(is_line());
}

// Ties in the three roundings of an entry: float and long double may round differently, so that entries differ by up to two.
TEST_CASE("int16 tables of gelu, exp, log and rsqrt match exact arithmetic, except for ties") {
  const auto in = some_numbers();
  CHECK(in.size() > 1500);
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    drawn draw(seed);
    auto node = node_of(tabulated[seed % 4], draw.scale(1e-5, 3e-4), draw.scale(1e-5, 1e-2), in.size());
    node.approximate = seed % 8 < 4;
    std::string why;
    const auto out = one_operand::run<std::int16_t>(list, node, in, why);
    CAPTURE(node.op);
    CAPTURE(node.in.scale);
    CAPTURE(node.out.scale);
    REQUIRE(why == "");
    CHECK(largest_difference(node, in, out) <= 2.5001L);
  }
}

TEST_CASE("int16 gelu and exp are close to the real functions") {
  const auto in = some_numbers();
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    drawn draw(seed);
    const bool is_gelu = seed % 2 == 0;
    const auto from = draw.scale(1e-5, 1.5e-4);
    const auto largest = is_gelu ? 32768 * from : std::exp(32768 * from);
    // Entries are 65535 / 512 numbers apart, but the segments between them have length 128. At the end this is an error of up to one
    // number, times the slope.
    const auto bound = is_gelu ? 3.2L : 2 + static_cast<long double>(32768 * from);
    const auto node = node_of(is_gelu ? "tfl.gelu" : "tfl.exp", from, largest / 32767, in.size());
    std::string why;
    const auto out = one_operand::run<std::int16_t>(list, node, in, why);
    REQUIRE(why == "");
    for (std::size_t i = 0; i < in.size(); ++i) {
      const auto wanted = steps_of(node, static_cast<long double>(from) * in[i]);
      CHECK(std::fabs(static_cast<long double>(out[i]) - wanted) <= bound);
    }
  }
}

TEST_CASE("int16 square roots are rounded toward zero") {
  const auto in = some_numbers();
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    drawn draw(seed);
    const auto node = node_of("tfl.sqrt", draw.scale(1e-9, 1e3), draw.scale(1e-6, 1e2), in.size());
    std::string why;
    const auto out = one_operand::run<std::int16_t>(list, node, in, why);
    REQUIRE(why == "");
    for (std::size_t i = 0; i < in.size(); ++i) {
      const auto root = in[i] <= 0 ? 0.0L : std::sqrt(static_cast<long double>(node.in.scale) * in[i]);
      const auto truncation_error = std::min(root / static_cast<long double>(node.out.scale), 32767.0L) - static_cast<long double>(out[i]);
      CHECK(truncation_error > -0.01L);
      CHECK(truncation_error < 1.0001L);
    }
  }
}

TEST_CASE("all scales of int16 are supported or rejected") {
  const float scales[] = {1e-45f, 1e-38f, 1e-20f, 1e-9f, 1e-3f, 1.0f, 1e6f, 1e20f, 3e38f};
  std::size_t computed = 0;
  for (const auto op : {"tfl.gelu", "tfl.exp", "tfl.log", "tfl.rsqrt", "tfl.sqrt"}) {
    for (const auto from : scales) {
      for (const auto to : scales) {
        const auto node = node_of(op, from, to, 3);
        if (one_operand::answer<unary_int16>(one_operand::make(node)) != "yes") continue;
        std::string why;
        CHECK(one_operand::run<std::int16_t>(list, node, std::vector<std::int16_t>{-32768, 0, 32767}, why).size() == 3);
        ++computed;
      }
    }
  }
  CHECK(computed > 150);
}

TEST_CASE("real functions of int16 numbers obey the laws at compile time") {
  CHECK(is_lawful<exp_of_int16>());
  CHECK(is_lawful<gelu_of_int16>());
  CHECK(is_lawful<root_of_int16>());
}

TEST_CASE("unsupported real functions of int16 numbers are rejected") {
  const auto answer = [](one_operand::tensor in, one_operand::tensor out) {
    return one_operand::answer<unary_int16>(
        one_operand::make({.op = "tfl.exp", .in = in, .out = out, .shape = baton::tensor(dtype::int16, 2)}));
  };
  const one_operand::tensor fine{dtype::int16, 0.001f, 0};
  CHECK(answer(fine, fine) == "yes");
  CHECK(answer({dtype::int16, 0.001f, 1}, fine) == "zero points of int16 are not 0");
  CHECK(answer(fine, {dtype::int16, 0.001f, -1}) == "zero points of int16 are not 0");
  CHECK(answer({dtype::int16, 2e30f, 0}, fine) == "the input's scale is too large");
  CHECK(answer(fine, {dtype::int16, 1e-31f, 0}) == "the output's scale is too small or too large");
  CHECK(answer(fine, {dtype::int16, 2e30f, 0}) == "the output's scale is too small or too large");
  CHECK(answer({dtype::int16}, fine) == "input has no quantization per tensor");
  CHECK(answer(fine, {dtype::int8, 0.1f, 0}) == "output is int8, but the operator returns int16");
  // For other types, `unary` returns the reason.
  CHECK(answer({dtype::int8, 0.1f, 0}, {dtype::int8, 0.1f, 0}).empty());
  const auto node = one_operand::make({.op = "tfl.exp", .in = {dtype::uint8, 1, 0}, .out = {dtype::uint8, 1, 0}, .shape = {}});
  const auto chosen = baton::choose_kernel(baton::portable_kernels, baton::program_view(node), node.nodes[0]);
  CHECK(baton::view(chosen.support.reason) == "input is uint8");
}

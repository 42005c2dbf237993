// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Powers against real and integer arithmetic, with and without broadcasting, and rejected nodes.
#include <baton/kernels/portable/power.hpp>

#include "laws/kernel.hpp"
#include "nodes/interpreter.hpp"
#include "random_pairs.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

using baton::dtype;
using baton::program_view;
using baton::portable::detail::integer_power;
using baton::portable::detail::power;
using random_pairs::elements;
using random_pairs::pair_case;

constexpr auto list = baton::kernels<power>;

constexpr auto integer_powers_wrap() -> bool {
  return integer_power(3, 4) == 81 && integer_power(-2, 31) == std::numeric_limits<std::int32_t>::min() &&
         integer_power(10, 10) == 1410065408 && integer_power(0, 0) == 1 && integer_power(7, 0) == 1 && integer_power(-1, -3) == -1 &&
         integer_power(-1, -2) == 1 && integer_power(1, -9) == 1 && integer_power(2, -1) == 0 && integer_power(0, -1) == 0;
}
static_assert(integer_powers_wrap());

auto case_of(dtype type, random_pairs::draws& draw) -> pair_case {
  pair_case result;
  result.of.name = "tfl.pow";
  result.of.type = type;
  result.right_type = type;
  result.shapes = random_pairs::random_shapes(draw, 2);
  if (type == dtype::int8 || type == dtype::int16) {
    const auto unit = type == dtype::int8 ? 256.0f : 1.0f;
    result.of.left.scale = unit * 1e-5f * static_cast<float>(draw.from_to(1, 30));
    result.of.right.scale = unit * 1e-5f * static_cast<float>(draw.from_to(1, 12));
    result.of.out.scale = unit * 1e-5f * static_cast<float>(draw.from_to(1, 90));
    if (type == dtype::int8) {
      result.of.left.zero_point = draw.from_to(-128, 127);
      result.of.right.zero_point = draw.from_to(-128, 127);
      result.of.out.zero_point = draw.from_to(-128, 127);
    }
  }
  return result;
}

/// True if a quantized power is nearest to the real power, or is the zero point if the power is not real.
auto is_nearest(const pair_case& of, std::int64_t left, std::int64_t right, std::int64_t actual) -> bool {
  const auto real_of = [](const auto& quantized, std::int64_t x) {
    return static_cast<long double>(quantized.scale * static_cast<float>(x - quantized.zero_point));
  };
  const auto real = std::pow(real_of(of.of.left, left), real_of(of.of.right, right));
  if (std::isnan(real)) return actual == of.of.out.zero_point;
  const auto range = reference::detail::range_of_type(of.of.type);
  const auto steps = real / static_cast<long double>(of.of.out.scale) + static_cast<long double>(of.of.out.zero_point);
  const auto wanted = std::clamp(steps, static_cast<long double>(range.min), static_cast<long double>(range.max));
  return std::fabs(static_cast<long double>(actual) - wanted) <= 0.51L;
}

/// Returns the program of an int8 power with 256 bases and a constant exponent of one element.
auto table_program(float scale, std::int64_t zero_point, float exponent_scale, std::int8_t exponent, float out) -> baton::exported_program {
  baton::program_builder b;
  const auto x = b.user_input("x", baton::tensor(dtype::int8, 256));
  const auto byte = static_cast<char>(exponent);
  const auto y = b.constant("y", baton::tensor(dtype::int8), {&byte, 1});
  const auto z = b.call("tfl.pow", {x, y}, baton::tensor(dtype::int8, 256));
  b.quantize(x, scale, zero_point);
  b.quantize(y, exponent_scale, 0);
  b.quantize(z, out, -100);
  b.output(z);
  return b.finish();
}

struct root_by_table {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 3, 14));
    const auto y = b.constant("y", baton::tensor(dtype::int8), {"2", 1});
    const auto z = b.call("tfl.pow", {x, y}, baton::tensor(dtype::int8, 3, 14));
    b.quantize(x, 0.1f, -128);
    b.quantize(y, 0.01f, 0);
    b.quantize(z, 0.03f, -128);
    b.output(z);
    return b.finish();
  }
};
struct power_of_floats {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::float32, 3, 2));
    const auto y = b.user_input("y", baton::tensor(dtype::float32, 2));
    const auto z = b.call("tfl.pow", {x, y}, baton::tensor(dtype::float32, 3, 2));
    b.output(z);
    return b.finish();
  }
};
template <class Make>
auto is_lawful(std::size_t bytes) -> bool {
  using program = baton::static_program<Make>;
  baton::vector<char> input(bytes);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>(i * 37 % 61);
  return laws::kernel::all<power, program>(input);
}

}  // namespace

TEST_CASE("integer powers wrap") { CHECK(integer_powers_wrap()); }

TEST_CASE("random powers match real and integer arithmetic in every type") {
  std::size_t computed = 0;
  for (const auto type : {dtype::float32, dtype::int8, dtype::int16, dtype::int32}) {
    for (std::uint32_t seed = 0; seed < 80; ++seed) {
      random_pairs::draws draw(seed * 1000 + static_cast<std::uint32_t>(type));
      const auto pair = case_of(type, draw);
      const auto left = random_pairs::random_elements(draw, type, reference::count_of(pair.shapes[0]));
      const auto right = random_pairs::random_elements(draw, type, reference::count_of(pair.shapes[1]));
      elements actual;
      const auto why = random_pairs::run(list, pair, {left, right}, actual);
      if (why.find("needs more than 6 loops") != std::string::npos) continue;
      REQUIRE(why == "");
      ++computed;
      CAPTURE(seed);
      CAPTURE(static_cast<int>(type));
      std::size_t at = 0;
      static_cast<void>(random_pairs::for_each_pair(pair, left, right, [&](std::int64_t l, std::int64_t r) {
        const auto x = actual[at++];
        if (type == dtype::float32) {
          const auto wanted = std::pow(random_pairs::real(l), random_pairs::real(r));
          CHECK((random_pairs::bits(wanted) == x || std::isnan(wanted)));
        } else if (type == dtype::int32) {
          std::uint32_t wanted = 1;
          for (std::int64_t i = 0; i < r && r < 5000; ++i) wanted *= static_cast<std::uint32_t>(l);
          if (r >= 0 && r < 5000) CHECK(x == static_cast<std::int32_t>(wanted));
        } else {
          CHECK(is_nearest(pair, l, r, x));
        }
        return x;
      }));
    }
  }
  CHECK(computed > 250);
}

TEST_CASE("int8 powers with a constant exponent are tables of the nearest numbers") {
  nodes::bytes input(256);
  for (std::size_t i = 0; i < 256; ++i) input[i] = static_cast<char>(static_cast<int>(i) - 128);
  for (int exponent = -128; exponent < 128; ++exponent) {
    for (const auto zero_point : {-128, 0, 3}) {
      for (const auto exponent_scale : {0.031f, 1.0f, 0.5f}) {
        const auto program = table_program(0.04f, zero_point, exponent_scale, static_cast<std::int8_t>(exponent), 0.05f);
        const program_view view(program);
        REQUIRE(power::describe(view, view.nodes[0]).plan.has_table);
        nodes::interpreter runner{view};
        nodes::bytes output;
        REQUIRE(runner.run(list, input, output) == "");
        pair_case of;
        of.of = {.name = "tfl.pow", .left = {0.04f, zero_point}, .right = {exponent_scale, 0}, .out = {0.05f, -100}};
        CAPTURE(exponent);
        CAPTURE(zero_point);
        CAPTURE(exponent_scale);
        bool all = true;
        for (std::size_t i = 0; i < 256; ++i) all = all && is_nearest(of, input[i], exponent, output[i]);
        CHECK(all);
      }
    }
  }
}

TEST_CASE("powers obey the laws at compile time") {
  CHECK(is_lawful<root_by_table>(42));
  CHECK(is_lawful<power_of_floats>(32));
}

TEST_CASE("unsupported powers are rejected") {
  const auto why = [](const baton::tensor_type& base, const baton::tensor_type& exponent, float scale = 0.1f) {
    baton::program_builder b;
    const auto x = b.user_input("x", base);
    const auto y = b.user_input("y", exponent);
    const auto z = b.call("tfl.pow", {x, y}, base);
    for (const auto of : {x, y, z}) {
      if (scale != 0) b.quantize(of, scale, 0);
    }
    b.output(z);
    const auto program = b.finish();
    const program_view view(program);
    return std::string(baton::view(baton::ask_kernel<power>(view, view.nodes[0]).support.reason));
  };
  const auto bytes = baton::tensor(dtype::int8, 2, 3);
  CHECK(why(bytes, bytes) == "");
  CHECK(why(baton::tensor(dtype::int64, 2), baton::tensor(dtype::int64, 2)) == "base is int64");
  CHECK(why(bytes, baton::tensor(dtype::int16, 2, 3)) == "exponent is int16, not int8");
  CHECK(why(bytes, baton::tensor(dtype::int8, 4)) == "the shapes of operands 0 and 1 cannot be broadcast");
  CHECK(why(bytes, bytes, 0) == "base has no quantization per tensor");
  CHECK(why(bytes, bytes, 2e30f) == "scales are too large");
}

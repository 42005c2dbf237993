// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// quantize, dequantize and cast against their definitions, over random scales, shapes and dtypes, and rejected nodes.
#include "laws/kernel.hpp"
#include "one_operand.hpp"
#include "reference/unary.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/conversions.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using baton::dtype;
using baton::portable::detail::convert;
using one_operand::count_of;
using one_operand::drawn;
using one_operand::unary_node;
using one_operand::zero_point;

constexpr auto list = baton::kernels<convert>;

auto name_of(dtype type) -> std::string_view { return baton::facts(type).name; }

/// Returns random floats: most within the representable range, many of them on half steps, some far outside, infinities and NaNs.
auto floats(drawn& draw, std::size_t count, double around) -> std::vector<float> {
  std::vector<float> result(count);
  for (auto& x : result) {
    const auto choice = draw.from_to(0, 19);
    x = choice == 0   ? std::numeric_limits<float>::quiet_NaN()
        : choice == 1 ? (draw.from_to(0, 1) == 0 ? 1.0f : -1.0f) * std::numeric_limits<float>::infinity()
        : choice == 2 ? static_cast<float>(draw.real(-1e30, 1e30))
        : choice < 9  ? static_cast<float>(around * 0.5 * static_cast<double>(draw.from_to(-300, 300)))
                      : static_cast<float>(around * draw.real(-70000, 70000));
  }
  return result;
}

struct quantizes_float {
  constexpr auto operator()() const -> baton::exported_program {
    return one_operand::make(
        {.op = "tfl.quantize", .in = {dtype::float32}, .out = {dtype::int8, 0.05f, 3}, .shape = baton::tensor(dtype::int8, 3, 7)});
  }
};
struct dequantizes {
  constexpr auto operator()() const -> baton::exported_program {
    return one_operand::make(
        {.op = "tfl.dequantize", .in = {dtype::int8, 0.05f, 3}, .out = {dtype::float32}, .shape = baton::tensor(dtype::int8, 3, 7)});
  }
};
struct dequantizes_channels {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int4, 2, 3, 3));
    const float scales[] = {0.05f, 0.5f, 3.0f};
    const std::int64_t zeros[] = {0, -3, 7};
    b.quantize(x, scales, zeros, 1);
    b.output(b.call("tfl.dequantize", {x}, baton::tensor(dtype::float32, 2, 3, 3)));
    return b.finish();
  }
};

template <class Make>
auto is_lawful() -> bool {
  using program = baton::static_program<Make>;
  baton::vector<char> input(84);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>(i * 37 % 61);
  return laws::kernel::all<convert, program>(input);
}

}  // namespace

TEST_CASE("quantize of floats matches the definition") {
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    drawn draw(seed);
    const auto type = std::vector{dtype::int8, dtype::uint8, dtype::int16}[seed % 3];
    const unary_node node{.op = "tfl.quantize", .out = {type, draw.scale(1e-6, 1e3), zero_point(draw, type)}, .shape = draw.shape()};
    const auto in = floats(draw, count_of(node), static_cast<double>(node.out.scale));
    std::string why;
    const auto range = baton::portable::range_of(type);
    reference::with_quantized(name_of(type), [&](auto number) {
      const auto out = one_operand::run<decltype(number)>(list, node, in, why);
      REQUIRE(why == "");
      for (std::size_t i = 0; i < in.size(); ++i) {
        // The quotient is a float. Quotients outside the representable range are clamped to +-1e6, which saturates in the same way.
        const auto steps = std::isnan(in[i]) ? 0.0f : std::clamp(in[i] / node.out.scale, -1e6f, 1e6f);
        const auto expected = std::clamp<std::int64_t>(std::llroundf(steps) + node.out.zero_point, range.lower, range.upper);
        CHECK(static_cast<std::int64_t>(out[i]) == expected);
      }
    });
  }
}

TEST_CASE("quantize of integers matches the reference") {
  const std::vector<std::pair<dtype, dtype>> pairs{{dtype::int8, dtype::int8},   {dtype::int8, dtype::uint8},  {dtype::int8, dtype::int16},
                                                   {dtype::int8, dtype::int32},  {dtype::uint8, dtype::int8},  {dtype::uint8, dtype::uint8},
                                                   {dtype::uint8, dtype::int16}, {dtype::int16, dtype::int8},  {dtype::int16, dtype::uint8},
                                                   {dtype::int16, dtype::int16}, {dtype::int16, dtype::int32}, {dtype::int32, dtype::int8},
                                                   {dtype::int32, dtype::int16}};
  for (std::uint32_t seed = 0; seed < 2600; ++seed) {
    drawn draw(seed);
    const auto [from, to] = pairs[seed % pairs.size()];
    unary_node node{.op = "tfl.quantize", .in = {from, draw.scale(1e-4, 1e2), zero_point(draw, from)}, .shape = draw.shape()};
    node.out = {to, seed % 7 == 0 ? node.in.scale : node.in.scale * draw.scale(seed % 5 == 0 ? 1e-12 : 0.01, 100), zero_point(draw, to)};
    std::string why;
    reference::with_quantized(name_of(from), [&](auto in_number) {
      using input = decltype(in_number);
      const auto in = draw.integers<input>(count_of(node));
      reference::with_quantized(name_of(to), [&](auto number) {
        using output = decltype(number);
        const auto out = one_operand::run<output>(list, node, in, why);
        REQUIRE(why == "");
        const auto factor = static_cast<double>(node.in.scale) / static_cast<double>(node.out.scale);
        for (std::size_t i = 0; i < in.size(); ++i) {
          const auto difference = std::clamp<std::int64_t>(static_cast<std::int64_t>(in[i]) - node.in.zero_point, INT32_MIN, INT32_MAX);
          const auto lower = static_cast<std::int64_t>(std::numeric_limits<output>::lowest());
          const auto upper = static_cast<std::int64_t>(std::numeric_limits<output>::max());
          CHECK(static_cast<std::int64_t>(out[i]) == std::clamp(reference::times(difference, factor) + node.out.zero_point, lower, upper));
        }
      });
    });
  }
}

TEST_CASE("dequantize matches the definition") {
  for (std::uint32_t seed = 0; seed < 900; ++seed) {
    drawn draw(seed);
    const auto type = std::vector{dtype::int8, dtype::uint8, dtype::int16}[seed % 3];
    const unary_node node{.op = "tfl.dequantize", .in = {type, draw.scale(1e-20, 1e20), zero_point(draw, type)}, .shape = draw.shape()};
    std::string why;
    reference::with_quantized(name_of(type), [&](auto number) {
      const auto in = draw.integers<decltype(number)>(count_of(node));
      const auto out = one_operand::run<float>(list, node, in, why);
      REQUIRE(why == "");
      for (std::size_t i = 0; i < in.size(); ++i) {
        CHECK(out[i] == static_cast<float>(static_cast<double>(node.in.scale) * static_cast<double>(in[i] - node.in.zero_point)));
      }
    });
  }
}

TEST_CASE("dequantize of int32 rounds the product once") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    drawn draw(seed);
    const unary_node node{
        .op = "tfl.dequantize", .in = {dtype::int32, draw.scale(1e-20, 1e20), draw.from_to(-128, 127)}, .shape = draw.shape()};
    const auto in = draw.integers<std::int32_t>(count_of(node));
    std::string why;
    const auto out = one_operand::run<float>(list, node, in, why);
    REQUIRE(why == "");
    for (std::size_t i = 0; i < in.size(); ++i) {
      const auto steps = static_cast<double>(std::int64_t{in[i]} - node.in.zero_point);
      CHECK(out[i] == static_cast<float>(static_cast<double>(node.in.scale) * steps));
    }
  }
}

TEST_CASE("dequantize matches the definition for every type, per tensor and per channel") {
  for (const auto type : {dtype::int4, dtype::int8, dtype::uint8, dtype::int16, dtype::int32}) {
    CAPTURE(name_of(type));
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
      CAPTURE(seed);
      drawn draw(seed);
      const auto shape = draw.shape();
      const auto count = static_cast<std::size_t>(baton::element_count(shape.shape()));
      const auto axis = static_cast<std::size_t>(draw.from_to(0, 4)) % std::max<std::size_t>(shape.rank, 1);
      const auto channels = shape.rank == 0 || seed % 3 == 0 ? 1 : static_cast<std::size_t>(shape.sizes[axis]);
      std::vector<float> scales(channels);
      for (auto& scale : scales) scale = draw.scale(1e-10, 1e10) * (channels > 1 && draw.from_to(0, 5) == 0 ? -1.0f : 1.0f);
      std::vector<std::int64_t> zeros(seed % 2 == 0 ? channels : 1);
      for (auto& zero : zeros) zero = type == dtype::int4 ? draw.from_to(-8, 7) : zero_point(draw, type);
      baton::program_builder b;
      const auto x = b.user_input("x", one_operand::typed(shape, type));
      b.quantize(x, {scales.data(), scales.size()}, {zeros.data(), zeros.size()}, static_cast<std::int32_t>(axis));
      b.output(b.call("tfl.dequantize", {x}, one_operand::typed(shape, dtype::float32)));
      const auto program = b.finish();
      std::vector<std::int64_t> numbers(count);
      nodes::bytes input(static_cast<std::size_t>(baton::byte_count(type, shape.shape())));
      const auto limits = type == dtype::int4 ? baton::quantized::bounds<std::int64_t>{-8, 7} : baton::portable::detail::limits_of(type);
      for (std::size_t i = 0; i < count; ++i) {
        numbers[i] = draw.from_to(limits.lower, limits.upper);
        if (type == dtype::int4) {
          input[i / 2] = static_cast<char>(input[i / 2] | (numbers[i] & 15) << i % 2 * 4);
        } else {
          baton::portable::detail::store_integer(type, input.data(), static_cast<std::ptrdiff_t>(i), numbers[i]);
        }
      }
      nodes::interpreter runner{program};
      nodes::bytes output;
      REQUIRE(runner.run(list, input, output) == "");
      std::size_t stride = 1;
      for (auto d = axis + 1; d < shape.rank; ++d) stride *= static_cast<std::size_t>(shape.sizes[d]);
      for (std::size_t i = 0; i < count; ++i) {
        const auto channel = i / stride % channels;
        const auto steps = static_cast<double>(numbers[i] - zeros[zeros.size() == 1 ? 0 : channel]);
        const auto expected = static_cast<float>(static_cast<double>(scales[channels == 1 ? 0 : channel]) * steps);
        CHECK(baton::portable::load<float>(output.data(), static_cast<std::ptrdiff_t>(i)) == expected);
      }
    }
  }
}

TEST_CASE("dequantize is exact for every float16 number") {
  std::vector<std::uint16_t> in(65536);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint16_t>(i);
  std::string why;
  const auto out = one_operand::run<float>(
      list, {.op = "tfl.dequantize", .in = {dtype::float16}, .shape = baton::tensor(dtype::float16, 256, 256)}, in, why);
  REQUIRE(why == "");
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto exponent = static_cast<int>(bits >> 10 & 31);
    const auto fraction = static_cast<double>(bits & 1023) / 1024;
    const auto magnitude = exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
    const auto actual = static_cast<double>(out[bits]);
    CHECK(std::signbit(actual) == (bits >> 15 != 0));
    if (exponent < 31) CHECK(std::fabs(actual) == magnitude);
    if (exponent == 31) CHECK((fraction == 0 ? std::isinf(actual) : std::isnan(actual)));
  }
}

TEST_CASE("cast to float16 and bfloat16 is the nearest number, ties to even") {
  for (const auto type : {dtype::float16, dtype::bfloat16}) {
    const auto run = [type]<class Out, class In>(std::type_identity<Out>, const std::vector<In>& in, bool is_to) {
      std::string why;
      const one_operand::tensor narrow{type}, wide{dtype::float32};
      const auto out = one_operand::run<Out>(
          list,
          {.op = "tfl.cast", .in = is_to ? wide : narrow, .out = is_to ? narrow : wide, .shape = baton::tensor(dtype::float32, in.size())},
          in, why);
      REQUIRE(why == "");
      return out;
    };
    std::vector<std::uint16_t> all(65536);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
    const auto real = run(std::type_identity<float>{}, all, false);
    // Each number, the middle between it and the next one, and the neighbors of the middle.
    const std::size_t infinity = type == dtype::float16 ? 0x7c00 : 0x7f80;
    std::vector<float> in;
    std::vector<std::uint16_t> expected;
    const auto add = [&](float x, std::size_t bits) {
      for (const auto sign : {std::size_t{0}, std::size_t{0x8000}}) {
        in.push_back(sign == 0 ? x : -x);
        expected.push_back(static_cast<std::uint16_t>(sign | bits));
      }
    };
    for (std::size_t i = 0; i < infinity; ++i) {
      const auto largest = type == dtype::float16 ? 65536.0 : std::ldexp(1.0, 128);
      const auto next = i + 1 == infinity ? largest : static_cast<double>(real[i + 1]);
      const auto middle = static_cast<float>((static_cast<double>(real[i]) + next) / 2);
      add(real[i], i);
      add(middle, i % 2 == 0 ? i : i + 1);
      add(std::nextafter(middle, 0.0f), i);
      add(std::nextafter(middle, std::numeric_limits<float>::infinity()), i + 1);
    }
    add(std::numeric_limits<float>::infinity(), infinity);
    const auto out = run(std::type_identity<std::uint16_t>{}, in, true);
    std::size_t different = 0;
    for (std::size_t i = 0; i < out.size(); ++i) different += out[i] != expected[i] ? 1 : 0;
    CHECK(different == 0);
    const auto nan = run(std::type_identity<std::uint16_t>{}, std::vector<float>{std::numeric_limits<float>::quiet_NaN()}, true);
    CHECK((nan[0] & 0x7fff) > infinity);
  }
}

TEST_CASE("cast matches the reference for every pair of types") {
  const std::vector types{dtype::int8,   dtype::uint8, dtype::int16,   dtype::uint16, dtype::int32,
                          dtype::uint32, dtype::int64, dtype::boolean, dtype::float32};
  for (const auto from : types) {
    for (const auto to : types) {
      CAPTURE(name_of(from));
      CAPTURE(name_of(to));
      for (std::uint32_t seed = 0; seed < 12; ++seed) {
        drawn draw(seed);
        const unary_node node{.op = "tfl.cast", .in = {from}, .out = {to}, .shape = draw.shape()};
        std::string why;
        reference::with_type(name_of(from), [&](auto in_number) {
          using input = decltype(in_number);
          using stored = std::conditional_t<std::is_same_v<input, bool>, std::uint8_t, input>;
          std::vector<stored> in;
          if constexpr (std::is_same_v<input, float>) {
            in = floats(draw, count_of(node), seed % 2 == 0 ? 1.0 : 1e14);
            if (!in.empty()) in[0] = std::vector{2147483648.0f, -2147483648.0f, 9223372036854775808.0f, 127.9f, -128.9f, 255.5f}[seed % 6];
          } else {
            in = draw.integers<stored>(count_of(node));
          }
          reference::with_type(name_of(to), [&](auto number) {
            using output = decltype(number);
            const auto out = one_operand::run<std::conditional_t<std::is_same_v<output, bool>, std::uint8_t, output>>(list, node, in, why);
            REQUIRE(why == "");
            for (std::size_t i = 0; i < in.size(); ++i) {
              const auto expected = reference::as<output>(static_cast<input>(in[i]));
              if constexpr (std::is_same_v<output, float>) {
                CHECK((std::isnan(expected) ? std::isnan(out[i]) : out[i] == expected));
              } else {
                CHECK(out[i] == expected);
              }
            }
          });
        });
      }
    }
  }
}

TEST_CASE("conversions at compile time obey the laws") {
  CHECK(is_lawful<quantizes_float>());
  CHECK(is_lawful<dequantizes>());
  CHECK(is_lawful<dequantizes_channels>());
}

TEST_CASE("unsupported conversions are rejected") {
  const auto answer = [](const unary_node& node) { return one_operand::answer<convert>(one_operand::make(node)); };
  const auto shape = baton::tensor(dtype::int8, 2);
  const unary_node node{.op = "tfl.quantize", .in = {dtype::float32}, .out = {dtype::int8, 0.5f, 0}, .shape = shape};
  const auto with = [&](auto change) {
    auto changed = node;
    change(changed);
    return answer(changed);
  };
  CHECK(answer(node) == "yes");
  CHECK(with([](auto& n) { n.out = {dtype::int32, 0.5f, 0}; }) == "output is int32");
  CHECK(with([](auto& n) { n.out.scale = 0; }) == "output has no quantization per tensor");
  CHECK(with([](auto& n) { n.out.scale = -1; }) == "output has a scale that is not positive and finite");
  CHECK(with([](auto& n) { n.out.scale = INFINITY; }) == "output has a scale that is not positive and finite");
  CHECK(with([](auto& n) { n.out.scale = NAN; }) == "output has a scale that is not positive and finite");
  CHECK(with([](auto& n) { n.out.zero_point = 128; }) == "output has zero point 128");
  CHECK(with([](auto& n) { n.in = {dtype::int64, 1.0f, 0}; }) == "quantization of int64 to int8 is not supported");
  CHECK(with([](auto& n) { n = {.op = "tfl.quantize", .in = {dtype::int32, 1.0f, 0}, .out = {dtype::int32, 1.0f, 0}}; }) ==
        "quantization of int32 to int32 is not supported");
  CHECK(with([](auto& n) { n.in = {dtype::int16, 0.0f, 0}; }) == "input has no quantization per tensor");
  CHECK(with([](auto& n) { n = {.op = "tfl.dequantize", .in = {dtype::int64, 1.0f, 0}}; }) == "input is int64");
  CHECK(with([](auto& n) { n = {.op = "tfl.dequantize", .in = {dtype::int8}}; }) == "input has no quantization per tensor");
  CHECK(with([](auto& n) { n = {.op = "tfl.dequantize", .in = {dtype::int8, 1.0f, 0}, .out = {dtype::int8}}; }) ==
        "output is int8, but the operator returns float32");
  CHECK(with([](auto& n) { n = {.op = "tfl.cast", .in = {dtype::float64}, .out = {dtype::int8}}; }) == "input is float64");
  CHECK(with([](auto& n) { n = {.op = "tfl.cast", .in = {dtype::int8}, .out = {dtype::complex64}}; }) == "output is complex64");
  CHECK(with([](auto& n) { n = {.op = "tfl.cast", .in = {dtype::float16}, .out = {dtype::int8}}; }) ==
        "a cast of float16 to int8 is not supported");
  CHECK(with([](auto& n) { n.shape = baton::tensor(dtype::int8, 0); }) == "input is empty, of unknown size or over 1073741824 bytes");

  const auto by_channel = [](float scale, std::int64_t zero_point, std::int32_t axis) {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 2));
    const float scales[] = {1.0f, scale};
    const std::int64_t zeros[] = {0, zero_point};
    b.quantize(x, scales, zeros, axis);
    b.output(b.call("tfl.dequantize", {x}, baton::tensor(dtype::float32, 2)));
    return one_operand::answer<convert>(b.finish());
  };
  CHECK(by_channel(2, 1, 0) == "yes");
  CHECK(by_channel(2, 1, 1) == "input has 2 scales along axis 1, which does not have this size");
  CHECK(by_channel(2, 1, -1) == "input has 2 scales along axis -1, which does not have this size");
  CHECK(by_channel(INFINITY, 1, 0) == "input scale 1 is not finite");
  CHECK(by_channel(2, -129, 0) == "input zero point 1 is -129, which is out of range");
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// baton.quantize against its definition: all inputs of 8 bits, ties of floats, and rejected nodes.
#include "laws/kernel.hpp"
#include "one_node.hpp"

#include <baton/core/affine.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/conversions.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using baton::dtype;
using baton::portable::detail::convert;

struct tensor {
  dtype type = dtype::int8;
  float scale = 0;  ///< 0: not quantized
  std::int64_t zero_point = 0;
};

constexpr auto make(const tensor& in, const tensor& out, baton::tensor_type shape, const char* by = "quotient") -> baton::exported_program {
  baton::program_builder b;
  shape.type = in.type;
  const auto x = b.user_input("x", shape);
  shape.type = out.type;
  const auto y = b.call("baton.quantize", {x}, shape, {{"by", by}});
  if (in.scale != 0) b.quantize(x, in.scale, in.zero_point);
  if (out.scale != 0) b.quantize(y, out.scale, out.zero_point);
  b.output(y);
  return b.finish();
}

template <class To, class From>
auto quantized(const tensor& in, const tensor& out, const std::vector<From>& numbers, const char* by = "quotient") -> std::vector<To> {
  const auto program = make(in, out, baton::tensor(in.type, numbers.size()), by);
  return one_node::numbers_of<To>(one_node::run<convert>(program, one_node::bytes_of(numbers)));
}

/// Calls `f` with a number of the C++ type of `type`.
template <class F>
void with(dtype type, F f) {
  if (type == dtype::int8) return f(std::int8_t{});
  if (type == dtype::uint8) return f(std::uint8_t{});
  if (type == dtype::int16) return f(std::int16_t{});
  f(std::int32_t{});
}

/// Returns x rounded half to even, plus the zero point, in the range of T.
template <class T>
auto saturated(double x, std::int64_t zero_point) -> std::int64_t {
  const auto near = std::isnan(x) ? 0.0 : std::clamp(std::nearbyint(x), -1e15, 1e15);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(near) + zero_point, std::numeric_limits<T>::min(),
                                  std::numeric_limits<T>::max());
}

template <class T>
auto all_bytes() -> std::vector<T> {
  std::vector<T> result;
  for (int x = std::numeric_limits<T>::min(); x <= std::numeric_limits<T>::max(); ++x) result.push_back(static_cast<T>(x));
  return result;
}

template <dtype From, dtype To>
struct quantizes {
  constexpr auto operator()() const -> baton::exported_program {
    return make({From, From == dtype::float32 ? 0.0f : 0.5f, 3}, {To, 0.75f, 5}, baton::tensor(From, 1, 3, 2, 5));
  }
};

template <class Make>
auto is_lawful() -> bool {
  using program = baton::static_program<Make>;
  baton::vector<char> input(120);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>(i * 37 % 61);
  return laws::kernel::all<convert, program>(input);
}

}  // namespace

TEST_CASE("baton.quantize of 8-bit numbers rounds the exact quotient, for all inputs") {
  for (const auto from : {dtype::int8, dtype::uint8}) {
    for (const auto to : {dtype::int8, dtype::uint8, dtype::int16, dtype::int32}) {
      // Scales whose quotient is a power of two have ties; all others have none.
      for (const auto& [scale, other] :
           {std::pair{0.5f, 1.0f}, {1.0f, 8.0f}, {3.0f, 0.75f}, {0.1f, 0.1f}, {0.0235f, 0.0117f}, {7.0f, 3.0f}}) {
        for (const int zero_point : {0, 1, 100}) {
          const tensor in{from, scale, from == dtype::int8 ? zero_point - 90 : zero_point};
          const tensor out{to, other, to == dtype::uint8 ? zero_point + 20 : zero_point};
          with(from, [&](auto in_number) {
            if constexpr (sizeof(in_number) == 1) {
              const auto numbers = all_bytes<decltype(in_number)>();
              with(to, [&](auto out_number) {
                const auto result = quantized<decltype(out_number)>(in, out, numbers);
                for (std::size_t i = 0; i < numbers.size(); ++i) {
                  const auto real = static_cast<double>(scale) * static_cast<double>(numbers[i] - in.zero_point);
                  CHECK(result[i] == saturated<decltype(out_number)>(real / static_cast<double>(other), out.zero_point));
                }
              });
            }
          });
        }
      }
    }
  }
}

TEST_CASE("baton.quantize between int8 and uint8 with zero points 128 apart only inverts a bit") {
  for (const float scale : {1e-45f, 1e-38f, 0.003f, 1.0f, 3.4e38f}) {
    for (int zero_point = 0; zero_point < 256; ++zero_point) {
      const tensor narrow{dtype::int8, scale, zero_point - 128}, wide{dtype::uint8, scale, zero_point};
      const auto numbers = all_bytes<std::int8_t>();
      const auto inverted = quantized<std::uint8_t>(narrow, wide, numbers);
      for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(inverted[i] == numbers[i] + 128);
      CHECK(quantized<std::int8_t>(wide, narrow, inverted) == numbers);
    }
  }
}

TEST_CASE("baton.quantize of floats rounds ties to even and saturates") {
  for (const auto to : {dtype::int8, dtype::uint8, dtype::int16, dtype::int32}) {
    for (const float scale : {0.25f, 1.0f, 0.1f, 0.0117f, 1e-30f}) {
      for (const int zero_point : {0, 3, 127}) {
        std::vector<float> numbers{std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -3e38f, 1e12f};
        for (int i = -140000; i <= 140000; i += i > -2000 && i < 2000 ? 1 : 37) numbers.push_back(static_cast<float>(i) * 0.25f * scale);
        with(to, [&](auto number) {
          using T = decltype(number);
          const tensor out{to, scale, zero_point};
          const auto result = quantized<T>({dtype::float32}, out, numbers);
          const auto by_product = quantized<T>({dtype::float32}, out, numbers, "reciprocal");
          const auto reciprocal = 1.0f / scale;
          std::size_t wrong = 0;
          for (std::size_t i = 0; i < numbers.size(); ++i) {
            const auto quotient = numbers[i] / scale, product = numbers[i] * reciprocal;
            wrong += result[i] == saturated<T>(static_cast<double>(quotient), zero_point) ? 0 : 1;
            wrong += by_product[i] == saturated<T>(static_cast<double>(product), zero_point) ? 0 : 1;
          }
          CHECK(wrong == 0);
        });
      }
    }
  }
}

TEST_CASE("baton.quantize of int16 and int32 rounds the quotient of the float32 number, or its product with the reciprocal") {
  one_node::drawn draw(1);
  for (const auto from : {dtype::int16, dtype::int32}) {
    for (const auto to : {dtype::int8, dtype::uint8, dtype::int16, dtype::int32}) {
      for (const auto& [scale, other] : {std::pair{0.5f, 64.0f}, {0.01f, 2.7f}, {0.1f, 0.1f}, {1e-9f, 0.25f}, {3e38f, 1e-3f}}) {
        const tensor in{from, scale, 5}, out{to, other, 9};
        with(from, [&](auto in_number) {
          using source = decltype(in_number);
          const auto numbers = one_node::numbers_of<source>(draw.elements(from, 3000));
          with(to, [&](auto out_number) {
            const auto result = quantized<decltype(out_number)>(in, out, numbers);
            const auto by_product = quantized<decltype(out_number)>(in, out, numbers, "reciprocal");
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < numbers.size(); ++i) {
              const auto steps = static_cast<float>(std::int64_t{numbers[i]} - 5);
              const auto real =
                  std::clamp(static_cast<double>(scale) * static_cast<double>(std::int64_t{numbers[i]} - 5), -3.4028234e38, 3.4028234e38);
              const auto quotient = scale == other ? steps : static_cast<float>(real) / other;
              const auto product = scale == other ? steps : static_cast<float>(real) * (1 / other);
              wrong += result[i] == saturated<decltype(out_number)>(static_cast<double>(quotient), 9) ? 0 : 1;
              wrong += by_product[i] == saturated<decltype(out_number)>(static_cast<double>(product), 9) ? 0 : 1;
            }
            CHECK(wrong == 0);
          });
        });
      }
    }
  }
}

TEST_CASE("baton.quantize obeys the laws of kernels") {
  CHECK(is_lawful<quantizes<dtype::float32, dtype::int8>>());
  CHECK(is_lawful<quantizes<dtype::uint8, dtype::int8>>());
  CHECK(is_lawful<quantizes<dtype::int8, dtype::int32>>());
  CHECK(is_lawful<quantizes<dtype::int16, dtype::int16>>());
}

TEST_CASE("a baton.quantize that no kernel computes is refused with a reason") {
  const auto why = [](const tensor& in, const tensor& out, const char* by = "quotient") {
    return one_node::refusal<convert>(make(in, out, baton::tensor(in.type, 4), by));
  };
  CHECK(one_node::says(why({dtype::float32}, {dtype::int8}), "output has no quantization per tensor"));
  CHECK(one_node::says(why({dtype::int8}, {dtype::int8, 1}), "input has no quantization per tensor"));
  CHECK(one_node::says(why({dtype::float32}, {dtype::int64, 1}), "output is int64"));
  CHECK(one_node::says(why({dtype::float32}, {dtype::float32}), "output is float32"));
  CHECK(
      one_node::says(why({dtype::float32}, {dtype::int8, 1}, "factor"), "the attribute `by` is factor; it must be quotient or reciprocal"));
  CHECK(one_node::says(why({dtype::float32}, {dtype::int8, 1e-40f}, "reciprocal"), "no reciprocal"));
}

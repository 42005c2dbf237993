// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// rfft2d and the parts of complex numbers: random inputs against sums in float64, the laws of kernels, and rejected nodes.
#include "laws/kernel.hpp"
#include "one_node.hpp"

#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/complex_numbers.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

namespace {

using baton::dtype;
using baton::portable::detail::complex_parts;
using baton::portable::detail::rfft2d;
using one_node::says;

struct spectrum {
  std::vector<int> shape{4, 4};
  int height = 4;
  int width = 4;
  dtype type = dtype::float32;
  bool is_constant = true;

  auto program() const -> baton::exported_program {
    baton::program_builder b;
    auto out = shape;
    out[out.size() - 2] = height;
    out[out.size() - 1] = width / 2 + 1;
    const auto x = b.user_input("x", one_node::type_of(type, shape));
    const auto n = is_constant ? one_node::int32_constant(b, "n", {height, width}) : b.user_input("n", baton::tensor(dtype::int32, 2));
    b.output(b.call("tfl.rfft2d", {x, n}, one_node::type_of(dtype::complex64, out)));
    return b.finish();
  }
  /// Returns the spectrum of one image, computed in float64.
  auto expected(const float* image) const -> std::vector<std::complex<double>> {
    const auto rows = shape[shape.size() - 2];
    const auto columns = shape[shape.size() - 1];
    std::vector<std::complex<double>> bins;
    for (int u = 0; u < height; ++u) {
      for (int v = 0; v <= width / 2; ++v) {
        std::complex<double> sum = 0;
        for (int i = 0; i < std::min(rows, height); ++i) {
          for (int j = 0; j < std::min(columns, width); ++j) {
            const auto turns = static_cast<double>(u) * i / height + static_cast<double>(v) * j / width;
            sum += static_cast<double>(image[i * columns + j]) * std::polar(1.0, -2 * std::numbers::pi * turns);
          }
        }
        bins.push_back(sum);
      }
    }
    return bins;
  }
};

auto parts(std::string_view op, dtype in, dtype out) -> baton::exported_program {
  baton::program_builder b;
  b.output(b.call(op, {b.user_input("x", baton::tensor(in, 3))}, baton::tensor(out, 3)));
  return b.finish();
}

struct small_spectrum {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::float32, 2, 3, 4));
    const auto n = b.constant("n", baton::tensor(dtype::int32, 2), {"\6\0\0\0\4\0\0\0", 8});
    b.output(b.call("tfl.rfft2d", {x, n}, baton::tensor(dtype::complex64, 2, 6, 3)));
    return b.finish();
  }
};
struct magnitudes {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    b.output(b.call("tfl.complex_abs", {b.user_input("x", baton::tensor(dtype::complex64, 4))}, baton::tensor(dtype::float32, 4)));
    return b.finish();
  }
};

}  // namespace

TEST_CASE("random image spectra match the definition") {
  one_node::drawn draw(51);
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    spectrum of{.shape = draw.shape(2, 4, 9)};
    of.height = draw.of({1, 2, 3, 4, 5, 6, 8, 9, 10, 12});
    of.width = draw.of({2, 4, 6, 8, 10, 12, 16});
    const auto images = one_node::count_of(of.shape) / (of.shape[of.shape.size() - 2] * of.shape.back());
    const auto input = draw.elements(dtype::float32, one_node::count_of(of.shape));
    const auto x = one_node::numbers_of<float>(input);
    const auto actual = one_node::numbers_of<float>(one_node::run<rfft2d>(of.program(), input));
    std::size_t at = 0;
    for (int image = 0; image < images; ++image) {
      const auto expected = of.expected(x.data() + image * of.shape[of.shape.size() - 2] * of.shape.back());
      REQUIRE(at + 2 * expected.size() <= actual.size());
      double largest = 1;
      for (const auto& number : expected) largest = std::max(largest, std::abs(number));
      double max_error = 0;
      for (const auto& number : expected) {
        const std::complex<double> value(static_cast<double>(actual[at]), static_cast<double>(actual[at + 1]));
        max_error = std::max(max_error, std::abs(value - number));
        at += 2;
      }
      CHECK(max_error <= 1e-6 * largest);
    }
    CHECK(at == actual.size());
  }
}

TEST_CASE("parts of complex numbers match their definitions") {
  const auto of = [](std::string_view op, const std::vector<float>& x) {
    return one_node::numbers_of<float>(one_node::run<complex_parts>(parts(op, dtype::complex64, dtype::float32), one_node::bytes_of(x)));
  };
  CHECK(of("tfl.complex_abs", {3, -4, 0, 0, -5, 12}) == std::vector<float>{5, 0, 13});
  CHECK(of("tfl.real", {3, -4, 0, 0, -5, 12}) == std::vector<float>{3, 0, -5});
  CHECK(of("tfl.imag", {3, -4, 0, 0, -5, 12}) == std::vector<float>{-4, 0, 12});
  // The squares overflow or underflow float32.
  const auto inf = std::numeric_limits<float>::infinity();
  const auto wide = of("tfl.complex_abs", {3e38f, 1e38f, 3e-39f, 4e-39f, inf, std::numeric_limits<float>::quiet_NaN()});
  CHECK(std::fabs(wide[0] - 3.1622777e38f) < 1e32f);
  CHECK(std::fabs(wide[1] - 5e-39f) < 1e-44f);
  CHECK(wide[2] == inf);
}

TEST_CASE("spectra and parts of complex numbers obey the laws at compile time") {
  one_node::drawn draw(52);
  const auto image = draw.elements(dtype::float32, 24);
  CHECK(laws::kernel::all<rfft2d, baton::static_program<small_spectrum>>({image.begin(), image.end()}));
  const auto numbers = draw.elements(dtype::float32, 8);
  CHECK(laws::kernel::all<complex_parts, baton::static_program<magnitudes>>({numbers.begin(), numbers.end()}));
}

TEST_CASE("unsupported spectra and parts of complex numbers are rejected") {
  const auto transform = [](const spectrum& of) { return one_node::refusal<rfft2d>(of.program()); };
  CHECK(transform({}) == "");
  CHECK(says(transform({.type = dtype::int8}), "input is int8"));
  CHECK(says(transform({.is_constant = false}), "fft_length is not a constant"));
  CHECK(says(transform({.width = 5}), "fft_length 5 of the rows is odd"));
  CHECK(says(transform({.width = 14}), "fft_length 14 has prime factors other than 2, 3 and 5"));
  CHECK(says(transform({.height = 7}), "fft_length 7 has prime factors other than 2, 3 and 5"));
  CHECK(says(transform({.height = 0}), "is empty"));
  CHECK(says(transform({.height = 131072}), "fft_length is 131072, not 1 to 65536"));
  const auto part = [](std::string_view op, dtype in, dtype out) { return one_node::refusal<complex_parts>(parts(op, in, out)); };
  CHECK(part("tfl.complex_abs", dtype::complex64, dtype::float32) == "");
  CHECK(says(part("tfl.complex_abs", dtype::complex128, dtype::float64), "input is complex128"));
  CHECK(says(part("tfl.real", dtype::complex64, dtype::float64), "output is float64, but the operator returns float32"));
  CHECK(says(part("tfl.imag", dtype::float32, dtype::float32), "input is float32"));
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Softmax and its logarithm in every type, and L2 normalization: random rows against real arithmetic, the laws of kernels, and rejected
// nodes.
#include "laws/kernel.hpp"
#include "one_node.hpp"
#include "reference/rows.hpp"

#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/normalization.hpp>
#include <baton/kernels/portable/softmax.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using baton::dtype;
using one_node::says;
namespace portable = baton::portable;

struct rows {
  const char* op = "tfl.softmax";
  dtype from = dtype::int8;
  dtype to = dtype::int8;
  std::vector<int> shape{2, 3};
  float scale = 0.1f;
  int zero_point = 0;
  float out_scale = 1.0f / 256;
  int out_zero_point = -128;
  double beta = 1;
  const char* fused = "none";

  auto program() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", one_node::type_of(from, shape));
    const auto y = b.call(op, {x}, one_node::type_of(to, shape), {{"beta", beta}, {"fused_activation_function", fused}});
    if (from != dtype::float32) {
      b.quantize(x, scale, zero_point);
      b.quantize(y, out_scale, out_zero_point);
    }
    b.output(y);
    return b.finish();
  }
};

auto reals(dtype type, const one_node::bytes& from) -> std::vector<double> {
  std::vector<double> result;
  if (type == dtype::float32) {
    for (const auto x : one_node::numbers_of<float>(from)) result.push_back(static_cast<double>(x));
  } else if (type == dtype::int8) {
    for (const auto x : one_node::numbers_of<std::int8_t>(from)) result.push_back(x);
  } else {
    for (const auto x : one_node::numbers_of<std::int16_t>(from)) result.push_back(x);
  }
  return result;
}

/// Checks that every output is within `steps` quantization steps of `expected(row)`; float32 within 2e-6.
template <class Kernel, class F>
void check(const rows& of, const one_node::bytes& input, double steps, F expected) {
  const auto numbers = reals(of.from, input);
  const auto actual = reals(of.to, one_node::run<Kernel>(of.program(), input));
  REQUIRE(actual.size() == numbers.size());
  const auto depth = static_cast<std::size_t>(of.shape.back());
  for (std::size_t first = 0; first < numbers.size(); first += depth) {
    std::vector<double> row;
    for (std::size_t i = 0; i < depth; ++i) {
      const auto x = numbers[first + i];
      row.push_back(of.from == dtype::float32 ? x : static_cast<double>(of.scale) * (x - of.zero_point));
    }
    const auto wanted = expected(row);
    for (std::size_t i = 0; i < depth; ++i) {
      if (of.from == dtype::float32) {
        CHECK(std::fabs(actual[first + i] - wanted[i]) <= 2e-6 * std::fmax(1, std::fabs(wanted[i])));
        continue;
      }
      const auto ends = portable::range_of(of.to);
      const auto exact = wanted[i] / static_cast<double>(of.out_scale) + of.out_zero_point;
      CHECK(std::fabs(std::clamp<double>(exact, ends.lower, ends.upper) - actual[first + i]) <= steps);
    }
  }
}

template <bool IsLong>
struct wide_rows {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int16, 2, IsLong ? 70000 : 9));
    const auto y = b.call("tfl.softmax", {x}, baton::tensor(dtype::int16, 2, IsLong ? 70000 : 9), {{"beta", 1.0}});
    b.quantize(x, 0.001f, 0);
    b.quantize(y, 1.0f / 32768, 0);
    b.output(y);
    return b.finish();
  }
};
struct lengths {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 3, 5));
    const auto y = b.call("tfl.l2_normalization", {x}, baton::tensor(dtype::int8, 3, 5), {{"fused_activation_function", "none"}});
    b.quantize(x, 0.1f, 5);
    b.quantize(y, 1.0f / 128, 0);
    b.output(y);
    return b.finish();
  }
};

}  // namespace

TEST_CASE("random normalized rows match real arithmetic") {
  one_node::drawn draw(11);
  for (int i = 0; i < 3000; ++i) {
    CAPTURE(i);
    rows of;
    of.shape = draw.once_in(5) ? draw.shape(1, 2, 40) : draw.shape(1, 4, 5);
    const auto count = one_node::count_of(of.shape);
    of.scale = static_cast<float>(draw.from_to(1, 300)) / 1000.0f;
    of.zero_point = draw.of({-128, 0, 3, 127});
    of.beta = draw.of({1.0, 1.0, 0.25, 2.0});
    const auto softmax = [&](const std::vector<double>& row) { return reference::softmax(row, of.beta); };
    switch (draw.from_to(0, 7)) {
      case 0:
        check<portable::softmax>(of, draw.elements(of.from, count), 0.52, softmax);
        break;
      case 1:
        of.to = dtype::int16;
        of.out_scale = 1.0f / 65536;
        of.out_zero_point = -32768;
        check<portable::softmax>(of, draw.elements(of.from, count), 2.5, softmax);
        break;
      case 2:
        of.from = of.to = dtype::int16;
        of.scale /= 256;
        of.zero_point = of.out_zero_point = 0;
        of.out_scale = 1.0f / 32768;
        check<portable::detail::softmax_int16>(of, draw.elements(of.from, count), 10 + 2 * of.shape.back(),
                                               softmax);  // exponentials below e^-10 are computed as e^-10
        break;
      case 3:
        of.from = of.to = dtype::float32;
        check<portable::softmax>(of, draw.elements(of.from, count), 0, softmax);
        break;
      case 4:
      case 5:
        of.op = "tfl.log_softmax";
        of.out_scale = 1.0f / 16;
        of.out_zero_point = 127;
        if (draw.once_in(3)) of.from = of.to = dtype::float32;
        check<portable::softmax>(of, draw.elements(of.from, count), 1.02,  // far from the largest element, the reference saturates to -128
                                 [](const std::vector<double>& row) { return reference::log_softmax(row, 1); });
        break;
      default:
        of.op = "tfl.l2_normalization";
        of.out_scale = 1.0f / 128;
        of.out_zero_point = 0;
        if (draw.once_in(3)) of.from = of.to = dtype::float32;
        check<portable::detail::l2_normalization>(of, draw.elements(of.from, count), 0.52, reference::divided_by_length);
    }
  }
}

TEST_CASE("roots and logarithms in fixed point are close to the real functions") {
  using namespace portable::detail::fixed_point;
  for (std::int64_t x = 2; x <= INT32_MAX; x += 1 + x / 7) {
    const auto actual = inverse_square_root(static_cast<std::int32_t>(x));
    CHECK(std::fabs(std::ldexp(actual.value, actual.shift - 31) * std::sqrt(static_cast<double>(x)) - 1) < 3e-6);
  }
  for (std::int64_t x = 1 << 19; x <= INT32_MAX; x += 1 + x / 9) {
    const auto real = std::log(static_cast<double>(x) / (1 << 19));
    CHECK(std::fabs(log_of_one_or_more(static_cast<std::int32_t>(x)) - real * (1 << 26)) < 400);
  }
}

TEST_CASE("normalizations obey the laws at compile time") {
  one_node::drawn draw(5);
  const auto of_wide = draw.elements(dtype::int16, 18);
  CHECK(laws::kernel::all<portable::detail::softmax_int16, baton::static_program<wide_rows<false>>>({of_wide.begin(), of_wide.end()}));
  const auto of_lengths = draw.elements(dtype::int8, 15);
  CHECK(laws::kernel::all<portable::detail::l2_normalization, baton::static_program<lengths>>({of_lengths.begin(), of_lengths.end()}));
}

TEST_CASE("unsupported normalizations are rejected") {
  const auto softmax = [](const rows& of) { return one_node::refusal<portable::softmax>(of.program()); };
  CHECK(softmax({}) == "");
  CHECK(says(softmax({.from = dtype::int32, .to = dtype::int32}), "input int32 with output int32 is not supported"));
  CHECK(says(softmax({.from = dtype::int8, .to = dtype::int32}), "input int8 with output int32 is not supported"));
  CHECK(says(softmax({.shape = {}}), "input has no axis"));
  CHECK(says(softmax({.shape = {1, 4096}}), "sums of 4096 exponentials may not fit"));
  CHECK(says(softmax({.scale = 1e-9f}), "scale is too small"));
  CHECK(says(softmax({.out_scale = 1.0f / 128}), "does not have scale 1/256"));
  CHECK(says(softmax({.out_zero_point = 0}), "does not have scale 1/256"));
  CHECK(says(softmax({.to = dtype::int16}), "does not have scale 1/65536"));
  CHECK(says(softmax({.beta = 0}), "beta is not positive"));
  rows logarithm{.op = "tfl.log_softmax", .out_scale = 1.0f / 16, .out_zero_point = 127};
  CHECK(softmax(logarithm) == "");
  logarithm.to = dtype::int16;
  CHECK(says(softmax(logarithm), "are not both int8 or both float32"));
  CHECK(says(softmax({.op = "tfl.log_softmax"}), "does not have scale 1/16"));

  rows wide{.from = dtype::int16, .to = dtype::int16, .scale = 0.001f, .out_scale = 1.0f / 32768, .out_zero_point = 0};
  const auto of_wide = [](const rows& of) { return one_node::refusal<portable::detail::softmax_int16>(of.program()); };
  CHECK(of_wide(wide) == "");
  wide.zero_point = 1;
  CHECK(says(of_wide(wide), "input has zero point 1"));
  wide.zero_point = 0;
  wide.scale = 6;
  CHECK(says(of_wide(wide), "scale is too large"));
  wide.scale = 1;
  wide.beta = 32768 * (10.0 / 65535) * (1 - 1e-12);  // the factor is rounded up to 2^15
  CHECK(says(of_wide(wide), "scale is too large"));
  wide.beta = 1;
  wide.out_scale = 1.0f / 65536;
  CHECK(says(of_wide(wide), "does not have scale 1/32768"));
  CHECK(says(one_node::refusal<portable::detail::softmax_int16>(wide_rows<true>{}()), "sums of 70000"));

  rows length{.op = "tfl.l2_normalization", .out_scale = 1.0f / 128, .out_zero_point = 0};
  const auto of_length = [](const rows& of) { return one_node::refusal<portable::detail::l2_normalization>(of.program()); };
  CHECK(of_length(length) == "");
  length.shape = {40000};
  length.zero_point = 127;
  CHECK(says(of_length(length), "sums of 40000 squares"));
  length.shape = {4};
  length.fused = "relu";
  CHECK(says(of_length(length), "a fused activation is not supported"));
  length.fused = "none";
  length.out_scale = 0.5f;
  CHECK(says(of_length(length), "does not have scale 1/128"));
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reductions along axes: random shapes, axes and types against plain sums, the laws of kernels, and rejected nodes.
#include "laws/kernel.hpp"
#include "one_node.hpp"
#include "reference/reduction.hpp"

#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/reduction.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using baton::dtype;
using baton::portable::detail::reduce;
using one_node::says;

struct reduction {
  std::string by = "sum";
  dtype type = dtype::int8;
  std::vector<int> shape{2, 3};
  std::vector<std::int32_t> axes{1};
  bool keeps = false;
  reference::reduction_quantization quant{0.05f, 3, 0.1f, -2};

  auto is_quantized() const -> bool { return type == dtype::int8 || type == dtype::int16; }
  auto is_reduced() const -> std::vector<bool> {
    std::vector<bool> result(shape.size());
    for (const auto axis : axes) {
      if (!shape.empty()) result[static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(shape.size()) : axis)] = true;
    }
    return result;
  }
  auto out_shape() const -> std::vector<int> {
    std::vector<int> result;
    const auto reduced = is_reduced();
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (!reduced[d] || keeps) result.push_back(reduced[d] ? 1 : shape[d]);
    }
    return result;
  }
  auto program() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", one_node::type_of(type, shape));
    const auto at = one_node::int32_constant(b, "axes", axes);
    const auto op = "tfl." + std::string(by == "sum" || by == "mean" ? "" : "reduce_") + by;
    const auto y = b.call(op, {x, at}, one_node::type_of(type, out_shape()), {{"keep_dims", keeps}});
    if (is_quantized()) {
      b.quantize(x, quant.scale, quant.zero_point);
      b.quantize(y, quant.output_scale, quant.output_zero_point);
    }
    b.output(y);
    return b.finish();
  }
};

template <class T>
auto expected(const reduction& of, const one_node::bytes& input) -> std::vector<T> {
  const auto numbers = one_node::numbers_of<T>(input);
  const auto [positions, outputs] = reference::reduced_positions(of.shape, of.is_reduced());
  std::vector<std::vector<T>> groups(static_cast<std::size_t>(outputs));
  for (std::size_t i = 0; i < numbers.size(); ++i) groups[static_cast<std::size_t>(positions[i])].push_back(numbers[i]);
  std::vector<T> result;
  for (const auto& group : groups) {
    if constexpr (sizeof(T) == 2 || std::is_same_v<T, std::int8_t>) {
      if (of.by == "sum" || of.by == "mean") {
        std::int64_t sum = 0;
        for (const auto x : group) sum += x;
        const auto count = static_cast<std::int64_t>(group.size());
        result.push_back(static_cast<T>(reference::reduce_quantized(of.by == "mean", sum, count, of.quant, std::numeric_limits<T>::min(),
                                                                    std::numeric_limits<T>::max())));
        continue;
      }
    }
    result.push_back(reference::reduce(of.by, group));
  }
  return result;
}

template <class T>
void check_as(const reduction& of, const one_node::bytes& input) {
  const auto actual = one_node::numbers_of<T>(one_node::run<reduce>(of.program(), input));
  const auto wanted = expected<T>(of, input);
  REQUIRE(actual.size() == wanted.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if constexpr (std::is_same_v<T, float>) {
      CHECK(std::fabs(actual[i] - wanted[i]) <= 1e-5f * std::fabs(wanted[i]) + 1e-6f);
    } else {
      CHECK(actual[i] == wanted[i]);
    }
  }
}
void check(const reduction& of, const one_node::bytes& input) {
  CAPTURE(of.by);
  CAPTURE(static_cast<int>(of.type));
  if (of.type == dtype::float32) return check_as<float>(of, input);
  if (of.type == dtype::int8) return check_as<std::int8_t>(of, input);
  if (of.type == dtype::int16) return check_as<std::int16_t>(of, input);
  if (of.type == dtype::int32) return check_as<std::int32_t>(of, input);
  check_as<char>(of, input);
}

struct mean_of_image {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 2, 3, 4, 5));
    const auto at = b.constant("axes", baton::tensor(dtype::int32, 2), {"\1\0\0\0\2\0\0\0", 8});
    const auto y = b.call("tfl.mean", {x, at}, baton::tensor(dtype::int8, 2, 5), {{"keep_dims", false}});
    b.quantize(x, 0.05f, 3);
    b.quantize(y, 0.04f, -2);
    b.output(y);
    return b.finish();
  }
};
struct sum_of_rows {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::float32, 3, 4));
    const auto at = b.constant("axes", baton::tensor(dtype::int32), {"\377\377\377\377", 4});
    b.output(b.call("tfl.sum", {x, at}, baton::tensor(dtype::float32, 3, 1), {{"keep_dims", true}}));
    return b.finish();
  }
};

}  // namespace

TEST_CASE("random reductions match the reference") {
  one_node::drawn draw(7);
  for (int i = 0; i < 4000; ++i) {
    reduction of;
    of.by = draw.of<std::string>({"mean", "mean", "sum", "sum", "prod", "max", "min", "any", "all"});
    const bool is_logical = of.by == "any" || of.by == "all";
    of.type = is_logical ? dtype::boolean : draw.of({dtype::float32, dtype::int8, dtype::int16, dtype::int32});
    if (of.by == "prod" && of.is_quantized()) of.type = dtype::int32;
    of.shape = draw.shape(0, 5, draw.once_in(4) ? 9 : 4);
    if (draw.once_in(20)) of.shape = {1, 2, 1, 2, 2, 1, 2, 2};
    const auto rank = static_cast<int>(of.shape.size());
    of.axes.clear();
    for (int a = draw.from_to(0, rank + 1); a > 0; --a) of.axes.push_back(rank == 0 ? 0 : draw.from_to(-rank, rank - 1));
    of.keeps = draw.once_in(2);
    const bool is_int8 = of.type == dtype::int8;
    of.quant = {draw.of({0.05f, 0.001f, 1.0f, 1e-9f}), is_int8 ? draw.of({-128, 0, 5, 127}) : draw.of({-32768, 0, 0, 77}),
                draw.of({0.05f, 0.02f, 1.0f, 0.7f}), is_int8 ? draw.of({-128, 0, -3, 127}) : draw.of({0, 0, -500})};
    if (of.by == "max" || of.by == "min") {
      of.quant.output_scale = of.quant.scale;
      of.quant.output_zero_point = of.quant.zero_point;
    }
    CAPTURE(i);
    check(of, draw.elements(of.type, one_node::count_of(of.shape), of.by == "prod" ? 8 : 64));
  }
}

// The sums of LiteRT's reference kernels are not close to the exact ones, so these are checked against real arithmetic. Two roundings cause
// an error of at most 3/4.
TEST_CASE("quantized sums are close to the real ones, and saturate") {
  one_node::drawn draw(11);
  const auto check_sums = [&](auto element, dtype type) {
    using number = decltype(element);
    for (int i = 0; i < 300; ++i) {
      reduction of{.by = "sum", .type = type, .shape = {2, draw.from_to(1, 40)}, .axes = {1}};
      const bool is_int8 = type == dtype::int8;
      of.quant = {draw.of({0.03f, 0.5f, 0.0011f}), is_int8 ? draw.from_to(-128, 127) : 0, draw.of({0.03f, 0.5f, 0.07f, 0.9f, 1e-6f, 1e-9f}),
                  is_int8 ? draw.from_to(-128, 127) : 0};
      const auto input = draw.elements(type, one_node::count_of(of.shape), 64);
      const auto numbers = one_node::numbers_of<number>(input);
      const auto actual = one_node::numbers_of<number>(one_node::run<reduce>(of.program(), input));
      REQUIRE(actual.size() == 2);
      const auto columns = numbers.size() / 2;
      for (std::size_t row = 0; row < 2; ++row) {
        long double sum = 0;
        for (std::size_t at = row * columns; at < (row + 1) * columns; ++at) sum += numbers[at] - of.quant.zero_point;
        const auto steps = sum * static_cast<long double>(of.quant.scale) / static_cast<long double>(of.quant.output_scale) +
                           static_cast<long double>(of.quant.output_zero_point);
        const auto wanted = std::clamp(steps, static_cast<long double>(std::numeric_limits<number>::min()),
                                       static_cast<long double>(std::numeric_limits<number>::max()));
        CHECK(std::fabs(static_cast<long double>(actual[row]) - wanted) <= 0.7501L);
      }
    }
  };
  check_sums(std::int8_t{}, dtype::int8);
  check_sums(std::int16_t{}, dtype::int16);
}

TEST_CASE("reductions: the longest sums, and infinities") {
  reduction longest{.by = "mean", .shape = {2, 1 << 22}, .quant = {1.0f, 127, 1.0f, 0}};
  check(longest, one_node::bytes(std::size_t{1} << 23, '\x80'));
  reduction largest{.by = "max", .type = dtype::float32, .shape = {1, 3}};
  const auto inf = std::numeric_limits<float>::infinity();
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  const auto actual = [&](std::vector<float> x) {
    return one_node::numbers_of<float>(one_node::run<reduce>(largest.program(), one_node::bytes_of(x)))[0];
  };
  CHECK(actual({1, nan, -2}) == 1.0f);
  CHECK(actual({1, inf, nan}) == inf);
  CHECK(actual({-inf, -inf, -inf}) == std::numeric_limits<float>::lowest());  // the initial value of the reference
  largest.by = "min";
  CHECK(actual({1, -inf, nan}) == -inf);
}

TEST_CASE("reductions obey the laws at compile time") {
  one_node::drawn draw(3);
  const auto image = draw.elements(dtype::int8, 120);
  CHECK(laws::kernel::all<reduce, baton::static_program<mean_of_image>>({image.begin(), image.end()}));
  const auto rows = draw.elements(dtype::float32, 12);
  CHECK(laws::kernel::all<reduce, baton::static_program<sum_of_rows>>({rows.begin(), rows.end()}));
}

TEST_CASE("unsupported reductions are rejected") {
  const auto why = [](const reduction& of) { return one_node::refusal<reduce>(of.program()); };
  CHECK(why({}) == "");
  CHECK(says(why({.quant = {1e10f, 0, 1e-3f, 0}}), "scale ratio is out of range"));
  CHECK(says(why({.quant = {0.0f, 0, 1.0f, 0}}), "input has a scale that is not positive"));
  CHECK(says(why({.quant = {1.0f, 0, 1.0f, 128}}), "output has zero point 128"));
  CHECK(says(why({.by = "max"}), "scales of input and output differ"));
  CHECK(says(why({.by = "prod"}), "input is int8"));
  CHECK(says(why({.by = "any"}), "input is int8"));
  CHECK(says(why({.type = dtype::boolean}), "input is bool"));
  CHECK(says(why({.shape = {1, 1 << 24}}), "sums of 16777216 elements may not fit 32 bits"));
  CHECK(says(why({.type = dtype::int16, .shape = {1, 1 << 16}, .quant = {1, 0, 1, 0}}), "sums of 65536 elements may not fit 32 bits"));
  const auto with_axes = [](bool is_constant, int axis, int rows) {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::float32, 2, 3));
    const auto axes = is_constant ? one_node::int32_constant(b, "axes", {axis}) : b.user_input("axes", baton::tensor(dtype::int32, 1));
    b.output(b.call("tfl.sum", {x, axes}, baton::tensor(dtype::float32, rows, 1), {{"keep_dims", true}}));
    return one_node::refusal<reduce>(b.finish());
  };
  CHECK(with_axes(true, 1, 2) == "");
  CHECK(says(with_axes(false, 1, 2), "axis is not a constant"));
  CHECK(says(with_axes(true, 2, 2), "there is no dimension 2"));
  CHECK(says(with_axes(true, 1, 4), "output has a different shape"));
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// arg_max, arg_min and cumsum: random inputs against plain loops, the laws of kernels, and rejected nodes.
#include "laws/kernel.hpp"
#include "one_node.hpp"
#include "reference/walks.hpp"

#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/searching.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using baton::dtype;
using baton::portable::detail::arg_min_max;
using baton::portable::detail::cumsum;
using one_node::says;

struct walk {
  const char* op = "tfl.arg_max";
  dtype type = dtype::int8;
  std::vector<int> shape{2, 3};
  std::int32_t axis = 1;
  bool is_exclusive = false;
  bool is_reversed = false;
  dtype places = dtype::int32;
  float scale = 0.1f;
  int zero_point = 3;
  float out_scale = 0.2f;
  int out_zero_point = -4;

  auto is_search() const -> bool { return std::string(op) != "tfl.cumsum"; }
  auto real_axis() const -> int { return axis < 0 ? axis + static_cast<int>(shape.size()) : axis; }
  auto program() const -> baton::exported_program {
    baton::program_builder b;
    auto out = shape;
    if (is_search()) out.erase(out.begin() + real_axis());
    const auto x = b.user_input("x", one_node::type_of(type, shape));
    const auto at = one_node::int32_constant(b, "axis", {axis});
    const auto y =
        b.call(op, {x, at}, one_node::type_of(is_search() ? places : type, out),
               {{"output_type", places == dtype::int64 ? "int64" : "int32"}, {"exclusive", is_exclusive}, {"reverse", is_reversed}});
    if (type == dtype::int8) b.quantize(x, scale, zero_point);
    if (type == dtype::int8 && !is_search()) b.quantize(y, out_scale, out_zero_point);
    b.output(y);
    return b.finish();
  }
};

template <class T>
void check_places(const walk& of, const one_node::bytes& input) {
  const auto expected = reference::places(one_node::numbers_of<T>(input), of.shape, of.real_axis(), of.op == std::string("tfl.arg_max"));
  const auto output = one_node::run<arg_min_max>(of.program(), input);
  if (of.places == dtype::int64) {
    CHECK(one_node::numbers_of<std::int64_t>(output) == expected);
  } else {
    const auto actual = one_node::numbers_of<std::int32_t>(output);
    CHECK(std::vector<std::int64_t>(actual.begin(), actual.end()) == expected);
  }
}

void check_sums(const walk& of, const one_node::bytes& input) {
  const auto output = one_node::run<cumsum>(of.program(), input);
  const auto sums = [&](const auto& x) { return reference::cumulative(x, of.shape, of.real_axis(), of.is_exclusive, of.is_reversed); };
  if (of.type == dtype::float32) {
    CHECK(one_node::numbers_of<float>(output) ==
          sums(one_node::numbers_of<float>(input)));  // exact, because the elements are multiples of 1/4
  } else if (of.type == dtype::int32) {
    CHECK(one_node::numbers_of<std::uint32_t>(output) == sums(one_node::numbers_of<std::uint32_t>(input)));
  } else {
    std::vector<double> reals;
    for (const auto x : one_node::numbers_of<std::int8_t>(input)) reals.push_back(x - of.zero_point);
    const auto expected = sums(reals);
    const auto actual = one_node::numbers_of<std::int8_t>(output);
    for (std::size_t i = 0; i < actual.size(); ++i) {
      const auto exact =
          (expected[i] - of.zero_point) * static_cast<double>(of.scale) / static_cast<double>(of.out_scale) + of.out_zero_point;
      CHECK(std::fabs(std::fmin(std::fmax(exact, -128), 127) - actual[i]) < 0.52);
    }
  }
}

struct largest_of_columns {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::float32, 3, 4));
    const auto at = b.constant("axis", baton::tensor(dtype::int32), {"\0\0\0\0", 4});
    b.output(b.call("tfl.arg_max", {x, at}, baton::tensor(dtype::int32, 4), {{"output_type", "int32"}}));
    return b.finish();
  }
};
struct sums_of_rows {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 3, 4));
    const auto at = b.constant("axis", baton::tensor(dtype::int32), {"\1\0\0\0", 4});
    const auto y = b.call("tfl.cumsum", {x, at}, baton::tensor(dtype::int8, 3, 4), {{"exclusive", true}, {"reverse", false}});
    b.quantize(x, 0.1f, 3);
    b.quantize(y, 0.2f, -4);
    b.output(y);
    return b.finish();
  }
};

}  // namespace

TEST_CASE("random arg_max and arg_min match the reference") {
  one_node::drawn draw(21);
  for (int i = 0; i < 2000; ++i) {
    CAPTURE(i);
    walk of{.op = draw.of({"tfl.arg_max", "tfl.arg_min"}), .shape = draw.shape(1, 5, 5)};
    of.type = draw.of({dtype::float32, dtype::int8, dtype::uint8, dtype::int16, dtype::int32});
    of.axis = draw.from_to(-static_cast<int>(of.shape.size()), static_cast<int>(of.shape.size()) - 1);
    of.places = draw.of({dtype::int32, dtype::int32, dtype::int64});
    const auto count = one_node::count_of(of.shape);
    const auto few = draw.once_in(2);  // some elements are equal
    if (of.type == dtype::float32) {
      check_places<float>(of, draw.elements(of.type, count, few ? 2 : 400));
    } else if (of.type == dtype::int8) {
      check_places<std::int8_t>(of, draw.elements(few ? dtype::boolean : of.type, count));
    } else if (of.type == dtype::uint8) {
      check_places<std::uint8_t>(of, draw.elements(few ? dtype::boolean : dtype::int8, count));
    } else if (of.type == dtype::int16) {
      check_places<std::int16_t>(of, draw.elements(of.type, count));
    } else {
      check_places<std::int32_t>(of, draw.elements(of.type, count));
    }
  }
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  const auto inf = std::numeric_limits<float>::infinity();
  const auto place = [](std::vector<float> x) {
    const walk of{.type = dtype::float32, .shape = {static_cast<int>(x.size())}, .axis = 0};
    return one_node::numbers_of<std::int32_t>(one_node::run<arg_min_max>(of.program(), one_node::bytes_of(x)))[0];
  };
  CHECK(place({-inf, nan, -1}) == 2);
  CHECK(place({nan, 1, 2}) == 0);
}

TEST_CASE("random cumulative sums match the reference") {
  one_node::drawn draw(22);
  for (int i = 0; i < 2000; ++i) {
    CAPTURE(i);
    walk of{.op = "tfl.cumsum", .shape = draw.shape(1, 5, 5)};
    of.type = draw.of({dtype::float32, dtype::int8, dtype::int8, dtype::int32});
    of.axis = draw.from_to(-static_cast<int>(of.shape.size()), static_cast<int>(of.shape.size()) - 1);
    of.is_exclusive = draw.once_in(2);
    of.is_reversed = draw.once_in(2);
    of.scale = 0.01f * static_cast<float>(draw.from_to(1, 30));
    of.out_scale = 0.01f * static_cast<float>(draw.from_to(1, 90));
    of.zero_point = draw.of({-128, 0, 3, 127});
    of.out_zero_point = draw.of({-128, 0, -3, 127});
    check_sums(of, draw.elements(of.type, one_node::count_of(of.shape)));
  }
}

TEST_CASE("searches and cumulative sums obey the laws at compile time") {
  one_node::drawn draw(23);
  const auto columns = draw.elements(dtype::float32, 12);
  CHECK(laws::kernel::all<arg_min_max, baton::static_program<largest_of_columns>>({columns.begin(), columns.end()}));
  const auto rows = draw.elements(dtype::int8, 12);
  CHECK(laws::kernel::all<cumsum, baton::static_program<sums_of_rows>>({rows.begin(), rows.end()}));
}

TEST_CASE("unsupported searches and cumulative sums are rejected") {
  const auto search = [](const walk& of) { return one_node::refusal<arg_min_max>(of.program()); };
  const auto sum = [](const walk& of) { return one_node::refusal<cumsum>(of.program()); };
  CHECK(search({}) == "");
  CHECK(says(search({.type = dtype::boolean}), "input is bool"));
  CHECK(says(search({.places = dtype::int16}), "output is int16"));
  CHECK(sum({.op = "tfl.cumsum"}) == "");
  CHECK(says(sum({.op = "tfl.cumsum", .type = dtype::int16}), "input is int16"));
  CHECK(says(sum({.op = "tfl.cumsum", .axis = 2}), "there is no axis 2"));
  CHECK(says(sum({.op = "tfl.cumsum", .scale = 1e6f}), "scale ratio is out of range"));
  CHECK(says(sum({.op = "tfl.cumsum", .scale = 0}), "input has a scale that is not positive"));
  const auto with_axes = [](const char* op, bool is_constant, const std::vector<std::int32_t>& axes) {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::float32, 2, 3));
    const auto at = is_constant ? one_node::int32_constant(b, "axes", axes) : b.user_input("axes", baton::tensor(dtype::int32, 1));
    b.output(b.call(op, {x, at}, baton::tensor(dtype::float32, 2, 3)));
    return one_node::refusal<cumsum>(b.finish());
  };
  CHECK(with_axes("tfl.cumsum", true, {1}) == "");
  CHECK(says(with_axes("tfl.cumsum", true, {1, 0}), "axis has 2 elements, not 1"));
  CHECK(says(with_axes("tfl.cumsum", false, {}), "axis is not a constant"));
}

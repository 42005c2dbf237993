// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Image resizing: random images against a pixel-by-pixel reference, the laws of kernels, and rejected nodes.
#include "laws/kernel.hpp"
#include "one_node.hpp"
#include "reference/resizing.hpp"

#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/resizing.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using baton::dtype;
using baton::portable::detail::resize;
using one_node::says;

struct resizing {
  reference::resizing how{};
  dtype type = dtype::int8;
  int batches = 1;
  int depth = 2;
  int in_height = 3;
  int in_width = 4;
  int height = 5;
  int width = 2;
  float out_scale = 0.1f;

  auto program() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(type, batches, in_height, in_width, depth));
    const auto size = one_node::int32_constant(b, "size", {height, width});
    const auto y = b.call(how.is_bilinear ? "tfl.resize_bilinear" : "tfl.resize_nearest_neighbor", {x, size},
                          baton::tensor(type, batches, height, width, depth),
                          {{"align_corners", how.aligns_corners}, {"half_pixel_centers", how.has_half_pixels}});
    if (type == dtype::int8) {
      b.quantize(x, 0.1f, 3);
      b.quantize(y, out_scale, 3);
    }
    b.output(y);
    return b.finish();
  }
};

template <class T>
void check(const resizing& of, one_node::drawn& draw) {
  const auto per_image = of.in_height * of.in_width * of.depth;
  const auto input = draw.elements(of.type == dtype::uint8 ? dtype::int8 : of.type, of.batches * per_image);
  const auto numbers = one_node::numbers_of<T>(input);
  std::vector<T> expected;
  for (int batch = 0; batch < of.batches; ++batch) {
    const std::vector<T> image(numbers.begin() + batch * per_image, numbers.begin() + (batch + 1) * per_image);
    const auto resized = reference::resize(of.how, image, of.in_height, of.in_width, of.depth, of.height, of.width);
    expected.insert(expected.end(), resized.begin(), resized.end());
  }
  const auto actual = one_node::numbers_of<T>(one_node::run<resize>(of.program(), input));
  REQUIRE(actual.size() == expected.size());
  if constexpr (std::is_same_v<T, float>) {
    float max_error = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) max_error = std::fmax(max_error, std::fabs(actual[i] - expected[i]));
    CHECK(max_error <= 2e-5f);
  } else {
    CHECK(actual == expected);
  }
}
void check(const resizing& of, one_node::drawn& draw) {
  if (of.type == dtype::float32) return check<float>(of, draw);
  if (of.type == dtype::int8) return check<std::int8_t>(of, draw);
  if (of.type == dtype::uint8) return check<std::uint8_t>(of, draw);
  if (of.type == dtype::int16) return check<std::int16_t>(of, draw);
  check<std::int32_t>(of, draw);
}

template <bool IsBilinear>
struct doubled {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 1, 2, 3, 2));
    const auto size = b.constant("size", baton::tensor(dtype::int32, 2), {"\4\0\0\0\6\0\0\0", 8});
    b.output(b.call(IsBilinear ? "tfl.resize_bilinear" : "tfl.resize_nearest_neighbor", {x, size}, baton::tensor(dtype::int8, 1, 4, 6, 2),
                    {{"align_corners", false}, {"half_pixel_centers", true}}));
    return b.finish();
  }
};

}  // namespace

TEST_CASE("random resized images match the reference") {
  one_node::drawn draw(31);
  for (int i = 0; i < 3000; ++i) {
    CAPTURE(i);
    resizing of;
    of.how = {draw.once_in(2), draw.once_in(3), draw.once_in(3)};
    if (of.how.is_bilinear && of.how.aligns_corners) of.how.has_half_pixels = false;
    of.type = of.how.is_bilinear ? draw.of({dtype::float32, dtype::int8, dtype::uint8, dtype::int16})
                                 : draw.of({dtype::float32, dtype::int8, dtype::uint8, dtype::int16, dtype::int32});
    of.batches = draw.from_to(1, 2);
    of.depth = draw.from_to(1, 3);
    of.in_height = draw.from_to(1, 9);
    of.in_width = draw.from_to(1, 9);
    of.height = draw.from_to(1, 12);
    of.width = draw.from_to(1, 12);
    if (of.type == dtype::int32) of.how.is_bilinear = false;
    check(of, draw);
  }
}

TEST_CASE("strongly enlarged images match the reference, although rounded steps exceed the input") {
  one_node::drawn draw(32);
  for (const auto type : {dtype::int8, dtype::int16, dtype::float32}) {
    resizing of{.how = {true, false, false}, .type = type, .depth = 1, .in_height = 1, .in_width = 2, .height = 600, .width = 1300};
    check(of, draw);
    of.how.has_half_pixels = true;
    check(of, draw);
  }
}

TEST_CASE("resizing obeys the laws at compile time") {
  one_node::drawn draw(33);
  const auto image = draw.elements(dtype::int8, 12);
  CHECK(laws::kernel::all<resize, baton::static_program<doubled<false>>>({image.begin(), image.end()}));
  CHECK(laws::kernel::all<resize, baton::static_program<doubled<true>>>({image.begin(), image.end()}));
}

TEST_CASE("unsupported resizing is rejected") {
  const auto why = [](const resizing& of) { return one_node::refusal<resize>(of.program()); };
  CHECK(why({}) == "");
  CHECK(says(why({.how = {true, true, true}}), "align_corners and half_pixel_centers exclude each other"));
  CHECK(why({.how = {false, true, true}}) == "");
  CHECK(says(why({.how = {true, false, false}, .type = dtype::int32}), "input is int32"));
  CHECK(says(why({.type = dtype::boolean}), "input is bool"));
  CHECK(says(why({.out_scale = 0.2f}), "scales of input and output differ"));
  CHECK(says(why({.depth = 1, .height = 1 << 21, .width = 1}), "rows are resized from 3 to 2097152"));
  CHECK(says(why({.depth = 1, .height = 1, .width = 1 << 21}), "columns are resized from 4 to 2097152"));
  baton::program_builder b;
  const auto x = b.user_input("x", baton::tensor(dtype::float32, 1, 2, 2, 1));
  const auto size = b.user_input("size", baton::tensor(dtype::int32, 2));
  b.output(b.call("tfl.resize_bilinear", {x, size}, baton::tensor(dtype::float32, 1, 4, 4, 1)));
  CHECK(says(one_node::refusal<resize>(b.finish()), "size is not a constant"));
}

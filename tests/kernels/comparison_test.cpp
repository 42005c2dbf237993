// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Comparison and logical operators in every dtype, with and without broadcasting.
#include "random_pairs.hpp"

#include "laws/kernel.hpp"

#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/comparison.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using baton::dtype;
using baton::portable::detail::comparison;
using random_pairs::elements;
using random_pairs::pair_case;

auto expected(const pair_case& pair, const elements& left, const elements& right) -> elements {
  return random_pairs::for_each_pair(pair, left, right, [&](std::int64_t l, std::int64_t r) -> std::int64_t {
    if (pair.of.type == dtype::float32) return reference::is_true(pair.of, random_pairs::real(l), random_pairs::real(r));
    return pair.of.left.scale != 0 ? reference::is_true_of_scaled(pair.of, l, r) : reference::is_true(pair.of, l, r);
  });
}

struct make_less {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto left = b.user_input("left", baton::tensor(dtype::int8, 3, 1, 5));
    const auto right = b.user_input("right", baton::tensor(dtype::int8, 4, 1));
    b.quantize(left, 0.02f, -3);
    b.quantize(right, 0.05f, 7);
    b.output(b.call("tfl.less", {left, right}, baton::tensor(dtype::boolean, 3, 4, 5)));
    return b.finish();
  }
};

}  // namespace

TEST_CASE("random comparisons match the reference in every type") {
  const std::vector<dtype> numbers{dtype::float32, dtype::int8, dtype::int16, dtype::int32, dtype::int64};
  for (const std::string name : {"equal", "not_equal", "greater", "greater_equal", "less", "less_equal", "logical_and", "logical_or"}) {
    const bool is_logical = name.starts_with("logical");
    auto types = is_logical ? std::vector<dtype>{} : numbers;
    if (is_logical || name.ends_with("equal")) types.push_back(dtype::boolean);
    for (const auto type : types) {
      if (type == dtype::boolean && name != "equal" && name != "not_equal" && !is_logical) continue;
      for (std::uint32_t seed = 0; seed < 60; ++seed) {
        random_pairs::draws draw(seed * 1000 + static_cast<std::uint32_t>(type));
        pair_case pair;
        pair.of.name = "tfl." + name;
        pair.of.type = pair.right_type = type;
        pair.has_boolean_output = true;
        pair.shapes = random_pairs::random_shapes(draw, 2);
        if (type == dtype::int8 || type == dtype::int16) {
          pair.of.left = {0.003f * static_cast<float>(draw.from_to(1, 300)), draw.from_to(-128, 127)};
          pair.of.right = {0.003f * static_cast<float>(draw.from_to(1, 300)), draw.from_to(-128, 127)};
          if (draw.below(2) == 0) pair.of.right.scale = pair.of.left.scale;
        }
        const auto left = random_pairs::random_elements(draw, type, reference::count_of(pair.shapes[0]));
        auto right = random_pairs::random_elements(draw, type, reference::count_of(pair.shapes[1]));
        for (std::size_t i = 0; i < right.size(); i += 3) right[i] = left[i % left.size()];
        elements actual;
        CAPTURE(name);
        CAPTURE(seed);
        CAPTURE(static_cast<int>(type));
        const auto why = random_pairs::run(baton::kernels<comparison>, pair, {left, right}, actual);
        if (why.find("needs more than 6 loops") != std::string::npos) continue;
        REQUIRE(why == "");
        CHECK(random_pairs::difference(dtype::boolean, actual, expected(pair, left, right)) == "");
      }
    }
  }
}

TEST_CASE("every byte except 0 is true") {
  pair_case pair;
  pair.of.type = pair.right_type = dtype::boolean;
  pair.has_boolean_output = true;
  pair.shapes = {{4}, {4}};
  const std::vector<elements> bytes{{0, 2, 128, 255}, {0, 1, 0, 3}};
  const auto run = [&](const char* name) {
    pair.of.name = name;
    elements actual;
    CHECK(random_pairs::run(baton::kernels<comparison>, pair, bytes, actual) == "");
    return actual;
  };
  CHECK(run("tfl.equal") == elements{1, 1, 0, 1});
  CHECK(run("tfl.not_equal") == elements{0, 0, 1, 0});
  CHECK(run("tfl.logical_and") == elements{0, 1, 0, 1});
  CHECK(run("tfl.logical_or") == elements{0, 1, 1, 1});
}

TEST_CASE("a comparison at compile time obeys the laws") {
  using program = baton::static_program<make_less>;
  random_pairs::draws draw(3);
  pair_case pair;
  pair.of = {"tfl.less", dtype::int8, {0.02f, -3}, {0.05f, 7}, {}, "none"};
  pair.shapes = {{3, 1, 5}, {4, 1}};
  const auto left = random_pairs::random_elements(draw, dtype::int8, 15);
  const auto right = random_pairs::random_elements(draw, dtype::int8, 4);
  nodes::bytes bytes;
  random_pairs::append(bytes, dtype::int8, left);
  random_pairs::append(bytes, dtype::int8, right);
  const laws::kernel::bytes input(bytes.begin(), bytes.end());
  CHECK(laws::kernel::all<comparison, program>(input));
  CHECK(laws::kernel::is_correct<comparison, program>(
      input, [&](const auto&) { return expected(pair, left, right); },
      [](const auto& actual, const auto& wanted) {
        return random_pairs::elements_in({actual.begin(), actual.end()}, dtype::boolean) == wanted;
      }));
}

TEST_CASE("unsupported comparisons are rejected with a reason") {
  const auto why = [](const char* name, dtype left_type, dtype right_type, dtype out_type, float scale) {
    baton::program_builder b;
    const auto left = b.user_input("left", baton::tensor(left_type, 3));
    const auto right = b.user_input("right", baton::tensor(right_type, 3));
    if (scale != 0) b.quantize(left, scale, 0);
    b.quantize(right, 0.5f, 0);
    b.output(b.call(name, {left, right}, baton::tensor(out_type, 3)));
    const auto program = b.finish();
    const baton::program_view view(program);
    return std::string(baton::view(baton::ask_kernel<comparison>(view, view.nodes[0]).support.reason));
  };
  CHECK(why("tfl.less", dtype::int8, dtype::int8, dtype::boolean, 0.5f) == "");
  CHECK(why("tfl.less", dtype::int8, dtype::int8, dtype::boolean, 0) == "first input has no quantization per tensor");
  CHECK(why("tfl.less", dtype::int8, dtype::int8, dtype::boolean, 1) == "scale ratio is out of range for the first input");
  CHECK(why("tfl.less", dtype::int8, dtype::int8, dtype::int8, 0.5f) == "output is int8, but the operator returns boolean");
  CHECK(why("tfl.less", dtype::boolean, dtype::boolean, dtype::boolean, 0) == "first input is boolean");
  CHECK(why("tfl.logical_or", dtype::int8, dtype::int8, dtype::boolean, 0.5f) == "output is boolean, but the operator returns int8");
  CHECK(why("tfl.equal", dtype::int32, dtype::int64, dtype::boolean, 0) == "second input is int64, not int32");
}

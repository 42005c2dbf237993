// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions of pairs of elements, in every type, broadcast and not.
#include "random_pairs.hpp"

#include "laws/kernel.hpp"

#include <baton/core/name.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/pairwise.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

using baton::dtype;
using baton::program_view;
using random_pairs::difference;
using random_pairs::elements;
using random_pairs::pair_case;
using reference::pair_operator;

constexpr auto list = baton::kernels<baton::portable::pairwise>;

struct operator_types {
  const char* name;
  std::vector<dtype> types;
};
const std::vector<dtype> numbers{dtype::float32, dtype::int8, dtype::int16, dtype::int32, dtype::int64};
const std::vector<dtype> integers{dtype::int8, dtype::int16, dtype::int32, dtype::uint8, dtype::uint16, dtype::uint32};
const operator_types operators[] = {
    {"tfl.add", numbers},
    {"tfl.sub", numbers},
    {"tfl.mul", numbers},
    {"tfl.div", {dtype::float32, dtype::int8, dtype::int32}},
    {"tfl.maximum", numbers},
    {"tfl.minimum", numbers},
    {"tfl.squared_difference", {dtype::float32, dtype::int8, dtype::int16, dtype::int32}},
    {"tfl.floor_div", {dtype::float32, dtype::int32, dtype::int64}},
    {"tfl.floor_mod", {dtype::float32, dtype::int32, dtype::int64}},
    {"tfl.prelu", {dtype::float32, dtype::int8, dtype::int16}},
    {"tfl.bitwise_xor", integers},
    {"tfl.right_shift", integers},
};

auto has_scales(const std::string& name) -> bool {
  return name == "tfl.add" || name == "tfl.sub" || name == "tfl.mul" || name == "tfl.div" || name == "tfl.squared_difference" ||
         name == "tfl.prelu";
}
auto has_activation(const std::string& name) -> bool {
  return name == "tfl.add" || name == "tfl.sub" || name == "tfl.mul" || name == "tfl.div";
}

/// A node of random shapes, scales and activation.
auto random_case(random_pairs::draws& draw, const std::string& name, dtype type) -> pair_case {
  pair_case made;
  auto& of = made.of;
  of.name = name;
  of.type = type;
  made.right_type = name == "tfl.prelu" && type == dtype::int16 ? dtype::int8 : type;
  made.shapes = random_pairs::random_shapes(draw, 2);
  if (name == "tfl.prelu") made.shapes[0] = reference::broadcast_shape(made.shapes);
  const bool is_16 = type == dtype::int16;
  if ((is_16 || type == dtype::int8) && has_scales(name)) {
    const auto unit = is_16 ? 1e-5f : 1e-3f;
    for (auto* at : {&of.left, &of.right, &of.out}) {
      at->scale = unit * static_cast<float>(draw.from_to(1, 300));
      const bool has_zero_points = !is_16 || (name != "tfl.mul" && name != "tfl.squared_difference");
      const auto ends = is_16 && !(name == "tfl.prelu" && at == &of.right) ? 32768 : 128;
      at->zero_point = !has_zero_points ? 0 : std::vector<int>{-ends, -3, 0, 7, ends - 1}[draw.below(5)];
    }
    const bool is_sum = name == "tfl.add" || name == "tfl.sub";
    if (is_sum && draw.below(4) == 0) of.out.scale /= static_cast<float>(1 << draw.from_to(10, 30));
    if (is_16 && name == "tfl.prelu") of.right.scale = 1e-3f * static_cast<float>(draw.from_to(1, 20));
  }
  const bool is_bounded = type != dtype::int64 && !(type == dtype::int32 && name == "tfl.add");
  if (has_activation(name) && is_bounded) of.fused = std::vector<std::string>{"none", "relu", "relu6", "relu_n1_to_1"}[draw.below(4)];
  return made;
}

/// What the reference makes of a case; floats as bits.
auto expected(const pair_case& made, const elements& left, const elements& right) -> elements {
  return random_pairs::for_each_pair(made, left, right, [&](std::int64_t l, std::int64_t r) {
    if (made.of.type != dtype::float32) return reference::pair_of_integers(made.of, l, r);
    return random_pairs::bits(reference::pair_of_floats(made.of, random_pairs::real(l), random_pairs::real(r)));
  });
}

}  // namespace

TEST_CASE("random pairs in every type") {
  std::size_t computed = 0;
  for (const auto& [name, types] : operators) {
    for (const auto type : types) {
      for (std::uint32_t seed = 0; seed < 60; ++seed) {
        random_pairs::draws draw(seed * 1000 + static_cast<std::uint32_t>(type));
        const auto made = random_case(draw, name, type);
        const auto left = random_pairs::random_elements(draw, made.of.type, reference::count_of(made.shapes[0]));
        const auto right = random_pairs::random_elements(draw, made.right_type, reference::count_of(made.shapes[1]));
        elements found;
        const auto why = random_pairs::run(list, made, {left, right}, found);
        CAPTURE(name);
        CAPTURE(seed);
        CAPTURE(static_cast<int>(type));
        if (why.find("takes more than 6 loops") != std::string::npos) continue;
        REQUIRE(why == "");
        CHECK(difference(type, found, expected(made, left, right)) == "");
        ++computed;
      }
    }
  }
  CHECK(computed > 2500);
}

namespace {

/// The compiler's own run of a node: operands of these shapes in one type, each with a scale and a zero point of its own.
template <baton::fixed_string Operator, dtype Type, baton::tensor_type Left, baton::tensor_type Right, baton::tensor_type Out>
struct make {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto left = b.user_input("left", Left);
    const auto right = b.user_input("right", Right);
    const auto result = b.call(std::string_view(Operator), {left, right}, Out, {{"fused_activation_function", "relu6"}});
    if (Type == dtype::int8) {
      b.quantize(left, 0.02f, -3);
      b.quantize(right, 0.05f, 7);
      b.quantize(result, 0.03f, -128);
    }
    b.output(result);
    return b.finish();
  }
};

template <baton::fixed_string Operator, dtype Type, baton::tensor_type Left, baton::tensor_type Right, baton::tensor_type Out>
void check_in_the_compiler() {
  using program = baton::static_program<make<Operator, Type, Left, Right, Out>>;
  static_assert(baton::ask_kernel<baton::portable::pairwise>(program::value(), program::value().nodes[0]).support.accepted);
  random_pairs::draws draw(5);
  pair_case made;
  made.of = {std::string(std::string_view(Operator)), Type, {}, {}, {}, "relu6"};
  if (Type == dtype::int8) {
    made.of.left = {0.02f, -3};
    made.of.right = {0.05f, 7};
    made.of.out = {0.03f, -128};
  }
  made.shapes = {{Left.shape().begin(), Left.shape().end()}, {Right.shape().begin(), Right.shape().end()}};
  const auto left = random_pairs::random_elements(draw, Type, reference::count_of(made.shapes[0]));
  const auto right = random_pairs::random_elements(draw, Type, reference::count_of(made.shapes[1]));
  nodes::bytes bytes;
  random_pairs::append(bytes, Type, left);
  random_pairs::append(bytes, Type, right);
  const laws::kernel::bytes input(bytes.begin(), bytes.end());
  CHECK(laws::kernel::all<baton::portable::pairwise, program>(input));
  CHECK(laws::kernel::is_right<baton::portable::pairwise, program>(
      input, [&](const auto&) { return expected(made, left, right); },
      [](const auto& found, const auto& wanted) {
        return difference(Type, random_pairs::elements_in({found.begin(), found.end()}, Type), wanted).empty();
      }));
}

constexpr auto bytes_of(auto... sizes) -> baton::tensor_type { return baton::tensor(dtype::int8, sizes...); }
constexpr auto floats(auto... sizes) -> baton::tensor_type { return baton::tensor(dtype::float32, sizes...); }

/// The reason of a no, of a node of two operands.
struct refused {
  const char* name = "tfl.add";
  baton::tensor_type left = bytes_of(2, 3);
  baton::tensor_type right = bytes_of(2, 3);
  baton::tensor_type out = bytes_of(2, 3);
  float left_scale = 0.05f;
  float scale = 0.1f;
  int zero_point = 0;
  const char* fused = "none";

  auto why() const -> std::string {
    baton::program_builder b;
    const auto l = b.user_input("left", left);
    const auto r = b.user_input("right", right);
    const auto made = b.call(name, {l, r}, out, {{"fused_activation_function", fused}});
    b.quantize(l, left_scale, zero_point);
    b.quantize(r, 0.05f, 0);
    b.quantize(made, scale, 0);
    b.output(made);
    const auto program = b.finish();
    const program_view view(program);
    return std::string(baton::view(baton::ask_kernel<baton::portable::pairwise>(view, view.nodes[0]).support.reason));
  }
};

}  // namespace

TEST_CASE("pairs in the compiler") {
  check_in_the_compiler<"tfl.add", dtype::int8, bytes_of(1, 5, 7, 8), bytes_of(1, 5, 7, 8), bytes_of(1, 5, 7, 8)>();
  check_in_the_compiler<"tfl.mul", dtype::int8, bytes_of(2, 1, 3, 1, 2), bytes_of(3, 1, 4, 1), bytes_of(2, 3, 3, 4, 2)>();
  check_in_the_compiler<"tfl.sub", dtype::float32, floats(3, 5), floats(), floats(3, 5)>();
}

TEST_CASE("an input that is not broadcast may be the output's memory") {
  const auto program = make<"tfl.sub", dtype::int8, bytes_of(3, 37), bytes_of(37), bytes_of(3, 37)>{}();
  const program_view view(program);
  const auto plan = baton::portable::pairwise::describe(view, view.nodes[0]).plan;
  std::array<char, 111> left{};
  std::array<char, 37> right{};
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<char>(i * 57);
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = static_cast<char>(i * 91);
  std::array<char, 111> apart{};
  const std::array<const char*, 2> from{left.data(), right.data()};
  std::array<char*, 1> to{apart.data()};
  baton::portable::pairwise::compute(plan, {from.data(), to.data()});
  to[0] = left.data();
  baton::portable::pairwise::compute(plan, {from.data(), to.data()});
  CHECK((left == apart));
}

TEST_CASE("axes that lie together are one loop, and what is not broadcast is one") {
  const auto loops_of = [](const baton::tensor_type& left, const baton::tensor_type& right, const baton::tensor_type& out) {
    const auto program = make<"tfl.maximum", dtype::float32, floats(1), floats(1), floats(1)>{}();
    const program_view view(program);
    baton::portable::node_check check{view, view.nodes[0]};
    const auto made = baton::portable::detail::loops_of<2>(check, {left.shape(), right.shape()}, out.shape());
    CHECK(check.ok());
    return made;
  };
  const auto whole = loops_of(floats(2, 3, 4), floats(2, 3, 4), floats(2, 3, 4));
  CHECK(whole.sizes == std::array{1, 1, 1, 1, 1, 24});
  CHECK(whole.is_whole(0));
  CHECK(whole.is_whole(1));
  const auto scalar = loops_of(floats(2, 3, 4), floats(), floats(2, 3, 4));
  CHECK(scalar.sizes == std::array{1, 1, 1, 1, 1, 24});
  CHECK(scalar.is_whole(0));
  CHECK_FALSE(scalar.is_whole(1));
  const auto channels = loops_of(floats(5, 2, 3, 4), floats(1, 1, 3, 4), floats(5, 2, 3, 4));
  CHECK(channels.sizes == std::array{1, 1, 1, 1, 10, 12});
  CHECK(channels.output == std::array{0, 0, 0, 0, 12, 1});
  const auto ones = loops_of(floats(2, 1, 3), floats(1, 1, 1), floats(2, 1, 3));
  CHECK(ones.sizes == std::array{1, 1, 1, 1, 1, 6});
}

TEST_CASE("what pairs are refused, and why") {
  CHECK(refused{}.why() == "");
  CHECK(refused{.right = bytes_of(2, 4)}.why() == "the shapes of operands 0 and 1 differ");
  CHECK(refused{.out = bytes_of(1, 3)}.why() == "output has another shape than follows");
  CHECK(refused{.out = floats(2, 3)}.why() == "output is float32, it follows int8");
  CHECK(refused{.right = floats(2, 3)}.why() == "second input is float32, not int8");
  CHECK(refused{.name = "tfl.prelu", .right = baton::tensor(dtype::int16, 2, 3)}.why() == "second input is int16, not int8");
  CHECK(refused{.name = "tfl.prelu", .right = bytes_of(4, 2, 3)}.why() == "operand 1 has rank 3, the output 2");
  CHECK(refused{.name = "tfl.prelu", .left = bytes_of(1, 3), .out = bytes_of(1, 3)}.why() == "size 2 of operand 1 does not broadcast to 1");
  CHECK(refused{.name = "tfl.floor_div"}.why() == "first input is int8");
  CHECK(refused{.name = "tfl.mul",
                .left = baton::tensor(dtype::uint8, 2, 3),
                .right = baton::tensor(dtype::uint8, 2, 3),
                .out = baton::tensor(dtype::uint8, 2, 3)}
            .why() == "first input is uint8");
  const auto truth = baton::tensor(dtype::boolean, 2, 3);
  CHECK(refused{.name = "tfl.bitwise_xor", .left = truth, .right = truth, .out = truth}.why() == "first input is boolean");
  CHECK(refused{.left_scale = 0}.why() == "first input has a scale that is not positive and finite");
  CHECK(refused{.left_scale = std::numeric_limits<float>::quiet_NaN()}.why() == "first input has a scale that is not positive and finite");
  CHECK(refused{.scale = std::numeric_limits<float>::infinity()}.why() == "output has a scale that is not positive and finite");
  CHECK(refused{.zero_point = 128}.why() == "first input has zero point 128");
  CHECK(refused{.scale = 1e-8f}.why() == "");
  CHECK(refused{.scale = 1e-20f}.why() == "scales are too far apart for the result");
  CHECK(refused{.left_scale = 1e-38f, .scale = 3e38f}.why() == "");
  CHECK(refused{.name = "tfl.mul", .left_scale = 1e30f}.why() == "scales are too far apart for the product");
  CHECK(refused{.name = "tfl.prelu", .left_scale = 1e30f}.why() == "scales are too far apart for the input");
  CHECK(refused{.name = "tfl.div", .left_scale = 1e30f}.why() == "scales are too far apart for the quotient");
  CHECK(refused{.name = "tfl.div", .scale = 1e-44f}.why() == "scales are too far apart");
  CHECK(refused{.name = "tfl.squared_difference", .left_scale = 1e30f}.why() == "scales are too far apart for the result");
  CHECK(refused{.name = "tfl.squared_difference", .scale = 3e38f}.why() == "scales are too far apart");
  CHECK(refused{.fused = "tanh"}.why() == "fused activation tanh");
  CHECK(refused{.left = baton::tensor(dtype::int32, 2, 3),
                .right = baton::tensor(dtype::int32, 2, 3),
                .out = baton::tensor(dtype::int32, 2, 3),
                .fused = "relu"}
            .why() == "fused activation of int32");
  const auto half = baton::tensor(dtype::int16, 2, 3);
  CHECK(refused{.name = "tfl.mul", .left = half, .right = half, .out = half, .zero_point = 1}.why() == "an int16 zero point is not 0");
  CHECK(
      refused{.left = bytes_of(2, 1, 2, 1, 2, 1, 2, 1), .right = bytes_of(1, 2, 1, 2, 1, 2, 1, 2), .out = bytes_of(2, 2, 2, 2, 2, 2, 2, 2)}
          .why() == "broadcasting takes more than 6 loops");
}

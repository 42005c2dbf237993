// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Elementwise operators with two operands, in every type, with and without broadcasting.
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

/// Returns a node with random shapes, scales and activation.
auto random_case(random_pairs::draws& draw, const std::string& name, dtype type) -> pair_case {
  pair_case pair;
  auto& of = pair.of;
  of.name = name;
  of.type = type;
  pair.right_type = name == "tfl.prelu" && type == dtype::int16 ? dtype::int8 : type;
  pair.shapes = random_pairs::random_shapes(draw, 2);
  if (name == "tfl.prelu") pair.shapes[0] = reference::broadcast_shape(pair.shapes);
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
  return pair;
}

/// Returns the output of the reference; floats are stored as their bits.
auto expected(const pair_case& pair, const elements& left, const elements& right) -> elements {
  return random_pairs::for_each_pair(pair, left, right, [&](std::int64_t l, std::int64_t r) {
    if (pair.of.type != dtype::float32) return reference::pair_of_integers(pair.of, l, r);
    return random_pairs::bits(reference::pair_of_floats(pair.of, random_pairs::real(l), random_pairs::real(r)));
  });
}

}  // namespace

TEST_CASE("random pairs match the reference in every type") {
  std::size_t computed = 0;
  for (const auto& [name, types] : operators) {
    for (const auto type : types) {
      for (std::uint32_t seed = 0; seed < 60; ++seed) {
        random_pairs::draws draw(seed * 1000 + static_cast<std::uint32_t>(type));
        const auto pair = random_case(draw, name, type);
        const auto left = random_pairs::random_elements(draw, pair.of.type, reference::count_of(pair.shapes[0]));
        const auto right = random_pairs::random_elements(draw, pair.right_type, reference::count_of(pair.shapes[1]));
        elements actual;
        const auto why = random_pairs::run(list, pair, {left, right}, actual);
        CAPTURE(name);
        CAPTURE(seed);
        CAPTURE(static_cast<int>(type));
        if (why.find("needs more than 6 loops") != std::string::npos) continue;
        REQUIRE(why == "");
        CHECK(difference(type, actual, expected(pair, left, right)) == "");
        ++computed;
      }
    }
  }
  CHECK(computed > 2500);
}

namespace {

/// A program of one node whose operands have these shapes. Each int8 value has a different scale and zero point.
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
void check_at_compile_time() {
  using program = baton::static_program<make<Operator, Type, Left, Right, Out>>;
  static_assert(baton::ask_kernel<baton::portable::pairwise>(program::value(), program::value().nodes[0]).support.accepted);
  random_pairs::draws draw(5);
  pair_case pair;
  pair.of = {std::string(std::string_view(Operator)), Type, {}, {}, {}, "relu6"};
  if (Type == dtype::int8) {
    pair.of.left = {0.02f, -3};
    pair.of.right = {0.05f, 7};
    pair.of.out = {0.03f, -128};
  }
  pair.shapes = {{Left.shape().begin(), Left.shape().end()}, {Right.shape().begin(), Right.shape().end()}};
  const auto left = random_pairs::random_elements(draw, Type, reference::count_of(pair.shapes[0]));
  const auto right = random_pairs::random_elements(draw, Type, reference::count_of(pair.shapes[1]));
  nodes::bytes bytes;
  random_pairs::append(bytes, Type, left);
  random_pairs::append(bytes, Type, right);
  const laws::kernel::bytes input(bytes.begin(), bytes.end());
  CHECK(laws::kernel::all<baton::portable::pairwise, program>(input));
  CHECK(laws::kernel::is_correct<baton::portable::pairwise, program>(
      input, [&](const auto&) { return expected(pair, left, right); },
      [](const auto& actual, const auto& wanted) {
        return difference(Type, random_pairs::elements_in({actual.begin(), actual.end()}, Type), wanted).empty();
      }));
}

constexpr auto bytes_of(auto... sizes) -> baton::tensor_type { return baton::tensor(dtype::int8, sizes...); }
constexpr auto floats(auto... sizes) -> baton::tensor_type { return baton::tensor(dtype::float32, sizes...); }

/// A node with two operands. `why` returns the reason if it is not supported.
struct candidate {
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
    const auto y = b.call(name, {l, r}, out, {{"fused_activation_function", fused}});
    b.quantize(l, left_scale, zero_point);
    b.quantize(r, 0.05f, 0);
    b.quantize(y, scale, 0);
    b.output(y);
    const auto program = b.finish();
    const program_view view(program);
    return std::string(baton::view(baton::ask_kernel<baton::portable::pairwise>(view, view.nodes[0]).support.reason));
  }
};

}  // namespace

TEST_CASE("pairwise operators obey the laws at compile time") {
  check_at_compile_time<"tfl.add", dtype::int8, bytes_of(1, 5, 7, 8), bytes_of(1, 5, 7, 8), bytes_of(1, 5, 7, 8)>();
  check_at_compile_time<"tfl.mul", dtype::int8, bytes_of(2, 1, 3, 1, 2), bytes_of(3, 1, 4, 1), bytes_of(2, 3, 3, 4, 2)>();
  check_at_compile_time<"tfl.sub", dtype::float32, floats(3, 5), floats(), floats(3, 5)>();
}

TEST_CASE("an input that is not broadcast may share the memory of the output") {
  const auto program = make<"tfl.sub", dtype::int8, bytes_of(3, 37), bytes_of(37), bytes_of(3, 37)>{}();
  const program_view view(program);
  const auto plan = baton::portable::pairwise::describe(view, view.nodes[0]).plan;
  std::array<char, 111> left{};
  std::array<char, 37> right{};
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<char>(i * 57);
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = static_cast<char>(i * 91);
  std::array<char, 111> separate{};
  const std::array<const char*, 2> from{left.data(), right.data()};
  std::array<char*, 1> to{separate.data()};
  baton::portable::pairwise::compute(plan, {from.data(), to.data()});
  to[0] = left.data();
  baton::portable::pairwise::compute(plan, {from.data(), to.data()});
  CHECK((left == separate));
}

TEST_CASE("adjacent axes are merged into one loop") {
  const auto loops_of = [](const baton::tensor_type& left, const baton::tensor_type& right, const baton::tensor_type& out) {
    const auto program = make<"tfl.maximum", dtype::float32, floats(1), floats(1), floats(1)>{}();
    const program_view view(program);
    baton::portable::node_check check{view, view.nodes[0]};
    const auto result = baton::portable::detail::loops_of<2>(check, {left.shape(), right.shape()}, out.shape());
    CHECK(check.ok());
    return result;
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

TEST_CASE("unsupported pairs are rejected with a reason") {
  CHECK(candidate{}.why() == "");
  CHECK(candidate{.right = bytes_of(2, 4)}.why() == "the shapes of operands 0 and 1 cannot be broadcast");
  CHECK(candidate{.out = bytes_of(1, 3)}.why() == "output has a different shape than inferred");
  CHECK(candidate{.out = floats(2, 3)}.why() == "output is float32, but the operator returns int8");
  CHECK(candidate{.right = floats(2, 3)}.why() == "second input is float32, not int8");
  CHECK(candidate{.name = "tfl.prelu", .right = baton::tensor(dtype::int16, 2, 3)}.why() == "second input is int16, not int8");
  CHECK(candidate{.name = "tfl.prelu", .right = bytes_of(4, 2, 3)}.why() == "operand 1 has rank 3, but the output has rank 2");
  CHECK(candidate{.name = "tfl.prelu", .left = bytes_of(1, 3), .out = bytes_of(1, 3)}.why() ==
        "size 2 of operand 1 does not broadcast to 1");
  CHECK(candidate{.name = "tfl.floor_div"}.why() == "first input is int8");
  CHECK(candidate{.name = "tfl.mul",
                  .left = baton::tensor(dtype::uint8, 2, 3),
                  .right = baton::tensor(dtype::uint8, 2, 3),
                  .out = baton::tensor(dtype::uint8, 2, 3)}
            .why() == "first input is uint8");
  const auto truth = baton::tensor(dtype::boolean, 2, 3);
  CHECK(candidate{.name = "tfl.bitwise_xor", .left = truth, .right = truth, .out = truth}.why() == "first input is boolean");
  CHECK(candidate{.left_scale = 0}.why() == "first input has a scale that is not positive and finite");
  CHECK(candidate{.left_scale = std::numeric_limits<float>::quiet_NaN()}.why() ==
        "first input has a scale that is not positive and finite");
  CHECK(candidate{.scale = std::numeric_limits<float>::infinity()}.why() == "output has a scale that is not positive and finite");
  CHECK(candidate{.zero_point = 128}.why() == "first input has zero point 128");
  CHECK(candidate{.scale = 1e-8f}.why() == "");
  CHECK(candidate{.scale = 1e-20f}.why() == "scale ratio is out of range for the result");
  CHECK(candidate{.left_scale = 1e-38f, .scale = 3e38f}.why() == "");
  CHECK(candidate{.name = "tfl.mul", .left_scale = 1e30f}.why() == "scale ratio is out of range for the product");
  CHECK(candidate{.name = "tfl.prelu", .left_scale = 1e30f}.why() == "scale ratio is out of range for the input");
  CHECK(candidate{.name = "tfl.div", .left_scale = 1e30f}.why() == "scale ratio is out of range for the quotient");
  CHECK(candidate{.name = "tfl.div", .scale = 1e-44f}.why() == "scale ratio is out of range");
  CHECK(candidate{.name = "tfl.squared_difference", .left_scale = 1e30f}.why() == "scale ratio is out of range for the result");
  CHECK(candidate{.name = "tfl.squared_difference", .scale = 3e38f}.why() == "scale ratio is out of range");
  CHECK(candidate{.fused = "tanh"}.why() == "fused activation tanh is not supported");
  CHECK(candidate{.left = baton::tensor(dtype::int32, 2, 3),
                  .right = baton::tensor(dtype::int32, 2, 3),
                  .out = baton::tensor(dtype::int32, 2, 3),
                  .fused = "relu"}
            .why() == "a fused activation is not supported for int32");
  const auto half = baton::tensor(dtype::int16, 2, 3);
  CHECK(candidate{.name = "tfl.mul", .left = half, .right = half, .out = half, .zero_point = 1}.why() == "an int16 zero point is not 0");
  CHECK(candidate{
            .left = bytes_of(2, 1, 2, 1, 2, 1, 2, 1), .right = bytes_of(1, 2, 1, 2, 1, 2, 1, 2), .out = bytes_of(2, 2, 2, 2, 2, 2, 2, 2)}
            .why() == "broadcasting needs more than 6 loops");
}

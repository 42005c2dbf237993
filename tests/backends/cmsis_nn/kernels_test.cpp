// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// CMSIS-NN, compiled for the development machine: random nodes against the reference, extreme sums, rejected nodes, the laws of kernels,
// and models.
#include <baton/backends/cmsis_nn/cmsis_nn_kernels.hpp>

#include <baton/import/tflite.hpp>
#include <baton/kernels/portable/reshape.hpp>
#include <baton/plan/execution_plan.hpp>

#include "kernels/check_layer.hpp"
#include "kernels/one_node.hpp"
#include "kernels/random_layer.hpp"
#include "kernels/random_pairs.hpp"
#include "kernels/random_weights.hpp"
#include "models/golden.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace baton;
using one_layer::layer;
using one_layer::op;
using one_node::drawn;

/// A kernel that checks the result of the library's function.
template <class Kernel, auto Call>
struct watched : Kernel {
  static void compute(const auto& plan, const node_memory& memory) { CHECK(Call(plan, memory) == ARM_CMSIS_NN_SUCCESS); }
};
using conv_2d = watched<cmsis_nn::conv_2d, [](const auto& plan, const auto& at) { return cmsis_nn::detail::convolve(plan, at); }>;
using depthwise_conv_2d =
    watched<cmsis_nn::depthwise_conv_2d, [](const auto& plan, const auto& at) { return cmsis_nn::detail::convolve(plan, at); }>;
using fully_connected =
    watched<cmsis_nn::fully_connected, [](const auto& plan, const auto& at) { return cmsis_nn::detail::fully_connect(plan, at); }>;

/// All random layers must be supported and match the reference.
template <class Kernel>
void check_random(op is) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    drawn draw(seed);
    auto l = one_layer::random_layer(is, seed);
    l.is_int8 = true;
    l.batch = draw.of({1, 1, 1, 2, 3});
    if (draw.once_in(8)) l.height = l.filter_height = l.stride_h = l.dilation_h = 1;  // a single row has a separate function
    const auto with = random_weights(draw, l);
    CAPTURE(seed);
    REQUIRE(one_node::refusal<Kernel>(build(l, with)) == "");
    CHECK(is_right<Kernel>(l, with, random_input(draw, l)));
  }
}
template <class Kernel>
void check_random_pools(op is) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    auto l = one_layer::random_layer(is, seed);
    l.is_int8 = true;
    CAPTURE(seed);
    REQUIRE(one_node::refusal<Kernel>(build(l, {})) == "");
    for (const auto& input : one_layer::inputs_of(l)) CHECK(is_right<Kernel>(l, {}, {input.begin(), input.end()}));
  }
}

/// Checks an operator with two operands of one shape. Returns the number of supported nodes.
template <class Kernel>
auto check_random_pairs(const std::string& name) -> int {
  int count = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    random_pairs::draws draw(seed);
    random_pairs::pair_case pair;
    pair.of.name = name;
    pair.of.type = dtype::int8;
    for (auto* at : {&pair.of.left, &pair.of.right, &pair.of.out}) {
      at->scale = 1e-3f * static_cast<float>(draw.from_to(1, 300));
      at->zero_point = std::vector<int>{-128, -3, 0, 7, 127}[draw.below(5)];
    }
    if (name == "tfl.add" || name == "tfl.mul")
      pair.of.fused = std::vector<std::string>{"none", "relu", "relu6", "relu_n1_to_1"}[draw.below(4)];
    const reference::shape shape{draw.from_to(1, 2), draw.from_to(1, 9), draw.from_to(1, 5)};
    pair.shapes = {shape, shape};
    CAPTURE(seed);
    if (one_node::refusal<Kernel>(random_pairs::program_of(pair)) != "") continue;
    ++count;
    const auto of = reference::count_of(shape);
    const auto left = random_pairs::random_elements(draw, dtype::int8, of);
    const auto right = random_pairs::random_elements(draw, dtype::int8, of);
    random_pairs::elements actual;
    REQUIRE(random_pairs::run(baton::kernels<Kernel>, pair, {left, right}, actual) == "");
    const auto expected = random_pairs::for_each_pair(
        pair, left, right, [&](std::int64_t l, std::int64_t r) { return reference::pair_of_integers(pair.of, l, r); });
    CHECK(random_pairs::difference(dtype::int8, actual, expected) == "");
  }
  return count;
}

auto softmax_of(int rows, int depth, float scale, double beta) -> exported_program {
  program_builder b;
  const auto type = tensor(dtype::int8, rows, depth);
  const auto x = b.user_input("x", type);
  const auto y = b.call("tfl.softmax", {x}, type, {{"beta", beta}});
  b.quantize(x, scale, 11);
  b.quantize(y, 1.0f / 256, -128);
  b.output(y);
  return b.finish();
}

}  // namespace

TEST_CASE("random convolutions match the reference") { check_random<conv_2d>(op::conv_2d); }
TEST_CASE("random depthwise convolutions match the reference") { check_random<depthwise_conv_2d>(op::depthwise_conv_2d); }
TEST_CASE("random fully connected layers match the reference") { check_random<fully_connected>(op::fully_connected); }
TEST_CASE("random pools match the reference") {
  check_random_pools<cmsis_nn::average_pool_2d>(op::average_pool_2d);
  check_random_pools<cmsis_nn::max_pool_2d>(op::max_pool_2d);
}
TEST_CASE("random sums, products, maxima and minima match the reference") {
  CHECK(check_random_pairs<cmsis_nn::add>("tfl.add") > 250);
  CHECK(check_random_pairs<cmsis_nn::mul>("tfl.mul") > 250);
  CHECK(check_random_pairs<cmsis_nn::maximum>("tfl.maximum") == 300);
  CHECK(check_random_pairs<cmsis_nn::minimum>("tfl.minimum") == 300);
}
TEST_CASE("random softmax rows match the reference") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    drawn draw(seed);
    const int rows = draw.from_to(1, 3);
    const int depth = draw.of({1, 2, 3, 4, 10, 17, 255});
    const auto program = softmax_of(rows, depth, 1e-4f * static_cast<float>(draw.from_to(1, 20000)), 0.5 * draw.from_to(1, 4));
    CAPTURE(seed);
    if (one_node::refusal<portable::softmax>(program) != "") continue;
    REQUIRE(one_node::refusal<cmsis_nn::softmax>(program) == "");
    const auto input = draw.elements(dtype::int8, rows * depth);
    CHECK(one_node::run<cmsis_nn::softmax>(program, input) == one_node::run<portable::softmax>(program, input));
  }
}

TEST_CASE("the largest sums match the reference") {
  for (const char weight : {'\x7f', '\x80'}) {
    for (const char x : {'\x7f', '\x80'}) {
      layer l{
          .is = op::fully_connected, .channels = 65535, .out_channels = 2, .has_bias = false, .input_zero_point = x == '\x7f' ? -128 : 127};
      const auto with = all_weights(l, weight);
      CHECK(is_right<fully_connected>(l, with, one_node::bytes(static_cast<std::size_t>(l.in_count()), x)));
      l.channels = 65536;
      CHECK(one_node::says(one_node::refusal<fully_connected>(build(l, all_weights(l, weight))), "a size does not fit 16 bits"));
    }
  }
}

TEST_CASE("operators of the namespace baton, which have other arithmetic, are rejected") {
  for (const auto is : {op::conv_2d, op::depthwise_conv_2d, op::fully_connected, op::average_pool_2d, op::max_pool_2d}) {
    layer l{.is = is, .channels = 4, .out_channels = 4};
    const auto with = all_weights(l, '\1');
    CHECK(choose_kernel(cmsis_nn_kernels, build(l, with), build(l, with).nodes[0]).support);
    l.is_baton = true;
    CHECK(!choose_kernel(cmsis_nn_kernels, build(l, with), build(l, with).nodes[0]).support);
  }
}

TEST_CASE("unsupported layers are rejected") {
  layer l{.is = op::conv_2d, .height = 3, .width = 3, .channels = 8, .out_channels = 4};
  auto with = all_weights(l, '\1');
  const auto refusal = [&] { return one_node::refusal<conv_2d>(build(l, with)); };
  CHECK(refusal() == "");
  const std::string out_of_range = "channel 2 has a factor that is negative or out of range, or sums that do not fit 32 bits";
  one_layer::put_32(with.bias.data() + 8, 0x7ffffff0);
  CHECK(refusal() == out_of_range);
  one_layer::put_32(with.bias.data() + 8, 0);
  for (const float scale : {-0.004f, 3e9f}) {
    auto program = build(l, with);
    one_layer::set_filter_scale(program, 2, scale);
    CHECK(one_node::refusal<conv_2d>(program) == out_of_range);
  }
  for (const std::uint32_t bias : {0x20000000u, 0x70000000u}) {  // a shift by 31 bits: one result is 0, the other is not
    one_layer::put_32(with.bias.data() + 8, bias);
    auto program = build(l, with);
    one_layer::set_filter_scale(program, 2, 5e-10f);
    REQUIRE(portable::conv_2d::describe(program, program.nodes[0]).plan.numbers.factor_of(2).shift == -31);
    CHECK((one_node::refusal<conv_2d>(program) == out_of_range) == (bias == 0x70000000u));
    const one_node::bytes input(static_cast<std::size_t>(l.in_count()), '\x7f');
    if (bias == 0x70000000u) continue;
    CHECK(one_node::run<conv_2d>(program, input) == one_node::run<portable::conv_2d>(program, input));
    const auto table = prepare_node<cmsis_nn::conv_2d>(program, program.nodes[0]);
    CHECK(std::all_of(table.end() - 4, table.end(), [](std::int32_t shift) { return shift >= -30; }));
  }
  one_layer::put_32(with.bias.data() + 8, 0);
  auto program = build(l, with);
  one_layer::compute_filter(program);
  CHECK(one_node::refusal<conv_2d>(program) == "weights are not a constant");
  l.is_int8 = false;
  with.filter.assign(4 * with.filter.size(), '\0');
  CHECK(refusal() == "input and weights are not both int8");
  l = {.is = op::conv_2d, .width = 32768, .channels = 1, .out_channels = 1};
  with = all_weights(l, '\1');
  CHECK(refusal() == "a size does not fit 16 bits");
  l = {.is = op::conv_2d, .height = 2, .channels = 32768, .out_channels = 1, .filter_height = 2};
  with = all_weights(l, '\1');
  CHECK(refusal() == "an output is a sum of 65536 products; the maximum is 65535");
  l = {.is = op::average_pool_2d, .is_int8 = false, .height = 2, .width = 2, .channels = 3, .out_channels = 3};
  CHECK(one_node::refusal<cmsis_nn::average_pool_2d>(build(l, {})) == "types are not int8");
  CHECK(one_node::refusal<cmsis_nn::max_pool_2d>(build(l, {})) == "");  // the node of another operator is rejected without a reason
  CHECK(one_node::refusal<cmsis_nn::softmax>(softmax_of(1, 256, 0.1f, 1)) == "a row has 256 elements; CMSIS-NN supports at most 255");
  CHECK(one_node::refusal<cmsis_nn::softmax>(softmax_of(1, 4, 15.9f, 1)) == "");
  CHECK(one_node::refusal<cmsis_nn::softmax>(softmax_of(1, 4, 16, 1)) == "the input's scale is too large");

  random_pairs::pair_case pairs;
  pairs.of = {"tfl.mul", dtype::int8, {0.25f, 1}, {0.5f, -2}, {0.5f, 3}, "none"};
  pairs.shapes = {{2, 256}, {256}};
  CHECK(one_node::refusal<cmsis_nn::mul>(random_pairs::program_of(pairs)) == "an operand is broadcast");
  pairs.shapes = {{2}, {2}};
  pairs.of.out.scale = 1e-7f;
  CHECK(one_node::refusal<cmsis_nn::mul>(random_pairs::program_of(pairs)) ==
        "scaled numbers do not fit 32 bits, or a scale ratio is out of range");
}

TEST_CASE("for every start of the scratch, buffers are aligned and inside the scratch") {
  alignas(8) char memory[32];
  for (std::size_t begin = 0; begin < 8; ++begin) {
    const auto buffer = cmsis_nn::detail::buffer_in(memory + begin, 10);
    const auto* at = static_cast<const char*>(buffer.buf);
    CHECK(reinterpret_cast<std::uintptr_t>(at) % cmsis_nn::detail::buffer_alignment == 0);
    CHECK(at >= memory + begin);
    CHECK(at + 10 <= memory + begin + cmsis_nn::detail::scratch_for(10));
  }
  CHECK(cmsis_nn::detail::scratch_for(0) == 0);
  CHECK(cmsis_nn::detail::buffer_in(memory, 0).buf == nullptr);
}

TEST_CASE("the kernels obey the laws of kernels") {
  constexpr layer image{
      .is = op::conv_2d, .batch = 2, .height = 5, .width = 4, .channels = 6, .out_channels = 5, .filter_height = 3, .filter_width = 3};
  check_layer<cmsis_nn::conv_2d, image>();
  check_layer<cmsis_nn::conv_2d, layer{.is = op::conv_2d, .height = 3, .width = 3, .channels = 20, .out_channels = 9}>();
  check_layer<cmsis_nn::conv_2d, layer{.is = op::conv_2d, .width = 9, .channels = 4, .out_channels = 8, .filter_width = 3}>();
  constexpr layer deep{
      .is = op::depthwise_conv_2d, .height = 5, .width = 6, .channels = 18, .out_channels = 18, .filter_height = 3, .filter_width = 3};
  check_layer<cmsis_nn::depthwise_conv_2d, deep>();
  check_layer<cmsis_nn::fully_connected, layer{.is = op::fully_connected, .batch = 3, .channels = 10, .out_channels = 6}>();
  check_layer<cmsis_nn::fully_connected,
              layer{.is = op::fully_connected, .channels = 10, .out_channels = 6, .has_bias = false, .is_per_channel = false}>();
  constexpr layer window{
      .is = op::average_pool_2d, .height = 5, .width = 6, .channels = 7, .out_channels = 7, .filter_height = 3, .filter_width = 2};
  check_layer<cmsis_nn::average_pool_2d, window>();
}

TEST_CASE("models match the reference at any address") {
  constexpr auto list = cmsis_nn_kernels + kernels<portable::reshape>;
  for (const std::string name : {"ad01_int8", "kws_ref_model", "pretrainedResnet_quant", "vww_96_int8", "person_detect"}) {
    const auto file = golden::model_bytes(name);
    if (file.empty()) continue;  // no shared folder
    CAPTURE(name);
    const auto owner = tflite::read_bytes(file);
    const program_view program(owner);
    const auto plan = plan_execution(list, program, {1});
    CAPTURE(view(plan.error.reason));
    REQUIRE(plan);
    nodes::interpreter runner(program, &plan.value);
    const auto input = golden::file(name, "input_0.bin");
    const auto expected = golden::file(name, "output_0.bin");
    nodes::bytes output;
    REQUIRE(runner.run(list, {input.begin(), input.end()}, output) == "");
    CHECK(std::equal(output.begin(), output.end(), expected.begin(), expected.end()));
  }
}

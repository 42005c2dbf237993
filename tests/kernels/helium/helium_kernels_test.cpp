// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The Helium kernels of layers in plain C++: random layers, extreme sums, rejected nodes, and the laws of kernels. The vector code itself
// is tested in firmware images (tests/kernels/firmware/helium_run.cpp).
#include <baton/kernels/helium_kernels.hpp>

#include "kernels/check_layer.hpp"
#include "kernels/one_node.hpp"
#include "kernels/random_layer.hpp"
#include "kernels/random_weights.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace {

namespace helium = baton::helium::detail;

using one_layer::layer;
using one_layer::once;
using one_layer::op;
using one_node::drawn;

auto random_layer(drawn& draw, op is, std::uint32_t seed) -> layer {
  auto l = one_layer::random_layer(is, seed);
  l.is_int8 = true;
  l.groups = 1;
  l.batch = draw.of({1, 1, 1, 2, 3});
  l.channels = draw.of({1, 2, 3, 4, 8, 15, 16, 17, 32, 33, 48});
  l.out_channels = is != op::depthwise_conv_2d ? draw.from_to(1, 13) : l.channels == 1 ? draw.of({1, 5, 8}) : l.channels;
  return draw.once_in(2) ? one_layer::as_baton(l, draw, draw.once_in(4)) : l;
}

/// Returns how many of 400 random layers a kernel supports. All of them must match the reference.
template <class Kernel>
auto supported_count(op is) -> int {
  int count = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    drawn draw(seed);
    const auto l = random_layer(draw, is, seed);
    const auto with = random_weights(draw, l);
    const auto input = random_input(draw, l);
    CAPTURE(seed);
    if (!one_node::refusal<Kernel>(build(l, with)).empty()) continue;
    CHECK(is_right<Kernel>(l, with, input));
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("random convolutions match the reference") { CHECK(supported_count<helium::conv_2d>(op::conv_2d) > 350); }
TEST_CASE("random depthwise convolutions match the reference") {
  CHECK(supported_count<helium::depthwise_conv_2d>(op::depthwise_conv_2d) > 300);
}
TEST_CASE("random depthwise convolutions of several pixels per vector match the reference") {
  int count = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    drawn draw(seed);
    auto l = random_layer(draw, op::depthwise_conv_2d, seed);
    l.channels = l.out_channels = draw.of({1, 2, 4, 8});
    l.stride_w = l.dilation_w = 1;
    l.width = draw.from_to(l.filter_width, 19);
    const auto with = random_weights(draw, l);
    const auto input = random_input(draw, l);
    CAPTURE(seed);
    if (!one_node::refusal<helium::depthwise_conv_2d>(build(l, with)).empty()) continue;
    CHECK(is_right<helium::depthwise_conv_2d>(l, with, input));
    ++count;
  }
  CHECK(count > 300);
}
TEST_CASE("random depthwise convolutions of one channel match the reference as convolutions") {
  CHECK(supported_count<helium::conv_2d>(op::depthwise_conv_2d) > 20);
}
TEST_CASE("random fully connected layers match the reference") {
  CHECK(supported_count<helium::fully_connected>(op::fully_connected) > 350);
}

TEST_CASE("the largest sums match the reference") {
  for (const int inputs : {16, 700, 8000, 65793}) {
    for (const char weight : {'\x7f', '\x80'}) {
      for (const char x : {'\x7f', '\x80'}) {
        const layer l{.is = op::fully_connected,
                      .channels = inputs,
                      .out_channels = 5,
                      .has_bias = false,
                      .input_zero_point = x == '\x7f' ? -128 : 127};
        CAPTURE(inputs);
        CHECK(is_right<helium::fully_connected>(l, all_weights(l, weight), one_node::bytes(static_cast<std::size_t>(inputs), x)));
      }
    }
  }
}

TEST_CASE("the sum of two extreme products fits 16 bits") {
  for (const char weight : {'\x7f', '\x81'}) {
    for (const char x : {'\x7f', '\x80'}) {
      const layer l{.is = op::depthwise_conv_2d,
                    .height = 4,
                    .width = 4,
                    .channels = 18,
                    .out_channels = 18,
                    .filter_height = 4,
                    .filter_width = 4,
                    .has_bias = false};
      const one_node::bytes input(static_cast<std::size_t>(l.in_count()), x);
      CHECK(is_right<helium::depthwise_conv_2d>(l, all_weights(l, weight), input));
    }
  }
}

TEST_CASE("unsupported layers are rejected") {
  layer l{.is = op::fully_connected, .channels = 8, .out_channels = 4};
  auto with = all_weights(l, '\1');
  const auto refusal = [&]<class Kernel>() { return one_node::refusal<Kernel>(build(l, with)); };
  const auto dense_refusal = [&] { return refusal.template operator()<helium::fully_connected>(); };
  CHECK(dense_refusal() == "");
  with.bias[10] = '\xff';
  with.bias[11] = '\x7f';
  CHECK(dense_refusal() == "channel 2 has a negative factor, a right shift outside 1 to 31, or sums that do not fit 32 bits");
  with.bias[10] = with.bias[11] = '\0';
  auto program = build(l, with);
  one_layer::compute_filter(program);
  CHECK(one_node::refusal<helium::fully_connected>(program) == "weights are not a constant and cannot be packed");
  l.is_int8 = false;
  with.filter.assign(128, '\0');
  CHECK(dense_refusal() == "input and weights are not both int8, or the bias is float32");

  for (const int zero_point : {-128, 127}) {  // 255 * 128 * 65793 + 127 is 2^31 - 1
    l = {.is = op::fully_connected, .channels = 65793, .out_channels = 1, .input_zero_point = zero_point};
    with = all_weights(l, '\1');
    with.bias = {'\x7f', '\0', '\0', '\0'};
    CHECK(dense_refusal() == "");
    with.bias[0] = '\x80';
    CHECK(one_node::says(dense_refusal(), "sums that do not fit 32 bits"));
  }

  l = {.is = op::depthwise_conv_2d, .height = 2, .width = 2, .channels = 4, .out_channels = 4, .filter_height = 2, .filter_width = 2};
  with = all_weights(l, '\1');
  const auto depthwise_refusal = [&] { return refusal.template operator()<helium::depthwise_conv_2d>(); };
  CHECK(depthwise_refusal() == "");
  CHECK(refusal.template operator()<helium::conv_2d>() == "the layer has groups; the Helium kernel supports only one group");
  with.filter[7] = '\x80';
  CHECK(depthwise_refusal() == "a weight is -128, so the sum of two products may not fit 16 bits");
  l.out_channels = 8;
  with = all_weights(l, '\1');
  CHECK(depthwise_refusal() == "an input channel has 2 output channels; only one is supported");
}

TEST_CASE("the kernel of few channels supports the layers that it computes in fewer instructions") {
  layer l{.is = op::depthwise_conv_2d, .height = 9, .width = 9, .filter_height = 3, .filter_width = 3};
  const auto refusal = [&](int channels, int stride) {
    l.channels = l.out_channels = channels;
    l.stride_h = l.stride_w = stride;
    return one_node::refusal<helium::few_channel_depthwise>(build(l, all_weights(l, '\1')));
  };
  for (const int channels : {3, 5, 12, 20, 28}) CHECK(refusal(channels, 1) == "");
  for (const int channels : {3, 4}) CHECK(refusal(channels, 2) == "");
  const auto* const vectors = "vectors of 16 channels need fewer instructions than groups of four";
  for (const int channels : {4, 8, 14, 16, 30, 32}) CHECK(refusal(channels, 1) == vectors);
  for (const int channels : {5, 8, 20}) CHECK(refusal(channels, 2) == vectors);
  l.filter_height = l.filter_width = 5;
  CHECK(refusal(5, 1) == "the layer is not computed by pairs of rows (depthwise_algorithm::pairs)");
}

TEST_CASE("the Helium kernels obey the laws with pads, rounded once") {
  check_layer<helium::conv_2d, once(layer{.height = 4, .width = 3, .channels = 20, .out_channels = 9}, 0, 0, 1, 1)>();
  check_layer<helium::depthwise_conv_2d, once(layer{.is = op::depthwise_conv_2d,
                                                    .height = 5,
                                                    .width = 6,
                                                    .channels = 18,
                                                    .out_channels = 18,
                                                    .filter_height = 3,
                                                    .filter_width = 3},
                                              2, 0, 0, 2)>();
}

TEST_CASE("the Helium kernels obey the laws") {
  check_layer<helium::fully_connected, layer{.is = op::fully_connected, .batch = 3, .channels = 10, .out_channels = 6}>();
  check_layer<helium::conv_2d,
              layer{.batch = 2, .height = 5, .width = 4, .channels = 5, .out_channels = 6, .filter_height = 3, .filter_width = 3}>();
  check_layer<helium::conv_2d, layer{.height = 3, .width = 3, .channels = 20, .out_channels = 9}>();
  check_layer<
      helium::depthwise_conv_2d,
      layer{
          .is = op::depthwise_conv_2d, .height = 4, .width = 7, .channels = 4, .out_channels = 4, .filter_height = 3, .filter_width = 3}>();
  check_layer<
      helium::few_channel_depthwise,
      layer{
          .is = op::depthwise_conv_2d, .height = 4, .width = 7, .channels = 5, .out_channels = 5, .filter_height = 3, .filter_width = 3}>();
  check_layer<helium::depthwise_conv_2d, layer{.is = op::depthwise_conv_2d,
                                               .batch = 2,
                                               .height = 5,
                                               .width = 6,
                                               .channels = 18,
                                               .out_channels = 18,
                                               .filter_height = 3,
                                               .filter_width = 3}>();
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Nodes that are cut into chunks compute the same as whole nodes: fully connected layers, LSTMs, means, global pools, conversions, and
// images with long rows.
#include <baton/core/static_program.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/plan/memory_policies/in_place.hpp>

#include "run/node_chunks.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string_view>

namespace {

using namespace baton;
using memory_policies::in_place;
using node_chunks::slices_of;
using node_chunks::writer;

constexpr auto portable_list = portable_kernels;
constexpr auto cortex_m_list = cortex_m_kernels + portable_kernels;

template <dtype Type, int Batches, int Channels>
constexpr static_program dense{[] {
  writer w;
  constexpr bool is_int8 = Type == dtype::int8;
  const auto x = w.build.user_input("x", tensor(Type, Batches, 13));
  if (is_int8) w.quantized(x);
  const auto filter = w.weights(tensor(Type, Channels, 13));
  const auto bias = w.weights(tensor(is_int8 ? dtype::int32 : Type, Channels));
  const auto y =
      w.build.call("tfl.fully_connected", {x, filter, bias}, tensor(Type, Batches, Channels), {{"fused_activation_function", "relu"}});
  if (is_int8) w.quantized(y);
  w.build.output(y);
  return w.build.finish();
}};

/// A convolution of 3 by 3 pixels on an image of 5 columns, with a residual sum, and the mean of each channel.
template <int Channels, int Window>
constexpr static_program image{[] {
  writer w;
  const auto shape = tensor(dtype::int8, 1, 3, 5, Channels);
  const auto x = w.quantized(w.build.user_input("x", shape));
  const auto y = w.quantized(w.build.call(
      "tfl.conv_2d", {x, w.weights(tensor(dtype::int8, Channels, Window, Window, Channels)), w.weights(tensor(dtype::int32, Channels))},
      shape, {{"padding", "same"}, {"stride_h", 1}, {"stride_w", 1}, {"fused_activation_function", "none"}}));
  const auto z = w.quantized(w.build.call(
      "tfl.depthwise_conv_2d", {y, w.weights(tensor(dtype::int8, 1, 3, 3, Channels)), w.weights(tensor(dtype::int32, Channels))}, shape,
      {{"padding", "same"}, {"stride_h", 1}, {"stride_w", 1}, {"depth_multiplier", 1}, {"fused_activation_function", "none"}}));
  w.build.output(w.quantized(w.build.call("tfl.mean", {z, w.integers({1, 2})}, tensor(dtype::int8, 1, Channels), {{"keep_dims", 0}})));
  return w.build.finish();
}};

template <dtype Type, int Batches, bool IsTimeMajor>
constexpr static_program lstm{[] {
  writer w;
  constexpr bool is_int8 = Type == dtype::int8;
  constexpr int units = 11;
  constexpr int steps = 3;
  const auto image = [](int width) { return IsTimeMajor ? tensor(Type, steps, Batches, width) : tensor(Type, Batches, steps, width); };
  const auto x = w.build.user_input("x", image(5));
  if (is_int8) w.quantized(x);
  const auto of_gates = [&](const tensor_type& type) {
    return std::array{w.weights(type), w.weights(type), w.weights(type), w.weights(type)};
  };
  const auto input = of_gates(tensor(Type, units, 5));
  const auto recurrent = of_gates(tensor(Type, units, units));
  const auto bias = of_gates(tensor(is_int8 ? dtype::int32 : Type, units));
  constexpr auto omitted = none<value_id>;
  const auto state = [&](std::string_view name, dtype type, float scale) {
    const auto id = w.build.mutable_buffer(name, tensor(type, Batches, units), {});
    if (is_int8) w.build.quantize(id, scale, 0);
    return id;
  };
  const auto hidden = state("hidden", Type, 0.007f);
  const auto cell = state("cell", is_int8 ? dtype::int16 : Type, 1.0f / 2048);
  const auto y = w.build.call(
      "tfl.unidirectional_sequence_lstm",
      {x,       input[0], input[1], input[2], input[3], recurrent[0], recurrent[1], recurrent[2], recurrent[3], omitted,
       omitted, omitted,  bias[0],  bias[1],  bias[2],  bias[3],      omitted,      omitted,      hidden,       cell},
      image(units), {{"fused_activation_function", "tanh"}, {"cell_clip", 0.0}, {"proj_clip", 0.0}, {"time_major", IsTimeMajor ? 1 : 0}});
  if (is_int8) w.build.quantize(y, 0.007f, 0);
  w.build.output(y);
  return w.build.finish();
}};

/// A global average pool, and its result as floats.
template <int Channels>
constexpr static_program pooled{[] {
  writer w;
  const auto x = w.quantized(w.build.user_input("x", tensor(dtype::int8, 1, 3, 5, Channels)));
  const auto y = w.quantized(w.build.call("tfl.average_pool_2d", {x}, tensor(dtype::int8, 1, 1, 1, Channels),
                                          {{"padding", "valid"},
                                           {"stride_h", 1},
                                           {"stride_w", 1},
                                           {"filter_height", 3},
                                           {"filter_width", 5},
                                           {"fused_activation_function", "none"}}));
  w.build.output(w.build.call("tfl.dequantize", {y}, tensor(dtype::float32, 1, 1, 1, Channels)));
  return w.build.finish();
}};

}  // namespace

TEST_CASE("fully connected layers in slices of output channels compute the same as whole nodes") {
  CHECK(slices_of<dense<dtype::int8, 1, 21>, portable_list, 1>() == 3);
  CHECK(slices_of<dense<dtype::int8, 3, 21>, portable_list, 1>() == 9);
  CHECK(slices_of<dense<dtype::float32, 2, 8>, portable_list, 1>() == 2);
  CHECK(slices_of<dense<dtype::int8, 1, 21>, cortex_m_list, 1>() == 6);
  CHECK(slices_of<dense<dtype::int8, 1, 20>, cortex_m_list, 1>() == 5);
  CHECK(slices_of<dense<dtype::int8, 1, 20>, cortex_m_list, 140>() == 3);  // 13 multiply-adds a channel, and an output: two blocks a slice
  CHECK(slices_of<dense<dtype::int8, 1, 21>, cortex_m_list, 1, in_place>() == 6);
}

TEST_CASE("LSTMs in slices of units: the states are those of whole inferences") {
  CHECK(slices_of<lstm<dtype::int8, 2, false>, portable_list, 1>() == 2 * 3 * 11);
  CHECK(slices_of<lstm<dtype::int8, 2, true>, cortex_m_list, 1>() == 2 * 3 * 11);
  CHECK(slices_of<lstm<dtype::float32, 1, false>, portable_list, 1>() == 3 * 11);
}

TEST_CASE("global pools in slices of channels, and conversions in slices of elements, compute the same as whole nodes") {
  CHECK(slices_of<pooled<150>, portable_list, 1>() == 10 + 3);
  CHECK(slices_of<pooled<150>, cortex_m_list, 1>() == 10 + 3);
  CHECK(slices_of<pooled<32>, cortex_m_list, 20>() == 2 + 1);
}

TEST_CASE("images with long rows in slices of pixels, and means in slices of channels, compute the same as whole nodes") {
  // In portable C++, a chunk is a pixel. On a Cortex-M, a chunk has two channels of two of 15 pixels. A depthwise convolution has chunks of
  // four channels of two rows, or of the last row. With six or seven channels, the largest chunk takes longer than a row, so there are
  // three slices of rows.
  CHECK(slices_of<image<4, 3>, portable_list, 1>() == 15 + 15 + 4);
  CHECK(slices_of<image<6, 3>, cortex_m_list, 1>() == 8 * 3 + 3 + 6);
  CHECK(slices_of<image<7, 1>, cortex_m_list, 1>() == 8 * 4 + 3 + 7);
  // Twelve channels, with Winograd: two of six tiles of two by two pixels.
  CHECK(slices_of<image<12, 3>, cortex_m_list, 1>() == 3 + 6 + 12);
  // If an operand overlaps the output, an image is cut into rows only.
  CHECK(slices_of<image<4, 3>, portable_list, 1, in_place>() == 3 + 3 + 4);
}

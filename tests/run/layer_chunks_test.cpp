// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Layers on int16, hybrid layers, filters over time, softmax, products of matrices and functions of elements that are cut into chunks
// compute the same as whole nodes.
#include <baton/core/static_program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/plan/memory_policies/in_place.hpp>

#include "run/node_chunks.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace baton;
using memory_policies::in_place;
using node_chunks::slices_of;
using node_chunks::writer;

constexpr auto portable_list = portable_kernels;
constexpr auto cortex_m_list = cortex_m_kernels + portable_kernels;

/// Returns the number of chunks of the only node of a program.
template <const auto& Program, auto List>
constexpr auto chunks_of() -> std::int32_t {
  const program_view program(Program.value());
  return choose_kernel(List, program, program.nodes[0]).facts.chunks;
}

/// A fully connected layer with 8-bit weights, on int16 or, as a hybrid layer, on float32.
template <dtype Type, int Batches, int Channels>
constexpr static_program dense{[] {
  writer w;
  constexpr bool is_int16 = Type == dtype::int16;
  const auto x = w.build.user_input("x", tensor(Type, Batches, 13));
  if (is_int16) w.quantized(x, 0.01f, 0);
  const auto filter = w.weights(tensor(dtype::int8, Channels, 13));
  const auto bias = w.weights(tensor(is_int16 ? dtype::int32 : Type, Channels));
  const auto y = w.build.call("tfl.fully_connected", {x, filter, bias}, tensor(Type, Batches, Channels),
                              {{"fused_activation_function", "none"}, {"quantized_bias_type", "int32"}, {"keep_num_dims", false}});
  if (is_int16) w.quantized(y, 0.01f, 0);
  w.build.output(y);
  return w.build.finish();
}};

/// A convolution, or a depthwise convolution, of 3 by 3 pixels on int16 images of 5 columns.
template <bool IsDepthwise, int Channels>
constexpr static_program image{[] {
  writer w;
  const auto shape = tensor(dtype::int16, 1, 3, 5, Channels);
  const auto x = w.quantized(w.build.user_input("x", shape), 0.01f, 0);
  const auto filter = w.weights(IsDepthwise ? tensor(dtype::int8, 1, 3, 3, Channels) : tensor(dtype::int8, Channels, 3, 3, Channels));
  const auto y = w.quantized(w.build.call(IsDepthwise ? "tfl.depthwise_conv_2d" : "tfl.conv_2d", {x, filter, none<value_id>}, shape,
                                          {{"padding", "same"}, {"stride_h", 1}, {"stride_w", 1}, {"fused_activation_function", "relu"}}),
                             0.02f, 0);
  w.build.output(y);
  return w.build.finish();
}};

/// A hybrid convolution of a single pixel, or a hybrid depthwise convolution. Its outputs may overwrite the inputs of the same group.
template <bool IsDepthwise>
constexpr static_program hybrid_groups{[] {
  writer w;
  const auto x = w.build.user_input("x", tensor(dtype::float32, 1, 1, 1, 24));
  const auto filter = w.weights(IsDepthwise ? tensor(dtype::int8, 1, 1, 1, 24) : tensor(dtype::int8, 24, 1, 1, 8));
  w.build.output(w.build.call(IsDepthwise ? "tfl.depthwise_conv_2d" : "tfl.conv_2d", {x, filter, none<value_id>},
                              tensor(dtype::float32, 1, 1, 1, 24),
                              {{"padding", "same"}, {"stride_h", 1}, {"stride_w", 1}, {"fused_activation_function", "none"}}));
  return w.build.finish();
}};

/// A hybrid convolution, or a depthwise convolution, of 3 by 3 pixels on images of 5 columns.
template <bool IsDepthwise, int Batches, int Channels>
constexpr static_program hybrid_images{[] {
  writer w;
  const auto shape = tensor(dtype::float32, Batches, 3, 5, Channels);
  const auto x = w.build.user_input("x", shape);
  const auto filter = w.weights(IsDepthwise ? tensor(dtype::int8, 1, 3, 3, Channels) : tensor(dtype::int8, Channels, 3, 3, Channels));
  const auto bias = w.weights(tensor(dtype::float32, Channels));
  w.build.output(w.build.call(IsDepthwise ? "tfl.depthwise_conv_2d" : "tfl.conv_2d", {x, filter, bias}, shape,
                              {{"padding", "same"}, {"stride_h", 1}, {"stride_w", 1}, {"fused_activation_function", "relu"}}));
  return w.build.finish();
}};

/// Filters over time. The state is float32, or integers of the type `State`.
template <dtype State, int Batches, int Units, int Rank>
constexpr static_program filters{[] {
  writer w;
  constexpr bool is_float = State == dtype::float32;
  constexpr auto type = is_float ? State : dtype::int8;
  constexpr int memory = 8;
  const auto x = w.build.user_input("x", tensor(type, Batches, 9));
  const auto feature = w.weights(tensor(type, Units * Rank, 9));
  const auto time = w.weights(tensor(State, Units * Rank, memory));
  const auto bias = w.weights(tensor(is_float ? State : dtype::int32, Units));
  const auto state = w.build.mutable_buffer("state", tensor(State, Batches, Units * Rank * memory), {});
  const auto y = w.build.call("tfl.svdf", {x, feature, time, bias, state}, tensor(type, Batches, Units),
                              {{"rank", Rank}, {"fused_activation_function", "none"}});
  if (!is_float) {
    w.quantized(x, 0.2f, -3);
    w.quantized(state, 0.1f, State == dtype::int8 ? -5 : 0);
    w.quantized(y, 0.02f, 4);
  }
  w.build.output(y);
  return w.build.finish();
}};

template <dtype Type, int Rows, bool IsLog>
constexpr static_program exponentials{[] {
  writer w;
  const auto shape = tensor(Type, 1, Rows, 7);
  const auto x = w.build.user_input("x", shape);
  const auto y = IsLog ? w.build.call("tfl.log_softmax", {x}, shape) : w.build.call("tfl.softmax", {x}, shape, {{"beta", 1.0}});
  if (Type == dtype::int8) {
    w.quantized(x, 0.1f, 3);
    IsLog ? w.quantized(y, 1.0f / 16, 127) : w.quantized(y, 1.0f / 256, -128);
  } else if (Type == dtype::int16) {
    w.quantized(x, 0.001f, 0);
    w.quantized(y, 1.0f / 32768, 0);
  }
  w.build.output(y);
  return w.build.finish();
}};

/// Products of a batch of 2 by 3 matrices and a batch of 1 by 3 matrices. The second operand is transposed if `IsTransposed`.
template <dtype Type, bool IsTransposed>
constexpr static_program product{[] {
  writer w;
  const auto x = w.build.user_input("x", tensor(Type, 2, 3, 4, 5));
  const auto y = w.weights(IsTransposed ? tensor(Type, 1, 3, 9, 5) : tensor(Type, 1, 3, 5, 9));
  const auto z = w.build.call("tfl.batch_matmul", {x, y}, tensor(Type, 2, 3, 4, 9), {{"adj_x", 0}, {"adj_y", IsTransposed ? 1 : 0}});
  if (Type != dtype::float32) {
    w.quantized(x, 0.1f, Type == dtype::int8 ? -3 : 0);
    w.quantized(z, 0.1f, Type == dtype::int8 ? 7 : 0);
  }
  w.build.output(z);
  return w.build.finish();
}};

template <dtype Type, int Count>
constexpr static_program function{[] {
  writer w;
  const auto x = w.build.user_input("x", tensor(Type, 2, Count));
  const auto y = w.build.call(Type == dtype::int16 ? "tfl.exp" : "tfl.leaky_relu", {x}, tensor(Type, 2, Count), {{"alpha", 0.25}});
  if (Type == dtype::int8) w.quantized(x), w.quantized(y, 0.1f, 5);
  if (Type == dtype::int16) w.quantized(x, 0.0001f, 0), w.quantized(y, 0.001f, 0);
  w.build.output(y);
  return w.build.finish();
}};

}  // namespace

TEST_CASE("layers on int16 in slices of channels or pixels compute the same as whole nodes") {
  static_assert(chunks_of<dense<dtype::int16, 1, 21>, cortex_m_list>() == 6);
  CHECK(slices_of<dense<dtype::int16, 1, 21>, cortex_m_list, 1>() == 6);
  CHECK(slices_of<dense<dtype::int16, 3, 10>, cortex_m_list, 1>() == 9);
  CHECK(slices_of<dense<dtype::int16, 2, 16>, cortex_m_list, 120>() == 4);  // 14 operations a channel: two chunks a slice
  CHECK(slices_of<dense<dtype::int16, 2, 21>, portable_list, 1>() == 6);
  // A chunk of a Cortex-M kernel is a pixel. A chunk of a portable kernel has at most eight channels of a pixel.
  static_assert(chunks_of<image<false, 4>, cortex_m_list>() == 15);
  CHECK(slices_of<image<false, 4>, cortex_m_list, 1>() == 15);
  CHECK(slices_of<image<true, 6>, cortex_m_list, 1>() == 15);
  CHECK(slices_of<image<false, 4>, cortex_m_list, 1000>() == 3);  // rows
  CHECK(slices_of<image<false, 11>, portable_list, 1>() == 30);
  CHECK(slices_of<image<true, 6>, portable_list, 1>() == 15);
}

TEST_CASE("hybrid fully connected layers in slices of eight channels compute the same as whole nodes") {
  static_assert(chunks_of<dense<dtype::float32, 3, 21>, portable_list>() == 9);
  CHECK(slices_of<dense<dtype::float32, 3, 21>, portable_list, 1>() == 9);
  CHECK(slices_of<dense<dtype::float32, 1, 16>, portable_list, 1, in_place>() == 2);
  // A chunk has 98 operations on average. The last five channels cost 41 % more, because each quantizes its inputs. With a limit of 280, a
  // slice has two chunks, also of different batch items.
  CHECK(slices_of<dense<dtype::float32, 3, 21>, portable_list, 270>() == 9);
  CHECK(slices_of<dense<dtype::float32, 3, 21>, portable_list, 280>() == 5);
}

TEST_CASE("hybrid layers with groups quantize their inputs before outputs overwrite them") {
  static_assert(chunks_of<hybrid_groups<true>, portable_list>() == 4 && chunks_of<hybrid_groups<false>, portable_list>() == 4);
  CHECK(slices_of<hybrid_groups<true>, portable_list, 1, in_place>() == 4);
  CHECK(slices_of<hybrid_groups<false>, portable_list, 1, in_place>() == 4);
}

TEST_CASE("hybrid convolutions in slices compute the range of an image, then eight channels of a pixel") {
  // An image of 3 by 5 pixels and 11 channels has 165 elements, and an output depends on 99 of them, or on 9 in a depthwise convolution.
  static_assert(chunks_of<hybrid_images<false, 1, 11>, portable_list>() == 1 + 15 * 2);
  static_assert(chunks_of<hybrid_images<true, 2, 11>, portable_list>() == 2 * (3 + 15 * 2));
  CHECK(slices_of<hybrid_images<false, 1, 11>, portable_list, 1>() == 31);
  CHECK(slices_of<hybrid_images<true, 2, 11>, portable_list, 1>() == 66);
  // A chunk has 50 operations on average. Eight channels of a pixel that is not at the border cost 109 % more.
  CHECK(slices_of<hybrid_images<true, 2, 11>, portable_list, 315>() == 22);
  CHECK(slices_of<hybrid_images<true, 2, 11>, portable_list, 420>() == 17);  // four chunks a slice, also of both images
  CHECK(slices_of<hybrid_images<true, 3, 8>, cortex_m_list, 40, in_place>() > 3);
}

TEST_CASE("filters over time in slices of units: the states are those of whole inferences") {
  static_assert(chunks_of<filters<dtype::int8, 2, 9, 2>, cortex_m_list>() == 6);
  CHECK(slices_of<filters<dtype::int8, 2, 9, 2>, cortex_m_list, 1>() == 6);
  CHECK(slices_of<filters<dtype::int16, 1, 10, 1>, cortex_m_list, 1, in_place>() == 3);
  static_assert(chunks_of<filters<dtype::int8, 2, 9, 2>, portable_list>() == 18);
  CHECK(slices_of<filters<dtype::int8, 2, 9, 2>, portable_list, 1>() == 18);
  CHECK(slices_of<filters<dtype::int16, 1, 5, 3>, portable_list, 1>() == 5);
  CHECK(slices_of<filters<dtype::float32, 1, 4, 1>, portable_list, 1>() == 4);
}

TEST_CASE("softmax in slices of rows computes the same as a whole node") {
  static_assert(chunks_of<exponentials<dtype::int8, 5, false>, portable_list>() == 5);
  CHECK(slices_of<exponentials<dtype::int8, 5, false>, portable_list, 1>() == 5);
  CHECK(slices_of<exponentials<dtype::int8, 5, true>, portable_list, 1>() == 5);
  CHECK(slices_of<exponentials<dtype::int16, 4, false>, portable_list, 1>() == 4);
  CHECK(slices_of<exponentials<dtype::float32, 3, true>, portable_list, 1>() == 3);
  CHECK(slices_of<exponentials<dtype::float32, 3, false>, portable_list, 1>() == 3);
}

TEST_CASE("products of matrices in slices of rows compute the same as whole nodes") {
  static_assert(chunks_of<product<dtype::int8, false>, portable_list>() == 24);
  CHECK(slices_of<product<dtype::int8, false>, portable_list, 1>() == 24);
  CHECK(slices_of<product<dtype::int16, true>, portable_list, 1>() == 24);
  CHECK(slices_of<product<dtype::float32, false>, portable_list, 300>() == 5);  // five rows of 54 operations, of different matrices
}

TEST_CASE("functions of elements in slices of 64 elements compute the same as whole nodes") {
  static_assert(chunks_of<function<dtype::int8, 100>, portable_list>() == 4);
  CHECK(slices_of<function<dtype::int8, 100>, portable_list, 1>() == 4);
  CHECK(slices_of<function<dtype::int16, 64>, portable_list, 1>() == 2);
  CHECK(slices_of<function<dtype::float32, 65>, portable_list, 130>() == 1);
  CHECK(slices_of<function<dtype::float32, 65>, portable_list, 64, in_place>() == 3);
}

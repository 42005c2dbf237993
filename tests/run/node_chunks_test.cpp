// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Nodes that are cut into chunks compute the same as whole nodes: fully connected layers, LSTMs, means, global pools, conversions, and
// images with long rows.
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/plan/memory_policies/in_place.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/in_slices.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using memory_policies::in_place;
using memory_policies::no_overlap;

constexpr auto portable_list = portable_kernels;
constexpr auto cortex_m_list = cortex_m_kernels + portable_kernels;

/// Builds programs with random weights.
class writer {
 public:
  program_builder build{};

  constexpr auto quantized(value_id id, float scale = 0.2f, int zero_point = -3) -> value_id {
    build.quantize(id, scale, zero_point);
    return id;
  }
  constexpr auto weights(const tensor_type& type, float scale = 0.01f) -> value_id {
    text_buffer bytes;
    for (std::int64_t i = 0; i < element_count(type.shape()); ++i) add(bytes, type.type, below(255) - 127);
    const auto id = build.parameter(view(name()), type, view(bytes));
    if (type.type == dtype::int8) build.quantize(id, scale, 0);
    return id;
  }
  constexpr auto integers(std::initializer_list<std::int32_t> numbers) -> value_id {
    text_buffer bytes;
    for (const auto number : numbers) add(bytes, dtype::int32, number);
    return build.parameter(view(name()), tensor(dtype::int32, static_cast<int>(numbers.size())), view(bytes));
  }

 private:
  constexpr auto below(int limit) -> int {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<int>((state_ >> 16) % static_cast<unsigned>(limit));
  }
  constexpr auto name() -> text_buffer { return join("v", count_++); }
  static constexpr void add(text_buffer& to, dtype type, int number) {
    const auto bits =
        type == dtype::float32 ? std::bit_cast<std::uint32_t>(static_cast<float>(number) / 128) : static_cast<std::uint32_t>(number);
    for (int b = 0; b < (type == dtype::int8 ? 1 : 4); ++b) to.push_back(static_cast<char>(static_cast<std::uint8_t>(bits >> (8 * b))));
  }

  std::uint32_t state_ = 99;
  int count_ = 0;
};

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

/// Runs some inferences in slices. Returns the number of slices; 0 if an output differs from that of an executor without slices.
template <const auto& Program, auto List, std::uint64_t MaxOperations, class Policy = no_overlap>
auto slices_of() -> int {
  static basic_executor<Program, List, plan_options{}> whole;
  static basic_executor<Program, List, plan_options{}, in_slices::of<MaxOperations>, planned_by<Policy>> net;
  int slices = 0;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < whole.input().size(); ++i)
      whole.input()[i] = net.input()[i] = static_cast<char>((i + 3) * (i + 1) * 37 + 11 * static_cast<std::size_t>(round));
    for (std::size_t i = 3; i < whole.input().size() && whole.input_info().type == dtype::float32; i += 4)
      whole.input()[i] = net.input()[i] = 0x3e;
    whole.run();
    slices = 1;
    net.start();
    while (net.step() == status::ok) ++slices;
    if (!std::equal(whole.output().begin(), whole.output().end(), net.output().begin())) return 0;
  }
  return slices;
}

}  // namespace

TEST_CASE("fully connected layers in slices of output channels") {
  CHECK(slices_of<dense<dtype::int8, 1, 21>, portable_list, 1>() == 3);
  CHECK(slices_of<dense<dtype::int8, 3, 21>, portable_list, 1>() == 9);
  CHECK(slices_of<dense<dtype::float32, 2, 8>, portable_list, 1>() == 2);
  CHECK(slices_of<dense<dtype::int8, 1, 21>, cortex_m_list, 1>() == 6);
  CHECK(slices_of<dense<dtype::int8, 1, 20>, cortex_m_list, 1>() == 5);
  CHECK(slices_of<dense<dtype::int8, 1, 20>, cortex_m_list, 140>() == 3);  // 13 multiply-adds a channel, and an output: two blocks a slice
  CHECK(slices_of<dense<dtype::int8, 1, 21>, cortex_m_list, 1, in_place>() == 6);
}

TEST_CASE("LSTMs in slices of units: the states are those of whole inferences") {
  CHECK(slices_of<lstm<dtype::int8, 2, false>, portable_list, 1>() == 2 * 3 * 2);
  CHECK(slices_of<lstm<dtype::int8, 2, true>, cortex_m_list, 1>() == 2 * 3 * 2);
  CHECK(slices_of<lstm<dtype::float32, 1, false>, portable_list, 1>() == 3 * 2);
}

TEST_CASE("global pools in slices of channels, and conversions in slices of elements") {
  CHECK(slices_of<pooled<150>, portable_list, 1>() == 10 + 3);
  CHECK(slices_of<pooled<150>, cortex_m_list, 1>() == 10 + 3);
  CHECK(slices_of<pooled<32>, cortex_m_list, 20>() == 2 + 1);
}

TEST_CASE("images with long rows in slices of pixels, and means in slices of channels") {
  // In portable C++, a chunk is a pixel. On a Cortex-M, a chunk has two of 15 pixels, and a depthwise convolution has only rows.
  CHECK(slices_of<image<4, 3>, portable_list, 1>() == 15 + 15 + 4);
  CHECK(slices_of<image<6, 3>, cortex_m_list, 1>() == 8 + 3 + 6);
  CHECK(slices_of<image<7, 1>, cortex_m_list, 1>() == 8 + 3 + 7);
  // Eight channels, with Winograd: two of six tiles of two by two pixels.
  CHECK(slices_of<image<8, 3>, cortex_m_list, 1>() == 3 + 3 + 8);
  // If an operand overlaps the output, an image is cut into rows only, and not at all if it is written in descending order.
  CHECK(slices_of<image<4, 3>, portable_list, 1, in_place>() == 1 + 3 + 4);
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Small int8 graphs for the npu, built at compile time or at run time.
#pragma once

#include "kernels/layer.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace npu_graphs {

using baton::dtype;
using baton::tensor;
using baton::value_id;

/// A builder of layers, each with separate weights.
class network {
 public:
  constexpr auto input(std::string_view name, const baton::tensor_type& type) -> value_id {
    const auto id = to_.user_input(name, type);
    to_.quantize(id, 0.05f, -3);
    return id;
  }
  constexpr auto conv(value_id in, int in_channels, const baton::tensor_type& out, int size) -> value_id {
    const auto channels = static_cast<int>(out.sizes[3]);
    const auto weights = filter(tensor(dtype::int8, channels, size, size, in_channels), channels, 0);
    return quantized(
        to_.call("tfl.conv_2d", {in, weights, bias(channels)}, out, {{"padding", "same"}, {"fused_activation_function", "relu6"}}), 0.02f,
        5);
  }
  constexpr auto depthwise(value_id in, const baton::tensor_type& out, int size) -> value_id {
    const auto channels = static_cast<int>(out.sizes[3]);
    const auto weights = filter(tensor(dtype::int8, 1, size, size, channels), channels, 3);
    return quantized(to_.call("tfl.depthwise_conv_2d", {in, weights, bias(channels)}, out, {{"padding", "same"}}), 0.04f, -9);
  }
  constexpr auto fully_connected(value_id in, int inputs, int outputs) -> value_id {
    const auto weights = filter(tensor(dtype::int8, outputs, inputs), 1, 0);
    return quantized(to_.call("tfl.fully_connected", {in, weights, baton::none<value_id>}, tensor(dtype::int8, 1, outputs)), 0.03f, 1);
  }
  constexpr auto add(value_id left, value_id right, const baton::tensor_type& out) -> value_id {
    return quantized(to_.call("tfl.add", {left, right}, out, {{"fused_activation_function", "relu"}}), 0.06f, -20);
  }
  constexpr auto pool(std::string_view op, value_id in, const baton::tensor_type& out, int size) -> value_id {
    return quantized_like(
        in, to_.call(op, {in}, out,
                     {{"padding", "valid"}, {"filter_height", size}, {"filter_width", size}, {"stride_h", size}, {"stride_w", size}}));
  }
  constexpr auto reshape(value_id in, const baton::tensor_type& out) -> value_id {
    return quantized_like(in, to_.call("tfl.reshape", {in}, out));
  }

  /// An operator that the npu does not support.
  constexpr auto softmax(value_id in, const baton::tensor_type& out) -> value_id {
    return quantized(to_.call("tfl.softmax", {in}, out, {{"beta", 1.0}}), 1.0f / 256, -128);
  }
  constexpr auto finish(std::initializer_list<value_id> outputs) -> baton::exported_program {
    for (const auto id : outputs) to_.output(id);
    return to_.finish();
  }

 private:
  constexpr auto quantized(value_id id, float scale, int zero_point) -> value_id {
    to_.quantize(id, scale, zero_point);
    return id;
  }
  constexpr auto quantized_like(value_id in, value_id id) -> value_id {
    to_.at(id).quant = to_.at(in).quant;
    return id;
  }
  constexpr auto filter(const baton::tensor_type& type, int scales, int axis) -> value_id {
    const auto id = data(type);
    baton::vector<float> steps;
    for (int c = 0; c < scales; ++c) steps.push_back(0.002f + 0.0007f * static_cast<float>(c % 5));
    to_.quantize(id, steps, baton::vector<std::int64_t>(steps.size(), 0), axis);
    return id;
  }
  constexpr auto bias(int channels) -> value_id {
    const auto id = data(tensor(dtype::int32, channels));
    auto& record = to_.at(id);
    for (std::uint32_t i = 0; i < record.data.size; ++i) {  // biases of a few thousands, as sums of products are
      if (i % 4 > 1) to_.draft().bytes[record.data.first + i] = '\0';
    }
    return id;
  }
  constexpr auto data(const baton::tensor_type& type) -> value_id {
    baton::vector<char> bytes;
    const auto count = baton::byte_count(type.type, type.shape());
    for (std::int64_t i = 0; i < count; ++i) bytes.push_back(static_cast<char>(one_layer::next_random(seed_) >> 24));
    return to_.parameter(baton::view(baton::join("weights", number_++)), type, bytes);
  }

  baton::program_builder to_;
  std::uint32_t seed_ = 4711;
  int number_ = 0;
};

/// Every operator of the npu, with a branch and a join: eight nodes, one part.
struct every_operator {
  constexpr auto operator()() const -> baton::exported_program {
    network net;
    const auto wide = tensor(dtype::int8, 1, 6, 6, 4);
    const auto first = net.conv(net.input("x", wide), 4, wide, 3);
    const auto spread = net.depthwise(first, tensor(dtype::int8, 1, 6, 6, 8), 3);
    const auto sum = net.add(first, net.conv(spread, 8, wide, 1), wide);
    const auto largest = net.pool("tfl.max_pool_2d", sum, tensor(dtype::int8, 1, 3, 3, 4), 2);
    const auto mean = net.pool("tfl.average_pool_2d", largest, tensor(dtype::int8, 1, 1, 1, 4), 3);
    return net.finish({net.fully_connected(net.reshape(mean, tensor(dtype::int8, 1, 4)), 4, 10)});
  }
};

/// Nodes before the first convolution, more convolutions than the command memory holds, an operator that the npu does not support, nodes
/// after it, and two outputs.
struct long_chain {
  constexpr auto operator()() const -> baton::exported_program {
    network net;
    const auto image = tensor(dtype::int8, 1, 3, 3, 2);
    const auto large = net.input("x", tensor(dtype::int8, 1, 6, 6, 2));
    const auto halved = net.conv(large, 2, tensor(dtype::int8, 1, 6, 6, 2), 3);
    auto last =
        net.depthwise(net.pool("tfl.max_pool_2d", net.softmax(net.reshape(net.input("y", image), image), image), image, 1), image, 3);
    for (int i = 0; i < 9; ++i) last = net.conv(last, 2, image, 2);
    const auto soft = net.softmax(last, image);
    return net.finish({net.add(net.conv(soft, 2, image, 1), soft, image), halved});
  }
};

/// Returns a part that is the whole program. Data of the program become arguments, as in lowering by a partitioner that tags no data.
constexpr auto as_part(baton::exported_program program) -> baton::exported_program {
  for (auto& record : program.values) {
    if (!baton::is_owned_data(record.kind)) continue;
    record.kind = baton::value_kind::user_input;
    record.data = {};
    record.target = {};
  }
  return program;
}

}  // namespace npu_graphs

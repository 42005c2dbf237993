// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random small int8 networks, in which many channels are constant or unused.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace int8_nets {

class random_net {
 public:
  explicit random_net(std::uint32_t seed) : state_(seed * 2654435761u + 99) {
    for (int i = 0; i < 4; ++i) next();
  }

  auto build() -> baton::exported_program {
    image at{{}, from(1, 5), from(1, 5), from(1, 4), 0.05f, zero_point()};
    at.id = b_.user_input("x", baton::tensor(baton::dtype::int8, 1, at.height, at.width, at.channels));
    b_.quantize(at.id, at.scale, at.zero_point);
    for (auto layers = from(2, 6); layers > 0; --layers) {
      const auto kind = from(0, 9);
      if (kind <= 2) at = convolution(at, 1);
      if (kind == 3 || kind == 4) at = convolution(at, from(2, 3));
      if (kind == 5 || kind == 6) at = depthwise(at);
      if (kind == 7) at = pool(at);
      if (kind >= 8) at = sum(at);
    }
    if (from(0, 1) == 0) at = product(at);
    b_.output(at.id);
    return b_.finish();
  }
  auto next() -> std::uint32_t {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    return state_ ^= state_ << 5;
  }

 private:
  struct image {
    baton::value_id id;
    std::int64_t height, width, channels;
    float scale;
    std::int64_t zero_point;
  };

  auto from(std::int64_t low, std::int64_t high) -> std::int64_t {
    return low + static_cast<std::int64_t>((next() >> 8) % static_cast<std::uint32_t>(high - low + 1));
  }
  auto zero_point() -> std::int64_t { return from(0, 2) == 0 ? -128 : from(-60, 60); }
  auto name(const char* prefix) -> std::string { return prefix + std::to_string(++names_); }

  struct operands {
    baton::value_id filter;
    baton::value_id bias;
  };
  /// Adds weights, many of which are 0, also for whole output channels, and biases, some of which the activation clamps.
  auto weights(const baton::tensor_type& type, std::int64_t outputs, std::int64_t each, bool is_depthwise, bool is_per_channel)
      -> operands {
    baton::vector<char> zero(static_cast<std::size_t>(outputs));
    for (auto& is_zero : zero) is_zero = from(0, 2) == 0 ? 1 : 0;
    baton::vector<char> bytes;
    for (std::int64_t i = 0; i < outputs * each; ++i) {
      const auto o = static_cast<std::size_t>(is_depthwise ? i % outputs : i / each);
      bytes.push_back(zero[o] != 0 || from(0, 2) == 0 ? '\0' : static_cast<char>(from(-127, 127)));
    }
    baton::vector<char> biases;
    for (std::int64_t o = 0; o < outputs; ++o) {
      const auto bits = static_cast<std::uint32_t>(from(0, 2) == 0 ? from(-400000, 400000) : from(-9000, 9000));
      for (std::uint32_t at = 0; at < 32; at += 8) biases.push_back(static_cast<char>(bits >> at & 0xff));
    }
    baton::vector<float> scales;
    for (std::int64_t o = 0; o < (is_per_channel ? outputs : 1); ++o) scales.push_back(0.002f * static_cast<float>(from(1, 9)));
    if (from(0, 9) == 0) scales[0] = -scales[0];
    const baton::vector<std::int64_t> zeros(scales.size(), 0);
    const auto filter = b_.parameter(name("w"), type, {bytes.data(), bytes.size()});
    b_.quantize(filter, scales, zeros, is_depthwise ? 3 : 0);
    const auto bias = b_.parameter(name("b"), baton::tensor(baton::dtype::int32, outputs), {biases.data(), biases.size()});
    b_.quantize(bias, scales, zeros, 0);
    return {filter, bias};
  }
  auto activation() -> const char* {
    constexpr const char* all[] = {"none", "relu", "relu", "relu6"};
    return all[from(0, 3)];
  }
  auto finished(const image& result) -> image {
    b_.quantize(result.id, result.scale, result.zero_point);
    images_.push_back(result);
    return result;
  }
  static auto size(bool is_same, std::int64_t in, std::int64_t filter, std::int64_t stride, std::int64_t dilation) -> std::int64_t {
    return is_same ? (in + stride - 1) / stride : (in - (filter - 1) * dilation - 1) / stride + 1;
  }

  auto window(const image& in, const char* op, std::int64_t filter, std::int64_t channels, bool is_depthwise) -> image {
    const auto stride = filter == 1 ? 1 : from(1, 2), dilation = filter == 1 ? 1 : from(1, 2);
    const auto span = (filter - 1) * dilation + 1;
    const bool is_same = span > in.height || span > in.width || from(0, 1) == 0;
    image result{
        {},          size(is_same, in.height, filter, stride, dilation), size(is_same, in.width, filter, stride, dilation), channels, 0.1f,
        zero_point()};
    const auto each = filter * filter * (is_depthwise ? 1 : in.channels);
    const auto type = is_depthwise ? baton::tensor(baton::dtype::int8, 1, filter, filter, channels)
                                   : baton::tensor(baton::dtype::int8, channels, filter, filter, in.channels);
    const auto parameters = weights(type, channels, each, is_depthwise, from(0, 2) != 0);
    result.id = b_.call(name("y"), op, {in.id, parameters.filter, parameters.bias},
                        baton::tensor(baton::dtype::int8, 1, result.height, result.width, channels),
                        {{"padding", is_same ? "same" : "valid"},
                         {"stride_w", stride},
                         {"stride_h", stride},
                         {"dilation_w_factor", dilation},
                         {"dilation_h_factor", dilation},
                         {"depth_multiplier", is_depthwise ? channels / in.channels : 0},
                         {"fused_activation_function", activation()}});
    return finished(result);
  }
  auto convolution(const image& in, std::int64_t filter) -> image { return window(in, "tfl.conv_2d", filter, from(1, 19), false); }
  auto depthwise(const image& in) -> image {
    return window(in, "tfl.depthwise_conv_2d", from(1, 3), in.channels * (from(0, 3) == 0 ? 2 : 1), true);
  }
  auto pool(const image& in) -> image {
    const bool is_same = in.height < 2 || in.width < 2;
    image result{{}, size(is_same, in.height, 2, 1, 1), size(is_same, in.width, 2, 1, 1), in.channels, in.scale, in.zero_point};
    result.id = b_.call(name("y"), from(0, 1) == 0 ? "tfl.average_pool_2d" : "tfl.max_pool_2d", {in.id},
                        baton::tensor(baton::dtype::int8, 1, result.height, result.width, result.channels),
                        {{"padding", is_same ? "same" : "valid"},
                         {"stride_w", 1},
                         {"stride_h", 1},
                         {"filter_width", 2},
                         {"filter_height", 2},
                         {"fused_activation_function", activation()}});
    return finished(result);
  }
  /// Adds the latest other value of the same shape. If there is none, adds a convolution instead.
  auto sum(const image& in) -> image {
    for (auto i = images_.size(); i-- > 0;) {
      const auto& other = images_[i];
      if (other.id == in.id || other.height != in.height || other.width != in.width || other.channels != in.channels) continue;
      image result{{}, in.height, in.width, in.channels, 0.13f, zero_point()};
      result.id = b_.call(name("y"), "tfl.add", {in.id, other.id},
                          baton::tensor(baton::dtype::int8, 1, result.height, result.width, result.channels),
                          {{"fused_activation_function", activation()}});
      return finished(result);
    }
    return convolution(in, 1);
  }
  auto product(const image& in) -> image {
    const auto inputs = in.height * in.width * in.channels, outputs = from(1, 6);
    const std::int64_t sizes[] = {1, inputs};
    baton::vector<char> stated;
    for (const auto number : sizes) {
      for (std::uint32_t at = 0; at < 32; at += 8) stated.push_back(static_cast<char>(static_cast<std::uint32_t>(number) >> at & 0xff));
    }
    const auto shape = b_.constant(name("s"), baton::tensor(baton::dtype::int32, 2), {stated.data(), stated.size()});
    const auto flat = b_.call(name("y"), "tfl.reshape", {in.id, shape}, baton::tensor(baton::dtype::int8, 1, inputs),
                              {{"new_shape", baton::span<const std::int64_t>{sizes}}});
    b_.quantize(flat, in.scale, in.zero_point);
    const auto parameters = weights(baton::tensor(baton::dtype::int8, outputs, inputs), outputs, inputs, false, false);
    b_.at(parameters.filter).quant.scales =
        b_.own(std::string_view{"\x0a\xd7\x23\x3b", 4});  // 0.0025, because this scale must not be negative
    image result{b_.call(name("y"), "tfl.fully_connected", {flat, parameters.filter, parameters.bias},
                         baton::tensor(baton::dtype::int8, 1, outputs), {{"fused_activation_function", activation()}}),
                 1,
                 1,
                 outputs,
                 0.3f,
                 zero_point()};
    return finished(result);
  }

  std::uint32_t state_;
  int names_ = 0;
  baton::program_builder b_;
  baton::vector<image> images_;
};

}  // namespace int8_nets

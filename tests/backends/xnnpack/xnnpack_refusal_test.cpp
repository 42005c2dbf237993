// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Nodes that XNNPACK does not support, with the reason in the message.
#include <baton/backends/xnnpack/detail/translate.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

using baton::dtype;
using baton::tensor;
using baton::value_id;

/// Returns why the last node of a program is not supported, or "" if it is.
auto reason_of(baton::program_builder& build, value_id out) -> std::string {
  build.output(out);
  const auto program = build.finish();
  const auto support = baton::xnnpack::detail::operators::supports(program, program.nodes[program.nodes.size() - 1]);
  return support ? std::string{} : std::string(baton::view(support.reason));
}

auto pair(const char* op, float left, float right, float out, const char* fused = "none", int zero_point = 0) -> std::string {
  baton::program_builder build;
  const auto type = tensor(dtype::int8, 4);
  const auto x = build.user_input("x", type);
  const auto y = build.user_input("y", type);
  build.quantize(x, left, 0);
  build.quantize(y, right, 0);
  const auto z = build.call(op, {x, y}, type, {{"fused_activation_function", fused}});
  build.quantize(z, out, zero_point);
  return reason_of(build, z);
}

/// Returns the reason for a convolution of two channels whose filter has these scales.
auto convolution(float first, float second, float in = 0.5f, dtype bias_type = dtype::int32, bool is_constant = true,
                 const char* op = "tfl.conv_2d", const char* arithmetic = "") -> std::string {
  baton::program_builder build;
  const auto image = tensor(dtype::int8, 1, 2, 2, 2);
  const auto x = build.user_input("x", image);
  build.quantize(x, in, 0);
  const auto filter_type = tensor(dtype::int8, 2, 1, 1, 2);
  const auto filter = is_constant ? build.parameter("w", filter_type, std::string_view{"abcd", 4}) : build.user_input("w", filter_type);
  const std::vector<float> scales{first, second};
  const std::vector<std::int64_t> zeros{0, 0};
  build.quantize(filter, {scales.data(), 2}, {zeros.data(), 2}, 0);
  const auto bias = build.parameter("b", tensor(bias_type, 2), std::string_view{"\0\0\0\0\0\0\0\0", 8});
  const auto y =
      build.call(op, {x, filter, bias}, image, {{"padding", "same"}, {"fused_activation_function", "none"}, {"arithmetic", arithmetic}});
  build.quantize(y, 0.5f, 0);
  return reason_of(build, y);
}

auto fully_connected(bool is_channelwise) -> std::string {
  baton::program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 1, 2));
  build.quantize(x, 0.5f, 0);
  const auto filter = build.parameter("w", tensor(dtype::int8, 2, 2), std::string_view{"abcd", 4});
  const std::vector<float> scales{0.5f, 0.25f};
  const std::vector<std::int64_t> zeros{0, 0};
  const auto count = is_channelwise ? 2u : 1u;
  build.quantize(filter, {scales.data(), count}, {zeros.data(), count}, 0);
  const auto y = build.call("tfl.fully_connected", {x, filter, baton::none<value_id>}, tensor(dtype::int8, 1, 2),
                            {{"fused_activation_function", "none"}});
  build.quantize(y, 0.5f, 0);
  return reason_of(build, y);
}

auto pool(const char* op, dtype type, int filter, int stride, int size = 4) -> std::string {
  baton::program_builder build;
  const auto x = build.user_input("x", tensor(type, 1, size, size, 1));
  const auto output_size = (size - filter) / stride + 1;
  const auto y = build.call(op, {x}, tensor(type, 1, output_size, output_size, 1),
                            {{"padding", "valid"},
                             {"filter_height", filter},
                             {"filter_width", filter},
                             {"stride_h", stride},
                             {"stride_w", stride},
                             {"fused_activation_function", "none"}});
  if (type == dtype::int8) build.quantize(x, 0.5f, 0), build.quantize(y, 0.5f, 0);
  return reason_of(build, y);
}

auto curve(const char* op, dtype type, float scale, int zero_point, double number = 1) -> std::string {
  baton::program_builder build;
  const auto x = build.user_input("x", tensor(type, 4));
  const auto y = build.call(op, {x}, tensor(type, 4), {{"beta", number}, {"alpha", number}});
  if (type == dtype::int8) build.quantize(x, 0.5f, 0), build.quantize(y, scale, zero_point);
  return reason_of(build, y);
}

auto mean(int axis) -> std::string {
  baton::program_builder build;
  const auto x = build.user_input("x", tensor(dtype::float32, 1, 2, 2, 3));
  const char number[] = {static_cast<char>(axis), 0, 0, 0};
  const auto axes = build.constant("axes", tensor(dtype::int32, 1), std::string_view{number, 4});
  const auto y = build.call("tfl.mean", {x, axes}, axis == 1 ? tensor(dtype::float32, 1, 2, 3) : tensor(dtype::float32, 1, 2, 2));
  return reason_of(build, y);
}

/// A constant operand of a node.
struct constant {
  baton::tensor_type type;
  std::string bytes;
};
auto floats(const baton::tensor_type& type) -> constant {
  std::size_t count = 4;
  for (const auto size : type.shape()) count *= static_cast<std::size_t>(size);
  return {type, std::string(count, '\0')};
}
/// Returns an int32 constant of numbers below 128 and -1.
auto words(std::initializer_list<int> numbers, const baton::tensor_type& type) -> constant {
  constant result{type, {}};
  for (const auto number : numbers) result.bytes += std::string{static_cast<char>(number)} + std::string(3, number < 0 ? '\xff' : '\0');
  return result;
}

/// Returns the reason for an operator with one argument and constants after it, or before it if `is_last`.
auto node(const char* op, const baton::tensor_type& in, const baton::tensor_type& out, std::initializer_list<baton::named_literal> options,
          const std::vector<constant>& constants = {}, bool is_last = false) -> std::string {
  baton::program_builder build;
  std::vector<value_id> operands;
  if (!is_last) operands.push_back(build.user_input("x", in));
  for (const auto& one : constants)
    operands.push_back(build.constant(baton::view(baton::join("c", operands.size())), one.type, {one.bytes.data(), one.bytes.size()}));
  if (is_last) operands.push_back(build.user_input("x", in));
  const auto y = operands.size() == 1   ? build.call(op, {operands[0]}, out, options)
                 : operands.size() == 2 ? build.call(op, {operands[0], operands[1]}, out, options)
                                        : build.call(op, {operands[0], operands[1], operands[2]}, out, options);
  return reason_of(build, y);
}
auto real(auto... sizes) -> baton::tensor_type { return tensor(dtype::float32, sizes...); }

}  // namespace

TEST_CASE("xnnpack rejects scales that its kernels cannot span") {
  CHECK(pair("tfl.add", 0.5f, 0.5f, 0.5f) == "");
  CHECK(pair("tfl.add", 0x1p-10f, 0.5f, 1) == "");
  CHECK(pair("tfl.add", 0x1p-11f, 0.5f, 1) == "scales of the first input and the output have a ratio that XNNPACK does not support");
  CHECK(pair("tfl.sub", 0.5f, 0x1p+8f, 1) == "scales of the second input and the output have a ratio that XNNPACK does not support");
  CHECK(pair("tfl.sub", 0.5f, 0x1p+7f, 1) == "");
  CHECK(pair("tfl.mul", 0x1p-9f, 0x1p-8f, 1) == "scales of inputs and output have a ratio that XNNPACK does not support");
  CHECK(pair("tfl.mul", 0x1p-8f, 0x1p-8f, 1) == "");
}

TEST_CASE("xnnpack rejects operators of the namespace baton with other arithmetic") {
  CHECK(convolution(0.5f, 0.25f, 0.5f, dtype::int32, true, "baton.conv_2d", "xnnpack") == "");
  CHECK(convolution(0.5f, 0.25f, 0.5f, dtype::int32, true, "baton.conv_2d") == "its arithmetic is not that of XNNPACK");
}

TEST_CASE("xnnpack rejects filter scales that are not positive and normal, or too large") {
  CHECK(convolution(0.5f, 0.25f) == "");
  for (const auto scale : {-0.5f, 0.0f, std::numeric_limits<float>::denorm_min()}) {
    CHECK(convolution(0.5f, scale) == "a scale of the filter is not positive and normal");
  }
  CHECK(convolution(0.5f, 256) == "scales have a ratio that XNNPACK does not support");
  CHECK(convolution(0.5f, 255) == "");
  CHECK(convolution(0x1p-100f, 0.5f, 0x1p-60f) == "scales have a ratio that XNNPACK does not support");
  CHECK(convolution(0.5f, 0.5f, std::numeric_limits<float>::denorm_min()) == "input has a scale that is not normal");
  CHECK(convolution(0.5f, 0.5f, 0.5f, dtype::float32) == "bias is float32, not int32");
  CHECK(convolution(0.5f, 0.5f, 0.5f, dtype::int32, false) == "filter is not a constant of 4 bytes");
}

TEST_CASE("xnnpack rejects options that its operators lack") {
  CHECK(fully_connected(false) == "");
  const auto channelwise = fully_connected(true);
  CHECK(channelwise == (baton::xnnpack::detail::installed_library.channelwise_fully_connected
                            ? ""
                            : "filter has a scale for each channel, which this version of XNNPACK does not support"));
  CHECK(pool("tfl.max_pool_2d", dtype::int8, 2, 2) == "");
  CHECK(pool("tfl.max_pool_2d", dtype::float32, 1, 1) == "XNNPACK does not support a pool with a window of one element");
  CHECK(pool("tfl.max_pool_2d", dtype::float32, 2, 3, 5) == "the stride is larger than the window, which XNNPACK does not support");
  CHECK(pool("tfl.average_pool_2d", dtype::float32, 2, 2) == "");
  CHECK(pool("tfl.average_pool_2d", dtype::int8, 4, 4) == "");
  CHECK(pool("tfl.average_pool_2d", dtype::int8, 2, 2) ==
        "its window is not the whole image; output is int8, which XNNPACK does not support for this operator");
  CHECK(mean(1) == "XNNPACK supports only means over rows and columns");
  CHECK(mean(3) == "XNNPACK supports only means over rows and columns");
  CHECK(curve("tfl.relu", dtype::int8, 0.5f, 0) == "");
  CHECK(curve("tfl.relu", dtype::int8, 0.25f, 0) == "input and output have different scales or zero points");
  CHECK(curve("tfl.relu", dtype::int8, 0.5f, 1) == "input and output have different scales or zero points");
  CHECK(curve("tfl.relu", dtype::int8, 0.5f, 127).starts_with("input and output"));
  CHECK(curve("tfl.logistic", dtype::int8, 1.0f / 256, -128) == "");
  CHECK(curve("tfl.logistic", dtype::int8, 1.0f / 128, -128) == "output does not have scale 1/256 and zero point -128");
  CHECK(curve("tfl.softmax", dtype::float32, 0, 0, 2.0) == "beta is not 1");
  CHECK(curve("tfl.leaky_relu", dtype::float32, 0, 0, 1e300) == "alpha is not finite");
  CHECK(curve("tfl.abs", dtype::int8, 0.5f, 0) == "input is int8, which XNNPACK does not support for this operator");
  CHECK(curve("tfl.sin", dtype::float32, 0, 0) == "no translation of tfl.sin");
}

TEST_CASE("xnnpack rejects layers whose shapes or options do not match") {
  const std::initializer_list<baton::named_literal> same{{"padding", "same"}, {"fused_activation_function", "none"}};
  const auto image = real(1, 4, 4, 2);
  CHECK(node("tfl.conv_2d", image, image, same, {floats(real(2, 1, 1, 2))}) == "");
  CHECK(node("tfl.conv_2d", real(1, 4, 4, 4), real(1, 4, 4, 3), same, {floats(real(3, 1, 1, 2))}) ==
        "filter channels 2 do not match input channels 4");
  CHECK(node("tfl.conv_2d", image, image, same, {floats(real(2, 1, 1, 2)), floats(real(3))}) == "bias has 3 elements for 2 channels");
  CHECK(node("tfl.depthwise_conv_2d", image, image, same, {floats(real(2, 1, 1, 2))}) ==
        "first and last dimension of the filter are 2 and 2, not 1 and a multiple of the 2 input channels");
  CHECK(node("tfl.fully_connected", real(1, 2), real(1, 2), {{"weights_format", "shuffled4x16int8"}}, {floats(real(2, 2))}) ==
        "weights are in format shuffled4x16int8, which XNNPACK does not support");
  const auto transposed = [&](int rows, int channels) {
    return node("tfl.transpose_conv", image, real(1, rows, 8, 2), {{"padding", "valid"}, {"stride_h", 2}, {"stride_w", 2}},
                {words({1, rows, 8, 2}, tensor(dtype::int32, 4)), floats(real(2, 2, 2, channels))}, true);
  };
  CHECK(transposed(8, 2) == "");
  CHECK(transposed(8, 3) == "channels or batches of input, filter and output do not match");
  CHECK(transposed(20, 2) == "output size 20 does not match input size 4");
  CHECK(node("tfl.prelu", image, image, {}, {floats(real(1, 1, 1))}) == "slope has 1 element for 2 channels");
  CHECK(pair("tfl.add", 0.5f, 0.5f, 0.5f, "relu", 126) == "");
  CHECK(pair("tfl.add", 0.5f, 0.5f, 0.5f, "relu", 127) == "the range of the activation is a single number");
}

TEST_CASE("xnnpack rejects moves that it does not support") {
  const auto image = real(1, 2, 2, 1);
  CHECK(node("tfl.pad", real(2), real(1), {}, {words({-1, 0}, tensor(dtype::int32, 1, 2))}) == "padding of dimension 0 is negative");
  const auto size = words({2, 2}, tensor(dtype::int32, 2));
  CHECK(node("tfl.resize_bilinear", image, image, {}, {size}) == "");
  CHECK(node("tfl.resize_bilinear", image, image, {{"align_corners", true}, {"half_pixel_centers", true}}, {size}) ==
        "align_corners and half_pixel_centers exclude each other");
  CHECK(node("tfl.resize_bilinear", real(1, 1 << 20, 1, 1), image, {}, {size}) == "an image has 1048576 or more rows or columns");
  const auto large = real(1, 256, 256, 1);
  CHECK(node("tfl.mean", large, real(1, 1), {}, {words({1, 2}, tensor(dtype::int32, 2))}) ==
        "an image of 256 by 256 elements is too large to sum");
  baton::program_builder build;
  const auto constant = build.constant("c", tensor(dtype::int8, 1), {"\1", 1});
  build.quantize(constant, 0.5f, 0);
  CHECK(reason_of(build, build.call("tfl.dequantize", {constant}, real(1))) == "input is a constant");
  baton::program_builder sum;
  const auto one = sum.constant("c", real(1), {"\0\0\0\0", 4});
  CHECK(reason_of(sum, sum.call("tfl.add", {one, one}, real(1), {{"fused_activation_function", "none"}})) == "both inputs are constants");
}

TEST_CASE("xnnpack rejects a hyperbolic tangent with another output scale") {
  constexpr baton::xnnpack::detail::library newer{.concatenation = true, .tanh = true, .channelwise_fully_connected = true};
  baton::program_builder build;
  const auto type = tensor(dtype::int8, 4);
  const auto x = build.user_input("x", type);
  const auto y = build.call("tfl.tanh", {x}, type);
  build.quantize(x, 0.5f, 0);
  build.quantize(y, 0.5f, 0);
  build.output(y);
  const auto program = build.finish();
  const auto translation = baton::xnnpack::detail::translate_tanh<newer>(program, program.nodes[0]);
  CHECK(baton::view(translation.support.reason) == "output does not have scale 1/128 and zero point 0");
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What XNNPACK does not take, and the reason that a person reads.
#include <baton/backends/xnnpack/detail/translate.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

using baton::dtype;
using baton::tensor;
using baton::value_id;

/// Why the last node of a program is not taken; nothing where it is.
auto reason_of(baton::program_builder& build, value_id out) -> std::string {
  build.output(out);
  const auto program = build.finish();
  const auto found = baton::xnnpack::detail::operators::supports(program, program.nodes[program.nodes.size() - 1]);
  return found ? std::string{} : std::string(baton::view(found.reason));
}

auto pair(const char* op, float left, float right, float out) -> std::string {
  baton::program_builder build;
  const auto type = tensor(dtype::int8, 4);
  const auto x = build.user_input("x", type);
  const auto y = build.user_input("y", type);
  build.quantize(x, left, 0);
  build.quantize(y, right, 0);
  const auto made = build.call(op, {x, y}, type, {{"fused_activation_function", "none"}});
  build.quantize(made, out, 0);
  return reason_of(build, made);
}

/// A convolution of two channels with these scales of its filter.
auto convolution(float first, float second, float in = 0.5f, dtype bias_type = dtype::int32, bool is_constant = true) -> std::string {
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
  const auto made = build.call("tfl.conv_2d", {x, filter, bias}, image, {{"padding", "same"}, {"fused_activation_function", "none"}});
  build.quantize(made, 0.5f, 0);
  return reason_of(build, made);
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
  const auto made = build.call("tfl.fully_connected", {x, filter, baton::none<value_id>}, tensor(dtype::int8, 1, 2),
                               {{"fused_activation_function", "none"}});
  build.quantize(made, 0.5f, 0);
  return reason_of(build, made);
}

auto pool(const char* op, dtype type, int filter, int stride, int size = 4) -> std::string {
  baton::program_builder build;
  const auto x = build.user_input("x", tensor(type, 1, size, size, 1));
  const auto made_size = (size - filter) / stride + 1;
  const auto made = build.call(op, {x}, tensor(type, 1, made_size, made_size, 1),
                               {{"padding", "valid"},
                                {"filter_height", filter},
                                {"filter_width", filter},
                                {"stride_h", stride},
                                {"stride_w", stride},
                                {"fused_activation_function", "none"}});
  if (type == dtype::int8) build.quantize(x, 0.5f, 0), build.quantize(made, 0.5f, 0);
  return reason_of(build, made);
}

auto curve(const char* op, dtype type, float scale, int zero_point, double number = 1) -> std::string {
  baton::program_builder build;
  const auto x = build.user_input("x", tensor(type, 4));
  const auto made = build.call(op, {x}, tensor(type, 4), {{"beta", number}, {"alpha", number}});
  if (type == dtype::int8) build.quantize(x, 0.5f, 0), build.quantize(made, scale, zero_point);
  return reason_of(build, made);
}

auto mean(int axis) -> std::string {
  baton::program_builder build;
  const auto x = build.user_input("x", tensor(dtype::float32, 1, 2, 2, 3));
  const char number[] = {static_cast<char>(axis), 0, 0, 0};
  const auto axes = build.constant("axes", tensor(dtype::int32, 1), std::string_view{number, 4});
  const auto made = build.call("tfl.mean", {x, axes}, axis == 1 ? tensor(dtype::float32, 1, 2, 3) : tensor(dtype::float32, 1, 2, 2));
  return reason_of(build, made);
}

}  // namespace

TEST_CASE("xnnpack refuses scales that its kernels cannot span") {
  CHECK(pair("tfl.add", 0.5f, 0.5f, 0.5f) == "");
  CHECK(pair("tfl.add", 0x1p-10f, 0.5f, 1) == "");
  CHECK(pair("tfl.add", 0x1p-11f, 0.5f, 1) == "scales of the first input and the output are too far apart for XNNPACK");
  CHECK(pair("tfl.sub", 0.5f, 0x1p+8f, 1) == "scales of the second input and the output are too far apart for XNNPACK");
  CHECK(pair("tfl.sub", 0.5f, 0x1p+7f, 1) == "");
  CHECK(pair("tfl.mul", 0x1p-9f, 0x1p-8f, 1) == "scales of inputs and output are too far apart for XNNPACK");
  CHECK(pair("tfl.mul", 0x1p-8f, 0x1p-8f, 1) == "");
}

TEST_CASE("xnnpack refuses filters whose scales are no positive, normal numbers, or too large") {
  CHECK(convolution(0.5f, 0.25f) == "");
  for (const auto scale : {-0.5f, 0.0f, std::numeric_limits<float>::denorm_min()}) {
    CHECK(convolution(0.5f, scale) == "a scale of the filter is not positive and normal");
  }
  CHECK(convolution(0.5f, 256) == "scales are too far apart for XNNPACK");
  CHECK(convolution(0.5f, 255) == "");
  CHECK(convolution(0x1p-100f, 0.5f, 0x1p-60f) == "scales are too far apart for XNNPACK");
  CHECK(convolution(0.5f, 0.5f, std::numeric_limits<float>::denorm_min()) == "input has a scale that is not normal");
  CHECK(convolution(0.5f, 0.5f, 0.5f, dtype::float32) == "bias is float32");
  CHECK(convolution(0.5f, 0.5f, 0.5f, dtype::int32, false) == "filter is no constant of 4 bytes");
}

TEST_CASE("xnnpack refuses what its operators do not have") {
  CHECK(fully_connected(false) == "");
  const auto channelwise = fully_connected(true);
  CHECK(channelwise == (baton::xnnpack::detail::at_hand.channelwise_fully_connected
                            ? ""
                            : "filter has a scale for each channel, which this version of XNNPACK lacks"));
  CHECK(pool("tfl.max_pool_2d", dtype::int8, 2, 2) == "");
  CHECK(pool("tfl.max_pool_2d", dtype::float32, 1, 1) == "a window of one element is no pool for XNNPACK");
  CHECK(pool("tfl.max_pool_2d", dtype::float32, 2, 3, 5) == "windows leave elements out, which XNNPACK refuses");
  CHECK(pool("tfl.average_pool_2d", dtype::float32, 2, 2) == "");
  CHECK(pool("tfl.average_pool_2d", dtype::int8, 4, 4) == "");
  CHECK(pool("tfl.average_pool_2d", dtype::int8, 2, 2) ==
        "its window is not the whole image; output is int8, which XNNPACK has no such operator for");
  CHECK(mean(1) == "XNNPACK has means over rows and columns alone");
  CHECK(mean(3) == "XNNPACK has means over rows and columns alone");
  CHECK(curve("tfl.relu", dtype::int8, 0.5f, 0) == "");
  CHECK(curve("tfl.relu", dtype::int8, 0.25f, 0) == "input and output have different scales or zero points");
  CHECK(curve("tfl.relu", dtype::int8, 0.5f, 1) == "input and output have different scales or zero points");
  CHECK(curve("tfl.relu", dtype::int8, 0.5f, 127).starts_with("input and output"));
  CHECK(curve("tfl.logistic", dtype::int8, 1.0f / 256, -128) == "");
  CHECK(curve("tfl.logistic", dtype::int8, 1.0f / 128, -128) == "output does not have scale 1/256 and zero point -128");
  CHECK(curve("tfl.softmax", dtype::float32, 0, 0, 2.0) == "beta is not 1");
  CHECK(curve("tfl.leaky_relu", dtype::float32, 0, 0, 1e300) == "alpha is not finite");
  CHECK(curve("tfl.abs", dtype::int8, 0.5f, 0) == "input is int8, which XNNPACK has no such operator for");
  CHECK(curve("tfl.sin", dtype::float32, 0, 0) == "no translation of tfl.sin");
}

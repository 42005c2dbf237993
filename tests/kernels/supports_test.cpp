// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Nodes that the kernels reject, with the reason: every requirement of `supports`, violated one at a time.
#include "layer.hpp"

#include <baton/core/error.hpp>
#include <baton/kernels/kernels.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using one_layer::layer;
using one_layer::op;

constexpr layer convolution{.height = 5, .width = 6, .channels = 4, .out_channels = 6, .filter_height = 3, .filter_width = 3};
const std::string zeros(8192, '\0');

auto program_of(const layer& l) -> exported_program {
  return one_layer::build(l, std::string_view{zeros}.substr(0, static_cast<std::size_t>(l.bytes_of(l.filter_count()))),
                          std::string_view{zeros}.substr(0, static_cast<std::size_t>(4 * l.out_channels)));
}
auto with(layer l, op is) -> layer {
  l.is = is;
  if (is == op::depthwise_conv_2d) l.out_channels = 2 * l.channels;
  if (is == op::average_pool_2d || is == op::max_pool_2d) l.out_channels = l.channels;
  if (is == op::fully_connected) l.height = l.width = l.filter_height = l.filter_width = 1;
  return l;
}

/// Returns "yes" if the first node is supported, or the reason if not.
auto answer(const exported_program& program) -> std::string {
  const auto support = choose_kernel(portable_kernels, program, program.nodes[0]).support;
  return support.accepted ? "yes" : std::string(view(support.reason));
}

/// Returns the answer after `change` to the program of a layer.
template <class F>
auto after(const layer& l, F change) -> std::string {
  auto program = program_of(l);
  REQUIRE(answer(program) == "yes");
  change(program);
  return answer(program);
}

auto input(exported_program& p) -> value& { return p.values[0]; }
auto filter(exported_program& p) -> value& { return p.values[1]; }
auto bias(exported_program& p) -> value& { return p.values[2]; }
auto output(exported_program& p) -> value& { return p.values.back(); }
auto sizes(exported_program& p, value& of) -> std::int64_t* { return p.integers.data() + of.shape.first; }
auto option(exported_program& p, literal_name key) -> attribute& {
  for (auto& record : p.attributes) {
    if (record.key == key.hash) return record;
  }
  FAIL("no such option");
  return p.attributes[0];
}
void set_text(exported_program& p, attribute& of, std::string_view text) {
  of.bytes = {nullptr, static_cast<std::uint32_t>(p.bytes.size()), static_cast<std::uint32_t>(text.size())};
  p.bytes.insert(p.bytes.end(), text.begin(), text.end());
}
void set_scale(exported_program& p, value& of, std::uint32_t channel, float scale) {
  one_layer::put_32(p.bytes.data() + of.quant.scales.first + 4 * channel, std::bit_cast<std::uint32_t>(scale));
}
void set_zero_point(exported_program& p, value& of, std::uint32_t channel, int zero_point) {
  one_layer::put_32(p.bytes.data() + of.quant.zero_points.first + 8 * channel, static_cast<std::uint32_t>(zero_point));
  one_layer::put_32(p.bytes.data() + of.quant.zero_points.first + 8 * channel + 4, zero_point < 0 ? 0xffffffffu : 0);
}

}  // namespace

TEST_CASE("an unknown operator is rejected") {
  auto p = program_of(convolution);
  p.nodes[0].op = hash_of("tfl.unheard_of");
  CHECK(answer(p) == "no kernel in the list supports this operator");
}

TEST_CASE("conv_2d with unsupported operands is rejected") {
  CHECK(after(convolution, [](auto& p) { p.nodes[0].inputs.size = 1; }) == "the operator has 1 operand, not 2 to 3");
  CHECK(after(convolution, [](auto& p) { p.nodes[0].outputs.size = 0; }) == "the operator has 0 outputs, not 1");
  CHECK(after(convolution, [](auto& p) { p.operands[p.nodes[0].inputs.first] = none<value_id>; }) == "input is missing");
  CHECK(after(convolution, [](auto& p) { p.operands[p.nodes[0].inputs.first + 1] = value_id{99}; }) == "filter is missing");
  CHECK(after(convolution, [](auto& p) { p.operands[p.nodes[0].inputs.first + 2] = none<value_id>; }) == "yes");
  CHECK(after(convolution, [](auto& p) { p.nodes[0].inputs.size = 2; }) == "yes");
  CHECK(after(convolution, [](auto& p) { input(p).shape.size = 3; }) == "input has rank 3, not 4");
  CHECK(after(convolution, [](auto& p) { filter(p).shape.size = 0; }) == "filter has rank 0, not 4");
  CHECK(after(convolution, [](auto& p) { output(p).shape.size = 3; }) == "output has rank 3, not 4");
}

TEST_CASE("conv_2d with unsupported sizes is rejected") {
  for (const std::int64_t size :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 31, std::int64_t{1} << 62, std::numeric_limits<std::int64_t>::min()}) {
    CHECK(after(convolution, [&](auto& p) { sizes(p, input(p))[1] = size; }) == "input is empty, of unknown size or over 1073741824 bytes");
    CHECK(after(convolution, [&](auto& p) { sizes(p, filter(p))[3] = size; }) ==
          "filter is empty, of unknown size or over 1073741824 bytes");
    CHECK(after(convolution, [&](auto& p) { sizes(p, output(p))[2] = size; }) ==
          "output is empty, of unknown size or over 1073741824 bytes");
  }
  CHECK(after(convolution, [](auto& p) { sizes(p, output(p))[0] = 2; }) == "batch size of the input is 1, of the output 2");
  CHECK(after(convolution, [](auto& p) { sizes(p, output(p))[3] = 5; }) == "filter has 6 output channels, the output has 5");
  CHECK(after(convolution, [](auto& p) { sizes(p, filter(p))[3] = 3; }) == "filter channels 3 do not match input channels 4");
  CHECK(after(convolution, [](auto& p) { sizes(p, input(p))[3] = 16; }) == "filter channels 4 do not match input channels 16");
  CHECK(after(convolution, [](auto& p) { sizes(p, output(p))[1] = 4; }) == "output height is 4, expected is 5");
  CHECK(after(convolution, [](auto& p) { option(p, "stride_w").integer = 2; }) == "output width is 6, expected is 3");
}

TEST_CASE("weights and biases of float layers may be dequantized") {
  const auto dense = [](int outputs, dtype stored, bool is_input) {
    program_builder b;
    const auto x = b.user_input("x", tensor(dtype::float32, 1, 4));
    const auto type = tensor(stored, outputs, 4);
    const auto half = is_input ? b.user_input("half", type) : b.parameter("half", type);
    const auto weights = b.call("tfl.dequantize", {half}, tensor(dtype::float32, outputs, 4));
    const auto half_bias = b.parameter("half_bias", tensor(dtype::float16, outputs));
    const auto bias = b.call("tfl.dequantize", {half_bias}, tensor(dtype::float32, outputs));
    b.output(b.call("tfl.fully_connected", {x, weights, bias}, tensor(dtype::float32, 1, outputs)));
    const auto program = b.finish();
    const auto support = choose_kernel(portable_kernels, program, program.nodes[2]).support;
    return support.accepted ? "yes" : std::string(view(support.reason));
  };
  CHECK(dense(3, dtype::float16, false) == "yes");
  CHECK(dense(70, dtype::float16, false) == "yes");
  CHECK(dense(3, dtype::float16, true) == "yes");
  CHECK(dense(3, dtype::int8, false) == "yes");
}

TEST_CASE("conv_2d with unsupported options is rejected") {
  CHECK(after(convolution, [](auto& p) { option(p, "stride_h").integer = 0; }) == "stride_h is 0, not 1 to 1073741824");
  CHECK(after(convolution, [](auto& p) { option(p, "stride_w").integer = -1; }) == "stride_w is -1, not 1 to 1073741824");
  CHECK(after(convolution, [](auto& p) { option(p, "dilation_h_factor").integer = 0; }) == "dilation_h_factor is 0, not 1 to 1073741824");
  CHECK(after(convolution, [](auto& p) { option(p, "dilation_w_factor").integer = std::int64_t{1} << 40; }) ==
        "dilation_w_factor is 1099511627776, not 1 to 1073741824");
  CHECK(after(convolution, [](auto& p) { option(p, "dilation_w_factor").integer = std::int64_t{1} << 29; }) ==
        "filter width 3 with dilation 536870912 is too large");
  CHECK(after(convolution, [](auto& p) { set_text(p, option(p, "padding"), "explicit"); }) == "padding is explicit, not same or valid");
  CHECK(after(convolution, [](auto& p) { option(p, "padding").key = 1; }) == "padding is , not same or valid");
  CHECK(after(convolution, [](auto& p) { set_text(p, option(p, "fused_activation_function"), "tanh"); }) ==
        "fused activation tanh is not supported");
  CHECK(after(convolution, [](auto& p) { option(p, "fused_activation_function").key = 1; }) == "yes");
}

TEST_CASE("conv_2d with unsupported types or data is rejected") {
  CHECK(after(convolution, [](auto& p) { filter(p).type = dtype::uint8; }) ==
        "input int8, filter uint8 and output int8 are not supported as types of a layer with weights");
  CHECK(after(convolution, [](auto& p) { output(p).type = dtype::int16; }) ==
        "input int8, filter int8 and output int16 are not supported as types of a layer with weights");
  CHECK(after(convolution, [](auto& p) { input(p).type = dtype::text; }) == "input is empty, of unknown size or over 1073741824 bytes");
  CHECK(after(convolution, [](auto& p) { filter(p).kind = value_kind::user_input; }) == "yes");
  CHECK(after(convolution, [](auto& p) { filter(p).kind = value_kind::mutable_buffer; }) == "filter is not a constant of 216 bytes");
  CHECK(after(convolution, [](auto& p) { filter(p).data.size = 215; }) == "filter is not a constant of 216 bytes");
  CHECK(after(convolution, [](auto& p) { filter(p).data = {}; }) == "filter is not a constant of 216 bytes");
  CHECK(after(convolution, [](auto& p) { bias(p).data.size = 20; }) == "bias is not a constant of 24 bytes");
  CHECK(after(convolution, [](auto& p) { bias(p).kind = value_kind::user_input; }) == "bias is not a constant of 24 bytes");
  CHECK(after(convolution, [](auto& p) { filter(p).kind = bias(p).kind = value_kind::external_constant; }) == "yes");
  CHECK(after(convolution, [](auto& p) { bias(p).type = dtype::int64; }) == "bias is int64, not int32");
  CHECK(after(convolution, [](auto& p) { sizes(p, bias(p))[0] = 5; }) == "bias has 5 elements for 6 channels");
}

TEST_CASE("conv_2d with unsupported quantization is rejected") {
  CHECK(after(convolution, [](auto& p) { input(p).quant.channels = 0; }) == "input has no quantization per tensor");
  CHECK(after(convolution, [](auto& p) { output(p).quant.channels = 2; }) == "output has no quantization per tensor");
  CHECK(after(convolution, [](auto& p) { output(p).quant.scales.size = 3; }) == "output has no quantization per tensor");
  CHECK(after(convolution, [](auto& p) { output(p).quant.zero_points.size = 4; }) == "output has no quantization per tensor");
  CHECK(after(convolution, [](auto& p) { output(p).quant.zero_points.size = 0; }) == "yes");
  CHECK(after(convolution, [](auto& p) { set_zero_point(p, input(p), 0, 128); }) == "input has zero point 128");
  CHECK(after(convolution, [](auto& p) { set_zero_point(p, output(p), 0, -129); }) == "output has zero point -129");
  for (const float scale : {0.0f, -1.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    CHECK(after(convolution, [&](auto& p) { set_scale(p, input(p), 0, scale); }) == "input has a scale that is not positive and finite");
    CHECK(after(convolution, [&](auto& p) { set_scale(p, output(p), 0, scale); }) == "output has a scale that is not positive and finite");
    const auto of_filter = after(convolution, [&](auto& p) { set_scale(p, filter(p), 5, scale); });
    CHECK(of_filter == (std::isfinite(scale) ? "yes" : "filter scale 5 is not finite"));
  }
  CHECK(after(convolution, [](auto& p) { set_scale(p, filter(p), 5, 0.0f); }) == "yes");
  CHECK(after(convolution, [](auto& p) { set_zero_point(p, filter(p), 3, 1); }) == "filter zero point 3 is not 0");
  CHECK(after(convolution, [](auto& p) { filter(p).quant.zero_points = {}; }) == "yes");
  CHECK(after(convolution, [](auto& p) { filter(p).quant.channels = 0; }) ==
        "filter has 0 scales along axis 0 for 6 channels along axis 0");
  CHECK(after(convolution, [](auto& p) { filter(p).quant.channels = 5; }) ==
        "filter has 5 scales along axis 0 for 6 channels along axis 0");
  CHECK(after(convolution, [](auto& p) { filter(p).quant.axis = 3; }) == "filter has 6 scales along axis 3 for 6 channels along axis 0");
  CHECK(after(convolution, [](auto& p) { filter(p).quant.scales.size = 20; }) == "filter has a damaged quantization");
  CHECK(after(convolution, [](auto& p) { filter(p).quant.zero_points.size = 40; }) == "filter has a damaged quantization");
}

TEST_CASE("unsupported nodes of depthwise_conv_2d are rejected") {
  const auto l = with(convolution, op::depthwise_conv_2d);
  CHECK(after(l, [](auto& p) { option(p, "depth_multiplier").integer = 0; }) == "yes");
  CHECK(after(l, [](auto& p) { option(p, "depth_multiplier").integer = 3; }) == "depth multiplier 3 does not match channels 4 and 8");
  CHECK(after(l, [](auto& p) { option(p, "depth_multiplier").integer = -2; }) == "depth_multiplier is -2, not 0 to 1073741824");
  CHECK(after(l, [](auto& p) { sizes(p, filter(p))[0] = 2; }) == "first dimension of the filter is 2, not 1");
  CHECK(after(l, [](auto& p) { sizes(p, filter(p))[3] = 7; }) == "filter has 7 output channels, the output has 8");
  CHECK(after(l, [](auto& p) { sizes(p, input(p))[3] = 3; }) == "output channels 8 are not a multiple of input channels 3");
  CHECK(after(l, [](auto& p) { sizes(p, input(p))[3] = 16; }) == "output channels 8 are not a multiple of input channels 16");
  CHECK(after(l, [](auto& p) { filter(p).quant.axis = 0; }) == "filter has 8 scales along axis 0 for 8 channels along axis 3");
  CHECK(after(l, [](auto& p) { sizes(p, output(p))[0] = 3; }) == "batch size of the input is 1, of the output 3");
  CHECK(after(l, [](auto& p) { option(p, "stride_h").integer = 4; }) == "output height is 5, expected is 2");
}

TEST_CASE("unsupported nodes of fully_connected are rejected") {
  const auto l = with({.batch = 3, .channels = 8, .out_channels = 5}, op::fully_connected);
  CHECK(after(l, [](auto& p) { sizes(p, input(p))[1] = 9; }) == "input has 27 elements, which is not a multiple of 8");
  CHECK(after(l, [](auto& p) { sizes(p, output(p))[1] = 4; }) == "output of 12 elements does not consist of 3 rows of 5");
  CHECK(after(l, [](auto& p) { sizes(p, output(p))[0] = 2; }) == "output of 10 elements does not consist of 3 rows of 5");
  CHECK(after(l, [](auto& p) { option(p, "keep_num_dims").integer = 1; }) == "yes");
  CHECK(after(l, [](auto& p) {
          option(p, "keep_num_dims").integer = 1;
          sizes(p, input(p))[0] = 24;
          sizes(p, input(p))[1] = 1;
        }) == "output does not keep the input's dimensions");
  CHECK(after(l, [](auto& p) {
          auto& format = option(p, "padding");
          format.key = hash_of("weights_format");
          set_text(p, format, "shuffled4x16int8");
        }) == "weights are in format shuffled4x16int8");
  const auto wide = with({.channels = 1, .out_channels = 1}, op::fully_connected);
  CHECK(after(wide, [](auto& p) { sizes(p, input(p))[1] = sizes(p, filter(p))[1] = 65794; }) == "filter is not a constant of 65794 bytes");
  CHECK(after(wide, [](auto& p) {
          sizes(p, input(p))[1] = sizes(p, filter(p))[1] = 65794;
          static const std::string data(65794, '\0');
          filter(p).data = program_builder::view(data);
        }) == "sums of 65794 products may not fit 32 bits");
}

TEST_CASE("unsupported pools are rejected") {
  for (const auto is : {op::average_pool_2d, op::max_pool_2d}) {
    const auto l = with(convolution, is);
    CHECK(after(l, [](auto& p) { option(p, "filter_height").integer = 0; }) == "filter_height is 0, not 1 to 1073741824");
    CHECK(after(l, [](auto& p) { option(p, "filter_width").key = 1; }) == "filter_width is 0, not 1 to 1073741824");
    CHECK(after(l, [](auto& p) { option(p, "filter_width").integer = option(p, "filter_height").integer = 32768; }) ==
          "sums over 32768 by 32768 elements may not fit 32 bits");
    CHECK(after(l, [](auto& p) { option(p, "filter_width").integer = 1000; }) == "yes");
    CHECK(after(l, [](auto& p) { sizes(p, output(p))[3] = 2; }) == "output and input have different batches or channels");
    CHECK(after(l, [](auto& p) { output(p).type = dtype::float32; }) ==
          "input int8 and output float32 are not both int8, both uint8, both int16 or both float32");
    CHECK(after(l, [](auto& p) { set_zero_point(p, output(p), 0, 0); }) == "zero points of input and output differ: -3 and 0");
    CHECK(after(l, [](auto& p) { set_scale(p, output(p), 0, 0.06f); }) == "scales of input and output differ");
    CHECK(after(l, [](auto& p) { set_text(p, option(p, "padding"), "valid"); }) == "output height is 5, expected is 3");
  }
}

namespace {

template <class F>
auto softmax_after(F change) -> std::string {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, 2, 10));
  const auto y = b.call("tfl.softmax", {x}, tensor(dtype::int8, 2, 10), {{"beta", 1.0}});
  b.quantize(x, 0.05f, 0);
  b.quantize(y, 1.0f / 256, -128);
  b.output(y);
  auto p = b.finish();
  change(p);
  return answer(p);
}

}  // namespace

TEST_CASE("unsupported nodes of softmax are rejected") {
  CHECK(softmax_after([](auto&) {}) == "yes");
  CHECK(softmax_after([](auto& p) { set_scale(p, output(p), 0, 0.004f); }) == "output does not have scale 1/256 and zero point -128");
  CHECK(softmax_after([](auto& p) { set_zero_point(p, output(p), 0, 0); }) == "output does not have scale 1/256 and zero point -128");
  CHECK(softmax_after([](auto& p) { sizes(p, output(p))[0] = 1; }) == "output and input have different shapes");
  for (const double beta : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    CHECK(softmax_after([&](auto& p) { option(p, "beta").real = beta; }) == "beta is not positive and finite");
  }
  CHECK(softmax_after([](auto& p) { option(p, "beta").real = 1e-8; }) == "the input's scale is too small");
  CHECK(softmax_after([](auto& p) { option(p, "beta").real = 1e30; }) == "yes");
  CHECK(softmax_after([](auto& p) { sizes(p, input(p))[1] = sizes(p, output(p))[1] = 4096; }) ==
        "sums of 4096 exponentials may not fit 32 bits");
}

namespace {

auto reshape(const tensor_type& from, const tensor_type& to, baton::vector<std::int64_t> stated) -> std::string {
  program_builder b;
  const auto x = b.user_input("x", from);
  const auto y = b.call("tfl.reshape", {x}, to, {{"new_shape", baton::span<const std::int64_t>{stated}}});
  b.output(y);
  return answer(b.finish());
}
auto reshape_by(const tensor_type& shape_type, std::string_view shape, bool is_constant = true) -> std::string {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::float32, 2, 6));
  const auto s = is_constant ? b.constant("s", shape_type, shape) : b.user_input("s", shape_type);
  b.output(b.call("tfl.reshape", {x, s}, tensor(dtype::float32, 3, 4)));
  return answer(b.finish());
}

}  // namespace

TEST_CASE("unsupported nodes of reshape are rejected") {
  using namespace std::string_view_literals;
  const auto type = [](auto... of) { return tensor(dtype::float32, of...); };
  CHECK(reshape(type(2, 6), type(3, 4), {3, 4}) == "yes");
  CHECK(reshape(type(2, 6), type(3, 4), {-1, 4}) == "yes");
  CHECK(reshape(type(2, 6), type(3, 4), {4, 3}) == "output does not have the shape of the option new_shape");
  CHECK(reshape(type(2, 6), type(3, 4), {12}) == "output does not have the shape of the option new_shape");
  CHECK(reshape(type(2, 6), type(3, 5), {3, 5}) == "input has 12 elements, output 15");
  CHECK(reshape(type(2, 6), tensor(dtype::int32, 3, 4), {3, 4}) == "input is float32, output int32");
  CHECK(reshape(type(1, 1), type(), {}) == "yes");
  CHECK(reshape_by(tensor(dtype::int32, 2), "\3\0\0\0\4\0\0\0"sv) == "yes");
  CHECK(reshape_by(tensor(dtype::int32, 2), "\3\0\0\0\xff\xff\xff\xff"sv) == "yes");
  CHECK(reshape_by(tensor(dtype::int32, 2), "\3\0\0\0\5\0\0\0"sv) == "shape has 5 for axis 1, output has 4");
  CHECK(reshape_by(tensor(dtype::int32, 1), "\3\0\0\0"sv) == "shape has 1 size, output has rank 2");
  CHECK(reshape_by(tensor(dtype::int32, 2), {}) == "shape is not a constant of 8 bytes");
  CHECK(reshape_by(tensor(dtype::int32, 2), {}, false) == "yes");  // a shape that is computed at run time cannot contradict the output
  CHECK(reshape_by(tensor(dtype::int64, 2), "\3\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0"sv) == "shape is int64");
}

namespace {

/// True if rejected nodes stay rejected and no check reads invalid memory, after random damage to the operands and options of a node.
auto survives_damage(const layer& l, std::uint32_t seed, int rounds) -> bool {
  const auto whole = program_of(l);
  for (int round = 0; round < rounds; ++round) {
    auto p = whole;
    const auto random = [&] { return one_layer::next_random(seed); };
    const auto number = [&]() -> std::int64_t {
      constexpr std::int64_t odd[] = {0, -1, 1, 2, 1 << 30, std::int64_t{1} << 31, INT64_MAX, INT64_MIN, 255, 65536};
      return random() % 4 == 0 ? static_cast<std::int64_t>(random() % 9) : odd[random() % std::size(odd)];
    };
    for (auto changes = 1 + random() % 3; changes-- > 0;) {
      auto& record = p.values[random() % p.values.size()];
      switch (random() % 9) {
        case 0:
          p.integers[random() % p.integers.size()] = number();
          break;
        case 1:
          record.shape.size = random() % (record.shape.size + 1);
          break;
        case 2:
          record.type = static_cast<dtype>(random() % (static_cast<std::size_t>(dtype::variant) + 1));
          break;
        case 3:
          record.quant.channels = static_cast<std::uint32_t>(number());
          break;
        case 4:
          record.quant.axis = static_cast<std::int32_t>(number());
          break;
        case 5:
          record.kind = static_cast<value_kind>(random() % 6);
          break;
        case 6:
          p.bytes[random() % p.bytes.size()] = static_cast<char>(random());
          break;
        case 7:
          p.attributes[random() % p.attributes.size()].integer = number();
          break;
        default:
          p.operands[random() % p.operands.size()] = static_cast<value_id>(random() % 5 == 0 ? 0xffffffffu : random() % 5);
          break;
      }
    }
    const auto first = answer(p);
    if (first.empty() || first != answer(p)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("damaged nodes are rejected, and invalid references are not followed") {
  CHECK(survives_damage(convolution, 1, 20000));
  CHECK(survives_damage(with(convolution, op::depthwise_conv_2d), 2, 20000));
  CHECK(survives_damage(with(convolution, op::average_pool_2d), 3, 20000));
  CHECK(survives_damage(with({.batch = 3, .channels = 8, .out_channels = 5}, op::fully_connected), 4, 20000));
}

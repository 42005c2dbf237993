// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Hybrid layers (float32 input, int8 weights). They are supported by versions of the library with values that are quantized at run time.
#include <baton/backends/xnnpack/xnnpack.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/lower/to_backend.hpp>

#include "delegates.hpp"
#include "kernels/one_node.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iostream>
#include <string>
#include <vector>

/// A library with dynamic values, which records how one is defined.
namespace dynamic {

enum datatype { xnn_datatype_fp32, xnn_datatype_qdint8 = 9 };
struct graph {
  datatype type = xnn_datatype_fp32;
  std::size_t rank = 0;
  std::size_t shared_dims = 0;
  std::array<std::size_t, baton::xnnpack::detail::max_dimensions> sizes{};
  std::uint32_t number = 0;
  std::uint32_t flags = 1;
};
auto xnn_define_dynamically_quantized_tensor_value(graph* to, datatype type, std::size_t rank, std::size_t shared_dims,
                                                   const std::size_t* sizes, std::uint32_t number, std::uint32_t flags,
                                                   std::uint32_t* result) -> xnn_status {
  *to = {type, rank, shared_dims, {}, number, flags};
  std::copy(sizes, sizes + rank, to->sizes.begin());
  *result = number;
  return xnn_status_success;
}
enum unary { xnn_unary_abs };
auto xnn_define_unary(graph*, unary, const void*, std::uint32_t, std::uint32_t, std::uint32_t) -> xnn_status;

}  // namespace dynamic

/// A library without dynamic values.
namespace fixed {
enum datatype { xnn_datatype_fp32 };
struct graph {};
}  // namespace fixed

static_assert(baton::xnnpack::detail::has_dynamic_values<dynamic::graph*, dynamic::datatype>);
static_assert(!baton::xnnpack::detail::has_dynamic_values<dynamic::graph*, fixed::datatype>);
static_assert(!baton::xnnpack::detail::has_dynamic_values<fixed::graph*, fixed::datatype>);
static_assert(baton::xnnpack::detail::has_unary<dynamic::graph*> && !baton::xnnpack::detail::has_unary<fixed::graph*>);

namespace {

using namespace baton::xnnpack::detail;
using baton::dtype;
using baton::value_id;
using one_node::drawn;
using shape = std::vector<int>;

constexpr library with_hybrid{
    .concatenation = false, .tanh = false, .channelwise_fully_connected = false, .hybrid = true, .hybrid_transposed = true};
constexpr library without_hybrid{
    .concatenation = false, .tanh = false, .channelwise_fully_connected = false, .hybrid = false, .hybrid_transposed = false};

/// Random weights and their scales.
struct weights {
  shape sizes;
  int axis = 0;
  std::vector<std::int8_t> numbers;
  std::vector<float> scales;  ///< one per channel

  auto channels() const -> int { return sizes[static_cast<std::size_t>(axis)]; }
  auto channel_of(std::size_t i) const -> std::size_t {
    std::size_t inner = 1;
    for (auto d = static_cast<std::size_t>(axis) + 1; d < sizes.size(); ++d) inner *= static_cast<std::size_t>(sizes[d]);
    return i / inner % static_cast<std::size_t>(channels());
  }
};
auto draw_weights(drawn& draw, const shape& sizes, int axis = 0) -> weights {
  weights result{sizes, axis, one_node::numbers_of<std::int8_t>(draw.elements(dtype::int8, one_node::count_of(sizes))), {}};
  const bool is_channelwise = !draw.once_in(3);
  for (int c = 0; c < result.channels(); ++c) {
    const bool is_new = c == 0 || is_channelwise;
    result.scales.push_back(is_new ? static_cast<float>(draw.from_to(1, 16)) / 2048.0f : result.scales[0]);
  }
  return result;
}

enum class weights_form { hybrid, real };  ///< int8 weights, or the equivalent float32 weights

struct drawn_layer {
  std::string op;
  shape in;
  shape out;
  weights filter;
  std::vector<float> bias;  ///< empty if there is no bias
  const char* activation = "none";
  int stride = 1;
  bool keeps_dims = false;
  bool is_constant = false;  ///< whether the input is a constant
};
auto program_of(const drawn_layer& of, weights_form as) -> baton::exported_program {
  baton::program_builder build;
  const auto in_type = one_node::type_of(dtype::float32, of.in);
  const auto zeros = nodes::bytes(static_cast<std::size_t>(one_node::count_of(of.in)) * 4);
  const auto x = of.is_constant ? build.constant("x", in_type, {zeros.data(), zeros.size()}) : build.user_input("x", in_type);
  std::vector<float> real;
  for (std::size_t i = 0; i < of.filter.numbers.size(); ++i) {
    real.push_back(static_cast<float>(of.filter.numbers[i]) * of.filter.scales[of.filter.channel_of(i)]);
  }
  const auto bytes = as == weights_form::hybrid ? one_node::bytes_of(of.filter.numbers) : one_node::bytes_of(real);
  const auto type = as == weights_form::hybrid ? dtype::int8 : dtype::float32;
  const auto filter = build.parameter("filter", one_node::type_of(type, of.filter.sizes), {bytes.data(), bytes.size()});
  if (as == weights_form::hybrid) {
    const auto& all = of.filter.scales;
    const bool is_one = std::ranges::all_of(all, [&](float scale) { return std::memcmp(&scale, all.data(), 4) == 0; });
    const std::size_t count = is_one ? 1 : all.size();
    const std::vector<std::int64_t> zero_points(count, 0);
    build.quantize(filter, {all.data(), count}, {zero_points.data(), count}, of.filter.axis);
  }
  auto bias = baton::none<value_id>;
  if (!of.bias.empty()) {
    const auto numbers = one_node::bytes_of(of.bias);
    bias = build.parameter("bias", one_node::type_of(dtype::float32, {of.filter.channels()}), {numbers.data(), numbers.size()});
  }
  const auto out = one_node::type_of(dtype::float32, of.out);
  if (of.op == "tfl.transpose_conv") {
    build.output(
        build.call(of.op, {one_node::int32_constant(build, "sizes", of.out), filter, x, bias}, out,
                   {{"padding", "same"}, {"stride_h", of.stride}, {"stride_w", of.stride}, {"fused_activation_function", of.activation}}));
  } else if (of.op == "tfl.fully_connected") {
    build.output(
        build.call(of.op, {x, filter, bias}, out, {{"fused_activation_function", of.activation}, {"keep_num_dims", of.keeps_dims}}));
  } else {
    build.output(build.call(of.op, {x, filter, bias}, out,
                            {{"padding", "same"},
                             {"stride_h", of.stride},
                             {"stride_w", of.stride},
                             {"dilation_h_factor", 1},
                             {"dilation_w_factor", 1},
                             {"depth_multiplier", 1},
                             {"fused_activation_function", of.activation}}));
  }
  return build.finish();
}

auto draw_bias(drawn& draw, int channels) -> std::vector<float> {
  if (draw.once_in(4)) return {};
  return one_node::numbers_of<float>(draw.elements(dtype::float32, channels));
}
auto draw_activation(drawn& draw) -> const char* { return draw.of({"none", "none", "relu", "relu6"}); }

auto draw_dense(drawn& draw) -> drawn_layer {
  const auto inputs = draw.from_to(1, 70);
  const auto channels = draw.from_to(1, 20);
  const auto rows = draw.from_to(1, 3);
  const auto in = draw.of({shape{rows, inputs}, shape{rows, 1, 1, inputs}, shape{1, rows, inputs}});
  const bool keeps = in.size() == 3;
  return {.op = "tfl.fully_connected",
          .in = in,
          .out = keeps ? shape{1, rows, channels} : shape{rows, channels},
          .filter = draw_weights(draw, {channels, inputs}),
          .bias = draw_bias(draw, channels),
          .activation = draw_activation(draw),
          .keeps_dims = keeps};
}
/// Returns a convolution with SAME padding, with groups or a 1 by 1 filter at random.
auto draw_convolution(drawn& draw) -> drawn_layer {
  const auto groups = draw.of({1, 1, 1, 2, 3});
  const auto inputs = groups * draw.of({1, 2, 3, 8, 17});
  const auto channels = groups * draw.of({1, 3, 4, 8, 20});
  const bool is_pointwise = draw.once_in(3);
  const auto stride = is_pointwise ? 1 : draw.from_to(1, 2);
  const auto size = [&] { return is_pointwise ? 1 : draw.from_to(1, 3); };
  const shape in{draw.from_to(1, 2), draw.from_to(1, 7), draw.from_to(1, 7), inputs};
  const shape sizes{channels, size(), size(), inputs / groups};
  return {.op = "tfl.conv_2d",
          .in = in,
          .out = {in[0], (in[1] + stride - 1) / stride, (in[2] + stride - 1) / stride, channels},
          .filter = draw_weights(draw, sizes),
          .bias = draw_bias(draw, channels),
          .activation = draw_activation(draw),
          .stride = stride};
}
auto draw_transposed(drawn& draw) -> drawn_layer {
  const auto inputs = draw.of({1, 3, 8, 17});
  const auto channels = draw.of({1, 3, 8});
  const auto stride = draw.from_to(1, 2);
  const shape in{draw.from_to(1, 2), draw.from_to(1, 5), draw.from_to(1, 5), inputs};
  return {.op = "tfl.transpose_conv",
          .in = in,
          .out = {in[0], in[1] * stride, in[2] * stride, channels},
          .filter = draw_weights(draw, {channels, draw.from_to(2, 3), draw.from_to(2, 3), inputs}),
          .bias = draw_bias(draw, channels),
          .stride = stride};
}
auto draw_depthwise(drawn& draw) -> drawn_layer {
  auto result = draw_convolution(draw);
  result.op = "tfl.depthwise_conv_2d";
  result.out[3] = result.in[3];
  result.filter = draw_weights(draw, {1, result.filter.sizes[1], result.filter.sizes[2], result.in[3]}, 3);
  result.bias.clear();
  return result;
}

template <library Has>
auto refusal_of(const drawn_layer& of) -> std::string {
  const auto program = program_of(of, weights_form::hybrid);
  const auto verdict = operators_of<Has>::supports(program, program.nodes[0]);
  return verdict ? std::string{} : std::string(baton::view(verdict.reason));
}

/// Returns the maximum distance of a hybrid layer from float32 arithmetic. Each input is off by at most one step of its 8 bits, which is
/// multiplied by each weight.
auto bound_of(const drawn_layer& of, const std::vector<float>& input) -> double {
  const auto [min, max] = std::minmax_element(input.begin(), input.end());
  const auto step = (std::fmax(0.0, static_cast<double>(*max)) - std::fmin(0.0, static_cast<double>(*min))) / 255;
  std::vector<double> sums(of.filter.scales.size());
  for (std::size_t i = 0; i < of.filter.numbers.size(); ++i) {
    const auto channel = of.filter.channel_of(i);
    sums[channel] += std::abs(of.filter.numbers[i]) * static_cast<double>(of.filter.scales[channel]);
  }
  return step * *std::ranges::max_element(sums) + 1e-4;
}

}  // namespace

TEST_CASE("xnnpack: a dynamic value is defined if the library supports them") {
  const value_record value{.type = element::dynamic_int8, .axis = 3, .rank = 4, .sizes = {2, 5, 6, 7}};
  const std::size_t sizes[] = {2, 5, 6, 7};
  dynamic::graph with;
  CHECK(define_dynamic_value<dynamic::datatype>(&with, value, sizes, 11) == xnn_status_success);
  CHECK(with.type == dynamic::xnn_datatype_qdint8);
  CHECK(with.rank == 4);
  CHECK(with.shared_dims == 3);
  CHECK(std::equal(sizes, sizes + 4, with.sizes.begin()));
  CHECK(with.number == 11);
  CHECK(with.flags == 0);
  fixed::graph without;
  CHECK(define_dynamic_value<fixed::datatype>(&without, value, sizes, 11) == xnn_status_unsupported_parameter);
}

TEST_CASE("xnnpack supports hybrid layers if the library does") {
  drawn draw(3);
  for (int i = 0; i < 10; ++i) {
    CAPTURE(i);
    for (const auto& of : {draw_dense(draw), draw_convolution(draw), draw_transposed(draw)}) {
      CHECK(refusal_of<with_hybrid>(of) == "");
      CHECK(refusal_of<without_hybrid>(of) == "input is float32 and filter int8, which this version of XNNPACK does not support");
    }
    CHECK(refusal_of<with_hybrid>(draw_depthwise(draw)) ==
          "input is float32 and filter int8, which XNNPACK does not support for depthwise convolutions");
  }
  auto zero = draw_dense(draw);
  zero.filter.scales[0] = 0;
  CHECK(refusal_of<with_hybrid>(zero) == "a scale of the filter is not positive and normal");
  auto constant = draw_dense(draw);
  constant.is_constant = true;
  CHECK(refusal_of<with_hybrid>(constant) == "input is a constant");
}

TEST_CASE("xnnpack: a hybrid layer is a conversion of rows and a layer with one scale per channel") {
  const drawn_layer of{.op = "tfl.fully_connected",
                       .in = {2, 1, 3},
                       .out = {2, 4},
                       .filter = {{4, 3}, 0, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {0.5f, 0.5f, 0.5f, 0.5f}},
                       .bias = {1, 2, 3, 4},
                       .activation = "relu"};
  const auto program = program_of(of, weights_form::hybrid);
  const auto compiled = part_compiler(program).run<operators_of<with_hybrid>>();
  REQUIRE(compiled);
  const auto& processed_bytes = compiled.value.processed_bytes;
  processed_reader read({processed_bytes.data(), processed_bytes.size()});
  REQUIRE(read.state() == baton::status::ok);
  std::vector<value_record> values;
  for (std::uint32_t v = 0; v < read.begin().values; ++v) values.push_back(read.next_value());
  REQUIRE(read.begin().operators == 3);
  const auto rows = read.next_operator();
  const auto conversion = read.next_operator();
  const auto product = read.next_operator();
  CHECK(rows.op == opcode::reshape);
  CHECK(conversion.op == opcode::convert);
  CHECK(conversion.from[0] == rows.to);
  CHECK(product.op == opcode::fully_connected);
  CHECK(product.from[0] == conversion.to);
  const auto& quantized = values[conversion.to];
  CHECK(quantized.type == element::dynamic_int8);
  CHECK(quantized.role == value_role::inside);
  CHECK(quantized.rank == 2);
  CHECK(quantized.sizes[0] == 2);
  CHECK(quantized.sizes[1] == 3);
  CHECK(quantized.axis == 1);
  const auto& filter = values[product.from[1]];
  CHECK(filter.type == element::int8);
  CHECK(filter.axis == 0);
  REQUIRE(filter.scales != nothing);
  const auto scales = one_node::bytes_of(of.filter.scales);
  int count = 0;
  for (const auto& entry : compiled.value.named_data.entries()) {
    if (baton::view(entry.key) != read.key(filter.scales)) continue;
    const auto bytes = compiled.value.named_data.bytes(entry.buffer);
    CHECK(nodes::bytes(bytes.begin(), bytes.end()) == scales);
    ++count;
  }
  CHECK(count == 1);
  CHECK(values[product.from[2]].type == element::float32);
}

TEST_CASE("xnnpack: random hybrid layers are as close to float32 arithmetic as 8 bits allow") {
  if constexpr (!installed_library.hybrid_transposed) {
    std::cout << "xnnpack: this version has no hybrid layers\n";
    return;
  }
  drawn draw(23);
  double max_ratio = 0;
  for (int i = 0; i < 40; ++i) {
    CAPTURE(i);
    for (const auto& of : {draw_dense(draw), draw_convolution(draw), draw_transposed(draw)}) {
      CAPTURE(of.op);
      const auto lowered =
          baton::to_backend(baton::backends<baton::xnnpack::backend>, program_of(of, weights_form::hybrid), baton::xnnpack::partitioner{});
      REQUIRE(lowered.delegates.size() == 1);
      delegates::net net{lowered};
      REQUIRE(net.why == "");
      const auto real = program_of(of, weights_form::real);
      nodes::interpreter exact{real};
      for (int turn = 0; turn < 2; ++turn) {
        const auto input = draw.elements(dtype::float32, one_node::count_of(of.in));
        nodes::bytes expected;
        REQUIRE(exact.run(baton::portable_kernels, input, expected) == "");
        const auto numbers = one_node::numbers_of<float>(net.run(input));
        const auto wanted = one_node::numbers_of<float>(expected);
        REQUIRE(net.why == "");
        REQUIRE(numbers.size() == wanted.size());
        const auto bound = bound_of(of, one_node::numbers_of<float>(input));
        for (std::size_t k = 0; k < numbers.size(); ++k) {
          const auto off = std::fabs(static_cast<double>(numbers[k]) - static_cast<double>(wanted[k]));
          CHECK(off <= bound);
          max_ratio = std::fmax(max_ratio, off / bound);
        }
      }
    }
  }
  std::cout << "  hybrid layers: at most " << max_ratio << " of the bound\n";
  CHECK(max_ratio > 0.001);
}

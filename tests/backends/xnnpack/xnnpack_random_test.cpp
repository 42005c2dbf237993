// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random single operators against the reference kernels.
#include <baton/backends/xnnpack/xnnpack.hpp>

#include <baton/operators/verify.hpp>

#include "delegates.hpp"
#include "kernels/one_node.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

using baton::dtype;
using baton::value_id;
using one_node::drawn;
using shape = std::vector<int>;

/// A random one-node program.
class sketch {
 public:
  sketch(drawn& draw, bool is_int8) : draw_(draw), type_(is_int8 ? dtype::int8 : dtype::float32) {}

  auto is_int8() const -> bool { return type_ == dtype::int8; }
  /// Sets a scale between 1/64 and 1/8 and a random zero point, if the type is int8.
  void quantize(value_id id) {
    if (is_int8()) build_.quantize(id, static_cast<float>(draw_.from_to(4, 32)) / 256.0f, draw_.from_to(-128, 127));
  }
  auto input(std::string_view name, const shape& sizes) -> value_id {
    const auto id = build_.user_input(name, one_node::type_of(type_, sizes));
    quantize(id);
    return id;
  }
  /// Returns a filter with one scale, or with one scale per channel along `axis`.
  auto filter(const shape& sizes, int axis, bool is_channelwise) -> value_id {
    const auto bytes = draw_.elements(type_, one_node::count_of(sizes), 8);
    const auto id = build_.parameter("filter", one_node::type_of(type_, sizes), {bytes.data(), bytes.size()});
    if (!is_int8()) return id;
    baton::vector<float> scales;
    const auto count = is_channelwise ? sizes[static_cast<std::size_t>(axis)] : 1;
    for (int c = 0; c < count; ++c) scales.push_back(static_cast<float>(draw_.from_to(1, 16)) / 2048.0f);
    build_.quantize(id, scales, baton::vector<std::int64_t>(scales.size(), 0), axis);
    return id;
  }
  auto bias(int channels) -> value_id {
    if (draw_.once_in(4)) return baton::none<value_id>;
    std::vector<std::int32_t> numbers;
    for (int c = 0; c < channels; ++c) numbers.push_back(draw_.from_to(-2000, 2000));
    auto bytes = is_int8() ? one_node::bytes_of(numbers) : draw_.elements(type_, channels);
    return build_.parameter("bias", one_node::type_of(is_int8() ? dtype::int32 : type_, {channels}), {bytes.data(), bytes.size()});
  }
  auto integers(const std::vector<std::int32_t>& numbers) -> value_id { return one_node::int32_constant(build_, "numbers", numbers); }
  auto activation() -> const char* { return draw_.of({"none", "none", "relu", "relu6", "relu_n1_to_1"}); }
  auto type_of(const shape& sizes) const -> baton::tensor_type { return one_node::type_of(type_, sizes); }
  auto build() -> baton::program_builder& { return build_; }
  /// Returns the program with the output `out`, which has random quantization, or that of `alike`.
  auto finish(value_id out, value_id alike = baton::none<value_id>) -> baton::exported_program {
    if (alike == baton::none<value_id>) {
      quantize(out);
    } else {
      build_.at(out).quant = build_.at(alike).quant;
    }
    build_.output(out);
    return build_.finish();
  }

 private:
  drawn& draw_;
  dtype type_;
  baton::program_builder build_;
};

auto pair(drawn& draw, const char* op, bool is_int8) -> baton::exported_program {
  sketch to(draw, is_int8);
  const auto left = draw.shape(1, 4, 5);
  auto right = left;
  auto out = left;
  for (auto& size : right) size = draw.once_in(3) ? 1 : size;
  if (draw.once_in(3)) right.erase(right.begin(), right.begin() + draw.from_to(0, static_cast<int>(right.size()) - 1));
  const auto x = to.input("x", left);
  const auto y = to.input("y", right);
  const bool is_first = draw.once_in(2);
  return to.finish(
      to.build().call(op, {is_first ? x : y, is_first ? y : x}, to.type_of(out), {{"fused_activation_function", to.activation()}}));
}

auto curve(drawn& draw, const std::string& op, bool is_int8) -> baton::exported_program {
  sketch to(draw, is_int8);
  const auto sizes = draw.shape(1, 4, 6);
  const auto x = to.input("x", sizes);
  const auto out = to.build().call(op, {x}, to.type_of(sizes), {{"beta", 1.0}, {"alpha", 0.25}});
  if (is_int8 && op == "tfl.logistic") {
    to.build().quantize(out, 1.0f / 256, -128);
    to.build().output(out);
    return to.build().finish();
  }
  return to.finish(out, op.starts_with("tfl.relu") ? x : baton::none<value_id>);
}

/// The sizes of an axis along which a window moves.
struct axis {
  int input, filter, stride, dilation, output;
};
auto axis_of(drawn& draw, bool is_same, bool is_pool) -> axis {
  axis result{draw.from_to(1, 9), draw.from_to(1, 4), 1, is_pool ? 1 : draw.of({1, 1, 2}), 0};
  if (!is_same) result.input += (result.filter - 1) * result.dilation;
  result.stride = draw.from_to(1, is_pool ? result.filter : 3);
  const auto span = (result.filter - 1) * result.dilation + 1;
  result.output = is_same ? (result.input + result.stride - 1) / result.stride : (result.input - span + result.stride) / result.stride;
  return result;
}

auto pool(drawn& draw, const char* op, bool is_int8) -> baton::exported_program {
  sketch to(draw, is_int8);
  const bool is_whole = is_int8 && op == std::string_view{"tfl.average_pool_2d"};
  const bool is_same = !is_whole && draw.once_in(2);
  auto rows = axis_of(draw, is_same, true);
  auto columns = axis_of(draw, is_same, true);
  if (is_whole) rows.filter = rows.input, columns.filter = columns.input, rows.output = columns.output = 1;
  const auto channels = draw.from_to(1, 19);
  const auto x = to.input("x", {draw.from_to(1, 2), rows.input, columns.input, channels});
  const auto batch = static_cast<int>(to.build().draft().integers[to.build().at(x).shape.first]);
  const auto out = to.build().call(op, {x}, to.type_of({batch, rows.output, columns.output, channels}),
                                   {{"padding", is_same ? "same" : "valid"},
                                    {"filter_height", rows.filter},
                                    {"filter_width", columns.filter},
                                    {"stride_h", rows.stride},
                                    {"stride_w", columns.stride},
                                    {"fused_activation_function", to.activation()}});
  return to.finish(out, x);
}

auto convolution(drawn& draw, bool is_depthwise, bool is_int8) -> baton::exported_program {
  sketch to(draw, is_int8);
  const bool is_same = draw.once_in(2);
  const auto rows = axis_of(draw, is_same, false);
  const auto columns = axis_of(draw, is_same, false);
  const auto batch = draw.from_to(1, 2);
  const auto inputs = draw.of({1, 2, 3, 4, 8, 17});
  const auto channels = is_depthwise ? inputs * draw.of({1, 1, 2}) : draw.of({1, 3, 4, 8, 20});
  const auto x = to.input("x", {batch, rows.input, columns.input, inputs});
  const auto filter = is_depthwise ? to.filter({1, rows.filter, columns.filter, channels}, 3, !draw.once_in(3))
                                   : to.filter({channels, rows.filter, columns.filter, inputs}, 0, !draw.once_in(3));
  const auto out = to.build().call(is_depthwise ? "tfl.depthwise_conv_2d" : "tfl.conv_2d", {x, filter, to.bias(channels)},
                                   to.type_of({batch, rows.output, columns.output, channels}),
                                   {{"padding", is_same ? "same" : "valid"},
                                    {"stride_h", rows.stride},
                                    {"stride_w", columns.stride},
                                    {"dilation_h_factor", rows.dilation},
                                    {"dilation_w_factor", columns.dilation},
                                    {"depth_multiplier", channels / inputs},
                                    {"fused_activation_function", to.activation()}});
  return to.finish(out);
}

auto fully_connected(drawn& draw, bool is_int8) -> baton::exported_program {
  sketch to(draw, is_int8);
  const auto batch = draw.from_to(1, 3);
  const auto inputs = draw.from_to(1, 40);
  const auto channels = draw.from_to(1, 20);
  const bool has_images = draw.once_in(2);
  const auto x = to.input("x", has_images ? shape{batch, 1, 1, inputs} : shape{batch, inputs});
  const auto out = to.build().call("tfl.fully_connected", {x, to.filter({channels, inputs}, 0, false), to.bias(channels)},
                                   to.type_of({batch, channels}), {{"fused_activation_function", to.activation()}});
  return to.finish(out);
}

auto mean(drawn& draw, bool is_int8) -> baton::exported_program {
  sketch to(draw, is_int8);
  const auto batch = draw.from_to(1, 2);
  const auto channels = draw.from_to(1, 20);
  const auto x = to.input("x", {batch, draw.from_to(1, 7), draw.from_to(1, 7), channels});
  const bool keeps = draw.once_in(2);
  const auto out =
      to.build().call("tfl.mean", {x, to.integers(draw.of({std::vector{1, 2}, std::vector{2, 1}, std::vector{-2, 1}}))},
                      to.type_of(keeps ? shape{batch, 1, 1, channels} : shape{batch, channels}), {{"keep_dims", keeps ? 1 : 0}});
  return to.finish(out);
}

auto reshape(drawn& draw, bool is_int8) -> baton::exported_program {
  sketch to(draw, is_int8);
  const auto sizes = draw.shape(3, 3, 5);
  const auto x = to.input("x", sizes);
  const shape reshaped{sizes[0] * sizes[1], sizes[2]};
  return to.finish(to.build().call("tfl.reshape", {x, to.integers({reshaped[0], reshaped[1]})}, to.type_of(reshaped)), x);
}

auto padding(drawn& draw, bool is_int8) -> baton::exported_program {
  sketch to(draw, is_int8);
  const auto sizes = draw.shape(1, 5, 4);
  const auto x = to.input("x", sizes);
  std::vector<std::int32_t> around;
  auto padded = sizes;
  for (auto& size : padded) {
    around.push_back(draw.from_to(0, 2));
    around.push_back(draw.from_to(0, 2));
    size += around[around.size() - 2] + around.back();
  }
  const auto numbers = one_node::bytes_of(around);
  const auto list = to.build().constant("paddings", baton::tensor(dtype::int32, sizes.size(), 2), {numbers.data(), numbers.size()});
  return to.finish(to.build().call("tfl.pad", {x, list}, to.type_of(padded)), x);
}

struct outcome {
  int supported = 0;
  double max_distance = 0;
};

/// Moves inputs away from 0. The reference returns the largest number for a division by zero, XNNPACK an infinity.
void remove_zeros(nodes::bytes& input) {
  auto numbers = one_node::numbers_of<float>(input);
  for (auto& number : numbers) number += number < 0 ? -1.0f : 1.0f;
  input = one_node::bytes_of(numbers);
}

/// Checks one program: if XNNPACK supports it, it must match the reference.
void check(const baton::exported_program& program, drawn& draw, std::map<std::string, outcome>& all) {
  const baton::program_view view = program;
  REQUIRE_FALSE(baton::verify(view));
  const auto verdict = baton::xnnpack::support::supports(view, view.nodes[0]);
  const auto type = view[view.outputs_of(view.nodes[0])[0]].type;
  auto& one = all[std::string(view.text(view.nodes[0].target)) + " " + std::string(baton::facts(type).name)];
  if (!verdict) return;
  const auto lowered = baton::to_backend(baton::backends<baton::xnnpack::backend>, program, baton::xnnpack::partitioner{});
  delegates::net net{lowered};
  REQUIRE(net.why == "");
  nodes::interpreter reference{view};
  for (int i = 0; i < 2; ++i) {
    const auto bytes = static_cast<int>(nodes::input_bytes_of(view));
    auto input = draw.elements(type, type == dtype::int8 ? bytes : bytes / 4);
    if (view.nodes[0].is("tfl.div")) remove_zeros(input);
    nodes::bytes expected;
    REQUIRE(reference.run(baton::portable_kernels, input, expected) == "");
    const auto actual = net.run(input);
    REQUIRE(actual.size() == expected.size());
    const auto off = delegates::distance(type, actual.data(), expected.data(), actual.size());
    one.max_distance = std::max(one.max_distance, off);
    CHECK(off <= (type == dtype::int8 ? 1 : 1e-5));
  }
  ++one.supported;
}

}  // namespace

TEST_CASE("xnnpack: random single operators match the reference") {
  drawn draw(20);
  std::map<std::string, outcome> all;
  for (int i = 0; i < 30; ++i) {
    CAPTURE(i);
    for (const bool is_int8 : {false, true}) {
      for (const auto* op : {"tfl.add", "tfl.sub", "tfl.mul"}) check(pair(draw, op, is_int8), draw, all);
      for (const auto* op : {"tfl.relu", "tfl.relu6", "tfl.relu_n1_to_1", "tfl.logistic"}) check(curve(draw, op, is_int8), draw, all);
      for (const auto* op : {"tfl.average_pool_2d", "tfl.max_pool_2d"}) check(pool(draw, op, is_int8), draw, all);
      for (const bool is_depthwise : {false, true}) check(convolution(draw, is_depthwise, is_int8), draw, all);
      check(fully_connected(draw, is_int8), draw, all);
      check(mean(draw, is_int8), draw, all);
      check(reshape(draw, is_int8), draw, all);
      check(padding(draw, is_int8), draw, all);
    }
    for (const auto* op : {"tfl.div", "tfl.maximum", "tfl.minimum", "tfl.squared_difference"}) check(pair(draw, op, false), draw, all);
    for (const auto* op : {"tfl.elu", "tfl.softmax", "tfl.hard_swish", "tfl.leaky_relu", "tfl.abs", "tfl.neg", "tfl.floor", "tfl.ceil",
                           "tfl.round", "tfl.square", "tfl.sqrt"}) {
      check(curve(draw, op, false), draw, all);
    }
  }
  for (const auto& [name, one] : all) {
    CAPTURE(name);
    CHECK(one.supported >= 10);
    CHECK(one.max_distance <= 1);
  }
}

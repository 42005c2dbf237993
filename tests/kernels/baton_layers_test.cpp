// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Layers of the namespace `baton`: rejected attributes, defaults, and supports that know only the operators of the namespace `tfl`.
#include "kernels/layer.hpp"
#include "kernels/one_node.hpp"
#include "kernels/random_weights.hpp"

#include <baton/core/builder.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>
#include <baton/kernels/portable/fully_connected.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using one_layer::layer;
using one_layer::op;

struct npu {
  static constexpr auto id = name<"Npu">;
};
/// A user-defined kernel that supports every convolution.
struct greedy_kernel {
  static constexpr literal_name operators[] = {"tfl.conv_2d", "tfl.depthwise_conv_2d", "tfl.fully_connected"};
  struct plan {};

  static constexpr auto describe(const program_view&, const node&) -> node_description<plan> { return {accept(), {}}; }
  static void compute(const plan&, const node_memory&) {}
};

/// A convolution of each namespace, one after the other.
constexpr auto two_convolutions() -> exported_program {
  program_builder b;
  constexpr auto image = tensor(dtype::int8, 1, 4, 4, 1);
  const auto x = b.user_input("x", image);
  b.quantize(x, 0.5f, 0);
  const auto filter = b.parameter("filter", tensor(dtype::int8, 1, 1, 1, 1), std::string_view{"\3", 1});
  b.quantize(filter, 0.5f, 0);
  const auto y = b.call("tfl.conv_2d", {x, filter}, image, {{"padding", "same"}});
  b.quantize(y, 0.5f, 0);
  const auto z = b.call("baton.conv_2d", {y, filter}, image);
  b.quantize(z, 0.5f, 0);
  b.output(z);
  return b.finish();
}

template <class Partitioner>
constexpr auto only_the_first_node_is_assigned() -> bool {
  const auto program = two_convolutions();
  const auto tagged = Partitioner::partition(program);
  return tagged.tag_of(node_id{0}) != none<tag_id> && tagged.tag_of(node_id{1}) == none<tag_id>;
}
constexpr auto supports_for_one_namespace_refuse_the_other() -> bool {
  const auto program = two_convolutions();
  const program_view view = program;
  return only_the_first_node_is_assigned<by_support<npu, operator_names<"tfl.conv_2d">>>() &&
         ask_kernel<greedy_kernel>(view, view.nodes[0]).support && !ask_kernel<greedy_kernel>(view, view.nodes[1]).support &&
         !verify(program);
}
static_assert(supports_for_one_namespace_refuse_the_other());

constexpr auto convolution = one_layer::once({.height = 3, .width = 3, .channels = 4, .out_channels = 2});

/// Returns why the portable kernel rejects a convolution with these attributes, or "" if it supports it. The size of the output is that
/// of a filter of one pixel without padding.
auto refusal_with(std::initializer_list<named_literal> literals, dtype type = dtype::int8) -> std::string {
  program_builder b;
  const auto image = tensor(type, 1, 3, 3, 2);
  const auto x = b.user_input("x", image);
  const auto filter = b.parameter("filter", tensor(type == dtype::int16 ? dtype::int8 : type, 2, 1, 1, 2));
  const std::string weights(64, '\1');
  b.at(filter).data = b.own(std::string_view(weights).substr(0, type == dtype::float32 ? 16 : 4));
  const auto y = b.call("baton.conv_2d", {x, filter}, image, literals);
  if (type != dtype::float32) {
    b.quantize(x, 0.5f, 0);
    b.quantize(filter, 0.5f, 0);
    b.quantize(y, 0.5f, 0);
  }
  b.output(y);
  return one_node::refusal<portable::conv_2d>(b.finish());
}

/// Returns why the portable kernel rejects an int8 convolution of two channels, whose second float32 bias is `bias`.
auto refusal_with_bias(float bias, const char* rounding = "once", const char* op = "baton.conv_2d") -> std::string {
  program_builder b;
  const auto image = tensor(dtype::int8, 1, 3, 3, 2);
  const auto x = b.user_input("x", image);
  const auto filter = b.parameter("filter", tensor(dtype::int8, 2, 1, 1, 2), std::string_view{"abcd", 4});
  char bytes[8] = {};
  one_layer::put_32(bytes + 4, std::bit_cast<std::uint32_t>(bias));
  const auto biases = b.parameter("bias", tensor(dtype::float32, 2), std::string_view{bytes, 8});
  const auto y = b.call(op, {x, filter, biases}, image, {{"rounding", rounding}, {"padding", "same"}});
  b.quantize(x, 0.5f, 0);
  b.quantize(filter, 0.5f, 0);
  b.quantize(y, 0.5f, 0);
  b.output(y);
  return one_node::refusal<portable::conv_2d>(b.finish());
}

/// Returns why the portable kernel rejects an int8 convolution of two channels with these factors, or "" if it supports it.
auto refusal_with_factors(std::initializer_list<std::int32_t> multipliers, std::initializer_list<std::int32_t> shifts,
                          std::initializer_list<named_literal> literals = {}, const char* op = "baton.conv_2d", int zero_point = -1,
                          dtype bias_type = dtype::int32) -> std::string {
  program_builder b;
  const auto image = tensor(dtype::int8, 1, 3, 3, 2);
  const auto x = b.user_input("x", image);
  const auto filter = b.parameter("filter", tensor(dtype::int8, 2, 1, 1, 2), std::string_view{"abcd", 4});
  const auto bias = b.parameter("bias", tensor(bias_type, 2), std::string_view{"12345678", 8});
  const auto list = [&](const char* name, std::initializer_list<std::int32_t> numbers) {
    return one_node::int32_constant(b, name, {numbers.begin(), numbers.end()});
  };
  const auto y = b.call(op, {x, filter, bias, list("multipliers", multipliers), list("shifts", shifts)}, image, literals);
  if (zero_point >= 0) b.quantize(y, 0.5f, zero_point);
  b.output(y);
  return one_node::refusal<portable::conv_2d>(b.finish());
}

}  // namespace

TEST_CASE("a support for tfl.conv_2d does not accept baton.conv_2d") { CHECK(supports_for_one_namespace_refuse_the_other()); }

TEST_CASE("damaged attributes of layers are rejected with a reason") {
  constexpr std::array<std::int64_t, 4> none{}, negative{0, -1, 0, 0}, large{0, 0, 1 << 29, 0}, some{1, 0, 0, 0};
  constexpr std::array<std::int64_t, 3> three{};
  const auto pads = [](const auto& list) { return named_literal{"pads", span<const std::int64_t>{list}}; };
  const std::string list = "pads is not a list of four numbers (top, left, bottom, right) from 0 to 268435456";
  CHECK(refusal_with({}) == "");
  CHECK(refusal_with({pads(none)}) == "");
  CHECK(refusal_with({pads(three)}) == list);
  CHECK(refusal_with({pads(negative)}) == list);
  CHECK(refusal_with({pads(large)}) == list);
  CHECK(refusal_with({{"pads", 0}}) == list);
  CHECK(refusal_with({{"pads", "same"}}) == list);
  CHECK(refusal_with({pads(some)}) == "output height is 3, expected is 4");
  CHECK(refusal_with({{"rounding", "once"}}) == "");
  CHECK(refusal_with({{"rounding", "thrice"}}) == "rounding is thrice, not once or twice");
  CHECK(refusal_with({{"output_min", 5}, {"output_max", 5}}) == "");
  CHECK(refusal_with({{"output_min", 6}, {"output_max", 5}}) == "output_min and output_max allow no output: at least 6, at most 5");
  CHECK(refusal_with({{"output_max", -1}, {"fused_activation_function", "relu"}}) ==
        "output_min and output_max allow no output: at least 0, at most -1");
  CHECK(refusal_with({{"output_min", std::int64_t{1} << 40}}) == "output_min is 1099511627776, not -2147483648 to 2147483647");
  CHECK(refusal_with({}, dtype::float32) == "");
  CHECK(refusal_with({{"output_min", 0}}, dtype::float32) == "output_min and output_max are supported only for quantized outputs");
  CHECK(one_node::says(refusal_with({}, dtype::int16), "only as operators of the namespace tfl"));
}

TEST_CASE("float32 biases of int8 layers are finite, in the range of the output, and for layers that round once") {
  CHECK(refusal_with_bias(-0.75f) == "");
  CHECK(refusal_with_bias(0x1p28f) == "");
  const std::string too_large = "bias 1 is not finite, or too large for the output's scale";
  CHECK(refusal_with_bias(0x1p29f) == too_large);
  CHECK(refusal_with_bias(-0x1p100f) == too_large);
  CHECK(refusal_with_bias(std::numeric_limits<float>::infinity()) == too_large);
  CHECK(refusal_with_bias(std::numeric_limits<float>::quiet_NaN()) == too_large);
  CHECK(refusal_with_bias(1, "twice") == "a float32 bias of an int8 layer requires rounding=\"once\"");
  CHECK(refusal_with_bias(1, "once", "tfl.conv_2d") == "bias is float32, not int32");
}

TEST_CASE("damaged factors of layers are rejected with a reason") {
  constexpr std::int32_t half = 1 << 30;
  CHECK(refusal_with_factors({half, half}, {0, -31}) == "");
  CHECK(refusal_with_factors({half}, {30}) == "");
  CHECK(refusal_with_factors({0}, {77}) == "");
  CHECK(refusal_with_factors({half, half}, {0}) ==
        "2 multipliers and 1 shift for 2 channels; pass one multiplier and one shift, or one of each per channel");
  CHECK(refusal_with_factors({half, half, half}, {0, 0, 0}) ==
        "3 multipliers and 3 shifts for 2 channels; pass one multiplier and one shift, or one of each per channel");
  CHECK(refusal_with_factors({half, 5}, {0, 0}) == "multiplier 1 is 5 with shift 0, which is not a normalized fixed-point number");
  CHECK(one_node::says(refusal_with_factors({half}, {31}), "multiplier 0 is 1073741824 with shift 31"));
  CHECK(refusal_with_factors({half}, {0}, {{"output_zero_point", 300}}) == "output_zero_point is 300, not -128 to 127");
  CHECK(refusal_with_factors({half}, {0}, {{"output_zero_point", 7}}, "baton.conv_2d", 7) == "");
  CHECK(refusal_with_factors({half}, {0}, {}, "baton.conv_2d", 7) ==
        "output_zero_point is 0, but the quantization of the output has zero point 7");
  CHECK(one_node::says(refusal_with_factors({half}, {0}, {{"fused_activation_function", "relu"}}),
                       "has no fused activation; use output_min and output_max"));
  CHECK(refusal_with_factors({half}, {0}, {{"padding", "same"}}, "tfl.conv_2d") == "the operator has 5 operands, not 2 to 3");
  CHECK(refusal_with_factors({half}, {0}, {}, "baton.conv_2d", -1, dtype::float32) ==
        "multipliers are only for int8 inputs and outputs with integer biases");
}

TEST_CASE("without attributes, a layer has no padding and rounds once") {
  one_node::drawn draw(3);
  const auto with = random_weights(draw, convolution);
  const auto input = random_input(draw, convolution);
  auto program = build(convolution, with);
  program.nodes[0].attributes.size = 0;
  CHECK(one_node::run<portable::conv_2d>(program, input) == expected(convolution, with, input));
}

TEST_CASE("large layers without padding are described without overflow") {
  // The largest pads that the attribute allows. No output of this size fits, so the kernel rejects the node.
  constexpr std::array<std::int64_t, 4> most{1 << 28, 1 << 28, 1 << 28, 1 << 28};
  CHECK(refusal_with({{"pads", span<const std::int64_t>{most}}}) == "output height is 3, expected is 536870915");
}

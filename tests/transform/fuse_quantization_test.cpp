// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/fuse_quantization.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include "laws/pass.hpp"
#include "transform/qdq_builder.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using qdq::has_operators;
using qdq::net_builder;

constexpr auto image = tensor(dtype::int8, 1, 4, 4, 2);
constexpr auto real_image = tensor(dtype::float32, 1, 4, 4, 2);

constexpr auto fused(const exported_program& program) -> exported_program {
  if (!laws::pass::static_laws<fuse_quantization>(program)) return {};
  return fuse_quantization::run(program);
}
/// Returns the node of a program whose output has the name `name`.
constexpr auto node_of(const program_view& program, std::string_view name) -> const node& {
  for (const auto& record : program.nodes) {
    if (program.text(program[program.outputs_of(record)[0]].name) == name) return record;
  }
  return program.nodes[0];
}
constexpr auto integer_of(const program_view& program, std::string_view name, literal_name key) -> std::int64_t {
  return program.integer(node_of(program, name), key, -1000);
}
/// Returns why the last float32 node of a program stays.
constexpr auto last_reason(const program_view& program) -> std::string_view {
  std::string_view reason = "no float32 node";
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    const auto out = program.outputs_of(program.nodes[n])[0];
    if (program[out].type == dtype::float32 && !program.nodes[n].is("tfl.dequantize"))
      reason = float_reason(program, static_cast<node_id>(n));
  }
  return reason;
}

// Layers

struct layer_net {
  net_builder net{};
  value_id x{}, out{};

  constexpr explicit layer_net(const char* padding = "valid", const char* fused = "none", std::int64_t weight_zero_point = 0,
                               float bias_scale = 0.125f) {
    x = net.input("x", image, 0.5f, 3);
    const auto w = net.weights(tensor(dtype::int8, 3, 3, 3, 2), {0.25f}, 0, weight_zero_point);
    const auto bias = net.bias({5, -6, 7}, {bias_scale});
    const bool is_same = std::string_view{padding} == "same";
    out = net.b.call("conv", "tfl.conv_2d", {x, w, bias}, tensor(dtype::float32, 1, is_same ? 4 : 2, is_same ? 4 : 2, 3),
                     {{"padding", padding}, {"stride_h", 1}, {"stride_w", 1}, {"fused_activation_function", fused}});
  }
  constexpr auto finish(value_id result) -> exported_program {
    net.b.output(result);
    return net.b.finish();
  }
};

constexpr auto a_convolution_is_fused() -> bool {
  layer_net layer("same", "relu6");
  const auto result = fused(layer.finish(layer.net.quantize("y", layer.out, 2, -100)));
  const program_view view = result;
  if (!has_operators(view, "baton.conv_2d ")) return false;
  const auto& record = view.nodes[0];
  const auto pads = view.integer_list(view.find(record, "pads")->list);
  const auto inputs = view.inputs(record);
  return view[inputs[0]].type == dtype::int8 && view[inputs[1]].type == dtype::int8 && view[inputs[2]].type == dtype::int32 &&
         view.text(record.name) == "conv" && record.debug_handle == 4 && record.folded_handles.size == 4 && pads.size() == 4 &&
         pads[0] == 1 && pads[1] == 1 && pads[2] == 1 && pads[3] == 1 && view.integer(record, "output_min") == -100 &&
         view.integer(record, "output_max") == -97 && view.find(record, "padding") == nullptr;
}
static_assert(a_convolution_is_fused());

constexpr auto clamps_after_a_layer_become_bounds() -> bool {
  layer_net layer;
  const auto low = layer.net.b.call("low", "tfl.maximum", {layer.out, layer.net.scalar(-0.25f)}, tensor(dtype::float32, 1, 2, 2, 3));
  const auto high = layer.net.b.call("high", "tfl.minimum", {low, layer.net.scalar(1.25f)}, tensor(dtype::float32, 1, 2, 2, 3));
  const auto result = fused(layer.finish(layer.net.quantize("y", high, 0.5f, 10)));
  // -0.5 and 2.5 steps, rounded to even
  return has_operators(result, "baton.conv_2d ") && integer_of(result, "y", "output_min") == 10 &&
         integer_of(result, "y", "output_max") == 12;
}
static_assert(clamps_after_a_layer_become_bounds());

constexpr auto bounds_beyond_the_type_are_omitted() -> bool {
  layer_net layer("valid", "relu");
  const auto result = fused(layer.finish(layer.net.quantize("y", layer.out, 0.5f, -128)));
  return has_operators(result, "baton.conv_2d ") && program_view(result).find(result.nodes[0], "output_min") == nullptr;
}
static_assert(bounds_beyond_the_type_are_omitted());

constexpr auto depthwise_and_dense_layers_are_fused() -> bool {
  net_builder net;
  const auto x = net.input("x", image, 0.5f, 3);
  const auto w = net.weights(tensor(dtype::int8, 1, 4, 4, 4), {0.25f, 0.5f, 0.125f, 1}, 3);
  const auto conv = net.b.call("conv", "tfl.depthwise_conv_2d", {x, w, none<value_id>}, tensor(dtype::float32, 1, 1, 1, 4),
                               {{"padding", "valid"}, {"stride_h", 1}, {"stride_w", 1}, {"depth_multiplier", 2}});
  const auto y = net.dequantize(net.quantize("y", conv, 2, 0));
  const auto flat = net.b.call("flat", "tfl.reshape", {y}, tensor(dtype::float32, 1, 4));
  const auto rows = net.weights(tensor(dtype::int8, 2, 4), {0.25f, 0.5f});
  // float32 constants that are multiples of the products of scales
  const auto dense = net.b.call("dense", "tfl.fully_connected", {flat, rows, net.floats({1.5f, -3}, tensor(dtype::float32, 2))},
                                tensor(dtype::float32, 1, 2), {{"keep_num_dims", false}});
  net.b.output(net.quantize("z", dense, 2, 0));
  const auto result = fused(net.b.finish());
  const program_view view = result;
  if (!has_operators(view, "baton.depthwise_conv_2d tfl.reshape baton.fully_connected ")) return false;
  const auto bias = known_integers{view.data(view[view.inputs(view.nodes[2])[2]].data).data(), 2, 4, true};
  return view.integer(view.nodes[0], "depth_multiplier") == 2 && bias[0] == 3 && bias[1] == -3;
}
static_assert(depthwise_and_dense_layers_are_fused());

/// A bias with other scales than the products of the scales of input and weights is float32.
constexpr auto other_biases_are_float() -> bool {
  layer_net layer("valid", "none", 0, 0.3f);
  const auto result = fused(layer.finish(layer.net.quantize("y", layer.out, 2, 0)));
  const program_view view = result;
  const auto bias = view.inputs(view.nodes[0])[2];
  const auto number = std::bit_cast<float>(quantized::little_endian_32(view.data(view[bias].data), 1));
  return has_operators(view, "baton.conv_2d ") && view[bias].type == dtype::float32 && view[bias].quant.channels == 0 &&
         number == -6 * 0.3f;
}
static_assert(other_biases_are_float());

/// 100 and -127 have a difference of more than 8 bits.
constexpr auto zero_points_of_weights_are_subtracted() -> bool {
  layer_net small("valid", "none", 0), large("valid", "none", 100);
  const auto one = fused(small.finish(small.net.quantize("y", small.out, 2, 0))),
             two = fused(large.finish(large.net.quantize("y", large.out, 2, 0)));
  const program_view view = two;
  const auto filter = view.inputs(view.nodes[1])[1];
  return has_operators(one, "baton.conv_2d ") && has_operators(two, "tfl.concatenation baton.conv_2d ") && view.shape(filter)[3] == 4 &&
         view[filter].quant.zero_points.size == 0 && view[filter].quant.channels == 1;
}
static_assert(zero_points_of_weights_are_subtracted());

constexpr auto other_layers_stay() -> bool {
  const auto stays = [](const exported_program& program, std::string_view reason) {
    return same(fused(program), program) && last_reason(program) == reason;
  };
  layer_net asymmetric("valid", "none", 200), twice, returned, plain;
  const auto y = asymmetric.net.quantize("y", asymmetric.out, 2, 0);
  const auto first = twice.net.quantize("y", twice.out, 2, 0);
  twice.net.b.output(first);
  const auto second = returned.net.quantize("y", returned.out, 2, 0);
  returned.net.b.output(returned.out);
  return stays(asymmetric.finish(y), "a zero point of its weights is not an int8 number") &&
         stays(twice.finish(twice.net.quantize("z", twice.out, 4, 0)), "its float32 output has several uses") &&
         stays(returned.finish(second), "its float32 output is a graph output") &&
         stays(plain.finish(plain.net.b.call("tfl.softmax", {plain.out}, tensor(dtype::float32, 1, 2, 2, 3))),
               "its operator has no quantized form");
}
static_assert(other_layers_stay());

// Quantizations

constexpr auto equal_quantizations_vanish() -> bool {
  net_builder net;
  const auto x = net.input("x", image, 0.5f, 3);
  const auto sum = net.b.call("sum", "tfl.add", {x, x}, real_image);
  const auto y = net.quantize("y", sum, 1, 3);
  net.b.output(net.quantize("z", net.dequantize(y), 1, 3));
  const auto result = fused(net.b.finish());
  // the output keeps its name
  return has_operators(result, "baton.add ") && program_view(result).text(result.values[result.values.size() - 1].name) == "z" &&
         result.nodes[0].folded_handles.size == 4;
}
static_assert(equal_quantizations_vanish());

constexpr auto other_quantizations_become_requantizations() -> bool {
  net_builder net;
  const auto x = net.input("x", image, 0.5f, 3);
  net.b.output(net.quantize("y", x, 1, 3, dtype::int8, "tfl.quantize"));
  net.b.output(net.quantize("z", x, 0.5f, 3, dtype::int16));
  const auto result = fused(net.b.finish());
  return has_operators(result, "baton.quantize baton.quantize ") &&
         program_view(result)[program_view(result).inputs(result.nodes[0])[0]].type == dtype::int8;
}
static_assert(other_quantizations_become_requantizations());

// Moves

constexpr auto moves_are_applied_to_integers() -> bool {
  net_builder net;
  const auto x = net.input("x", image, 0.5f, 3);
  const auto padded = net.b.call("padded", "tfl.pad", {x, net.integers({0, 0, 1, 1, 1, 1, 0, 0}, tensor(dtype::int32, 4, 2))},
                                 tensor(dtype::float32, 1, 6, 6, 2));
  const auto pooled = net.b.call("pooled", "tfl.max_pool_2d", {padded}, tensor(dtype::float32, 1, 3, 3, 2),
                                 {{"padding", "valid"},
                                  {"filter_height", 2},
                                  {"filter_width", 2},
                                  {"stride_h", 2},
                                  {"stride_w", 2},
                                  {"fused_activation_function", "relu"}});
  const auto flat = net.b.call("flat", "tfl.reshape", {pooled}, tensor(dtype::float32, 1, 18));
  net.b.output(net.b.call("soft", "tfl.softmax", {flat}, tensor(dtype::float32, 1, 18)));
  net.b.output(flat);
  const auto result = fused(net.b.finish());
  const program_view view = result;
  return has_operators(view, "tfl.pad tfl.max_pool_2d tfl.reshape tfl.dequantize tfl.softmax ") &&
         view.integer(view.nodes[1], "filter_height") == 2 && view[view.outputs_of(view.nodes[2])[0]].type == dtype::int8 &&
         view.nodes[3].debug_handle == 1 && view.nodes[2].debug_handle == 4;
}
static_assert(moves_are_applied_to_integers());

constexpr auto moves_with_several_outputs_are_applied_to_integers() -> bool {
  net_builder net;
  const auto x = net.input("x", image, 0.5f, 3);
  const auto half = tensor(dtype::float32, 1, 4, 4, 1);
  const auto parts = net.b.call_many("parts", "tfl.split", {net.integers({3}, tensor(dtype::int32)), x}, {half, half}, {{"num_splits", 2}});
  net.b.output(net.b.call("sum", "tfl.add", {parts[0], parts[1]}, half));
  net.b.output(x);
  const auto result = fused(net.b.finish());
  return has_operators(result, "tfl.dequantize tfl.split tfl.dequantize tfl.dequantize tfl.add ");
}
static_assert(moves_with_several_outputs_are_applied_to_integers());

constexpr auto joined_operands_are_requantized() -> bool {
  net_builder net;
  const auto a = net.input("a", image, 0.5f, 3), b = net.input("b", image, 0.25f, 0);
  const auto joined = net.b.call("joined", "tfl.concatenation", {a, b, a}, tensor(dtype::float32, 1, 4, 4, 6), {{"axis", 3}});
  net.b.output(net.quantize("y", joined, 0.5f, 3));
  const auto same_scales = net.b.call("same", "tfl.maximum", {a, a}, real_image);
  net.b.output(same_scales);
  net.b.output(net.b.call("other", "tfl.maximum", {a, b}, real_image));
  const auto result = fused(net.b.finish());
  const program_view view = result;
  return has_operators(view, "tfl.dequantize tfl.dequantize baton.quantize tfl.concatenation tfl.maximum tfl.dequantize tfl.maximum ") &&
         view.inputs(view.nodes[3])[0] == view.inputs(view.nodes[3])[2] && view.integer(view.nodes[3], "axis") == 3;
}
static_assert(joined_operands_are_requantized());

// Elements

constexpr auto pairs_and_averages_are_fused() -> bool {
  net_builder net;
  const auto a = net.input("a", image, 0.5f, 3), b = net.input("b", image, 0.25f, 0);
  const auto difference = net.b.call("difference", "tfl.sub", {a, b}, real_image, {{"fused_activation_function", "relu"}});
  const auto product = net.b.call("product", "tfl.mul", {net.dequantize(net.quantize("d", difference, 1, 1)), b}, real_image);
  const auto p = net.dequantize(net.quantize("p", product, 1, 1));
  const auto mean = net.b.call("mean", "tfl.mean", {p, net.integers({1, 2}, tensor(dtype::int32, 2))}, tensor(dtype::float32, 1, 1, 1, 2),
                               {{"keep_dims", true}});
  net.b.output(net.quantize("m", mean, 2, 0));
  const auto pooled = net.b.call("pooled", "tfl.average_pool_2d", {p}, tensor(dtype::float32, 1, 2, 2, 2),
                                 {{"padding", "same"}, {"filter_height", 3}, {"filter_width", 3}, {"stride_h", 2}, {"stride_w", 2}});
  net.b.output(net.quantize("q", pooled, 2, 0));
  const auto result = fused(net.b.finish());
  const program_view view = result;
  if (!has_operators(view, "baton.sub baton.mul baton.average_pool_2d baton.average_pool_2d ")) return false;
  const auto pads = view.integer_list(view.find(view.nodes[3], "pads")->list);
  return integer_of(view, "d", "output_min") == 1 && integer_of(view, "m", "filter_height") == 4 && pads[0] == 0 && pads[2] == 1;
}
static_assert(pairs_and_averages_are_fused());

/// A pool, whose output is flattened and transposed before it is quantized, and a reshape that has another user.
constexpr auto quantizations_are_exchanged_with_moves() -> bool {
  net_builder net;
  const auto x = net.input("x", image, 0.5f, 3);
  const auto pooled = net.b.call("pooled", "tfl.average_pool_2d", {x}, tensor(dtype::float32, 1, 2, 2, 2),
                                 {{"padding", "valid"}, {"filter_height", 2}, {"filter_width", 2}, {"stride_h", 2}, {"stride_w", 2}});
  const auto rows = net.b.call("rows", "tfl.reshape", {pooled}, tensor(dtype::float32, 4, 2));
  const auto columns =
      net.b.call("columns", "tfl.transpose", {rows, net.integers({1, 0}, tensor(dtype::int32, 2))}, tensor(dtype::float32, 2, 4));
  net.b.output(net.quantize("y", columns, 0.25f, 3));
  const auto sum = net.b.call("sum", "tfl.add", {x, x}, real_image, {{"fused_activation_function", "none"}});
  const auto row = net.b.call("row", "tfl.reshape", {sum}, tensor(dtype::float32, 32));
  net.b.output(net.quantize("z", row, 1, 0));
  net.b.output(net.b.call("other", "tfl.abs", {row}, tensor(dtype::float32, 32)));
  const auto result = fused(net.b.finish());
  const program_view view = result;
  const auto pool = view.outputs_of(view.nodes[1])[0], output = view.outputs_of(view.nodes[3])[0];
  return has_operators(view,
                       "tfl.dequantize baton.average_pool_2d tfl.reshape tfl.transpose tfl.add tfl.reshape baton.quantize tfl.abs ") &&
         view.scale(view[pool].quant) == 0.25f && view.scale(view[output].quant) == 0.25f && view[pool].type == dtype::int8;
}
static_assert(quantizations_are_exchanged_with_moves());

constexpr auto functions_become_tables() -> bool {
  net_builder net;
  const auto x = net.input("x", tensor(dtype::uint8, 1, 4), 0.0625f, 128);
  const auto type = tensor(dtype::float32, 1, 4);
  const auto doubled = net.b.call("doubled", "tfl.mul", {x, net.scalar(2)}, type);
  const auto clamped = net.b.call("clamped", "tfl.relu6", {doubled}, type);
  net.b.output(net.quantize("y", clamped, 0.25f, -100));
  const auto sigmoid = net.b.call("sigmoid", "tfl.logistic", {x}, type);
  net.b.output(net.quantize("z", sigmoid, 1.0f / 256, -128));
  const auto result = fused(net.b.finish());
  const program_view view = result;
  if (!has_operators(view, "baton.lookup baton.lookup ") || view.text(view.nodes[0].name) != "clamped") return false;
  const auto table = view.data(view[view.inputs(view.nodes[0])[1]].data), curve = view.data(view[view.inputs(view.nodes[1])[1]].data);
  const auto at = [](span<const char> bytes, std::size_t i) { return static_cast<int>(static_cast<signed char>(bytes[i])); };
  // 1 step of the input is 0.5 steps of the output: ties to even
  return table.size() == 256 && at(table, 0) == -100 && at(table, 128) == -100 && at(table, 129) == -100 && at(table, 130) == -99 &&
         at(table, 131) == -98 && at(table, 255) == -76 && at(curve, 0) == -128 && at(curve, 128) == 0 && at(curve, 144) == 59;
}
static_assert(functions_become_tables());

constexpr auto functions_with_several_uses_stay() -> bool {
  net_builder net;
  const auto x = net.input("x", tensor(dtype::int8, 1, 4), 0.0625f, 0);
  const auto sigmoid = net.b.call("sigmoid", "tfl.logistic", {x}, tensor(dtype::float32, 1, 4));
  net.b.output(net.quantize("y", sigmoid, 0.25f, -100));
  net.b.output(net.quantize("z", sigmoid, 0.5f, -100));
  const auto program = net.b.finish();
  return same(fused(program), program) && last_reason(program) == "its float32 output has several uses";
}
static_assert(functions_with_several_uses_stay());

/// Programs of other kinds are not changed.
constexpr auto integer_programs_are_unchanged() -> bool {
  program_builder b;
  const auto x = b.user_input("x", image);
  b.quantize(x, 0.5f, 3);
  const auto flat = b.call("tfl.reshape", {x}, tensor(dtype::int8, 1, 32));
  b.quantize(flat, 0.5f, 3);
  b.output(flat);
  const auto program = b.finish();
  return same(fused(program), program);
}
static_assert(integer_programs_are_unchanged());

}  // namespace

TEST_CASE("layers are fused with the quantization around them") {
  CHECK(a_convolution_is_fused());
  CHECK(clamps_after_a_layer_become_bounds());
  CHECK(bounds_beyond_the_type_are_omitted());
  CHECK(depthwise_and_dense_layers_are_fused());
  CHECK(other_biases_are_float());
  CHECK(zero_points_of_weights_are_subtracted());
}
TEST_CASE("layers that cannot be fused are unchanged, and float_reason returns the reason") { CHECK(other_layers_stay()); }
TEST_CASE("quantizations of dequantized values are removed or become requantizations") {
  CHECK(equal_quantizations_vanish());
  CHECK(other_quantizations_become_requantizations());
}
TEST_CASE("moves are applied to integers") {
  CHECK(moves_are_applied_to_integers());
  CHECK(moves_with_several_outputs_are_applied_to_integers());
  CHECK(joined_operands_are_requantized());
}
TEST_CASE("sums, products, averages and functions are fused with the quantization around them") {
  CHECK(pairs_and_averages_are_fused());
  CHECK(quantizations_are_exchanged_with_moves());
  CHECK(functions_become_tables());
  CHECK(functions_with_several_uses_stay());
  CHECK(integer_programs_are_unchanged());
}

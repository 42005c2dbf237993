// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The processed bytes of ExecuTorch's XNNPACK backend, decoded into operators of the kernels.
#include <baton/import/detail/pte_xnnpack_graph.hpp>

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/pte.hpp>
#include <baton/transform/legalize.hpp>

#include "import/pte_writer.hpp"
#include "import/pte_xnnpack_writer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace std::string_view_literals;
using baton::program_view;
using tests::xnnpack_program;
using tests::xnnpack_writer;
using file = baton::vector<char>;

constexpr std::string_view sixteen_bytes{"0123456789abcdef"};

constexpr auto contains(const baton::text_buffer& text, std::string_view part) -> bool {
  return baton::view(text).find(part) != std::string_view::npos;
}
constexpr auto printed(const file& bytes) -> baton::text_buffer {
  const auto program = baton::pte::importer::read(bytes);
  if (!program) return baton::message(program.error);
  return baton::print(program.value);
}
/// True if reading fails with a rule, and the reason contains a text.
template <baton::fixed_string Rule>
constexpr auto fails(const file& bytes, std::string_view reason) -> bool {
  const auto why = baton::pte::importer::read(bytes).error;
  return why.is<Rule>() && contains(why.reason, reason);
}

// y = clamp(x · weights + bias), where the weights are at byte 4 of the constants, and the bias has a key
constexpr auto of_layer(std::int64_t offset = 0, std::string_view key = "key", std::int32_t flags = 0) -> file {
  xnnpack_writer write;
  write.value({.dims = {1, 2}, .input = 0});
  write.value({.dims = {2, 2}, .constant = 1});
  write.value({.dims = {2}, .constant = 2});
  write.value({.dims = {1, 2}, .output = 0});
  write.constant(offset, 16);
  write.constant(0, 8, key);
  write.node(2, {0, 1, 2, 3, flags}, -2, 3);
  return xnnpack_program(write.bytes(sixteen_bytes), {{1, 2}}, {1, 2});
}
/// True if a node has a debug handle, as its own or as a folded one.
constexpr auto has_handle(const program_view& program, std::int64_t handle) -> bool {
  for (const auto& record : program.nodes) {
    if (record.debug_handle == handle) return true;
    for (const auto folded : program.folded_handles(record)) {
      if (folded == handle) return true;
    }
  }
  return false;
}
constexpr auto layers_are_decoded() -> bool {
  const auto bytes = of_layer();
  const auto program = baton::pte::read_bytes(bytes);
  const program_view view(program);
  const auto text = baton::print(program);
  const auto& part = view[view.delegates[0].original];
  const baton::pte::read_options opaque{.keeps_processed_bytes = true};
  return view.integer(view.nodes[0], "decoded") == 1 && view.inputs(part).size() == 5 && view.nodes_of(part)[0].debug_handle == 7 &&
         view.text(view[view.inputs(part)[1]].data) == sixteen_bytes &&
         contains(text,
                  "[target=tfl.fully_connected](%part_0_value_0, %part_0_value_1, %part_0_value_2, keep_num_dims=False, "
                  "weights_format='default', fused_activation_function='none')") &&
         contains(text, "[target=tfl.maximum]") && contains(text, "[target=tfl.minimum]") && contains(text, "return (%part_0_value_3,)") &&
         contains(baton::print(baton::pte::read_bytes(bytes, opaque)), "executorch.opaque_part");
}
constexpr auto decoded_calls_are_replaced() -> bool {
  const auto bytes = of_layer();
  const auto program = baton::pte::read_bytes(bytes);
  const auto result = baton::legalize::run(program);
  if (!result) return false;
  // The output has the name of the output of the call, and the debug handles of the call and of the node are kept.
  return result.value.delegates.empty() && contains(baton::print(result.value), "return (%value_1_0,)") && has_handle(result.value, 1) &&
         has_handle(result.value, 7);
}

/// Processed bytes with one node of one operand and an output of the same shape.
constexpr auto of_node(int op, baton::pte::xnnpack::datatype type = baton::pte::xnnpack::datatype::fp32, std::int32_t flags = 0) -> file {
  xnnpack_writer write;
  const auto scale = type == baton::pte::xnnpack::datatype::fp32 ? 0.0f : 0.5f;
  write.value({.dims = {1, 2, 2, 2}, .type = static_cast<int>(type), .input = 0, .scale = scale});
  write.value({.dims = {1, 2, 2, 2}, .type = static_cast<int>(type), .output = 0, .scale = scale});
  write.node(op, {0, 1, flags});
  return xnnpack_program(write.bytes(), {{1, 2, 2, 2}}, {1, 2, 2, 2},
                         scale == 0                                      ? 6
                         : type == baton::pte::xnnpack::datatype::quint8 ? 0
                                                                         : 1);
}
constexpr auto unary_operators_are_decoded() -> bool {
  struct known {
    int op;
    std::string_view target;
  };
  for (const auto& each : {known{3, "tfl.softmax"},
                           {4, "tfl.logistic"},
                           {17, "tfl.floor"},
                           {22, "tfl.sqrt"},
                           {23, "tfl.ceil"},
                           {24, "tfl.hard_swish"},
                           {27, "tfl.neg"},
                           {28, "tfl.square"},
                           {30, "tfl.abs"},
                           {40, "tfl.rsqrt"},
                           {41, "tfl.log"},
                           {42, "tfl.gelu"},
                           {43, "tfl.tanh"},
                           {44, "tfl.exp"},
                           {45, "tfl.sin"},
                           {46, "tfl.reshape"},
                           {47, "tfl.cos"},
                           {6, "tfl.reshape"},
                           {18, "tfl.reshape"}}) {
    const auto bytes = of_node(each.op);
    const auto program = baton::pte::importer::read(bytes);
    if (!program || program_view(program.value).text(program.value.nodes[1].target) != each.target) return false;
  }
  // Integers are dequantized and quantized.
  const auto text = printed(of_node(43, baton::pte::xnnpack::datatype::qint8));
  return contains(text, "[target=tfl.dequantize]") && contains(text, "[target=tfl.tanh]") && contains(text, "[target=baton.quantize]");
}

// int8: a pool and a convolution with padding and scales for two channels
constexpr auto of_int8(std::int32_t channel_dim = 0, std::int32_t pool_height = 2) -> file {
  xnnpack_writer write;
  write.value({.dims = {1, 4, 4, 1}, .type = 3, .input = 0, .scale = 0.5f, .zero_point = 3});
  write.value({.dims = {1, 2, 2, 1}, .type = 3, .scale = 0.5f, .zero_point = 3});
  write.value({.dims = {2, 2, 2, 1}, .type = 6, .constant = 1, .scale = 0.25f, .parameters = 1, .channel_dim = channel_dim});
  write.value({.dims = {1, 3, 3, 2}, .type = 3, .output = 0, .scale = 1.0f, .zero_point = -2});
  write.constant(0, 8);
  write.node(14, {0, 0, 0, 0, pool_height, 2, 2, 2, 1, 1, 0, 1, 64});
  write.node(7, {1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1, 2, 1, 0, 0, 1, 2, -1, 3}, -100.6f, 4.5f);
  return xnnpack_program(write.bytes(sixteen_bytes), {{1, 4, 4, 1}}, {1, 3, 3, 2}, 1);
}
constexpr auto int8_layers_state_bounds_and_padding() -> bool {
  const auto text = printed(of_int8());
  const auto program = baton::pte::importer::read(of_int8());
  return program && contains(text, "[target=baton.max_pool_2d]") &&
         contains(text,
                  "[target=baton.conv_2d](%part_0_value_1, %part_0_value_2, None, stride_h=1, stride_w=1, dilation_h_factor=1, "
                  "dilation_w_factor=1, pads=[1, 1, 1, 1], output_min=-103, output_max=2, arithmetic='xnnpack')") &&
         fails<"damaged_model">(of_int8(4), "value 2 is quantized along dimension 4, but the number of its dimensions is 4") &&
         fails<"damaged_model">(of_int8(0, 0), "has a window of 0 by 2") &&
         fails<"damaged_model">(of_int8(0, INT32_MAX), "has a window, a stride, a dilation or a padding that is too large");
}

// A transposed convolution of four inputs and two outputs in groups, with a 1x2 filter
constexpr auto of_transposed(std::int32_t groups, std::int32_t dilation, std::uint32_t inputs = 2, std::int32_t filter = 1) -> file {
  xnnpack_writer write;
  write.value({.dims = {1, 1, 2, 4}, .input = 0});
  write.value({.dims = {2, 1, 2, inputs}, .constant = filter});
  write.value({.dims = {2}, .constant = 2});
  write.value({.dims = {1, 1, static_cast<std::uint32_t>(2 + dilation), 2}, .output = 0});
  write.constant(0, static_cast<std::int32_t>(16 * inputs));
  write.constant(0, 8);
  write.node(39, {0, 0, 0, 0, 1, 2, 1, 1, 1, dilation, 2, 1, groups, 0, 0, 0, 1, 2, 3}, 0);
  return xnnpack_program(write.bytes("0123456789abcdefghijklmnopqrstuv0123456789abcdefghijklmnopqrstuv"), {{1, 1, 2, 4}},
                         {1, 1, 2 + dilation, 2});
}
constexpr auto transposed_groups_are_layers() -> bool {
  const auto group_bytes = of_transposed(2, 1), dilated_bytes = of_transposed(1, 2, 4);
  const auto groups = baton::pte::importer::read(group_bytes), dilated = baton::pte::importer::read(dilated_bytes);
  if (!groups || !dilated) return false;
  const auto& all = groups.value;
  const program_view program(all), spread(dilated.value);
  const std::string_view targets[] = {"tfl.slice", "tfl.transpose_conv", "tfl.slice", "tfl.transpose_conv", "tfl.concatenation"};
  if (all.nodes.size() != 1 + 5) return false;
  for (std::size_t n = 0; n < 5; ++n) {
    if (program.text(all.nodes[1 + n].target) != targets[n]) return false;
  }
  const auto filter_of = [](const program_view& of, std::size_t node) { return of.text(of[of.inputs(of.nodes[node])[1]].data); };
  const auto bias = program.text(program[program.inputs(all.nodes[4])[3]].data);
  const std::string_view zeros("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16), filter = filter_of(spread, 1);
  return filter_of(program, 2) == "0123456789abcdef" && filter_of(program, 4) == "ghijklmnopqrstuv" && bias == "4567" &&
         filter.size() == 96 && filter.substr(0, 16) == "0123456789abcdef" && filter.substr(16, 16) == zeros &&
         filter.substr(32, 16) == "ghijklmnopqrstuv" && filter.substr(64, 16) == zeros;
}
// int8: the filters and the biases of a group have the scales of its channels
constexpr auto int8_groups_have_scales() -> bool {
  xnnpack_writer write;
  write.value({.dims = {1, 1, 2, 4}, .type = 3, .input = 0, .scale = 0.5f});
  write.value({.dims = {2, 1, 2, 2}, .type = 6, .constant = 1, .scale = 0.25f, .parameters = 1});
  write.value({.dims = {2}, .type = 7, .constant = 2, .scale = 0.125f, .parameters = 1});
  write.value({.dims = {1, 1, 3, 2}, .type = 3, .output = 0, .scale = 0.5f});
  write.constant(0, 8);
  write.constant(0, 8);
  write.node(39, {0, 0, 0, 0, 1, 2, 1, 1, 1, 1, 2, 1, 2, 0, 0, 0, 1, 2, 3}, 0);
  const auto bytes = xnnpack_program(write.bytes(sixteen_bytes), {{1, 1, 2, 4}}, {1, 1, 3, 2}, 1);
  const auto program = baton::pte::importer::read(bytes);
  std::size_t filters = 0, biases = 0;
  for (const auto& value : program.value.values) {
    if (value.kind != baton::value_kind::constant || value.quant.channels != 1) continue;
    const auto scale = program_view(program.value).scale(value.quant);
    const auto data = program_view(program.value).text(value.data);
    if (value.type == baton::dtype::int8) filters += scale == 0.25f && data == (filters == 0 ? "0123" : "4567") ? 1 : 0;
    if (value.type == baton::dtype::int32) biases += scale == 0.125f && data == (biases == 0 ? "0123" : "4567") ? 1 : 0;
  }
  return program && filters == 2 && biases == 2;
}
// The elements between those of a dilated int8 filter are the real number 0: the zero point
constexpr auto dilated_int8_filters_have_zero_points() -> bool {
  xnnpack_writer write;
  write.value({.dims = {1, 1, 2, 4}, .type = 3, .input = 0, .scale = 0.5f});
  write.value({.dims = {2, 1, 2, 4}, .type = 3, .constant = 1, .scale = 0.25f, .zero_point = '~'});
  write.value({.dims = {1, 1, 4, 2}, .type = 3, .output = 0, .scale = 0.5f});
  write.constant(0, 16);
  write.node(39, {0, 0, 0, 0, 1, 2, 1, 1, 1, 2, 4, 2, 1, 0, 0, 0, 1, -1, 2}, 0);
  const auto bytes = xnnpack_program(write.bytes(sixteen_bytes), {{1, 1, 2, 4}}, {1, 1, 4, 2}, 1);
  const auto program = baton::pte::importer::read(bytes);
  bool is_found = false;
  for (const auto& value : program.value.values)
    is_found = is_found || program_view(program.value).text(value.data) == "0123~~~~456789ab~~~~cdef";
  return program && is_found;
}
constexpr auto other_groups_are_refused() -> bool {
  return fails<"unsupported_model">(of_transposed(4, 1, 1), "has weights that do not fit 4 groups of the 4 input channels") &&
         fails<"unsupported_model">(of_transposed(2, 1, 3), "has weights that do not fit 2 groups") &&
         fails<"unsupported_model">(of_transposed(1, 100000, 4), "bytes of weights with a dilation, which count as");
}

// The input is quantized at run time: a conversion without a node.
constexpr auto of_dynamic_layer(std::int32_t first_handle) -> file {
  xnnpack_writer write;
  write.first_handle = first_handle;
  write.value({.dims = {1, 2}, .input = 0});
  write.value({.dims = {1, 2}, .type = 9, .scale = 1.0f, .parameters = 3});
  write.value({.dims = {2, 2}, .type = 6, .constant = 1, .scale = 0.25f, .parameters = 1});
  write.value({.dims = {1, 2}, .output = 0});
  write.constant(0, 4);
  write.node(18, {0, 1});
  write.node(2, {1, 2, -1, 3});
  return xnnpack_program(write.bytes(sixteen_bytes), {{1, 2}}, {1, 2});
}
constexpr auto dynamic_layers_are_hybrid() -> bool {
  const auto bytes = of_dynamic_layer(7);
  const auto program = baton::pte::importer::read(bytes);
  const auto result = baton::legalize::run(program.value);
  return program && has_handle(program.value, 7) && has_handle(program.value, 8) && result && has_handle(result.value, 1) &&
         has_handle(result.value, 7) && has_handle(result.value, 8) &&
         contains(baton::print(program.value),
                  "[target=tfl.fully_connected](%part_0_value_0, %part_0_value_2, None, keep_num_dims=False, "
                  "weights_format='default', asymmetric_quantize_inputs=True");
}

// ExecuTorch writes 65535 for a node without a debug handle.
constexpr auto nodes_may_have_no_debug_handle() -> bool {
  const auto layer_of = [](std::int32_t first_handle) {
    const auto bytes = of_dynamic_layer(first_handle);
    return baton::pte::read_bytes(bytes);
  };
  const auto handles_of = [](const program_view& program) {
    for (const auto& record : program.nodes) {
      if (!record.is("tfl.fully_connected")) continue;
      const auto folded = program.folded_handles(record);
      return std::array<std::int64_t, 2>{record.debug_handle, folded.size() == 0 ? 0 : folded[0]};
    }
    return std::array<std::int64_t, 2>{-1, -1};
  };
  return handles_of(layer_of(7)) == std::array<std::int64_t, 2>{8, 7} &&
         handles_of(layer_of(65534)) == std::array<std::int64_t, 2>{0, 65534} &&
         handles_of(layer_of(65535)) == std::array<std::int64_t, 2>{65536, 0} && !has_handle(layer_of(65534), 65535) &&
         !has_handle(layer_of(-1), 65535);
}
static_assert(nodes_may_have_no_debug_handle());

using xnnpack_type = baton::pte::xnnpack::datatype;

// y = x · weights + bias in 16 bits. Scalar types 5 and 15 of ExecuTorch are float16 and bfloat16.
constexpr auto of_halves(xnnpack_type type) -> file {
  const auto number = static_cast<int>(type);
  xnnpack_writer write;
  write.value({.dims = {1, 2}, .type = number, .input = 0});
  write.value({.dims = {2, 2}, .type = number, .constant = 1});
  write.value({.dims = {2}, .constant = 2});
  write.value({.dims = {1, 2}, .type = number, .output = 0});
  write.constant(0, 8);
  write.constant(8, 8);
  write.node(2, {0, 1, 2, 3}, 0, 6);
  return xnnpack_program(write.bytes(sixteen_bytes), {{1, 2}}, {1, 2}, type == xnnpack_type::fp16 ? 5 : 15);
}
// float32 operators between conversions. Constants of bfloat16 are widened; those of float16 are converted by a node that passes fold.
constexpr auto halves_are_converted() -> bool {
  const auto half = of_halves(xnnpack_type::fp16), brain = of_halves(xnnpack_type::bf16);
  const auto text = printed(half), other = printed(brain);
  const auto program = baton::pte::importer::read(brain);
  bool is_wide = false;
  for (const auto& value : program.value.values) {
    is_wide = is_wide || (value.kind == baton::value_kind::constant && value.type == baton::dtype::float32 &&
                          program_view(program.value).text(value.data) == "\0\00001\0\00023\0\00045\0\00067"sv);
  }
  return contains(text, "[target=tfl.dequantize](%part_0_value_0)") && contains(text, "[target=tfl.dequantize](%part_0_value_1)") &&
         contains(text, "weights_format='default', fused_activation_function='relu6')") && contains(text, "[target=tfl.cast]") &&
         contains(other, "[target=tfl.cast](%part_0_value_0)") && !contains(other, "dequantize") && is_wide;
}
// uint8 numbers are moved as they are, and computed between a dequantization and a quantization.
constexpr auto uint8_is_decoded() -> bool {
  const auto text = printed(of_node(43, xnnpack_type::quint8));
  xnnpack_writer write;
  write.value({.dims = {1}, .type = 4, .input = 0, .scale = 0.5f, .zero_point = 128});
  write.value({.dims = {3}, .type = 4, .output = 0, .scale = 0.5f, .zero_point = 128});
  write.node_with_lists(10, 0, {1}, {1}, {0x42700000, 0, 1});  // with 60
  const auto bytes = xnnpack_program(write.bytes(), {{1}}, {3}, 0);
  const auto padded = baton::pte::importer::read(bytes);
  bool is_in_steps = false;
  for (const auto& value : padded.value.values)
    is_in_steps = is_in_steps || (value.type == baton::dtype::uint8 && program_view(padded.value).text(value.data) == "\xf8");
  return contains(text, "[target=tfl.dequantize]") && contains(text, "[target=tfl.tanh]") && contains(text, "[target=baton.quantize]") &&
         padded && is_in_steps;
}

// A layer with 4-bit weights, whose input is quantized at run time
constexpr auto of_int4(std::uint32_t inputs, std::int32_t group_size, bool has_constant_scales = true, std::int32_t flags = 0) -> file {
  const bool is_grouped = group_size != 0;
  xnnpack_writer write;
  write.value({.dims = {1, inputs}, .input = 0});
  write.value({.dims = {1, inputs}, .type = 9, .scale = 1.0f, .parameters = 3});
  write.value({.dims = {2, inputs},
               .type = is_grouped ? 10 : 8,
               .constant = 1,
               .scale = 0.25f,
               .zero_point = has_constant_scales ? 2 : 0,
               .parameters = is_grouped ? 4 : 1,
               .group_size = group_size});
  write.value({.dims = {1, 2}, .output = 0});
  write.constant(0, 4);
  write.constant(8, 8);
  write.node(18, {0, 1});
  write.node(2, {1, 2, -1, 3, flags}, 0, 6);
  return xnnpack_program(write.bytes(sixteen_bytes), {{1, static_cast<std::int32_t>(inputs)}}, {1, 2});
}
/// Returns the bytes of the int4 constants, and the scales of each, with a blank after each.
constexpr auto int4_constants(const file& bytes) -> baton::text_buffer {
  const auto program = baton::pte::importer::read(bytes);
  const program_view view(program.value);
  baton::text_buffer text;
  for (const auto& value : program.value.values) {
    if (value.type != baton::dtype::int4) continue;
    for (const auto part : {view.text(value.data), view.text(value.quant.scales)}) append(append(text, part), " ");
  }
  return text;
}
constexpr auto int4_weights_are_unpacked() -> bool {
  const auto channels = of_int4(4, 0), groups = of_int4(4, 2), one_group = of_int4(4, 4, false);
  const auto text = printed(groups), one = printed(one_group);
  return int4_constants(channels) == baton::join("\xb8\xb9\xba\xbb 89abcdef ") &&
         contains(printed(channels), "[target=tfl.fully_connected]") && contains(printed(channels), "asymmetric_quantize_inputs=True") &&
         int4_constants(groups) == baton::join("\xb8\xba \0\00089\0\000cd \xb9\xbb \0\000ab\0\000ef "sv) &&
         contains(text, "[target=tfl.slice]") && contains(text, "[target=tfl.add]") &&
         contains(text, "fused_activation_function='relu6')") &&
         int4_constants(one_group) == baton::join("\xb8\xb9\xba\xbb \0\0\x80\x3e\0\0\x80\x3e "sv) && contains(one, "[target=tfl.relu6]") &&
         !contains(one, "[target=tfl.add]");
}
constexpr auto other_int4_weights_are_refused() -> bool {
  return fails<"unsupported_model">(of_int4(3, 0),
                                    "value 2 has data type 8 (qcint4), and rows of an odd number of elements; the graph has "
                                    "the format XN01, version 0") &&
         fails<"damaged_model">(of_int4(4, 3), "value 2 has 4 inputs in groups of 3; the size of a group must be even") &&
         fails<"damaged_model">(of_int4(8, 6), "value 2 has 8 inputs in groups of 6") &&
         fails<"damaged_model">(of_int4(0, 2), "value 2 has 0 inputs in groups of 2") &&
         fails<"damaged_model">(of_int4(16, 2), "value 2 needs 16 bytes, but its constant 1 has 4 bytes") &&
         fails<"damaged_model">(of_int4(4, 2, false), "value 2 has 2 scales for 4 groups") &&
         fails<"unsupported_model">(of_int4(4, 2, true, 1), "(XNNFullyConnected, XN01, version 0) has transposed weights with a scale");
}

// Layers with the same weights of `size` bytes, which are many times the size of the tables of the file
auto of_large_weights(xnnpack_type type, std::uint32_t size, std::int32_t layers = 1) -> file {
  const bool is_half = type == xnnpack_type::bf16;
  const auto inputs = is_half ? size / 4 : size;
  const auto rows = static_cast<std::int32_t>(is_half ? xnnpack_type::bf16 : xnnpack_type::fp32);
  xnnpack_writer write;
  write.value({.dims = {1, inputs}, .type = rows, .input = 0});
  if (is_half) {
    write.value({.dims = {2, inputs}, .type = static_cast<int>(type), .constant = 1});
  } else {
    write.value({.dims = {2, inputs},
                 .type = static_cast<int>(type),
                 .constant = 1,
                 .scale = 0.25f,
                 .zero_point = 1,
                 .parameters = type == xnnpack_type::qbint4 ? 4 : 1,
                 .group_size = 1 << 12});
  }
  write.value({.dims = {1, inputs}, .type = 9, .scale = 1.0f, .parameters = 3});
  for (std::int32_t layer = 0; layer < layers; ++layer) write.value({.dims = {1, 2}, .type = rows, .output = layer + 1 == layers ? 0 : -1});
  write.constant(0, size);
  if (!is_half) write.node(18, {0, 2});
  for (std::int32_t layer = 0; layer < layers; ++layer) write.node(2, {is_half ? 0 : 2, 1, -1, 3 + layer});
  const baton::text_buffer constants(size, '7');
  return xnnpack_program(write.bytes(baton::view(constants)), {{1, static_cast<std::int32_t>(inputs)}}, {1, 2}, is_half ? 15 : 6);
}

// The maxima of a 2x3 image of two channels, and their positions
constexpr auto of_argmax(std::int32_t height, std::int32_t width, std::initializer_list<std::uint32_t> out, int index = 12,
                         std::int32_t padding = 0) -> file {
  xnnpack_writer write;
  write.value({.dims = {1, 2, 3, 2}, .input = 0});
  write.value({.dims = out});
  write.value({.dims = out, .type = index, .output = 0});
  write.node(21, {padding, 0, 0, 0, height, width, 0, 1, 2});
  baton::vector<std::int32_t> sizes;
  for (const auto size : out) sizes.push_back(static_cast<std::int32_t>(size));
  return xnnpack_program(write.bytes(), {{1, 2, 3, 2}}, {sizes[0], sizes[1], sizes[2], sizes[3]}, 3, 6);
}
constexpr auto maxima_have_positions() -> bool {
  const auto rows = printed(of_argmax(2, 1, {1, 1, 3, 2})), all = printed(of_argmax(2, 3, {1, 1, 1, 2}));
  const auto columns = printed(of_argmax(1, 3, {1, 2, 1, 2}));
  return contains(rows, "[target=tfl.max_pool_2d]") && contains(rows, "[target=tfl.arg_max](%part_0_value_0, ") &&
         contains(columns, "[target=tfl.arg_max](%part_0_value_0, ") && contains(all, "[target=tfl.arg_max](%part_0_inner_") &&
         fails<"unsupported_model">(
             of_argmax(1, 2, {1, 2, 1, 2}),
             "(XNNArgMaxPooling2d, XN01, version 0) has a padding, or a window of 1 by 2, which is neither the whole") &&
         fails<"unsupported_model">(of_argmax(2, 1, {1, 1, 3, 2}, 12, 1), "has a padding, or a window of 2 by 1") &&
         fails<"unsupported_model">(of_argmax(2, 1, {1, 1, 3, 2}, 1), "has an image that is not float32, or an index that is not int32");
}

constexpr auto moves_are_decoded() -> bool {
  xnnpack_writer write;
  write.value({.dims = {1, 2, 3}, .input = 0});
  write.value({.dims = {1, 3, 2}});
  write.value({.dims = {1, 3, 4}});
  write.value({.dims = {1, 2, 4}});
  write.value({.dims = {1, 4, 6}, .output = 0});
  write.node_with_lists(5, 1, {0, 2, 1}, {}, {0, 1});
  write.node(32, {2, 1, 1, 0, 0, 2});
  write.node_with_lists(35, 1, {0, 1, 0}, {1, 2, 0}, {2, 3});
  write.node_with_lists(10, 0, {0, 1, 2}, {0, 1, 0}, {0, 3, 4});
  const auto text = printed(xnnpack_program(write.bytes(), {{1, 2, 3}}, {1, 4, 6}));
  return contains(text, "[target=tfl.transpose]") &&
         contains(text, "[target=tfl.concatenation](%part_0_value_1, %part_0_value_1, axis=2") && contains(text, "[target=tfl.slice]") &&
         contains(text, "[target=tfl.padv2]");
}

// Inputs are in the order of their external ids.
constexpr auto pairs_are_decoded() -> bool {
  const auto of = [](int op) {
    xnnpack_writer write;
    write.value({.dims = {2}, .output = 0});
    write.value({.dims = {1}, .input = 1});  // of the call: no dimension
    write.value({.dims = {2}, .input = 0});
    write.node(op, {2, 1, 0});
    return printed(xnnpack_program(write.bytes(), {{2}, {}}, {2}));
  };
  return contains(of(1), "[target=tfl.add](%part_0_value_2, %part_0_value_1, fused_activation_function='none')") &&
         contains(of(8), "[target=tfl.div]") && contains(of(12), "[target=tfl.minimum](%part_0_value_2, %part_0_value_1)") &&
         contains(of(15), "[target=tfl.mul]") && contains(of(16), "[target=tfl.sub]") && contains(of(26), "[target=tfl.maximum]") &&
         contains(of(31), "[target=tfl.prelu]");
}

constexpr auto with_header(std::size_t at, char byte) -> file {
  xnnpack_writer write;
  write.value({.dims = {2}, .input = 0});
  write.value({.dims = {2}, .output = 0});
  write.node(4, {0, 1});
  auto bytes = write.bytes();
  bytes[at] = byte;
  return xnnpack_program(bytes, {{2}}, {2});
}
constexpr auto of_values(std::int32_t in, std::int32_t out, std::initializer_list<std::uint32_t> dims, int type = 1, float scale = 0,
                         int parameters = 2) -> file {
  xnnpack_writer write;
  write.value({.dims = {2}, .input = 0});
  write.value({.dims = dims, .type = type, .output = 0, .scale = scale, .parameters = parameters});
  write.node(4, {in, out});
  return xnnpack_program(write.bytes(), {{2}}, {2});
}
/// A graph of two values, the second of which has the id `id`.
constexpr auto with_id(std::int32_t id) -> file {
  xnnpack_writer write;
  write.value({.dims = {2}, .input = 0});
  write.value({.dims = {2}, .output = 0, .id = id});
  write.node(4, {0, 1});
  return xnnpack_program(write.bytes(), {{2}}, {2});
}
constexpr auto unknown_parts_are_named() -> bool {
  return fails<"unsupported_operators">(of_node(36),
                                        "the delegate of instruction 0: XNNPACK's graph (XN01, version 0) has "
                                        "XNNScaledDotProductAttention, type 36 of the XNNPACK schema's node union (1 node)") &&
         fails<"unsupported_operators">(of_node(99), "an unknown operator, type 99 of the XNNPACK schema's node union (1 node)") &&
         fails<"unsupported_model">(of_node(4, baton::pte::xnnpack::datatype::fp32, 256),
                                    "(XNNSigmoid, XN01, version 0) has the flags 256") &&
         fails<"unsupported_model">(of_values(0, 1, {2}, 11), "value 1 has data type 11 (qpint8)") &&
         fails<"unsupported_model">(of_values(0, 1, {2}, 99), "value 1 has data type 99 (unknown)") &&
         fails<"unsupported_model">(of_values(0, 1, {2}, 3, 0.5f, 3), "value 1 has quantization 3") &&
         fails<"unsupported_model">(of_values(0, 1, {3}), "output 0 of the graph, value part_0_value_1, has 3 elements of float32") &&
         fails<"unsupported_model">(with_header(32 + 5, '?'), "its processed bytes have the identifier X?01");
}
constexpr auto damage_is_found() -> bool {
  return fails<"damaged_model">(with_header(14, '\x7f'), "the header states a graph at byte 32") &&
         fails<"damaged_model">(with_header(22, '\x01'), "and constants at byte") &&
         fails<"damaged_model">(with_header(32, '\x70'), "the delegate of instruction 0: the root table is not inside") &&
         fails<"damaged_model">(of_values(1, 1, {2}), "a node reads value 1, which no node has computed") &&
         fails<"damaged_model">(of_values(0, 0, {2}), "a node computes value 0, which already has a value") &&
         fails<"damaged_model">(of_values(0, 9, {2}), "there is no value 9") &&
         fails<"damaged_model">(with_id(0), "two values have id 0") &&
         fails<"damaged_model">(with_id(7), "value 1 has id 7, but the number of values is 2") &&
         fails<"damaged_model">(of_layer(4), "constant 1 is at byte 4 of the constants, 16 bytes long; the constants have 16 bytes") &&
         fails<"missing_file">(of_layer(0, "other"), "value 2 is the tensor other, which the file does not contain");
}

static_assert(layers_are_decoded());
static_assert(decoded_calls_are_replaced());
static_assert(int8_layers_state_bounds_and_padding());
static_assert(damage_is_found());
static_assert(transposed_groups_are_layers());
static_assert(int8_groups_have_scales());
static_assert(dilated_int8_filters_have_zero_points());
static_assert(halves_are_converted());
static_assert(int4_weights_are_unpacked());

}  // namespace

TEST_CASE("pte: the graph of XNNPACK's processed bytes is the original graph of the delegate") {
  CHECK(layers_are_decoded());
  CHECK(decoded_calls_are_replaced());
  CHECK(int8_layers_state_bounds_and_padding());
}
TEST_CASE("pte: XNNPACK's operators become operators of the kernels") {
  CHECK(unary_operators_are_decoded());
  CHECK(dynamic_layers_are_hybrid());
  CHECK(nodes_may_have_no_debug_handle());
  CHECK(moves_are_decoded());
  CHECK(pairs_are_decoded());
  CHECK(transposed_groups_are_layers());
  CHECK(int8_groups_have_scales());
  CHECK(dilated_int8_filters_have_zero_points());
  CHECK(maxima_have_positions());
}
TEST_CASE("pte: float16, bfloat16, uint8 and 4-bit values of XNNPACK's graph become operators of the kernels") {
  CHECK(halves_are_converted());
  CHECK(uint8_is_decoded());
  CHECK(int4_weights_are_unpacked());
  CHECK(other_int4_weights_are_refused());
  for (const auto type : {xnnpack_type::bf16, xnnpack_type::qcint4, xnnpack_type::qbint4})
    CHECK(baton::pte::importer::read(of_large_weights(type, 1 << 18)));
  // Each layer copies the weights to float32. A file with many such layers is refused.
  CHECK(baton::pte::importer::read(of_large_weights(xnnpack_type::bf16, 1 << 16, 8)));
  CHECK(fails<"damaged_model">(of_large_weights(xnnpack_type::bf16, 1 << 16, 30), "the delegate of instruction 0"));
}
TEST_CASE("pte: unknown and damaged parts of XNNPACK's processed bytes are named") {
  CHECK(unknown_parts_are_named());
  CHECK(damage_is_found());
  CHECK(other_groups_are_refused());
}

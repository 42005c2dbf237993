// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/legalize_onnx.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/verify.hpp>

#include "laws/pass.hpp"
#include "nodes/interpreter.hpp"
#include "transform/onnx_interpreter.hpp"
#include "transform/random_onnx_net.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace baton;

constexpr auto f32 = dtype::float32;
constexpr auto zeros(std::size_t bytes) -> text_buffer { return text_buffer(bytes, '\0'); }

/// Returns the operators of a program, in order.
constexpr auto operators_of(const program_view& program) -> text_buffer {
  text_buffer text;
  for (const auto& record : program.nodes) append(append(text, text.empty() ? "" : " "), program.text(record.target));
  return text;
}
constexpr auto is_legalized_as(const exported_program& program, std::string_view expected) -> bool {
  const result<exported_program> legalized = legalize_onnx::run(program);
  return legalized && view(operators_of(legalized.value)) == expected && laws::pass::static_laws<legalize_onnx>(program);
}

/// Layers of a classifier. The weights after the flatten are permuted, so that the image need not be transposed.
constexpr auto classifier() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", tensor(f32, 1, 1, 4, 4));
  const std::int64_t pads[] = {1, 1, 1, 1}, two[] = {2, 2};
  const auto conv = b.call("conv", "onnx.Conv", {x, b.parameter("w", tensor(f32, 2, 1, 3, 3), zeros(72)), none<value_id>},
                           tensor(f32, 1, 2, 4, 4), {{"pads", span{pads}}});
  const auto relu = b.call("relu", "onnx.Relu", {conv}, tensor(f32, 1, 2, 4, 4));
  const auto pool = b.call("pool", "onnx.MaxPool", {relu}, tensor(f32, 1, 2, 2, 2), {{"kernel_shape", span{two}}, {"strides", span{two}}});
  const auto row = b.call("row", "onnx.Flatten", {pool}, tensor(f32, 1, 8));
  text_buffer weights;
  for (char i = 0; i < 24; ++i) {
    for (int k = 0; k < 4; ++k) weights.push_back(k == 0 ? i : '\0');
  }
  b.output(b.call("fc", "onnx.Gemm", {row, b.parameter("v", tensor(f32, 3, 8), weights), b.parameter("b", tensor(f32, 3), zeros(12))},
                  tensor(f32, 1, 3), {{"transB", 1}}));
  return b.finish();
}
static_assert(is_legalized_as(classifier(), "tfl.reshape tfl.conv_2d tfl.relu tfl.max_pool_2d tfl.reshape tfl.fully_connected"));

constexpr auto weights_after_a_flatten_are_permuted() -> bool {
  const result<exported_program> legalized = legalize_onnx::run(classifier());
  const program_view program = legalized.value;
  const auto& product = program.nodes[5];
  const auto weights = program.data(program[program.inputs(product)[1]].data);
  constexpr char expected[] = {0, 4, 1, 5, 2, 6, 3, 7, 8, 12};  // channels 0 and 1 of each pixel
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    if (weights[4 * i] != expected[i]) return false;
  }
  return program.text(product.name) == "fc" && product.debug_handle == 5 && program.text(program.nodes[1], "padding") == "same";
}
static_assert(weights_after_a_flatten_are_permuted());

/// A convolution between dequantizations and a quantization. Scales and zero points are on the values afterwards.
constexpr auto quantized_layer() -> exported_program {
  program_builder b;
  const char half[] = {0, 0, 0, 0x3f}, three[] = {3}, quarters[] = {0, 0, '\x80', 0x3e, 0, 0, '\x80', 0x3e};
  const auto scale = b.constant("scale", tensor(f32), half), zero = b.constant("zero", tensor(dtype::uint8), three);
  const auto scales = b.constant("scales", tensor(f32, 2), quarters);
  const auto x = b.user_input("x", tensor(f32, 1, 3, 5, 5));
  const auto w = b.parameter("w", tensor(dtype::int8, 2, 3, 3, 3), zeros(54)), bias = b.parameter("b", tensor(dtype::int32, 2), zeros(8));
  const auto q = b.call("q", "onnx.QuantizeLinear", {x, scale, zero}, tensor(dtype::uint8, 1, 3, 5, 5));
  const auto real = b.call("dq", "onnx.DequantizeLinear", {q, scale, zero}, tensor(f32, 1, 3, 5, 5));
  const auto filter = b.call("dqw", "onnx.DequantizeLinear", {w, scales}, tensor(f32, 2, 3, 3, 3), {{"axis", 0}});
  const auto addend = b.call("dqb", "onnx.DequantizeLinear", {bias, scales}, tensor(f32, 2), {{"axis", 0}});
  const std::int64_t pads[] = {1, 1, 1, 1}, strides[] = {2, 2};
  const auto conv =
      b.call("conv", "onnx.Conv", {real, filter, addend}, tensor(f32, 1, 2, 3, 3), {{"pads", span{pads}}, {"strides", span{strides}}});
  const auto y = b.call("qy", "onnx.QuantizeLinear", {conv, scale, zero}, tensor(dtype::uint8, 1, 2, 3, 3));
  b.output(b.call("dqy", "onnx.DequantizeLinear", {y, scale, zero}, tensor(f32, 1, 2, 3, 3)));
  return b.finish();
}
// The quantized values are transposed, not the float32 ones, which are four times as large.
static_assert(
    is_legalized_as(quantized_layer(),
                    "baton.quantize tfl.transpose tfl.dequantize tfl.dequantize tfl.dequantize tfl.conv_2d baton.quantize tfl.transpose "
                    "tfl.dequantize"));

constexpr auto scales_are_on_values() -> bool {
  const result<exported_program> legalized = legalize_onnx::run(quantized_layer());
  const program_view program = legalized.value;
  for (const auto& record : program.nodes) {
    if (!record.is("tfl.dequantize")) continue;
    const auto& operand = program[program.inputs(record)[0]];
    const bool is_weight = operand.type != dtype::uint8;
    if (operand.quant.channels != (is_weight ? 2u : 1u) || program.scale(operand.quant) != (is_weight ? 0.25f : 0.5f)) return false;
    if (program.zero_point(operand.quant) != (is_weight ? 0 : 3)) return false;
  }
  return true;
}
static_assert(scales_are_on_values());

/// A float32 zero point has four bytes, like an int32 zero point. Damaged models can have one.
constexpr auto a_zero_point_that_is_no_integer_is_refused() -> bool {
  program_builder b;
  const char half[] = {0, 0, 0, 0x3f};
  const auto scale = b.constant("scale", tensor(f32), half), zero = b.constant("zero", tensor(f32), half);
  const auto x = b.user_input("x", tensor(dtype::int8, 4));
  b.output(b.call("dq", "onnx.DequantizeLinear", {x, scale, zero}, tensor(f32, 4)));
  return legalize_onnx::run(b.finish()).error.is<"unsupported_operator">();
}
static_assert(a_zero_point_that_is_no_integer_is_refused());

/// A softmax of operator set 12, which normalizes all dimensions from dimension 1 on.
constexpr auto old_softmax(std::int64_t columns) -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", tensor(f32, 2, 3, columns));
  b.output(b.call("s", "onnx.Softmax", {x}, tensor(f32, 2, 3, columns), {{"opset", 12}}));
  return b.finish();
}
constexpr auto an_old_softmax_of_two_dimensions_is_refused() -> bool {
  const result<exported_program> one = legalize_onnx::run(old_softmax(1)), two = legalize_onnx::run(old_softmax(4));
  return one && two.error.is<"unsupported_operator">();
}
static_assert(an_old_softmax_of_two_dimensions_is_refused());

/// Weights that a node of the file quantizes become constants: 0.625 / 0.25 is rounded to even.
constexpr auto weights_of_a_training() -> exported_program {
  program_builder b;
  const char quarter[] = {0, 0, '\x80', 0x3e}, five_eighths[] = {0, 0, 0x20, 0x3f}, nothing[] = {0};
  text_buffer weights;
  for (int i = 0; i < 6; ++i) {
    for (const char byte : five_eighths) weights.push_back(byte);
  }
  const auto scale = b.constant("scale", tensor(f32), quarter), zero = b.constant("zero", tensor(dtype::int8), nothing);
  const auto x = b.user_input("x", tensor(f32, 1, 3)), w = b.parameter("w", tensor(f32, 3, 2), weights);
  const auto q = b.call("q", "onnx.QuantizeLinear", {w, scale, zero}, tensor(dtype::int8, 3, 2));
  const auto real = b.call("dq", "onnx.DequantizeLinear", {q, scale, zero}, tensor(f32, 3, 2));
  b.output(b.call("product", "onnx.MatMul", {x, real}, tensor(f32, 1, 2)));
  return b.finish();
}
static_assert(is_legalized_as(weights_of_a_training(), "tfl.dequantize tfl.fully_connected"));

/// A constant of `Sizes` that is quantized with two scales along dimension `axis`.
template <int... Sizes>
constexpr auto reason_of_two_scales(std::int64_t axis) -> text_buffer {
  program_builder b;
  constexpr auto type = tensor(f32, Sizes...);
  text_buffer numbers;
  numbers.resize(static_cast<std::size_t>(byte_count(f32, type.shape())));
  const auto w = b.parameter("w", type, numbers), scales = b.constant("scales", tensor(f32, 2), span{"\0\0\x80\x3f\0\0\x80\x3f", 8});
  const auto zeros = b.constant("zeros", tensor(dtype::int8, 2), span{"\0\0", 2});
  b.output(b.call("q", "onnx.QuantizeLinear", {w, scales, zeros}, tensor(dtype::int8, Sizes...), {{"axis", axis}}));
  return join(view(legalize_onnx::run(b.finish()).error.reason));
}
constexpr auto constants_with_other_scales_are_refused() -> bool {
  return view(reason_of_two_scales<2, 3>(0)).empty() &&
         view(reason_of_two_scales<2, 3>(1)) == "its number of scales, 2, is not the size of dimension 1" &&
         view(reason_of_two_scales<>(0)) == "its number of scales, 2, is not the size of dimension 0";
}
static_assert(constants_with_other_scales_are_refused());

constexpr auto constants_are_quantized() -> bool {
  const result<exported_program> legalized = legalize_onnx::run(weights_of_a_training());
  const program_view program = legalized.value;
  const auto& weights = program[program.inputs(program.nodes[0])[0]];
  for (const auto each : program.data(weights.data)) {
    if (each != 2) return false;
  }
  return weights.type == dtype::int8 && weights.quant.channels == 1 && program.data(weights.data).size() == 6;
}
static_assert(constants_are_quantized());
static_assert(detail::quantized_number(0.875f, 0.25f, 0, dtype::int8) == 4 &&
              detail::quantized_number(-0.625f, 0.25f, 3, dtype::uint8) == 1 &&
              detail::quantized_number(1e30f, 1, 0, dtype::int32) == 2147483647 &&
              detail::quantized_number(-100, 0.25f, 0, dtype::int8) == -128);

/// An operator on integers, with scales as operands.
constexpr auto quantized_sum() -> exported_program {
  program_builder b;
  const char half[] = {0, 0, 0, 0x3f}, three[] = {3};
  const auto scale = b.constant("scale", tensor(f32), half), zero = b.constant("zero", tensor(dtype::int8), three);
  const auto x = b.user_input("x", tensor(dtype::int8, 2, 3)), y = b.user_input("y", tensor(dtype::int8, 2, 3));
  b.output(b.call("sum", "onnx.com.microsoft.QLinearAdd", {x, scale, zero, y, scale, zero, scale, zero}, tensor(dtype::int8, 2, 3)));
  return b.finish();
}
static_assert(is_legalized_as(quantized_sum(), "tfl.dequantize tfl.dequantize tfl.add baton.quantize"));

constexpr auto a_quantized_operator_keeps_its_handle_once() -> bool {
  const result<exported_program> legalized = legalize_onnx::run(quantized_sum());
  const program_view program = legalized.value;
  std::size_t count = 0;
  for (const auto& record : program.nodes) {
    count += record.debug_handle == 1 ? 1 : 0;
    for (const auto handle : program.folded_handles(record)) count += handle == 1 ? 1 : 0;
  }
  return count == 1 && program.nodes[2].debug_handle == 1;
}
static_assert(a_quantized_operator_keeps_its_handle_once());

/// Transposes of a file that was converted from channels last disappear; a reshape that moves nothing remains.
constexpr auto converted_file() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", tensor(f32, 1, 4, 4, 3));
  const std::int64_t first[] = {0, 3, 1, 2}, last[] = {0, 2, 3, 1};
  const auto image = b.call("first", "onnx.Transpose", {x}, tensor(f32, 1, 3, 4, 4), {{"perm", span{first}}});
  const auto conv = b.call("conv", "onnx.Conv", {image, b.parameter("w", tensor(f32, 2, 3, 1, 1), zeros(24))}, tensor(f32, 1, 2, 4, 4));
  b.output(b.call("last", "onnx.Transpose", {conv}, tensor(f32, 1, 4, 4, 2), {{"perm", span{last}}}));
  return b.finish();
}
static_assert(is_legalized_as(converted_file(), "tfl.reshape tfl.conv_2d tfl.reshape"));

/// The row of int8 numbers is transposed, because it is smaller than the image and than the row of float32 numbers.
constexpr auto quantized_row() -> exported_program {
  program_builder b;
  const char one[] = {0, 0, '\x80', 0x3f}, nothing[] = {0};
  const auto x = b.user_input("x", tensor(f32, 2, 2, 3, 1));
  const std::int64_t window[] = {1, 1};
  const auto pool = b.call("pool", "onnx.MaxPool", {x}, tensor(f32, 2, 2, 3, 1), {{"kernel_shape", span{window}}});
  const auto row = b.call("row", "onnx.Flatten", {pool}, tensor(f32, 2, 6));
  b.output(b.call("q", "onnx.QuantizeLinear", {row, b.constant("s", tensor(f32), one), b.constant("z", tensor(dtype::int8), nothing)},
                  tensor(dtype::int8, 2, 6)));
  return b.finish();
}
static_assert(is_legalized_as(quantized_row(),
                              "tfl.transpose tfl.max_pool_2d tfl.reshape baton.quantize tfl.reshape tfl.transpose tfl.reshape"));

/// Operators of other dialects stay, and read values as in the file.
constexpr auto mixed_program() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", tensor(f32, 1, 2, 3, 3));
  const auto pool = b.call("pool", "onnx.GlobalAveragePool", {x}, tensor(f32, 1, 2, 1, 1));
  const auto custom = b.call("custom", "my.operator", {pool}, tensor(f32, 1, 2, 1, 1));
  b.output(b.call("relu", "onnx.Relu", {custom}, tensor(f32, 1, 2, 1, 1)));
  return b.finish();
}
static_assert(is_legalized_as(mixed_program(), "tfl.transpose tfl.average_pool_2d tfl.reshape my.operator tfl.relu"));

constexpr auto other_programs_are_unchanged() -> bool {
  program_builder b;
  b.output(b.call("tfl.relu", {b.user_input("x", tensor(f32, 1, 2, 3, 3))}, tensor(f32, 1, 2, 3, 3)));
  const auto program = b.finish();
  const result<exported_program> legalized = legalize_onnx::run(program);
  return legalized && same(legalized.value, program);
}
static_assert(other_programs_are_unchanged());

/// All nodes that cannot be replaced are named at once.
constexpr auto refused() -> failure {
  program_builder b;
  const auto x = b.user_input("x", tensor(f32, 1, 2, 3, 3)), w = b.user_input("w", tensor(f32, 2, 2, 1, 1));
  const auto conv = b.call("conv", "onnx.Conv", {x, w}, tensor(f32, 1, 2, 3, 3));
  b.output(b.call("loop", "onnx.NoSuchOperator", {conv}, tensor(f32, 1, 2, 3, 3)));
  return result<exported_program>{legalize_onnx::run(b.finish())}.error;
}
constexpr auto all_refusals_are_listed() -> bool {
  const auto why = refused();
  return why.is<"unsupported_operator">() && view(why.node_name) == "conv" && view(why.op) == "onnx.Conv" &&
         view(why.reason) ==
             "the weights are not a constant; export the model with constant weights; also onnx.NoSuchOperator loop: no legalization "
             "of this operator exists";
}
static_assert(all_refusals_are_listed());

/// Returns the error of a recurrent layer with `steps` steps, or an empty failure.
auto error_of_sequence(std::int64_t steps) -> failure {
  program_builder b;
  const auto x = b.user_input("x", tensor(f32, steps, 1, 2));
  const auto w = b.parameter("w", tensor(f32, 1, 3, 2), zeros(24)), r = b.parameter("r", tensor(f32, 1, 3, 3), zeros(36));
  b.output(b.call("rnn", "onnx.RNN", {x, w, r}, tensor(f32, steps, 1, 1, 3), {{"hidden_size", 3}}));
  return result<exported_program>{legalize_onnx::run(b.finish())}.error;
}

/// Returns the values of the `k` smallest numbers.
template <class T>
auto smallest(dtype type, const std::vector<T>& numbers, std::int64_t k) -> std::vector<T> {
  program_builder b;
  const auto count = static_cast<std::int64_t>(numbers.size());
  const auto in = b.user_input("x", tensor(type, count));
  const auto number = b.constant("k", tensor(dtype::int64, 1), text_buffer{static_cast<char>(k), '\0', '\0', '\0', '\0', '\0', '\0', '\0'});
  const auto outputs =
      b.call_many("y", "onnx.TopK", {in, number}, {tensor(type, k), tensor(dtype::int64, k)}, {{"axis", 0}, {"largest", 0}});
  b.output(outputs[0]);
  const result<exported_program> legalized = legalize_onnx::run(b.finish());
  REQUIRE(legalized);
  nodes::bytes input(numbers.size() * sizeof(T)), output;
  std::memcpy(input.data(), numbers.data(), input.size());
  REQUIRE(nodes::interpreter(legalized.value).run(portable_kernels, input, output) == "");
  std::vector<T> result(output.size() / sizeof(T));
  std::memcpy(result.data(), output.data(), output.size());
  return result;
}

// Random networks

struct comparison {
  double largest_error = 0;
  std::string why;
};
auto compare(const program_view& before, const program_view& after, std::uint32_t seed) -> comparison {
  std::vector<onnx_tests::numbers> inputs;
  nodes::bytes input, output;
  for (const auto id : before.inputs(before.root())) {
    if (before[id].kind != value_kind::user_input) continue;
    onnx_tests::numbers list(static_cast<std::size_t>(element_count(before.shape(id))));
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<float>((i * 7 + seed) % 23) / 8 - 1;
    inputs.push_back(list);
    const auto* const bytes = reinterpret_cast<const char*>(list.data());
    input.insert(input.end(), bytes, bytes + 4 * list.size());
  }
  const auto expected = onnx_tests::interpreter(before).run(inputs);
  comparison result;
  result.why = nodes::interpreter(after).run(portable_kernels, input, output);
  if (!result.why.empty()) return result;
  if (output.size() != 4 * expected.size()) return {0, "outputs of another size"};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    float actual = 0;
    std::memcpy(&actual, output.data() + 4 * i, 4);
    result.largest_error = std::max(result.largest_error, std::abs(static_cast<double>(actual) - static_cast<double>(expected[i])) /
                                                              (1 + std::abs(static_cast<double>(expected[i]))));
  }
  return result;
}

}  // namespace

TEST_CASE("the images of a classifier have the channels last") {
  CHECK(is_legalized_as(classifier(), "tfl.reshape tfl.conv_2d tfl.relu tfl.max_pool_2d tfl.reshape tfl.fully_connected"));
  CHECK(weights_after_a_flatten_are_permuted());
}
TEST_CASE("scales and zero points move to the values") { CHECK(scales_are_on_values()); }
TEST_CASE("quantization: a zero point that is no integer is refused") { CHECK(a_zero_point_that_is_no_integer_is_refused()); }
TEST_CASE("quantization: a constant that does not fit its scales is refused") { CHECK(constants_with_other_scales_are_refused()); }
TEST_CASE("softmax: before operator set 13, several dimensions are refused") { CHECK(an_old_softmax_of_two_dimensions_is_refused()); }
TEST_CASE("constants are quantized") { CHECK(constants_are_quantized()); }
TEST_CASE("a quantized operator becomes three nodes") { CHECK(a_quantized_operator_keeps_its_handle_once()); }
TEST_CASE("transposes of the file disappear") { CHECK(is_legalized_as(converted_file(), "tfl.reshape tfl.conv_2d tfl.reshape")); }
TEST_CASE("other operators and other programs are unchanged") {
  CHECK(is_legalized_as(mixed_program(), "tfl.transpose tfl.average_pool_2d tfl.reshape my.operator tfl.relu"));
  CHECK(other_programs_are_unchanged());
}
TEST_CASE("one error names all nodes that cannot be replaced") { CHECK(all_refusals_are_listed()); }

TEST_CASE("recurrent layers have at most 128 steps") {
  CHECK(!error_of_sequence(128));
  const auto why = error_of_sequence(129);
  CHECK(why.is<"unsupported_operator">());
  CHECK(view(why.reason) == "there are 129 steps in all directions, more than 128; use Scan or Loop");
}

TEST_CASE("the smallest numbers include the smallest integer") {
  constexpr auto low = std::numeric_limits<std::int32_t>::min(), high = std::numeric_limits<std::int32_t>::max();
  CHECK(smallest<std::int32_t>(dtype::int32, {5, low, high, -7}, 3) == std::vector<std::int32_t>{low, -7, 5});
  CHECK(smallest<std::int32_t>(dtype::int32, {high, 0, high}, 3) == std::vector<std::int32_t>{0, high, high});
  CHECK(smallest<float>(f32, {0.5f, -0.25f, 3.0f}, 2) == std::vector<float>{-0.25f, 0.5f});
  constexpr auto infinity = std::numeric_limits<float>::infinity(), least = std::numeric_limits<float>::lowest();
  CHECK(smallest<float>(f32, {infinity, 1, least, -infinity}, 4) == std::vector<float>{-infinity, least, 1, infinity});
}

TEST_CASE("a row is transposed where that moves the fewest bytes") {
  const result<exported_program> legalized = legalize_onnx::run(quantized_row());
  std::vector<float> numbers(12);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  nodes::bytes input(48), output;
  std::memcpy(input.data(), numbers.data(), input.size());
  CHECK(nodes::interpreter(legalized.value).run(portable_kernels, input, output).empty());
  REQUIRE(output.size() == 12);
  for (std::size_t i = 0; i < output.size(); ++i) CHECK(output[i] == static_cast<char>(i));
}
TEST_CASE("the logarithm of a sum of powers of infinite elements is infinite") {
  constexpr auto infinity = std::numeric_limits<float>::infinity();
  const std::int64_t axes[] = {1};
  for (const std::int64_t keeps : {0, 1}) {
    program_builder b;
    const auto x = b.user_input("x", tensor(f32, 3, 2));
    b.output(b.call("y", "onnx.ReduceLogSumExp", {x}, keeps != 0 ? tensor(f32, 3, 1) : tensor(f32, 3),
                    {{"axes", span{axes}}, {"keepdims", keeps}}));
    const result<exported_program> legalized = legalize_onnx::run(b.finish());
    REQUIRE(legalized);
    const std::vector<float> numbers{-infinity, -infinity, 1, infinity, -infinity, 3};
    nodes::bytes input(24), output;
    std::memcpy(input.data(), numbers.data(), input.size());
    CHECK(nodes::interpreter(legalized.value).run(portable_kernels, input, output) == "");
    std::vector<float> sums(3);
    REQUIRE(output.size() == 12);
    std::memcpy(sums.data(), output.data(), output.size());
    CHECK(sums == std::vector<float>{-infinity, infinity, 3});
  }
}
TEST_CASE("random float32 networks match a simple interpreter of ONNX") {
  const char* const seeds = std::getenv("BATON_PROPERTY_SEEDS");
  const std::uint32_t count = seeds != nullptr ? static_cast<std::uint32_t>(std::atoi(seeds)) : 600;
  std::uint32_t transposes = 0;
  for (std::uint32_t seed = 0; seed < count; ++seed) {
    onnx_tests::random_net net(seed);
    const auto program = net.build();
    const result<exported_program> legalized = legalize_onnx::run(program);
    REQUIRE_MESSAGE(legalized, "seed ", seed, ": ", std::string(view(message(legalized.error))));
    const auto unsound = verify(legalized.value), fail = check_inference(legalized.value);
    REQUIRE_MESSAGE(!unsound, "seed ", seed, ": ", std::string(view(message(unsound))));
    REQUIRE_MESSAGE(!fail, "seed ", seed, ": ", std::string(view(message(fail))));
    if (seed % 8 == 0) REQUIRE_MESSAGE(laws::pass::static_laws<legalize_onnx>(program), "seed ", seed);
    const auto compared = compare(program, legalized.value, seed);
    REQUIRE_MESSAGE(compared.why.empty(), "seed ", seed, ": ", compared.why);
    REQUIRE_MESSAGE(compared.largest_error < 1e-4, "seed ", seed);
    for (const auto& record : legalized.value.nodes) transposes += record.is("tfl.transpose") ? 1 : 0;
  }
  CHECK(transposes > count);
}

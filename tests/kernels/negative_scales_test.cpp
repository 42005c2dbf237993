// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Filters with negative scales and reshapes between quantizations, on models that the reference can run. The expected outputs were computed
// by TensorFlow Lite Micro (PyPI tflite-micro 0.dev20261023182759: `runtime.Interpreter.from_bytes(bytes)`, `set_input`, `invoke`,
// `get_output`) from the bytes of `model` and the inputs of `input_of`.
#include "check_layer.hpp"

#include <baton/import/tflite.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>
#include <baton/kernels/portable/fully_connected.hpp>
#include <baton/kernels/portable/reshape.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "import/tflite_writer.hpp"

namespace {

using namespace baton;
using baton::portable::conv_2d;
using baton::portable::depthwise_conv_2d;
using baton::portable::fully_connected;
using one_layer::layer;
using tests::byte_field;
using tests::int_field;
using tests::offset_field;
using tests::tflite_writer;

enum class kind { conv_2d, conv_2d_of_one_scale, depthwise_conv_2d, fully_connected, reshape, fully_connected_of_one_scale };

constexpr char weights[] =
    "\x11\xe3\x7f\x80\x05\xc4\x3b\xfe\x28\x99\x61\x0c\xd7\x46\xb2\x1f\x83\x5a\xf1\x34\x6e\xa8\x02\xcd\x77\x90\x4f\xe6\x13\xba\x58\x21";
constexpr char bias[] = "\x2c\x01\0\0\x0c\xfe\xff\xff\x90\x01\0\0\x9c\xff\xff";

/// Returns a model of one operator with input x (scale 0.05, zero point -3) and output y (scale 0.04, zero point 5). Windows are 2 by 2,
/// images 3 by 3.
constexpr auto model(kind of) -> baton::vector<char> {
  tflite_writer w;
  const bool is_dense = of == kind::fully_connected || of == kind::fully_connected_of_one_scale;
  const bool is_depthwise = of == kind::depthwise_conv_2d;
  const bool has_one_scale = of == kind::conv_2d_of_one_scale || of == kind::fully_connected_of_one_scale;
  const auto in = w.quantization({0.05f}, {-3});
  const auto out = w.quantization({0.04f}, {5});
  const auto x = is_dense ? w.tensor("x", {1, 8}, tests::int8, 0, in) : w.tensor("x", {1, 3, 3, 2}, tests::int8, 0, in);
  if (of == kind::reshape) {
    const auto y = w.tensor("y", {2, 9}, tests::int8, 0, out);
    const auto shape = w.vector<std::int32_t>({2, 9});
    return w.model({w.operator_code(22)}, {w.graph({x, y}, {0}, {1}, {w.operation(0, {0}, {1}, w.options(17, {offset_field(0, shape)}))})},
                   {w.buffer({})});
  }
  const auto scales = has_one_scale  ? w.quantization({-0.011f}, {0})
                      : is_depthwise ? w.quantization({-0.011f, 0.007f, -0.002f, -1.9f}, {0, 0, 0, 0}, 3)
                                     : w.quantization({-0.011f, 0.007f, -0.002f, -1.9f}, {0, 0, 0, 0}, 0);
  const auto bias_quantization = w.quantization({0.05f * 0.011f}, {0});
  const auto filter = is_dense       ? w.tensor("filter", {4, 8}, tests::int8, 1, scales)
                      : is_depthwise ? w.tensor("filter", {1, 2, 2, 4}, tests::int8, 1, scales)
                                     : w.tensor("filter", {4, 2, 2, 2}, tests::int8, 1, scales);
  const auto b = w.tensor("b", {4}, tests::int32, 2, bias_quantization);
  const auto y = is_dense ? w.tensor("y", {1, 4}, tests::int8, 0, out) : w.tensor("y", {1, 2, 2, 4}, tests::int8, 0, out);
  const auto valid = byte_field(0, 1);
  const auto none = w.options(8, {});
  const auto depthwise_options = w.options(2, {valid, int_field(1, 1), int_field(2, 1), int_field(3, 2)});
  const auto convolution_options = w.options(1, {valid, int_field(1, 1), int_field(2, 1)});
  const auto& options = is_dense ? none : is_depthwise ? depthwise_options : convolution_options;
  const auto code = w.operator_code(is_dense ? 9 : is_depthwise ? 4 : 3);
  const auto data = w.buffer({weights, is_depthwise ? 16u : 32u});
  const auto graph = w.graph({x, filter, b, y}, {0}, {3}, {w.operation(0, {0, 1, 2}, {3}, options)});
  return w.model({code}, {graph}, {w.buffer({}), data, w.buffer({bias, 16})});
}

constexpr auto input_of(std::size_t count) -> baton::vector<char> {
  baton::vector<char> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(static_cast<char>(static_cast<std::uint8_t>(37 * i + 100)));
  return result;
}

constexpr auto size_of(kind of) -> std::size_t { return model(of).size(); }

/// The bytes of a model in static storage, because programs refer to them.
template <kind Kind>
constexpr auto stored = [] {
  std::array<char, size_of(Kind)> bytes{};
  std::size_t at = 0;
  for (const char c : model(Kind)) bytes[at++] = c;
  return bytes;
}();
template <kind Kind>
struct make_program {
  constexpr auto operator()() const -> exported_program { return tflite::read_bytes(stored<Kind>); }
};

template <class Kernel, kind Kind, std::size_t N>
void check_golden(const std::array<int, N>& expected) {
  using program = static_program<make_program<Kind>>;
  static_assert(baton::ask_kernel<Kernel>(program::value(), program::value().nodes[0]).support.accepted);
  one_layer::trial<Kernel, program> trial;
  constexpr program_view view = program::value();
  const auto output = trial.run(input_of(static_cast<std::size_t>(element_count(view.shape(view.inputs(view.root()).back())))));
  REQUIRE(output.size() == N);
  for (std::size_t i = 0; i < N; ++i) CHECK(int{static_cast<std::int8_t>(output[i])} == expected[i]);
}

}  // namespace

TEST_CASE("negative filter scales match TensorFlow Lite Micro") {
  check_golden<conv_2d, kind::conv_2d>(std::array{127, 127, 60, -128, 44, 30, -1, -128, 56, -128, -1, -128, 22, -70, -74, -128});
  check_golden<conv_2d, kind::conv_2d_of_one_scale>(
      std::array{127, -128, 127, -128, 44, -34, -30, -128, 56, 127, -28, -128, 22, 123, -128, -128});
  check_golden<depthwise_conv_2d, kind::depthwise_conv_2d>(
      std::array{-119, -115, 7, -128, 60, 101, 31, -128, 35, 78, -57, -128, -71, -93, 48, -128});
  check_golden<fully_connected, kind::fully_connected>(std::array{-32, 73, 86, -128});
}
TEST_CASE("a reshape between quantizations copies bytes, as TensorFlow Lite Micro does") {
  check_golden<baton::portable::reshape, kind::reshape>(
      std::array{100, -119, -82, -45, -8, 29, 66, 103, -116, -79, -42, -5, 32, 69, 106, -113, -76, -39});
}
TEST_CASE("a fully connected layer whose only scale is negative is rejected, as by the reference") {
  constexpr make_program<kind::fully_connected_of_one_scale> make;
  const auto program = make();
  CHECK(view(baton::ask_kernel<fully_connected>(program, program.nodes[0]).support.reason) ==
        "the filter's only scale is negative, which TensorFlow Lite rejects");
}
TEST_CASE("negative filter scales match an independent computation") {
  using one_layer::activation;
  check_layer<
      conv_2d,
      layer{
          .height = 6, .width = 5, .channels = 4, .out_channels = 6, .filter_height = 3, .filter_width = 2, .has_negative_scales = true}>();
  check_layer<conv_2d, layer{.height = 4,
                             .width = 5,
                             .channels = 3,
                             .out_channels = 5,
                             .is_per_channel = false,
                             .fused = activation::relu,
                             .has_negative_scales = true}>();
  check_layer<depthwise_conv_2d, layer{.is = one_layer::op::depthwise_conv_2d,
                                       .height = 6,
                                       .width = 5,
                                       .channels = 4,
                                       .out_channels = 8,
                                       .filter_height = 3,
                                       .filter_width = 3,
                                       .has_negative_scales = true}>();
  check_layer<fully_connected, layer{.is = one_layer::op::fully_connected,
                                     .batch = 2,
                                     .channels = 33,
                                     .out_channels = 7,
                                     .fused = activation::relu6,
                                     .has_negative_scales = true}>();
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/detail/onnx_transposed_convolution.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/transform/legalize_onnx.hpp>

#include "laws/pass.hpp"
#include "nodes/interpreter.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

constexpr auto f32 = dtype::float32;

enum class weight_form : std::uint8_t { real, quantized, shifted, per_channel };

struct layer {
  std::int64_t groups = 1;
  std::int64_t dilation = 1;
  weight_form form = weight_form::real;
  bool has_constant_bias = true;
  std::int64_t taps = 2;
  std::int64_t stated_groups = groups;
};

constexpr void append_real(text_buffer& bytes, float real) {
  const auto bits = std::bit_cast<std::uint32_t>(real);
  for (int at = 0; at < 32; at += 8) bytes.push_back(static_cast<char>(bits >> at & 0xff));
}

/// A transposed convolution of an image [1, 4, 3, 2] with a filter of 2 columns, and 2 output channels in each group. The real weights
/// equal the quantized ones, whose scale is 0.5. Those with the form `shifted` have the zero point 3, those with
/// the form `per_channel` 0 and 1.
constexpr auto network(const layer& of) -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", tensor(f32, 1, 4, 3, 2));
  const auto outputs = 2 * of.groups, width = of.dilation * (of.taps - 1) + 2;
  text_buffer integers, reals, biases, zero_points, scales;
  const int zero = of.form == weight_form::shifted ? 3 : 0;
  const auto channels = of.form == weight_form::per_channel ? 2 : 1;
  for (int i = 0; i < 4 * 2 * of.taps; ++i) {
    const auto number = i * 37 % 23 - 11;
    const auto channel = static_cast<int>(i / of.taps % channels);
    append_real(reals, static_cast<float>(number) / 2);
    integers.push_back(static_cast<char>(number + zero + channel));
  }
  for (int i = 0; i < outputs; ++i) append_real(biases, static_cast<float>(i) - 1.5f);
  for (int c = 0; c < channels; ++c) zero_points.push_back(static_cast<char>(zero + c)), append_real(scales, 0.5f);
  const auto bias = of.has_constant_bias ? b.constant("b", tensor(f32, outputs), biases) : b.user_input("b", tensor(f32, outputs));
  auto weights = none<value_id>;
  if (of.form == weight_form::real) {
    weights = b.constant("w", tensor(f32, 4, 2, 1, of.taps), reals);
  } else {
    const auto shape = channels == 2 ? tensor(f32, 2) : tensor(f32);
    const auto zeros = b.constant("zeros", channels == 2 ? tensor(dtype::int8, 2) : tensor(dtype::int8), zero_points);
    weights = b.call("dw", "onnx.DequantizeLinear",
                     {b.constant("w", tensor(dtype::int8, 4, 2, 1, of.taps), integers), b.constant("scale", shape, scales), zeros},
                     tensor(f32, 4, 2, 1, of.taps), {{"axis", 1}});
  }
  const std::int64_t dilations[] = {1, of.dilation}, pads[] = {0, 1, 0, 0};
  b.output(b.call("y", "onnx.ConvTranspose", {x, weights, bias}, tensor(f32, 1, outputs, 3, width - 1),
                  {{"dilations", span{dilations}}, {"pads", span{pads}}, {"group", of.stated_groups}}));
  return b.finish();
}

constexpr auto operators_of(const layer& of) -> text_buffer {
  const auto program = network(of);
  const result<exported_program> legalized = legalize_onnx::run(program);
  text_buffer text;
  if (!legalized || !laws::pass::static_laws<legalize_onnx>(program)) return text;
  const program_view view = legalized.value;
  for (const auto& record : view.nodes) append(append(text, text.empty() ? "" : " "), view.text(record.target).substr(4));
  return text;
}
constexpr auto groups_are_layers() -> bool {
  const auto one = operators_of({.dilation = 3}), two = operators_of({.groups = 2, .dilation = 2});
  return view(one) == "transpose transpose_conv slice transpose" &&
         view(two) == "transpose slice transpose_conv slice slice transpose_conv slice concatenation transpose";
}
static_assert(groups_are_layers());

constexpr auto is_refused(const layer& of, std::string_view reason) -> bool {
  const auto why = result<exported_program>{legalize_onnx::run(network(of))}.error;
  return why.is<"unsupported_operator">() && view(why.reason) == reason;
}
constexpr auto other_layers_are_refused() -> bool {
  return is_refused({.groups = 2, .has_constant_bias = false},
                    "the bias of several groups is not a constant; export the model with a constant bias") &&
         is_refused({.groups = 2, .stated_groups = 3}, "the weights do not fit 4 input channels in 3 groups") &&
         is_refused({.groups = 2, .stated_groups = 0}, "the weights do not fit 4 input channels in 0 groups") &&
         is_refused({.dilation = 8191, .taps = 3}, "the weights with their dilation need more than 262144 bytes");
}
static_assert(other_layers_are_refused());

auto output_of(const layer& of) -> nodes::bytes {
  const result<exported_program> legalized = legalize_onnx::run(network(of));
  REQUIRE(legalized);
  text_buffer input;
  for (int i = 0; i < 24; ++i) append_real(input, static_cast<float>(i * 7 % 13 - 6));
  nodes::bytes output;
  const auto why = nodes::interpreter(legalized.value).run(portable_kernels, {input.data(), input.data() + input.size()}, output);
  REQUIRE(why == "");
  return output;
}

}  // namespace

TEST_CASE("groups and dilations of a transposed convolution become layers without them") {
  CHECK(groups_are_layers());
  CHECK(other_layers_are_refused());
}
TEST_CASE("quantized weights of a transposed convolution are those of float32") {
  for (const std::int64_t groups : {1, 2, 4}) {
    for (const std::int64_t dilation : {1, 3}) {
      const auto expected = output_of({.groups = groups, .dilation = dilation});
      CHECK(output_of({.groups = groups, .dilation = dilation, .form = weight_form::quantized}) == expected);
      CHECK(output_of({.groups = groups, .dilation = dilation, .form = weight_form::shifted}) == expected);
      CHECK(output_of({.groups = groups, .dilation = dilation, .form = weight_form::per_channel}) == expected);
    }
  }
}

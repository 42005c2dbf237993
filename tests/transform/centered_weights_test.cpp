// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/detail/centered_weights.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/fuse_quantization.hpp>

#include "laws/pass.hpp"
#include "properties/random.hpp"
#include "transform/qdq_builder.hpp"
#include "transform/qdq_interpreter.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace baton;

/// Returns the sum of the summands of the weight at position `at`, which are `step` bytes apart.
constexpr auto sum_of_summands(const text_buffer& bytes, std::size_t at, std::int64_t summands, std::size_t step) -> int {
  int sum = 0;
  for (std::int64_t p = 0; p < summands; ++p) sum += static_cast<signed char>(bytes[at + static_cast<std::size_t>(p) * step]);
  return sum;
}

constexpr auto small_differences_have_one_part() -> bool {
  constexpr std::string_view weights("\x7f\x00\x80\xc0", 4);
  constexpr std::int64_t zero_points[] = {1, -64};
  const detail::centered_weights centered(weights, zero_points, 2);
  const auto bytes = centered.bytes(2);
  return centered.summands() == 1 && bytes.size() == 4 && bytes[0] == 126 && bytes[1] == -1 && bytes[2] == -64 && bytes[3] == 0;
}
static_assert(small_differences_have_one_part());

/// Each difference from -255 to 255 is the sum of as few summands as possible.
constexpr auto differences_are_sums_of_few_summands() -> bool {
  constexpr std::string_view weights("\x80\x7f\x05", 3);
  for (std::int64_t zero = -128; zero <= 127; ++zero) {
    const std::int64_t zero_points[] = {zero};
    const detail::centered_weights centered(weights, zero_points, 3);
    const auto summands = centered.summands();
    if (summands != (zero == 0 ? 1 : zero == -128 ? 3 : 2)) return false;
    const auto rows = centered.bytes(3), columns = centered.bytes(1), by_channel = centered.bytes_by_channel(3);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto expected = static_cast<signed char>(weights[i]) - static_cast<int>(zero);
      const auto count = static_cast<std::size_t>(summands);
      if (sum_of_summands(rows, i, summands, 3) != expected || sum_of_summands(columns, i * count, summands, 1) != expected ||
          sum_of_summands(by_channel, i * count, summands, 1) != expected)
        return false;
    }
  }
  return true;
}
static_assert(differences_are_sums_of_few_summands());

enum class layer_kind : std::uint8_t { convolution, grouped, depthwise, dense, flattened };

/// A layer with 4 output channels, whose weights have one zero point, or one for each channel. A sum is divided by 1089, so that no
/// quotient is a tie, and the rounding does not matter.
auto layer_net(layer_kind kind, bool is_per_channel, properties::random_numbers& random) -> exported_program {
  qdq::net_builder net;
  const bool is_depthwise = kind == layer_kind::depthwise, is_dense = kind == layer_kind::dense || kind == layer_kind::flattened;
  const auto x = kind == layer_kind::dense ? net.input("x", tensor(dtype::int8, 3, 5), 0.5f, 3)
                                           : net.input("x", tensor(dtype::int8, 1, 5, 4, 4), 0.5f, -7);
  auto type = is_depthwise                      ? tensor(dtype::int8, 1, 3, 2, 4)
              : kind == layer_kind::convolution ? tensor(dtype::int8, 4, 3, 2, 4)
              : kind == layer_kind::grouped     ? tensor(dtype::int8, 4, 3, 2, 2)
              : kind == layer_kind::dense       ? tensor(dtype::int8, 4, 5)
                                                : tensor(dtype::int8, 4, 80);
  text_buffer bytes;
  for (std::int64_t i = 0; i < element_count(type.shape()); ++i) bytes.push_back(static_cast<char>(random.below(256)));
  const auto weights = net.b.constant("weights", type, bytes);
  const vector<float> scales(is_per_channel ? std::size_t{4} : std::size_t{1}, 0.25f);
  vector<std::int64_t> zero_points;
  for (std::size_t c = 0; c < scales.size(); ++c) {
    const auto number = static_cast<std::int64_t>(random.below(256)) - 128;
    zero_points.push_back(random.once_in(4) ? -128 : number);
  }
  net.b.quantize(weights, scales, zero_points, is_depthwise ? 3 : 0);
  const auto bias = net.bias({5000, -600, 70, 0}, {0.125f});
  const auto out = kind == layer_kind::dense ? tensor(dtype::float32, 3, 4)
                   : is_dense                ? tensor(dtype::float32, 1, 4)
                                             : tensor(dtype::float32, 1, 5, 4, 4);
  const char* const op = is_dense ? "tfl.fully_connected" : is_depthwise ? "tfl.depthwise_conv_2d" : "tfl.conv_2d";
  const auto y = net.b.call(
      "layer", op, {x, net.dequantize(weights), bias}, out,
      {{"padding", "same"}, {"stride_h", 1}, {"stride_w", 1}, {"depth_multiplier", 1}, {"keep_num_dims", kind == layer_kind::dense}});
  net.b.output(net.quantize("y", y, 0.125f * 1089, 2));
  return net.b.finish();
}

auto output_of(const program_view& program, const std::vector<double>& input) -> std::vector<double> {
  qdq::interpreter run(program);
  run.run({{"x", input}});
  return run[program.outputs_of(program.root())[0].value];
}

}  // namespace

TEST_CASE("weights minus their zero points are sums of int8 summands") {
  CHECK(small_differences_have_one_part());
  CHECK(differences_are_sums_of_few_summands());
}
TEST_CASE("layers with zero points of weights compute the same integers after the fusion") {
  properties::random_numbers random(26);
  std::size_t split = 0;
  for (const auto kind : {layer_kind::convolution, layer_kind::grouped, layer_kind::depthwise, layer_kind::dense, layer_kind::flattened}) {
    for (int i = 0; i < 20; ++i) {
      const auto program = layer_net(kind, i % 2 != 0, random);
      REQUIRE(laws::pass::static_laws<fuse_quantization>(program));
      const auto fused = fuse_quantization::run(program);
      const program_view view = fused;
      std::vector<double> input;
      const auto count = kind == layer_kind::dense ? 15 : 80;
      for (int e = 0; e < count; ++e) input.push_back(static_cast<double>(random.below(256)) - 128);
      CHECK(output_of(program, input) == output_of(view, input));
      CHECK_MESSAGE(view.text(view.nodes[view.nodes.size() - 1].target).starts_with("baton."), qdq::operators_in(view).data());
      for (const auto& record : view.nodes) split += record.is("tfl.concatenation") ? 1 : 0;
    }
  }
  CHECK(split > 50);
}
TEST_CASE("a layer without weights is fused") {
  for (const bool has_outputs : {false, true}) {
    const std::int64_t inputs = has_outputs ? 0 : 3, outputs = has_outputs ? 2 : 0;
    qdq::net_builder net;
    const auto x = net.input("x", tensor(dtype::int8, 1, inputs), 0.5f, 3);
    const auto w = net.weights(tensor(dtype::int8, outputs, inputs), {0.25f}, 0, 1);
    const auto y = net.b.call("layer", "tfl.fully_connected", {x, w, none<value_id>}, tensor(dtype::float32, 1, outputs));
    net.b.output(net.quantize("y", y, 8, 2));
    const auto fused = fuse_quantization::run(net.b.finish());
    CHECK(qdq::has_operators(fused, "baton.fully_connected "));
  }
}

namespace {

/// A fully connected layer with `inputs` bytes of weights with a zero point, and a table of a `gather` with a zero point. If `is_twice` is
/// true, a second layer has the same weights.
auto net_with_table(std::int64_t inputs, bool is_twice) -> exported_program {
  qdq::net_builder net;
  const auto x = net.input("x", tensor(dtype::int8, 1, inputs), 0.5f, 3);
  const auto w = net.weights(tensor(dtype::int8, 1, inputs), {0.25f}, 0, 1);
  const auto table = net.weights(tensor(dtype::int8, 65537, 1), {0.25f}, 0, 1);
  for (const auto* const name : {"y", "z"}) {
    if (name[0] == 'z' && !is_twice) continue;
    const auto y = net.b.call("layer", "tfl.fully_connected", {x, w, none<value_id>}, tensor(dtype::float32, 1, 1));
    net.b.output(net.quantize(name, y, 8, 2));
  }
  const auto at = net.b.user_input("at", tensor(dtype::int32, 1));
  net.b.output(net.b.call("entry", "tfl.gather", {table, at}, tensor(dtype::float32, 1, 1), {{"axis", 0}, {"batch_dims", 0}}));
  return net.b.finish();
}

}  // namespace

TEST_CASE("a program with too many weights with zero points stays in float32") {
  struct limit {
    std::int64_t inputs;
    bool is_twice;
    bool is_fused;
  };
  for (const auto& [inputs, is_twice, is_fused] :
       {limit{65536, false, true}, limit{65537, false, false}, limit{32768, true, true}, limit{32769, true, false}}) {
    const auto program = net_with_table(inputs, is_twice);
    const std::string_view reason = is_fused ? "" : "the program has more than 65536 bytes of weights with zero points";
    std::size_t layers = 0;
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      if (!program.nodes[n].is("tfl.fully_connected")) continue;
      CHECK(float_reason(program, node_id{n}) == reason);
      ++layers;
    }
    CHECK(layers == (is_twice ? 2 : 1));
    std::size_t fused = 0;
    for (const auto& record : fuse_quantization::run(program).nodes) fused += record.is("baton.fully_connected") ? 1 : 0;
    CHECK(fused == (is_fused ? layers : 0));
  }
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/detail/channel_intervals.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/transform/detail/live_channels.hpp>
#include <baton/transform/detail/quantized_layer.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>

namespace {

using namespace baton;
using detail::channel;
using detail::interval;
using sums = interval<std::int64_t>;

constexpr std::int64_t outputs = 6;

/// The intervals of the inputs of a layer. `alike`: all are [-128, 127]. `mostly`: most are. `with_zero`: the zero point is an end of each.
/// `any`: any interval.
enum class kinds { alike, mostly, with_zero, any };

struct test_layer {
  exported_program program;
  detail::quantized_layer layer;
  baton::vector<channel> inputs;
};

class draws {
 public:
  explicit draws(std::uint32_t seed) : engine_(seed) {}
  auto from_to(std::int32_t low, std::int32_t high) -> std::int32_t {
    return low + static_cast<std::int32_t>(engine_() % static_cast<std::uint32_t>(high - low + 1));
  }

 private:
  std::mt19937 engine_;
};

void put(text_buffer& bytes, std::uint32_t number) {
  for (std::uint32_t at = 0; at < 32; at += 8) bytes.push_back(static_cast<char>(number >> at & 0xff));
}

auto interval_of(draws& draw, kinds kind, std::int32_t zero_point) -> interval<std::int16_t> {
  const bool is_usual = kind == kinds::alike || (kind == kinds::mostly && draw.from_to(0, 5) != 0);
  if (is_usual) return {-128, 127};
  const auto a = draw.from_to(-128, 127), b = kind == kinds::any ? draw.from_to(-128, 127) : zero_point;
  return {static_cast<std::int16_t>(std::min(a, b)), static_cast<std::int16_t>(std::max(a, b))};
}

/// Returns a convolution of a 3x3 image with random weights, small or large, some of them 0.
auto random_layer(draws& draw, std::int32_t inputs, std::int64_t filter, kinds kind, bool is_depthwise) -> test_layer {
  program_builder b;
  const auto zero_point = draw.from_to(0, 1) == 0 ? -128 : draw.from_to(-40, 40);
  const std::int64_t out = is_depthwise ? inputs : outputs;
  const auto x = b.user_input("x", tensor(dtype::int8, 1, 3, 3, inputs));
  b.quantize(x, 0.05f, zero_point);
  text_buffer weights, biases;
  const auto largest = draw.from_to(0, 2) == 0 ? 2 : 127;
  const auto zeros_of_ten = draw.from_to(0, 10);
  for (std::int64_t i = 0; i < filter * filter * inputs * (is_depthwise ? 1 : out); ++i) {
    weights.push_back(static_cast<char>(draw.from_to(1, 10) <= zeros_of_ten ? 0 : draw.from_to(-largest, largest)));
  }
  for (std::int64_t i = 0; i < out; ++i) put(biases, static_cast<std::uint32_t>(draw.from_to(-40000, 40000)));
  const auto type = is_depthwise ? tensor(dtype::int8, 1, filter, filter, out) : tensor(dtype::int8, out, filter, filter, inputs);
  const auto w = b.parameter("w", type, weights);
  baton::vector<float> scales;
  baton::vector<std::int64_t> zeros;
  const auto count = draw.from_to(0, 2) == 0 ? std::int64_t{1} : out;
  for (std::int64_t i = 0; i < count; ++i) scales.push_back(0.001f * static_cast<float>(draw.from_to(1, 40))), zeros.push_back(0);
  b.quantize(w, scales, zeros, is_depthwise ? 3 : 0);
  const auto bias = b.parameter("bias", tensor(dtype::int32, out), biases);
  const char* const fused = draw.from_to(0, 1) == 0 ? "relu6" : "relu_n1_to_1";
  const auto y = b.call(is_depthwise ? "tfl.depthwise_conv_2d" : "tfl.conv_2d", {x, w, bias}, tensor(dtype::int8, 1, 3, 3, out),
                        {{"padding", "same"}, {"stride_w", 1}, {"stride_h", 1}, {"fused_activation_function", fused}});
  b.quantize(y, 0.0235f, draw.from_to(0, 1) == 0 ? -128 : 10);
  b.output(y);
  test_layer result{b.finish(), {}, {}};
  REQUIRE(describe_layer(result.program, node_id{0}, static_cast<std::uint32_t>(inputs), result.layer));
  for (std::int32_t c = 0; c < inputs; ++c) result.inputs.push_back({interval_of(draw, kind, zero_point), true});
  return result;
}

/// Returns the interval of the sum of a tap's products, computed from every weight.
auto tap_of(const test_layer& tested, std::int32_t output, std::int32_t tap) -> sums {
  const auto& layer = tested.layer;
  const char* weights = program_view(tested.program).data(tested.program[layer.filter].data).data();
  sums sum{0, 0};
  for (std::int32_t c = 0; c < layer.inputs; ++c) {
    if (layer.is_depthwise && c != output / layer.multiplier()) continue;
    const auto at = layer.is_depthwise ? tap * layer.outputs + output : (output * layer.taps() + tap) * layer.inputs + c;
    const std::int64_t weight = static_cast<signed char>(weights[at]);
    const auto possible_values = tested.inputs[static_cast<std::size_t>(c)].possible_values;
    const auto a = weight * (possible_values.low - layer.input_zero_point), b = weight * (possible_values.high - layer.input_zero_point);
    sum = {sum.low + std::min(a, b), sum.high + std::max(a, b)};
  }
  return sum;
}

/// Returns the result that `layer_intervals` must have, computed from the definition. If all borders have the same constant result,
/// returns that constant. Otherwise, every tap that padding can omit counts as optional.
auto expected(const test_layer& tested, std::int32_t output) -> interval<std::int16_t> {
  const auto& layer = tested.layer;
  const program_view program(tested.program);
  const auto bits = quantized::little_endian_32(program.data(program[layer.filter].quant.scales),
                                                program[layer.filter].quant.channels == 1 ? 0 : static_cast<std::size_t>(output));
  const auto factor = factor_of(layer, bits, false);
  const std::int64_t bias =
      static_cast<std::int32_t>(quantized::little_endian_32(program.data(program[layer.bias].data), static_cast<std::size_t>(output)));
  sums all{bias, bias};
  baton::vector<interval<std::int16_t>> borders;
  for (std::int32_t tap = 0; tap < layer.taps(); ++tap) {
    const auto each = tap_of(tested, output, tap);
    const auto is_outside = [](const baton::vector<detail::tap_run>& runs, std::int32_t at) {
      return std::any_of(runs.begin(), runs.end(), [&](const auto& run) { return at < run.first || at >= run.last; });
    };
    const bool is_paddable = is_outside(layer.rows, tap / layer.width) || is_outside(layer.columns, tap % layer.width);
    all.low += is_paddable ? std::min<std::int64_t>(each.low, 0) : each.low;
    all.high += is_paddable ? std::max<std::int64_t>(each.high, 0) : each.high;
  }
  for (const auto& rows : layer.rows) {
    for (const auto& columns : layer.columns) {
      sums sum{bias, bias};
      for (auto y = rows.first; y < rows.last; ++y) {
        for (auto x = columns.first; x < columns.last; ++x) {
          const auto each = tap_of(tested, output, y * layer.width + x);
          sum = {sum.low + each.low, sum.high + each.high};
        }
      }
      borders.push_back(requantized(layer, factor, sum));
    }
  }
  const bool is_one_number =
      std::all_of(borders.begin(), borders.end(), [&](const auto& each) { return each.is_constant() && each.low == borders[0].low; });
  return is_one_number ? borders[0] : requantized(layer, factor, all);
}

}  // namespace

TEST_CASE("the interval of a channel is that of all its weights, even if the search for it ends early") {
  draws draw(17);
  std::size_t widest = 0, constant = 0, between = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto kind = static_cast<kinds>(i % 4);
    const bool is_depthwise = i / 4 % 3 == 0;
    const auto tested = random_layer(draw, draw.from_to(1, 40), 2 * draw.from_to(0, 2) + 1, kind, is_depthwise);
    detail::layer_intervals intervals(tested.program, tested.layer, tested.inputs.data());
    for (std::int32_t output = 0; output < tested.layer.outputs; ++output) {
      const auto actual = intervals.of(output);
      const auto required = expected(tested, output);
      REQUIRE(actual.low == required.low);
      REQUIRE(actual.high == required.high);
      (actual.is_constant() ? constant : actual == layer_interval(tested.layer) ? widest : between) += 1;
    }
  }
  CHECK(widest > 1000);
  CHECK(between > 1000);
  CHECK(constant > 1000);
}

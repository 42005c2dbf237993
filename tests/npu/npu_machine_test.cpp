// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Single instructions of the npu, against the numeric rules of tests/kernels/reference.hpp.
#include <baton/core/vector.hpp>

#include "../../examples/npu/npu.hpp"

#include "graphs.hpp"
#include "kernels/reference.hpp"
#include "laws/delegate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

namespace {

using namespace npu_example;
using one_layer::activation;
using one_layer::layer;
using one_layer::op;

auto random_bytes(std::size_t count, std::uint32_t seed) -> baton::vector<char> {
  baton::vector<char> bytes;
  for (std::size_t i = 0; i < count; ++i) bytes.push_back(static_cast<char>(one_layer::next_random(seed) >> 24));
  return bytes;
}

/// Compiles a part and runs it on these arguments. Also checks the laws of delegates.
auto run_part(const baton::exported_program& part, const baton::vector<baton::vector<char>>& arguments) -> baton::vector<char> {
  laws::delegate::trial<npu> trial{part};
  REQUIRE(static_cast<bool>(trial));
  CHECK(laws::delegate::all(trial, arguments));
  return trial.run(arguments);
}

void check(const layer& l, std::uint32_t seed) {
  CAPTURE(seed);
  const auto input = random_bytes(static_cast<std::size_t>(l.in_count()), seed);
  if (!l.has_weights()) {
    CHECK(run_part(one_layer::build(l, {}, {}), {input}) == reference::compute(l, input, {}, {}));
    return;
  }
  const auto filter = random_bytes(static_cast<std::size_t>(l.filter_count()), seed + 1);
  auto bias = random_bytes(4 * static_cast<std::size_t>(l.out_channels), seed + 2);
  for (std::size_t i = 0; i < bias.size(); i += 4) {
    bias[i + 3] = bias[i + 2] = bias[i + 1] < 0 ? '\xff' : '\0';
  }
  const auto part = npu_graphs::as_part(one_layer::build(l, {filter.data(), filter.size()}, {bias.data(), bias.size()}));
  baton::vector<baton::vector<char>> arguments{input, filter};
  if (l.has_bias) arguments.push_back(bias);
  CHECK(run_part(part, arguments) == reference::compute(l, input, filter, bias));
}

/// Returns a random layer with any geometry that its image allows.
auto random_layer(std::uint32_t& seed) -> layer {
  const auto pick = [&](int min, int max) {
    return min + static_cast<int>(one_layer::next_random(seed) % static_cast<std::uint32_t>(max - min + 1));
  };
  layer l;
  l.is = static_cast<op>(pick(0, 4));
  l.batch = pick(1, 2);
  l.channels = pick(1, 9);
  l.fused =
      std::array{activation::none, activation::relu, activation::relu6, activation::relu_n1_to_1}[static_cast<std::size_t>(pick(0, 3))];
  l.has_bias = pick(0, 3) != 0;
  l.is_per_channel = pick(0, 2) != 0;
  l.input_zero_point = pick(-128, 127);
  l.zero_point = pick(-128, 127);
  l.out_channels = l.has_weights() ? pick(1, 9) : l.channels;
  if (l.is == op::depthwise_conv_2d) l.out_channels = l.channels * pick(1, 3);
  if (l.is == op::fully_connected) return l;
  l.height = pick(1, 9);
  l.width = pick(1, 9);
  l.is_same = pick(0, 1) != 0;
  l.stride_h = pick(1, 3);
  l.stride_w = pick(1, 3);
  if (l.has_weights()) l.dilation_h = pick(1, 3), l.dilation_w = pick(1, 3);
  const auto room = [&](int size, int dilation) { return l.is_same ? 4 : (size - 1) / dilation + 1; };
  l.filter_height = pick(1, std::min(4, room(l.height, l.dilation_h)));
  l.filter_width = pick(1, std::min(4, room(l.width, l.dilation_w)));
  return l;
}

}  // namespace

TEST_CASE("npu machine: random layers match the reference exactly") {
  std::uint32_t seed = 20250301;
  std::array<int, 5> seen{};
  for (int i = 0; i < 2000; ++i) {
    const auto l = random_layer(seed);
    ++seen[static_cast<std::size_t>(l.is)];
    check(l, seed);
  }
  for (const auto count : seen) CHECK(count > 100);
}

TEST_CASE("npu machine: additions match the reference exactly") {
  std::uint32_t seed = 99;
  for (int i = 0; i < 200; ++i) {
    const auto scale = [&] { return 0.001f * static_cast<float>(1 + one_layer::next_random(seed) % 300); };
    const auto zero_point = [&] { return static_cast<int>(one_layer::next_random(seed) % 256) - 128; };
    const std::array scales{scale(), scale(), scale()};
    const std::array zeros{zero_point(), zero_point(), zero_point()};
    baton::program_builder b;
    const auto type = baton::tensor(baton::dtype::int8, 5, 40);
    const auto left = b.user_input("left", type);
    const auto right = b.user_input("right", type);
    const auto sum = b.call("tfl.add", {left, right}, type, {{"fused_activation_function", i % 2 != 0 ? "relu6" : "none"}});
    b.quantize(left, scales[0], zeros[0]);
    b.quantize(right, scales[1], zeros[1]);
    b.quantize(sum, scales[2], zeros[2]);
    b.output(sum);
    const auto x = random_bytes(200, seed);
    const auto y = random_bytes(200, seed + 1);
    const auto output = run_part(b.finish(), {x, y});
    const auto twice = 2 * static_cast<double>(std::max(scales[0], scales[1]));
    const auto by = [&](float s) { return reference::multiplier_of(static_cast<double>(s) / twice); };
    const auto back = reference::multiplier_of(twice / (1048576.0 * static_cast<double>(scales[2])));
    baton::vector<char> expected;
    for (int e = 0; e < 200; ++e) {
      const auto l = reference::requantize(std::int64_t{reference::get_int8(x, e) - zeros[0]} << 20, by(scales[0]));
      const auto r = reference::requantize(std::int64_t{reference::get_int8(y, e) - zeros[1]} << 20, by(scales[1]));
      reference::put(expected, reference::clamp_int8(reference::requantize(l + r, back) + zeros[2],
                                                     i % 2 != 0 ? activation::relu6 : activation::none, scales[2], zeros[2]));
    }
    CHECK(output == expected);
  }
}

TEST_CASE("npu machine: invalid processed bytes are detected") {
  constexpr layer l{
      .is = op::max_pool_2d, .height = 4, .width = 4, .channels = 2, .out_channels = 2, .filter_height = 2, .filter_width = 2};
  const auto part = one_layer::build(l, {}, {});
  const auto processed = npu::preprocess(part, {}).value;
  std::array<char, 32> in{};
  std::array<char, 32> out{};
  const std::array inputs{baton::span<const char>{in}};
  const std::array outputs{baton::span<char>{out}};
  const auto is_ready = [&](const baton::text_buffer& processed_bytes) {
    return machine({processed_bytes, inputs, outputs, {}}).is_ready();
  };
  CHECK(is_ready(processed.processed_bytes));
  for (const std::size_t word : {0u, 4u, 8u, 12u, 16u, 20u, 24u}) {  // magic, version, and each count
    auto processed_bytes = processed.processed_bytes;
    processed_bytes[word] = static_cast<char>(processed_bytes[word] + 9);
    CHECK_FALSE(is_ready(processed_bytes));
  }
  for (std::size_t size = 0; size < processed.processed_bytes.size(); ++size) {
    CHECK_FALSE(is_ready({processed.processed_bytes.begin(), processed.processed_bytes.begin() + static_cast<std::ptrdiff_t>(size)}));
  }
}

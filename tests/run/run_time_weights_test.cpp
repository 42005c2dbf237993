// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Weights that are set at run time: the outputs equal those of an executor that was compiled with these weights.
#include <baton/run/run_time_weights.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/external_file.hpp>
#include <baton/executor.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/helium_kernels.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/operators/verify.hpp>
#include <baton/transform/external_weights.hpp>
#include <baton/transform/transform.hpp>

#include "run/late_dma.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace {

using namespace baton;

/// The weights of a network with two inputs, four hidden units and one output.
struct training {
  float hidden[8];
  float hidden_bias[4];
  float output[4];
  float output_bias[1];
};

template <std::size_t N>
constexpr auto bytes_of(const float (&numbers)[N]) -> std::array<char, 4 * N> {
  std::array<char, 4 * N> bytes{};
  for (std::size_t i = 0; i < 4 * N; ++i) bytes[i] = static_cast<char>(std::bit_cast<std::uint32_t>(numbers[i / 4]) >> 8 * (i % 4) & 255);
  return bytes;
}

/// Returns the network with the weights of a training. The names differ, too, as those of two files would.
constexpr auto gate_with(const training& of, bool is_first) -> exported_program {
  program_builder build;
  const auto x = build.user_input(is_first ? "x" : "pair", tensor(dtype::float32, 1, 2));
  const auto data = [&](std::string_view name, const tensor_type& type, const auto& numbers) {
    return build.parameter(name, type, bytes_of(numbers));
  };
  const auto relu =
      build.call("tfl.fully_connected",
                 {x, data("w1", tensor(dtype::float32, 4, 2), of.hidden), data("b1", tensor(dtype::float32, 4), of.hidden_bias)},
                 tensor(dtype::float32, 1, 4), {{"fused_activation_function", "relu"}});
  build.output(
      build.call("tfl.fully_connected",
                 {relu, data("w2", tensor(dtype::float32, 1, 4), of.output), data("b2", tensor(dtype::float32, 1), of.output_bias)},
                 tensor(dtype::float32, 1, 1), {{"fused_activation_function", "none"}}));
  return build.finish();
}

// Two trainings by stochastic gradient descent.
constexpr training exclusive_or{{1.2119f, 1.3928f, 0.5739f, -0.9037f, -1.0922f, 0.6585f, -1.0221f, -1.4368f},
                                {0.062f, 0.3298f, 0.2284f, 0.7935f},
                                {-0.1866f, 0.8189f, 0.8725f, -1.2041f},
                                {0.4977f}};
constexpr training conjunction{{0.8339f, -1.3966f, -0.9381f, 0.0f, -1.0163f, -0.0887f, 0.0265f, -0.8311f},
                               {-0.0129f, 0.9289f, -0.0035f, -0.0305f},
                               {-1.218f, -1.0766f, 0.9887f, -0.6075f},
                               {1.0f}};

constexpr static_program first_gate{[] { return gate_with(exclusive_or, true); }};
constexpr auto gate = transform(first_gate, passes<external_weights>);
run_time_weights<gate> gate_weights;
memory_region<128> weight_buffer;

template <class Network>
auto truth_table(Network& net) -> unsigned {
  unsigned table = 0;
  for (unsigned i = 0; i < 4; ++i) {
    float out[1] = {};
    const float in[2] = {static_cast<float>(i & 1), static_cast<float>(i >> 1)};
    if (net.run(in, out) != status::ok) return 99;
    if (out[0] > 0.5f) table |= 1u << i;
  }
  return table;
}

/// A copy with the alignment that weights need.
struct aligned_file {
  explicit aligned_file(const vector<char>& bytes) : words((bytes.size() + 7) / 8), size(bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), begin());
  }
  auto begin() -> char* { return reinterpret_cast<char*>(words.data()); }
  auto span() -> std::span<char> { return {begin(), size}; }

  std::vector<std::uint64_t> words;
  std::size_t size;
};

TEST_CASE("one executor runs two trainings of a network") {
  executor<gate, with_weights<gate_weights>> net;
  static_assert(decltype(net)::can_fail);
  CHECK(!verify(gate.value()));
  CHECK(net.run() == status::invalid_state);
  executor<gate, with_weights<gate_weights>, in_slices> net_in_slices;
  CHECK(net_in_slices.start() == status::invalid_state);
  CHECK(net_in_slices.step() == status::end_of_method);
  executor<gate, with_weights<gate_weights>, copied_weights<tests::late_dma, weight_buffer, 1>> net_with_copies;
  static_assert(net_with_copies.weight_copies().copied_bytes() == sizeof(training));
  CHECK(net_with_copies.run() == status::invalid_state);
  aligned_file xor_file(pack_weights(gate_with(exclusive_or, true)));
  aligned_file and_file(pack_weights(gate_with(conjunction, false)));
  CHECK(xor_file.size == decltype(gate_weights)::bytes);
  CHECK(gate_weights.set(xor_file.span()) == status::ok);
  CHECK(truth_table(net) == 0b0110);
  CHECK(truth_table(net_in_slices) == 0b0110);
  CHECK(truth_table(net_with_copies) == 0b0110);
  CHECK(gate_weights.set(and_file.span()) == status::ok);
  CHECK(truth_table(net) == 0b1000);
  CHECK(truth_table(net_with_copies) == 0b1000);
  CHECK(gate_weights.set(xor_file.span()) == status::ok);
  CHECK(truth_table(net) == 0b0110);
}

TEST_CASE("a weight file of another program is refused, and the weights in use do not change") {
  run_time_weights<gate> weights;
  aligned_file file(pack_weights(gate_with(conjunction, false)));
  CHECK(weights.set(file.span().first(file.size - 1)) == status::invalid_external_data);
  CHECK(weights.set(file.span().first(0)) == status::invalid_external_data);
  CHECK(weights.set({file.begin() + 4, file.size}) == status::invalid_argument);
  CHECK(!weights.is_set());
  CHECK(weights.set(file.span()) == status::ok);
  for (std::size_t i = 0; i < 16; ++i) {
    aligned_file damaged(pack_weights(gate_with(conjunction, false)));
    damaged.begin()[i] ^= 1;
    CHECK(weights.set(damaged.span()) == (i < 8 ? status::invalid_external_data : status::invalid_program));
  }
  CHECK(weights.begin() == file.begin());
  // Another activation is another structure with the same sizes.
  auto other = gate_with(conjunction, false);
  for (auto& literal : other.attributes) literal.bytes = other.attributes[0].bytes;
  aligned_file other_file(pack_weights(other));
  CHECK(other_file.size == file.size);
  CHECK(weights.set(other_file.span()) == status::invalid_program);
}

/// Fills `to` with the numbers of a linear congruential generator.
template <std::size_t N>
constexpr auto numbers_of(std::uint32_t seed, int step) -> std::array<char, N> {
  std::array<char, N> bytes{};
  for (std::size_t i = 0; i < N; ++i) {
    seed = seed * 1664525 + 1013904223;
    bytes[i] = i % static_cast<std::size_t>(step) < 1 || step == 1 ? static_cast<char>(seed >> 24) : 0;
  }
  return bytes;
}

/// An int8 network of a convolution with a scale per channel, a depthwise convolution and a fully connected layer, all with int32 biases.
constexpr auto int8_net(std::uint32_t seed, float last_scale = 0.02f) -> exported_program {
  program_builder build;
  const auto quantized = [&](value_id id, float scale, std::int64_t zero_point) {
    build.quantize(id, scale, zero_point);
    return id;
  };
  constexpr float scales[] = {0.01f, 0.02f, 0.015f, 0.03f, 0.01f, 0.025f, 0.01f, 0.02f};
  constexpr std::int64_t zeros[8] = {};
  float bias_scales[8];
  for (int i = 0; i < 8; ++i) bias_scales[i] = scales[i] * 0.05f;
  const auto x = quantized(build.user_input("x", tensor(dtype::int8, 1, 6, 6, 3)), 0.05f, -3);
  const auto w1 = build.parameter("w1", tensor(dtype::int8, 8, 3, 3, 3), numbers_of<216>(seed, 1));
  build.quantize(w1, scales, zeros, 0);
  const auto b1 = build.parameter("b1", tensor(dtype::int32, 8), numbers_of<32>(seed + 1, 4));
  build.quantize(b1, bias_scales, zeros, 0);
  const auto y = quantized(build.call("tfl.conv_2d", {x, w1, b1}, tensor(dtype::int8, 1, 6, 6, 8),
                                      {{"padding", "same"}, {"stride_h", 1}, {"stride_w", 1}, {"fused_activation_function", "relu"}}),
                           0.1f, -128);
  const auto w2 = quantized(build.parameter("w2", tensor(dtype::int8, 1, 3, 3, 8), numbers_of<72>(seed + 2, 1)), 0.01f, 0);
  const auto b2 = quantized(build.parameter("b2", tensor(dtype::int32, 8), numbers_of<32>(seed + 3, 4)), 0.001f, 0);
  const auto z = quantized(
      build.call("tfl.depthwise_conv_2d", {y, w2, b2}, tensor(dtype::int8, 1, 3, 3, 8),
                 {{"padding", "same"}, {"stride_h", 2}, {"stride_w", 2}, {"depth_multiplier", 1}, {"fused_activation_function", "none"}}),
      0.1f, 4);
  const auto w3 = quantized(build.parameter("w3", tensor(dtype::int8, 5, 72), numbers_of<360>(seed + 4, 1)), last_scale, 0);
  const auto b3 = quantized(build.parameter("b3", tensor(dtype::int32, 5), numbers_of<20>(seed + 5, 4)), 0.002f, 0);
  build.output(quantized(build.call("tfl.fully_connected", {z, w3, b3}, tensor(dtype::int8, 1, 5), {{"fused_activation_function", "none"}}),
                         0.5f, 1));
  return build.finish();
}

constexpr static_program first_int8{[] { return int8_net(7); }};
constexpr static_program second_int8{[] { return int8_net(1234); }};
constexpr auto int8_structure = transform(first_int8, passes<external_weights>);
run_time_weights<int8_structure> int8_weights;

TEST_CASE("an int8 network computes the outputs of the executors that were compiled with its weights") {
  executor<first_int8, with_kernels<portable_kernels>> first;
  executor<second_int8, with_kernels<portable_kernels>> second;
  executor<int8_structure, with_kernels<portable_kernels>, with_weights<int8_weights>> net;
  static_assert(decltype(net)::arena_bytes == decltype(first)::arena_bytes);
  aligned_file files[] = {aligned_file(pack_weights(int8_net(7))), aligned_file(pack_weights(int8_net(1234)))};
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    const auto raw = numbers_of<108>(seed, 1);
    std::array<std::int8_t, 108> in{};
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int8_t>(raw[i]);
    std::array<std::int8_t, 5> expected[2]{};
    first.run(in, expected[0]);
    second.run(in, expected[1]);
    CHECK(expected[0] != expected[1]);
    for (int i = 0; i < 2; ++i) {
      std::array<std::int8_t, 5> actual{};
      CHECK(int8_weights.set(files[i].span()) == status::ok);
      CHECK(net.run(in, actual) == status::ok);
      CHECK(actual == expected[i]);
    }
  }
  // Scales are compiled in.
  aligned_file rescaled(pack_weights(int8_net(7, 0.03f)));
  CHECK(int8_weights.set(rescaled.span()) == status::invalid_program);
}

TEST_CASE("kernels that pack weights refuse external weights, with a reason") {
  const program_view program(int8_structure.value());
  for (const auto& record : program.nodes) {
    for (const auto& choice : {choose_kernel(cortex_m_kernels, program, record), choose_kernel(helium_kernels, program, record)}) {
      CHECK(!choice.support);
      CHECK(view(choice.support.reason).find("not a constant") != std::string_view::npos);
    }
    CHECK(choose_kernel(portable_kernels, program, record).support);
  }
}

TEST_CASE("exchanging the mutated buffers of a structure changes its hash") {
  const auto with_targets = [](const char* first, const char* second) {
    program_builder build;
    const auto type = tensor(dtype::float32, 4);
    const auto x = build.user_input("x", type), a = build.mutable_buffer(first, type), b = build.mutable_buffer(second, type);
    build.mutation(build.call("tfl.add", {x, a}, type), "a");
    build.mutation(build.call("tfl.mul", {x, b}, type), "b");
    build.output(x);
    return external_file::structure_hash(build.finish());
  };
  CHECK(with_targets("a", "b") != with_targets("b", "a"));
}

TEST_CASE("only weights are removed, and none from a lowered program") {
  const auto program = int8_net(7);
  const auto structure = external_weights::run(program);
  std::size_t external = 0;
  for (const auto& record : structure.values) external += record.kind == value_kind::external_constant ? 1 : 0;
  CHECK(external == 6);
  CHECK(external_file::structure_hash(external_weights::run(structure)) == external_file::structure_hash(structure));
  CHECK(pack_weights(structure).empty());
  program_builder build;
  const auto type = tensor(dtype::float32, 4);
  const auto shape = build.constant("shape", tensor(dtype::int32, 2), std::array<char, 8>{2, 0, 0, 0, 2});
  build.output(build.call("tfl.reshape", {build.user_input("x", type), shape}, tensor(dtype::float32, 2, 2)));
  const auto reshaped = build.finish();
  CHECK(external_weights::run(reshaped).values[0].kind == reshaped.values[0].kind);
  CHECK(pack_weights(reshaped).empty());
  auto lowered = program;
  lowered.delegates.push_back({});
  CHECK(pack_weights(lowered).empty());
}

}  // namespace

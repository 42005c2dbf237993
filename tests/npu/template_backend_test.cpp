// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The template backend obeys the laws, computes its layers, and returns a reason for unsupported nodes.
#include "../../examples/template_backend/template_backend.hpp"

#include "laws/backend.hpp"
#include "laws/delegate.hpp"
#include "properties/random.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using template_backend::backend;
using template_backend::partitioner;

/// Returns small integers as floats, so that sums are exact in any order.
template <std::size_t Count>
constexpr auto numbers(std::uint32_t seed) -> std::array<char, Count * 4> {
  std::array<char, Count * 4> bytes{};
  for (std::size_t i = 0; i < Count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    const auto bits = std::bit_cast<std::array<char, 4>>(static_cast<float>(static_cast<std::int32_t>(seed >> 28) - 8));
    for (std::size_t b = 0; b < 4; ++b) bytes[i * 4 + b] = bits[b];
  }
  return bytes;
}
constexpr auto first_weights = numbers<4 * 3>(1);
constexpr auto first_bias = numbers<4>(2);
constexpr auto second_weights = numbers<5 * 4>(3);
constexpr auto second_bias = numbers<5>(4);

/// Two fully connected layers on two rows of three numbers.
constexpr auto two_layers(baton::dtype weight_type = baton::dtype::float32, const char* activation = "relu") -> baton::exported_program {
  using baton::tensor;
  constexpr auto real = baton::dtype::float32;
  baton::program_builder build;
  const auto x = build.user_input("x", tensor(real, 2, 3));
  const auto hidden =
      build.call("hidden", "tfl.fully_connected",
                 {x, build.parameter("w1", tensor(weight_type, 4, 3), first_weights), build.parameter("b1", tensor(real, 4), first_bias)},
                 tensor(real, 2, 4), {{"fused_activation_function", activation}});
  const auto y =
      build.call("y", "tfl.fully_connected",
                 {hidden, build.parameter("w2", tensor(real, 5, 4), second_weights), build.parameter("b2", tensor(real, 5), second_bias)},
                 tensor(real, 2, 5));
  build.output(y);
  return build.finish();
}

static_assert(laws::backend::all<backend>(two_layers()));
static_assert(laws::backend::accepts_supported_nodes<backend, template_backend::table, partitioner, laws::backend::constant_owner::part>(
    two_layers()));

constexpr baton::static_program model{[] { return two_layers(); }};
constexpr auto lowered = baton::to_backend(baton::backends<backend>, model, partitioner{});
static_assert(baton::fully_delegated(lowered));

auto number_at(baton::span<const char> bytes, std::size_t i) -> float {
  return baton::portable::load<float>(bytes.data(), static_cast<std::ptrdiff_t>(i));
}

/// Computes a fully connected layer by its definition.
template <std::size_t Inputs, std::size_t Outputs>
auto layer(const std::array<float, Inputs>& in, baton::span<const char> weights, baton::span<const char> bias, bool is_relu) {
  std::array<float, Outputs> out{};
  for (std::size_t o = 0; o < Outputs; ++o) {
    out[o] = number_at(bias, o);
    for (std::size_t i = 0; i < Inputs; ++i) out[o] += in[i] * number_at(weights, o * Inputs + i);
    if (is_relu && out[o] < 0) out[o] = 0;
  }
  return out;
}

}  // namespace

TEST_CASE("the template backend obeys the laws of backends that run") {
  laws::delegate::trial<backend> trial{two_layers()};
  REQUIRE(trial);
  const auto x = numbers<6>(9);
  CHECK(laws::delegate::all(trial, {{x.begin(), x.end()}}));
}

TEST_CASE("the template backend computes its layers") {
  baton::executor<lowered> net;
  properties::random_numbers random(20261125);
  for (int i = 0; i < 100; ++i) {
    std::array<float, 6> x{};
    for (auto& each : x) each = static_cast<float>(random.below(17)) - 8;
    std::array<float, 10> y{};
    REQUIRE(net.run(x, y) == baton::status::ok);
    for (std::size_t row = 0; row < 2; ++row) {
      const auto hidden = layer<3, 4>({x[row * 3], x[row * 3 + 1], x[row * 3 + 2]}, first_weights, first_bias, true);
      const auto expected = layer<4, 5>(hidden, second_weights, second_bias, false);
      for (std::size_t o = 0; o < 5; ++o) REQUIRE(y[row * 5 + o] == expected[o]);
    }
  }
}

TEST_CASE("the template backend rejects nodes with a reason") {
  const auto reason = [](const baton::exported_program& program) {
    const auto answer = template_backend::table::supports(program, program.nodes[0]);
    return std::string(view(answer.reason));
  };
  CHECK(reason(two_layers()).empty());
  CHECK(reason(two_layers(baton::dtype::int32)) == "the device computes float32");
  CHECK(reason(two_layers(baton::dtype::float32, "tanh")) == "the device has no activation tanh");
}

TEST_CASE("the template backend reports the failed operation of damaged processed bytes") {
  const auto processed = backend::preprocess(two_layers(), {});
  REQUIRE(processed);
  auto processed_bytes = processed.value.all_processed_bytes(two_layers());
  processed_bytes.resize(processed_bytes.size() - 1);  // of the second layer's weights
  std::array<char, 24> x{};
  std::array<char, 40> y{};
  std::array<char, 128> scratch{};
  const std::array<baton::span<const char>, 1> inputs{baton::span<const char>(x)};
  const std::array<baton::span<char>, 1> outputs{baton::span<char>(y)};
  const baton::no_options options;
  const baton::execution_context<> call({{processed_bytes.data(), processed_bytes.size()}, inputs, outputs, scratch}, "forward", options);
  CHECK(backend::execute(call) == baton::status::invalid_program);
  CHECK(call.failed_operation == 1);
}

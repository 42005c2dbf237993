// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// CMSIS-NN as a backend next to the Cortex-M kernels: nodes chosen by measured costs, with reasons; the laws of backends, and the results.
#include <baton/backends/cmsis_nn/measured_costs.hpp>
#include <baton/executor.hpp>
#include <baton/lower/contracts.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/lower/verdicts.hpp>
#include <baton/partition/by_support.hpp>

#include "kernels/layer.hpp"
#include "laws/backend.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace baton;

template <std::size_t Count>
constexpr auto bytes_for = one_layer::random_elements<Count>(true, 77);
/// Random bytes with at least one -128 after a -1, a pair for which the Cortex-M kernels have no room.
constexpr auto dense_bytes = [] {
  auto bytes = bytes_for<std::size_t{128} * 10>;
  bytes[0] = '\xff';
  bytes[1] = '\x80';
  return bytes;
}();

/// A convolution, a convolution in two groups, a fully connected layer whose weights do not fit the pairs of the Cortex-M kernels, and a
/// softmax.
constexpr auto make_program() -> exported_program {
  program_builder b;
  const auto weigh = [&](std::string_view name, const tensor_type& shape, std::string_view bytes) {
    const auto weights = b.parameter(name, shape);
    b.at(weights).data = b.view(bytes);
    b.quantize(weights, 0.005f, 0);
    return weights;
  };
  const auto text = [](const auto& bytes) { return std::string_view(bytes.data(), bytes.size()); };
  const auto x = b.user_input("x", tensor(dtype::int8, 1, 4, 4, 4));
  b.quantize(x, 0.05f, -3);
  const auto image = tensor(dtype::int8, 1, 4, 4, 8);
  const auto first = b.call("tfl.conv_2d", {x, weigh("a", tensor(dtype::int8, 32, 3, 3, 4), text(bytes_for<1152>))},
                            tensor(dtype::int8, 1, 4, 4, 32), {{"padding", "same"}});
  b.quantize(first, 0.1f, 4);
  const auto second =
      b.call("tfl.conv_2d", {first, weigh("b", tensor(dtype::int8, 8, 3, 3, 16), text(bytes_for<1152>))}, image, {{"padding", "same"}});
  b.quantize(second, 0.2f, -9);
  const auto dense =
      b.call("tfl.fully_connected", {second, weigh("c", tensor(dtype::int8, 10, 128), text(dense_bytes))}, tensor(dtype::int8, 1, 10));
  b.quantize(dense, 0.4f, 0);
  const auto y = b.call("tfl.softmax", {dense}, tensor(dtype::int8, 1, 10), {{"beta", 1.0}});
  b.quantize(y, 1.0f / 256, -128);
  b.output(y);
  return b.finish();
}

constexpr static_program model{[] { return make_program(); }};
constexpr auto target = baton::backends<baton::cmsis_nn::backend>;
constexpr auto lowered = baton::to_backend(target, model, baton::cmsis_nn::by_measured_cost{});
baton::executor<lowered, baton::with_kernels<baton::cortex_m_kernels + baton::portable_kernels>> net;
constexpr auto all_of_it = to_backend(target, model, cmsis_nn::partitioner{});
static_assert(delegates(lowered).size() == 1 && undelegated(lowered).size() == 2);
static_assert(fully_delegated(all_of_it));

template <auto Program, auto Kernels>
auto output_of(const std::array<std::int8_t, 64>& input) -> std::array<std::int8_t, 10> {
  static basic_executor<Program, Kernels> compared;
  std::array<std::int8_t, 10> output{};
  compared.run(input, output);
  return output;
}

}  // namespace

TEST_CASE("the nodes chosen by measured costs match the reference") {
  for (std::uint32_t seed = 1; seed < 20; ++seed) {
    std::array<std::int8_t, 64> input{};
    auto state = seed;
    for (auto& each : input) each = static_cast<std::int8_t>(one_layer::next_random(state) >> 24);
    const auto expected = output_of<model, portable_kernels>(input);
    std::array<std::int8_t, 10> output{};
    net.run(input, output);
    CHECK(output == expected);
    CHECK(output_of<all_of_it, portable_kernels>(input) == expected);
  }
}

TEST_CASE("each node is assigned where it takes fewer instructions, and verdicts contain the reason") {
  using by_cost = cmsis_nn::by_measured_cost;
  const auto program = make_program();
  const auto verdicts = verdicts_of(program, by_cost{});
  REQUIRE(verdicts);
  const auto is_delegated = [&](std::size_t i) { return verdicts.value[i].is_delegated; };
  CHECK_FALSE(is_delegated(0));
  CHECK(is_delegated(1));  // in groups: otherwise the portable kernel would compute it
  CHECK(is_delegated(2));  // -128 after -1: for the same reason
  CHECK_FALSE(is_delegated(3));
  const auto why = std::string(view(verdicts.value[0].reason));
  CHECK(
      why.starts_with("it is supported, but the executor's kernels are cheaper in total (this node alone, without transfers and calls: "
                      "executor's kernels "));
  for (const auto& record : program.nodes) {
    const auto here = cmsis_nn::costs::node(program, record);
    const auto there = cmsis_nn::cortex_m_costs::node(program, record);
    CHECK(here > 0);
    CHECK(there > 0);
    CHECK((here < there) == is_delegated(static_cast<std::size_t>(&record - program.nodes.data())));
  }
  const auto cost_of = [&](const auto& choice) { return cmsis_nn::measured_choice::cost(program, choice).value; };
  CHECK(cost_of(by_cost{}) < cost_of(cmsis_nn::partitioner{}));
  CHECK(cost_of(by_cost{}) < cost_of(archetypes::partitioner{}));
}

TEST_CASE("nodes without a measurement have the cost 0") {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, 4));
  b.output(b.call("tfl.reshape", {x}, tensor(dtype::int8, 2, 2)));
  b.call_many("nothing", "tfl.conv_2d", {x, x}, {});
  const auto program = b.finish();
  for (const auto& record : program.nodes) {
    CHECK(cmsis_nn::costs::node(program, record) == 0);
    CHECK(cmsis_nn::cortex_m_costs::node(program, record) == 0);
  }
}

TEST_CASE("the costs of convolutions with invalid operands can be queried") {
  program_builder b;
  const auto flat = b.user_input("flat", tensor(dtype::int8, 4));
  const auto image = b.user_input("image", tensor(dtype::int8, 1, 2, 2, 1));
  const auto empty = b.user_input("empty", tensor(dtype::int8, 1, 2, 2, 0));
  const auto absent = none<value_id>;
  for (const auto* op : {"tfl.conv_2d", "tfl.depthwise_conv_2d"}) {
    for (const auto& pair : {std::array{flat, image}, {image, flat}, {empty, image}, {image, absent}, {absent, image}}) {
      b.output(b.call(op, {pair[0], pair[1]}, tensor(dtype::int8, 4)));
    }
    b.output(b.call(op, {image}, tensor(dtype::int8, 4)));
  }
  const auto program = b.finish();
  for (const auto& record : program.nodes) {
    for (const auto is : {cost_row::node_class::one_by_one, cost_row::node_class::one_channel, cost_row::node_class::three_by_three}) {
      CHECK_FALSE(cost_row::is_of_class(program, record, is));
    }
    CHECK(cmsis_nn::costs::node(program, record) >= 0);
    CHECK(cmsis_nn::cortex_m_costs::node(program, record) >= 0);
  }
}

TEST_CASE("the backend obeys the laws of backends") {
  constexpr auto holds = [] {
    return laws::backend::accepts_supported_nodes<cmsis_nn::backend, cmsis_nn::support, cmsis_nn::partitioner,
                                                  laws::backend::constant_owner::part>(make_program()) &&
           laws::backend::all<cmsis_nn::backend>(make_program());
  };
  static_assert(holds());
  CHECK(holds());
}

TEST_CASE("an unsupported part is rejected with the library's limit") {
  program_builder b;
  const auto type = tensor(dtype::int8, 1, 256);
  const auto x = b.user_input("x", type);
  const auto y = b.call("probabilities", "tfl.softmax", {x}, type, {{"beta", 1.0}});
  b.quantize(x, 0.1f, 0);
  b.quantize(y, 1.0f / 256, -128);
  b.output(y);
  const auto refused = try_to_backend(target, b.finish(), all_nodes<cmsis_nn::backend>{});
  REQUIRE_FALSE(refused);
  CHECK(refused.error.is<"refused_part">());
  CHECK(view(refused.error.backend) == "CmsisNn");
  CHECK(view(refused.error.reason) == "probabilities: a row has 256 elements; CMSIS-NN supports at most 255");
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "../../examples/npu/npu.hpp"

#include "graphs.hpp"
#include "laws/partitioner.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

using namespace npu_example;
using namespace npu_graphs;
using one_layer::layer;
using one_layer::op;

/// Returns why the first node of a program is rejected; empty if it is supported.
auto reason(const baton::exported_program& program) -> std::string {
  const auto answer = npu_support::supports(program, program.nodes[0]);
  return answer ? "" : std::string{baton::view(answer.reason)};
}

auto one(const layer& l) -> baton::exported_program {
  static const std::string zeros(4096, '\0');
  return one_layer::build(l, std::string_view{zeros}.substr(0, static_cast<std::size_t>(l.bytes_of(l.filter_count()))),
                          std::string_view{zeros}.substr(0, 4 * static_cast<std::size_t>(l.out_channels)));
}

/// True if the first node, as a part, compiles if it is supported.
auto compiles_if_supported(const baton::exported_program& program) -> bool {
  return !npu_support::supports(program, program.nodes[0]) || npu::preprocess(as_part(program), {});
}

static_assert(laws::operator_support::all<npu_support>(every_operator{}()));

}  // namespace

TEST_CASE("npu support: reasons are readable sentences") {
  CHECK(reason(one({.channels = 4, .out_channels = 4})) == "");
  CHECK(reason(one({.is_int8 = false})) == "input is float32, the npu computes int8");
  CHECK(reason(one({.channels = 4, .out_channels = 4, .groups = 2})) ==
        "filter has 2 of 4 input channels, the npu does not support groups");
  CHECK(reason(one({.is = op::average_pool_2d, .is_int8 = false})) == "input and output are not int8, the npu computes int8");
  network net;
  const auto type = tensor(dtype::int8, 1, 4);
  CHECK(reason(net.finish({net.softmax(net.input("x", type), type)})) == "no translation of tfl.softmax");
}

TEST_CASE("npu support: only additions of equal shapes are supported") {
  network net;
  const auto wide = tensor(dtype::int8, 1, 2, 2, 4);
  CHECK(reason(net.finish({net.add(net.input("x", wide), net.input("y", tensor(dtype::int8, 1, 1, 1, 4)), wide)})) ==
        "the npu does not broadcast");
}

TEST_CASE("npu support: a constant without data is rejected") {
  auto program = one({.channels = 4, .out_channels = 4});
  for (auto& record : program.values) record.data = {};
  CHECK(reason(program) == "a constant has no data");
}

TEST_CASE("npu support: supported nodes compile") {
  for (const auto is : {op::conv_2d, op::depthwise_conv_2d, op::fully_connected, op::average_pool_2d, op::max_pool_2d}) {
    for (const bool is_int8 : {true, false}) {
      for (const int groups : {1, 2}) {
        for (const bool has_bias : {true, false}) {
          const auto program =
              one({.is = is, .is_int8 = is_int8, .channels = 4, .out_channels = 4, .groups = groups, .has_bias = has_bias});
          CHECK(compiles_if_supported(program));
        }
      }
    }
  }
}

TEST_CASE("npu support: damaged nodes are rejected, and invalid references are not followed") {
  for (std::size_t victim = 0; victim < 200; ++victim) {
    auto program =
        one({.is = victim % 2 != 0 ? op::conv_2d : op::depthwise_conv_2d, .height = 3, .width = 3, .channels = 4, .out_channels = 4});
    std::uint32_t seed = static_cast<std::uint32_t>(victim) * 7919 + 1;
    const auto random = [&](std::size_t below) { return one_layer::next_random(seed) % static_cast<std::uint32_t>(below); };
    program.integers[random(program.integers.size())] = static_cast<std::int64_t>(random(9)) - 2;
    program.attributes[random(program.attributes.size())].integer = static_cast<std::int64_t>(random(5)) - 1;
    CHECK(compiles_if_supported(program));
  }
}

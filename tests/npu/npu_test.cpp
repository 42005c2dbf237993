// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The example backend and its partitioner in Baton: the supported nodes, and outputs equal to those of the portable kernels.
#include "../../examples/npu/npu.hpp"

#include "graphs.hpp"
#include "laws/partitioner.hpp"

#include <baton/compat/executorch/inspection.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/executor.hpp>
#include <baton/import/tflite.hpp>
#include <baton/lower/to_backend.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace npu_example;
using namespace npu_graphs;

constexpr auto target = baton::backends<npu>;

template <class Make>
inline constexpr baton::static_program<Make> model{};
template <class Make>
inline constexpr auto lowered = baton::to_backend(target, model<Make>, npu_partitioner{});

template <class Make>
baton::executor<model<Make>> portable;
template <class Make>
baton::executor<lowered<Make>> delegated;

/// Returns the operators of each delegate, and then those of nodes without a delegate.
auto operators_by_delegate(const baton::program_view& program) -> std::vector<std::string> {
  std::vector<std::string> result;
  for (const auto& module : baton::delegates(program)) {
    auto& text = result.emplace_back();
    for (const auto& record : module.program().nodes_of(module.program()[module.original()]))
      text += std::string{module.program().text(record.target).substr(4)} + " ";
  }
  auto& undelegated = result.emplace_back();
  for (const auto id : baton::non_lowered_nodes(program)) undelegated += std::string{program.text(program[id].target).substr(4)} + " ";
  return result;
}

template <std::size_t I, class Net>
void fill(Net& net, std::uint32_t seed) {
  for (auto& c : net.template input<I>()) c = static_cast<char>(one_layer::next_random(seed) >> 24);
}
template <std::size_t... I, class A, class B>
auto outputs_agree(const A& a, const B& b, std::index_sequence<I...>) -> bool {
  return (std::ranges::equal(a.template output<I>(), b.template output<I>()) && ...);
}

}  // namespace

TEST_CASE("npu: every operator in one part matches the portable kernels") {
  using graph = every_operator;
  static_assert(baton::delegates(lowered<graph>).size() == 1);
  static_assert(laws::partitioner::all(every_operator{}(), npu_partitioner{}));
  for (std::uint32_t seed = 1; seed < 50; ++seed) {
    fill<0>(portable<graph>, seed);
    fill<0>(delegated<graph>, seed);
    portable<graph>.run();
    delegated<graph>.run();
    CHECK(outputs_agree(portable<graph>, delegated<graph>, std::make_index_sequence<1>{}));
  }
}

TEST_CASE("npu: long chains are divided, parts begin with a convolution, and other nodes run on portable kernels") {
  using graph = long_chain;
  CHECK(laws::partitioner::all(long_chain{}(), npu_partitioner{}));
  for (const auto& module : baton::delegates(lowered<graph>)) {
    const auto nodes = module.program().nodes_of(module.program()[module.original()]);
    CHECK(nodes.size() <= max_instructions);
    CHECK((nodes[0].is("tfl.conv_2d") || nodes[0].is("tfl.depthwise_conv_2d")));
  }
  CHECK(operators_by_delegate(lowered<graph>).back() == "reshape softmax max_pool_2d softmax ");
  CHECK(baton::delegates(lowered<graph>).size() >= 3);
  for (std::uint32_t seed = 1; seed < 50; ++seed) {
    fill<0>(portable<graph>, seed);
    fill<1>(portable<graph>, seed + 100);
    fill<0>(delegated<graph>, seed);
    fill<1>(delegated<graph>, seed + 100);
    portable<graph>.run();
    delegated<graph>.run();
    CHECK(outputs_agree(portable<graph>, delegated<graph>, std::make_index_sequence<2>{}));
  }
}

TEST_CASE("npu: programs are equal at compile time and at run time") {
  CHECK(baton::same(lowered<long_chain>.value(), baton::to_backend(target, long_chain{}(), npu_partitioner{})));
  CHECK(baton::same(lowered<every_operator>.value(), baton::to_backend(target, every_operator{}(), npu_partitioner{})));
}

TEST_CASE("npu: weights are not copied") {
  const auto program = baton::to_backend(target, every_operator{}(), npu_partitioner{});
  const auto& call = program.nodes[program.root().nodes.first];
  CHECK(call.inputs.size == 8);  // x, four filters, and three biases
  for (const auto id : baton::program_view(program).inputs(call)) CHECK(program[id].tag == baton::none<baton::tag_id>);
  const auto module = baton::delegates(program)[0];
  for (const auto id : module.program().inputs(module.program()[module.original()])) CHECK(module.program()[id].data.size == 0);
}

TEST_CASE("npu: the digits model is delegated, except for its softmax") {
  std::ifstream file(BATON_EXAMPLES_DIR "/digits/digits_int8.tflite", std::ios::binary);
  const baton::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  REQUIRE(!bytes.empty());
  const auto program = baton::to_backend(target, baton::tflite::read_bytes(bytes), npu_partitioner{});
  CHECK(operators_by_delegate(program) ==
        std::vector<std::string>{"conv_2d depthwise_conv_2d conv_2d average_pool_2d reshape fully_connected ", "softmax "});
}

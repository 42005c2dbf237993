// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lowers a program of NODES nodes with a part for every twenty nodes: lowering NODES. Prints the seconds of lowering alone, and with
// by_support. The program has blocks of forty nodes, half of them in a branch. It has constants that all blocks share, constants of a
// block, a mutated buffer that a part owns and one that the owner keeps. lowering.sh counts the instructions of `lower_once`.
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result {
    baton::preprocess_result result;
    baton::append(result.processed_bytes, part.nodes.size());
    return result;
  }
};

constexpr auto type = baton::tensor(baton::dtype::float32, 2, 2);
constexpr auto scalar = baton::tensor(baton::dtype::float32, 1);
constexpr std::uint32_t nodes_of_block = 40;
constexpr char some_data[16] = {};

/// A chain of operators that belong to one part.
auto chain(baton::program_builder& build, const std::string& prefix, int nodes, baton::value_id from, baton::value_id with)
    -> baton::value_id {
  for (int i = 0; i < nodes; ++i)
    from = build.call(prefix + std::to_string(i), i % 2 == 0 ? "aten.add.Tensor" : "aten.mul.Tensor", {from, with}, type);
  return from;
}

auto add_branch(baton::program_builder& build, const std::string& name) -> baton::graph_id {
  const auto here = build.current();
  const auto graph = build.add_graph(name);
  const auto own = build.constant(name + ".own", type, some_data);
  const auto x = build.user_input("x", type);
  const auto first = build.call("host", "aten.sub.Tensor", {x, own}, type);
  build.output(chain(build, "part", 9, first, own));
  build.enter(here);
  return graph;
}

auto make_program(std::uint32_t nodes) -> baton::exported_program {
  baton::program_builder build;
  const auto shared = build.parameter("shared", type, some_data);
  struct block {
    baton::value_id constant, state, kept;
  };
  baton::vector<block> blocks;
  for (std::uint32_t b = 0; b < nodes / nodes_of_block; ++b) {
    const auto number = std::to_string(b);
    blocks.push_back({build.constant("own" + number, type, some_data), build.mutable_buffer("state" + number, type, some_data),
                      build.mutable_buffer("kept" + number, type, some_data)});
  }
  auto x = build.user_input("x", type);
  const auto flag = build.user_input("flag", scalar);
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    const auto number = std::to_string(b);
    const auto next = build.call("next" + number, "aten.add.Tensor", {blocks[b].state, shared}, type);
    build.mutation(next, "state" + number);
    x = chain(build, "own" + number + "_", 8, x, blocks[b].constant);
    x = chain(build, "shared" + number + "_", 7, x, shared);
    x = build.call("read" + number, "aten.add.Tensor", {x, blocks[b].state}, type);
    const auto kept = build.call("keep" + number, "aten.sub.Tensor", {blocks[b].kept, x}, type);
    build.mutation(kept, "kept" + number);
    const auto yes = add_branch(build, "yes" + number);
    const auto no = add_branch(build, "no" + number);
    x = build.call_many("cond" + number, "cond", {flag, x}, {type}, {}, {yes, no})[0];
    x = build.call("host" + number, "aten.sub.Tensor", {x, shared}, type);
  }
  build.output(x);
  return build.finish();
}

/// Tags every range of consecutive nodes without the operator of the owner, and the data that it uses first.
struct run_partitioner {
  static auto partition(const baton::program_view& program) -> baton::partition_result {
    baton::partition_result tagged(program);
    std::uint32_t count = 0;
    for (const auto& graph : program.graphs) {
      auto current = baton::none<baton::tag_id>;
      for (auto n = graph.nodes.first; n < graph.nodes.first + graph.nodes.size; ++n) {
        const auto& node = program.nodes[n];
        const bool is_of_host = node.is("aten.sub.Tensor") || node.is("cond");
        if (is_of_host) current = baton::none<baton::tag_id>;
        if (is_of_host) continue;
        if (current == baton::none<baton::tag_id>) current = tagged.add_tag("tag" + std::to_string(count++), baton::delegation_spec{"Npu"});
        tagged.tag_node(static_cast<baton::node_id>(n), current);
        for (const auto input : program.inputs(node)) {
          if (is_owned_data(program[input].kind) && tagged.tag_of(input) == baton::none<baton::tag_id>) tagged.tag_value(input, current);
        }
      }
    }
    return tagged;
  }
};

using support = baton::operator_names<"aten.add.Tensor", "aten.mul.Tensor">;

}  // namespace

// callgrind finds these functions by name.
extern "C" {
[[gnu::noinline]] auto lower_once(const baton::exported_program& program) -> baton::exported_program {
  return baton::to_backend(baton::backends<npu>, program, run_partitioner{});
}
[[gnu::noinline]] auto partition_once(const baton::exported_program& program) -> baton::partition_result {
  return baton::by_support<npu, support>::partition(program);
}
}

namespace {
template <class F>
auto seconds_of(F f) -> double {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
}  // namespace

auto main(int count, char** arguments) -> int {
  const auto program = make_program(count > 1 ? static_cast<std::uint32_t>(std::atol(arguments[1])) : 10000);
  baton::exported_program lowered;
  std::size_t tags = 0;
  const auto lowering = seconds_of([&] { lowered = lower_once(program); });
  const auto partitioning = seconds_of([&] { tags = partition_once(program).partition_tags.size(); });
  std::printf("nodes %zu parts %zu lowering %.3f s by_support %.3f s (%zu tags)\n", program.nodes.size(), lowered.delegates.size(),
              lowering, partitioning, tags);
  return 0;
}

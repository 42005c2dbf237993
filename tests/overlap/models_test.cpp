// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Five models in the memory of overlapping and of streamed plans: arena sizes, the output of every operator, and no read of an overwritten
// byte. Plans with distances one byte too small, or with one row too few, are detected.
#include <baton/import/tflite.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/helium_kernels.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>
#include <baton/kernels/portable/fully_connected.hpp>
#include <baton/kernels/portable/pairwise.hpp>
#include <baton/kernels/portable/pooling.hpp>
#include <baton/kernels/portable/reshape.hpp>
#include <baton/kernels/portable/softmax.hpp>
#include <baton/plan/memory_policies/in_place.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policies/row_streaming.hpp>

#include "models/golden.hpp"
#include "nodes/interpreter.hpp"
#include "shadow_memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using namespace baton;
using nodes::bytes;

/// A kernel that declares distances that are `NearerBy` bytes too small.
template <class Kernel, std::int64_t NearerBy>
struct nearer : Kernel {
  static constexpr auto describe(const program_view& program, const node& record) {
    auto answer = Kernel::describe(program, record);
    for (auto& operand : answer.facts.operands) {
      if (operand.distance.ascending != min_distance::disjoint) operand.distance.ascending -= NearerBy;
      if (operand.distance.descending != min_distance::disjoint) operand.distance.descending -= NearerBy;
    }
    return answer;
  }
};

template <std::int64_t NearerBy>
constexpr auto list =
    kernels<nearer<portable::conv_2d, NearerBy>, nearer<portable::depthwise_conv_2d, NearerBy>, nearer<portable::fully_connected, NearerBy>,
            portable::pairwise, portable::average_pool_2d, portable::reshape, portable::softmax>;

struct expectation {
  const char* model;
  std::uint64_t bytes;           ///< at alignment 1
  std::uint64_t aligned_bytes;   ///< at the alignment of an executor
  std::uint64_t streamed_bytes;  ///< at that alignment, streamed
  std::uint64_t cortex_m_bytes;  ///< the same with the Cortex-M kernels and their scratch
  std::uint64_t helium_bytes;    ///< the same with the kernels for Helium
  std::uint64_t helium_in_place_bytes;
};
constexpr std::array<expectation, 5> models{{{"ad01_int8", 767, 768, 768, 1920, 768, 768},
                                             {"kws_ref_model", 8384, 8384, 5168, 5232, 5744, 8960},
                                             {"pretrainedResnet_quant", 33311, 33312, 14144, 16032, 14224, 33456},
                                             {"vww_96_int8", 36871, 36880, 27760, 28800, 27792, 37008},
                                             {"person_detect", 36871, 36880, 13088, 14272, 13376, 37008}}};

/// Calls `f` with each model that is present, and its expectation.
template <class F>
void for_each_model(F f) {
  for (const auto& expected : models) {
    const auto file = golden::model_bytes(expected.model);
    if (file.empty()) continue;  // no shared folder
    CAPTURE(std::string(expected.model));
    const auto owner = tflite::read_bytes(file);
    f(expected, program_view(owner));
  }
}

template <class... Kernels>
auto planned(kernel_list<Kernels...> candidates, const program_view& program, std::uint32_t alignment, const chosen_policy& policy)
    -> execution_plan {
  auto plan = plan_execution(candidates, program, {alignment}, policy);
  REQUIRE(plan);
  return std::move(plan.value);
}
template <std::int64_t NearerBy = 0>
auto planned(const program_view& program, std::uint32_t alignment, const chosen_policy& policy) -> execution_plan {
  return planned(list<NearerBy>, program, alignment, policy);
}

/// Nodes with the Cortex-M kernels, which read the operands of a pixel before they write any of its channels.
struct pixel_by_pixel {
  template <class Read, class Write>
  static void replay(const program_view& program, const node& record, write_order order, const Read& read, const Write& write) {
    const overlap::replayed_node replayed(program, record);
    if (!replayed.is_window()) return replayed.replay(order, read, write);
    const auto geometry = replayed.geometry();
    overlap::replay_windows(geometry, order, {1, geometry.out_channels}, [&](auto first, auto count) { read(0u, first, count); }, write);
  }
};

/// Returns the number of nodes with results that differ from those of a run in disjoint memory.
auto differing_nodes(const program_view& program, const execution_plan& plan, nodes::interpreter& disjoint, const bytes& input)
    -> std::size_t {
  bytes expected;
  REQUIRE(disjoint.run(list<0>, input, expected) == "");
  nodes::interpreter overlapped(program, &plan);
  std::size_t differing = 0;
  bytes output;
  const auto why = overlapped.run(list<0>, input, output, [&](const node& record) {
    for (const auto id : program.outputs_of(record)) {
      const auto& disjoint_value = disjoint.at(id);
      differing += std::equal(disjoint_value.begin(), disjoint_value.end(), overlapped.address(id)) ? 0u : 1u;
    }
  });
  REQUIRE(why == "");
  CHECK(output == expected);
  return differing;
}

}  // namespace

TEST_CASE("models run in the minimum of bytes for a plan of their operators") {
  for_each_model([](const expectation& expected, const program_view& program) {
    const auto* const name = expected.model;
    nodes::interpreter disjoint(program);
    const auto input = golden::file(name, "input_0.bin");
    for (const auto alignment : {1u, 4u, 16u}) {
      const auto plan = planned(program, alignment, planned_by<memory_policies::in_place>{});
      CHECK(plan.memory.arena_bytes == (alignment == 1   ? expected.bytes
                                        : alignment == 4 ? (expected.bytes + 3) / 4 * 4
                                                         : expected.aligned_bytes));
      CHECK(plan.memory.is_optimal);
      CHECK(plan.memory.lower_bound == plan.memory.arena_bytes);
      CHECK_FALSE(verify_plan(plan.memory));
      CHECK(overlap::shadow_memory(program, plan.memory).run() == 0);
      if (alignment == 1) {
        CHECK(differing_nodes(program, plan, disjoint, {input.begin(), input.end()}) == 0);
        const auto output = golden::file(name, "output_0.bin");
        const auto& output_value = disjoint.at(program.outputs_of(program.root())[0].value);
        CHECK(std::equal(output.begin(), output.end(), output_value.begin(), output_value.end()));
      }
    }
  });
}

TEST_CASE("the checker accepts plans without overlaps") {
  for_each_model([](const expectation&, const program_view& program) {
    const auto plan = planned(program, 16, planned_by<memory_policies::no_overlap>{});
    CHECK(plan.memory.needs.distances.empty());
    CHECK(overlap::shadow_memory(program, plan.memory).run() == 0);
  });
}

TEST_CASE("models by rows, and at the distances of the Cortex-M kernels, read no overwritten byte") {
  for_each_model([](const expectation& expected, const program_view& program) {
    const auto check = [&](auto candidates, auto nodes, std::uint64_t bytes) {
      using shadow = overlap::shadow_memory<decltype(nodes)>;
      const auto plan = planned(candidates, program, 16, planned_by<memory_policies::row_streaming>{}).memory;
      CHECK(plan.arena_bytes == bytes);
      CHECK_FALSE(verify_plan(plan));
      CHECK(shadow(program, plan).run() == 0);
      for (const auto& segment : plan.streams.segments) {
        auto mutant = plan;
        auto& kept = mutant.streams.kept[segment.kept];
        REQUIRE(kept.rows > 1);
        --kept.rows;
        CHECK(verify_plan(mutant));
        CHECK(shadow(program, mutant).run() != 0);
      }
    };
    check(list<0>, overlap::whole_nodes{}, expected.streamed_bytes);
    check(cortex_m_kernels + list<0>, pixel_by_pixel{}, expected.cortex_m_bytes);
    check(helium_kernels + list<0>, overlap::whole_nodes{}, expected.helium_bytes);
    const auto near = planned(cortex_m_kernels + list<0>, program, 1, planned_by<memory_policies::in_place>{}).memory;
    CHECK_FALSE(near.needs.distances.empty());
    CHECK(overlap::shadow_memory<pixel_by_pixel>(program, near).run() == 0);
    const auto vectors = planned(helium_kernels + list<0>, program, 16, planned_by<memory_policies::in_place>{}).memory;
    CHECK(vectors.arena_bytes == expected.helium_in_place_bytes);
    CHECK(overlap::shadow_memory(program, vectors).run() == 0);
  });
}

TEST_CASE("every distance of a model's layers is the minimum") {
  for_each_model([](const expectation&, const program_view& program) {
    const auto plan = planned(program, 1, planned_by<memory_policies::in_place>{});
    std::size_t seen = 0;
    for (const auto& each : plan.memory.needs.distances) {
      const auto& record = program.nodes_of(program.root())[each.step];
      const overlap::replayed_node replayed(program, record);
      if (!replayed.is_window()) continue;
      const auto in = replayed.bytes_of(program.inputs(record)[0]);
      const auto out = replayed.bytes_of(program.outputs_of(record)[0]);
      for (const auto order : {write_order::ascending, write_order::descending}) {
        overlap::observed_distance observed(in, out);
        replayed.replay(
            order,
            [&](std::size_t operand, std::int64_t first, std::int64_t count) {
              if (operand == 0) observed.read(first, count);
            },
            [&](std::int64_t first, std::int64_t count) { observed.write(first, count); });
        if (!observed.matters() || observed.ascending() <= 0) continue;
        ++seen;
        if (order == write_order::ascending) CHECK(each.ascending == observed.ascending());
        if (order == write_order::descending) CHECK(each.descending == out - in - observed.descending());
      }
    }
    CHECK(seen >= 8);
  });
}

TEST_CASE("plans with distances one byte too small are refused, and read overwritten bytes") {
  for_each_model([](const expectation& expected, const program_view& program) {
    const auto right = planned(program, 1, planned_by<memory_policies::in_place>{});
    auto wrong = planned<1>(program, 1, planned_by<memory_policies::in_place>{});
    CHECK(wrong.memory.arena_bytes < expected.bytes);
    CHECK_FALSE(verify_plan(wrong.memory));
    CHECK(overlap::shadow_memory(program, wrong.memory).run() != 0);
    REQUIRE(wrong.memory.needs.distances.size() == right.memory.needs.distances.size());
    wrong.memory.needs.distances = right.memory.needs.distances;
    CHECK(verify_plan(wrong.memory));
  });
}

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The form of `compute` that is called, and the addresses that it receives.
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_call.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/shared/kernel_functions.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace {

using namespace baton;

/// Operands: an input, a state, an omitted operand, and another state. Two outputs.
struct make {
  constexpr auto operator()() const -> exported_program {
    constexpr auto four = tensor(dtype::int8, 4);
    program_builder build;
    const auto first = build.mutable_buffer("first", four);
    const auto second = build.mutable_buffer("second", four);
    const auto outputs =
        build.call_many("node", "test.node", {build.user_input("x", four), second, none<value_id>, first}, {four, four}, {{"number", 7}});
    build.output(outputs[0]);
    build.output(outputs[1]);
    return build.finish();
  }
};
using program_type = static_program<make>;

/// Each value has 4 bytes in the order of its identifiers, and scratch follows the values.
struct memory_map {
  static constexpr std::size_t size = 4 * program_type::value().values.size() + 3;
  static constexpr std::array<std::int32_t, 2> constant{5, 6};

  template <value_id Id>
  static auto address(char* arena) -> const char* {
    return arena + 4 * index(Id);
  }
  template <value_id Id>
  static auto writable(char* arena) -> char* {
    return arena + 4 * index(Id);
  }
  template <std::uint32_t>
  static auto scratch(char* arena) {
    return std::span<char, 3>{arena + size - 3, 3};
  }
  template <std::uint32_t>
  static constexpr auto prepared() {
    return std::span<const std::int32_t, 2>{constant};
  }
  static constexpr auto order_of(std::uint32_t) -> write_order { return write_order::descending; }
};
using call_type = node_call<program_type, 0, memory_map>;

struct planned {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<std::int64_t> {
    return {accept(), program.integer(record, "number", 0), {.scratch_bytes = 3}};
  }
  static void compute(std::int64_t plan, const node_memory& memory) {
    seen_plan = plan;
    seen = memory;
    inputs = {memory.inputs[0], memory.inputs[1], memory.inputs[2], memory.inputs[3]};
    outputs = {memory.outputs[0], memory.outputs[1]};
    states = {memory.states[0], memory.states[1], memory.states[2], memory.states[3]};
  }
  static inline std::int64_t seen_plan = 0;
  static inline node_memory seen{nullptr, nullptr};
  static inline std::array<const char*, 4> inputs{};
  static inline std::array<char*, 2> outputs{};
  static inline std::array<char*, 4> states{};
};
static_assert(node_plan<planned, call_type> == 7 && node_facts<planned, call_type>.scratch_bytes == 3);

struct in_both_forms : planned {
  using planned::compute;
  template <class Call>
  static void compute(const Call&) {
    ++calls;
  }
  static inline int calls = 0;
};
static_assert(plan_kernel<planned> && !call_kernel<planned> && plan_kernel<in_both_forms> && call_kernel<in_both_forms>);

}  // namespace

TEST_CASE("addresses, states, scratch and constants reach a kernel that computes from a plan") {
  std::array<char, memory_map::size> arena{};
  const call_type call{arena.data()};
  compute_node<planned>(call);
  CHECK(planned::seen_plan == 7);
  CHECK(planned::inputs[0] == call.input<0>());
  CHECK(planned::inputs[1] == call.state<1>());
  CHECK(planned::inputs[2] == nullptr);
  CHECK(planned::inputs[3] == call.state<3>());
  CHECK(planned::states == std::array<char*, 4>{nullptr, call.state<1>(), nullptr, call.state<3>()});
  CHECK(planned::outputs == std::array{call.output<0>(), call.output<1>()});
  CHECK(planned::seen.scratch.data() == call.scratch().data());
  CHECK(planned::seen.scratch.size() == 3);
  CHECK(static_cast<const void*>(planned::seen.prepared.data()) == memory_map::constant.data());
  CHECK(planned::seen.prepared.size() == 8);  // in bytes
  CHECK(planned::seen.order == write_order::descending);
}

TEST_CASE("a kernel that has both forms computes from the call") {
  std::array<char, memory_map::size> arena{};
  planned::seen_plan = 0;
  compute_node<in_both_forms>(call_type{arena.data()});
  CHECK(in_both_forms::calls == 1);
  CHECK(planned::seen_plan == 0);
}

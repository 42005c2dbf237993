// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Kernels get the memory that their facts require.
#include <baton/plan/detail/kernel_needs.hpp>
#include <baton/core/builder.hpp>
#include <baton/plan/memory_policies/in_place.hpp>
#include <baton/report/text.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/caller_arena.hpp>

#include "plan/sliding.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace {

using namespace baton;

constexpr auto bytes_of(const program_view& program, value_id id) -> std::int64_t {
  return byte_count(program[id].type, program.shape(id));
}

/// Writes each byte twice, in the planned order.
struct widen {
  /// When byte i is read, 2i bytes are written, which is i more than its offset.
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<std::size_t> {
    if (!record.is("test.custom.widen")) return {refuse()};
    const auto size = bytes_of(program, program.inputs(record)[0]);
    return {accept(), static_cast<std::size_t>(size), {.operands = {{{.distance = {size - 1, size - 1}}}}}};
  }
  static void compute(std::size_t size, const node_memory& memory) {
    for (std::size_t step = 0; step < size; ++step) {
      const auto i = memory.order == write_order::ascending ? step : size - 1 - step;
      const char byte = memory.inputs[0][i];
      memory.outputs[0][2 * i] = byte;
      memory.outputs[0][2 * i + 1] = static_cast<char>(byte + 1);
    }
  }
};
/// Adds neighbors, in ascending order.
struct narrow {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<std::size_t> {
    if (!record.is("test.custom.narrow")) return {refuse()};
    const auto size = bytes_of(program, program.outputs_of(record)[0]);
    return {accept(), static_cast<std::size_t>(size), {.operands = {{{.distance = {.ascending = 0}}}}}};
  }
  static void compute(std::size_t size, const node_memory& memory) {
    for (std::size_t i = 0; i < size; ++i) memory.outputs[0][i] = static_cast<char>(memory.inputs[0][2 * i] + memory.inputs[0][2 * i + 1]);
  }
};

/// Reverses its input through scratch, and reads three bytes past the end of the input.
struct reverse {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<> {
    if (!record.is("test.custom.reverse")) return {refuse()};
    const auto size = static_cast<std::uint32_t>(bytes_of(program, program.inputs(record)[0]));
    return {accept(), {}, {.scratch_bytes = size + 3, .overread_bytes = 3}};
  }
  template <class Call>
  static void compute(const Call& call) {
    const auto scratch = call.scratch();
    static_assert(decltype(scratch)::extent == 43);
    REQUIRE(reinterpret_cast<std::uintptr_t>(scratch.data()) % 16 == 0);
    std::memset(scratch.data(), 0x5a, scratch.size());
    std::memcpy(scratch.data(), call.template input<0>(), 43);
    for (std::size_t i = 0; i < 40; ++i) call.template output<0>()[i] = scratch[39 - i];
    std::memset(scratch.data(), 0xa5, scratch.size());
  }
};

/// Writes the bytes at even and at odd offsets to two outputs, in the planned order.
struct separate {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<std::size_t> {
    if (!record.is("test.custom.separate")) return {refuse()};
    return {accept(), static_cast<std::size_t>(bytes_of(program, program.inputs(record)[0])), {.operands = {{{.distance = {0, 0}}}}}};
  }
  static void compute(std::size_t size, const node_memory& memory) {
    for (std::size_t step = 0; step < size; ++step) {
      const auto i = memory.order == write_order::ascending ? step : size - 1 - step;
      memory.outputs[i % 2][i / 2] = memory.inputs[0][i];
    }
  }
};

constexpr auto frame = tensor(dtype::int8, 40);
constexpr static_program reversals{[] {
  program_builder b;
  auto x = b.user_input("x", frame);
  for (int i = 0; i < 3; ++i) x = b.call("test.custom.reverse", {x}, frame);
  b.output(x);
  return b.finish();
}};
using reversing_net = basic_executor<reversals, kernels<reverse>>;
// 48 bytes each for an operand, a result and scratch, and the over-read of the last.
static_assert(reversing_net::arena_bytes == 3 * 48 + 3 && reversing_net::lower_bound == 3 * 48);

// In a branch, the kernel's scratch is part of the branch's memory.
constexpr static_program conditional{[] {
  program_builder b;
  const auto holds = b.user_input("holds", tensor(dtype::boolean));
  const auto x = b.user_input("x", frame);
  const auto branch = [&](const char* name, int times) {
    const auto graph = b.add_graph(name);
    auto inner = b.user_input("inner", frame);
    for (int i = 0; i < times; ++i) inner = b.call("test.custom.reverse", {inner}, frame);
    b.output(inner);
    b.enter(graph_id{0});
    return graph;
  };
  const auto once = branch("once", 1);
  const auto twice = branch("twice", 2);
  b.output(b.call_many("which", "cond", {holds, x}, {frame}, {}, {once, twice})[0]);
  return b.finish();
}};

constexpr static_program model{[] {
  program_builder b;
  auto x = b.user_input("x", tensor(dtype::int8, 48));
  for (int i = 0; i < 2; ++i) {
    x = b.call("test.custom.widen", {x}, tensor(dtype::int8, 96));
    x = b.call("test.custom.narrow", {x}, tensor(dtype::int8, 48));
  }
  b.output(x);
  return b.finish();
}};

constexpr auto list = kernels<widen, narrow>;
basic_executor<model, list> disjoint;
basic_executor<model, list, plan_options{}, planned_by<sliding>> overlapped;
static_assert(decltype(disjoint)::arena_bytes == 48 + 96 && decltype(disjoint)::lower_bound == 48 + 96);
static_assert(decltype(overlapped)::arena_bytes == 96 && decltype(overlapped)::lower_bound == 96);
static_assert(decltype(overlapped)::plan().order_of(0) == write_order::descending);

constexpr static_program two_outputs{[] {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, 96));
  for (const auto part : b.call_many("parts", "test.custom.separate", {x}, {tensor(dtype::int8, 48), tensor(dtype::int8, 48)}))
    b.output(part);
  return b.finish();
}};
basic_executor<two_outputs, kernels<separate>, plan_options{}, planned_by<memory_policies::in_place>> separated;
// One of the outputs overlaps the operand.
static_assert(decltype(separated)::arena_bytes == 96 + 48 && decltype(separated)::lower_bound == 96 + 48);

}  // namespace

TEST_CASE("overlap: one of several outputs is placed over an operand at its last use") {
  std::array<std::int8_t, 96> input{};
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::int8_t>(7 * i + 3);
  std::array<std::int8_t, 48> even{};
  std::array<std::int8_t, 48> odd{};
  separated.run(input, even, odd);
  for (std::size_t i = 0; i < 48; ++i) {
    CHECK(even[i] == input[2 * i]);
    CHECK(odd[i] == input[2 * i + 1]);
  }
}

TEST_CASE("overlap: a policy places outputs over operands at their last use, and kernels write in an order that preserves the operands") {
  std::array<std::int8_t, 48> input{};
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::int8_t>(7 * i + 3);
  std::array<std::int8_t, 48> expected{};
  for (std::size_t i = 0; i < input.size(); ++i) expected[i] = static_cast<std::int8_t>(4 * input[i] + 3);
  std::array<std::int8_t, 48> output{};
  overlapped.run(input, output);
  CHECK(output == expected);
  output = {};
  disjoint.run(input, output);
  CHECK(output == expected);
}

namespace {

template <class Net>
void poison(Net& net) {  // the inputs are written afterwards
  std::memset(static_cast<void*>(&net), 0x5a, sizeof net);
}

}  // namespace

TEST_CASE("scratch: a kernel has separate memory for its step, with undefined contents") {
  std::array<std::int8_t, 40> input{};
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::int8_t>(3 * i);
  auto reversed = input;
  std::reverse(reversed.begin(), reversed.end());
  std::array<std::int8_t, 40> output{};

  static reversing_net net;
  poison(net);
  net.run(input, output);
  CHECK(output == reversed);

  static basic_executor<conditional, kernels<reverse>> branching;
  poison(branching);
  branching.run(std::array{true}, input, output);
  CHECK(output == reversed);
  branching.run(std::array{false}, input, output);
  CHECK(output == input);
}

TEST_CASE("scratch and over-reads also work with two regions") {
  static memory_region<2 * 48 + 16> fast;
  static memory_region<2 * 48 + 16> slow;
  static basic_executor<reversals, kernels<reverse>, plan_options{}, in_regions<fast, slow>> net;
  std::array<std::int8_t, 40> input{1, 2, 3};
  std::array<std::int8_t, 40> output{};
  net.run(input, output);
  CHECK(output[39] == 1);
  CHECK(output[37] == 3);
}

TEST_CASE("a report names the node of each scratch") {
  const auto text = report::memory_table(reversals, reversing_net::plan());
  CHECK(std::string_view(view(text)).find("scratch of ") != std::string_view::npos);
  CHECK(std::string_view(view(text)).find("graphs of ") == std::string_view::npos);
}

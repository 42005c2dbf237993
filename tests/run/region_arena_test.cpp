// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Executors with an arena that is split over two regions: they compute the same as in one, and each value is at its planned offset.
#include <baton/core/builder.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/caller_arena.hpp>

#include "reference/interpreter.hpp"
#include "reference/kernels.hpp"
#include "run/control_flow_programs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace {

using namespace baton;
using namespace control_flow_programs;
using reference::any_aten;

template <auto Program, std::size_t Bytes>
memory_region<Bytes> fast;
template <auto Program, std::size_t Bytes>
memory_region<Bytes> slow;

template <auto Program>
inline constexpr std::size_t bytes_in_one = basic_executor<Program, any_aten>::arena_bytes;

/// The executor of a program with a fast region of `Fast` bytes, and a slow one as large as a single arena.
template <auto Program, std::size_t Fast>
using split_net = basic_executor<Program, any_aten, plan_options{}, in_regions<fast<Program, Fast>, slow<Program, bytes_in_one<Program>>>>;

template <class Region>
auto is_in(const Region& region, std::span<const char> bytes) -> bool {
  const auto all = std::as_bytes(std::span{region.bytes});
  const auto range = std::as_bytes(bytes);
  return range.data() >= all.data() && range.data() + range.size() <= all.data() + all.size();
}

/// True if the executor computes the same as the reference, for several inputs in a row, and uses both regions.
template <auto Program, std::size_t Fast>
auto equals_reference_with() -> bool {
  static split_net<Program, Fast> net;
  static_assert(sizeof net == 1);
  std::ranges::fill(fast<Program, Fast>.bytes, std::byte{0x5a});
  std::ranges::fill(slow<Program, bytes_in_one<Program>>.bytes, std::byte{0x5a});
  const program_view program = Program.value();
  reference::state buffers;
  for (std::uint64_t seed = 1; seed < 10; ++seed) {
    const auto inputs = reference::some_inputs(program, seed);
    if (reference::execute(net, program, inputs) != reference::evaluate(program, inputs, buffers)) return false;
  }
  const auto is_touched = [](const auto& region) {
    return std::ranges::any_of(region.bytes, [](std::byte b) { return b != std::byte{0x5a}; });
  };
  return is_touched(fast<Program, Fast>) && is_touched(slow<Program, bytes_in_one<Program>>);
}
/// With a fast region for one value, and with one for half of the arena.
template <auto Program>
auto equals_reference() -> bool {
  return equals_reference_with<Program, 16>() && equals_reference_with<Program, bytes_in_one<Program> / 32 * 16>();
}

constexpr auto eight = tensor(dtype::float32, 8);
constexpr static_program chain{[] {
  program_builder b;
  const auto x = b.user_input("x", eight);
  const auto twice = b.call("twice", "aten.add.Tensor", {x, x}, eight);
  const auto wide = b.call("wide", "aten.mul.Tensor", {twice, x}, eight);
  b.output(b.call("y", "aten.add.Tensor", {wide, twice}, eight));
  return b.finish();
}};

// A backend that adds through its scratch memory, and records the address.
struct adder {
  static constexpr auto id = name<"Adder">;
  static inline baton::span<const char> scratch;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    preprocess_result processed("add");
    processed.scratch_bytes = 16;
    return processed;
  }
  static void execute(const delegate_call& call) {
    scratch = call.scratch;
    std::memcpy(call.scratch.data(), call.inputs[0].data(), 16);
    for (std::size_t i = 0; i < 4; ++i) {
      float number = 0;
      std::memcpy(&number, call.scratch.data() + i * sizeof number, sizeof number);
      number += number;
      std::memcpy(call.outputs[0].data() + i * sizeof number, &number, sizeof number);
    }
  }
};
constexpr auto four = tensor(dtype::float32, 4);
constexpr static_program undelegated{[] {
  program_builder b;
  const auto x = b.user_input("x", four);
  b.output(b.call("y", "aten.add.Tensor", {x, x}, four));
  return b.finish();
}};
constexpr auto delegated = to_backend(backends<adder>, undelegated, by_support<adder, operator_names<"aten.add.Tensor">>{});

}  // namespace

TEST_CASE("inputs, outputs and intermediate values are at the planned offsets, each in one region") {
  split_net<chain, 48> net;
  const auto plan = decltype(net)::plan();
  static_assert(decltype(net)::arena_bytes == 96);
  CHECK(plan.regions.fast == 48);
  CHECK(plan.used.fast == 32);
  CHECK(plan.used.slow == 64);
  CHECK(equals_reference_with<chain, 48>());
  auto& quick = fast<chain, 48>;
  auto& slow_region = slow<chain, bytes_in_one<chain>>;
  const auto address = [&](value_id id) -> const void* {
    const auto offset = plan.offset_of(id);
    return offset < 48 ? &quick.bytes[offset] : &slow_region.bytes[offset - 48];
  };
  const program_view program = chain;
  CHECK(static_cast<const void*>(net.input().data()) == address(user_inputs_of(program, graph_id{0})[0]));
  CHECK(static_cast<const void*>(net.output().data()) == address(user_outputs_of(program, graph_id{0})[0]));
  std::size_t slow_outputs = 0;
  net.run([&](auto call) {
    CHECK(static_cast<const void*>(call.template output<0>()) == address(call.output_id(0)));
    slow_outputs += is_in(slow_region, {call.template output<0>(), 32}) ? 1 : 0;
  });
  CHECK(slow_outputs != 0);
}
TEST_CASE("if everything fits the fast region, the slow one is unused") {
  using whole = split_net<chain, bytes_in_one<chain>>;
  static_assert(whole::plan().used.slow == 0 && whole::arena_bytes == bytes_in_one<chain>);
  whole net;
  CHECK(is_in(fast<chain, bytes_in_one<chain>>, net.input()));
  CHECK(is_in(fast<chain, bytes_in_one<chain>>, net.output()));
}
TEST_CASE("the scratch of a delegate is in a region, too") {
  using net_type = basic_executor<delegated, kernels<>, plan_options{}, in_regions<fast<delegated, 16>, slow<delegated, 64>>>;
  static net_type net;
  CHECK(net_type::plan().used.fast == 16);
  CHECK(net_type::plan().used.slow == 32);
  const std::array<float, 4> x{1, 2, 3, 4};
  std::array<float, 4> y{};
  net.run(x, y);
  CHECK(y == std::array<float, 4>{2, 4, 6, 8});
  CHECK((is_in(fast<delegated, 16>, adder::scratch) || is_in(slow<delegated, 64>, adder::scratch)));
}
TEST_CASE("branches compute the same in two regions") {
  CHECK(equals_reference<cond_program>());
  CHECK(equals_reference<passing_program>());
}
TEST_CASE("loops compute the same in two regions") {
  CHECK(equals_reference<while_program>());
  CHECK(equals_reference<map_program>());
}
TEST_CASE("graphs inside graphs, and one graph with several callers, compute the same in two regions") {
  CHECK(equals_reference<nested_program>());
  CHECK(equals_reference<shared_program>());
}

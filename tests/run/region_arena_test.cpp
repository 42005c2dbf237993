// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Executors whose arena is split over two regions: they compute what they do in one, and each thing lies where the plan says.
#include <baton/core/builder.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/region_arena.hpp>

#include "reference/interpreter.hpp"
#include "reference/kernels.hpp"
#include "run/control_flow_programs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

/// The executor of a program whose fast region has so many bytes, and whose slow one has as many as one arena would.
template <auto Program, std::size_t Fast>
using split_net = basic_executor<Program, any_aten, plan_options{}, in_regions<fast<Program, Fast>, slow<Program, bytes_in_one<Program>>>>;

template <class Region>
auto lies_in(const Region& region, std::span<const char> bytes) -> bool {
  const auto all = std::as_bytes(std::span{region.bytes});
  const auto given = std::as_bytes(bytes);
  return given.data() >= all.data() && given.data() + given.size() <= all.data() + all.size();
}

/// Whether it gives what the reference does, for several inputs one after the other, and used both regions.
template <auto Program, std::size_t Fast>
auto runs_in() -> bool {
  static split_net<Program, Fast> net;
  static_assert(sizeof net == 1);
  std::ranges::fill(fast<Program, Fast>.bytes, std::byte{0x5a});
  std::ranges::fill(slow<Program, bytes_in_one<Program>>.bytes, std::byte{0x5a});
  const program_view program = Program;
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
/// With fast regions of a value, and of half of all.
template <auto Program>
auto runs_as_meant() -> bool {
  return runs_in<Program, 16>() && runs_in<Program, bytes_in_one<Program> / 32 * 16>();
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

}  // namespace

TEST_CASE("inputs, outputs and what lies between: in one region each, at the plan's offsets") {
  split_net<chain, 48> net;
  constexpr auto plan = [] {
    const auto made = decltype(net)::plan();
    struct {
      std::uint64_t fast, slow, used_fast, used_slow;
    } facts{made.regions.fast, made.regions.slow, made.used.fast, made.used.slow};
    return facts;
  }();
  static_assert(plan.fast == 48 && plan.used_fast == 32 && plan.used_slow != 0 && plan.slow == bytes_in_one<chain>);
  static_assert(decltype(net)::arena_bytes == plan.used_fast + plan.used_slow);
  CHECK(runs_in<chain, 48>());
  auto& quick = fast<chain, 48>;
  auto& rest = slow<chain, bytes_in_one<chain>>;
  CHECK((lies_in(quick, net.input()) || lies_in(rest, net.input())));
  CHECK((lies_in(quick, net.output()) || lies_in(rest, net.output())));
  net.run([&](auto call) {
    const std::span<const char> made{call.template output<0>(), 32};
    CHECK(lies_in(quick, made) != lies_in(rest, made));
  });
}
TEST_CASE("a fast region that holds all: nothing lies in the slow one") {
  using whole = split_net<chain, bytes_in_one<chain>>;
  static_assert(whole::plan().used.slow == 0 && whole::arena_bytes == bytes_in_one<chain>);
  whole net;
  CHECK(lies_in(fast<chain, bytes_in_one<chain>>, net.input()));
  CHECK(lies_in(fast<chain, bytes_in_one<chain>>, net.output()));
}
TEST_CASE("branches") {
  CHECK(runs_as_meant<cond_program>());
  CHECK(runs_as_meant<passing_program>());
}
TEST_CASE("loops") {
  CHECK(runs_as_meant<while_program>());
  CHECK(runs_as_meant<map_program>());
}
TEST_CASE("graphs in graphs, and one graph in several places") {
  CHECK(runs_as_meant<nested_program>());
  CHECK(runs_as_meant<shared_program>());
}

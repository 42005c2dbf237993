// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton nested_too_deep: subgraphs are nested deeper than 64 levels; reduce the nesting
// EXPECT: because<baton::fixed_string<12>{"graph inner"}>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include <cstdint>

#if defined(FIXED)
constexpr std::uint32_t depth = 64;
#else
constexpr std::uint32_t depth = 65;
#endif

constexpr auto make = [] {
  baton::program_builder build;
  for (std::uint32_t inner = 1; inner <= depth; ++inner) {
    const auto outer = build.current();
    build.add_graph("inner");
    build.enter(outer);
    build.call_many("call", "test.call", {}, {}, {}, {baton::graph_id{inner}});
    build.enter(baton::graph_id{inner});
  }
  return build.finish();
};

constexpr auto lowered =
    baton::to_backend(baton::backends<baton::archetypes::backend>, baton::static_program{make}, baton::archetypes::partitioner{});

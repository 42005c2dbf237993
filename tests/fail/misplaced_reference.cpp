// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E45
// EXPECT: baton misplaced_index: an index in a program does not refer to a record; rebuild the program
// EXPECT: because<baton::fixed_string<17>{"a lowered module"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

constexpr auto target = baton::backends<conformance::demo_backend>;
using everything = conformance::all_nodes_partitioner<conformance::demo_backend>;

constexpr baton::static_program model{[] {
  auto program = baton::to_backend(target, conformance::g_sin(), everything{});
#if !defined(FIXED)
  program.delegates[0].processed_bytes = {nullptr, 0, 0xffffffffu};
#endif
  return program;
}};
constexpr auto lowered = baton::to_backend(target, model, baton::archetypes::partitioner{});

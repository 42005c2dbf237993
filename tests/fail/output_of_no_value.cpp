// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E20
// Outputs and their kinds are in one list, so their numbers cannot differ. Only a value that does not exist is an error.
// EXPECT: baton misplaced_index: an index in a program does not refer to a record; rebuild the program
// EXPECT: because<baton::fixed_string<15>{"a graph output"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

constexpr auto make = [] {
  auto program = conformance::g_mmadd();
#if !defined(FIXED)
  program.outputs[0].value = baton::value_id{99};
#endif
  return program;
};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, baton::static_program{make}, baton::archetypes::partitioner{});

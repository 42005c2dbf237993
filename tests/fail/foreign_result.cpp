// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E8
// EXPECT: baton foreign_result: a partitioner returned a result that is not for the program it received; begin with baton::partition_result tagged{program}
// EXPECT: because<baton::fixed_string<27>{"partitioner removes_a_node"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

struct removes_a_node {
  static constexpr auto partition(const baton::exported_program& program) -> baton::partition_result {
    auto changed = program;
#if !defined(FIXED)
    changed.nodes.pop_back();
#endif
    return baton::partition_result(changed);
  }
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, removes_a_node{});

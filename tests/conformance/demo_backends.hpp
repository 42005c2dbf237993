// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The demo backends and partitioners of the delegation specification, section 2.W.
#pragma once

#include <baton/core/program.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/backend_with_compiler_demo.hpp"
#include "conformance/backend_with_delegate_mapping_demo.hpp"
#include "conformance/demo_backend.hpp"

namespace conformance {

using baton::append;

/// AddMulPartitionerDemo (R280): sums and matrix products, tags `tag<id>`, one compile spec.
struct add_mul_partitioner_demo {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    using parts = baton::by_support<backend_with_compiler_demo, baton::operator_names<"aten.add.Tensor", "aten.mm.default">>;
    auto tagged = parts::partition(program);
    for (auto& [tag, spec] : tagged.partition_tags) spec.compile_specs.emplace_back("max_value", "\x04");
    return tagged;
  }
};

/// AllNodesPartitionerDemo (R281) for any backend: all nodes are one part.
template <class Backend>
using all_nodes_partitioner = baton::by_support<Backend, baton::not_of<baton::no_support>>;

}  // namespace conformance

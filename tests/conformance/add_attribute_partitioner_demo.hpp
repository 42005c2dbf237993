// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A partitioner of sums and the data that they use.
#pragma once

#include <baton/core/program.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>

#include <cstddef>
#include <cstdint>

namespace conformance {

/// AddAttributePartitionerDemo (R281) for any backend: sums, and the owned data that they use.
template <class Backend>
struct add_attribute_partitioner_demo {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    auto tagged = baton::by_support<Backend, baton::operator_names<"aten.add.Tensor">>::partition(program);
    const auto run = program.root().nodes;
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
      const auto tag = tagged.tag_of(baton::node_id{n});
      if (tag == baton::none<baton::tag_id>) continue;
      for (const auto input : program.inputs(program.nodes[n])) {
        if (input != baton::none<baton::value_id> && baton::is_owned_data(program[input].kind)) tagged.tag_value(input, tag);
      }
    }
    return tagged;
  }
};

}  // namespace conformance

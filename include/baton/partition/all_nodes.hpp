// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The partitioner that delegates everything.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/delegation_spec.hpp>
#include <baton/partition/partitioner.hpp>

#include <cstdint>

namespace baton {

/// A partitioner that gives a backend all nodes of the root graph and all owned data, in one part whose tag is the backend's id. Branches
/// and bodies go along with their node. `Specs` makes the compile specs.
template <class Backend, auto Specs = no_compile_specs{}>
struct all_nodes {
  using backend = Backend;

  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged{program};
    const auto run = program.root().nodes;
    vector<value_id> owned;
    for (const auto input : program.inputs(program.root())) {
      if (is_owned_data(program[input].kind)) owned.push_back(input);
    }
    if (run.size == 0 && owned.empty()) return tagged;
    const auto tag = tagged.add_tag(to_text(Backend::id), delegation_spec{to_text(Backend::id), Specs()});
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) tagged.tag_node(static_cast<node_id>(n), tag);
    for (const auto id : owned) tagged.tag_value(id, tag);
    return tagged;
  }

  /// Why nodes stay: they lie in a graph of its own, an entry point beside the root.
  static constexpr auto why_left(const program_view&) {
    return [](node_id) { return join("it lies in a graph that the root graph does not run"); };
  }
};

}  // namespace baton

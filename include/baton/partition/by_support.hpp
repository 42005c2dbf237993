// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The canonical partitioner: supported nodes in the fewest parts that form no cycle.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/detail/level_partition.hpp>
#include <baton/partition/explaining_partitioner.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/visible_graphs.hpp>

#include <cstdint>

namespace baton {

/// A partitioner that gives a backend all that an operator support accepts, in the fewest parts that form no cycle (more only where
/// `Options.most_nodes` splits them); tags are `tag0`, `tag1` and so on. Linear; for the method see `level_partition.hpp`. Independent
/// supported nodes share a part. Graphs inside delegates are left alone, subgraphs of control flow are visited. Example:
/// `baton::to_backend(target, model, baton::by_support<my_npu, baton::operators<"tfl.conv_2d">>{})`. Nodes of `NonCompute` do not count
/// towards `least_nodes`; one of `Alone` counts twice, so it may be a part by itself where two are asked.
template <class Backend, required_support Support, partition_options Options = partition_options{},
          required_support NonCompute = no_support, required_support Alone = no_support>
struct by_support {
  using backend = Backend;

  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged{program};
    using nodes = detail::supported_nodes<detail::sound_support<Support>, detail::sound_support<NonCompute>, detail::sound_support<Alone>>;
    detail::level_partition<nodes> levels(program, Options, nodes{});
    for (const auto id : visible_graphs(program)) levels.visit(id);
    const auto order = levels.order();
    tagged.reserve(order.size());
    vector<tag_id> tags(levels.parts().size(), none<tag_id>);
    for (const auto place : order) {
      const auto name = join("tag", levels.parts()[place].id);
      tags[place] = tagged.add_tag(view(name), delegation_spec{to_text(Backend::id)});
    }
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      const auto place = levels.part_of()[n];
      if (place != levels.no_part) tagged.tag_node(static_cast<node_id>(n), tags[place]);
    }
    return tagged;
  }

  /// Why nodes stay: what the support says of them, or that a part would be too small.
  static constexpr auto why_left(const program_view& tagged) {
    return [tagged](node_id id) {
      auto why = detail::why_unsupported<detail::sound_support<Support>>(tagged, id);
      if (why.empty())
        append(append(append(why, "it is supported, but in a part smaller than the least of "), Options.least_nodes), " nodes");
      return why;
    };
  }
};

}  // namespace baton

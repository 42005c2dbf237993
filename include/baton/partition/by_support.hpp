// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The canonical partitioner: supported nodes in the fewest parts that form no cycle.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/partition/detail/node_choice.hpp>
#include <baton/partition/explaining_partitioner.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/proposed_parts.hpp>

namespace baton {

/// The fewest parts of the nodes that a support accepts that form no cycle (more only where `most_nodes` splits them). Independent nodes
/// share a part. Nodes of `NonCompute` do not count towards `least_nodes`; one of `Alone` counts twice, so it may be a part by itself where
/// two are asked. Linear but for sorting the parts.
template <operator_support Support, operator_support NonCompute = no_support, operator_support Alone = no_support>
constexpr auto parts_from_support(const program_view& program, const partition_options& options = {}) -> proposed_parts {
  return detail::level_parts(program, options, detail::choose_nodes<Support, NonCompute, Alone>(program));
}

/// A partitioner that gives a backend all that an operator support accepts, in the parts of `parts_from_support`; tags are `tag0`, `tag1`
/// and so on. Graphs inside delegates are left alone, subgraphs of control flow are visited. Example: `baton::to_backend(target, model,
/// baton::by_support<my_npu, baton::operators<"tfl.conv_2d">>{})`.
template <class Backend, required_support Support, partition_options Options = partition_options{},
          required_support NonCompute = no_support, required_support Alone = no_support>
struct by_support {
  using backend = Backend;

  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged{program};
    const auto parts = parts_from_support<detail::sound_support<Support>, detail::sound_support<NonCompute>, detail::sound_support<Alone>>(
        program, Options);
    tagged.reserve(parts.size());
    const delegation_spec spec{to_text(Backend::id)};
    text_buffer name;
    for (const auto& part : parts) {
      name.clear();
      const auto tag = tagged.add_tag(view(append(append(name, "tag"), part.id)), spec);
      for (const auto id : part.nodes) tagged.tag_node(id, tag);
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

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The canonical partitioners: `by_support` builds the fewest parts that form no cycle, `all_nodes` builds one part. A part is the nodes of
// a graph that become one delegate; a tag is the name of a part.
#pragma once

#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/detail/device_parts.hpp>
#include <baton/partition/detail/node_choice.hpp>
#include <baton/partition/detail/unmatched_names.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partition_result.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/proposed_parts.hpp>
#include <baton/partition/shared/reasons.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// The limits on parts. `with_followers` in `operator_support.hpp` explains followers.
struct partition_options {
  std::uint32_t min_nodes = 1;            ///< parts with fewer nodes are not delegated
  std::uint32_t max_nodes = 0xffffffffu;  ///< a part with more nodes is split along the node order; followers stay with their leader
};

namespace detail {

/// Returns the fewest parts that contain all chosen nodes and placeholders of `choice`, and that form no cycle, sorted by id. Applies
/// `options`. The complexity is stated at `parts_from_support`.
constexpr auto parts_by_level(const program_view& program, const partition_options& options, const node_choice& choice) -> proposed_parts {
  vector<std::uint64_t> needs(program.nodes.size(), 1);
  for (std::uint32_t n = 0; n < choice.leader_of.size(); ++n) {
    const auto leader = choice.leader_of[n];
    if (leader != none<node_id> && index(leader) != n) needs[index(leader)] += 1;
  }
  const std::uint64_t capacities[] = {UINT64_MAX, options.max_nodes};
  part_former former(program, capacities, needs, choice.leader_of, choice.is_placeholder_chosen);
  former.form(choice.device_of.data());
  const auto formed = former.parts();
  const auto* const part_of = former.part_of();
  vector<std::uint32_t> weights(formed.size(), 0);
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    if (part_of[n] != npos) weights[part_of[n]] += choice.weight(n);
  }
  vector<std::uint32_t> order;
  for (std::uint32_t p = 0; p < formed.size(); ++p) {
    if (options.min_nodes <= 1 || weights[p] >= options.min_nodes) order.push_back(p);
  }
  sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return formed[a].id < formed[b].id; });
  proposed_parts parts;
  parts.reserve(order.size());
  vector<std::uint32_t> rank(formed.size(), npos);
  for (const auto p : order) {
    rank[p] = static_cast<std::uint32_t>(parts.size());
    parts.push_back({formed[p].id, {}, {}});
    parts.back().nodes.reserve(formed[p].size);
  }
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    if (part_of[n] != npos && rank[part_of[n]] != npos) parts[rank[part_of[n]]].nodes.push_back(static_cast<node_id>(n));
  }
  const auto& placeholders = former.placeholders();
  for (std::size_t i = placeholders.size(); i-- > 0;) {
    const auto [id, p] = placeholders[i];
    if (rank[p] != npos) parts[rank[p]].placeholders.push_back(id);
  }
  return parts;
}

}  // namespace detail

/// Returns the fewest parts that contain all supported nodes and that form no cycle. Parts with more than `max_nodes` nodes are then split,
/// and parts with fewer than `min_nodes` nodes are omitted. One part can contain independent nodes. A node counts toward `min_nodes` as 0
/// nodes if `NonCompute` accepts it, otherwise as 1 node. The count is higher by 1 if `Alone` accepts the node. A follower counts as 0
/// nodes. So if `min_nodes` is 2, a supported node that `Alone` accepts and `NonCompute` refuses can be a part by itself. O(n + p log(p))
/// for p parts if there are few mutable buffers (buffers that keep their values from run to run). Here, n is the number of nodes, values
/// and operands.
template <operator_support Support, operator_support NonCompute = no_support, operator_support Alone = no_support>
constexpr auto parts_from_support(const program_view& program, const partition_options& options = {}) -> proposed_parts {
  return detail::parts_by_level(program, options, detail::choose_nodes<Support, NonCompute, Alone>(program));
}

/// A partitioner that delegates all supported nodes to a backend, in the parts of `parts_from_support`. Tags are `tag0`, `tag1` and so on.
/// Graphs inside delegates are skipped; subgraphs of control flow are partitioned. `Specs()` returns the compile specs (key-value pairs for
/// the backend's `preprocess`), which are the same for all parts. Example: `baton::to_backend(target, model, baton::by_support<my_npu,
/// baton::operator_names<"tfl.conv_2d">>{})`.
template <class Backend, required_support Support, partition_options Options = partition_options{},
          required_support NonCompute = no_support, required_support Alone = no_support, auto Specs = no_compile_specs{}>
struct by_support {
  using backend = Backend;

  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged{program};
    const auto parts = parts_from_support<detail::valid_support<Support>, detail::valid_support<NonCompute>, detail::valid_support<Alone>>(
        program, Options);
    tagged.reserve(parts.size());
    const delegation_spec spec{to_text(Backend::id), Specs()};
    text_buffer name;
    for (const auto& part : parts) {
      name.clear();
      const auto tag = tagged.add_tag(view(append(append(name, "tag"), part.id)), spec);
      for (const auto id : part.nodes) tagged.tag_node(id, tag);
    }
    return tagged;
  }

  /// Returns a callable that explains why a node is not delegated: `Support` refuses the node, or its part has fewer than `min_nodes`
  /// nodes. The callable adds a remark to a refusal if the operator names of `Support` seem to be misspelled (`unmatched_remark`).
  static constexpr auto explain_undelegated(const program_view& tagged) {
    return [tagged, remark = detail::unmatched_remark<detail::valid_support<Support>>(tagged)](node_id id) {
      auto why = detail::why_unsupported<detail::valid_support<Support>>(tagged, id);
      detail::add_remark(why, remark);
      if (why.empty()) append(append(append(why, "it is supported, but its part has fewer than "), Options.min_nodes), " nodes");
      return why;
    };
  }
};

/// A partitioner that delegates all nodes and all owned data (parameters, buffers and constants) of the root graph to a backend, in one
/// part. The tag of the part is the backend's id. The branches and loop bodies of a node are delegated with the node. `Specs()` returns the
/// compile specs.
template <class Backend, auto Specs = no_compile_specs{}>
struct all_nodes {
  using backend = Backend;

  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged{program};
    const auto nodes = program.root().nodes;
    vector<value_id> owned;
    for (const auto input : program.inputs(program.root())) {
      if (is_owned_data(program[input].kind)) owned.push_back(input);
    }
    if (nodes.size == 0 && owned.empty()) return tagged;
    const auto tag = tagged.add_tag(to_text(Backend::id), delegation_spec{to_text(Backend::id), Specs()});
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) tagged.tag_node(static_cast<node_id>(n), tag);
    for (const auto id : owned) tagged.tag_value(id, tag);
    return tagged;
  }

  /// Returns a callable that explains why a node is not delegated: the root graph does not call the graph of the node. For example, the
  /// graph of the node is another entry point.
  static constexpr auto explain_undelegated(const program_view&) {
    return [](node_id) { return join("it is in a graph that the root graph does not call"); };
  }
};

}  // namespace baton

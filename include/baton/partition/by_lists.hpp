// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Parts from lists of nodes: `by_lists` may merge and split lists, `by_groups` keeps each list whole. A part is the nodes of a graph that
// become one delegate; a tag is the name of a part.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/detail/group_proposer.hpp>
#include <baton/partition/detail/node_choice.hpp>
#include <baton/partition/detail/unmatched_names.hpp>
#include <baton/partition/node_list.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/proposed_parts.hpp>
#include <baton/partition/shared/reasons.hpp>
#include <baton/partition/shared/rules.hpp>

#include <cstdint>
#include <type_traits>

namespace baton {

/// Returns the fewest parts that form no cycle and that contain all listed nodes, all listed placeholders and all supported nodes.
/// Placeholders are inputs, parameters, buffers and constants. A list may be split between parts. O(n + p log(p)) for p parts if there are
/// few mutable buffers (buffers that keep their values from run to run). Here, n is the number of nodes, values, operands and list members.
/// Fails with `nothing_to_partition` if `lists` is empty and `Support` is `no_support`. Fails with `misplaced_index` if a list contains a
/// node or value that does not exist.
template <operator_support Support = no_support>
constexpr auto parts_from_lists(const program_view& program, span<const node_list> lists) -> result<proposed_parts> {
  if (std::is_same_v<Support, no_support> && lists.empty()) return broken<"nothing_to_partition">();
  if (auto why = detail::check_lists(program, lists)) return why;
  return detail::parts_by_level(program, {}, detail::choose_nodes<Support>(program, lists));
}

/// A partitioner that delegates the nodes of lists, and the nodes that a support accepts. `Lists(program)` returns a
/// `baton::vector<baton::node_list>`. Tags are `tag0`, `tag1` and so on. Fails with the errors of `parts_from_lists`, or with
/// `node_tagged_twice`.
template <class Backend, auto Lists, required_support Support = no_support>
struct by_lists {
  using backend = Backend;

  static constexpr auto partition(const program_view& program) -> result<partition_result> {
    return detail::tagged_with<Backend>(program, parts_from_lists<detail::valid_support<Support>>(program, Lists(program)));
  }

  /// Returns a callable that explains why a node is not delegated: the node is in no list. The callable adds the reason of `Support`,
  /// unless `Support` is `no_support`.
  static constexpr auto explain_undelegated(const program_view& tagged) {
    return [tagged](node_id id) {
      auto why = join("it is in no list");
      detail::add_refusal<detail::valid_support<Support>>(why, tagged, id);
      return why;
    };
  }
};

/// Returns the fewest parts that form no cycle, contain all supported nodes, and keep each group in one part. Unsupported nodes are
/// ignored, even if a group lists them. Followers join the parts of their leaders (`with_followers`), even if a group lists them.
/// Placeholders in groups are not assigned to parts. Within a graph, a part has a lower id if its last node comes later. Parts with fewer
/// than `min_nodes` nodes are omitted; `NonCompute` and `Alone` change this count (see `parts_from_support` in `by_support.hpp`). O(n +
/// graphs * groups) if there are few mutable buffers; n is the number of nodes, values, operands and group members. ExecuTorch's group
/// partitioner also keeps groups whole and ignores unsupported nodes. That partitioner merges parts pair by pair, so it may return more
/// parts (`compat/executorch/group_partitioner.hpp`).
///
/// Fails with `misplaced_index` if a group contains a node or value that does not exist, and with `node_in_two_groups` if two groups share
/// a node. Fails with `cycle_of_groups` if groups cannot be kept whole without a cycle through an unsupported node; the reason states the
/// nodes of the cycle.
template <operator_support Support, operator_support NonCompute = no_support, operator_support Alone = no_support>
constexpr auto group_parts(const program_view& program, span<const node_list> groups, std::uint32_t min_nodes = 1)
    -> result<proposed_parts> {
  if (auto why = detail::check_lists(program, groups)) return why;
  return detail::group_proposer(program, min_nodes, detail::choose_nodes<Support, NonCompute, Alone>(program)).run(groups);
}

/// A partitioner that delegates the nodes that a support accepts, and keeps groups whole. `Groups(program)` returns a
/// `baton::vector<baton::node_list>`. Members that `Support` refuses are not delegated. A follower joins the part of its leader
/// (`with_followers`), even if another group lists the follower. Tags are `tag0`, `tag1` and so on. Fails with the errors of `group_parts`,
/// or with `node_tagged_twice`.
template <class Backend, auto Groups, required_support Support>
struct by_groups {
  using backend = Backend;

  static constexpr auto partition(const program_view& program) -> result<partition_result> {
    return detail::tagged_with<Backend>(program, group_parts<detail::valid_support<Support>>(program, Groups(program)));
  }

  /// Returns a callable that explains why a node is not delegated. The callable returns the reason of `Support`, because groups do not
  /// affect which nodes are delegated.
  static constexpr auto explain_undelegated(const program_view& tagged) {
    return [tagged, remark = detail::unmatched_remark<detail::valid_support<Support>>(tagged)](node_id id) {
      auto why = detail::why_unsupported<detail::valid_support<Support>>(tagged, id);
      detail::add_remark(why, remark);
      return why;
    };
  }
};

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Parts from lists of nodes: what somebody else found worth delegating, merged as far as no cycle forms, or lists that stay whole.
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

/// The fewest parts of what lists name and of what a support accepts; lists need not stay together, listed placeholders take part.
/// Near-linear. Errors: `nothing_to_partition`, `misplaced_index`.
template <operator_support Support = no_support>
constexpr auto parts_from_lists(const program_view& program, span<const node_list> lists) -> result<proposed_parts> {
  if (std::is_same_v<Support, no_support> && lists.empty()) return broken<"nothing_to_partition">();
  if (auto why = detail::check_lists(program, lists)) return why;
  return detail::level_parts(program, {}, detail::choose_nodes<Support>(program, lists));
}

/// A partitioner that delegates the nodes of lists, and what a support accepts. `Lists` is called with the program and returns a
/// `baton::vector<baton::node_list>`. Tags are `tag0`, `tag1` and so on. Errors: those of `parts_from_lists`,
/// `node_tagged_twice`.
template <class Backend, auto Lists, required_support Support = no_support>
struct by_lists {
  using backend = Backend;

  static constexpr auto partition(const program_view& program) -> result<partition_result> {
    return detail::tagged_with<Backend>(program, parts_from_lists<detail::sound_support<Support>>(program, Lists(program)));
  }

  /// Why nodes stay: they are in no list, and what the support says of them, where there is one.
  static constexpr auto why_left(const program_view& tagged) {
    return [tagged](node_id id) {
      auto why = join("it is in no list");
      detail::add_refusal<detail::sound_support<Support>>(why, tagged, id);
      return why;
    };
  }
};

/// The fewest parts of the nodes that a support accepts in which those of one group are together and that form no cycle; what a support
/// refuses is in no group. Ids count from the last node up. This fails where groups cannot be kept together without a cycle, through a node
/// that is not supported, and names the path. Near-linear. By the rule of ExecuTorch's group partitioner:
/// `compat/executorch/group_partitioner.hpp`. Parts with fewer than `least_nodes` are left undelegated. Errors: `misplaced_index`,
/// `node_in_two_groups`, `cycle_of_groups`.
template <operator_support Support, operator_support NonCompute = no_support, operator_support Alone = no_support>
constexpr auto group_parts(const program_view& program, span<const node_list> groups, std::uint32_t least_nodes = 1)
    -> result<proposed_parts> {
  if (auto why = detail::check_lists(program, groups)) return why;
  return detail::group_proposer(program, least_nodes, detail::choose_nodes<Support, NonCompute, Alone>(program)).run(groups);
}

/// A partitioner that keeps groups whole. `Groups` is called with the program and returns a `baton::vector<baton::node_list>`; members that
/// `Support` refuses stay out. Tags are `tag0`, `tag1` and so on. Errors: those of `group_parts`, `node_tagged_twice`.
template <class Backend, auto Groups, required_support Support>
struct by_groups {
  using backend = Backend;

  static constexpr auto partition(const program_view& program) -> result<partition_result> {
    return detail::tagged_with<Backend>(program, group_parts<detail::sound_support<Support>>(program, Groups(program)));
  }

  /// Why nodes stay: what the support says of them; it alone decides.
  static constexpr auto why_left(const program_view& tagged) {
    return [tagged, remark = detail::unmatched_remark<detail::sound_support<Support>>(tagged)](node_id id) {
      auto why = detail::why_unsupported<detail::sound_support<Support>>(tagged, id);
      detail::add_remark(why, remark);
      return why;
    };
  }
};

}  // namespace baton

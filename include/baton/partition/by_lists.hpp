// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Parts from lists of nodes: what somebody else found worth delegating, merged as far as no cycle forms.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/explaining_partitioner.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/proposed_parts.hpp>
#include <baton/partition/rules.hpp>

#include <type_traits>

namespace baton {

/// The fewest parts of what lists name and of what a support accepts; lists need not stay together, listed placeholders take part.
/// Near-linear. Errors: `nothing_to_partition`, `misplaced_index`.
template <operator_support Support = no_support>
constexpr auto parts_from_lists(const program_view& program, span<const node_list> lists) -> result<proposed_parts> {
  if (std::is_same_v<Support, no_support> && lists.empty()) return broken<rule::nothing_to_partition>();
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

}  // namespace baton

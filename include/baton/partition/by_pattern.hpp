// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Parts from patterns: what a backend has one instruction or one routine for.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/pattern.hpp>
#include <baton/partition/proposed_parts.hpp>
#include <baton/partition/visible_graphs.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace baton {

/// The patterns of a `by_pattern`: functions that make programs, with `program_builder`.
template <auto... Make>
struct patterns {
  static constexpr auto make() -> std::vector<exported_program> {
    std::vector<exported_program> made;
    (made.push_back(Make()), ...);
    return made;
  }
};

/// The fewest parts of the nodes where a pattern stands, and of what a support accepts: matches share a part where no cycle forms.
/// Errors: `empty_pattern`, `dead_pattern`, `nothing_to_partition` where there is neither a pattern nor a support.
template <operator_support Support = no_support>
constexpr auto parts_from_patterns(const program_view& program, std::span<const exported_program> sought,
                                   literals compare = literals::compared) -> result<proposed_parts> {
  std::vector<node_list> lists;
  const auto is_inside_delegate = detail::graphs_inside_delegates(program);
  for (const auto& pattern : sought) {
    lists.push_back({{}, {}});
    for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
      if (is_inside_delegate[g] != 0) continue;
      const auto matches = find_matches(program, static_cast<graph_id>(g), pattern, compare);
      if (!matches) return matches.error;
      for (const auto& match : matches.value) {
        for (const auto id : match.nodes) {
          if (id != none<node_id>) lists.back().nodes.push_back(id);
        }
      }
    }
  }
  return parts_from_lists<Support>(program, lists);
}

/// A partitioner that delegates what its patterns find: `by_pattern<my_npu, baton::patterns<lstm_cell, difference>>`. Tags are `tag0`,
/// `tag1` and so on. Errors: those of `parts_from_patterns`, `node_tagged_twice`.
template <class Backend, class Patterns, operator_support Support = no_support, literals Compare = literals::compared>
struct by_pattern {
  static constexpr auto partition(const program_view& program) -> result<partition_result> {
    const auto parts = parts_from_patterns<Support>(program, Patterns::make(), Compare);
    if (!parts) return parts.error;
    partition_result tagged{program};
    if (auto why = tag_parts(tagged, parts.value, "tag", delegation_spec{to_text(Backend::id)})) return why;
    return tagged;
  }
};

}  // namespace baton

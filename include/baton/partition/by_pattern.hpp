// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Where patterns stand, and parts from them: what a backend has one instruction or one routine for.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/detail/near_patterns.hpp>
#include <baton/partition/detail/pattern_list.hpp>
#include <baton/partition/detail/pattern_matcher.hpp>
#include <baton/partition/node_list.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/pattern_match.hpp>
#include <baton/partition/shared/proposed_parts.hpp>

#include <cstddef>

namespace baton {

/// The patterns of a `by_pattern`: functions that make programs, with `program_builder`.
template <auto... Make>
struct patterns {
  static constexpr auto make() -> vector<exported_program> {
    vector<exported_program> made;
    (made.push_back(Make()), ...);
    return made;
  }
};

/// Where in a graph a pattern stands, in the order of the graph. Operators are equal, operands pairwise, attributes too unless
/// they are ignored; a placeholder of the pattern stands for any one value, different placeholders for different values. A match is left
/// out where a node outside uses what the pattern does not return, where a path leaves it and enters it again, and where it overlaps an
/// earlier one. After ExecuTorch's sub-graph matcher, which takes operands in the order in which they are written, as this does unless
/// `Commuting` accepts a node of the graph: then its first two operands are tried both ways (`baton::commutative` is a table of such
/// operators). It must answer by operator and attributes alone.
/// Near-linear where a match's nodes stand close together and few nodes use one value; a pattern of k pieces that share no value tries n^k,
/// one of c commuting nodes up to 2^c orders. Errors: those of `check_pattern`.
template <operator_support Commuting = no_support>
constexpr auto find_matches(const program_view& program, graph_id in, const program_view& pattern, literals compare = literals::compared)
    -> result<vector<pattern_match>> {
  if (auto why = check_pattern(pattern)) return why;
  detail::pattern_matcher<Commuting> matcher(program, compare);
  matcher.seek(pattern);
  return matcher.matches_in(in);
}

/// What becomes of nodes that two patterns find.
enum class overlaps : bool {
  merged,   ///< both matches are taken together, as ExecuTorch does: for a backend that takes the operators as they come
  refused,  ///< they must not contradict one another (`check_overlaps`): for a backend that has one routine a pattern
};

/// The fewest parts of the nodes where a pattern stands, and of what a support accepts: matches share a part where no cycle forms.
/// `Commuting` is that of `find_matches`. Errors: those of `check_patterns`; `ambiguous_pattern` where overlaps are refused;
/// `nothing_to_partition` where there is neither a pattern nor a support.
template <operator_support Support = no_support, operator_support Commuting = no_support>
constexpr auto parts_from_patterns(const program_view& program, span<const exported_program> sought, literals compare = literals::compared,
                                   overlaps allowed = overlaps::merged) -> result<proposed_parts> {
  const auto found = find_patterns<Commuting>(program, sought, compare);
  if (!found) return found.error;
  if (allowed == overlaps::refused) {
    if (auto why = check_overlaps<Support>(program, found.value)) return why;
  }
  vector<node_list> lists(sought.size(), node_list{{}, {}});
  for (std::size_t m = 0; m < found.value.matches.size(); ++m) {
    for (const auto id : found.value.matches[m].nodes) {
      if (id != none<node_id>) lists[found.value.pattern_of[m]].nodes.push_back(id);
    }
  }
  return parts_from_lists<Support>(program, lists);
}

/// A partitioner that delegates what its patterns find: `by_pattern<my_npu, baton::patterns<lstm_cell, difference>>`. Tags are `tag0`,
/// `tag1` and so on. A node matches by its operator, the number of its operands and all its attributes (`literals::ignored`: whatever
/// they are); shapes and dtypes are not compared. Operands count in the order in which a pattern has them, since a backend may well read
/// them so; of what `Commuting` accepts they count in both orders: `by_pattern<my_npu, baton::patterns<residual>, baton::no_support,
/// baton::literals::compared, baton::commutative>`. Worked out in `examples/04_take_patterns.cpp`. Errors: those of
/// `parts_from_patterns`, overlaps being refused; `node_tagged_twice`.
template <class Backend, class Patterns, required_support Support = no_support, literals Compare = literals::compared,
          required_support Commuting = no_support>
struct by_pattern {
  using backend = Backend;

  static constexpr auto partition(const program_view& program) -> result<partition_result> {
    return detail::tagged_with<Backend>(program, parts_from_patterns<detail::sound_support<Support>, detail::sound_support<Commuting>>(
                                                     program, Patterns::make(), Compare, overlaps::refused));
  }

  /// Why nodes stay: no pattern has the operator, or the pattern that comes nearest and the first thing that differs (patterns count from
  /// 0); and what the support says of them, where there is one.
  static constexpr auto why_left(const program_view& tagged) {
    return detail::near_patterns<detail::sound_support<Support>, detail::sound_support<Commuting>>(tagged, Patterns::make(), Compare);
  }
};

}  // namespace baton

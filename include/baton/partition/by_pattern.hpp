// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Pattern search, and a partitioner for patterns: groups of nodes that a backend computes with one instruction or routine. A part is the
// nodes of a graph that become one delegate; a tag is the name of a part.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/detail/nearest_pattern.hpp>
#include <baton/partition/detail/pattern_list.hpp>
#include <baton/partition/detail/pattern_matcher.hpp>
#include <baton/partition/node_list.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/pattern_match.hpp>
#include <baton/partition/shared/proposed_parts.hpp>

#include <cstddef>

namespace baton {

/// The patterns of a `by_pattern`. Each `Stage` is a function that returns a pattern as a program, built with `program_builder`.
template <auto... Stage>
struct patterns {
  static constexpr auto make() -> vector<exported_program> {
    vector<exported_program> programs;
    (programs.push_back(Stage()), ...);
    return programs;
  }
};

/// Returns the matches of a pattern in a graph, in node order. A node matches a node of the pattern if both have the same operator and the
/// same number of outputs, and their operands match. If `compare` is `literals::compared`, their attributes must also be equal. A
/// placeholder (an input, parameter, buffer or constant) of the pattern matches any value; different placeholders match different values. A
/// match is rejected if a value of the match is used outside the match, although the pattern does not return this value. A match is also
/// rejected if a path leaves and re-enters the match, or if the match overlaps an earlier match.
///
/// Operands match in the order of the pattern, as in ExecuTorch's subgraph matcher. If the support `Commuting` accepts a node of the graph,
/// both orders of its first two operands are tried. `baton::commutative` accepts commutative operators. The verdict of `Commuting` must
/// depend on the operator and its attributes alone. O(operands * log(operands)) if the nodes of a match are close together in node order
/// and each value has few users. If the pattern consists of k pieces that share no value, the search makes up to n^k attempts in a graph of
/// n nodes. If c nodes of the pattern commute, the search tries up to 2^c orders of operands. Fails with the errors of `check_pattern`.
template <operator_support Commuting = no_support>
constexpr auto find_matches(const program_view& program, graph_id in, const program_view& pattern, literals compare = literals::compared)
    -> result<vector<pattern_match>> {
  if (auto why = check_pattern(pattern)) return why;
  detail::pattern_matcher<Commuting> matcher(program, compare);
  matcher.set_pattern(pattern);
  return matcher.matches_in(in);
}

/// The treatment of nodes that belong to the matches of two patterns.
enum class overlaps : bool {
  merged,   ///< the nodes of both matches are delegated, as in ExecuTorch; for a backend that accepts single operators
  refused,  ///< matches must not contradict each other (`check_overlaps`); for a backend with one routine per pattern
};

/// Returns the fewest parts that contain all matched nodes and all supported nodes and that form no cycle. One part can contain several
/// matches. For `Commuting`, see `find_matches`. Fails with the errors of `check_patterns`, and with `nothing_to_partition` if `sought` is
/// empty and `Support` is `no_support`. Fails with `ambiguous_pattern` if `allowed` is `refused` and two matches contradict each other
/// (`check_overlaps`).
template <operator_support Support = no_support, operator_support Commuting = no_support>
constexpr auto parts_from_patterns(const program_view& program, span<const exported_program> sought, literals compare = literals::compared,
                                   overlaps allowed = overlaps::merged) -> result<proposed_parts> {
  const auto search = find_patterns<Commuting>(program, sought, compare);
  if (!search) return search.error;
  if (allowed == overlaps::refused) {
    if (auto why = check_overlaps<Support>(program, search.value)) return why;
  }
  vector<node_list> lists(sought.size(), node_list{{}, {}});
  for (std::size_t m = 0; m < search.value.matches.size(); ++m) {
    for (const auto id : search.value.matches[m].nodes) {
      if (id != none<node_id>) lists[search.value.pattern_of[m]].nodes.push_back(id);
    }
  }
  return parts_from_lists<Support>(program, lists);
}

/// A partitioner that delegates the matches of its patterns: `by_pattern<my_npu, baton::patterns<lstm_cell, difference>>`. Tags are `tag0`,
/// `tag1` and so on. A node matches a node of a pattern if both have the same operator, the same numbers of operands and outputs, and equal
/// attributes. `literals::ignored` omits the comparison of attributes. Shapes and dtypes are not compared. Operands match in the order of
/// the pattern, because a backend may rely on this order. If `Commuting` accepts a node, the first two operands of this node match in both
/// orders: `by_pattern<my_npu, baton::patterns<residual>, baton::no_support, baton::literals::compared, baton::commutative>`. Example:
/// `examples/04_match_patterns.cpp`.
/// Fails with the errors of `parts_from_patterns` with `overlaps::refused`, or with `node_tagged_twice`.
template <class Backend, class Patterns, required_support Support = no_support, literals Compare = literals::compared,
          required_support Commuting = no_support>
struct by_pattern {
  using backend = Backend;

  static constexpr auto partition(const program_view& program) -> result<partition_result> {
    return detail::tagged_with<Backend>(program, parts_from_patterns<detail::valid_support<Support>, detail::valid_support<Commuting>>(
                                                     program, Patterns::make(), Compare, overlaps::refused));
  }

  /// Returns a callable that explains why a node is not delegated. If a pattern has the operator of the node, the reason states the
  /// position in `Patterns` of the pattern that fits best at the node. The reason also states the first difference between this pattern and
  /// the program. Otherwise, the reason states that no pattern has the operator. The callable adds the reason of `Support`, unless
  /// `Support` is `no_support`.
  static constexpr auto explain_undelegated(const program_view& tagged) {
    return detail::nearest_pattern<detail::valid_support<Support>, detail::valid_support<Commuting>>(tagged, Patterns::make(), Compare);
  }
};

}  // namespace baton

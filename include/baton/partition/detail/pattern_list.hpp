// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions for lists of patterns: checks of the patterns, a search for all patterns, and a check for contradictory matches.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/operators/shared/require_operator_name.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/detail/pattern_matcher.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/pattern_match.hpp>
#include <baton/partition/shared/rules.hpp>
#include <baton/partition/shared/visible_graphs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// Checks that a pattern can match. The pattern must be a valid program with at least one node. Each node must lead to an output of the
/// pattern, and no node may have subgraphs. The pattern must not return a placeholder (an input, parameter, buffer or constant), because a
/// placeholder would match any value. Fails with `empty_pattern` if there is no node, and with `dead_pattern` if a node leads to no output
/// of the pattern. Fails with `unmatchable_pattern` for a subgraph or a returned placeholder. Also fails with the errors of
/// `check_operator_name` and `verify`.
constexpr auto check_pattern(const program_view& pattern) -> failure {
  if (auto why = verify(pattern)) return why;
  if (pattern.root().nodes.size == 0) return broken<"empty_pattern">();
  const auto nodes = pattern.root().nodes;
  for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
    if (auto why = check_operator_name(pattern.text(pattern.nodes[n].target)))
      return locate(std::move(why), pattern, static_cast<node_id>(n));
    if (pattern.nodes[n].subgraphs.size != 0) {
      return broken_at<"unmatchable_pattern">(pattern, static_cast<node_id>(n), "a pattern cannot match a node with subgraphs");
    }
  }
  const auto is_returned = returned_values(pattern, pattern.root());
  for (const auto id : pattern.inputs(pattern.root())) {
    if (is_returned[index(id)] == 0) continue;
    return broken<"unmatchable_pattern">("placeholder ", pattern.text(pattern[id].name), " is an output of the pattern");
  }
  for (const auto id : detail::anchors_of(pattern)) {
    bool is_any_returned = false;
    for (const auto output : pattern.outputs_of(pattern[id])) is_any_returned = is_any_returned || is_returned[index(output)] != 0;
    if (!is_any_returned) return broken_at<"dead_pattern">(pattern, id);
  }
  return {};
}

/// The matches of a list of patterns.
struct pattern_matches {
  vector<pattern_match> matches;
  vector<std::uint32_t> pattern_of;  ///< indexed by match: the position in the list of the matched pattern
};

namespace detail {

/// True if `one` matches in `other` and covers all nodes of `other`. Then `one` matches wherever `other` matches, so `other` is redundant.
template <operator_support Commuting>
constexpr auto matches_wherever(const program_view& one, const program_view& other, literals compare) -> bool {
  if (one.root().nodes.size != other.root().nodes.size) return false;
  pattern_matcher<Commuting> matcher(other, compare);
  matcher.set_pattern(one);
  return !matcher.matches_in(graph_id{0}).empty();
}

/// True if `Support` accepts all nodes of `match` that are not in `other`. If `other` is delegated, these nodes can be delegated even
/// without `match`.
template <operator_support Support>
constexpr auto may_yield(const program_view& program, const pattern_match& match, const pattern_match& other) -> bool {
  for (const auto id : match.nodes) {
    if (id == none<node_id> || std::find(other.nodes.begin(), other.nodes.end(), id) != other.nodes.end()) continue;
    if (!Support::supports(program, program[id]).accepted) return false;
  }
  return true;
}

}  // namespace detail

/// Checks that each pattern of a list can match, and that no pattern is redundant. A pattern is redundant if another pattern matches
/// wherever this pattern matches. If attributes are ignored, this comparison of patterns does not swap operands. Fails with the errors of
/// `check_pattern`, or with `duplicate_pattern`. The reason states the positions of the patterns in the list.
template <operator_support Commuting = no_support>
constexpr auto check_patterns(span<const exported_program> sought, literals compare = literals::compared) -> failure {
  for (std::size_t p = 0; p < sought.size(); ++p) {
    auto why = check_pattern(sought[p]);
    if (!why) continue;
    auto position = join("pattern ", p);
    if (!why.reason.empty()) append(append(position, ": "), view(why.reason));
    why.reason = std::move(position);
    return why;
  }
  const auto matches_wherever = [&](std::size_t one, std::size_t other) {
    // `Commuting` depends on attributes. If attributes are ignored, a node of the pattern may commute although the matched node does not.
    if (compare == literals::ignored) return detail::matches_wherever<no_support>(sought[one], sought[other], compare);
    return detail::matches_wherever<Commuting>(sought[one], sought[other], compare);
  };
  for (std::size_t a = 1; a < sought.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (matches_wherever(b, a)) return broken<"duplicate_pattern">("each match of pattern ", a, " is also a match of pattern ", b);
      if (matches_wherever(a, b)) return broken<"duplicate_pattern">("each match of pattern ", b, " is also a match of pattern ", a);
    }
  }
  return {};
}

/// Returns the matches of a list of patterns in all graphs except graphs inside delegates. Matches of one pattern do not overlap; matches
/// of different patterns may overlap. Fails with the errors of `check_patterns`.
template <operator_support Commuting = no_support>
constexpr auto find_patterns(const program_view& program, span<const exported_program> sought, literals compare = literals::compared)
    -> result<pattern_matches> {
  if (auto why = check_patterns<Commuting>(sought, compare)) return why;
  pattern_matches result;
  const auto graphs = visible_graphs(program);
  detail::pattern_matcher<Commuting> matcher(program, compare);
  for (std::uint32_t p = 0; p < sought.size(); ++p) {
    matcher.set_pattern(sought[p]);
    for (const auto id : graphs) {
      for (auto& match : matcher.matches_in(id)) {
        result.matches.push_back(std::move(match));
        result.pattern_of.push_back(p);
      }
    }
  }
  return result;
}

/// Checks that matches of different patterns do not contradict each other. Two overlapping matches contradict each other if each match has
/// a node that is not in the other match and that `Support` does not accept. Then only one of the two matches could be delegated
/// completely. If one match contains the other, there is no contradiction, because the larger match is delegated. O(nodes + matches) if
/// matches are small and each node belongs to few matches. Fails with `ambiguous_pattern` if two matches contradict each other.
template <operator_support Support = no_support>
constexpr auto check_overlaps(const program_view& program, const pattern_matches& result) -> failure {
  // A claim is a pair of a match and a node of this match.
  vector<std::uint32_t> latest(program.nodes.size(), npos);  // indexed by node: the latest claim on the node
  vector<std::uint32_t> claimant;                            // indexed by claim: the match
  vector<std::uint32_t> earlier;                             // indexed by claim: the previous claim on the same node, or `npos`
  for (std::uint32_t m = 0; m < result.matches.size(); ++m) {
    for (const auto id : result.matches[m].nodes) {
      if (id == none<node_id>) continue;
      for (auto claim = latest[index(id)]; claim != npos; claim = earlier[claim]) {
        const auto& other = result.matches[claimant[claim]];
        if (detail::may_yield<Support>(program, other, result.matches[m])) continue;
        if (detail::may_yield<Support>(program, result.matches[m], other)) continue;
        return broken_at<"ambiguous_pattern">(program, id, "patterns ", result.pattern_of[claimant[claim]], " and ", result.pattern_of[m]);
      }
      claimant.push_back(m);
      earlier.push_back(latest[index(id)]);
      latest[index(id)] = static_cast<std::uint32_t>(claimant.size() - 1);
    }
  }
  return {};
}

}  // namespace baton

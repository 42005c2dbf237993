// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Patterns, alone or several together: whether each can match and has a use; where several stand, and contradict one another.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/operators/shared/check_operator_name.hpp>
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

/// Whether a pattern can match: it is a valid program with a node, each of its nodes leads to an output, none has subgraphs, and it returns
/// no placeholder, which would stand for any value there is. Errors: `empty_pattern`, `unknown_operator`, `dead_pattern`,
/// `unmatchable_pattern`, those of `verify`.
constexpr auto check_pattern(const program_view& pattern) -> failure {
  if (auto why = verify(pattern)) return why;
  if (pattern.root().nodes.size == 0) return broken<"empty_pattern">();
  const auto run = pattern.root().nodes;
  for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
    if (auto why = check_operator_name(pattern.text(pattern.nodes[n].target)))
      return locate(std::move(why), pattern, static_cast<node_id>(n));
    if (pattern.nodes[n].subgraphs.size != 0) {
      return broken_at<"unmatchable_pattern">(pattern, static_cast<node_id>(n), "a node with subgraphs is found by none");
    }
  }
  const auto is_returned = returned_values(pattern, pattern.root());
  for (const auto id : pattern.inputs(pattern.root())) {
    if (is_returned[index(id)] == 0) continue;
    return broken<"unmatchable_pattern">("placeholder ", pattern.text(pattern[id].name), " is returned");
  }
  for (const auto id : detail::anchors_of(pattern)) {
    bool leads_out = false;
    for (const auto output : pattern.outputs_of(pattern[id])) leads_out = leads_out || is_returned[index(output)] != 0;
    if (!leads_out) return broken_at<"dead_pattern">(pattern, id);
  }
  return {};
}

/// Where the patterns of a list stand.
struct pattern_matches {
  vector<pattern_match> matches;
  vector<std::uint32_t> pattern_of;  ///< by match: its pattern's place in the list
};

namespace detail {

/// Whether one pattern stands in another and holds all of its nodes: then it is found wherever the other is.
template <operator_support Commuting>
constexpr auto is_found_wherever(const program_view& one, const program_view& other, literals compare) -> bool {
  if (one.root().nodes.size != other.root().nodes.size) return false;
  pattern_matcher<Commuting> matcher(other, compare);
  matcher.seek(one);
  return !matcher.matches_in(graph_id{0}).empty();
}

/// Whether what a match has beyond another is supported without it.
template <operator_support Support>
constexpr auto may_yield(const program_view& program, const pattern_match& match, const pattern_match& other) -> bool {
  for (const auto id : match.nodes) {
    if (id == none<node_id> || std::find(other.nodes.begin(), other.nodes.end(), id) != other.nodes.end()) continue;
    if (!Support::supports(program, program[id]).accepted) return false;
  }
  return true;
}

}  // namespace detail

/// Whether each pattern of a list can match, and finds something that no other does. Where attributes are ignored, operands are compared
/// in the order in which they are written. Errors: those of `check_pattern`, and `duplicate_pattern`, with the position in the list.
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
  const auto is_found_wherever = [&](std::size_t one, std::size_t other) {
    // A node of a pattern may commute where, with other attributes, the node that it stands for does not.
    if (compare == literals::ignored) return detail::is_found_wherever<no_support>(sought[one], sought[other], compare);
    return detail::is_found_wherever<Commuting>(sought[one], sought[other], compare);
  };
  for (std::size_t a = 1; a < sought.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (is_found_wherever(b, a)) return broken<"duplicate_pattern">("pattern ", a, " finds only what pattern ", b, " does");
      if (is_found_wherever(a, b)) return broken<"duplicate_pattern">("pattern ", b, " finds only what pattern ", a, " does");
    }
  }
  return {};
}

/// Where the patterns of a list stand, in all graphs but those inside delegates. Matches of one pattern do not overlap, those of several
/// may. Errors: those of `check_patterns`.
template <operator_support Commuting = no_support>
constexpr auto find_patterns(const program_view& program, span<const exported_program> sought, literals compare = literals::compared)
    -> result<pattern_matches> {
  if (auto why = check_patterns<Commuting>(sought, compare)) return why;
  pattern_matches found;
  const auto graphs = visible_graphs(program);
  detail::pattern_matcher<Commuting> matcher(program, compare);
  for (std::uint32_t p = 0; p < sought.size(); ++p) {
    matcher.seek(sought[p]);
    for (const auto id : graphs) {
      for (auto& match : matcher.matches_in(id)) {
        found.matches.push_back(std::move(match));
        found.pattern_of.push_back(p);
      }
    }
  }
  return found;
}

/// Whether matches of different patterns contradict one another: they overlap, and whichever is taken, something of the other is left that
/// no pattern and no support takes. Where one holds all of the other, the larger is meant. Near-linear. Errors: `ambiguous_pattern`.
template <operator_support Support = no_support>
constexpr auto check_overlaps(const program_view& program, const pattern_matches& found) -> failure {
  vector<std::uint32_t> latest(program.nodes.size(), npos);  // by node: its latest claim
  vector<std::uint32_t> claimant;                            // by claim: the match
  vector<std::uint32_t> earlier;                             // by claim: the node's claim before
  for (std::uint32_t m = 0; m < found.matches.size(); ++m) {
    for (const auto id : found.matches[m].nodes) {
      if (id == none<node_id>) continue;
      for (auto claim = latest[index(id)]; claim != npos; claim = earlier[claim]) {
        const auto& other = found.matches[claimant[claim]];
        if (detail::may_yield<Support>(program, other, found.matches[m])) continue;
        if (detail::may_yield<Support>(program, found.matches[m], other)) continue;
        return broken_at<"ambiguous_pattern">(program, id, "patterns ", found.pattern_of[claimant[claim]], " and ", found.pattern_of[m]);
      }
      claimant.push_back(m);
      earlier.push_back(latest[index(id)]);
      latest[index(id)] = static_cast<std::uint32_t>(claimant.size() - 1);
    }
  }
  return {};
}

}  // namespace baton

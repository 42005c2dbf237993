// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Finds a pattern, which is a small program, in the graphs of another.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/detail/pattern_check.hpp>
#include <baton/partition/detail/pattern_matcher.hpp>
#include <baton/partition/operator_support.hpp>

namespace baton {

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

}  // namespace baton

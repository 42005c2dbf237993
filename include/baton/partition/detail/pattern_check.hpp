// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether a pattern can match at all.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/locate.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/operators/shared/check_operator_name.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/rules.hpp>

#include <cstdint>
#include <utility>

namespace baton {

namespace detail {

/// The nodes of a pattern from which all others are found: those whose values no node uses.
constexpr auto anchors_of(const program_view& pattern) -> vector<node_id> {
  const auto uses = use_counts(pattern, pattern.root());
  vector<node_id> anchors;
  const auto run = pattern.root().nodes;
  for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
    bool is_used = false;
    for (const auto output : pattern.outputs_of(pattern.nodes[n])) is_used = is_used || uses[index(output)] != 0;
    if (!is_used) anchors.push_back(static_cast<node_id>(n));
  }
  return anchors;
}

}  // namespace detail

/// Whether a pattern can match: it is a valid program with a node, each of its nodes leads to an output, none has subgraphs, and it returns
/// no placeholder, which would stand for any value there is. Errors: `empty_pattern`, `unknown_operator`, `dead_pattern`,
/// `unmatchable_pattern`, those of `verify`.
constexpr auto check_pattern(const program_view& pattern) -> failure {
  if (auto why = verify(pattern)) return why;
  if (pattern.root().nodes.size == 0) return broken<rule::empty_pattern>();
  const auto run = pattern.root().nodes;
  for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
    if (auto why = check_operator_name(pattern.text(pattern.nodes[n].target)))
      return locate(std::move(why), pattern, static_cast<node_id>(n));
    if (pattern.nodes[n].subgraphs.size != 0) {
      return broken_at<rule::unmatchable_pattern>(pattern, static_cast<node_id>(n), "a node with subgraphs is found by none");
    }
  }
  const auto is_returned = returned_values(pattern, pattern.root());
  for (const auto id : pattern.inputs(pattern.root())) {
    if (is_returned[index(id)] == 0) continue;
    return broken<rule::unmatchable_pattern>("placeholder ", pattern.text(pattern[id].name), " is returned");
  }
  for (const auto id : detail::anchors_of(pattern)) {
    bool leads_out = false;
    for (const auto output : pattern.outputs_of(pattern[id])) leads_out = leads_out || is_returned[index(output)] != 0;
    if (!leads_out) return broken_at<rule::dead_pattern>(pattern, id);
  }
  return {};
}

}  // namespace baton

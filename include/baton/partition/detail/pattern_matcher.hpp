// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Searches a program for a pattern. Returns the matches, or the first difference that explains why there is no match.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/graph/shared/operand_users.hpp>
#include <baton/partition/detail/pattern_placement.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/pattern_match.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// Returns the anchors of a pattern. An anchor is a node whose outputs no node of the pattern uses. All other nodes can be reached from the
/// anchors along operands.
constexpr auto anchors_of(const program_view& pattern) -> vector<node_id> {
  const auto uses = use_counts(pattern, pattern.root());
  vector<node_id> anchors;
  const auto nodes = pattern.root().nodes;
  for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
    bool is_used = false;
    for (const auto output : pattern.outputs_of(pattern.nodes[n])) is_used = is_used || uses[index(output)] != 0;
    if (!is_used) anchors.push_back(static_cast<node_id>(n));
  }
  return anchors;
}

/// A backtracking search that places one pattern at a time on a program. The search starts with one node of the pattern. It follows the
/// operands of the placed nodes, and then the users of the placed values. If `Commuting` accepts a node of the program, both orders of its
/// first two operands are tried. If a value has several users, each user is tried. If `Explains` is true, at most `max_users` users are
/// tried.
/// If a node differs from the pattern, the search backtracks. If `Explains` is true, the search instead records the difference and
/// continues. The search then returns the best of at most `max_tries` attempts.
template <operator_support Commuting, bool Explains = false>
class pattern_matcher {
 public:
  constexpr pattern_matcher(const program_view& program, literals compare) : program_(program), placement_(program, compare) {}

  /// Sets the pattern for the following calls. The pattern is not copied, so it must outlive these calls.
  constexpr void set_pattern(const program_view& pattern) {
    pattern_ = pattern;
    pattern_nodes_ = pattern.root().nodes;
    anchors_ = anchors_of(pattern);
    placement_.set_pattern(pattern);
  }

  /// Returns the matches of the pattern in a graph, sorted by the node that matches `anchors_[0]`. A match that would overlap an earlier
  /// match is not returned.
  constexpr auto matches_in(graph_id id) -> vector<pattern_match>
    requires(!Explains)
  {
    graph_ = program_[id].nodes;
    for (std::uint32_t n = graph_.first; n < graph_.first + graph_.size; ++n) {
      if (!can_start(anchors_[0], n) || !match_at(anchors_[0], node_id{n})) continue;
      for (const auto node : matches_.back().nodes) {
        if (node != none<node_id>) placement_.block(node);
      }
    }
    for (const auto& match : matches_) {
      for (const auto node : match.nodes) {
        if (node != none<node_id>) placement_.set_free(node);
      }
    }
    return std::exchange(matches_, {});
  }

  /// Returns the best fit of the pattern if its node `pattern_node` is placed on `at`, which has the same operator. `is_matched`, indexed
  /// by node of the program, is 1 if the node belongs to another match.
  constexpr auto fit_at(node_id pattern_node, node_id at, const vector<char>& is_matched) -> pattern_fit
    requires Explains
  {
    is_matched_ = is_matched.data();
    best_ = {};
    tries_ = 0;
    match_at(pattern_node, at);
    return best_;
  }

 private:
  using kind = pattern_difference::kind;
  static constexpr std::size_t max_users = 8;
  static constexpr std::size_t max_tries = 64;

  constexpr auto can_start(node_id anchor, std::uint32_t at) const -> bool {
    return pattern_[anchor].op == program_.nodes[at].op && placement_.is_free(node_id{at});
  }

  // `finish_attempt`, and the functions from `match_at` to `match_user`, return whether the search from the first node is over. If
  // `Explains` is false, the search is over when a match is found. If `Explains` is true, the search is over when no attempts are left.
  // After a match, no other placement is tried at the same node, because matches do not overlap.

  constexpr auto match_at(node_id pattern_node, node_id at) -> bool {
    const auto start = placement_.save();
    const bool is_over = placement_.place(pattern_node, at) && match_from(start.nodes);
    placement_.restore(start);
    return is_over;
  }

  /// Continues with the operands of the placed nodes, starting with node `next` in placement order.
  constexpr auto match_from(std::size_t next) -> bool {
    for (; next < placement_.nodes().size(); ++next) {
      if (can_swap_operands(placement_.nodes()[next])) return match_both_orders(next);
      if (!placement_.pair_operands(placement_.nodes()[next], false)) return false;
    }
    return match_users();
  }

  constexpr auto match_both_orders(std::size_t next) -> bool {
    for (const bool is_swapped : {false, true}) {
      const auto start = placement_.save();
      const bool is_over = placement_.pair_operands(placement_.nodes()[next], is_swapped) && match_from(next + 1);
      placement_.restore(start);
      if (is_over) return true;
    }
    return false;
  }

  /// Ends the attempt if all nodes of the pattern are placed. Otherwise, continues with an unplaced node that uses a placed value. If there
  /// is no such node and `Explains` is true, ends the attempt. If `Explains` is false, continues with a piece of the pattern that shares no
  /// value with the placed nodes.
  constexpr auto match_users() -> bool {
    if (placement_.nodes().size() == pattern_nodes_.size) return finish_attempt();
    for (auto n = pattern_nodes_.first; n < pattern_nodes_.first + pattern_nodes_.size; ++n) {
      if (placement_.image_of(node_id{n}) != none<node_id> || has_no_placement(node_id{n})) continue;
      const auto inputs = pattern_.inputs(pattern_.nodes[n]);
      for (std::uint32_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i] != none<value_id> && placement_.image_of(inputs[i]) != none<value_id>) return match_user(node_id{n}, i);
      }
    }
    if constexpr (Explains) return finish_attempt();
    for (const auto anchor : anchors_) {
      if (placement_.image_of(anchor) != none<node_id>) continue;
      for (std::uint32_t n = graph_.first; n < graph_.first + graph_.size; ++n) {
        if (can_start(anchor, n) && match_at(anchor, node_id{n})) return true;
      }
      return false;
    }
    return false;
  }

  /// Tries to place `pattern_node` on each node that uses the placed value as operand `position`. If the operand can be swapped with
  /// another one, also tries the nodes that use the value as this other operand.
  constexpr auto match_user(node_id pattern_node, std::uint32_t position) -> bool {
    const auto& record = pattern_[pattern_node];
    const auto value = pattern_.inputs(record)[position];
    bool has_free_user = false;
    for (const bool is_swapped : {false, true}) {
      if (is_swapped && (std::is_same_v<Commuting, no_support> || position > 1)) continue;
      auto users = users_.of(program_, placement_.image_of(value), record.op, is_swapped ? 1 - position : position);
      if (Explains && users.size() > max_users) users = users.first(max_users);
      for (const auto& one : users) {
        if (!placement_.is_free(one.user) || (is_swapped && !Commuting::supports(program_, program_[one.user]))) continue;
        has_free_user = true;
        if (match_at(pattern_node, one.user)) return true;
      }
    }
    if (has_free_user) return false;
    const auto producer = placement_.producer_in_pattern(value);
    if (producer == none<node_id>)
      return placement_.add_difference(kind::incomplete, placement_.nodes().front(), 0, 0, pattern_node) && match_users();
    return placement_.add_difference(kind::no_user, producer, position_of(pattern_.outputs_of(pattern_[producer]), value), position,
                                     pattern_node) &&
           match_users();
  }
  constexpr auto has_no_placement([[maybe_unused]] node_id pattern_node) const -> bool {
    if constexpr (Explains) {
      for (const auto& one : placement_.differences()) {
        if (one.user == pattern_node) return true;
      }
    }
    return false;
  }
  static constexpr auto position_of(span<const value_id> values, value_id one) -> std::size_t {
    return static_cast<std::size_t>(std::find(values.begin(), values.end(), one) - values.begin());
  }
  /// True if the first two operands can be swapped, and if the two orders can lead to different matches.
  constexpr auto can_swap_operands(node_id pattern_node) const -> bool {
    if constexpr (std::is_same_v<Commuting, no_support>) return false;
    const auto pattern_operands = pattern_.inputs(pattern_[pattern_node]);
    const auto operands = program_.inputs(program_[placement_.image_of(pattern_node)]);
    if (std::min(pattern_operands.size(), operands.size()) < 2 || pattern_operands[0] == pattern_operands[1] || operands[0] == operands[1])
      return false;
    if (placement_.matches_any_value(pattern_operands[0]) && placement_.matches_any_value(pattern_operands[1])) return false;
    return Commuting::supports(program_, program_[placement_.image_of(pattern_node)]).accepted;
  }
  // Ends an attempt in which no further node can be placed. If `Explains` is false, stores a match. If `Explains` is true, records the
  // attempt if it is the best so far. Returns true if the search is over.
  constexpr auto finish_attempt() -> bool {
    if constexpr (Explains) {
      pattern_fit fit{1 + 4 * fitting_nodes() + (placement_.differences().empty() ? 2u : 0u) + (first_matched() == none<node_id> ? 1u : 0u),
                      {}};
      if (fit.score > best_.score) {
        fit.difference = placement_.differences().empty() ? find_obstacle() : placement_.differences().front();
        best_ = fit;
      }
      return ++tries_ == max_tries;
    } else {
      if (placement_.find_outside_use().type != kind::nothing || placement_.has_reentrant_path()) return false;
      pattern_match match{placement_.node_images(), {}};
      for (const auto input : pattern_.inputs(pattern_.root())) match.placeholders.push_back(placement_.image_of(input));
      matches_.push_back(std::move(match));
      return true;
    }
  }

  constexpr auto fitting_nodes() const -> std::size_t {
    std::size_t fitting = 0;
    for (const auto pattern_node : placement_.nodes()) {
      const auto is_of = [&](const pattern_difference& one) { return one.wanted == pattern_node; };
      if (std::none_of(placement_.differences().begin(), placement_.differences().end(), is_of)) ++fitting;
    }
    return fitting;
  }
  constexpr auto first_matched() const -> node_id {
    for (const auto pattern_node : placement_.nodes()) {
      if (is_matched_[index(placement_.image_of(pattern_node))] != 0) return pattern_node;
    }
    return none<node_id>;
  }
  constexpr auto find_obstacle() const -> pattern_difference {
    if (const auto outside = placement_.find_outside_use(); outside.type != kind::nothing) return outside;
    if (const auto matched = first_matched(); matched != none<node_id>)
      return {kind::overlapping_match, placement_.image_of(matched), matched};
    return {placement_.nodes().size() < pattern_nodes_.size ? kind::incomplete : kind::reentrant_path,
            placement_.image_of(placement_.nodes().front()), placement_.nodes().front()};
  }

  program_view program_;
  pattern_placement<Explains> placement_;
  range graph_;  ///< the nodes of the program that are searched
  operand_users users_;

  program_view pattern_;
  range pattern_nodes_;  ///< the nodes of the pattern
  vector<node_id> anchors_;

  vector<pattern_match> matches_;
  const char* is_matched_ = nullptr;
  pattern_fit best_;
  std::size_t tries_ = 0;
};

}  // namespace baton::detail

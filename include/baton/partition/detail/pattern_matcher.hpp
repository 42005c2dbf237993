// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Seeks patterns in a program: where one stands, and where none does, what differs first.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/graph/shared/operand_users.hpp>
#include <baton/partition/detail/laid_pattern.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/pattern_match.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton::detail {

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

/// Lays one pattern at a time over a program: from one of its nodes along the operands of what is placed, then to users. Where operands
/// may be swapped (`Commuting` says of which nodes of the program), and of several users, each is tried.
/// One that explains goes on where something differs, and keeps the try of which most fits, of a few; any other goes back there.
template <operator_support Commuting, bool Explains = false>
class pattern_matcher {
 public:
  constexpr pattern_matcher(const program_view& program, literals compare) : program_(program), laid_(program, compare) {}

  /// The pattern that is meant from now on; it must stay where it is meanwhile.
  constexpr void seek(const program_view& pattern) {
    pattern_ = pattern;
    sought_ = pattern.root().nodes;
    anchors_ = anchors_of(pattern);
    laid_.seek(pattern);
  }

  /// Where the pattern stands in a graph; matches do not overlap, earlier ones go first.
  constexpr auto matches_in(graph_id id) -> vector<pattern_match>
    requires(!Explains)
  {
    graph_ = program_[id].nodes;
    for (std::uint32_t n = graph_.first; n < graph_.first + graph_.size; ++n) {
      if (!may_begin(anchors_[0], n) || !match_at(anchors_[0], node_id{n})) continue;
      for (const auto node : matches_.back().nodes) {
        if (node != none<node_id>) laid_.keep_away(node);
      }
    }
    for (const auto& match : matches_) {
      for (const auto node : match.nodes) {
        if (node != none<node_id>) laid_.set_free(node);
      }
    }
    return std::exchange(matches_, {});
  }

  /// How well the pattern fits with one of its nodes at a node of the same operator. `is_held`: by node, whether something else holds it.
  constexpr auto fit_at(node_id wanted, node_id at, const vector<char>& is_held) -> pattern_fit
    requires Explains
  {
    is_held_ = is_held.data();
    best_ = {};
    tries_ = 0;
    match_at(wanted, at);
    return best_;
  }

 private:
  using kind = pattern_difference::kind;
  static constexpr std::size_t most_users_tried = 8;
  static constexpr std::size_t most_tries = 64;

  constexpr auto may_begin(node_id anchor, std::uint32_t at) const -> bool {
    return pattern_[anchor].op == program_.nodes[at].op && laid_.is_free(node_id{at});
  }

  // Each of the next five says whether the search is over: a match was found, and nothing else that begins at the same node can be one,
  // since matches do not overlap.

  constexpr auto match_at(node_id wanted, node_id at) -> bool {
    const auto before = laid_.now();
    const bool is_over = laid_.lay(wanted, at) && match_from(before.nodes);
    laid_.go_back(before);
    return is_over;
  }

  /// Goes on to what is used by the nodes that were placed, from one of them on.
  constexpr auto match_from(std::size_t next) -> bool {
    for (; next < laid_.nodes().size(); ++next) {
      if (may_swap_operands(laid_.nodes()[next])) return match_both_ways(next);
      if (!laid_.pair_operands(laid_.nodes()[next], false)) return false;
    }
    return match_users();
  }

  constexpr auto match_both_ways(std::size_t next) -> bool {
    for (const bool is_swapped : {false, true}) {
      const auto before = laid_.now();
      const bool is_over = laid_.pair_operands(laid_.nodes()[next], is_swapped) && match_from(next + 1);
      laid_.go_back(before);
      if (is_over) return true;
    }
    return false;
  }

  /// Goes on to a node that uses what is placed, or else to a piece that hangs together with none of it.
  constexpr auto match_users() -> bool {
    if (laid_.nodes().size() == sought_.size) return consider();
    for (auto n = sought_.first; n < sought_.first + sought_.size; ++n) {
      if (laid_.image_of(node_id{n}) != none<node_id> || is_given_up(node_id{n})) continue;
      const auto inputs = pattern_.inputs(pattern_.nodes[n]);
      for (std::uint32_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i] != none<value_id> && laid_.image_of(inputs[i]) != none<value_id>) return match_user(node_id{n}, i);
      }
    }
    if constexpr (Explains) return consider();
    for (const auto anchor : anchors_) {
      if (laid_.image_of(anchor) != none<node_id>) continue;
      for (std::uint32_t n = graph_.first; n < graph_.first + graph_.size; ++n) {
        if (may_begin(anchor, n) && match_at(anchor, node_id{n})) return true;
      }
      return false;
    }
    return false;
  }

  /// Tries the nodes that have a value as this operand, or as the other one where they may be swapped.
  constexpr auto match_user(node_id wanted, std::uint32_t position) -> bool {
    const auto& record = pattern_[wanted];
    const auto value = pattern_.inputs(record)[position];
    bool is_any = false;
    for (const bool is_swapped : {false, true}) {
      if (is_swapped && (std::is_same_v<Commuting, no_support> || position > 1)) continue;
      auto users = users_.of(program_, laid_.image_of(value), record.op, is_swapped ? 1 - position : position);
      if (Explains && users.size() > most_users_tried) users = users.first(most_users_tried);
      for (const auto& one : users) {
        if (!laid_.is_free(one.user) || (is_swapped && !Commuting::supports(program_, program_[one.user]))) continue;
        is_any = true;
        if (match_at(wanted, one.user)) return true;
      }
    }
    if (is_any) return false;
    const auto producer = laid_.producer_in_pattern(value);
    if (producer == none<node_id>) return laid_.differ(kind::not_all, laid_.nodes().front(), 0, 0, wanted) && match_users();
    return laid_.differ(kind::no_user, producer, position_of(pattern_.outputs_of(pattern_[producer]), value), position, wanted) &&
           match_users();
  }
  constexpr auto is_given_up([[maybe_unused]] node_id wanted) const -> bool {
    if constexpr (Explains) {
      for (const auto& one : laid_.differences()) {
        if (one.user == wanted) return true;
      }
    }
    return false;
  }
  static constexpr auto position_of(span<const value_id> values, value_id one) -> std::size_t {
    return static_cast<std::size_t>(std::find(values.begin(), values.end(), one) - values.begin());
  }
  /// Whether the operands may be swapped and it makes a difference.
  constexpr auto may_swap_operands(node_id of) const -> bool {
    if constexpr (std::is_same_v<Commuting, no_support>) return false;
    const auto wanted = pattern_.inputs(pattern_[of]);
    const auto found = program_.inputs(program_[laid_.image_of(of)]);
    if (std::min(wanted.size(), found.size()) < 2 || wanted[0] == wanted[1] || found[0] == found[1]) return false;
    if (laid_.stands_for_anything(wanted[0]) && laid_.stands_for_anything(wanted[1])) return false;
    return Commuting::supports(program_, program_[laid_.image_of(of)]).accepted;
  }
  // Where all that is connected was laid.
  constexpr auto consider() -> bool {
    if constexpr (Explains) {
      pattern_fit fit{1 + 4 * fitting_nodes() + (laid_.differences().empty() ? 2u : 0u) + (first_held() == none<node_id> ? 1u : 0u), {}};
      if (fit.score > best_.score) {
        fit.difference = laid_.differences().empty() ? what_keeps_it_away() : laid_.differences().front();
        best_ = fit;
      }
      return ++tries_ == most_tries;
    } else {
      if (laid_.used_elsewhere().what != kind::nothing || laid_.is_entered_again()) return false;
      pattern_match found{laid_.node_images(), {}};
      for (const auto input : pattern_.inputs(pattern_.root())) found.placeholders.push_back(laid_.image_of(input));
      matches_.push_back(std::move(found));
      return true;
    }
  }

  constexpr auto fitting_nodes() const -> std::size_t {
    std::size_t fitting = 0;
    for (const auto wanted : laid_.nodes()) {
      const auto is_of = [&](const pattern_difference& one) { return one.wanted == wanted; };
      if (std::none_of(laid_.differences().begin(), laid_.differences().end(), is_of)) ++fitting;
    }
    return fitting;
  }
  constexpr auto first_held() const -> node_id {
    for (const auto wanted : laid_.nodes()) {
      if (is_held_[index(laid_.image_of(wanted))] != 0) return wanted;
    }
    return none<node_id>;
  }
  constexpr auto what_keeps_it_away() const -> pattern_difference {
    if (const auto outside = laid_.used_elsewhere(); outside.what != kind::nothing) return outside;
    if (const auto held = first_held(); held != none<node_id>) return {kind::taken, laid_.image_of(held), held};
    return {laid_.nodes().size() < sought_.size ? kind::not_all : kind::path, laid_.image_of(laid_.nodes().front()), laid_.nodes().front()};
  }

  program_view program_;
  laid_pattern<Explains> laid_;
  range graph_;  ///< the nodes among which matches are sought
  operand_users users_;

  program_view pattern_;
  range sought_;  ///< its nodes
  vector<node_id> anchors_;

  vector<pattern_match> matches_;
  const char* is_held_ = nullptr;
  pattern_fit best_;
  std::size_t tries_ = 0;
};

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Finds a pattern, which is a small program, in the graphs of another.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/partition/detail/pattern_check.hpp>
#include <baton/partition/operator_support.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton {

/// Whether the attributes of nodes count where a pattern is sought.
enum class literals : bool { ignored, compared };

/// Where a pattern was found.
struct pattern_match {
  vector<node_id> nodes;          ///< by node of the pattern
  vector<value_id> placeholders;  ///< by placeholder of the pattern
};

namespace detail {

/// Whether two attributes of two programs have one name, kind and value.
constexpr auto same_literal(const program_view& left, const attribute& a, const program_view& right, const attribute& b) -> bool {
  if (a.key != b.key || a.kind != b.kind) return false;
  switch (a.kind) {
    case attribute_kind::integer:
    case attribute_kind::boolean:
      return a.integer == b.integer;
    case attribute_kind::real:
      return a.real == b.real;
    case attribute_kind::text:
    case attribute_kind::bytes:
      return left.text(a.bytes) == right.text(b.bytes);
    case attribute_kind::integers:
      return std::ranges::equal(left.integer_list(a.list), right.integer_list(b.list));
    case attribute_kind::reals:
      return std::ranges::equal(left.real_list(a.list), right.real_list(b.list));
  }
  return false;
}

/// Seeks one pattern in one graph, from its anchors upwards. `Commuting` says of which nodes of the graph the first two operands may change
/// places.
template <operator_support Commuting>
class pattern_finder {
 public:
  constexpr pattern_finder(const program_view& program, graph_id id, const program_view& pattern, literals compare)
      : program_(program),
        graph_(program[id]),
        pattern_(pattern),
        compare_(compare),
        anchors_(anchors_of(pattern)),
        makers_(makers_of(program, graph_)),
        pattern_makers_(makers_of(pattern, pattern.root())),
        pattern_uses_(use_counts(pattern, pattern.root())),
        uses_(use_counts(program, graph_)),
        is_returned_(returned_values(program, graph_)),
        pattern_returns_(returned_values(pattern, pattern.root())),
        node_image_(pattern.nodes.size(), none<node_id>),
        value_image_(pattern.values.size(), none<value_id>),
        node_is_taken_(program.nodes.size(), 0),
        seen_in_(program.nodes.size(), 0),
        value_is_taken_(program.values.size(), 0) {}

  constexpr auto run() -> vector<pattern_match> {
    place_anchor(0);
    return std::move(matches_);
  }

 private:
  static constexpr char in_match = 1;
  static constexpr char in_earlier_match = 2;

  /// A value of the pattern and the one that it shall stand for.
  struct pairing {
    value_id of_pattern;
    value_id candidate;
  };
  /// How far a search has come, so that it can go back there.
  struct state {
    std::size_t nodes;
    std::size_t values;
    std::size_t pairings;
  };

  constexpr auto now() const -> state { return {placed_nodes_.size(), placed_values_.size(), pairings_.size()}; }
  constexpr void go_back(const state& to) {
    for (; placed_nodes_.size() > to.nodes; placed_nodes_.pop_back()) {
      auto& image = node_image_[index(placed_nodes_.back())];
      node_is_taken_[index(image)] = static_cast<char>(node_is_taken_[index(image)] & ~in_match);
      image = none<node_id>;
    }
    for (; placed_values_.size() > to.values; placed_values_.pop_back()) {
      auto& image = value_image_[index(placed_values_.back())];
      value_is_taken_[index(image)] = 0;
      image = none<value_id>;
    }
    for (; pairings_.size() > to.pairings; pairings_.pop_back()) {
    }
  }

  // Each of the next four says whether a match was found: then nothing else with the first anchor where it is can be one, since matches do
  // not overlap.

  constexpr auto place_anchor(std::size_t which) -> bool {
    if (which == anchors_.size()) return consider();
    const auto& wanted = pattern_[anchors_[which]];
    for (std::uint32_t n = graph_.nodes.first; n < graph_.nodes.first + graph_.nodes.size; ++n) {
      const auto& found = program_.nodes[n];
      if (wanted.op != found.op || wanted.outputs.size != found.outputs.size) continue;
      const auto before = now();
      pairings_.push_back({pattern_.outputs_of(wanted)[0], program_.outputs_of(found)[0]});
      const bool is_found = match_from(before.pairings, which);
      go_back(before);
      if (is_found && which != 0) return true;
    }
    return false;
  }

  /// Matches the pairings from one on, then the further anchors. Where operands may change places, the rest is tried with both orders.
  constexpr auto match_from(std::size_t next, std::size_t anchor) -> bool {
    while (next < pairings_.size()) {
      const auto pair = pairings_[next++];
      if (pair.of_pattern == none<value_id> || pair.candidate == none<value_id>) {
        if (pair.of_pattern != pair.candidate) return false;
        continue;
      }
      if (const auto image = value_image_[index(pair.of_pattern)]; image != none<value_id>) {
        if (image != pair.candidate) return false;
        continue;
      }
      const auto maker = pattern_makers_[index(pair.of_pattern)];
      if (maker == none<node_id>) {
        if (!place_value(pair.of_pattern, pair.candidate)) return false;
        continue;
      }
      const auto candidate = makers_[index(pair.candidate)];
      if (candidate == none<node_id> || !place_node(maker, candidate) || value_image_[index(pair.of_pattern)] != pair.candidate)
        return false;
      if (may_change_places(maker, candidate)) return match_both_ways(maker, candidate, next, anchor);
      pair_operands(maker, candidate, false);
    }
    return place_anchor(anchor + 1);
  }

  constexpr auto match_both_ways(node_id of_pattern, node_id candidate, std::size_t next, std::size_t anchor) -> bool {
    for (const bool is_swapped : {false, true}) {
      const auto before = now();
      pair_operands(of_pattern, candidate, is_swapped);
      const bool is_found = match_from(next, anchor);
      go_back(before);
      if (is_found) return true;
    }
    return false;
  }

  constexpr void pair_operands(node_id of_pattern, node_id candidate, bool is_swapped) {
    const auto wanted = pattern_.inputs(pattern_[of_pattern]);
    const auto found = program_.inputs(program_[candidate]);
    for (std::size_t i = 0; i < wanted.size(); ++i) pairings_.push_back({wanted[i], found[is_swapped && i < 2 ? 1 - i : i]});
  }

  /// Whether the operands may change places and it makes a difference.
  constexpr auto may_change_places(node_id of_pattern, node_id candidate) const -> bool {
    if constexpr (std::is_same_v<Commuting, no_support>) return false;
    const auto wanted = pattern_.inputs(pattern_[of_pattern]);
    const auto found = program_.inputs(program_[candidate]);
    if (wanted.size() < 2 || wanted[0] == wanted[1] || found[0] == found[1]) return false;
    if (stands_for_anything(wanted[0]) && stands_for_anything(wanted[1])) return false;
    return Commuting::supports(program_, program_[candidate]).accepted;
  }
  constexpr auto stands_for_anything(value_id of_pattern) const -> bool {
    return of_pattern != none<value_id> && pattern_makers_[index(of_pattern)] == none<node_id> && pattern_uses_[index(of_pattern)] == 1;
  }

  constexpr auto place_node(node_id of_pattern, node_id candidate) -> bool {
    if (node_is_taken_[index(candidate)] != 0) return false;
    const auto& wanted = pattern_[of_pattern];
    const auto& found = program_[candidate];
    if (wanted.op != found.op || wanted.inputs.size != found.inputs.size || wanted.outputs.size != found.outputs.size) return false;
    if (found.subgraphs.size != 0 || !same_literals(wanted, found)) return false;
    node_image_[index(of_pattern)] = candidate;
    node_is_taken_[index(candidate)] = in_match;
    placed_nodes_.push_back(of_pattern);
    for (std::size_t i = 0; i < wanted.outputs.size; ++i) {
      if (!place_value(pattern_.outputs_of(wanted)[i], program_.outputs_of(found)[i])) return false;
    }
    return true;
  }

  constexpr auto place_value(value_id of_pattern, value_id candidate) -> bool {
    if (value_is_taken_[index(candidate)] != 0) return false;
    value_image_[index(of_pattern)] = candidate;
    value_is_taken_[index(candidate)] = 1;
    placed_values_.push_back(of_pattern);
    return true;
  }

  constexpr auto same_literals(const node& wanted, const node& found) const -> bool {
    if (compare_ == literals::ignored) return true;
    const auto attributes = program_.attributes_of(found);
    if (wanted.attributes.size != attributes.size()) return false;
    for (const auto& one : pattern_.attributes_of(wanted)) {
      const auto is_same = [&](const attribute& other) { return same_literal(pattern_, one, program_, other); };
      if (!std::any_of(attributes.begin(), attributes.end(), is_same)) return false;
    }
    return true;
  }

  constexpr auto consider() -> bool {
    if (is_used_within() || is_entered_again()) return false;
    pattern_match found{node_image_, {}};
    for (const auto input : pattern_.inputs(pattern_.root())) found.placeholders.push_back(value_image_[index(input)]);
    for (const auto id : node_image_) {
      if (id != none<node_id>) node_is_taken_[index(id)] = static_cast<char>(node_is_taken_[index(id)] | in_earlier_match);
    }
    matches_.push_back(std::move(found));
    return true;
  }

  /// Whether somebody outside uses what the pattern does not return.
  constexpr auto is_used_within() const -> bool {
    for (std::size_t v = 0; v < value_image_.size(); ++v) {
      if (pattern_makers_[v] == none<node_id> || pattern_returns_[v] != 0) continue;
      const auto inner = value_image_[v];
      if (is_returned_[index(inner)] != 0 || uses_[index(inner)] != uses_in_match(inner)) return true;
    }
    return false;
  }
  constexpr auto uses_in_match(value_id of) const -> std::uint32_t {
    std::uint32_t uses = 0;
    for (const auto id : node_image_) {
      if (id == none<node_id>) continue;
      for (const auto input : program_.inputs(program_[id])) uses += input == of ? 1u : 0u;
    }
    return uses;
  }

  /// Whether a path leaves the match and enters it again: sought backwards, no further than the first node of the match.
  constexpr auto is_entered_again() -> bool {
    auto first = index(none<node_id>);
    for (const auto id : node_image_) first = std::min(first, index(id));
    behind_.clear();
    ++searches_;
    for (const auto id : node_image_) {
      if (id != none<node_id>) look_behind(program_[id], first);
    }
    // Of the match only what an outsider uses counts.
    for (std::size_t at = 0; at < behind_.size(); ++at) {
      if (look_behind(program_[behind_[at]], first)) return true;
    }
    return false;
  }
  /// Collects the outsiders that make what a node uses; whether the match makes some of it.
  constexpr auto look_behind(const node& user, std::size_t first) -> bool {
    bool uses_match = false;
    for (const auto input : program_.inputs(user)) {
      const auto maker = input == none<value_id> ? none<node_id> : makers_[index(input)];
      if (maker == none<node_id> || index(maker) < first) continue;
      if ((node_is_taken_[index(maker)] & in_match) != 0) {
        uses_match = true;
      } else if (seen_in_[index(maker)] != searches_) {
        seen_in_[index(maker)] = searches_;
        behind_.push_back(maker);
      }
    }
    return uses_match;
  }

  program_view program_;
  graph graph_;
  program_view pattern_;
  literals compare_;
  vector<node_id> anchors_;
  vector<node_id> makers_;
  vector<node_id> pattern_makers_;
  vector<std::uint32_t> pattern_uses_;
  vector<std::uint32_t> uses_;
  vector<char> is_returned_;
  vector<char> pattern_returns_;
  vector<node_id> node_image_;
  vector<value_id> value_image_;
  vector<char> node_is_taken_;
  vector<std::uint32_t> seen_in_;  ///< by node: the last search that came by
  vector<node_id> behind_;
  std::uint32_t searches_ = 0;
  vector<char> value_is_taken_;
  vector<node_id> placed_nodes_;
  vector<value_id> placed_values_;
  vector<pairing> pairings_;
  vector<pattern_match> matches_;
};

}  // namespace detail

/// The places of a graph where a pattern stands, in the order of the graph. Operators are equal, operands pairwise, attributes too unless
/// they are ignored; a placeholder of the pattern stands for any one value, different placeholders for different values. A match is left
/// out where a node outside uses what the pattern does not return, where a path leaves it and enters it again, and where it overlaps an
/// earlier one. After ExecuTorch's sub-graph matcher, which takes operands in the order in which they are written, as this does unless
/// `Commuting` accepts a node of the graph: then its first two operands are tried both ways (`baton::commutative` is a table of such
/// operators). It must answer by operator and attributes alone.
/// Near-linear where a match's nodes stand close together; a pattern of k unconnected pieces tries n^k, one of c commuting nodes up to 2^c
/// orders. Errors: those of `check_pattern`.
template <operator_support Commuting = no_support>
constexpr auto find_matches(const program_view& program, graph_id in, const program_view& pattern, literals compare = literals::compared)
    -> result<vector<pattern_match>> {
  if (auto why = check_pattern(pattern)) return why;
  return detail::pattern_finder<Commuting>(program, in, pattern, compare).run();
}

}  // namespace baton

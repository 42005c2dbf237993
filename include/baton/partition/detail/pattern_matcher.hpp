// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lays patterns over a program: where one stands, and where none does, what differs first.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/graph/identical.hpp>
#include <baton/partition/detail/operand_users.hpp>
#include <baton/partition/detail/pattern_check.hpp>
#include <baton/partition/detail/pattern_difference.hpp>
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

/// Lays one pattern at a time over a program, node by node: from one of its nodes along the operands of what is placed, then to users.
/// Where operands may be swapped (`Commuting` says of which nodes of the program), and of several users, each is tried.
/// One that explains goes on where something differs, and keeps the try of which most fits, of a few; any other goes back there.
template <operator_support Commuting, bool Explains = false>
class pattern_matcher {
 public:
  constexpr pattern_matcher(const program_view& program, literals compare)
      : program_(program),
        compare_(compare),
        producers_(producers_of(program)),
        uses_(use_counts(program)),
        node_state_(program.nodes.size(), free),
        seen_in_(program.nodes.size(), 0),
        value_is_taken_(program.values.size(), 0) {}

  /// The pattern that is meant from now on; it must stay where it is meanwhile.
  constexpr void seek(const program_view& pattern) {
    pattern_ = pattern;
    sought_ = pattern.root().nodes;
    anchors_ = anchors_of(pattern);
    pattern_producers_ = producers_of(pattern, pattern.root());
    pattern_uses_ = use_counts(pattern);
    is_returned_ = returned_values(pattern, pattern.root());
    node_image_.assign(pattern.nodes.size(), none<node_id>);
    value_image_.assign(pattern.values.size(), none<value_id>);
  }

  /// Where the pattern stands in a graph; matches do not overlap, earlier ones go first.
  constexpr auto matches_in(graph_id id) -> vector<pattern_match>
    requires(!Explains)
  {
    graph_ = program_[id].nodes;
    for (std::uint32_t n = graph_.first; n < graph_.first + graph_.size; ++n) {
      if (!may_begin(anchors_[0], n) || !match_at(anchors_[0], node_id{n})) continue;
      for (const auto node : matches_.back().nodes) {
        if (node != none<node_id>) node_state_[index(node)] = in_earlier_match;
      }
    }
    for (const auto& match : matches_) {
      for (const auto node : match.nodes) {
        if (node != none<node_id>) node_state_[index(node)] = free;
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
  static constexpr char free = 0;
  static constexpr char in_match = 1;
  static constexpr char in_earlier_match = 2;
  static constexpr std::size_t most_users_tried = 8;
  static constexpr std::size_t most_tries = 64;

  constexpr auto image_of(node_id wanted) const -> node_id { return node_image_[index(wanted)]; }
  constexpr auto image_of(value_id wanted) const -> value_id { return value_image_[index(wanted)]; }

  /// Notes a difference; whether to go on in spite of it.
  constexpr auto differ(kind what, node_id wanted, std::size_t position = 0, std::size_t position_in_pattern = 0,
                        node_id user = none<node_id>) -> bool {
    if constexpr (Explains) differences_.push_back({what, image_of(wanted), wanted, position, position_in_pattern, user});
    return Explains;
  }

  /// How far a search has come, so that it can go back there.
  struct state {
    std::size_t nodes;
    std::size_t values;
    std::size_t differences;
  };
  constexpr auto now() const -> state { return {matched_.size(), matched_values_.size(), differences_.size()}; }
  constexpr void go_back(const state& to) {
    for (; matched_.size() > to.nodes; matched_.pop_back()) {
      auto& image = node_image_[index(matched_.back())];
      node_state_[index(image)] = free;
      image = none<node_id>;
    }
    for (; matched_values_.size() > to.values; matched_values_.pop_back()) {
      auto& image = value_image_[index(matched_values_.back())];
      value_is_taken_[index(image)] = 0;
      image = none<value_id>;
    }
    if constexpr (Explains) {
      while (differences_.size() > to.differences) differences_.pop_back();
    }
  }

  constexpr auto may_begin(node_id anchor, std::uint32_t at) const -> bool {
    return pattern_[anchor].op == program_.nodes[at].op && node_state_[at] == free;
  }

  // Each of the next five says whether the search is over: a match was found, and nothing else that begins at the same node can be one,
  // since matches do not overlap.

  constexpr auto match_at(node_id wanted, node_id at) -> bool {
    const auto before = now();
    const bool is_over = match_node(wanted, at) && match_from(before.nodes);
    go_back(before);
    return is_over;
  }

  /// Goes on to what is used by the nodes that were placed, from one of them on.
  constexpr auto match_from(std::size_t next) -> bool {
    for (; next < matched_.size(); ++next) {
      if (may_swap_operands(matched_[next])) return match_both_ways(next);
      if (!pair_operands(matched_[next], false)) return false;
    }
    return match_users();
  }

  constexpr auto match_both_ways(std::size_t next) -> bool {
    for (const bool is_swapped : {false, true}) {
      const auto before = now();
      const bool is_over = pair_operands(matched_[next], is_swapped) && match_from(next + 1);
      go_back(before);
      if (is_over) return true;
    }
    return false;
  }

  /// Goes on to a node that uses what is placed, or else to a piece that hangs together with none of it.
  constexpr auto match_users() -> bool {
    if (matched_.size() == sought_.size) return consider();
    for (auto n = sought_.first; n < sought_.first + sought_.size; ++n) {
      if (image_of(node_id{n}) != none<node_id> || is_given_up(node_id{n})) continue;
      const auto inputs = pattern_.inputs(pattern_.nodes[n]);
      for (std::uint32_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i] != none<value_id> && image_of(inputs[i]) != none<value_id>) return match_user(node_id{n}, i);
      }
    }
    if constexpr (Explains) return consider();
    for (const auto anchor : anchors_) {
      if (image_of(anchor) != none<node_id>) continue;
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
      auto users = users_.of(program_, image_of(value), record.op, is_swapped ? 1 - position : position);
      if (Explains && users.size() > most_users_tried) users = users.first(most_users_tried);
      for (const auto& one : users) {
        if (node_state_[index(one.user)] != free || (is_swapped && !Commuting::supports(program_, program_[one.user]))) continue;
        is_any = true;
        if (match_at(wanted, one.user)) return true;
      }
    }
    if (is_any) return false;
    const auto producer = pattern_producers_[index(value)];
    if (producer == none<node_id>) return differ(kind::not_all, matched_.front(), 0, 0, wanted) && match_users();
    return differ(kind::no_user, producer, position_of(pattern_.outputs_of(pattern_[producer]), value), position, wanted) && match_users();
  }
  constexpr auto is_given_up([[maybe_unused]] node_id wanted) const -> bool {
    if constexpr (Explains) {
      for (const auto& one : differences_) {
        if (one.user == wanted) return true;
      }
    }
    return false;
  }
  static constexpr auto position_of(span<const value_id> values, value_id one) -> std::size_t {
    return static_cast<std::size_t>(std::find(values.begin(), values.end(), one) - values.begin());
  }
  // Each of the next says whether to go on.

  /// Puts a node of the pattern at one of the same operator.
  constexpr auto match_node(node_id wanted, node_id at) -> bool {
    if (node_state_[index(at)] != free) return differ(kind::several_uses, matched_.front());
    node_image_[index(wanted)] = at;
    node_state_[index(at)] = in_match;
    matched_.push_back(wanted);
    const auto& record = pattern_[wanted];
    const auto& found = program_[at];
    if (found.subgraphs.size != 0 && !differ(kind::subgraphs, wanted)) return false;
    if (record.inputs.size != found.inputs.size && !differ(kind::operand_count, wanted)) return false;
    if (record.outputs.size != found.outputs.size && !differ(kind::output_count, wanted)) return false;
    if (!have_same_literals(wanted)) return false;
    for (std::size_t i = 0; i < std::min(record.outputs.size, found.outputs.size); ++i) {
      if (!match_value(pattern_.outputs_of(record)[i], program_.outputs_of(found)[i], wanted)) return false;
    }
    return true;
  }

  constexpr auto have_same_literals(node_id wanted) -> bool {
    if (compare_ == literals::ignored) return true;
    const auto sought = pattern_.attributes_of(pattern_[wanted]);
    const auto found = program_.attributes_of(program_[image_of(wanted)]);
    for (std::size_t i = 0; i < sought.size(); ++i) {
      const auto is_same = [&](const baton::attribute& other) { return is_identical(pattern_, sought[i], program_, other); };
      if (!std::any_of(found.begin(), found.end(), is_same)) return differ(kind::attribute, wanted, i);
    }
    return sought.size() == found.size() || differ(kind::more_attributes, wanted);
  }

  constexpr auto match_value(value_id wanted, value_id at, node_id of) -> bool {
    if (value_is_taken_[index(at)] != 0) return differ(kind::several_uses, of);
    value_image_[index(wanted)] = at;
    value_is_taken_[index(at)] = 1;
    matched_values_.push_back(wanted);
    return true;
  }

  constexpr auto pair_operands(node_id of, bool is_swapped) -> bool {
    const auto wanted = pattern_.inputs(pattern_[of]);
    const auto found = program_.inputs(program_[image_of(of)]);
    for (std::size_t i = 0; i < (Explains ? std::min(wanted.size(), found.size()) : wanted.size()); ++i) {
      const auto position = is_swapped && i < 2 ? 1 - i : i;
      if (!pair_operand(of, wanted[i], found[position], i, position)) return false;
    }
    return true;
  }
  constexpr auto pair_operand(node_id of, value_id wanted, value_id found, std::size_t position_in_pattern, std::size_t position) -> bool {
    if (wanted == none<value_id> || found == none<value_id>)
      return wanted == found || differ(kind::operand, of, position, position_in_pattern);
    if (const auto image = image_of(wanted); image != none<value_id>) return image == found || differ(kind::repeated_operand, of, position);
    const auto producer = pattern_producers_[index(wanted)];
    if (producer == none<node_id>) return match_value(wanted, found, of);
    const auto candidate = producers_[index(found)];
    const bool may_stand =
        candidate != none<node_id> && pattern_[producer].op == program_[candidate].op && image_of(producer) == none<node_id>;
    if (!may_stand) return differ(kind::operand, of, position, position_in_pattern);
    return match_node(producer, candidate) && (image_of(wanted) == found || differ(kind::operand, of, position, position_in_pattern));
  }

  /// Whether the operands may be swapped and it makes a difference.
  constexpr auto may_swap_operands(node_id of) const -> bool {
    if constexpr (std::is_same_v<Commuting, no_support>) return false;
    const auto wanted = pattern_.inputs(pattern_[of]);
    const auto found = program_.inputs(program_[image_of(of)]);
    if (std::min(wanted.size(), found.size()) < 2 || wanted[0] == wanted[1] || found[0] == found[1]) return false;
    if (stands_for_anything(wanted[0]) && stands_for_anything(wanted[1])) return false;
    return Commuting::supports(program_, program_[image_of(of)]).accepted;
  }
  constexpr auto stands_for_anything(value_id of_pattern) const -> bool {
    return of_pattern != none<value_id> && pattern_producers_[index(of_pattern)] == none<node_id> && pattern_uses_[index(of_pattern)] == 1;
  }

  // Where all that is connected was laid.

  constexpr auto consider() -> bool {
    if constexpr (Explains) {
      pattern_fit fit{1 + 4 * fitting_nodes() + (differences_.empty() ? 2u : 0u) + (first_held() == none<node_id> ? 1u : 0u), {}};
      if (fit.score > best_.score) {
        fit.difference = differences_.empty() ? what_keeps_it_away() : differences_.front();
        best_ = fit;
      }
      return ++tries_ == most_tries;
    } else {
      if (used_elsewhere().what != kind::nothing || is_entered_again()) return false;
      pattern_match found{node_image_, {}};
      for (const auto input : pattern_.inputs(pattern_.root())) found.placeholders.push_back(image_of(input));
      matches_.push_back(std::move(found));
      return true;
    }
  }

  constexpr auto fitting_nodes() const -> std::size_t {
    std::size_t fitting = 0;
    for (const auto wanted : matched_) {
      const auto is_of = [&](const pattern_difference& one) { return one.wanted == wanted; };
      if (std::none_of(differences_.begin(), differences_.end(), is_of)) ++fitting;
    }
    return fitting;
  }
  constexpr auto first_held() const -> node_id {
    for (const auto wanted : matched_) {
      if (is_held_[index(image_of(wanted))] != 0) return wanted;
    }
    return none<node_id>;
  }
  constexpr auto what_keeps_it_away() const -> pattern_difference {
    if (const auto outside = used_elsewhere(); outside.what != kind::nothing) return outside;
    if (const auto held = first_held(); held != none<node_id>) return {kind::taken, image_of(held), held};
    return {matched_.size() < sought_.size ? kind::not_all : kind::path, image_of(matched_.front()), matched_.front()};
  }

  /// The first output that somebody outside uses though the pattern does not return it.
  constexpr auto used_elsewhere() const -> pattern_difference {
    for (const auto wanted : matched_) {
      const auto outputs = pattern_.outputs_of(pattern_[wanted]);
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto v = index(outputs[i]);
        if (is_returned_[v] == 0 && uses_[index(value_image_[v])] > pattern_uses_[v])
          return {kind::used_elsewhere, image_of(wanted), wanted, i};
      }
    }
    return {};
  }

  /// Whether a path leaves the match and enters it again: sought backwards, no further than the first node of the match.
  constexpr auto is_entered_again() -> bool {
    auto first = index(none<node_id>);
    for (const auto id : node_image_) first = std::min(first, index(id));
    behind_.clear();
    ++searches_;
    for (const auto wanted : matched_) look_behind(program_[image_of(wanted)], first);
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
      const auto producer = input == none<value_id> ? none<node_id> : producers_[index(input)];
      if (producer == none<node_id> || index(producer) < first) continue;
      if (node_state_[index(producer)] == in_match) {
        uses_match = true;
      } else if (seen_in_[index(producer)] != searches_) {
        seen_in_[index(producer)] = searches_;
        behind_.push_back(producer);
      }
    }
    return uses_match;
  }

  program_view program_;
  literals compare_;
  range graph_;  ///< the nodes among which matches are sought
  vector<node_id> producers_;
  vector<std::uint32_t> uses_;  ///< by value, returns counted
  operand_users users_;
  vector<char> node_state_;
  vector<std::uint32_t> seen_in_;  ///< by node: the last search for a path that came by
  vector<char> value_is_taken_;

  program_view pattern_;
  range sought_;  ///< its nodes
  vector<node_id> anchors_;
  vector<node_id> pattern_producers_;
  vector<std::uint32_t> pattern_uses_;
  vector<char> is_returned_;
  vector<node_id> node_image_;
  vector<value_id> value_image_;
  vector<node_id> matched_;  ///< of the pattern, as they were found
  vector<value_id> matched_values_;

  vector<node_id> behind_;
  std::uint32_t searches_ = 0;
  vector<pattern_match> matches_;
  vector<pattern_difference> differences_;
  const char* is_held_ = nullptr;
  pattern_fit best_;
  std::size_t tries_ = 0;
};

}  // namespace detail

}  // namespace baton

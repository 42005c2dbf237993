// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A pattern that is laid over a program, node by node, and taken back; in what the two differ.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/graph/identical.hpp>
#include <baton/partition/pattern_match.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// In what a part of a program differs from a pattern that is laid over it.
struct pattern_difference {
  enum kind : std::uint8_t {
    nothing,
    attribute,  ///< `position`: in the pattern's list
    more_attributes,
    operand_count,
    output_count,
    subgraphs,
    operand,           ///< `position`: which; it comes from another operator
    repeated_operand,  ///< `position`: which; it is another value than where the pattern has the same
    no_user,           ///< `position`: of the output that `user` should use
    several_uses,      ///< one node or value stands where the pattern has several
    not_all,           ///< nodes of the pattern that are not connected to this one
    used_elsewhere,    ///< `position`: of the output
    taken,
    path
  };
  kind what = nothing;
  node_id at = none<node_id>;      ///< of the program
  node_id wanted = none<node_id>;  ///< of the pattern, what stands there
  std::size_t position = 0;
  std::size_t position_in_pattern = 0;  ///< of an operand
  node_id user = none<node_id>;         ///< of the pattern
};

/// How well a pattern fits where it was laid, and what differs first.
struct pattern_fit {
  std::size_t score = 0;
  pattern_difference difference;
};

/// Which node and which value of a program stand for those of one pattern, as far as it is laid. Where something differs, one that explains
/// notes it and goes on; any other says so.
template <bool Explains>
class laid_pattern {
 public:
  using kind = pattern_difference::kind;

  constexpr laid_pattern(const program_view& program, literals compare)
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
    pattern_producers_ = producers_of(pattern, pattern.root());
    pattern_uses_ = use_counts(pattern);
    is_returned_ = returned_values(pattern, pattern.root());
    node_image_.assign(pattern.nodes.size(), none<node_id>);
    value_image_.assign(pattern.values.size(), none<value_id>);
  }

  /// What stands for a node or value of the pattern, none if nothing does yet.
  constexpr auto image_of(node_id wanted) const -> node_id { return node_image_[index(wanted)]; }
  constexpr auto image_of(value_id wanted) const -> value_id { return value_image_[index(wanted)]; }
  /// The same by node of the pattern.
  constexpr auto node_images() const -> const vector<node_id>& { return node_image_; }
  /// The nodes of the pattern that are laid, as they were found.
  constexpr auto nodes() const -> const vector<node_id>& { return matched_; }
  constexpr auto differences() const -> const vector<pattern_difference>& { return differences_; }
  /// What makes a value of the pattern.
  constexpr auto producer_in_pattern(value_id id) const -> node_id { return pattern_producers_[index(id)]; }

  /// Whether a node of the program may stand for one: it does not yet, nor is it kept away.
  constexpr auto is_free(node_id at) const -> bool { return node_state_[index(at)] == free; }
  constexpr void keep_away(node_id at) { node_state_[index(at)] = kept_away; }
  constexpr void set_free(node_id at) { node_state_[index(at)] = free; }

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

  // Each of the next says whether to go on.

  /// Puts a node of the pattern at one of the same operator.
  constexpr auto lay(node_id wanted, node_id at) -> bool {
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

  constexpr auto pair_operands(node_id of, bool is_swapped) -> bool {
    const auto wanted = pattern_.inputs(pattern_[of]);
    const auto found = program_.inputs(program_[image_of(of)]);
    for (std::size_t i = 0; i < (Explains ? std::min(wanted.size(), found.size()) : wanted.size()); ++i) {
      const auto position = is_swapped && i < 2 ? 1 - i : i;
      if (!pair_operand(of, wanted[i], found[position], i, position)) return false;
    }
    return true;
  }

  /// Whether a value of the pattern stands for any one value, in one place.
  constexpr auto stands_for_anything(value_id of_pattern) const -> bool {
    return of_pattern != none<value_id> && pattern_producers_[index(of_pattern)] == none<node_id> && pattern_uses_[index(of_pattern)] == 1;
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

 private:
  static constexpr char free = 0;
  static constexpr char in_match = 1;
  static constexpr char kept_away = 2;

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
    return lay(producer, candidate) && (image_of(wanted) == found || differ(kind::operand, of, position, position_in_pattern));
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
  vector<node_id> producers_;
  vector<std::uint32_t> uses_;  ///< by value, returns counted
  vector<char> node_state_;
  vector<std::uint32_t> seen_in_;  ///< by node: the last search for a path that came by
  vector<char> value_is_taken_;

  program_view pattern_;
  vector<node_id> pattern_producers_;
  vector<std::uint32_t> pattern_uses_;
  vector<char> is_returned_;
  vector<node_id> node_image_;
  vector<value_id> value_image_;
  vector<node_id> matched_;
  vector<value_id> matched_values_;
  vector<pattern_difference> differences_;

  vector<node_id> behind_;
  std::uint32_t searches_ = 0;
};

}  // namespace baton::detail

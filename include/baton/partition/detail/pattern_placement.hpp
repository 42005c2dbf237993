// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The placement of a pattern on a program, node by node, and the differences between pattern and program. Each step can be undone.
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

/// A difference between a pattern and the nodes of a program on which the pattern is placed.
struct pattern_difference {
  enum kind : std::uint8_t {
    nothing,
    attribute,  ///< attribute `position` of the pattern's node has no equal attribute in the program's node
    more_attributes,
    operand_count,
    output_count,
    subgraphs,
    operand,            ///< operand `position` comes from another operator than in the pattern
    repeated_operand,   ///< operand `position` differs from the value that already matches the pattern's operand
    no_user,            ///< no node that uses output `position` as operand `position_in_pattern` can match `user`
    matched_twice,      ///< one node or value of the program would match two nodes or values of the pattern
    incomplete,         ///< no match is found for some nodes of the pattern
    used_elsewhere,     ///< output `position` has a user outside the match
    overlapping_match,  ///< the node belongs to another match
    reentrant_path      ///< a path leaves the match and enters it again
  };
  kind type = nothing;
  node_id at = none<node_id>;      ///< the node of the program
  node_id wanted = none<node_id>;  ///< the node of the pattern
  std::size_t position = 0;
  std::size_t position_in_pattern = 0;  ///< the position of the operand in the pattern
  node_id user = none<node_id>;         ///< the node of the pattern for which no match is found, or `none`
};

/// The score of a placed pattern, and the first difference of the pattern from the program. A better fit has a higher score. A score of 0
/// means that no pattern was placed.
struct pattern_fit {
  std::size_t score = 0;
  pattern_difference difference;
};

/// A partial placement of a pattern: the nodes and values of a program that match nodes and values of the pattern. If `Explains` is true,
/// each difference is recorded, and the search continues. If `Explains` is false, the function that finds a difference returns false.
template <bool Explains>
class pattern_placement {
 public:
  using kind = pattern_difference::kind;

  constexpr pattern_placement(const program_view& program, literals compare)
      : program_(program),
        compare_(compare),
        producers_(producers_of(program)),
        uses_(use_counts(program)),
        node_state_(program.nodes.size(), free),
        seen_in_(program.nodes.size(), 0),
        value_is_matched_(program.values.size(), 0) {}

  /// Sets the pattern for the following calls. The pattern is not copied, so it must outlive these calls.
  constexpr void set_pattern(const program_view& pattern) {
    pattern_ = pattern;
    pattern_producers_ = producers_of(pattern, pattern.root());
    pattern_uses_ = use_counts(pattern);
    is_returned_ = returned_values(pattern, pattern.root());
    node_image_.assign(pattern.nodes.size(), none<node_id>);
    value_image_.assign(pattern.values.size(), none<value_id>);
  }

  /// Returns the node or value of the program that matches `wanted` of the pattern, or `none`.
  constexpr auto image_of(node_id wanted) const -> node_id { return node_image_[index(wanted)]; }
  constexpr auto image_of(value_id wanted) const -> value_id { return value_image_[index(wanted)]; }
  /// Returns, indexed by node of the pattern, the node of the program that matches it, or `none`.
  constexpr auto node_images() const -> const vector<node_id>& { return node_image_; }
  /// Returns the placed nodes of the pattern, in the order of placement.
  constexpr auto nodes() const -> const vector<node_id>& { return matched_; }
  constexpr auto differences() const -> const vector<pattern_difference>& { return differences_; }
  /// Returns the producer of a value of the pattern, or `none` for a placeholder (an input, parameter, buffer or constant).
  constexpr auto producer_in_pattern(value_id id) const -> node_id { return pattern_producers_[index(id)]; }

  /// True if a node of the program matches no node of the pattern yet, and has not been excluded by `block`.
  constexpr auto is_free(node_id at) const -> bool { return node_state_[index(at)] == free; }
  constexpr void block(node_id at) { node_state_[index(at)] = blocked; }
  constexpr void set_free(node_id at) { node_state_[index(at)] = free; }

  /// Records a difference if `Explains` is true. Returns `Explains`, because the search continues only if `Explains` is true.
  constexpr auto add_difference(kind type, node_id wanted, std::size_t position = 0, std::size_t position_in_pattern = 0,
                                node_id user = none<node_id>) -> bool {
    if constexpr (Explains) differences_.push_back({type, image_of(wanted), wanted, position, position_in_pattern, user});
    return Explains;
  }

  /// A saved state of the placement. `restore` undoes all placements since `save`.
  struct state {
    std::size_t nodes;
    std::size_t values;
    std::size_t differences;
  };
  constexpr auto save() const -> state { return {matched_.size(), matched_values_.size(), differences_.size()}; }
  constexpr void restore(const state& to) {
    for (; matched_.size() > to.nodes; matched_.pop_back()) {
      auto& image = node_image_[index(matched_.back())];
      node_state_[index(image)] = free;
      image = none<node_id>;
    }
    for (; matched_values_.size() > to.values; matched_values_.pop_back()) {
      auto& image = value_image_[index(matched_values_.back())];
      value_is_matched_[index(image)] = 0;
      image = none<value_id>;
    }
    if constexpr (Explains) {
      while (differences_.size() > to.differences) differences_.pop_back();
    }
  }

  // `place` and `pair_operands` return whether the search continues.

  /// Matches `wanted`, a node of the pattern, with `at`, a node of the program that has the same operator.
  constexpr auto place(node_id wanted, node_id at) -> bool {
    if (node_state_[index(at)] != free) return add_difference(kind::matched_twice, matched_.front());
    node_image_[index(wanted)] = at;
    node_state_[index(at)] = in_match;
    matched_.push_back(wanted);
    const auto& record = pattern_[wanted];
    const auto& actual = program_[at];
    if (actual.subgraphs.size != 0 && !add_difference(kind::subgraphs, wanted)) return false;
    if (record.inputs.size != actual.inputs.size && !add_difference(kind::operand_count, wanted)) return false;
    if (record.outputs.size != actual.outputs.size && !add_difference(kind::output_count, wanted)) return false;
    if (!match_literals(wanted)) return false;
    for (std::size_t i = 0; i < std::min(record.outputs.size, actual.outputs.size); ++i) {
      if (!match_value(pattern_.outputs_of(record)[i], program_.outputs_of(actual)[i], wanted)) return false;
    }
    return true;
  }

  /// Matches the operands of a placed node. If `is_swapped` is true, the first two operands are matched in reverse order.
  constexpr auto pair_operands(node_id pattern_node, bool is_swapped) -> bool {
    const auto wanted = pattern_.inputs(pattern_[pattern_node]);
    const auto actual = program_.inputs(program_[image_of(pattern_node)]);
    for (std::size_t i = 0; i < (Explains ? std::min(wanted.size(), actual.size()) : wanted.size()); ++i) {
      const auto position = is_swapped && i < 2 ? 1 - i : i;
      if (!pair_operand(pattern_node, wanted[i], actual[position], i, position)) return false;
    }
    return true;
  }

  /// True if `pattern_value` is a placeholder with one use. Such a placeholder matches any value.
  constexpr auto matches_any_value(value_id pattern_value) const -> bool {
    return pattern_value != none<value_id> && pattern_producers_[index(pattern_value)] == none<node_id> &&
           pattern_uses_[index(pattern_value)] == 1;
  }

  /// Returns the difference for the first output that has a user outside the match, although the pattern does not return this output.
  /// Returns `nothing` if there is no such output.
  constexpr auto find_outside_use() const -> pattern_difference {
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

  /// True if a path leaves the match and re-enters it. Searches backward from the operands of the match, up to the match's first node in
  /// graph order.
  constexpr auto has_reentrant_path() -> bool {
    auto first = index(none<node_id>);
    for (const auto id : node_image_) first = std::min(first, index(id));
    outside_.clear();
    ++searches_;
    for (const auto wanted : matched_) collect_outside(program_[image_of(wanted)], first);
    // The loop above ignores the results of `collect_outside`, because an edge within the match does not re-enter the match.
    for (std::size_t at = 0; at < outside_.size(); ++at) {
      if (collect_outside(program_[outside_[at]], first)) return true;
    }
    return false;
  }

 private:
  static constexpr char free = 0;
  static constexpr char in_match = 1;
  static constexpr char blocked = 2;

  constexpr auto match_literals(node_id wanted) -> bool {
    if (compare_ == literals::ignored) return true;
    const auto sought = pattern_.attributes_of(pattern_[wanted]);
    const auto actual = program_.attributes_of(program_[image_of(wanted)]);
    for (std::size_t i = 0; i < sought.size(); ++i) {
      const auto is_same = [&](const baton::attribute& other) { return is_identical(pattern_, sought[i], program_, other); };
      if (!std::any_of(actual.begin(), actual.end(), is_same)) return add_difference(kind::attribute, wanted, i);
    }
    return sought.size() == actual.size() || add_difference(kind::more_attributes, wanted);
  }

  constexpr auto match_value(value_id wanted, value_id at, node_id pattern_node) -> bool {
    if (value_is_matched_[index(at)] != 0) return add_difference(kind::matched_twice, pattern_node);
    value_image_[index(wanted)] = at;
    value_is_matched_[index(at)] = 1;
    matched_values_.push_back(wanted);
    return true;
  }

  constexpr auto pair_operand(node_id pattern_node, value_id wanted, value_id actual, std::size_t position_in_pattern, std::size_t position)
      -> bool {
    if (wanted == none<value_id> || actual == none<value_id>)
      return wanted == actual || add_difference(kind::operand, pattern_node, position, position_in_pattern);
    if (const auto image = image_of(wanted); image != none<value_id>)
      return image == actual || add_difference(kind::repeated_operand, pattern_node, position);
    const auto producer = pattern_producers_[index(wanted)];
    if (producer == none<node_id>) return match_value(wanted, actual, pattern_node);
    const auto candidate = producers_[index(actual)];
    const bool can_match =
        candidate != none<node_id> && pattern_[producer].op == program_[candidate].op && image_of(producer) == none<node_id>;
    if (!can_match) return add_difference(kind::operand, pattern_node, position, position_in_pattern);
    return place(producer, candidate) &&
           (image_of(wanted) == actual || add_difference(kind::operand, pattern_node, position, position_in_pattern));
  }

  /// Collects the producers of the operands of `user`, except nodes of the match, nodes before `first`, and nodes that are already
  /// collected. Returns whether a node of the match produces an operand.
  constexpr auto collect_outside(const node& user, std::size_t first) -> bool {
    bool uses_match = false;
    for (const auto input : program_.inputs(user)) {
      const auto producer = input == none<value_id> ? none<node_id> : producers_[index(input)];
      if (producer == none<node_id> || index(producer) < first) continue;
      if (node_state_[index(producer)] == in_match) {
        uses_match = true;
      } else if (seen_in_[index(producer)] != searches_) {
        seen_in_[index(producer)] = searches_;
        outside_.push_back(producer);
      }
    }
    return uses_match;
  }

  program_view program_;
  literals compare_;
  vector<node_id> producers_;
  vector<std::uint32_t> uses_;  ///< indexed by value: the number of uses of the value, including uses as graph outputs
  vector<char> node_state_;
  vector<std::uint32_t> seen_in_;  ///< indexed by node: the number of the last path search that visited the node
  vector<char> value_is_matched_;

  program_view pattern_;
  vector<node_id> pattern_producers_;
  vector<std::uint32_t> pattern_uses_;
  vector<char> is_returned_;
  vector<node_id> node_image_;
  vector<value_id> value_image_;
  vector<node_id> matched_;
  vector<value_id> matched_values_;
  vector<pattern_difference> differences_;

  vector<node_id> outside_;
  std::uint32_t searches_ = 0;
};

}  // namespace baton::detail

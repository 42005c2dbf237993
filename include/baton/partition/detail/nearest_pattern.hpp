// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Explains why no pattern matches at a node. Finds the pattern that fits best (the nearest pattern), and the first difference between this
// pattern and the program.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/partition/detail/pattern_matcher.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partition_result.hpp>
#include <baton/partition/pattern_match.hpp>
#include <baton/partition/shared/reasons.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::detail {

/// A search for the pattern that fits best at a given node, if no pattern matches there. The search tries each pattern node that has the
/// operator of the given node. It places the pattern node on the given node, and then matches the other nodes of the pattern. The cost of
/// one search depends on the patterns, not on the size of the program.
template <operator_support Support, operator_support Commuting>
class nearest_pattern {
 public:
  constexpr nearest_pattern(const program_view& tagged, vector<exported_program> sought, literals compare)
      : program_(tagged),
        patterns_(std::move(sought)),
        producers_(producers_of(tagged)),
        is_matched_(tagged.nodes.size(), 0),
        matcher_(tagged, compare) {
    for (std::uint32_t n = 0; n < tagged.nodes.size(); ++n) {
      if (has_spec(tagged, tagged.nodes[n].tag) && !Support::supports(tagged, tagged.nodes[n])) is_matched_[n] = 1;
    }
  }

  /// Returns the reason why a node is not delegated: the first difference from the nearest pattern. Adds the reason of `Support`, unless
  /// `Support` is `no_support`.
  constexpr auto operator()(node_id id) -> text_buffer {
    pattern_fit best;
    std::size_t nearest = 0;
    for (std::size_t p = 0; p < patterns_.size(); ++p) {
      bool is_set = false;
      const auto nodes = patterns_[p].graphs[0].nodes;
      for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
        if (patterns_[p].nodes[n].op != program_[id].op) continue;
        if (!std::exchange(is_set, true)) matcher_.set_pattern(patterns_[p]);
        const auto fit = matcher_.fit_at(node_id{n}, id, is_matched_);
        if (fit.score <= best.score) continue;
        best = fit;
        nearest = p;
      }
    }
    text_buffer why;
    if (best.score == 0) {
      append(append(why, "no pattern has the operator "), program_.text(program_[id].target));
    } else {
      append(append(append(why, "pattern "), static_cast<std::int64_t>(nearest)), " is the closest match, but ");
      append_difference(why, best.difference, patterns_[nearest]);
    }
    add_refusal<Support>(why, program_, id);
    return why;
  }

 private:
  constexpr void append_difference(text_buffer& why, const pattern_difference& difference, const program_view& pattern) const {
    using kind = pattern_difference;
    const auto& record = pattern[difference.wanted];
    const auto& actual = program_[difference.at];
    const auto name = program_.text(actual.name);
    const auto write = [&why](const auto&... parts) { append(why, view(join(parts...))); };
    switch (difference.type) {
      case kind::attribute:
        return write("attribute ", pattern.text(pattern.attributes_of(record)[difference.position].name), " of ", name,
                     " differs from the pattern");
      case kind::more_attributes:
        return write(name, " has more attributes than the pattern");
      case kind::operand_count:
        return write("the number of operands of ", name, ", ", actual.inputs.size, ", is not that of the pattern");
      case kind::output_count:
        return write("the number of outputs of ", name, ", ", actual.outputs.size, ", is not that of the pattern");
      case kind::subgraphs:
        return write(name, " has subgraphs, which no pattern has");
      case kind::operand:
        return write("operand ", difference.position, " of ", name, " comes from ",
                     origin(program_, producers_, actual, difference.position), ", not from ",
                     origin(pattern, producers_of(pattern), record, difference.position_in_pattern));
      case kind::repeated_operand:
        return write("operand ", difference.position, " of ", name, " is not the value that the pattern uses in several places");
      case kind::no_user:
        return write("output ", difference.position, " of ", name, " is not operand ", difference.position_in_pattern, " of ",
                     pattern.text(pattern[difference.user].target));
      case kind::matched_twice:
        return write("two nodes or values of the pattern match the same one of the program");
      case kind::incomplete:
        return write("the rest of the pattern does not match");
      case kind::used_elsewhere:
        return write("output ", difference.position, " of ", name, " is used outside of the match");
      case kind::overlapping_match:
        return write(name, " belongs to another match");
      case kind::nothing:
      case kind::reentrant_path:
        return write("a path leaves the match and enters it again");
    }
  }

  /// Returns the name of the operator that produces operand `position`. If no node produces the operand, returns a description of the
  /// operand.
  static constexpr auto origin(const program_view& program, const vector<node_id>& producers, const node& record, std::size_t position)
      -> std::string_view {
    const auto id = program.inputs(record)[position];
    if (id == none<value_id>) return "no value";
    const auto producer = producers[index(id)];
    return producer == none<node_id> ? std::string_view("a placeholder") : program.text(program[producer].target);
  }

  program_view program_;
  vector<exported_program> patterns_;
  vector<node_id> producers_;  ///< indexed by value
  vector<char> is_matched_;    ///< indexed by node: 1 if the node is delegated although `Support` refuses it, because a match contains it
  pattern_matcher<Commuting, true> matcher_;
};

}  // namespace baton::detail

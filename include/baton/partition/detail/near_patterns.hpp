// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Why no pattern was found at a node: the one that comes nearest to it, and what differs.
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

/// Says of a node that no match holds which pattern comes nearest: each is laid there with each of its nodes that has the operator, and the
/// one of which most fits is reported, with what differs first. The cost of a node depends on the patterns, not on the program.
template <operator_support Support, operator_support Commuting>
class near_patterns {
 public:
  constexpr near_patterns(const program_view& tagged, vector<exported_program> sought, literals compare)
      : program_(tagged),
        sought_(std::move(sought)),
        producers_(producers_of(tagged)),
        is_held_(tagged.nodes.size(), 0),
        matcher_(tagged, compare) {
    for (std::uint32_t n = 0; n < tagged.nodes.size(); ++n) {
      if (has_spec(tagged, tagged.nodes[n].tag) && !Support::supports(tagged, tagged.nodes[n])) is_held_[n] = 1;
    }
  }

  /// Why a node stays: what differs from the nearest pattern, and what the support says, where there is one.
  constexpr auto operator()(node_id id) -> text_buffer {
    pattern_fit most;
    std::size_t nearest = 0;
    for (std::size_t p = 0; p < sought_.size(); ++p) {
      bool is_laid = false;
      const auto run = sought_[p].graphs[0].nodes;
      for (auto n = run.first; n < run.first + run.size; ++n) {
        if (sought_[p].nodes[n].op != program_[id].op) continue;
        if (!std::exchange(is_laid, true)) matcher_.seek(sought_[p]);
        const auto fit = matcher_.fit_at(node_id{n}, id, is_held_);
        if (fit.score <= most.score) continue;
        most = fit;
        nearest = p;
      }
    }
    text_buffer why;
    if (most.score == 0) {
      append(append(why, "no pattern has the operator "), program_.text(program_[id].target));
    } else {
      append(append(append(why, "pattern "), static_cast<std::int64_t>(nearest)), " comes nearest, but ");
      append_difference(why, most.difference, sought_[nearest]);
    }
    add_refusal<Support>(why, program_, id);
    return why;
  }

 private:
  constexpr void append_difference(text_buffer& why, const pattern_difference& of, const program_view& pattern) const {
    using kind = pattern_difference;
    const auto& record = pattern[of.wanted];
    const auto& found = program_[of.at];
    const auto name = program_.text(found.name);
    const auto say = [&why](const auto&... parts) { append(why, view(join(parts...))); };
    switch (of.what) {
      case kind::attribute:
        return say("attribute ", pattern.text(pattern.attributes_of(record)[of.position].name), " of ", name, " differs");
      case kind::more_attributes:
        return say(name, " has more attributes");
      case kind::operand_count:
        return say(name, " has another number of operands, ", found.inputs.size);
      case kind::output_count:
        return say(name, " has another number of outputs, ", found.outputs.size);
      case kind::subgraphs:
        return say(name, " has subgraphs");
      case kind::operand:
        return say("operand ", of.position, " of ", name, " comes from ", origin(program_, producers_, found, of.position), ", not from ",
                   origin(pattern, producers_of(pattern), record, of.position_in_pattern));
      case kind::repeated_operand:
        return say("operand ", of.position, " of ", name, " is another value than the one that the pattern has in several places");
      case kind::no_user:
        return say("output ", of.position, " of ", name, " is operand ", of.position_in_pattern, " of no ",
                   pattern.text(pattern[of.user].target));
      case kind::several_uses:
        return say("what are two values in it is one here");
      case kind::not_all:
        return say("the rest of it was not found");
      case kind::used_elsewhere:
        return say("output ", of.position, " of ", name, " is used outside of it");
      case kind::taken:
        return say(name, " belongs to another match");
      case kind::nothing:
      case kind::path:
        return say("a path leaves it and enters it again");
    }
  }

  /// What makes an operand.
  static constexpr auto origin(const program_view& program, const vector<node_id>& producers, const node& record, std::size_t position)
      -> std::string_view {
    const auto id = program.inputs(record)[position];
    if (id == none<value_id>) return "nowhere";
    const auto producer = producers[index(id)];
    return producer == none<node_id> ? std::string_view("a placeholder") : program.text(program[producer].target);
  }

  program_view program_;
  vector<exported_program> sought_;
  vector<node_id> producers_;  ///< by value
  vector<char> is_held_;       ///< by node: whether another match has it
  pattern_matcher<Commuting, true> matcher_;
};

}  // namespace baton::detail

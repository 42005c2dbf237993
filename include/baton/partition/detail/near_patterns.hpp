// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Why no pattern was found at a node: the one that comes nearest to it, and what differs.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/partition/delegation_spec.hpp>
#include <baton/partition/detail/pattern_check.hpp>
#include <baton/partition/explaining_partitioner.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/pattern.hpp>
#include <baton/partition/visible_graphs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// In what a place of a program differs from a pattern that is laid over it.
struct pattern_difference {
  enum kind : std::uint8_t {
    nothing,
    attribute,  ///< `place`: in the pattern's list
    more_attributes,
    operand_count,
    output_count,
    subgraphs,
    operand,           ///< `place`: which; it comes from another operator
    repeated_operand,  ///< `place`: which; it is another value than where the pattern has the same
    no_user,           ///< `place`: of the output that `user` should use
    two_places,        ///< one value stands where the pattern has several
    not_all,           ///< nodes of the pattern that are not connected to this one
    used_elsewhere,    ///< `place`: of the output
    taken,
    path
  };
  kind what = nothing;
  node_id at = none<node_id>;      ///< of the program
  node_id wanted = none<node_id>;  ///< of the pattern, what stands there
  std::size_t place = 0;
  std::size_t place_in_pattern = 0;  ///< of an operand
  node_id user = none<node_id>;      ///< of the pattern
};

/// Users of a value, sorted so that those of an operator are found at once.
struct value_user {
  value_id used = none<value_id>;
  std::uint64_t op = 0;
  std::uint32_t place = 0;  ///< among its operands
  node_id user = none<node_id>;

  constexpr auto operator<(const value_user& other) const -> bool {
    if (used != other.used) return index(used) < index(other.used);
    if (op != other.op) return op < other.op;
    return place != other.place ? place < other.place : index(user) < index(other.user);
  }
};

/// A pattern and what is known of its values.
struct laid_pattern {
  exported_program program;
  vector<node_id> makers;
  vector<std::uint32_t> uses;
  vector<char> is_returned;

  constexpr explicit laid_pattern(exported_program pattern)
      : program(std::move(pattern)),
        makers(makers_of(program, program.graphs[0])),
        uses(use_counts(program, program.graphs[0])),
        is_returned(returned_values(program, program.graphs[0])) {}
};

/// Lays patterns over a node that no match holds: each of a pattern's nodes that has its operator, then along operands and users as far as
/// it fits. The pattern of which most fits comes nearest. Of the users of a value it tries one, if it can one that no part holds. The cost
/// of a node depends on the patterns, not on the program.
template <operator_support Support, operator_support Commuting>
class near_patterns {
 public:
  constexpr near_patterns(const program_view& tagged, vector<exported_program> sought, literals compare)
      : program_(tagged),
        compare_(compare),
        makers_(tagged.values.size(), none<node_id>),
        uses_(tagged.values.size(), 0) {
    for (auto& pattern : sought) sought_.emplace_back(std::move(pattern));
    for (const auto id : visible_graphs(tagged)) {
      for (const auto& spec : tagged.outputs_of(tagged[id])) uses_[index(spec.value)] += 1;
    }
    for (const auto id : visible_nodes(tagged)) {
      const auto& record = tagged[id];
      for (const auto output : tagged.outputs_of(record)) makers_[index(output)] = id;
      for (std::uint32_t i = 0; i < record.inputs.size; ++i) {
        const auto input = tagged.inputs(record)[i];
        if (input == none<value_id>) continue;
        uses_[index(input)] += 1;
        users_.push_back({input, record.op, i, id});
      }
    }
    std::sort(users_.begin(), users_.end());
  }

  /// Why a node stays: what differs from the nearest pattern, and what the support says, where there is one.
  constexpr auto operator()(node_id id) -> text_buffer {
    std::size_t most = 0;
    std::size_t nearest = 0;
    pattern_difference difference;
    for (std::size_t p = 0; p < sought_.size(); ++p) {
      for (std::uint32_t n = 0; n < sought_[p].program.nodes.size(); ++n) {
        if (sought_[p].program.nodes[n].op != program_[id].op) continue;
        const auto fitting = lay(sought_[p], node_id{n}, id);
        if (fitting <= most) continue;
        most = fitting;
        nearest = p;
        difference = first_;
      }
    }
    text_buffer why;
    if (most == 0) {
      append(append(why, "no pattern has the operator "), program_.text(program_[id].target));
    } else {
      append(append(append(why, "pattern "), static_cast<std::int64_t>(nearest)), " comes nearest, but ");
      tell(why, difference, sought_[nearest]);
    }
    add_refusal<Support>(why, program_, id);
    return why;
  }

 private:
  /// How much of a pattern fits, beginning with one of its nodes; the first difference is kept.
  constexpr auto lay(const laid_pattern& pattern, node_id wanted, node_id at) -> std::size_t {
    laid_ = &pattern;
    pattern_ = pattern.program;
    first_ = {};
    placed_.clear();
    node_image_.assign(pattern.program.nodes.size(), none<node_id>);
    value_image_.assign(pattern.program.values.size(), none<value_id>);
    place_node(wanted, at);
    std::size_t fitting = 0;
    for (std::size_t next = 0; next < placed_.size(); ++next) {
      if (fits(placed_[next])) ++fitting;
    }
    if (first_.what != pattern_difference::nothing) return fitting + 1;
    check_whole();
    return fitting + 2;
  }

  constexpr void place_node(node_id wanted, node_id at) {
    node_image_[index(wanted)] = at;
    placed_.push_back(wanted);
  }

  constexpr auto image_of(node_id wanted) const -> node_id { return node_image_[index(wanted)]; }

  /// False; keeps the difference, if it is the first.
  constexpr auto differ(pattern_difference::kind what, node_id wanted, std::size_t place = 0, std::size_t place_in_pattern = 0,
                        node_id user = none<node_id>) -> bool {
    if (first_.what == pattern_difference::nothing) first_ = {what, image_of(wanted), wanted, place, place_in_pattern, user};
    return false;
  }

  /// Whether a node that is placed fits, by itself and by what it uses and is used by; places those.
  constexpr auto fits(node_id wanted) -> bool {
    const auto& record = pattern_[wanted];
    const auto& found = program_[image_of(wanted)];
    if (found.subgraphs.size != 0) return differ(pattern_difference::subgraphs, wanted);
    if (found.inputs.size != record.inputs.size) return differ(pattern_difference::operand_count, wanted);
    if (found.outputs.size != record.outputs.size) return differ(pattern_difference::output_count, wanted);
    bool do_all = have_same_attributes(wanted);
    const bool is_swapped = changes_places(wanted);
    for (std::size_t i = 0; i < record.inputs.size; ++i) {
      do_all = place_operand(wanted, i, is_swapped && i < 2 ? 1 - i : i) && do_all;
    }
    for (std::size_t i = 0; i < record.outputs.size; ++i) do_all = place_users(wanted, i) && do_all;
    return do_all;
  }

  constexpr auto have_same_attributes(node_id wanted) -> bool {
    if (compare_ == literals::ignored) return true;
    const auto sought = pattern_.attributes_of(pattern_[wanted]);
    const auto found = program_.attributes_of(program_[image_of(wanted)]);
    for (std::size_t i = 0; i < sought.size(); ++i) {
      const auto is_same = [&](const baton::attribute& other) { return same_literal(pattern_, sought[i], program_, other); };
      if (!std::any_of(found.begin(), found.end(), is_same)) return differ(pattern_difference::attribute, wanted, i);
    }
    return sought.size() == found.size() || differ(pattern_difference::more_attributes, wanted);
  }

  /// Whether a value may stand where the pattern has another, as far as their makers tell.
  constexpr auto agree(value_id sought, value_id found) const -> bool {
    if (sought == none<value_id> || found == none<value_id>) return sought == found;
    const auto maker = laid_->makers[index(sought)];
    const auto candidate = makers_[index(found)];
    if (maker == none<node_id>) return true;
    return candidate != none<node_id> && pattern_[maker].op == program_[candidate].op &&
           place_of(pattern_.outputs_of(pattern_[maker]), sought) == place_of(program_.outputs_of(program_[candidate]), found);
  }
  static constexpr auto place_of(std::span<const value_id> values, value_id one) -> std::ptrdiff_t {
    return std::find(values.begin(), values.end(), one) - values.begin();
  }

  /// Whether the first two operands of a node fit better the other way round.
  constexpr auto changes_places(node_id wanted) const -> bool {
    if constexpr (std::is_same_v<Commuting, no_support>) return false;
    const auto sought = pattern_.inputs(pattern_[wanted]);
    const auto found = program_.inputs(program_[image_of(wanted)]);
    if (sought.size() < 2 || (stands(sought[0], found[0]) && stands(sought[1], found[1]))) return false;
    return stands(sought[0], found[1]) && stands(sought[1], found[0]) && Commuting::supports(program_, program_[image_of(wanted)]).accepted;
  }
  /// Whether a value agrees with one of the pattern, and is the one that stands there already, if one does.
  constexpr auto stands(value_id sought, value_id found) const -> bool {
    if (!agree(sought, found) || sought == none<value_id>) return agree(sought, found);
    const auto maker = laid_->makers[index(sought)];
    if (maker != none<node_id> && image_of(maker) != none<node_id>) return image_of(maker) == makers_[index(found)];
    return value_image_[index(sought)] == none<value_id> || value_image_[index(sought)] == found;
  }

  constexpr auto place_operand(node_id wanted, std::size_t place_in_pattern, std::size_t place) -> bool {
    const auto sought = pattern_.inputs(pattern_[wanted])[place_in_pattern];
    const auto found = program_.inputs(program_[image_of(wanted)])[place];
    if (!agree(sought, found)) return differ(pattern_difference::operand, wanted, place, place_in_pattern);
    if (sought == none<value_id>) return true;
    if (!stands(sought, found)) return differ(pattern_difference::repeated_operand, wanted, place);
    value_image_[index(sought)] = found;
    const auto maker = laid_->makers[index(sought)];
    if (maker != none<node_id> && image_of(maker) == none<node_id>) place_node(maker, makers_[index(found)]);
    return true;
  }

  constexpr auto place_users(node_id wanted, std::size_t place) -> bool {
    const auto sought = pattern_.outputs_of(pattern_[wanted])[place];
    const auto found = program_.outputs_of(program_[image_of(wanted)])[place];
    value_image_[index(sought)] = found;
    for (std::uint32_t n = 0; n < pattern_.nodes.size(); ++n) {
      if (image_of(node_id{n}) != none<node_id>) continue;
      const auto at = place_of(pattern_.inputs(pattern_.nodes[n]), sought);
      if (at == static_cast<std::ptrdiff_t>(pattern_.nodes[n].inputs.size)) continue;
      const auto user = user_of(found, pattern_.nodes[n].op, static_cast<std::uint32_t>(at));
      if (user == none<node_id>) return differ(pattern_difference::no_user, wanted, place, static_cast<std::size_t>(at), node_id{n});
      place_node(node_id{n}, user);
    }
    return true;
  }

  /// A node of an operator that has a value as this operand, or as the other one where they may change places.
  constexpr auto user_of(value_id found, std::uint64_t op, std::uint32_t place) const -> node_id {
    const auto user = user_at(found, op, place, [](const node&) { return true; });
    if (std::is_same_v<Commuting, no_support> || user != none<node_id> || place > 1) return user;
    return user_at(found, op, 1 - place, [this](const node& record) { return Commuting::supports(program_, record).accepted; });
  }
  /// One that is in no part, if there is such a one among the first.
  template <class Accepts>
  constexpr auto user_at(value_id found, std::uint64_t op, std::uint32_t place, Accepts accepts) const -> node_id {
    constexpr int most_tried = 8;
    node_id chosen = none<node_id>;
    auto one = std::lower_bound(users_.begin(), users_.end(), value_user{found, op, place, node_id{0}});
    for (int tried = 0; tried < most_tried && one != users_.end(); ++one, ++tried) {
      if (one->used != found || one->op != op || one->place != place) break;
      if (std::find(node_image_.begin(), node_image_.end(), one->user) != node_image_.end() || !accepts(program_[one->user])) continue;
      if (chosen == none<node_id>) chosen = one->user;
      if (!is_taken(one->user)) return one->user;
    }
    return chosen;
  }
  constexpr auto is_taken(node_id id) const -> bool { return has_spec(program_, program_[id].tag); }

  /// What keeps a match away where all that is connected fits.
  constexpr void check_whole() {
    for (const auto wanted : placed_) {
      const auto outputs = pattern_.outputs_of(pattern_[wanted]);
      if (std::count(node_image_.begin(), node_image_.end(), image_of(wanted)) > 1)
        return void(differ(pattern_difference::two_places, wanted));
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto used = laid_->uses[index(outputs[i])];
        if (laid_->is_returned[index(outputs[i])] == 0 && uses_[index(value_image_[index(outputs[i])])] > used)
          return void(differ(pattern_difference::used_elsewhere, wanted, i));
      }
    }
    const auto first = placed_.front();
    for (const auto image : value_image_) {
      if (image != none<value_id> && std::count(value_image_.begin(), value_image_.end(), image) > 1)
        return void(differ(pattern_difference::two_places, first));
    }
    for (const auto wanted : placed_) {
      if (is_taken(image_of(wanted)) && !Support::supports(program_, program_[image_of(wanted)]))
        return void(differ(pattern_difference::taken, wanted));
    }
    differ(placed_.size() < pattern_.nodes.size() ? pattern_difference::not_all : pattern_difference::path, first);
  }

  constexpr void tell(text_buffer& why, const pattern_difference& of, const laid_pattern& laid) const {
    using kind = pattern_difference;
    const program_view pattern = laid.program;
    const auto& record = pattern[of.wanted];
    const auto& found = program_[of.at];
    const auto name = program_.text(found.name);
    const auto say = [&why](const auto&... parts) { append(why, view(join(parts...))); };
    switch (of.what) {
      case kind::attribute:
        return say("attribute ", pattern.text(pattern.attributes_of(record)[of.place].name), " of ", name, " differs");
      case kind::more_attributes:
        return say(name, " has more attributes");
      case kind::operand_count:
        return say(name, " has another number of operands, ", found.inputs.size);
      case kind::output_count:
        return say(name, " has another number of outputs, ", found.outputs.size);
      case kind::subgraphs:
        return say(name, " has subgraphs");
      case kind::operand:
        return say("operand ", of.place, " of ", name, " comes from ", origin(program_, makers_, found, of.place), ", not from ",
                   origin(pattern, laid.makers, record, of.place_in_pattern));
      case kind::repeated_operand:
        return say("operand ", of.place, " of ", name, " is another value than the one that the pattern has in several places");
      case kind::no_user:
        return say("output ", of.place, " of ", name, " is operand ", of.place_in_pattern, " of no ",
                   pattern.text(pattern[of.user].target));
      case kind::two_places:
        return say("what are two values in it is one here");
      case kind::not_all:
        return say("the rest of it was not found");
      case kind::used_elsewhere:
        return say("output ", of.place, " of ", name, " is used outside of it");
      case kind::taken:
        return say(name, " belongs to another match");
      case kind::nothing:
      case kind::path:
        return say("a path leaves it and enters it again");
    }
  }

  /// What makes an operand.
  static constexpr auto origin(const program_view& program, const vector<node_id>& makers, const node& record, std::size_t place)
      -> std::string_view {
    const auto id = program.inputs(record)[place];
    if (id == none<value_id>) return "nowhere";
    const auto maker = makers[index(id)];
    return maker == none<node_id> ? std::string_view("a placeholder") : program.text(program[maker].target);
  }

  program_view program_;
  literals compare_;
  vector<laid_pattern> sought_;
  vector<node_id> makers_;      ///< by value
  vector<std::uint32_t> uses_;  ///< by value, returns counted
  vector<value_user> users_;
  const laid_pattern* laid_ = nullptr;
  program_view pattern_;
  vector<node_id> placed_;        ///< of the pattern, as they were found
  vector<node_id> node_image_;    ///< by node of the pattern
  vector<value_id> value_image_;  ///< by value of the pattern
  pattern_difference first_;
};

}  // namespace baton::detail

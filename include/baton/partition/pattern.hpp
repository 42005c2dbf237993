// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Finds a pattern, which is a small program, in the graphs of another.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace baton {

/// Whether the attributes of nodes count where a pattern is sought.
enum class literals : bool { ignored, compared };

/// Where a pattern was found.
struct pattern_match {
  std::vector<node_id> nodes;          ///< by node of the pattern
  std::vector<value_id> placeholders;  ///< by placeholder of the pattern
};

namespace detail {

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

/// For each value of a program, whether the graph returns it.
constexpr auto returned_values(const program_view& program, const graph& of) -> std::vector<char> {
  std::vector<char> is_returned(program.values.size(), 0);
  for (const auto& spec : program.outputs_of(of)) is_returned[index(spec.value)] = 1;
  return is_returned;
}

/// For each value of a program, the node of the graph that makes it.
constexpr auto makers_of(const program_view& program, const graph& of) -> std::vector<node_id> {
  std::vector<node_id> makers(program.values.size(), none<node_id>);
  for (std::uint32_t n = of.nodes.first; n < of.nodes.first + of.nodes.size; ++n) {
    for (const auto output : program.outputs_of(program.nodes[n])) makers[index(output)] = static_cast<node_id>(n);
  }
  return makers;
}

/// The nodes of a pattern from which all others are found: those whose values are returned and used by no node.
/// Errors: `empty_pattern`, `dead_pattern`.
constexpr auto anchors_of(const program_view& pattern) -> result<std::vector<node_id>> {
  if (pattern.root().nodes.size == 0) return broken<rule::empty_pattern>();
  const auto is_returned = returned_values(pattern, pattern.root());
  std::vector<char> is_used(pattern.values.size(), 0);
  for (const auto& record : pattern.nodes_of(pattern.root())) {
    for (const auto input : pattern.inputs(record)) {
      if (input != none<value_id>) is_used[index(input)] = 1;
    }
  }
  std::vector<node_id> anchors;
  const auto run = pattern.root().nodes;
  for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
    bool used = false;
    bool returned = false;
    for (const auto output : pattern.outputs_of(pattern.nodes[n])) {
      used = used || is_used[index(output)] != 0;
      returned = returned || is_returned[index(output)] != 0;
    }
    if (!used && !returned) return broken_at<rule::dead_pattern>(pattern, static_cast<node_id>(n));
    if (!used) anchors.push_back(static_cast<node_id>(n));
  }
  return anchors;
}

/// Seeks one pattern in one graph, from its anchors upwards.
class pattern_finder {
 public:
  constexpr pattern_finder(const program_view& program, graph_id id, const program_view& pattern, literals compare)
      : program_(program),
        graph_(program[id]),
        pattern_(pattern),
        compare_(compare),
        makers_(makers_of(program, graph_)),
        pattern_makers_(makers_of(pattern, pattern.root())),
        is_returned_(returned_values(program, graph_)),
        pattern_returns_(returned_values(pattern, pattern.root())),
        node_image_(pattern.nodes.size(), none<node_id>),
        value_image_(pattern.values.size(), none<value_id>),
        node_is_taken_(program.nodes.size(), 0),
        value_is_taken_(program.values.size(), 0) {}

  constexpr auto run(const std::vector<node_id>& anchors) -> std::vector<pattern_match> {
    place(anchors, 0);
    return std::move(matches_);
  }

 private:
  static constexpr char in_match = 1;
  static constexpr char in_earlier_match = 2;

  constexpr void place(const std::vector<node_id>& anchors, std::size_t next) {
    if (next == anchors.size()) return consider();
    for (std::uint32_t n = graph_.nodes.first; n < graph_.nodes.first + graph_.nodes.size; ++n) {
      const auto nodes = placed_nodes_.size();
      const auto values = placed_values_.size();
      if (match(anchors[next], static_cast<node_id>(n))) place(anchors, next + 1);
      take_back(nodes, values);
    }
  }

  constexpr void take_back(std::size_t nodes, std::size_t values) {
    for (; placed_nodes_.size() > nodes; placed_nodes_.pop_back()) {
      auto& image = node_image_[index(placed_nodes_.back())];
      node_is_taken_[index(image)] = static_cast<char>(node_is_taken_[index(image)] & ~in_match);
      image = none<node_id>;
    }
    for (; placed_values_.size() > values; placed_values_.pop_back()) {
      auto& image = value_image_[index(placed_values_.back())];
      value_is_taken_[index(image)] = 0;
      image = none<value_id>;
    }
  }

  constexpr auto match(node_id of_pattern, node_id candidate) -> bool {
    if (node_image_[index(of_pattern)] != none<node_id>) return node_image_[index(of_pattern)] == candidate;
    if (node_is_taken_[index(candidate)] != 0) return false;
    const auto& wanted = pattern_[of_pattern];
    const auto& found = program_[candidate];
    if (wanted.op != found.op || wanted.inputs.size != found.inputs.size || wanted.outputs.size != found.outputs.size) return false;
    if (wanted.subgraphs.size != 0 || found.subgraphs.size != 0 || !same_literals(wanted, found)) return false;
    node_image_[index(of_pattern)] = candidate;
    node_is_taken_[index(candidate)] = in_match;
    placed_nodes_.push_back(of_pattern);
    for (std::size_t i = 0; i < wanted.outputs.size; ++i) {
      if (!place_value(pattern_.outputs_of(wanted)[i], program_.outputs_of(found)[i])) return false;
    }
    for (std::size_t i = 0; i < wanted.inputs.size; ++i) {
      if (!match_value(pattern_.inputs(wanted)[i], program_.inputs(found)[i])) return false;
    }
    return true;
  }

  constexpr auto match_value(value_id of_pattern, value_id candidate) -> bool {
    if (of_pattern == none<value_id> || candidate == none<value_id>) return of_pattern == candidate;
    if (value_image_[index(of_pattern)] != none<value_id>) return value_image_[index(of_pattern)] == candidate;
    const auto maker = pattern_makers_[index(of_pattern)];
    if (maker == none<node_id>) return place_value(of_pattern, candidate);
    if (makers_[index(candidate)] == none<node_id>) return false;
    return match(maker, makers_[index(candidate)]) && value_image_[index(of_pattern)] == candidate;
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

  constexpr void consider() {
    if (is_used_within() || is_entered_again()) return;
    pattern_match found{node_image_, {}};
    for (const auto input : pattern_.inputs(pattern_.root())) found.placeholders.push_back(value_image_[index(input)]);
    for (const auto id : node_image_) {
      if (id != none<node_id>) node_is_taken_[index(id)] = static_cast<char>(node_is_taken_[index(id)] | in_earlier_match);
    }
    matches_.push_back(std::move(found));
  }

  /// Whether somebody outside uses what the pattern does not return.
  constexpr auto is_used_within() const -> bool {
    std::vector<char> is_inner(program_.values.size(), 0);
    for (std::size_t v = 0; v < value_image_.size(); ++v) {
      if (pattern_makers_[v] == none<node_id> || pattern_returns_[v] != 0) continue;
      if (is_returned_[index(value_image_[v])] != 0) return true;
      is_inner[index(value_image_[v])] = 1;
    }
    for (std::uint32_t n = graph_.nodes.first; n < graph_.nodes.first + graph_.nodes.size; ++n) {
      if ((node_is_taken_[n] & in_match) != 0) continue;
      for (const auto input : program_.inputs(program_.nodes[n])) {
        if (input != none<value_id> && is_inner[index(input)] != 0) return true;
      }
    }
    return false;
  }

  /// Whether a path leaves the match and enters it again.
  constexpr auto is_entered_again() const -> bool {
    std::vector<char> comes_after(program_.values.size(), 0);  // 1: made by the match, 2: by an outsider behind it
    for (std::uint32_t n = graph_.nodes.first; n < graph_.nodes.first + graph_.nodes.size; ++n) {
      const bool is_inside = (node_is_taken_[n] & in_match) != 0;
      char mark = is_inside ? 1 : 0;
      for (const auto input : program_.inputs(program_.nodes[n])) {
        if (input == none<value_id> || comes_after[index(input)] == 0) continue;
        if (is_inside && comes_after[index(input)] == 2) return true;
        if (!is_inside) mark = 2;
      }
      for (const auto output : program_.outputs_of(program_.nodes[n])) comes_after[index(output)] = mark;
    }
    return false;
  }

  program_view program_;
  graph graph_;
  program_view pattern_;
  literals compare_;
  std::vector<node_id> makers_;
  std::vector<node_id> pattern_makers_;
  std::vector<char> is_returned_;
  std::vector<char> pattern_returns_;
  std::vector<node_id> node_image_;
  std::vector<value_id> value_image_;
  std::vector<char> node_is_taken_;
  std::vector<char> value_is_taken_;
  std::vector<node_id> placed_nodes_;
  std::vector<value_id> placed_values_;
  std::vector<pattern_match> matches_;
};

}  // namespace detail

/// The places of a graph where a pattern stands, in the order of the graph. Operators are equal, operands pairwise, attributes too unless
/// they are ignored; a placeholder of the pattern stands for any one value, different placeholders for different values. A match is left
/// out where a node outside uses what the pattern does not return, where a path leaves it and enters it again, and where it overlaps an
/// earlier one. After ExecuTorch's sub-graph matcher. Linear for each node tried; a pattern of k unconnected pieces tries n^k.
/// Errors: `empty_pattern`, `dead_pattern`.
constexpr auto find_matches(const program_view& program, graph_id in, const program_view& pattern, literals compare = literals::compared)
    -> result<std::vector<pattern_match>> {
  const auto anchors = detail::anchors_of(pattern);
  if (!anchors) return anchors.error;
  return detail::pattern_finder(program, in, pattern, compare).run(anchors.value);
}

}  // namespace baton

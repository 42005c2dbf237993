// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The fewest parts of supported nodes that form no cycle, in one pass.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/structural.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// How `by_support` forms parts.
struct partition_options {
  std::uint32_t least_nodes = 1;           ///< parts with fewer nodes are left undelegated
  std::uint32_t most_nodes = 0xffffffffu;  ///< a larger part is split along the order of its nodes, no node from those that follow it
};

namespace detail {

/// One part in the making. Its id is that of the node that made it, or joined it second: the numbering of ExecuTorch's capability
/// partitioner, whose merge keeps the larger set and, at a tie, the newer id.
struct support_part {
  std::uint32_t id = 0;
  std::uint32_t size = 0;
  std::uint32_t weight = 0;  ///< what counts against the least size of a part
};

/// Whether a node goes along with the one that makes its input, by what its support says.
template <operator_support Support>
constexpr auto follows_by(const program_view& program, node_id id) -> bool {
  if constexpr (has_followers<Support>) return Support::follows(program, program[id]);
  return false;
}

/// The nodes that a support accepts. A node of `NonCompute` counts nothing against the least size of a part, one of `Alone` once more; nor
/// does one that follows another.
template <operator_support Support, operator_support NonCompute, operator_support Alone>
struct supported_nodes {
  static constexpr bool takes_placeholders = false;
  static constexpr bool may_follow = has_followers<Support>;
  static constexpr auto follows(const program_view& program, node_id id) -> bool { return follows_by<Support>(program, id); }
  static constexpr auto accepts(const program_view& program, node_id id) -> bool {
    return Support::supports(program, program[id]).accepted;
  }
  static constexpr auto weight(const program_view& program, node_id id) -> std::uint32_t {
    if (follows(program, id)) return 0;
    const std::uint32_t computes = NonCompute::supports(program, program[id]).accepted ? 0 : 1;
    return computes + (Alone::supports(program, program[id]).accepted ? 1 : 0);
  }
};

/// Assigns the supported nodes of one graph to parts, in one pass from the last node to the first.
/// A node's level is the largest number of times that a path from it leaves the supported nodes and enters them again. A path through an
/// outsider always goes to a lower level, so the nodes of one level form one part without a cycle; and a path that leaves k times needs
/// k + 1 parts, so no assignment has fewer. The result is that of the greedy merge of ExecuTorch's capability partitioner, at linear cost.
/// A node that follows another has the level of that one: nothing comes to it but through that one, so no path is the worse for it.
template <class Nodes>
class level_partition {
 public:
  constexpr level_partition(const program_view& program, const partition_options& options, const Nodes& nodes)
      : program_(program),
        nodes_(nodes),
        options_(options),
        by_supported_(program.values.size(), 0),
        by_outsiders_(program.values.size(), 0),
        part_of_(program.nodes.size(), no_part) {}

  constexpr void visit(graph_id id) {
    open_.clear();
    const auto run = program_[id].nodes;
    if constexpr (Nodes::may_follow) find_leaders(run);
    for (std::uint32_t n = run.first + run.size; n-- > run.first;) visit_node(static_cast<node_id>(n));
    visit_placeholders(program_[id]);
    if constexpr (Nodes::may_follow) place_followers(run);
  }

  static constexpr std::uint32_t no_part = 0xffffffffu;

  /// The parts that are large enough, by place, in the order of their ids.
  constexpr auto order() const -> vector<std::uint32_t> {
    vector<std::uint32_t> places;
    for (std::uint32_t place = 0; place < parts_.size(); ++place) {
      if (options_.least_nodes <= 1 || parts_[place].weight >= options_.least_nodes) places.push_back(place);
    }
    std::sort(places.begin(), places.end(), [this](std::uint32_t a, std::uint32_t b) { return parts_[a].id < parts_[b].id; });
    return places;
  }
  constexpr auto parts() const -> const vector<support_part>& { return parts_; }
  /// By node: the place of its part, or `no_part`.
  constexpr auto part_of() const -> const vector<std::uint32_t>& { return part_of_; }
  /// The placeholders that take part, each with the place of its part.
  constexpr auto placeholders() const -> const vector<std::pair<value_id, std::uint32_t>>& { return placeholders_; }

 private:
  constexpr void visit_node(node_id id) {
    const auto& candidate = program_[id];
    std::uint32_t supported = 0;  // 1 + the highest level of a supported user
    std::uint32_t outside = 0;    // the highest need of an outsider that uses it
    for (const auto output : program_.outputs_of(candidate)) {
      supported = std::max(supported, by_supported_[index(output)]);
      outside = std::max(outside, by_outsiders_[index(output)]);
    }
    const bool is_supported = accepts(id);
    const auto level = std::max(supported == 0 ? 0 : supported - 1, outside);
    const auto need = std::max(supported, outside);
    for (const auto input : program_.inputs(candidate)) {
      if (input == none<value_id>) continue;
      auto& mark = is_supported ? by_supported_[index(input)] : by_outsiders_[index(input)];
      mark = std::max(mark, is_supported ? level + 1 : need);
    }
    if (!is_supported) return;
    std::uint32_t followers = 0;
    if constexpr (Nodes::may_follow) {
      if (leader_of_[index(id)] != id) {
        followers_of_[index(leader_of_[index(id)])] += 1;
        return;
      }
      followers = followers_of_[index(id)];
    }
    auto& place = part_of_[index(id)];
    place = join_part(level, 1 + followers);
    parts_[place].weight += nodes_.weight(program_, id);
  }

  // Followers

  /// By node of a graph: the node that it goes along with, in the end, or itself; and whether that one is accepted.
  constexpr void find_leaders(range run) {
    leader_of_.resize(program_.nodes.size(), none<node_id>);
    if (makers_.empty()) makers_ = makers_of(program_);
    is_accepted_.resize(program_.nodes.size(), 0);
    followers_of_.resize(program_.nodes.size(), 0);
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
      const auto id = static_cast<node_id>(n);
      leader_of_[n] = id;
      if (!nodes_.follows(program_, id)) {
        is_accepted_[n] = nodes_.accepts(program_, id) ? 1 : 0;
      } else if (const auto maker = makers_[index(program_.inputs(program_[id])[0])]; maker != none<node_id>) {
        leader_of_[n] = leader_of_[index(maker)];
        is_accepted_[n] = is_accepted_[index(maker)];
      }
    }
  }
  constexpr void place_followers(range run) {
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) part_of_[n] = part_of_[index(leader_of_[n])];
  }
  constexpr auto accepts(node_id id) const -> bool {
    if constexpr (Nodes::may_follow) return is_accepted_[index(id)] != 0;
    return nodes_.accepts(program_, id);
  }

  // Placeholders stand before all nodes.
  constexpr void visit_placeholders(const graph& of) {
    if constexpr (Nodes::takes_placeholders) {
      const auto inputs = program_.inputs(of);
      for (std::size_t i = inputs.size(); i-- > 0;) {
        if (!nodes_.accepts(inputs[i])) continue;
        const auto supported = by_supported_[index(inputs[i])];
        const auto level = std::max(supported == 0 ? 0 : supported - 1, by_outsiders_[index(inputs[i])]);
        placeholders_.emplace_back(inputs[i], join_part(level, 1));
      }
    }
  }

  constexpr auto join_part(std::uint32_t level, std::uint32_t count) -> std::uint32_t {
    while (open_.size() <= level) open_.push_back(no_part);
    auto& place = open_[level];
    if (place == no_part || count > options_.most_nodes || parts_[place].size > options_.most_nodes - count) {
      place = static_cast<std::uint32_t>(parts_.size());
      parts_.push_back({});
    }
    auto& part = parts_[place];
    if (part.size < 2) part.id = next_id_;
    part.size += count;
    ++next_id_;
    return place;
  }

  program_view program_;
  Nodes nodes_;
  partition_options options_;
  vector<std::uint32_t> by_supported_;
  vector<std::uint32_t> by_outsiders_;
  vector<std::uint32_t> part_of_;
  vector<std::pair<value_id, std::uint32_t>> placeholders_;
  vector<std::uint32_t> open_;  ///< by level: the part that takes further nodes
  vector<support_part> parts_;
  vector<node_id> leader_of_;  ///< this and the next three only where nodes may follow others
  vector<node_id> makers_;
  vector<char> is_accepted_;
  vector<std::uint32_t> followers_of_;
  std::uint32_t next_id_ = 0;
};

}  // namespace detail

}  // namespace baton

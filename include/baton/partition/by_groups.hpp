// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Parts around given groups of nodes, none of which is torn apart.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/npos.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/locate.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/graph/cycle.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/cycle_text.hpp>
#include <baton/partition/detail/group_levels.hpp>
#include <baton/partition/detail/group_merge.hpp>
#include <baton/partition/detail/item_graph.hpp>
#include <baton/partition/detail/node_choice.hpp>
#include <baton/partition/explaining_partitioner.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/proposed_parts.hpp>
#include <baton/partition/rules.hpp>
#include <baton/partition/visible_graphs.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

namespace detail {

/// Forms the parts of a program graph by graph: as `group_merge` does, or where that fails as `group_levels` does; refuses cycles.
class group_proposer {
 public:
  constexpr group_proposer(const program_view& program, const partition_options& options, node_choice choice)
      : program_(program),
        options_(options),
        choice_(std::move(choice)),
        group_of_node_(program.nodes.size(), item_group::alone),
        group_of_value_(program.values.size(), item_group::alone) {}

  constexpr auto run(span<const node_list> groups) -> result<proposed_parts> {
    group_count_ = static_cast<std::uint32_t>(groups.size());
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      for (const auto id : groups[g].nodes) {
        if (group_of_node_[index(id)] != item_group::alone) {
          return broken_at<rule::node_in_two_groups>(program_, id, "groups ", group_of_node_[index(id)], " and ", g);
        }
        group_of_node_[index(id)] = g;
      }
      for (const auto id : groups[g].placeholders) group_of_value_[index(id)] = g;
    }
    for (const auto id : visible_graphs(program_)) {
      if (auto why = visit(id)) return why;
    }
    return std::move(parts_);
  }

 private:
  /// Of larger graphs the pairs are too many to try.
  static constexpr std::size_t most_items_in_pairs = 2000;

  constexpr auto visit(graph_id id) -> failure {
    const item_graph graph(program_, id);
    vector<std::uint32_t> group_of(graph.size(), npos);
    for (std::size_t item = 0; item < graph.size(); ++item) {
      if (graph.is_node(item)) {
        const auto node = graph.node_of(item);
        if (choice_.is_taken(node))
          group_of[item] = choice_.follows(node) ? add_follower(graph, group_of, node) : group_of_node_[index(node)];
      } else if (!choice_.is_placeholder_taken.empty() && choice_.is_placeholder_taken[index(graph.placeholders[item])] != 0) {
        group_of[item] = group_of_value_[index(graph.placeholders[item])];
      }
    }
    if (graph.size() <= most_items_in_pairs) {
      const auto merged = group_merge(graph, group_of, next_id_).parts();
      if (!has_cycle(graph, merged)) return propose(graph, merged);
    }
    const group_levels levels(graph, group_of, group_count_);
    if (levels.has_cycle()) return cycle_of(graph, group_of);
    return propose(graph, levels.parts(next_id_));
  }

  /// The group of a node that follows another: that one's; where it has none, they make one.
  constexpr auto add_follower(const item_graph& graph, vector<std::uint32_t>& group_of, node_id id) -> std::uint32_t {
    auto& group = group_of[graph.item_of(choice_.leader_of[index(id)])];
    if (group == item_group::alone) group = group_count_++;
    return group;
  }

  static constexpr auto has_cycle(const item_graph& graph, const item_parts& made) -> bool {
    auto unit_of = items_alone(graph, made.ids.size());
    for (std::size_t item = 0; item < graph.size(); ++item) {
      if (made.part_of[item] != npos) unit_of[item] = made.part_of[item];
    }
    return cycle_finder(graph.uses_of_nodes(), unit_of, made.ids.size() + graph.size()).has_cycle();
  }

  /// Every item a unit by itself, numbered behind the first so many.
  static constexpr auto items_alone(const item_graph& graph, std::size_t first) -> vector<std::uint32_t> {
    vector<std::uint32_t> unit_of;
    for (std::size_t item = 0; item < graph.size(); ++item) unit_of.push_back(static_cast<std::uint32_t>(first + item));
    return unit_of;
  }

  constexpr auto propose(const item_graph& graph, const item_parts& made) -> failure {
    next_id_ = made.next_id;
    proposed_parts parts;
    for (const auto id : made.ids) parts.push_back({id, {}, {}});
    vector<std::uint32_t> weights(made.ids.size(), 0);
    for (std::size_t item = 0; item < graph.size(); ++item) {
      const auto position = made.part_of[item];
      if (position == npos) continue;
      if (graph.is_node(item)) {
        parts[position].nodes.push_back(graph.node_of(item));
        weights[position] += choice_.weight(index(graph.node_of(item)));
      } else {
        parts[position].placeholders.push_back(graph.placeholders[item]);
      }
    }
    for (std::size_t position = 0; position < parts.size(); ++position) {
      if (options_.least_nodes <= 1 || weights[position] >= options_.least_nodes) parts_.push_back(std::move(parts[position]));
    }
    return {};
  }

  /// Names a cycle of groups through an item that is not taken; where there is none, merging finds parts without a cycle.
  constexpr auto cycle_of(const item_graph& graph, const vector<std::uint32_t>& group_of) const -> failure {
    auto unit_of = items_alone(graph, group_count_);
    for (std::size_t item = 0; item < graph.size(); ++item) {
      if (group_of[item] < group_count_) unit_of[item] = group_of[item];
    }
    const auto uses = graph.uses_of_nodes();
    cycle_finder cycles(uses, unit_of, group_count_ + graph.size());
    for (std::size_t item = 0; item < graph.size(); ++item) {
      if (group_of[item] != npos) continue;
      const auto cycle = cycles.through(unit_of[item]);
      if (!cycle.empty()) return cycle_failure(graph, cycle);
    }
    return broken<rule::cycle_of_groups>();
  }

  constexpr auto cycle_failure(const item_graph& graph, const vector<edge>& cycle) const -> failure {
    const auto name = [&](std::uint32_t item) {
      return program_.text(graph.is_node(item) ? program_[graph.node_of(item)].name : program_[graph.placeholders[item]].name);
    };
    const auto path = cycle_text(cycle, name, [](std::uint32_t) { return std::string_view{}; });
    const auto at = cycle.front().second;
    auto why = broken<rule::cycle_of_groups>(view(path));
    if (graph.is_node(at)) return locate(std::move(why), program_, graph.node_of(at));
    return why;
  }

  program_view program_;
  partition_options options_;
  node_choice choice_;
  vector<std::uint32_t> group_of_node_;
  vector<std::uint32_t> group_of_value_;
  std::uint32_t group_count_ = 0;
  proposed_parts parts_;
  std::uint32_t next_id_ = 0;
};

}  // namespace detail

/// Parts of the nodes that a support accepts, those of one group together; what a support refuses is in no group. Parts grow by the rule
/// of ExecuTorch's group partitioner; ids count from the last node up. Where that rule leaves parts that need each other, and in graphs of
/// more than 2,000 nodes and placeholders, they are the fewest that form no cycle instead; that is near-linear. This fails where groups
/// cannot be kept together without a cycle, through a node that is not supported, and names the path. Errors: `misplaced_index`,
/// `node_in_two_groups`, `cycle_of_groups`.
template <operator_support Support, operator_support NonCompute = no_support, operator_support Alone = no_support>
constexpr auto group_parts(const program_view& program, span<const node_list> groups, const partition_options& options = {})
    -> result<proposed_parts> {
  if (auto why = detail::check_lists(program, groups)) return why;
  return detail::group_proposer(program, options, detail::choose_nodes<Support, NonCompute, Alone>(program)).run(groups);
}

/// Parts of what lists name and of what a support accepts, every list staying together; listed placeholders take part.
/// Errors: `nothing_to_partition`, `misplaced_index`, `node_in_two_groups`, `cycle_of_groups`.
template <operator_support Support = no_support>
constexpr auto grouped_parts_from_lists(const program_view& program, span<const node_list> lists) -> result<proposed_parts> {
  if (std::is_same_v<Support, no_support> && lists.empty()) return broken<rule::nothing_to_partition>();
  if (auto why = detail::check_lists(program, lists)) return why;
  return detail::group_proposer(program, {}, detail::choose_nodes<Support>(program, lists)).run(lists);
}

/// A partitioner that keeps groups whole. `Groups` is called with the program and returns a `baton::vector<baton::node_list>`; members that
/// `Support` refuses stay out. Tags are `tag0`, `tag1` and so on. Errors: those of `group_parts`, `node_tagged_twice`.
template <class Backend, auto Groups, required_support Support>
struct by_groups {
  using backend = Backend;

  static constexpr auto partition(const program_view& program) -> result<partition_result> {
    return detail::tagged_with<Backend>(program, group_parts<detail::sound_support<Support>>(program, Groups(program)));
  }

  /// Why nodes stay: what the support says of them; it alone decides.
  static constexpr auto why_left(const program_view& tagged) {
    return [tagged](node_id id) { return detail::why_unsupported<detail::sound_support<Support>>(tagged, id); };
  }
};

}  // namespace baton

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The canonical partitioner: the largest parts of supported nodes that form no cycle.
#pragma once

#include <baton/core/program.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/visible_graphs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace baton {

/// How `by_support` forms parts.
struct partition_options {
  std::uint32_t least_nodes = 1;           ///< parts with fewer nodes are left undelegated
  std::uint32_t most_nodes = 0xffffffffu;  ///< a larger part is split along the order of its nodes
};

namespace detail {

/// One part in the making. Its id is that of the node that made it, or joined it second: the numbering of the capability partitioner, whose
/// merge keeps the larger set and, at a tie, the newer id.
struct support_part {
  std::uint32_t id = 0;
  std::uint32_t size = 0;
};

/// Assigns the supported nodes of one graph to parts, in one pass from the last node to the first.
/// A node's level is the largest number of times that a path from it leaves the supported nodes and enters them again. A path through an
/// outsider always goes to a lower level, so the nodes of one level form one part without a cycle; and a path that leaves k times needs
/// k + 1 parts, so no assignment has fewer. The result is that of the greedy merge of ExecuTorch's capability partitioner, at linear cost.
template <operator_support Support>
class level_partition {
 public:
  constexpr level_partition(const program_view& program, const partition_options& options)
      : program_(program),
        options_(options),
        by_supported_(program.values.size(), 0),
        by_outsiders_(program.values.size(), 0),
        part_of_(program.nodes.size(), no_part) {}

  constexpr void visit(graph_id id) {
    open_.clear();
    const auto run = program_[id].nodes;
    for (std::uint32_t n = run.first + run.size; n-- > run.first;) visit_node(static_cast<node_id>(n));
  }

  static constexpr std::uint32_t no_part = 0xffffffffu;

  /// The parts that are large enough, by place, in the order of their ids.
  constexpr auto order() const -> std::vector<std::uint32_t> {
    std::vector<std::uint32_t> places;
    for (std::uint32_t place = 0; place < parts_.size(); ++place) {
      if (parts_[place].size >= options_.least_nodes) places.push_back(place);
    }
    std::sort(places.begin(), places.end(), [this](std::uint32_t a, std::uint32_t b) { return parts_[a].id < parts_[b].id; });
    return places;
  }
  constexpr auto parts() const -> const std::vector<support_part>& { return parts_; }
  /// By node: the place of its part, or `no_part`.
  constexpr auto part_of() const -> const std::vector<std::uint32_t>& { return part_of_; }

 private:
  constexpr void visit_node(node_id id) {
    const auto& candidate = program_[id];
    std::uint32_t supported = 0;  // 1 + the highest level of a supported user
    std::uint32_t outside = 0;    // the highest need of an outsider that uses it
    for (const auto output : program_.outputs_of(candidate)) {
      supported = std::max(supported, by_supported_[index(output)]);
      outside = std::max(outside, by_outsiders_[index(output)]);
    }
    const bool is_supported = Support::supports(program_, candidate).accepted;
    const auto level = std::max(supported == 0 ? 0 : supported - 1, outside);
    const auto need = std::max(supported, outside);
    for (const auto input : program_.inputs(candidate)) {
      if (input == none<value_id>) continue;
      auto& mark = is_supported ? by_supported_[index(input)] : by_outsiders_[index(input)];
      mark = std::max(mark, is_supported ? level + 1 : need);
    }
    if (is_supported) join_part(id, level);
  }

  constexpr void join_part(node_id id, std::uint32_t level) {
    while (open_.size() <= level) open_.push_back(no_part);
    auto& place = open_[level];
    if (place == no_part || parts_[place].size >= options_.most_nodes) {
      place = static_cast<std::uint32_t>(parts_.size());
      parts_.push_back({});
    }
    auto& part = parts_[place];
    if (part.size < 2) part.id = next_id_;
    part.size += 1;
    part_of_[index(id)] = place;
    ++next_id_;
  }

  program_view program_;
  partition_options options_;
  std::vector<std::uint32_t> by_supported_;
  std::vector<std::uint32_t> by_outsiders_;
  std::vector<std::uint32_t> part_of_;
  std::vector<std::uint32_t> open_;  ///< by level: the part that takes further nodes
  std::vector<support_part> parts_;
  std::uint32_t next_id_ = 0;
};

}  // namespace detail

/// A partitioner that gives a backend all that an operator support accepts, in the fewest parts that form no cycle; tags are `tag0`,
/// `tag1` and so on. Independent supported nodes share a part. Graphs inside delegates are left alone, subgraphs of control flow are
/// visited. Example: `baton::to_backend(target, model, baton::by_support<my_npu, baton::operators<"tfl.conv_2d">>{})`.
template <class Backend, operator_support Support, partition_options Options = partition_options{}>
struct by_support {
  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged{program};
    detail::level_partition<Support> levels(program, Options);
    const auto is_inside_delegate = detail::graphs_inside_delegates(program);
    for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
      if (is_inside_delegate[g] == 0) levels.visit(static_cast<graph_id>(g));
    }
    const auto order = levels.order();
    tagged.reserve(order.size());
    std::vector<tag_id> tags(levels.parts().size(), none<tag_id>);
    for (const auto place : order) {
      const auto name = join("tag", levels.parts()[place].id);
      tags[place] = tagged.add_tag(view(name), delegation_spec{to_text(Backend::id)});
    }
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      const auto place = levels.part_of()[n];
      if (place != levels.no_part) tagged.tag_node(static_cast<node_id>(n), tags[place]);
    }
    return tagged;
  }
};

}  // namespace baton

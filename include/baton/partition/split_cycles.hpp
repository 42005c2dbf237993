// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A partitioner that splits the parts of another partitioner if the parts form a cycle. A part is the nodes of a graph that become one
// delegate. A tag is the name of a part.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/graph/components.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/graph/shared/edges_between_units.hpp>
#include <baton/operators/shared/state_order.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/visible_graphs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

namespace detail {

/// A splitter of tags. Splits each tag that is on a cycle into pieces. Each piece, and each untagged node on a cycle, has a level. If a
/// piece depends on another piece or an untagged node of the same cycle, the dependent piece has the higher level. If an untagged node
/// depends on a piece or node of the same cycle, the dependent node has at least the same level. So levels never decrease along a path, and
/// no path that leaves a piece returns to this piece.
class cycle_splitter {
 public:
  constexpr cycle_splitter(partition_result& parts, const program_view& program)
      : parts_(parts),
        program_(program),
        spec_of_(parts.tag_count(), npos),
        open_(parts.tag_count(), npos),
        extra_pieces_(parts.tag_count(), 0),
        producers_(producers_of(program)) {
    for (std::uint32_t i = 0; i < parts.partition_tags.size(); ++i) {
      if (const auto id = index(parts.partition_tags[i].first); id < spec_of_.size()) spec_of_[id] = i;
    }
  }

  constexpr void split(const graph& in) {
    nodes_ = in.nodes;
    uses_ = dependencies_between(program_, in, producers_);
    find_cycles();
    pieces_.clear();
    position_.assign(nodes_.size, {});
    std::size_t end = 0;
    for (std::uint32_t n = 0; n < nodes_.size; ++n) {
      const auto first = end;
      while (end < uses_.size() && uses_[end].second == n) ++end;
      if (is_on_cycle(n)) split_node(n, {uses_.data() + first, end - first});
    }
    for (std::uint32_t n = 0; n < nodes_.size; ++n) {
      if (position_[n].piece == npos) continue;
      parts_.tag_node(node_at(n), none<tag_id>);
      parts_.tag_node(node_at(n), pieces_[position_[n].piece].as);
    }
    for (const auto& closed : pieces_) open_[closed.tag] = npos;
  }

 private:
  struct piece {
    std::uint32_t tag = npos;  ///< the tag that is split
    tag_id as = none<tag_id>;  ///< the tag of the piece in the result
    std::uint32_t level = 0;
    bool is_fixed = false;  ///< whether a node of the same cycle outside the piece depends on the piece; if so, `level` must not change
  };
  struct node_position {
    std::uint32_t piece = npos;
    std::uint32_t level = 0;  ///< used only if the node is in no piece
  };

  constexpr auto node_at(std::uint32_t n) const -> node_id { return node_id{nodes_.first + n}; }
  /// Returns the tag of a node, or `npos` if the node has no tag with a delegation spec. A delegation spec is the backend and the compile
  /// specs of a tag.
  constexpr auto tag_of(std::uint32_t n) const -> std::uint32_t {
    const auto id = index(parts_.tag_of(node_at(n)));
    return id < spec_of_.size() && spec_of_[id] != npos ? id : npos;
  }

  /// Finds the cycles of units. All nodes with the same tag form one unit; each node without a tag is a unit by itself. Units that depend
  /// on each other are on one cycle.
  constexpr void find_cycles() {
    std::uint32_t units = 0;
    unit_of_.clear();
    for (std::uint32_t n = 0; n < nodes_.size; ++n) {
      const auto tag = tag_of(n);
      unit_of_.push_back(tag != npos && open_[tag] != npos ? open_[tag] : units++);
      if (tag != npos) open_[tag] = unit_of_[n];
    }
    for (std::uint32_t n = 0; n < nodes_.size; ++n) {
      if (const auto tag = tag_of(n); tag != npos) open_[tag] = npos;
    }
    cycle_of_unit_ = strong_components({edges_between_units(uses_, unit_of_), units});
    units_on_.assign(units, 0);
    for (const auto cycle : cycle_of_unit_) units_on_[cycle] += 1;
  }
  constexpr auto cycle_of(std::uint32_t n) const -> std::uint32_t { return cycle_of_unit_[unit_of_[n]]; }
  constexpr auto is_on_cycle(std::uint32_t n) const -> bool { return units_on_[cycle_of(n)] > 1; }

  /// Assigns node `n`, which is on a cycle, to a piece of the node's tag. If the node has no tag, computes only the level of the node. The
  /// producers of the operands of node `n` must already be processed.
  constexpr void split_node(std::uint32_t n, span<const edge> uses) {
    const auto tag = tag_of(n);
    const auto open = tag == npos ? npos : open_[tag];
    auto& here = position_[n];
    std::uint32_t min_level = 0;  // the minimum level of the open piece if the node joins it
    for (const auto& [used, user] : uses) {
      if (cycle_of(used) != cycle_of(n)) continue;
      const auto level = level_of(used) + (tag == npos ? 0 : 1);
      here.level = std::max(here.level, level);
      if (tag == npos || position_[used].piece != open) min_level = std::max(min_level, level);
    }
    if (tag != npos) here.piece = raise(open, min_level) ? open : new_piece(tag, here.level);
    for (const auto& [used, user] : uses) {
      const auto from = position_[used].piece;
      if (cycle_of(used) == cycle_of(n) && from != npos && from != here.piece) pieces_[from].is_fixed = true;
    }
  }
  constexpr auto level_of(std::uint32_t n) const -> std::uint32_t {
    return position_[n].piece == npos ? position_[n].level : pieces_[position_[n].piece].level;
  }

  /// Raises the level of the piece `open` to `level`, if the level is not fixed. Returns whether the piece then has at least this level.
  /// Returns false if `open` is `npos`.
  constexpr auto raise(std::uint32_t open, std::uint32_t level) -> bool {
    if (open == npos) return false;
    auto& raised = pieces_[open];
    if (!raised.is_fixed) raised.level = std::max(raised.level, level);
    return raised.level >= level;
  }

  /// Opens a piece of a tag. The first piece in a graph keeps the tag; further pieces get unused names, `<tag>_1` and so on.
  constexpr auto new_piece(std::uint32_t tag, std::uint32_t level) -> std::uint32_t {
    auto as = static_cast<tag_id>(tag);
    if (open_[tag] != npos) {
      const auto next_name = [&] { return join(parts_.name_of(tag_id{tag}), "_", ++extra_pieces_[tag]); };
      auto name = next_name();
      while (parts_.find_tag(view(name)) != none<tag_id>) name = next_name();
      as = parts_.add_tag(view(name), delegation_spec(parts_.partition_tags[spec_of_[tag]].second));
    }
    open_[tag] = static_cast<std::uint32_t>(pieces_.size());
    pieces_.push_back({tag, as, level, false});
    return open_[tag];
  }

  partition_result& parts_;
  program_view program_;
  vector<std::uint32_t> spec_of_;       ///< indexed by tag: the position of the tag's spec in `partition_tags`, or `npos`
  vector<std::uint32_t> open_;          ///< indexed by tag: the tag's last piece in the current graph; in `find_cycles`, the tag's unit
  vector<std::uint32_t> extra_pieces_;  ///< indexed by tag: the number of pieces with new names
  vector<node_id> producers_;

  // The following members describe the current graph, whose nodes are numbered from 0.
  range nodes_;
  vector<edge> uses_;               ///< pairs of a node and a node that depends on it, sorted by the second node
  vector<std::uint32_t> unit_of_;   ///< indexed by node
  vector<node_position> position_;  ///< indexed by node
  vector<std::uint32_t> cycle_of_unit_;
  vector<std::uint32_t> units_on_;  ///< indexed by cycle: the number of units on the cycle
  vector<piece> pieces_;
};

}  // namespace detail

/// A partitioner that splits the parts of another partitioner if they form a cycle: `baton::split_cycles<my_partitioner>`. Parts that are
/// on no cycle are unchanged. The first piece of a part keeps the tag. Further pieces have the tags `<tag>_1` and so on, with the same
/// spec. Use `split_cycles` for partitioners whose groups come from users or other tools. `by_support` and the partitioners built on
/// `by_support` do not need `split_cycles`, because their parts form no cycle. The algorithm is greedy, so there may be more pieces than
/// necessary (`tests/properties/split_cycles_test.cpp` measures the number of pieces). O(nodes + values + operands) if there are few
/// mutable buffers, which keep their values from run to run. The tags of data do not change. So lowering fails if a piece with a new tag
/// uses data that only one part may own (a mutable buffer, or data with `data_sharing::own`). `Partitioner` is a base class, so it must not
/// be `final`. Fails with the errors of `Partitioner`.
template <partitioner Partitioner>
struct split_cycles : Partitioner {
  constexpr auto partition(const exported_program& program) const -> result<partition_result> {
    result<partition_result> tagged = Partitioner::partition(program);
    if (!tagged) return tagged;
    detail::cycle_splitter splitter(tagged.value, program);
    for (const auto id : visible_graphs(program)) splitter.split(program.graphs[index(id)]);
    return tagged;
  }
};

}  // namespace baton

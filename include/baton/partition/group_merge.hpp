// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The merge rule of ExecuTorch's group partitioner: given groups stay whole, and parts grow around them while no cycle forms.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/cycle.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// A set of the items of one graph.
class item_set {
 public:
  constexpr explicit item_set(std::size_t items) : words_((items + 63) / 64, 0) {}

  constexpr void add(std::size_t item) { words_[item / 64] |= std::uint64_t{1} << (item % 64); }
  /// Says whether one of the others is new.
  constexpr auto add(const item_set& others) -> bool {
    std::uint64_t news = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      news |= others.words_[w] & ~words_[w];
      words_[w] |= others.words_[w];
    }
    return news != 0;
  }
  constexpr void remove(const item_set& others) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= ~others.words_[w];
  }
  constexpr auto has(std::size_t item) const -> bool { return (words_[item / 64] >> (item % 64) & 1) != 0; }
  constexpr auto meets(const item_set& others) const -> bool {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      if ((words_[w] & others.words_[w]) != 0) return true;
    }
    return false;
  }

 private:
  vector<std::uint64_t> words_;
};

/// One graph's placeholders, then its nodes, as items with users.
struct item_graph {
  vector<value_id> placeholders;
  std::uint32_t first_node = 0;
  vector<vector<std::uint32_t>> users;

  constexpr item_graph(const program_view& program, graph_id id)
      : placeholders(program.inputs(program[id]).begin(), program.inputs(program[id]).end()),
        first_node(program[id].nodes.first) {
    vector<std::uint32_t> maker(program.values.size(), none_made);
    for (std::uint32_t i = 0; i < placeholders.size(); ++i) maker[index(placeholders[i])] = i;
    users.resize(placeholders.size() + program[id].nodes.size);
    auto item = static_cast<std::uint32_t>(placeholders.size());
    for (const auto& record : program.nodes_of(program[id])) {
      for (const auto input : program.inputs(record)) {
        if (input == none<value_id> || maker[index(input)] == none_made) continue;
        auto& list = users[maker[index(input)]];
        if (list.empty() || list.back() != item) list.push_back(item);
      }
      for (const auto output : program.outputs_of(record)) maker[index(output)] = item;
      ++item;
    }
  }
  /// The same where placeholders come before nothing: owned data is there for all its users, whatever part it goes along with.
  constexpr auto of_nodes() const -> item_graph {
    auto made = *this;
    for (std::size_t item = 0; item < placeholders.size(); ++item) made.users[item].clear();
    return made;
  }
  constexpr auto uses() const -> vector<item_use> {
    vector<item_use> listed;
    for (std::uint32_t item = 0; item < users.size(); ++item) {
      for (const auto user : users[item]) listed.emplace_back(item, user);
    }
    return listed;
  }
  constexpr auto size() const -> std::size_t { return users.size(); }
  constexpr auto is_node(std::size_t item) const -> bool { return item >= placeholders.size(); }
  constexpr auto node_of(std::size_t item) const -> node_id {
    return static_cast<node_id>(first_node + static_cast<std::uint32_t>(item - placeholders.size()));
  }

 private:
  static constexpr std::uint32_t none_made = 0xffffffffu;
};

/// Whether a path may go through another part, in at one member and out at another.
enum class other_parts : bool {
  overlooked,  ///< as ExecuTorch's group partitioner does: parts may end up in a cycle
  heeded,      ///< no cycle comes about, and parts that need one another are merged first
};

/// Merges the parts of one graph. `group_of` says for each item that is taken to which group it belongs, `alone` if to none.
/// Each pair of parts is tried once, earlier ids first; they merge if no path leaves the union and enters it again. Where other parts are
/// heeded, a cycle is left only where every way of merging leaves one: a cycle of groups that goes through an item that is not taken.
/// Quadratic in the parts; n²/8 bytes for n items.
class group_merge {
 public:
  static constexpr std::uint32_t alone = 0xfffffffeu;
  static constexpr std::uint32_t untaken = 0xffffffffu;

  struct part {
    std::uint32_t id = 0;
    bool is_alive = true;
    item_set members;
    item_set users;
  };

  constexpr group_merge(const item_graph& graph, const vector<std::uint32_t>& group_of, std::uint32_t first_id,
                        other_parts others = other_parts::overlooked)
      : graph_(graph),
        others_(others),
        next_id_(first_id),
        part_of_(graph.size(), untaken) {
    find_downstream();
    for (auto item = graph.size(); item-- > 0;) {
      if (group_of[item] != untaken && part_of_[item] == untaken) add_part(group_of, item);
    }
    if (others_ == other_parts::heeded) merge_cycles();
    merge();
  }

  constexpr auto parts() const -> const vector<part>& { return parts_; }
  constexpr auto next_id() const -> std::uint32_t { return next_id_; }

 private:
  constexpr void find_downstream() {
    downstream_.resize(graph_.size(), item_set(graph_.size()));
    for (auto item = graph_.size(); item-- > 0;) {
      for (const auto user : graph_.users[item]) {
        downstream_[item].add(user);
        downstream_[item].add(downstream_[user]);
      }
    }
  }

  constexpr void add_part(const vector<std::uint32_t>& group_of, std::size_t item) {
    part made{next_id_++, true, item_set(graph_.size()), item_set(graph_.size())};
    for (std::size_t other = 0; other <= item; ++other) {
      if (other != item && (group_of[item] == alone || group_of[other] != group_of[item])) continue;
      part_of_[other] = made.id;
      made.members.add(other);
      for (const auto user : graph_.users[other]) made.users.add(user);
    }
    parts_.push_back(std::move(made));
  }

  constexpr void merge() {
    for (std::size_t a = 0; a < parts_.size(); ++a) {
      if (!parts_[a].is_alive) continue;
      for (auto b = a + 1; b < parts_.size(); ++b) {
        if (!parts_[b].is_alive || !may_merge(parts_[a], parts_[b])) continue;
        join(parts_[a], parts_[b]);
        if (others_ == other_parts::heeded) spread(parts_[a]);
      }
    }
  }

  static constexpr void join(part& into, part& from) {
    into.members.add(from.members);
    into.users.add(from.users);
    from.is_alive = false;
  }

  constexpr auto reach_of(const part& from) const -> item_set {
    item_set reach(graph_.size());
    for (std::size_t item = 0; item < graph_.size(); ++item) {
      if (from.members.has(item)) reach.add(downstream_[item]);
    }
    return reach;
  }

  /// Lets what comes before a part come before all that one of its members reaches. Says whether that is new.
  constexpr auto spread(const part& through) -> bool {
    const auto reach = reach_of(through);
    bool is_new = false;
    for (std::size_t item = 0; item < graph_.size(); ++item) {
      const bool is_member = through.members.has(item);
      if (!is_member && !downstream_[item].meets(through.members)) continue;
      if (!is_member && downstream_[item].add(through.members)) is_new = true;
      if (downstream_[item].add(reach)) is_new = true;
    }
    return is_new;
  }

  /// Parts that need one another have to be one.
  constexpr void merge_cycles() {
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (const auto& through : parts_) is_new = spread(through) || is_new;
    }
    for (std::size_t a = 0; a < parts_.size(); ++a) {
      if (!parts_[a].is_alive) continue;
      const auto reach = reach_of(parts_[a]);
      for (auto b = a + 1; b < parts_.size(); ++b) {
        if (parts_[b].is_alive && reach.meets(parts_[b].members) && reach_of(parts_[b]).meets(parts_[a].members)) {
          join(parts_[a], parts_[b]);
        }
      }
    }
  }

  constexpr auto may_merge(const part& a, const part& b) const -> bool {
    auto together = a.members;
    together.add(b.members);
    auto beyond = a.users;
    beyond.add(b.users);
    beyond.remove(together);
    for (std::size_t item = 0; item < graph_.size(); ++item) {
      if (beyond.has(item) && downstream_[item].meets(together)) return false;
    }
    return true;
  }

  const item_graph& graph_;
  other_parts others_;
  std::uint32_t next_id_;
  vector<std::uint32_t> part_of_;
  vector<item_set> downstream_;
  vector<part> parts_;
};

}  // namespace baton::detail

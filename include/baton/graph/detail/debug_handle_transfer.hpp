// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Transfers the debug handles of erased nodes to the nodes that replace them. A debug handle is the number that identifies a node of the
// model.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/pools.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/detail/compaction.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// The transfer of the debug handles of each erased node to a new owner. The owner is the first node in this list that exists:
/// - the node in `program_changes::folded_into`. `basic_rewriter::erase` sets `folded_into` to the argument `owner`.
/// `basic_rewriter::set_input` sets `folded_into` to the node whose operand is replaced, if the previous operand is an output of the erased
/// node. An example is a convolution into which a padding is folded;
/// - the producer of the value that replaces an output of the erased node, for example the node before a copy that was erased;
/// - the first user of an output of the erased node. An example is a reshape, if the erased node computed its shape, and a constant
/// replaced the shape.
/// If the owner is also erased, the handles move on to its owner. If none of the listed nodes exists, the handles are dropped.
/// O(nodes + edges), plus the sort of the moved handles. `program_changes::inserted` must be sorted.
class debug_handle_transfer {
 public:
  constexpr debug_handle_transfer(exported_program& program, program_changes& changes) : program_(program), changes_(changes) {}

  constexpr void run() {
    if (std::find(changes_.erased.begin(), changes_.erased.end(), char{1}) == changes_.erased.end()) return;
    owner_.assign(program_.nodes.size(), none<node_id>);
    user_.assign(program_.values.size(), none<node_id>);
    // Visits nodes in reverse order of execution, so that users come before producers. Place 2n is before node n, and place 2n + 1 is after
    // node n.
    auto next = changes_.inserted.size();
    for (auto n = owner_.size() - changes_.inserted.size(); n-- > 0;) {
      for (; next > 0 && changes_.inserted[next - 1].place == 2 * n + 1; --next) visit(changes_.inserted[next - 1].id);
      visit(static_cast<node_id>(n));
      for (; next > 0 && changes_.inserted[next - 1].place == 2 * n; --next) visit(changes_.inserted[next - 1].id);
    }
    resolve_waiting_nodes();
    for (std::size_t n = 0; n < owner_.size(); ++n) {
      if (changes_.erased[n] != 0 && owner_[n] != none<node_id>) collect_handles(program_.nodes[n], owner_[n]);
    }
    move_handles();
  }

 private:
  using moved_handle = std::pair<std::uint32_t, std::int64_t>;  // a new owner and a handle

  constexpr void visit(node_id id) {
    const auto& record = program_[id];
    const auto owner = changes_.erased[id] == 0 ? id : owner_of(record, id);
    owner_[id] = owner;
    if (owner == none<node_id>) return;
    for (const auto used : std::as_const(program_).inputs(record)) {
      if (used != none<value_id>) user_[used] = owner;
    }
  }

  constexpr auto owner_of(const node& record, node_id id) -> node_id {
    auto target = changes_.folded_into[id];
    if (target != none<node_id> && owner_[target] != none<node_id>) return owner_[target];
    // If the fold target (`folded_into`) runs before this node, the target is not yet visited. If the target is not erased, it is the
    // owner. If the target is erased, the fold target of the target is checked in the same way.
    for (std::size_t steps = 0; target != none<node_id> && steps < owner_.size(); ++steps) {
      if (changes_.erased[target] == 0) return target;
      target = changes_.folded_into[target];
    }
    auto user = none<node_id>;
    for (const auto output : std::as_const(program_).outputs_of(record)) {
      const auto producer = changes_.producer[changes_.current(output)];
      if (producer != none<node_id> && changes_.erased[producer] == 0) return producer;
      if (user == none<node_id>) user = user_[output];
    }
    return user;
  }

  /// Finds owners for the erased nodes that `visit` left without an owner, for example because their replacement was also erased later in
  /// the pass. An erased node without an owner waits for three kinds of nodes: its fold target, the producer of a replacement, and an
  /// erased user. As soon as one of these nodes has an owner, the waiting node gets the same owner.
  constexpr void resolve_waiting_nodes() {
    vector<node_id> unresolved;
    for (std::size_t n = 0; n < owner_.size(); ++n) {
      if (changes_.erased[n] != 0 && owner_[n] == none<node_id>) unresolved.push_back(static_cast<node_id>(n));
    }
    if (unresolved.empty()) return;
    vector<std::pair<node_id, node_id>> pairs;  // a node, and an erased node that waits for the owner of the first node
    vector<node_id> producers(program_.values.size(), none<node_id>);
    for (const auto id : unresolved) {
      if (changes_.folded_into[id] != none<node_id>) pairs.push_back({changes_.folded_into[id], id});
      for (const auto output : std::as_const(program_).outputs_of(program_[id])) {
        producers[output] = id;
        const auto producer = changes_.producer[changes_.current(output)];
        if (producer != none<node_id>) pairs.push_back({producer, id});
      }
    }
    for (const auto id : unresolved) {
      for (const auto used : std::as_const(program_).inputs(program_[id])) {
        if (used != none<value_id> && producers[used] != none<node_id>) pairs.push_back({id, producers[used]});
      }
    }
    // `first` contains the first pair of each node, and `next` links the pairs of one node in order.
    vector<std::size_t> first(owner_.size(), pairs.size());
    vector<std::size_t> next(pairs.size(), pairs.size());
    for (auto w = pairs.size(); w-- > 0;) next[w] = std::exchange(first[pairs[w].first], w);
    vector<node_id> resolved;
    for (const auto& [source, id] : pairs) {
      if (owner_[source] != none<node_id> && first[source] != pairs.size()) resolved.push_back(source);
    }
    for (std::size_t k = 0; k < resolved.size(); ++k) {  // `resolved` grows
      for (auto w = std::exchange(first[resolved[k]], pairs.size()); w != pairs.size(); w = next[w]) {
        const auto id = pairs[w].second;
        if (owner_[id] != none<node_id>) continue;
        owner_[id] = owner_[resolved[k]];
        resolved.push_back(id);
      }
    }
  }

  constexpr void collect_handles(const node& from, node_id owner) {
    const auto add = [&](std::int64_t handle) {
      if (handle != 0 && handle != program_[owner].debug_handle) moved_handles_.push_back({index(owner), handle});
    };
    add(from.debug_handle);
    for (const auto handle : std::as_const(program_).folded_handles(from)) add(handle);
  }

  constexpr void move_handles() {
    const auto count = moved_handles_.size();
    for (std::size_t i = 0; i < count; ++i) {
      auto& handles = program_.nodes[moved_handles_[i].first].folded_handles;  // emptied below, so the previous handles are added only once
      for (std::uint32_t h = 0; h < handles.size; ++h)
        moved_handles_.push_back({moved_handles_[i].first, program_.integers[handles.first + h]});
      handles = {};
    }
    sort(moved_handles_.begin(), moved_handles_.end());
    moved_handles_.resize(static_cast<std::size_t>(std::unique(moved_handles_.begin(), moved_handles_.end()) - moved_handles_.begin()));
    for (const auto& [owner, handle] : moved_handles_) {
      auto& handles = program_.nodes[owner].folded_handles;
      const auto position = add_to(program_.integers, handle);
      if (handles.size == 0) handles.first = position;
      handles.size += 1;
    }
  }

  exported_program& program_;
  program_changes& changes_;
  vector<node_id> owner_;  ///< indexed by node: the node itself; if the node is erased, the final owner of its handles
  vector<node_id> user_;   ///< indexed by value: the first node whose record has this operand; if it is erased, the owner of its handles
  vector<moved_handle> moved_handles_;
};

}  // namespace baton::detail

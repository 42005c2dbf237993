// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Debug handles of nodes that go, given to the nodes that do their work from now on.
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

/// Finds for every node that goes the one that is heir to its handles, and gives it them. That is, in this order: the node whose operand
/// was set to another value than the one's output, as a convolution's in front of which a padding went; the node that makes what stands
/// for the output, as in front of a copy that went; the first node that uses the output, as a reshape behind shapes that are constants now.
/// An heir that goes too leaves them to its own. Nobody is heir to what nobody used. Linear in the program; `inserted` is in order.
class handle_heirs {
 public:
  constexpr handle_heirs(exported_program& program, program_changes& changes) : program_(program), changes_(changes) {}

  constexpr void run() {
    if (std::find(changes_.gone.begin(), changes_.gone.end(), char{1}) == changes_.gone.end()) return;
    last_.assign(program_.nodes.size(), none<node_id>);
    user_.assign(program_.values.size(), none<node_id>);
    // Backwards as they run: users come behind what they use.
    auto next = changes_.inserted.size();
    for (auto n = last_.size() - changes_.inserted.size(); n-- > 0;) {
      look_at(static_cast<node_id>(n));
      for (; next > 0 && changes_.inserted[next - 1].before == n; --next) look_at(changes_.inserted[next - 1].id);
    }
    ask_those_in_front();
    for (std::size_t n = 0; n < last_.size(); ++n) {
      if (changes_.gone[n] != 0 && last_[n] != none<node_id>) note(program_.nodes[n], last_[n]);
    }
    give();
  }

 private:
  using gift = std::pair<std::uint32_t, std::int64_t>;  // an heir and a handle

  constexpr void look_at(node_id id) {
    const auto& record = program_[id];
    const auto last = changes_.gone[index(id)] == 0 ? id : heir_of(record, id);
    last_[index(id)] = last;
    if (last == none<node_id>) return;
    for (const auto used : std::as_const(program_).inputs(record)) {
      if (used != none<value_id>) user_[index(used)] = last;
    }
  }

  constexpr auto heir_of(const node& record, node_id id) -> node_id {
    const auto said = changes_.heir[index(id)];
    if (said != none<node_id> && last_[index(said)] != none<node_id>) return last_[index(said)];
    auto user = none<node_id>;
    for (const auto output : std::as_const(program_).outputs_of(record)) {
      const auto producer = changes_.producer[index(changes_.now(output))];
      if (producer != none<node_id> && changes_.gone[index(producer)] == 0) return producer;
      if (user == none<node_id>) user = user_[index(output)];
    }
    return user;
  }

  /// What stood for an output may have gone later in the same pass. Its maker runs in front of who is left without an heir, so these wait
  /// for it, and others for them: each learns of an heir from the first that has one.
  constexpr void ask_those_in_front() {
    vector<node_id> left;
    for (std::size_t n = 0; n < last_.size(); ++n) {
      if (changes_.gone[n] != 0 && last_[n] == none<node_id>) left.push_back(static_cast<node_id>(n));
    }
    if (left.empty()) return;
    vector<std::pair<node_id, node_id>> waits;  // who is asked, who asks
    vector<node_id> maker(program_.values.size(), none<node_id>);
    for (const auto id : left) {
      if (changes_.heir[index(id)] != none<node_id>) waits.push_back({changes_.heir[index(id)], id});
      for (const auto output : std::as_const(program_).outputs_of(program_[id])) {
        maker[index(output)] = id;
        const auto producer = changes_.producer[index(changes_.now(output))];
        if (producer != none<node_id>) waits.push_back({producer, id});
      }
    }
    for (const auto id : left) {
      for (const auto used : std::as_const(program_).inputs(program_[id])) {
        if (used != none<value_id> && maker[index(used)] != none<node_id>) waits.push_back({id, maker[index(used)]});
      }
    }
    // Chained by who is asked, the first on top.
    vector<std::size_t> first(last_.size(), waits.size());
    vector<std::size_t> next(waits.size(), waits.size());
    for (auto w = waits.size(); w-- > 0;) next[w] = std::exchange(first[index(waits[w].first)], w);
    vector<node_id> know;
    for (const auto& [asked, id] : waits) {
      if (last_[index(asked)] != none<node_id> && first[index(asked)] != waits.size()) know.push_back(asked);
    }
    for (std::size_t k = 0; k < know.size(); ++k) {  // grows
      for (auto w = std::exchange(first[index(know[k])], waits.size()); w != waits.size(); w = next[w]) {
        const auto id = waits[w].second;
        if (last_[index(id)] != none<node_id>) continue;
        last_[index(id)] = last_[index(know[k])];
        know.push_back(id);
      }
    }
  }

  constexpr void note(const node& from, node_id heir) {
    const auto add = [&](std::int64_t handle) {
      if (handle != 0 && handle != program_[heir].debug_handle) gifts_.push_back({index(heir), handle});
    };
    add(from.debug_handle);
    for (const auto handle : std::as_const(program_).folded_handles(from)) add(handle);
  }

  constexpr void give() {
    const auto heirs = gifts_.size();
    for (std::size_t i = 0; i < heirs; ++i) {
      auto& run = program_.nodes[gifts_[i].first].folded_handles;  // what it has had, once
      for (std::uint32_t h = 0; h < run.size; ++h) gifts_.push_back({gifts_[i].first, program_.integers[run.first + h]});
      run = {};
    }
    sort(gifts_.begin(), gifts_.end());
    gifts_.resize(static_cast<std::size_t>(std::unique(gifts_.begin(), gifts_.end()) - gifts_.begin()));
    for (const auto& [heir, handle] : gifts_) {
      auto& run = program_.nodes[heir].folded_handles;
      const auto position = add_to(program_.integers, handle);
      if (run.size == 0) run.first = position;
      run.size += 1;
    }
  }

  exported_program& program_;
  program_changes& changes_;
  vector<node_id> last_;  ///< by node: itself if it stays, else its last heir
  vector<node_id> user_;  ///< by value as it was written: the first who uses it, or the last heir of that
  vector<gift> gifts_;
};

}  // namespace baton::detail

// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Debug handles of nodes that go, given to the nodes that do their work from now on.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/compaction.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// Finds for every node that goes the one that is heir to its handles, and gives it them. That is, in this order: the node whose operand
/// was set to another value than the one's output, as a convolution's in front of which a padding went; the node that makes what stands
/// for the output, as in front of a copy that went; the first node that uses the output, as a reshape behind shapes that are constants now.
/// An heir that goes too leaves them to its own. Nobody is heir to what nobody used. Linear in the program.
class handle_heirs {
 public:
  constexpr handle_heirs(exported_program& program, program_changes& changes)
      : program_(program),
        changes_(changes),
        last_(program.nodes.size(), none<node_id>),
        user_(program.values.size(), none<node_id>) {}

  constexpr void run() {
    if (std::find(changes_.gone.begin(), changes_.gone.end(), char{1}) == changes_.gone.end()) return;
    // Backwards: users come behind what they use, and so do heirs that go. What is new stands at the end, and stays.
    for (std::size_t n = last_.size(); n-- > 0;) {
      const auto& record = program_.nodes[n];
      last_[n] = changes_.gone[n] == 0 ? static_cast<node_id>(n) : heir_of(record, static_cast<node_id>(n));
      if (last_[n] == none<node_id>) continue;
      for (std::uint32_t i = 0; i < record.inputs.size; ++i) {
        const auto used = program_.operands[record.inputs.first + i];
        if (used != none<value_id>) user_[index(used)] = last_[n];
      }
      if (changes_.gone[n] != 0) note(record, last_[n]);
    }
    give();
  }

 private:
  using gift = std::pair<std::uint32_t, std::int64_t>;  // an heir and a handle

  constexpr auto heir_of(const node& record, node_id id) -> node_id {
    const auto said = changes_.heir[index(id)];
    if (said != none<node_id> && last_[index(said)] != none<node_id>) return last_[index(said)];
    auto user = none<node_id>;
    for (std::uint32_t i = 0; i < record.outputs.size; ++i) {
      const auto output = program_.operands[record.outputs.first + i];
      const auto producer = changes_.producer[index(changes_.now(output))];
      if (producer != none<node_id> && changes_.gone[index(producer)] == 0) return producer;
      if (user == none<node_id>) user = user_[index(output)];
    }
    return user;
  }

  constexpr void note(const node& from, node_id heir) {
    const auto add = [&](std::int64_t handle) {
      if (handle != 0 && handle != program_[heir].debug_handle) gifts_.push_back({index(heir), handle});
    };
    add(from.debug_handle);
    for (std::uint32_t i = 0; i < from.folded_handles.size; ++i) add(program_.integers[from.folded_handles.first + i]);
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
      if (run.size == 0) run.first = static_cast<std::uint32_t>(program_.integers.size());
      program_.integers.push_back(handle);
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

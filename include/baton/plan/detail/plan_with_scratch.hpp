// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Plans memory with values in scratch, as many as the arena does not grow by.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/detail/nested_storage.hpp>
#include <baton/plan/detail/values_in_scratch.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/lifetime.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// A plan, and what lies in scratch by it.
struct plan_of_scratch {
  result<memory_plan> memory;
  vector<nested_value> values;
};

/// Grants wishes: all, or, where the arena would grow by that, arguments and results by themselves (what lies between two delegates would
/// keep the scratch of both), then each half of them, and so on down to single ones. A plan is made for every try, so there are not more
/// than some.
class scratch_planner {
 public:
  static constexpr std::size_t most_tries = 16;  ///< each of eight wishes is tried alone, of more those that come in time

  constexpr scratch_planner(const program_view& program, const graph_calls& calls, const plan_options& options,
                            const memory_request& request, const chosen_policy& policy, span<const scratch_wish> wishes)
      : program_(program),
        calls_(calls),
        options_(options),
        request_(request),
        policy_(policy),
        wishes_(wishes),
        is_granted_(wishes.size(), 0),
        wish_of_(program.values.size(), npos) {
    for (std::uint32_t w = 0; w < wishes.size(); ++w) wish_of_[index(wishes[w].owner)] = w;
    for (std::uint32_t v = 0; v < wish_of_.size(); ++v) {
      if (request.storage_of[v] != none<value_id>) wish_of_[v] = wish_of_[index(request.storage_of[v])];
    }
  }

  constexpr auto run(result<memory_plan> without) -> plan_of_scratch {
    plan_of_scratch best{std::move(without), {}};
    std::uint32_t arguments = 0;
    for (const auto& wish : wishes_) arguments += wish.is_input ? 1 : 0;
    vector<range> tries;
    if (!wishes_.empty()) tries.push_back({0, static_cast<std::uint32_t>(wishes_.size())});
    for (std::size_t i = 0; i < tries.size() && i < most_tries; ++i) {
      const auto some = tries[i];
      if (grant(some, best.memory) || some.size == 1) continue;
      const auto half = i == 0 && 0 < arguments && arguments < some.size ? arguments : some.size / 2;
      tries.push_back({some.first, half});
      tries.push_back({some.first + half, some.size - half});
    }
    for (std::size_t w = 0; w < wishes_.size(); ++w) {
      if (is_granted_[w] != 0) best.values.push_back(wishes_[w].place);
    }
    return best;
  }

 private:
  constexpr auto grant(const range& some, result<memory_plan>& best) -> bool {
    const auto set = [&](char value) {
      for (auto w = some.first; w < some.first + some.size; ++w) is_granted_[w] = value;
    };
    set(1);
    auto made = plan();
    if (!made || (best && made.value.arena_bytes > best.value.arena_bytes)) {
      set(0);
      return false;
    }
    best = std::move(made);
    return true;
  }

  /// What is part of a value that lies in scratch lies there, too.
  constexpr auto plan() const -> result<memory_plan> {
    vector<std::uint32_t> hosts(wish_of_.size(), npos);
    vector<std::uint64_t> within(wish_of_.size(), memory_needs::whole);
    for (std::size_t v = 0; v < wish_of_.size(); ++v) {
      if (!request_.storage_within.empty()) within[v] = request_.storage_within[v];
      if (wish_of_[v] == npos || is_granted_[wish_of_[v]] == 0) continue;
      const auto& place = wishes_[wish_of_[v]].place;
      hosts[v] = index(place.node);
      within[v] = place.offset + (within[v] == memory_needs::whole ? 0 : within[v]);
    }
    auto request = request_;
    request.scratch_hosts = hosts;
    request.storage_within = within;
    return plan_memory(program_, calls_, options_, request, policy_);
  }

  program_view program_;
  const graph_calls& calls_;
  plan_options options_;
  memory_request request_;
  chosen_policy policy_;
  span<const scratch_wish> wishes_;
  vector<char> is_granted_;
  vector<std::uint32_t> wish_of_;  // by value: the wish for the memory that it has, or `npos`
};

}  // namespace baton::detail
